"""Codex's rollouts, line by line. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.capture.transcripts.transcript_lines import moment_of, object_of, part_of, text_of
from clawgit.capture.transcripts.transcript_source import SPEAKERS, Known, Line, Source, heard_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_BY_PERSONS = ("cli", "vscode")
_BY_A_PROGRAM = "a program, not a person at Codex's prompt, gave them (as with `codex exec`)"
_METADATA = ("internal_chat_message_metadata_passthrough",)


def codex_line(said: dict[str, Any], source: Source) -> Line:
    """Read a line: messages are response items; events repeat them."""
    message = part_of(said, "payload")
    role = message.get("role")
    is_message = said.get("type") == "response_item" and message.get("type") == "message"
    if not is_message or role not in SPEAKERS or source.automatic:
        return Line()
    content = message.get("content")
    text = text_of(_by_the_user(message, content) if role == "user" else content)
    heard = heard_of(source, str(role), text, str(message.get("id") or ""), moment_of(said.get("timestamp")))
    if heard is None or role != "user" or not source.known.barred:
        return Line(heard)
    return Line(heard._replace(external=True), barred=source.known.barred)


def codex_known(lines: Iterable[bytes]) -> Known:
    """Return what a rollout says of itself: its session, its folder, and who started it."""
    for line in lines:
        said = object_of(line) if b'"session_meta"' in line else None
        if said is not None and said.get("type") == "session_meta":
            meta = part_of(said, "payload")
            started_by = meta.get("source")
            by_agent = isinstance(started_by, dict) or meta.get("thread_source") == "subagent"
            by_program = started_by is not None and started_by not in _BY_PERSONS
            return Known(
                session=str(meta.get("id") or ""),
                conversation=str(meta.get("cwd") or ""),
                keys=("subagent",) if by_agent else (),
                barred=_BY_A_PROGRAM if by_program else "",
            )
    return Known()


def _by_the_user(message: dict[str, Any], content: object) -> object:
    """Return the blocks that came from the prompt: the others are the harness's, and older rollouts tell nothing."""
    told = part_of(message, *_METADATA).get("content_item_metadata")
    if not isinstance(content, list) or not isinstance(told, list):
        return content
    origins = [part_of(each, "provenance").get("type") for each in told]
    return [block for block, origin in zip(content, origins, strict=False) if origin == "user"]
