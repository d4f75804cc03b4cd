"""What the lines of transcripts are made of: JSON objects, texts in blocks, times. Pure."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any


def object_of(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line, None if it is none."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def part_of(said: object, *names: str) -> dict[str, Any]:
    """Return the object that lies in an object under these names, empty if one of them holds none."""
    for name in names:
        said = said.get(name) if isinstance(said, dict) else None
    return said if isinstance(said, dict) else {}


def first_of(said: dict[str, Any], *names: str) -> str:
    """Return the first of these values that is there, as text."""
    return next(
        (str(said[name]) for name in names if isinstance(said.get(name), (str, int)) and said[name] != ""), ""
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


def moment_of(said: object) -> datetime | None:
    """Read a time: ISO 8601, or seconds or milliseconds since 1970; without a zone it is UTC."""
    try:
        if isinstance(said, str):
            moment = datetime.fromisoformat(said)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        elif isinstance(said, (int, float)) and not isinstance(said, bool):
            moment = datetime.fromtimestamp(said / 1000 if said > 100_000_000_000 else said, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return moment if 1971 <= moment.year <= 2099 else None
