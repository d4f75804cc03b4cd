"""Claude Code's transcripts, line by line. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clawgit.capture.transcripts.transcript_lines import moment_of, part_of, text_of
from clawgit.capture.transcripts.transcript_source import SPEAKERS, Known, Line, Source, heard_of

if TYPE_CHECKING:
    from collections.abc import Iterable

# What Claude Code marks as no part of the talk.
_ASIDE = ("isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly")
_TYPED = ("typed", "queued", "suggestion_accepted")
_NOT_TYPED = "Claude Code does not say that a person typed them (as with `claude -p`)"


def claude_code_line(said: dict[str, Any], source: Source) -> Line:
    """Read a line; what a program or a tool said in the user's place is external."""
    told = _queued_or_said(said)
    if told is None or any(said.get(name) for name in _ASIDE):
        return Line()
    role, content = told
    here = replace(
        source,
        session=str(said.get("sessionId") or source.session),
        conversation=source.conversation or str(said.get("cwd") or ""),
    )
    sent_at = moment_of(said.get("timestamp"))
    heard = heard_of(here, role, text_of(content), str(said.get("uuid") or ""), sent_at)
    if heard is None or role != "user" or _is_typed(said, content, source.known.tells_origin):
        return Line(heard)
    return Line(heard._replace(external=True), barred=_NOT_TYPED)


def claude_code_known(lines: Iterable[bytes]) -> Known:
    """Return whether its lines say who typed them: older versions' do not."""
    return Known(tells_origin=any(b'"promptSource"' in line for line in lines))


def _queued_or_said(said: dict[str, Any]) -> tuple[str, object] | None:
    """Return role and content; what was typed while the agent worked is in an attachment and nowhere else."""
    queued, message = said.get("attachment"), said.get("message")
    if isinstance(queued, dict) and queued.get("type") == "queued_command":
        return ("user", queued.get("prompt")) if queued.get("commandMode", "prompt") == "prompt" else None
    if said.get("type") in SPEAKERS and isinstance(message, dict):
        return said["type"], message.get("content")
    return None


def _is_typed(said: dict[str, Any], content: object, tells_origin: bool) -> bool:
    """Say whether a person typed a line in the user's place, as far as the line tells."""
    by_tool = any(said.get(name) for name in ("toolUseResult", "sourceToolUseID", "isSynthetic"))
    beside_result = isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") == "tool_result" for block in content
    )
    origins = [part.get("origin") for part in (said, said.get("attachment")) if isinstance(part, dict)]
    kinds = [each.get("kind", "human") for each in origins if isinstance(each, dict)]
    if by_tool or beside_result or any(kind != "human" for kind in kinds):
        return False
    return bool(kinds) or not tells_origin or _by_a_person(said)


def _by_a_person(said: dict[str, Any]) -> bool:
    if part_of(said, "attachment"):  # a queued prompt, which has no source of its own
        return not str(said.get("entrypoint") or "").startswith("sdk")
    return said.get("turnOrigin") == "human" and said.get("promptSource") in _TYPED
