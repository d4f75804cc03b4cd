"""`clawgit session topic`: what a summary of a conversation tells of its topic, in the topic's own file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.change_output import change_data
from clawgit.operations.changes import say_change

if TYPE_CHECKING:
    from clawgit.capture.sessions.topic_snapshot import Noted

NOTHING: dict[str, Any] = dict.fromkeys(("op", "commit", "path")) | {
    "outcome": "nothing",
    "decisions": [],
    "status": "",
}


@click.command("topic", cls=Command)
@click.argument("name")
@click.option(
    "--summary", required=True, metavar="TEXT", help="What a compaction made; `-` reads it from stdin."
)
@click.option(
    "--session", default="", help="The session's key; a system's own (cron, heartbeat) is passed over."
)
@click.pass_obj
def topic_command(app: App, name: str, summary: str, session: str) -> None:
    """Keep a summary's decisions on topic NAME.

    Writes them, and the state of things, to memory/topic-NAME.md.

    Items below a heading about decisions become entries, what is below one about the status or what is to be done is quoted
    in place of what was quoted before; the last 50 decisions and 30 lines of history stay. All of it rests on the host's
    word. Text of yours in that file stays, and what you take out of it does not come back. The same summary counts once.

    \b
    Examples:
      clawgit session topic "vendor pitch" --session agent:main:telegram:42 --summary - < summary.md
      clawgit session topic 数据库 --summary - --json < summary.md
    """
    from clawgit.capture.sessions.topic_snapshot import note_topic
    from clawgit.capture.sessions.topic_summary import is_of_system

    history = app.history()
    if is_of_system(session):
        app.say(f"{session} is a session of the system itself, so nothing was written.")
        app.report(NOTHING, list)
        return
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if summary == "-" else summary
    source = f"session {session}" if session else "a summary"
    noted = note_topic(history, name, text, source, app.intent(history, kind="topic"))
    _report(app, noted)


def _report(app: App, noted: Noted) -> None:
    said = noted.summary
    if said.decisions or said.status:
        say_change(app, noted.recorded, f"Kept in {noted.path}.")
    else:
        app.say("The summary has no heading about decisions or the status, so nothing was written.")
    data = {"path": noted.path, "decisions": list(said.decisions), "status": said.status}
    found = noted.recorded.commit_id
    app.report(change_data(noted.recorded) | data, lambda: [found] if found else [])
