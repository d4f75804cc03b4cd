"""`clawgit forget`: a line of memory, found, shown and removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, change_data, command, commit_lines, text_argument
from clawgit.errors import ExitCode
from clawgit.operations.undo import forget_line

if TYPE_CHECKING:
    from clawgit.history.undo.forgetting import Line
    from clawgit.operations.undo import Forgotten

MOST_SHOWN = 10


@command("forget")
@text_argument("what", metavar="WORDS|ENTRY|PATH:LINE|COMMIT")
@click.option("--reason", default="", help="One sentence; it goes into the history.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where no terminal is.")
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
    done = forget_line(app, what, reason, may_forget=None if yes else lambda: app.asks("Forget it?"))
    if done.recorded is None:  # that none was removed is the exit status, too
        app.exit_code = ExitCode.REFUSED
    if done.recorded is None:
        lines = [f"clawgit forget {_name(each)}   {each.statement.words}" for each in done.lines]
    else:
        lines = commit_lines(done.recorded)
    app.report(forgotten_data(done), lambda: lines)
    if done.recorded is not None and done.lines and done.recorded.commit_id:
        app.say(f"`clawgit undo {done.recorded.commit_id[:12]}` brings it back.")
        if done.same:
            app.say("The same is said here, and stays:")
        for each in done.same[:MOST_SHOWN]:
            verb = "undo" if each.mark.startswith("x:") else "forget"
            app.say(f"  {each.place}  {each.statement.words}   (`clawgit {verb} {_name(each)}`)")
        if len(done.same) > MOST_SHOWN:
            app.say(f"  and {len(done.same) - MOST_SHOWN} more; --json shows all of them")
        app.say(
            "The git history, backups and messages keep the words; LIMITS.md says how to remove them there by hand."
        )


def forgotten_data(done: Forgotten) -> dict[str, Any]:
    if done.recorded is None:
        return {"outcome": "unclear", "lines": list(map(_line_data, done.lines))}
    data: dict[str, Any] = {}
    if done.lines:
        data = _line_data(done.lines[0]) | {"same": list(map(_line_data, done.same))}
    return {**data, **change_data(done.recorded)}


def _name(line: Line) -> str:
    return line.mark or line.place


def _line_data(line: Line) -> dict[str, Any]:
    return {"text": line.statement.words, "place": line.place, "id": line.mark or None}
