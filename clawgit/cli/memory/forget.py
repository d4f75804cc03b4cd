"""`clawgit forget`: a line of memory, found, shown and removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command, report_change, text_argument
from clawgit.cli.soul.undo import preview_lines
from clawgit.errors import ClawgitError, ExitCode
from clawgit.history.apply_plan import NOTHING, repeated
from clawgit.history.undo.forgetting import find_forgetting, find_same
from clawgit.history.undo.undo import undo
from clawgit.operations.changes import say_kept
from clawgit.operations.named_statements import find_statement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.undo.forgetting import Line

MOST_SHOWN = 10


@click.command("forget", cls=Command)
@text_argument("what", metavar="WORDS|ENTRY|PATH:LINE|COMMIT")
@click.option("--reason", default="", help="One sentence; it goes into the history.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where no terminal is.")
@click.pass_obj
def forget_command(app: App, what: str, reason: str, yes: bool) -> None:
    """Remove a line of memory, after a question.

    Finds the line by some of its words, its id or its place, also a line without an id, shows it, and removes it in one
    commit. An entry goes as with `clawgit undo m:ID`: what was derived from it goes too, and is shown before.

    Where several lines fit, it lists them and removes none. What else says the same is listed, and stays. The history and
    the messages keep what was removed.

    \b
    Examples:
      clawgit forget "the rent is due on the 1st"
      clawgit forget m:7k2x9d --reason "We moved out."
      clawgit forget notes/flat.md:12 --yes
    """
    app.only_operator("forget what memory says")
    history = app.history()
    intent = app.intent(history)
    before = repeated(history, intent)
    if before is not None:
        report_change(app, before, "")
        return
    meant = find_statement(history, what.strip(), app.now(history))
    if meant.note:
        app.say(meant.note)
    if len(meant.lines) > 1 or (yes and not meant.is_sure):
        _list_meant(app, meant.lines)
        return
    line = meant.lines[0]
    undoing = find_forgetting(history, line)
    app.say(f"To forget: {_shown(line)}")
    for told in preview_lines(history, undoing):
        app.say(told)
    if not yes and not app.asks("Forget it?"):
        raise ClawgitError("It stays, nothing was changed.", hint="Say --yes to remove it.")
    done = undo(history, undoing, reason, intent)
    if done.outcome == NOTHING:
        say_kept(app, done.kept)
        raise ClawgitError(
            "The line reads otherwise in the folder, so nothing was removed.", hint="Ask for it again."
        )
    same = find_same(history, line)
    data = _line_data(line) | {"same": list(map(_line_data, same))}
    report_change(app, done, f"Forgotten: {_shown(line)}", **data)
    if done.commit_id:
        app.say(f"`clawgit undo {done.commit_id[:12]}` brings it back.")
        _say_what_stays(app, same)


def _list_meant(app: App, lines: Sequence[Line]) -> None:
    """List what may be meant; that none was removed is the exit status, too."""
    app.exit_code = ExitCode.REFUSED
    app.say("Nothing was removed: name one of these." if len(lines) > 1 else "Only this is like it: name it.")
    data = {"outcome": "unclear", "lines": list(map(_line_data, lines))}
    app.report(data, lambda: list(map(_command, lines)))


def _command(line: Line) -> str:
    return f"clawgit forget {_name(line)}   {line.statement.words}"


def _say_what_stays(app: App, same: Sequence[Line]) -> None:
    if same:
        app.say("The same is said here, and stays:")
    for each in same[:MOST_SHOWN]:
        verb = "undo" if each.mark.startswith("x:") else "forget"
        app.say(f"  {each.place}  {each.statement.words}   (`clawgit {verb} {_name(each)}`)")
    if len(same) > MOST_SHOWN:
        app.say(f"  and {len(same) - MOST_SHOWN} more; --json shows all of them")
    app.say(
        "The git history, backups and messages keep the words; LIMITS.md says how to remove them there by hand."
    )


def _name(line: Line) -> str:
    return line.mark or line.place


def _shown(line: Line) -> str:
    mark = f" ({line.mark})" if line.mark else ""
    return f"{line.place}{mark}  {line.statement.words}"


def _line_data(line: Line) -> dict[str, Any]:
    return {"text": line.statement.words, "place": line.place, "id": line.mark or None}
