"""The lines of an open transcript, of which one may be too long to be read; one JSON document's rows count as lines."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

from clawgit.capture.transcripts.line_content import first_of, object_of, part_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINE = 32 * 1024 * 1024
_MAX_DOCUMENT = 256 * 1024 * 1024
_HEADING = 5  # lines at most that a command prints before its JSON


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
    session, key = first_of(document, "sessionId"), first_of(document, "sessionKey")
    yield {"type": "session", "version": 0, "id": session, "sessionKey": key}
    for row in document["messages"]:
        if isinstance(row, dict):
            own = first_of(part_of(row, "__openclaw"), "id")
            yield {"type": "message", "id": own, "timestamp": row.get("timestamp"), "message": row}


def _encoded(row: dict[str, Any]) -> bytes:
    return json.dumps(row).encode() + b"\n"
