"""Which session a command is about, and by which rule it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from datetime import datetime

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.sessions.sessions import Session
    from clawgit.history.git.repository import History
    from clawgit.workspace.settings.times_of_day import SessionReset


def which_session(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which session is meant."""
    for name in ("session", "conversation", "channel"):
        command = click.option(f"--{name}", default="", help=f"Only of this {name}.")(command)
    return command


def reset_rule(text: str) -> SessionReset:
    """Return the rule that ``text`` writes."""
    from clawgit.workspace.settings.times_of_day import parse_session_reset

    try:
        return parse_session_reset(text)
    except ValueError as error:
        raise UsageError(str(error), hint="As in 'daily 04:00', 'idle 90', both, or 'never'.") from error


def sessions_open(
    history: History, which: Mapping[str, str], now: datetime, most: int
) -> Generator[Session, None, None]:
    """Yield the open sessions of the message store that fit, the one in which somebody spoke latest first."""
    from clawgit.capture.messages.open_messages import forget_old, open_messages
    from clawgit.capture.sessions.session_end import has_ended
    from clawgit.capture.sessions.sessions import Wanted, open_sessions

    def ended(message: ChatMessage) -> bool:
        return has_ended(history, message)

    with open_messages(history, now) as store:
        forget_old(store, history, now)
        yield from open_sessions(store, Wanted(**which), most, ended)


def session_data(session: Session) -> dict[str, Any]:
    """Return which session it is, as other programs read it."""
    return {"channel": session.channel, "conversation": session.conversation, "session": session.session}
