"""`clawgit memory promote`: parts of dated notes into core memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.agents.promotion import Candidate, PromotionCriteria, find_candidates, promote, usual_criteria
from clawgit.cli.app import App, Command, change_data, in_words, picked
from clawgit.cli.memory.memory import confidence_asked
from clawgit.history.authorship.actors import WHOSE
from clawgit.memory.trust import OPERATOR
from clawgit.operations.changes import say_change
from clawgit.recall.recall_status import OFTEN_DAYS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.apply_plan import Recorded


@click.command("promote", cls=Command)
@click.option(
    "--days",
    type=click.IntRange(0, 36500),
    help="Notes of so many days [default: promotion_days]; with --frequency, searches of so many [default: 30].",
)
@click.option(
    "--min-confidence",
    "least",
    callback=confidence_asked,
    metavar="SURE",
    help="Only parts at least this sure: 0.6 or 60% [default: promotion_min_score].",
)
@click.option("--frequency", is_flag=True, help="Instead, what searches found in 3 sessions or more.")
@click.option("--target", callback=in_words, metavar="PATH", help="One file for all, not by category.")
@click.option("--apply", "is_applied", is_flag=True, help="Move them there, in one change.")
@click.pass_obj
def promote_command(app: App, /, **told: Any) -> None:
    """Move notes worth keeping to core memory.

    Without --apply, only show which notes would be moved.

    A part is a section of a note, or an item below no heading but the day's. Words such as *decided*, *trademark* or
    *IMPORTANT* score; the strongest category decides the file: memory/legal.md where there is one, else MEMORY.md.
    The list says whose words each part is. What a host wrote stays, unless you name a file with --target: then it
    becomes your word. What rests on the outside world (external) always stays. By a host or a job only lines that
    rest on your words go there, and others to memory/learned.md.

    \b
    Examples:
      clawgit memory promote --days 30 --min-confidence 0.6
      clawgit memory promote --frequency --days 90 --json
      clawgit memory promote --apply --target memory/legal.md
    """
    history = app.history()
    usual = usual_criteria(history)
    days = told["days"]
    if days is None:
        days = OFTEN_DAYS if told["frequency"] else usual.days
    least = usual.least if told["least"] is None else told["least"]
    criteria = PromotionCriteria(days, least, told["target"] or "", told["frequency"])
    if not told["is_applied"]:
        found = find_candidates(history, app.now(history), criteria, app.actor)
        foreign = sum(each.stays(app.actor) for each in found)
        app.report(_data(found, None, foreign), lambda: _lines(found, criteria.by_frequency, foreign=foreign))
        return
    done = promote(history, criteria, app.intent(history))
    say_change(app, done.recorded, f"Moved: {len(done.candidates)}.")
    app.report(
        _data(done.candidates, done.recorded, done.foreign) | {"unseen": done.unseen},
        lambda: _lines(done.candidates, criteria.by_frequency, done.recorded, done.foreign),
    )
    if done.unseen:
        app.say(
            f"Left out: {done.unseen} part(s) of edits that were committed only now. The next list shows them."
        )


def _data(candidates: Sequence[Candidate], done: Recorded | None, foreign: int) -> dict[str, Any]:
    rows = []
    for each in candidates:
        part, scored = each.found.part, each.found.scored
        row = {"path": each.found.path, "from": part.begins + 1, **picked(part, "to=last title")}
        row |= {"text": each.says, "score": scored.score / 100, "categories": scored.categories}
        rows.append(row | {"sessions": each.found.sessions, **picked(each, "trust target")})
    data = {"candidates": rows, "applied": done is not None}
    return data | {"left_out": foreign} | ({} if done is None else change_data(done))


def _lines(
    found: Sequence[Candidate], by_frequency: bool, done: Recorded | None = None, foreign: int = 0
) -> list[str]:
    left = []
    if foreign:
        left.append(
            f"left out: {foreign} part(s) that are not your word; add them yourself, or name a file with --target (never for external)"
        )
    if not found:
        return [*left, "Nothing to promote."]
    lines = []
    for each in found:
        sure = f"{each.found.sessions} sessions" if by_frequency else f"{each.found.scored.score} %"
        kinds = f" {', '.join(each.found.scored.categories)}" if each.found.scored.categories else ""
        where = "stays" if foreign and each.stays(OPERATOR) else f"→ {each.target}"
        lines += [
            f"{each.place}  {sure}{kinds}  {WHOSE.get(each.trust, each.trust)} {where}",
            f"    {each.says}",
        ]
    if done is not None:
        if done.commit_id:
            left.append(done.commit_id)
    elif foreign < len(found):
        left.append("--apply moves them.")
    return lines + left
