"""`clawgit session`: when a session is over, and what stays of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.chat.session_choice import reset_rule, session_data, sessions_open, which_session
from clawgit.cli.chat.session_end import end_command
from clawgit.cli.chat.session_flush import flush_command
from clawgit.cli.chat.session_topic import topic_command
from clawgit.cli.chat.session_transcripts import compact_command, prune_command
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.capture.sessions.sessions import Session


@click.group("session")
def session_group() -> None:
    """End a session; keep what matters of it."""


@session_group.command("due", cls=Command)
@which_session
@click.option("--all", "every", is_flag=True, help="List open sessions, too.")
@click.option(
    "--reset", metavar="RULE", help="Ask by this rule instead of session_reset, as in 'daily 04:00 idle 90'."
)
@click.option("--last", metavar="TIME", help="Ask about a session in which somebody spoke last at TIME.")
@click.pass_obj
def due_command(app: App, /, every: bool, reset: str | None, last: str | None, **which: str) -> None:
    """List sessions that are over but not ended.

    A session is over after a time of day or a silence (`session_reset`).

    \b
    Examples:
      clawgit session due --json
      clawgit session due --reset "idle 90" --last 2026-03-19T09:00
    """
    from clawgit.capture.sessions.sessions import session_due

    history = app.history()
    now = app.now(history)
    rule = reset_rule(history.settings.session_reset if reset is None else reset)
    if last is not None:
        if every or any(which.values()):
            raise UsageError("--last asks about a session that is not kept, so nothing else chooses one.")
        why = session_due(rule, app.moment(last, history), now)
        app.report({"due": why, "reset": str(rule)}, lambda: [why or "not over"])
        return
    found = [
        (session, session_due(rule, session.messages[-1].sent_at, now))
        for session in sessions_open(history, which, now, 1)
    ]
    listed = [(session, why) for session, why in found if why or every]
    none = f"No session is {'open' if every else 'over'}."
    app.report(
        [_due_data(session, why) for session, why in listed],
        lambda: [_due_line(session, why, now) for session, why in listed] or [none],
    )


def _due_data(session: Session, why: str | None) -> dict[str, Any]:
    last = session.messages[-1].sent_at
    return session_data(session) | {"last": last.isoformat(timespec="milliseconds"), "due": why}


def _due_line(session: Session, why: str | None, now: datetime) -> str:
    last = session.messages[-1].sent_at.astimezone(now.tzinfo)
    return f"{why or 'open':<6} {last:%Y-%m-%d %H:%M}  {session.source}"


for command in (end_command, flush_command, compact_command, prune_command, topic_command):
    session_group.add_command(command)
