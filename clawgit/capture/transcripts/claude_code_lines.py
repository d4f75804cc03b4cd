"""Claude Code's transcripts, line by line. Pure."""

from __future__ import annotations

from dataclasses import replace

from clawgit.capture.transcripts.transcript_source import (
    SPEAKERS,
    Format,
    Prompt,
    Record,
    TranscriptFacts,
    TranscriptLine,
    TranscriptSource,
    TranscriptSummary,
    heard_of,
    moment_of,
    prompt_message,
    text_of,
)
from clawgit.text.strict_json import part_of

# Marked by Claude Code as outside the conversation.
_ASIDE = ("isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly")
_TYPED = ("typed", "queued", "suggestion_accepted")
_NOT_TYPED = "Claude Code does not say that a person typed them (as with `claude -p`)"


def claude_code_line(record: Record, source: TranscriptSource) -> TranscriptLine:
    """Read a line; text of a program or tool in the user's place is external."""
    queued = record.get("attachment")  # only here: what was typed while the agent worked
    message = record.get("message")
    role = content = None
    if isinstance(queued, dict) and queued.get("type") == "queued_command":
        if queued.get("commandMode", "prompt") == "prompt":
            role, content = "user", queued.get("prompt")
    elif record.get("type") in SPEAKERS and isinstance(message, dict):
        role, content = record["type"], message.get("content")
    if role is None or any(map(record.get, _ASIDE)):
        return TranscriptLine()
    here = replace(
        source,
        session=str(record.get("sessionId") or source.session),
        conversation=source.conversation or str(record.get("cwd") or ""),
    )
    sent_at = moment_of(record.get("timestamp"))
    heard = heard_of(here, role, text_of(content), str(record.get("uuid") or ""), sent_at)
    if heard is None or role != "user" or _is_typed(record, content, source.known.tells_origin):
        return TranscriptLine(heard)
    return TranscriptLine(heard._replace(external=True), barred=_NOT_TYPED)


def _is_typed(record: Record, content: object, tells_origin: bool) -> bool:
    by_tool = any(map(record.get, ("toolUseResult", "sourceToolUseID", "isSynthetic")))
    beside_result = isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") == "tool_result" for block in content
    )
    origins = [part.get("origin") for part in (record, record.get("attachment")) if isinstance(part, dict)]
    kinds = [each.get("kind", "human") for each in origins if isinstance(each, dict)]
    if by_tool or beside_result or any(kind != "human" for kind in kinds):
        return False
    if kinds or not tells_origin:
        return True
    if part_of(record, "attachment"):  # a queued prompt, which has no source of its own
        return not str(record.get("entrypoint") or "").startswith("sdk")
    return record.get("turnOrigin") == "human" and record.get("promptSource") in _TYPED


def _is_own(record: Record) -> bool:
    names_session = isinstance(record.get("sessionId"), str) and bool(record.get("type"))
    return "leafUuid" in record or "parentUuid" in record or names_session


def _summary_line(summary: TranscriptSummary) -> Record:
    return {
        "type": "user",
        "uuid": summary.after.get("parentUuid") or "clawgit-summary",
        "parentUuid": None,
        "sessionId": summary.session,
        "timestamp": summary.at,
        "isCompactSummary": True,
        "message": {"role": "user", "content": summary.text},
    }


CLAUDE_CODE = Format(
    "claude-code",
    is_own=_is_own,
    read=claude_code_line,
    # older versions do not say who typed a line
    survey=lambda lines: TranscriptFacts(tells_origin=any(b'"promptSource"' in line for line in lines)),
    prompt=Prompt(lambda record: prompt_message(record, SPEAKERS), _summary_line),
    has_folders=True,
)
