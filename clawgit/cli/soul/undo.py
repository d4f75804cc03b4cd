"""`clawgit undo` and `clawgit soul revert`: an entry, a correction, a commit, a run or all from one source, taken back."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command, in_words, picked, report_change
from clawgit.cli.diff_output import diff_lines, diffs_data
from clawgit.errors import UsageError
from clawgit.history.apply_plan import repeated
from clawgit.history.authorship.actors import check_actor
from clawgit.history.states.revisions import find_revision
from clawgit.history.transaction.drafts import entry_of
from clawgit.history.undo.forgetting import find_forgetting
from clawgit.history.undo.take_back import taken_diffs, touched_principles
from clawgit.history.undo.undo import (
    RevertConflictError,
    Undoing,
    find_remarks,
    find_reverting,
    find_undoing,
    find_undoing_since,
    undo,
)
from clawgit.memory.corrections.correction_log import archive_of
from clawgit.memory.entries.tiers import date_of
from clawgit.memory.notes import CHRONICLES
from clawgit.operations.cited_messages import messages_called
from clawgit.operations.named_statements import one_statement
from clawgit.operations.paths import line_named
from clawgit.operations.soul import say_otherwise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.identity.principles import PrincipleDrift
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.text.markdown.merge_lines import Conflict

SHOWN_LINES = 20
SHOWN_FILES = 20
NAMED_FILES = 5


@click.command("undo", cls=Command)
@click.argument("what", required=False, metavar="ENTRY|WORDS|PATH:LINE|COMMIT|RUN")
@click.option(
    "--source",
    metavar="X",
    help="All that actor X changed, or that rests on X: a message, a page, a sender, a channel, an imported file.",
)
@click.option(
    "--since", metavar="DATE", help="All that --actor changed since then; a day means its midnight."
)
@click.option(
    "--actor", metavar="A", help="Whose changes since --since: an agent, host, unknown or operator."
)
@click.option("--reason", default="", help="One sentence; it goes into the history.")
@click.option("--dry-run", is_flag=True, help="Show which lines would go and come; change nothing.")
@click.pass_obj
def undo_command(
    app: App, /, what: str | None, source: str | None, reason: str, dry_run: bool, **by: str | None
) -> None:
    """Take back an entry, a commit, a run or a source.

    Or all that one actor did since a date. Later changes stay.

    A source is an actor, a message (chat:ID), a page, or what messages came from: a sender, channel, conversation, session or
    imported file, with that word before it where a name could mean several.

    By its words or its place, a line goes too that has no id. Entries derived from it are removed too. A correction (x:...) is not removed but withdrawn: it stays
    in the archive. Everything is one new commit, so undoing can be undone.

    \b
    Examples:
      clawgit undo m:7k2x9d --dry-run
      clawgit undo "the rent is due on the 1st" --dry-run
      clawgit undo 1a2b3c4d --reason "It misread the mail."
      clawgit undo x:4f1c --reason "I was wrong about that."
      clawgit undo --source web:example.org
      clawgit undo --source mallory --dry-run
      clawgit undo --source conversation:telegram/family
      clawgit undo --source file:export.jsonl
      clawgit undo --since yesterday --actor soul-keeper --dry-run
    """
    app.only_operator("undo changes")
    _check_named(what, source, by)
    history = app.history()
    intent = app.intent(history)
    before = None if dry_run else repeated(history, intent)
    if before is not None:  # what it took back may have no name any more
        report_change(app, before, "")
        return
    undoing = _found(app, history, (what or "", source or ""), by)
    take_back(app, history, undoing, intent, None if dry_run else reason)


def _check_named(what: str | None, source: str | None, by: Mapping[str, str | None]) -> None:
    if (by["since"] is None) != (by["actor"] is None):
        raise UsageError("--since and --actor go together.", hint="`--since 2026-03-19 --actor soul-keeper`.")
    named = [word for word in (what, source, by["since"]) if word is not None]
    if len(named) != 1 or not named[0].strip():
        hint = "An entry, some of its words, a commit or a run; --source X; or --since DATE --actor A."
        raise UsageError("Name one thing to undo.", hint=hint)


def _found(app: App, history: History, names: tuple[str, str], by: Mapping[str, str | None]) -> Undoing:
    since, actor = by["since"], by["actor"]
    if since is not None and actor is not None:
        return find_undoing_since(history, check_actor(actor), app.time_asked(since, history).first)
    called = partial(messages_called, app, history)
    if names[0] and (" " in names[0].strip() or line_named(names[0]) is not None):
        return find_forgetting(history, one_statement(history, names[0].strip(), app.now(history)))
    return find_undoing(history, names[0], source=names[1], messages=called)


def take_back(app: App, history: History, undoing: Undoing, intent: Intent, reason: str | None) -> None:
    """Take changes back and say so; where there is no reason (None), show only which lines would go and come."""
    app.say(f"To take back: {undoing.name.rstrip('.')}.")
    for line in preview_lines(history, undoing):
        app.say(line)
    if reason is None:
        _show(app, history, undoing, intent)
        return
    try:
        done = undo(history, undoing, reason, intent)
    except RevertConflictError as error:
        _say_conflicts(app, error.conflicts)
        raise
    did = "Undone" if undoing.taking.verb == "undo" else "Taken back"
    report_change(app, done, f"{did}: {undoing.name.rstrip('.')}.", **_undoing_data(undoing))


def _show(app: App, history: History, undoing: Undoing, intent: Intent) -> None:
    """Print the lines that would go and come, shortened for a person, whole as JSON; say what speaks against it."""
    for finding in find_remarks(history, undoing.taking, undoing.taken, intent):
        app.say(f"  {'CANNOT: ' if finding.severity.stops else ''}{finding.sentence}")
    _say_conflicts(app, _conflicts(undoing))
    if app.as_json:
        diffs = diffs_data(taken_diffs(history, undoing.taken))
        app.report({**_undoing_data(undoing), "diff": diffs}, list)
        return
    for number, diff in enumerate(taken_diffs(history, undoing.taken)):
        if number == SHOWN_FILES:
            click.echo(f"... and {len(undoing.taken.contents) - number} more files; --json shows all of them")
            break
        lines = list(diff_lines(diff, words=False))
        for line in lines[:SHOWN_LINES]:
            click.echo(line)
        if len(lines) > SHOWN_LINES:
            click.echo(f"  ... and {len(lines) - SHOWN_LINES} more lines; --json shows all of them")


def preview_lines(history: History, undoing: Undoing) -> list[str]:
    """Return what taking it back does, line by line."""
    return list(_preview(undoing, _file_lines(history, undoing), touched_principles(history, undoing.taken)))


def _file_lines(history: History, undoing: Undoing) -> list[str]:
    """Return the files that change; of many, in one line how many come back, go and change, by folder."""
    contents = undoing.taken.contents
    if len(contents) <= NAMED_FILES:
        return [f"  changes {path}" for path in contents]
    tree = history.tip().tree
    counts: Counter[tuple[str, str]] = Counter()
    coming = set()
    for path, content in contents.items():
        if tree.entry(path) is None:
            coming.add(entry_of(content))
    for path, content in contents.items():
        old = tree.entry(path)
        folder = "/".join(path.split("/")[:-1][:2])
        place = f"{folder}/" * bool(folder) or "the folder itself"
        if old is None:
            counts[_unit(path), f"back to {place}"] += 1
        elif content is not None:
            counts[_unit(path), f"changed in {place}"] += 1
        elif old not in coming:
            counts[_unit(path), f"removed from {place}"] += 1
    parts = []
    for (unit, what), count in counts.most_common():
        parts.append(f"{count:,} {unit}{'s' * (count != 1)} {what}")
    return [f"  {', '.join(parts)}"]


def _unit(path: str) -> str:
    if path.startswith(CHRONICLES):
        return "chronicle"
    if date_of(path) is None:
        return "file"
    return "note"


def _preview(
    undoing: Undoing, file_lines: list[str], touched: Iterable[tuple[str, PrincipleDrift]]
) -> Iterator[str]:
    taken = undoing.taken
    for commit in undoing.taking.commits:
        rests = "  (rests on it)" if commit in undoing.along else ""
        yield f"  {commit.commit_id[:12]}  {commit.subject}{rests}"
    yield from file_lines
    for path, each in touched:
        if each.old:
            yield f"  takes out of {path}: {each.old.text}"
        if each.new:
            yield f"  puts into {path}: {each.new.text}"
    for correction in taken.withdrawn:
        yield f"  withdraws {_correction(correction)}, which stays in {archive_of(correction)}"
    for correction in taken.restored:
        yield f"  puts {_correction(correction)} in force again"
    for note in taken.notes:
        yield f"  {note}"
    if undoing.earlier is not None:
        name, subject = undoing.earlier.commit_id[:12], undoing.earlier.subject
        yield f"  {name} ({subject}) took it back already; `clawgit undo {name}` brings it back."
    for refusal in taken.refusals:
        yield f"  CANNOT: {refusal}"
    for path in _conflicts(undoing):
        yield f"  CONFLICTS with later changes in {path}"


def _conflicts(undoing: Undoing) -> dict[str, tuple[Conflict, ...]]:
    """Return what is in the way; not the earlier change that did the same already."""
    return {} if undoing.earlier is not None else undoing.taken.conflicts


def _correction(correction: Correction) -> str:
    named = f"the correction x:{correction.correction_id}"
    if correction.correct:
        named += f" ({correction.correct})"
    return named


def _undoing_data(undoing: Undoing) -> dict[str, Any]:
    taken = undoing.taken
    return {
        "name": undoing.name,
        "commits": [commit.commit_id for commit in undoing.taking.commits],
        "along": [commit.commit_id for commit in undoing.along],
        "files": sorted(taken.contents),
        "conflicts": sorted(taken.conflicts),
        "withdrawn": [correction.correction_id for correction in taken.withdrawn],
        "restored": [correction.correction_id for correction in taken.restored],
        **picked(taken, "refusals notes"),
    }


def _say_conflicts(app: App, conflicts: dict[str, tuple[Conflict, ...]]) -> None:
    for path, found in conflicts.items():
        for conflict in found:
            app.say(f"{path}, near line {conflict.line}:")
            for mark, lines in (("now   ", conflict.ours), ("before", conflict.theirs)):
                for line in lines or (b"(nothing)",):
                    app.say(f"  {mark} | {line.decode('utf-8', 'replace').rstrip()}")


@click.command("revert", cls=Command)
@click.argument("revision", metavar="REV")
@click.option("--reason", callback=in_words, help="One sentence; it goes into the history. Required.")
@click.option("--dry-run", is_flag=True, help="Show which lines would go and come; change nothing.")
@click.pass_obj
def revert_command(app: App, revision: str, reason: str | None, dry_run: bool) -> None:
    """Take back one change of the soul.

    Later changes stay. The result is a new commit.

    What it changed in other files stays. If later changes touch the same lines, they are shown and nothing is written.
    `clawgit undo` takes a whole change back, and other changes.

    \b
    Examples:
      clawgit soul revert 1a2b3c4d --dry-run
      clawgit soul revert 1a2b3c4d --reason "Nobody asked for that."
    """
    app.only_operator("take a change back")
    if reason is None and not dry_run:
        raise UsageError("A revert needs a reason.", hint='Add --reason "One sentence.".')
    history = app.history()
    found = find_revision(history, revision, app.now(history))
    if found.until is not None:
        raise UsageError(f"{revision} is a time, not a change.", hint="`clawgit soul log` lists the changes.")
    say_otherwise(app, found, revision)
    intent = app.intent(history)
    before = None if dry_run else repeated(history, intent)
    if before is not None:
        report_change(app, before, "")
        return
    take_back(app, history, find_reverting(history, found.commit), intent, None if dry_run else reason)
