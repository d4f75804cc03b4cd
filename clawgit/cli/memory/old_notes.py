"""`clawgit memory compact` and `memory promote`: old notes into quarterly files, parts of notes into core memory."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from clawgit.agents import promotion
from clawgit.agents.compactor import Eligible, archive_quarters, eligible_notes, remove_archived
from clawgit.agents.first_rearrangement import COMPACTOR, allow_first, needs_yes
from clawgit.cli.app import App, change_data, command, commit_lines, in_words, picked
from clawgit.history.authorship.actors import OPERATOR, WHOSE
from clawgit.history.authorship.commit_messages import new_op
from clawgit.operations.changes import say_change, say_kept
from clawgit.recall.recall_status import OFTEN_DAYS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.apply_plan import Recorded
    from clawgit.history.git.repository import History

DAYS = 90


@command("compact")
@click.option(
    "--days",
    type=click.IntRange(0, 36500),
    default=DAYS,
    show_default=True,
    help="Notes of so many days and older; today's never.",
)
@click.option("--apply", "is_applied", is_flag=True, help="Write the archives; the notes stay.")
@click.option(
    "--remove", is_flag=True, help="With --apply: remove the notes that an archive holds as they read now."
)
def compact_command(app: App, days: int, is_applied: bool, remove: bool) -> None:
    """Archive old notes by quarter.

    Without --apply, only show which notes would be archived.

    An archive, such as memory/archive/2026-Q1.md, holds each note whole, the oldest first. With --remove a note
    goes only if its present text is in the committed archive.

    \b
    Examples:
      clawgit memory compact
      clawgit memory compact --days 60 --json
      clawgit memory compact --apply --remove
    """
    history = app.history()
    eligible = eligible_notes(history.tip().tree, app.now(history).date(), days)
    done = _archived(app, history, days, remove=remove) if is_applied and eligible else []
    if remove and not is_applied:
        app.say("Nothing is removed without --apply.")
    notes = [{"path": each.note.path, **picked(each, "quarter archived")} for each in eligible]
    data: dict[str, Any] = {"days": days, "notes": notes, "applied": bool(done)}
    data["removed"] = bool(done) and remove
    data["commits"] = [each.commit_id for each in done if each.commit_id]
    app.report(data, lambda: _archived_lines(days, eligible, done, remove=remove))


def _archived(app: App, history: History, days: int, *, remove: bool) -> list[Recorded]:
    intent = app.intent(history)
    done = [archive_quarters(history, days, intent)]
    if remove:
        op = f"{intent.op}-remove" if intent.given else new_op()
        done.append(remove_archived(history, days, intent._replace(op=op)))
        if app.actor == OPERATOR and needs_yes(history, COMPACTOR):
            done.append(allow_first(history, COMPACTOR, intent))
    for each in done:
        say_kept(app, each.kept)
    return done


def _archived_lines(days: int, eligible: list[Eligible], done: list[Recorded], *, remove: bool) -> list[str]:
    if not eligible:
        return [f"No dated note is {days} days old or older."]
    quarters: dict[str, list[Eligible]] = {}
    for each in eligible:
        quarters.setdefault(each.quarter, []).append(each)
    lines = []
    for quarter, notes in sorted(quarters.items()):
        lines.append(f"memory/archive/{quarter}.md")
        lines += [f"  {each.note.path}{'  (archived before)' if each.archived else ''}" for each in notes]
    if not done:
        return [
            *lines,
            f"{len(eligible)} notes of {days} days or more. --apply copies them, --apply --remove moves them.",
        ]
    copied = done[0].commit_id
    lines.append(f"Copied: {copied[:12]}" if copied else "The archives had them all already.")
    if remove and done[1].commit_id:
        lines.append(
            f"Removed: {done[1].commit_id[:12]} (`clawgit undo {done[1].commit_id[:12]}` brings them back)"
        )
    return lines


def _confidence(_context: click.Context, _option: click.Parameter, text: str | None) -> int | None:
    if text is None:
        return None
    number = text.strip()
    with suppress(ValueError):
        share = float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
        if 0 <= share <= 1:
            return round(share * 100)
    raise click.BadParameter(f"{text!r} is no confidence: say 0.6 or 60%, from 0 to 1 or from 0% to 100%.")


@command("promote")
@click.option(
    "--days",
    type=click.IntRange(0, 36500),
    help="Notes of so many days [default: promotion_days]; with --frequency, searches of so many [default: 30].",
)
@click.option(
    "--min-confidence",
    "least",
    callback=_confidence,
    metavar="SURE",
    help="Only parts at least this sure: 0.6 or 60% [default: promotion_min_score].",
)
@click.option("--frequency", is_flag=True, help="Instead, what searches found in 3 sessions or more.")
@click.option("--target", callback=in_words, metavar="PATH", help="One file for all, not by category.")
@click.option("--apply", "is_applied", is_flag=True, help="Move them there, in one change.")
def promote_command(app: App, /, **options: Any) -> None:
    """Move notes worth keeping to core memory.

    Without --apply, only show which notes would be moved.

    Words such as *decided*, *trademark* or *IMPORTANT* score. What a host wrote stays, unless you name a file with --target:
    then it becomes your word. What rests on the outside world always stays.

    \b
    Examples:
      clawgit memory promote --days 30 --min-confidence 0.6
      clawgit memory promote --frequency --days 90 --json
      clawgit memory promote --apply --target memory/legal.md
    """
    history = app.history()
    usual = promotion.usual_criteria(history)
    days = options["days"]
    if days is None:
        days = OFTEN_DAYS if options["frequency"] else usual.days
    least = usual.least if options["least"] is None else options["least"]
    criteria = promotion.PromotionCriteria(days, least, options["target"] or "", options["frequency"])
    if not options["is_applied"]:
        candidates = promotion.find_candidates(history, app.now(history), criteria, app.actor)
        foreign = sum(each.stays(app.actor) for each in candidates)
        data, lines = _listed(candidates, foreign, by_frequency=criteria.by_frequency)
        if foreign < len(candidates):
            lines.append("--apply moves them.")
        app.report(data | {"applied": False, "left_out": foreign}, lambda: lines)
        return
    done = promotion.promote(history, criteria, app.intent(history))
    say_change(app, done.recorded, f"Moved: {len(done.candidates)}.")
    data, lines = _listed(done.candidates, done.foreign, by_frequency=criteria.by_frequency)
    if done.candidates:
        lines += commit_lines(done.recorded.commit_id)
    data |= {"applied": True, "left_out": done.foreign, **change_data(done.recorded), "unseen": done.unseen}
    app.report(data, lambda: lines)
    if done.unseen:
        sentence = f"Left out: {done.unseen} part(s) of edits that were committed only now. The next list shows them."
        app.say(sentence)


def _listed(
    candidates: Sequence[promotion.PromotionCandidate], foreign: int, *, by_frequency: bool
) -> tuple[dict[str, Any], list[str]]:
    rows = []
    lines = []
    for each in candidates:
        part, scored = each.found.part, each.found.scored
        row = {"path": each.found.path, "from": part.begins + 1, **picked(part, "to=last title")}
        row |= {"text": each.says, "score": scored.score / 100, "categories": scored.categories}
        rows.append(row | {"sessions": each.found.sessions, **picked(each, "trust target")})
        sure = f"{each.found.sessions} sessions" if by_frequency else f"{scored.score} %"
        kinds = f" {', '.join(scored.categories)}".rstrip()
        where = "stays" if foreign and each.stays(OPERATOR) else f"→ {each.target}"
        lines.append(f"{each.place}  {sure}{kinds}  {WHOSE.get(each.trust, each.trust)} {where}")
        lines.append(f"    {each.says}")
    if foreign:
        sentence = f"left out: {foreign} part(s) that are not your word; add them yourself, or name a file with --target (never for external)"
        lines.append(sentence)
    if not candidates:
        lines.append("Nothing to promote.")
    return {"candidates": rows}, lines
