"""`clawgit log`: the changes of memory, statement by statement."""

from __future__ import annotations

from itertools import starmap, zip_longest
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, command, limit_option, picked
from clawgit.cli.diff_output import worded
from clawgit.errors import UsageError
from clawgit.history.provenance import statement_changes
from clawgit.memory.entries.statements import without_order
from clawgit.operations.change_log import ChangeLog, LogRequest, show_log
from clawgit.text.comparing.word_diff import word_diff
from clawgit.text.safety.control_characters import begin_of, folded, shown
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST, BRIEF = 300, 60  # characters of a statement or quote on a screen, and of a quote in `status`
_KEYS = "when verb words before whose quote entry=entry_id path commit=commit_id actor evidence"
_COLOURS = {
    "remembered": "green",
    "corrected": "yellow",
    "asked": "cyan",
    **dict.fromkeys(("removed", "lost", "set back", "expired"), "red"),
}


@command("log")
@click.argument("what", required=False, metavar="[FILE|ENTRY|WORDS]")
@click.option("--since", metavar="DAY", help="Only what changed from then on.")
@click.option("--until", metavar="DAY", help="Only what changed until then.")
@click.option("--entry", metavar="ENTRY|WORDS", help="Only changes of one statement, by its id or its words.")
@click.option("--file", metavar="PATH", help="Only changes in a file or folder.")
@click.option(
    "--actor",
    "by",
    metavar="A",
    help="Only what A changed: agent (also host), you (your messages too; also operator), unknown, jobs, or one of them by its name.",
)
@click.option("--all", "whole", is_flag=True, help="All that commits made without clawgit changed.")
@limit_option
@click.option("--after", metavar="MARK", help="Go on where a page ended; it names the mark.")
def log_command(app: App, /, what: str | None, limit: int, whole: bool, **options: Any) -> None:
    """List what changed, statement by statement.

    Newest first. Each row says what happened, the words with what was changed in them, whose words they are (of an
    edit by your agent or by nobody known, who made it) and the sentence that they rest on. What jobs moved and what
    has no words of its own is counted; FILE or --all shows each. With --actor, an edit's losses come first, yours before others.

    \b
    Examples:
      clawgit log
      clawgit log --since yesterday --actor agent
      clawgit log MEMORY.md
      clawgit log --entry "the rent is due"
      clawgit log --file MEMORY.md --until "last week" --json
    """
    if what is not None:
        name = "file"
        if what.startswith(("m:", "x:", "k:")) or (" " in what and not what.rpartition(".")[2].isalpha()):
            name = "entry"
        if options[name] is not None:
            raise UsageError(f"{what} is given as an argument, and --{name}, too.", hint="Give one of them.")
        options[name] = what
    is_folded = not (whole or app.as_json or any(map(options.get, ("entry", "file", "by"))))
    request = LogRequest(limit=limit, folded=is_folded, whole=whole, **options)
    log = show_log(app, request)
    if app.as_json:
        app.report(changes_data(log))
        return
    for line in _lines(log):
        click.echo(line)
    if not log.rows and not log.gap:
        app.say("Nothing changed in that time." if any(options.values()) else "Nothing changed yet.")
    if log.after:
        app.say(f"There is more: add `--after {log.after}`.")


def changes_data(log: ChangeLog) -> dict[str, Any]:
    return {"rows": list(map(row_data, log.rows)), "after": log.after}


def row_data(row: statement_changes.StatementChange) -> dict[str, Any]:
    routine = [{"what": what, "count": count} for what, count in row.counts]
    texts = {"words": redact(row.words), "before": redact(row.before), "quote": redact(row.quote)}
    data = picked(row, _KEYS) | texts | {"routine": routine}
    if row.committed_by:
        data["committed_by"] = row.committed_by
    return data


def changes_lines(log: ChangeLog) -> list[str]:
    return list(map(click.unstyle, _lines(log)))


def _lines(log: ChangeLog) -> Iterator[str]:
    day = None
    for row, following in zip_longest(log.rows, log.rows[1:]):
        if row.when.date() != day:
            day = row.when.date()
            yield click.style(f"{day:%A, %Y-%m-%d}", bold=True)
        if row.verb == statement_changes.ROUTINE:
            counts = ", ".join(starmap(statement_changes.amount_of, row.counts))
            yield click.style(f"         routine: {counts}", dim=True)
        else:
            verb = row.verb
            if verb == statement_changes.UNDONE and row.words and not row.before:
                verb = "brought back"
            styled = click.style(f"{verb:<10}", fg=_COLOURS.get(row.verb, "blue"))
            yield f"  {row.when:%H:%M}  {styled}  {_words(row)}  ({_about(row)})"
            below = "  ".join(filter(None, (_quoted(row), shown(row.path), row.commit_id[:12])))
            if _has_same_place(row, following):
                continue
            yield click.style(f"         {below}", dim=True)
        if next_step(row):
            yield click.style(f"         {redact(next_step(row))}", dim=True)


def _has_same_place(
    row: statement_changes.StatementChange, other: statement_changes.StatementChange | None
) -> bool:
    """Say whether the row below names the same file, commit and next step, and this one says nothing more."""
    if other is None or _quoted(row) or next_step(row) != next_step(other):
        return False
    return (row.path, row.commit_id, row.when.date()) == (other.path, other.commit_id, other.when.date())


def row_line(row: statement_changes.StatementChange, today: str = "") -> str:
    """Return a row for a short screen: the change, and the beginning of the sentence behind it; `tomorrow` of another day than ``today`` behind its day."""
    words = _own(row.words)
    if row.before and (words or row.verb == statement_changes.SET_BACK):
        from clawgit.memory.corrections.write_correction import change_in_short

        words = change_in_short(_own(row.before), words)
    if not row.day.startswith(today):
        from clawgit.recall.questions.question_dates import with_day

        words = with_day(words, row.day, row.before)
    words = begin_of(words, 2 * BRIEF)
    if next_step(row):  # which has the id
        row = row._replace(entry_id="")
    return f"{words or _cut(row.before)}  ({_about(row, begin_of(_quoted(row), BRIEF))})"


def _own(text: str) -> str:
    """Return a row's words, without `User: "…"`."""
    if text.startswith("User: "):
        from clawgit.understanding.forms.user_words import as_said

        text = as_said(text)
    return _cut(text)


def next_step(row: statement_changes.StatementChange) -> str:
    """Return the command that settles a link, or that brings back what the row took away."""
    if not row.correction_id:
        return ""
    if row.verb == statement_changes.LINKED:
        from clawgit.understanding.corrections.ready_commands import link_way

        return f"→ {link_way(row.correction_id, row.words, row.quote, row.turn)}"
    if row.verb == statement_changes.LOST:
        return f"→ `clawgit undo {row.commit_id[:12]}` or `clawgit approve {row.correction_id}`"
    if row.verb in (statement_changes.LEFT_OUT, statement_changes.REWRITTEN):
        return f"→ to have it: `{row.correction_id}`"
    others = (statement_changes.SET_BACK, statement_changes.REWORDED, statement_changes.APPROVED)
    is_undone_by_commit = row.verb in (*statement_changes.TAKING, *others)
    if is_undone_by_commit or (row.verb == statement_changes.CORRECTED and row.before):
        return f"→ `clawgit undo {row.correction_id}`"
    return ""


def _about(row: statement_changes.StatementChange, quote: str = "") -> str:
    about = row.author
    if quote:
        about += f": {quote}"
    if row.entry_id:
        about += f", {row.entry_id}"
    return about


def _quoted(row: statement_changes.StatementChange) -> str:
    """Return the sentence behind a row in quotation marks; empty if the row's words have it."""
    if not row.quote or without_order(row.quote).casefold() in row.words.casefold():
        return ""
    return f'"{_cut(row.quote)}"'


def _words(row: statement_changes.StatementChange) -> str:
    words = _own(row.words)
    before = _own(row.before)
    if not before and row.verb == statement_changes.LINKED:
        return f"{words} (later words beside it)"
    if row.verb == statement_changes.UNLINKED:
        return f"{words} (words are no more beside it)"
    if not before or words == before:
        return words
    if row.verb == statement_changes.ASKED and row.entry_id.startswith("k:"):  # both stay until the answer
        return f"{words} against {before}"
    return worded(word_diff(before, words))


def _cut(text: str) -> str:
    return begin_of(shown(folded(redact(text))), LONGEST)
