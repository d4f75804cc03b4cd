"""The lines of a transcript, and what they are made of: JSON objects, texts and calls in blocks, times. One may be too long to be read."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINE = 32 * 1024 * 1024
_MAX_DOCUMENT = 256 * 1024 * 1024
_HEADING = 5  # lines at most that a command prints before its JSON
_EXIT = re.compile(
    r"(?i)\b(?:exit(?:ed)?(?: with)?(?: code| status)|exit_code\W{1,4}|returned)[: ]{0,3}(\d{1,3})\b"
)


def object_of(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line, None if it is none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def part_of(value: object, *names: str) -> dict[str, Any]:
    """Return the object that is in an object under these names, empty if one of them holds none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def first_of(record: dict[str, Any], *names: str) -> str:
    """Return the first of these values that is there, as text."""
    return next(
        (
            str(record[name])
            for name in names
            if isinstance(record.get(name), (str, int)) and record[name] != ""
        ),
        "",
    )


def text_of(content: object) -> str:
    """Return the text of a message's content: a text, or blocks of which those of text count."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(block["text"] for block in content if is_text(block))


def is_text(block: object) -> bool:
    """Say whether a block holds text that somebody wrote: OpenAI's kind says of it whether it came in or went out."""
    kinds = ("text", "input_text", "output_text")
    return isinstance(block, dict) and block.get("type") in kinds and isinstance(block.get("text"), str)


def blocks_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the blocks of a line's message, its calls of tools among them."""
    message = part_of(record, "message") or record
    content = message.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            blocks.append({**part_of(call, "function"), "id": first_of(call, "id"), "type": "function"})
    return blocks


def results_of(record: dict[str, Any]) -> Iterator[tuple[str, bool | None, str]]:
    """Yield the ids of calls whose results a line has, whether they failed, and what they printed."""
    message = part_of(record, "message") or record
    if message.get("role") in ("toolResult", "tool"):
        output = text_of(message.get("content")) or str(message.get("text") or "")
        code = part_of(message, "details").get("exitCode")
        failed = bool(code) if isinstance(code, int) else has_failed(message.get("isError"), output)
        yield first_of(message, "toolCallId", "tool_call_id"), failed, output
    for block in blocks_of(record):
        if block.get("type") == "tool_result":
            output = text_of(block.get("content"))
            yield first_of(block, "tool_use_id"), has_failed(block.get("is_error", False), output), output


def has_failed(by_host: object, output: str) -> bool | None:
    """Return whether a call failed: by the exit status in its output, else by its host's word."""
    status = _EXIT.search(output[:200])
    if status is not None:
        return int(status[1]) != 0
    return by_host if isinstance(by_host, bool) else None


def moment_of(value: object) -> datetime | None:
    """Read a time: ISO 8601, or seconds or milliseconds since 1970; without a zone it is UTC."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value / 1000 if value > 100_000_000_000 else value, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return moment if 1971 <= moment.year <= 2099 else None


def head_and_tail(text: str, most: int, head: int, tail: int) -> str:
    """Return ``text``, of a longer one than ``most`` its head and tail, if that is less."""
    cut = len(text) - head - tail
    if len(text) <= most or cut <= 0:
        return text
    trimmed = f"{text[:head]}\n[… {cut:,} of {len(text):,} characters left out …]\n{text[len(text) - tail :]}"
    return min(trimmed, text, key=len)


def lines_of(file: BinaryIO) -> Iterator[tuple[bytes | None, int]]:
    """Yield the lines from here on, each with the place after it; None for one that is too long to be read."""
    while line := file.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            while (rest := file.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield None, file.tell()
        else:
            yield line, file.tell()


def rows_as_lines(file: BinaryIO) -> BinaryIO:
    """Return the file, or, if it is what `chat.history` of OpenClaw's gateway answered, its messages as such lines."""
    document = _document(file)
    file.seek(0)
    return file if document is None else BytesIO(b"".join(map(_encoded, _rows(document))))


def _document(file: BinaryIO) -> dict[str, Any] | None:
    """Return the file's one JSON object, if that has messages; it may be laid out on many lines, below a heading."""
    for _ in range(_HEADING):
        start = file.tell()
        line = file.readline(MAX_LINE)
        if line.lstrip().startswith(b"{"):
            break
    else:
        return None
    first = object_of(line)
    if first is None and line.strip() == b"{":
        file.seek(start)
        first = object_of(file.read(_MAX_DOCUMENT))
    is_history = first is not None and "sessionKey" in first and isinstance(first.get("messages"), list)
    return first if is_history else None


def _rows(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    session = first_of(document, "sessionId")
    key = first_of(document, "sessionKey")
    more = document.get("hasMore")
    yield {"type": "session", "version": 0, "id": session, "sessionKey": key, "hasMore": more}
    for row in document["messages"]:
        if isinstance(row, dict):
            own = first_of(part_of(row, "__openclaw"), "id")
            yield {"type": "message", "id": own, "timestamp": row.get("timestamp"), "message": row}


def _encoded(row: dict[str, Any]) -> bytes:
    return json.dumps(row).encode() + b"\n"
