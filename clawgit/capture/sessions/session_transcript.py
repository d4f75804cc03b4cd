"""A session as its transcript tells it: read as the importer reads it, without a store."""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING

from clawgit.capture.messages.incoming_message import refusal, take_down, with_ids, without_vetoed
from clawgit.capture.sessions.sessions import Session, counts
from clawgit.capture.transcripts.importing import open_transcript, refuse_several, source_of
from clawgit.capture.transcripts.transcript_formats import read_line
from clawgit.capture.transcripts.transcript_lines import lines_of
from clawgit.capture.transcripts.transcript_source import Line, in_use
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from clawgit.capture.messages.incoming_message import Rules
    from clawgit.capture.messages.message import ChatMessage, Heard
    from clawgit.capture.transcripts.transcript_source import Wish

_TOO_LONG = Line(problem="it is too long")


def transcript_session(path: Path, wish: Wish, rules: Rules, now: datetime, most: int) -> Session:
    """Return the latest messages of a transcript; of the newest one put aside (`NAME.reset.TIME`) if it has none.

    Of one put aside that is gone or has none, those of the transcript that it was.

    Raises:
        ClawgitError: There is no such file, or it cannot be read.
    """
    session = None
    for each in dict.fromkeys((path, in_use(path), *_put_aside(in_use(path))[:1])):
        if each.exists():
            session = _read(each, wish, rules, now, most)
            if session.messages:
                return session
    if session is None:
        raise ClawgitError(f"There is no transcript {path}.", hint="Name the session's .jsonl file.")
    return session


def _put_aside(path: Path) -> list[Path]:
    """Return the rotated forms of a transcript, the newest first: their names end in their times."""
    prefix = f"{path.name}.reset."
    folder = path.parent
    names = [each for each in folder.iterdir() if each.name.startswith(prefix)] if folder.is_dir() else []
    return sorted(names, key=lambda each: each.name, reverse=True)


def _read(path: Path, wish: Wish, rules: Rules, now: datetime, most: int) -> Session:
    refuse_several([path], wish, rules.operator_ids)
    try:
        with open_transcript(path) as file:
            source = source_of(file, path, wish)
            file.seek(0)
            read = (read_line(line, source) if line is not None else _TOO_LONG for line, _ in lines_of(file))
            damaged = Counter[bool]()
            latest = deque(without_vetoed(_heard(_counted(read, damaged), rules, now)), most)
    except OSError as error:
        raise ClawgitError(f"{path} cannot be read ({error.strerror}), so nothing was written.") from error
    stored = (take_down(heard, rules, now) for heard in latest)
    messages: tuple[ChatMessage, ...] = tuple(each for each in stored if not isinstance(each, str))
    conversation = messages[-1].conversation if messages else source.conversation
    session = messages[-1].session if messages else source.session
    timed = all(heard.sent_at is not None for heard in latest)
    place = (source.channel, conversation or "main", session)
    return Session(*place, messages, path.name, stored=False, timed=timed, damaged=damaged[True])


def _counted(read: Iterable[Line], damaged: Counter[bool]) -> Iterator[Line]:
    """Pass lines on, and count those that are damaged."""
    for line in read:
        damaged[bool(line.problem)] += 1
        yield line


def _heard(read: Iterable[Line], rules: Rules, now: datetime) -> Iterator[Heard]:
    """Yield what counts, each with an id."""
    for heard in with_ids(line.heard for line in read if line.heard is not None):
        if counts(heard.role, heard.text) and not refusal(heard, rules, now):
            yield heard
