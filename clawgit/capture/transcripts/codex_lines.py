"""Codex's rollouts, line by line. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.capture.transcripts.transcript_source import (
    SPEAKERS,
    Format,
    Record,
    TranscriptFacts,
    TranscriptLine,
    TranscriptSource,
    first_of,
    has_failed,
    heard_of,
    moment_of,
    object_of,
    text_of,
)
from clawgit.text.strict_json import part_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BY_PERSONS = ("cli", "vscode")
_BY_A_PROGRAM = "a program, not a person at Codex's prompt, gave them (as with `codex exec`)"
_METADATA = ("internal_chat_message_metadata_passthrough",)


def codex_line(record: Record, source: TranscriptSource) -> TranscriptLine:
    """Read a line: messages are response items; events repeat them."""
    message = part_of(record, "payload")
    role = message.get("role")
    is_message = record.get("type") == "response_item" and message.get("type") == "message"
    if not is_message or role not in SPEAKERS or source.automatic:
        return TranscriptLine()
    content = message.get("content")
    text = text_of(_by_the_user(message, content) if role == "user" else content)
    heard = heard_of(
        source, str(role), text, str(message.get("id") or ""), moment_of(record.get("timestamp"))
    )
    if heard is None or role != "user" or not source.known.barred:
        return TranscriptLine(heard)
    return TranscriptLine(heard._replace(external=True), barred=source.known.barred)


def codex_known(lines: Iterable[bytes]) -> TranscriptFacts:
    for line in lines:
        record = object_of(line) if b'"session_meta"' in line else None
        if record is not None and record.get("type") == "session_meta":
            meta = part_of(record, "payload")
            started_by = meta.get("source")
            by_agent = isinstance(started_by, dict) or meta.get("thread_source") == "subagent"
            by_program = started_by is not None and started_by not in _BY_PERSONS
            return TranscriptFacts(
                session=str(meta.get("id") or ""),
                conversation=str(meta.get("cwd") or ""),
                keys=("subagent",) if by_agent else (),
                barred=_BY_A_PROGRAM if by_program else "",
            )
    return TranscriptFacts()


def _by_the_user(message: Record, content: object) -> object:
    """Return the blocks of the prompt; other blocks are the harness's. Older rollouts do not distinguish them."""
    items = part_of(message, *_METADATA).get("content_item_metadata")
    if not isinstance(content, list) or not isinstance(items, list):
        return content
    origins = [part_of(item, "provenance").get("type") for item in items]
    return [block for block, origin in zip(content, origins, strict=False) if origin == "user"]


def _blocks(record: Record) -> list[Record]:
    payload = part_of(record, "payload")
    if payload:
        return [{**payload, "id": first_of(payload, "call_id")}]
    return []


def _results(record: Record) -> Iterator[tuple[str, bool | None, str]]:
    payload = part_of(record, "payload")
    if payload.get("type") != "function_call_output":
        return
    call_id = first_of(payload, "call_id")
    output = payload.get("output")
    fields = object_of(output.encode("utf-8", "replace")) if isinstance(output, str) else output
    if not isinstance(fields, dict):
        text = str(output or "")
        yield call_id, has_failed(None, text), text
        return
    code = part_of(fields, "metadata").get("exit_code")
    text = str(fields.get("output") or "")
    yield call_id, (code != 0 if isinstance(code, int) else has_failed(None, text)), text


CODEX = Format(
    "codex",
    is_own=lambda record: isinstance(record.get("payload"), dict) and isinstance(record.get("type"), str),
    read=codex_line,
    survey=codex_known,
    blocks=_blocks,
    results=_results,
    no_prompt=(
        "a rollout of Codex",
        "Codex makes its prompts shorter itself; `clawgit chat import` keeps what was said.",
    ),
)
