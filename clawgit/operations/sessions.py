"""The end of a session, its note, and the memories to save before a conversation is compacted."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from clawgit.capture.messages.incoming_message import Rules, rules_in_force
from clawgit.capture.messages.open_messages import forget_old, has_messages, open_messages
from clawgit.capture.sessions import flush as flushing
from clawgit.capture.sessions import sessions
from clawgit.capture.sessions.session_end import Ended, end_session, endings, transcript_session
from clawgit.capture.sessions.sessions import Session, SessionQuery, session_due
from clawgit.capture.transcripts.importing import Importer, open_transcript, source_of
from clawgit.errors import ClawgitError, UsageError
from clawgit.operations.changes import say_change
from clawgit.text.safety.control_characters import counted
from clawgit.understanding.facts.routing import day_path
from clawgit.workspace.records.sqlite_files import RecordsError
from clawgit.workspace.settings.setting_types import SessionReset, parse_session_reset

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.transcripts.transcript_source import Wish
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.git.repository import History
    from clawgit.operations.caller import Caller, Count

    NameFor = Callable[[Sequence[ChatMessage]], str]


def reset_rule(history: History, reset: str | None = None) -> SessionReset:
    try:
        return parse_session_reset(history.settings.session_reset if reset is None else reset)
    except ValueError as error:
        raise UsageError(str(error), hint="As in 'daily 04:00', 'idle 90', both, or 'never'.") from error


def open_sessions(
    caller: Caller, which: SessionQuery, *, reset: str | None, every: bool
) -> list[tuple[Session, str | None]]:
    """Return the open sessions that are over, each with the rule that says so, latest first; with ``every``, all open ones."""
    history = caller.history()
    now = caller.now(history)
    rule = reset_rule(history, reset)
    sessions = []
    for session in _kept_sessions(history, which, now, 1):
        due = session_due(rule, session.messages[-1].sent_at, now)
        if due or every:
            sessions.append((session, due))
    return sessions


def due_since(caller: Caller, last: str, *, reset: str | None) -> tuple[str | None, SessionReset]:
    """Return the rule by which a session with its last message at ``last`` is over, if any, and the reset rule."""
    history = caller.history()
    now = caller.now(history)
    rule = reset_rule(history, reset)
    return session_due(rule, caller.moment(last, history), now), rule


def _kept_sessions(
    history: History, which: SessionQuery, now: datetime, most: int
) -> Generator[Session, None, None]:
    with open_messages(history, now) as store:
        forget_old(store, history, now)
        yield from sessions.open_sessions(store, which, most, endings(history))


class EndRequest(NamedTuple):
    """The session (the latest that fits), the number of messages to keep, and a part of the file's name."""

    channel: str = ""
    conversation: str = ""
    session: str = ""
    messages: int = 0
    slug: str = ""


def end_session_of(caller: Caller, request: EndRequest) -> Ended | None:
    history = caller.history()
    which = SessionQuery(request.channel, request.conversation, request.session)
    sessions = _kept_sessions(history, which, caller.now(history), _most(history, request.messages))
    session = next(sessions, None)
    sessions.close()
    if session is not None:
        return _end_one(caller, history, session, request.slug)
    named = [f"{name} {value}" for name, value in asdict(which).items() if value]
    if named:
        caller.say(
            f"No open session has {' and '.join(named)}; `clawgit session due --all` lists those that are."
        )
    else:
        caller.say("Nothing was said since the last end, so nothing was written.")
    return None


def end_due_sessions(caller: Caller, which: SessionQuery, messages: int) -> list[Ended]:
    """End every session that is over; a refused one does not stop the others."""
    from clawgit.operations.wiring.model_wiring import namer_of_sessions

    history = caller.history()
    now = caller.now(history)
    rule = reset_rule(history)
    sessions = []
    for each in _kept_sessions(history, which, now, _most(history, messages)):
        if session_due(rule, each.messages[-1].sent_at, now):
            sessions.append(each)
    if not sessions:
        caller.say("No session is over.")
    ended, name_for = [], namer_of_sessions(caller, history)
    for session in sessions:
        try:
            ended.append(_end(caller, history, session, "", name_for))
        except ClawgitError as error:
            caller.exit_code = error.exit_code
            caller.say(f"{session.source}: {error}")
    return ended


def end_transcript(caller: Caller, path: Path, wish: Wish, *, messages: int, slug: str) -> Ended:
    """End the session in a transcript, which is read as ``wish`` says."""
    if wish.by_operator:
        caller.only_operator("say that the user of a transcript is the operator")
    history = caller.history()
    now = caller.now(history)
    rules = rules_in_force(history, now, caller.actor)
    wish = _as_kept(history, path, wish._replace(owner_counts=caller.actor == "operator"), rules, now)
    session = transcript_session(path, wish, rules, now, _most(history, messages))
    if session.damaged:
        caller.say(f"{session.transcript}: {counted(session.damaged, 'damaged line')} passed over.")
    return _end_one(caller, history, session, slug)


def _as_kept(history: History, path: Path, wish: Wish, rules: Rules, now: datetime) -> Wish:
    """Return the wish with the stored conversation that the transcript is a copy of, if there is one."""
    if not has_messages(history) or not os.access(path, os.R_OK) or not path.is_file():
        return wish  # the later reader reports it
    with open_messages(history, now) as store, open_transcript(path) as file:
        source = source_of(file, path, wish)
        talk = Importer(store, rules, now).known_talk(file, source)
    if talk in (None, source.conversation):
        return wish
    return wish._replace(conversation=str(talk))


def _end_one(caller: Caller, history: History, session: Session, slug: str) -> Ended:
    from clawgit.operations.wiring.model_wiring import namer_of_sessions

    ended = _end(caller, history, session, slug, namer_of_sessions(caller, history))
    if ended.path is None:
        why = "No more than a word was" if ended.session.messages else "Nothing was"
        caller.say(f"{why} said since the last end, so nothing was written.")
    return ended


def _end(caller: Caller, history: History, session: Session, slug: str, name_for: NameFor) -> Ended:
    intent = caller.intent(history, kind="session")
    done = end_session(history, session, intent, slug, name_for=name_for)
    if done.path is not None:
        count = len(done.session.messages)
        sentence = f"The session's last {count} messages are kept."
        if count == 1:
            sentence = "The session's one message is kept."
        say_change(caller, done.recorded, sentence)
    return done


def _most(history: History, messages: int) -> int:
    if messages > 0:
        return messages
    return history.settings.session_messages


class FlushRequest(NamedTuple):
    """The size of a conversation, its count of compactions, and that count at the last flush."""

    tokens: Count | None = None
    window: Count = 200_000
    compactions: Count = 0
    flushed_at: Count | None = None
    session: str = ""
    prompt: str = ""


class FlushPlan(NamedTuple):
    """Whether it is time to write memories down, and the prompts for it."""

    why_not: str
    threshold: int
    path: str
    system: str
    turn: str


def plan_flush(caller: Caller, request: FlushRequest) -> FlushPlan:
    """Say whether to save memories before the conversation is compacted."""
    history = caller.history()
    settings, on = history.settings, caller.now(history).date()
    kept_free = settings.flush_reserve_tokens + settings.flush_soft_tokens
    why_not = "flush_enabled is false"
    if settings.flush_enabled:
        flushed_at = request.flushed_at
        if request.session:  # the records may know it by the session
            flush = flushing.flush_op(request.session, request.compactions)
            with _saying_problems(caller):
                if flushing.was_answered(history, flush, caller.now(history)):
                    flushed_at = request.compactions
        why_not = flushing.why_not_yet(
            request.tokens, request.window, request.compactions, flushed_at, kept_free=kept_free
        )
    turn_text = request.prompt or settings.flush_prompt
    system, turn = flushing.flush_prompts(on, turn_text=turn_text, system=settings.flush_system_prompt)
    threshold = max(0, request.window - kept_free)
    return FlushPlan(why_not, threshold, day_path(on), system, turn)


def keep_flushed(
    caller: Caller, reply: str, path: str | None, request: FlushRequest
) -> tuple[Recorded | None, str]:
    """Write a host's reply down, once per session and compaction; return the change, if any, and the note's path."""
    history = caller.history()
    now = caller.now(history)
    target = path or day_path(now.date())
    flush = ""
    if request.session:
        flush = flushing.flush_op(request.session, request.compactions)
    done = None
    if flushing.is_silent(reply) or not reply.strip():
        caller.say("There was nothing to write down.")
    else:
        intent = caller.intent(history, kind="flush")
        if flush and not intent.given:
            intent = intent._replace(op=flush, given=True)
        done = flushing.keep_reply(history, reply, target, intent)
        say_change(caller, done, f"Written down in {target}.")
    if flush:
        with _saying_problems(caller):
            flushing.note_answered(history, flush, now)
    return done, target


@contextmanager
def _saying_problems(caller: Caller) -> Iterator[None]:
    """Print a problem of the records and go on: memories are saved before they are gone."""
    try:
        yield
    except RecordsError as error:
        caller.say(str(error))
