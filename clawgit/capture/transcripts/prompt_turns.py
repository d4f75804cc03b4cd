"""A transcript as the prompt that it makes: what is in it, tools' results with it, and lines with other results.

The importers leave out what tools answered; here it is what matters.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clawgit.capture.transcripts.prune_rules import ASSISTANT, TOOL_RESULT, USER, Turn
from clawgit.capture.transcripts.transcript_lines import is_text, moment_of, object_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from clawgit.capture.transcripts.transcript_source import Format

_ROLES = {"tool": TOOL_RESULT}


@dataclass(frozen=True, slots=True)
class Placed:
    """A turn, and the line and block from which it is; ``block`` is None for the line's whole content."""

    turn: Turn
    line: int
    block: int | None = None


def prompt_of(lines: Sequence[bytes], kind: Format) -> list[Placed]:
    """Return the turns of a transcript in their order; what is no part of the prompt, or damaged, is passed over."""
    found: list[Placed] = []
    for number, line in enumerate(lines):
        said = object_of(line)
        message = None if said is None else _message(said, kind)
        if message is not None:
            found += _turns(message, number, kind)
    return found


def last_call(lines: Sequence[bytes], kind: Format) -> datetime | None:
    """Return when the model answered last, None if no line says it."""
    for line in reversed(lines):
        said = object_of(line)
        message = None if said is None else _message(said, kind)
        if said is not None and message is not None and message.get("role") == ASSISTANT:
            names = ("timestamp", "sent_at", "at", "ts", "time")
            times = (moment_of(each.get(name)) for each in (message, said) for name in names)
            return next((time for time in times if time is not None), None)
    return None


def with_results(line: bytes, kind: Format, texts: Mapping[int | None, str]) -> bytes:
    """Return a line in which the results of tools read as told, by block; all else in it stays."""
    said = object_of(line)
    message = None if said is None else _message(said, kind)
    if message is None:
        return line
    for block, text in texts.items():
        name = _content_name(message, kind)
        holder, name = (message, name) if block is None else (message[name][block], "content")
        holder[name] = _with_text(holder[name], text)
    return encoded(said) + line[len(line.rstrip(b"\r\n")) :]


def encoded(said: object) -> bytes:
    """Return a value as JSON that every reader takes: half characters stay escaped."""
    try:
        return json.dumps(said, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(said).encode()


def _message(said: dict[str, Any], kind: Format) -> dict[str, Any] | None:
    """Return the part of a line that has role and content, if the model sees it."""
    if kind == "jsonl":
        return said if isinstance(said.get("role"), str) else None
    message = said.get("message")
    wanted = said.get("type") in ((USER, ASSISTANT) if kind == "claude-code" else ("message",))
    return message if wanted and isinstance(message, dict) and not said.get("isSidechain") else None


def _content_name(message: dict[str, Any], kind: Format) -> str:
    return "text" if kind == "jsonl" and "text" in message else "content"


def _turns(message: dict[str, Any], number: int, kind: Format) -> Iterator[Placed]:
    role = _ROLES.get(str(message.get("role")), str(message.get("role")))
    content = message.get(_content_name(message, kind))
    if role == TOOL_RESULT or not isinstance(content, list):
        yield Placed(Turn(role, text_of(content)), number)
        return
    others = [block for block in content if not _is_result(block)]
    if others:
        yield Placed(Turn(role, text_of(others) + _besides_text(others)), number)
    for place, block in enumerate(content):
        if _is_result(block):
            yield Placed(Turn(TOOL_RESULT, text_of(block.get("content"))), number, place)


def _is_result(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result"


def _besides_text(blocks: list[Any]) -> str:
    """Return what a message holds besides its text, for its length: the calls of tools above all."""
    return "".join(json.dumps(block) for block in blocks if text_of([block]) == "")


def _with_text(content: object, text: str) -> object:
    if not isinstance(content, list):
        return text
    others = [block for block in content if not is_text(block)]
    return [{"type": "text", "text": text}, *others]
