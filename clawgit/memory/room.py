"""Keeping a file of entries short: the oldest entries move to a file of their topic, and a line says where. Pure.

What moves keeps its bytes and its id. Entries with something below them, and what is no entry, stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.memory.entries import Entry, Tag, add_item, read_entries
from clawgit.text.lines import line_end, split_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_LINES = 200
ROOMY = 150  # so many are left, or each night would move a line
TOPICS = {
    Tag.EVENT: "memory/events.md",
    Tag.KNOWLEDGE: "memory/knowledge.md",
    Tag.DECISION: "memory/decisions.md",
    Tag.SKILL: "memory/skills.md",
}
_LEAD = "More: "
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2}): ")


@dataclass(frozen=True, slots=True)
class Moved:
    """The file with room in it, the files of the topics, and how many entries went there."""

    data: bytes
    topics: Mapping[str, bytes]
    entries: int = 0


def with_room(
    data: bytes, topics: Mapping[str, bytes], *, most: int = MOST_LINES, left: int = ROOMY
) -> Moved:
    """Return ``data`` with its oldest entries moved to their topics, if it has more lines than ``most``.

    ``topics`` are the files of the topics as they are. Events go before what still holds.

    Raises:
        EntryError: A topic's file cannot take an entry.
    """
    lines = split_lines(data)
    if len(lines) <= most:
        return Moved(data, {})
    leaving = _leaving(data, lines, len(lines) + len(TOPICS) - left)
    texts: dict[str, bytes] = {}
    for entry in sorted(leaving, key=lambda entry: entry.first):
        path = TOPICS[entry.tag] if entry.tag else TOPICS[Tag.KNOWLEDGE]
        text = texts.get(path, topics.get(path, b"")) or _title(path, line_end(data))
        texts[path] = add_item(text, lines[entry.first : entry.last])
    gone = {number for entry in leaving for number in range(entry.first, entry.last)}
    kept = b"".join(line for number, line in enumerate(lines) if number not in gone)
    return Moved(_with_links(kept, texts), texts, len(leaving))


def _leaving(data: bytes, lines: list[bytes], wanted: int) -> list[Entry]:
    """Return the entries to move: the oldest first, events before all else."""
    free = [entry for entry in read_entries(data) if entry.tag is not None and _is_alone(entry, lines)]
    free.sort(key=lambda entry: (entry.tag is not Tag.EVENT, _day(entry)))
    found: list[Entry] = []
    while free and sum(entry.last - entry.first for entry in found) < wanted:
        found.append(free.pop(0))
    return found


def _is_alone(entry: Entry, lines: list[bytes]) -> bool:
    """Say whether an entry stands at the left, and nothing below it belongs to it."""
    below = lines[entry.last] if entry.last < len(lines) else b""
    return not lines[entry.first].startswith((b" ", b"\t")) and not below.startswith((b" ", b"\t"))


def _day(entry: Entry) -> str:
    found = _DATED.match(entry.text)
    return found[1] if found else ""


def _title(path: str, end: bytes) -> bytes:
    name = path.rpartition("/")[2].removesuffix(".md").capitalize()
    return f"# {name}".encode() + 2 * end


def _with_links(data: bytes, texts: Mapping[str, bytes]) -> bytes:
    """Return ``data`` with a line above its first entry that leads to the topics."""
    lines, end = split_lines(data), line_end(data)
    at = next((at for at, line in enumerate(lines) if line.startswith(_LEAD.encode())), None)
    said = "" if at is None else lines[at].decode("utf-8", "replace")
    links = [
        f"[{path.rpartition('/')[2].removesuffix('.md')}]({path})"
        for path in TOPICS.values()
        if path in texts or f"]({path})" in said
    ]
    line = (_LEAD + " · ".join(links)).encode() + end
    if at is not None:
        return b"".join([*lines[:at], line, *lines[at + 1 :]])
    first = next((entry.first for entry in read_entries(data)), len(lines))
    gap = [end] if first and lines[first - 1].strip() else []
    return b"".join([*lines[:first], *gap, line, end, *lines[first:]])
