"""`clawgit session end`: what stays of a session, as a file of its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.change_output import change_data
from clawgit.cli.chat.session_choice import reset_rule, session_data, sessions_open, which_session
from clawgit.cli.path_arguments import user_path
from clawgit.errors import ClawgitError, UsageError
from clawgit.operations.changes import say_change
from clawgit.operations.model_wiring import namer_of_sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from clawgit.capture.messages.incoming_message import Rules
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.sessions.session_end import Ended
    from clawgit.capture.sessions.sessions import Session
    from clawgit.capture.transcripts.importing import Wish
    from clawgit.history.git.repository import History

    NameFor = Callable[[Sequence[ChatMessage]], str]

LATEST = 15
_NOTHING = dict.fromkeys(("op", "commit", "path", "from", "to", "channel", "conversation", "session")) | {
    "outcome": "nothing",
    "messages": 0,
}


@click.command("end", cls=Command)
@click.argument("transcript", required=False, type=click.Path(path_type=Path))
@which_session
@click.option("--due", is_flag=True, help="End every session that is over by session_reset.")
@click.option(
    "-n", "--messages", "most", type=int, default=LATEST, show_default=True, help="At most so many."
)
@click.option(
    "--slug",
    default="",
    help="Part of the file's name; the default is the model's choice, or words of the talk.",
)
@click.option(
    "--format", type=click.Choice(["openclaw", "claude-code", "codex", "jsonl"]), help="What TRANSCRIPT is."
)
@click.option("--sender", default="", help="Who the user of TRANSCRIPT is.")
@click.option("--as", "who", type=click.Choice(["operator"]), help="The user of TRANSCRIPT is you.")
@click.pass_obj
def end_command(app: App, /, transcript: Path | None, due: bool, most: int, slug: str, **told: Any) -> None:
    """Save a session's last messages as a note.

    The note is memory/DATE-SLUG.md. Searches find it.

    The session is the one in which somebody spoke last, of the messages that were kept, or that of TRANSCRIPT. What the user
    and the assistant said counts, without commands, since the session ended last. Nothing said, nothing written; no file is
    overwritten; the same session ends once. It is trusted as far as its least trusted message. Without --slug the `model` of
    CONFIG.md names the file, if there is one and it answers in time, or the words to which the talk came back do.

    \b
    Examples:
      clawgit session end
      clawgit session end --channel telegram --conversation 4242 --slug "vendor pitch"
      clawgit session end --as operator ~/.claude/projects/-home-ada-shop/5f2c.jsonl
      clawgit session end --due --json
    """
    if due and (transcript is not None or slug or app.op):
        raise UsageError("--due ends several sessions; a transcript, --slug and --op are about one.")
    if transcript is not None and told["session"]:
        raise UsageError("A transcript is one session; --session chooses among kept messages.")
    if transcript is None and any(told[name] for name in ("who", "sender", "format")):
        raise UsageError("--as, --sender and --format are about a TRANSCRIPT.", hint="Name its file.")
    if told["who"] is not None:
        app.only_operator("say that the user of a transcript is the operator")
    history = app.history()
    most = most if most > 0 else LATEST
    if due:
        _end_all_due(app, history, told, most)
    elif transcript is not None:
        _end_one(app, history, [_of_transcript(app, history, transcript, told, most)], slug)
    else:
        sessions = _of_store(app, history, told, most, due=False)
        _end_one(app, history, sessions, slug, nothing=_none_open(told) if not sessions else "")


def _end_all_due(app: App, history: History, told: Mapping[str, Any], most: int) -> None:
    sessions = _of_store(app, history, told, most, due=True)
    if not sessions:
        app.say("No session is over.")
    ended = _end_each(app, history, sessions)
    app.report([_data(each) for each in ended], lambda: [each.path for each in ended if each.path])


def _none_open(told: Mapping[str, Any]) -> str:
    """Return what to say where no open session fits what was asked for; empty if nothing was."""
    asked = " and ".join(
        f"{name} {told[name]}" for name in ("channel", "conversation", "session") if told[name]
    )
    return f"No open session has {asked}; `clawgit session due --all` lists those that are." if asked else ""


def _end_one(app: App, history: History, sessions: list[Session], slug: str, nothing: str = "") -> None:
    """End the one session that there is, if there is one."""
    name_for = namer_of_sessions(app, history)
    ended = [_end(app, history, session, slug, name_for) for session in sessions]
    paths = [each.path for each in ended if each.path]
    if not paths:
        little = any(each.session.messages for each in ended)
        why = "No more than a word was" if little else "Nothing was"
        app.say(nothing or f"{why} said since the last end, so nothing was written.")
    app.report(_data(ended[0]) if ended else _NOTHING, lambda: paths)


def _of_transcript(
    app: App, history: History, transcript: Path, told: Mapping[str, Any], most: int
) -> Session:
    from clawgit.capture.messages.rules_in_force import rules_in_force
    from clawgit.capture.sessions.session_transcript import transcript_session
    from clawgit.capture.transcripts.importing import Wish

    now = app.now(history)
    names = {name: told[name] for name in ("format", "channel", "conversation", "sender")}
    path, rules = user_path(str(transcript)), rules_in_force(history, now, app.actor)
    is_his = app.actor == "operator"
    wish = Wish(**names, by_operator=told["who"] is not None, owner_counts=is_his)
    wish = _as_kept(history, path, wish, rules, now)
    session = transcript_session(path, wish, rules, now, most)
    if session.damaged:
        app.say(f"{session.transcript}: {_damaged(session.damaged)} passed over.")
    return session


def _as_kept(history: History, path: Path, wish: Wish, rules: Rules, now: datetime) -> Wish:
    """Return the wish with the conversation of which the transcript is a copy, where that was kept."""
    from dataclasses import replace

    from clawgit.capture.messages.open_messages import has_messages, open_messages
    from clawgit.capture.transcripts.importing import open_transcript, source_of
    from clawgit.capture.transcripts.known_conversations import Transcript, known_talk

    if not has_messages(history) or not os.access(path, os.R_OK) or not path.is_file():
        return wish  # whoever reads it says so
    with open_messages(history, now) as store, open_transcript(path) as file:
        source = source_of(file, path, wish)
        talk = known_talk(store, Transcript(file, source, rules, now))
    return wish if talk in (None, source.conversation) else replace(wish, conversation=str(talk))


def _damaged(count: int) -> str:
    return "one damaged line was" if count == 1 else f"{count:,} damaged lines were"


def _of_store(app: App, history: History, told: Mapping[str, Any], most: int, *, due: bool) -> list[Session]:
    """Return the session that is meant, or all that are over."""
    from clawgit.capture.sessions.sessions import session_due

    now = app.now(history)
    which = {name: told[name] for name in ("channel", "conversation", "session")}
    found = sessions_open(history, which, now, most)
    if not due:
        first = next(found, None)
        found.close()
        return [first] if first is not None else []
    rule = reset_rule(history.settings.session_reset)
    return [each for each in found if session_due(rule, each.messages[-1].sent_at, now)]


def _end_each(app: App, history: History, sessions: list[Session]) -> list[Ended]:
    """End sessions that have nothing to do with one another: one that is refused keeps no other open."""
    ended, name_for = [], namer_of_sessions(app, history)
    for session in sessions:
        try:
            ended.append(_end(app, history, session, "", name_for))
        except ClawgitError as error:
            app.exit_code = error.exit_code
            app.say(f"{session.source}: {error}")
    return ended


def _end(app: App, history: History, session: Session, slug: str, name_for: NameFor) -> Ended:
    from clawgit.capture.sessions.session_end import end_session

    intent = app.intent(history, kind="session")
    done = end_session(history, session, intent, slug, name_for=name_for)
    if done.path is not None:
        say_change(app, done.recorded, _kept_sentence(len(done.session.messages)))
    return done


def _kept_sentence(count: int) -> str:
    return (
        "The session's one message is kept."
        if count == 1
        else f"The session's last {count} messages are kept."
    )


def _data(done: Ended) -> dict[str, Any]:
    messages = done.session.messages
    times = (
        [messages[at].sent_at.isoformat(timespec="milliseconds") for at in (0, -1)]
        if messages and done.session.timed
        else [None] * 2
    )
    return (
        change_data(done.recorded)
        | {"path": done.path, "messages": len(messages), "from": times[0], "to": times[1]}
        | session_data(done.session)
    )
