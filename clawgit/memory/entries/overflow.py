"""Keeping a file of entries short: the oldest move, byte for byte, to a file of their topic or quarter, and a line says where. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import Entry, Tag, add_items, read_entries
from clawgit.memory.entries.tiers import CORE, LEARNED, LEARNED_BEFORE
from clawgit.text.markdown.block_structure import HEADINGS, headings_of
from clawgit.text.markdown.lines import line_end, split_lines, without_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

TOPICS = {
    Tag.EVENT: "memory/events.md",
    Tag.KNOWLEDGE: "memory/knowledge.md",
    Tag.DECISION: "memory/decisions.md",
    Tag.SKILL: "memory/skills.md",
}
LEAD = "More: "
_DATED = re.compile(r"((\d{4})-(\d{2})-\d{2}): ")
_LINK = re.compile(r"\]\(([^)]+)\)")


@dataclass(frozen=True, slots=True)
class Moved:
    """The file with room in it, the files to which entries went, and how many went there."""

    data: bytes
    others: Mapping[str, bytes]
    entries: int = 0


@dataclass(frozen=True, slots=True)
class Room:
    """How long a file may be, what is left when it is longer (far less, or each night would move a line), who goes first, and where to."""

    most: int
    left: int
    turn: Callable[[Entry], tuple[bool, str]]
    place: Callable[[Entry], str]


def _day(entry: Entry) -> str:
    match = _DATED.match(entry.text)
    return match[1] if match else ""


def _of_its_quarter(entry: Entry) -> str:
    match = _DATED.match(entry.text)
    quarter = f"{match[2]}-Q{(int(match[3]) + 2) // 3}" if match else "undated"
    return f"{LEARNED_BEFORE}{quarter}.md"


ROOMS = {
    CORE: Room(
        200,
        150,
        lambda entry: (entry.tag is not Tag.EVENT, _day(entry)),
        lambda entry: TOPICS[entry.tag or Tag.KNOWLEDGE],
    ),
    LEARNED: Room(1000, 750, lambda entry: (True, _day(entry)), _of_its_quarter),
}


def room_of(path: str, most: int | None = None) -> Room:
    """Return the room of a file; ``most`` is how many lines it may have by the settings."""
    room = ROOMS[path]
    return room if most is None else replace(room, most=most, left=most * room.left // room.most)


def with_room(
    data: bytes,
    read: Callable[[str], bytes | None],
    path: str = CORE,
    *,
    untagged: bool = False,
    most: int | None = None,
) -> Moved:
    """Return the file with its oldest entries moved where it is too long; ``untagged``: those that no agent wrote go, too.

    Where what stays is too long by itself, what may go is counted alone: a line that was remembered just now would be the first to leave.
    """
    lines = split_lines(data)
    room = room_of(path, most)
    left = len(lines)
    if left <= room.most:
        return Moved(data, {})
    going: list[Entry] = []
    own = 0
    for entry in sorted(read_entries(data), key=room.turn):
        may_go = entry.tag is not None or (untagged and "](" not in entry.text)
        if may_go and is_alone(entry, lines):
            going.append(entry)
            own += entry.last - entry.first
    if left - own > room.most:
        left = own
    leaving: list[Entry] = []
    if left > room.most:
        for entry in going:
            if left > room.left:
                leaving.append(entry)
                left -= entry.last - entry.first
    if not leaving:
        return Moved(data, {})
    items: dict[str, list[list[bytes]]] = {}
    for entry in sorted(leaving, key=lambda entry: entry.first):
        items.setdefault(room.place(entry), []).append(lines[entry.first : entry.last])
    end = line_end(data)
    texts = {}
    for place, moving in items.items():
        title = f"# {_stem(place).capitalize()}".encode() + 2 * end
        texts[place] = add_items(read(place) or title, moving)
    gone = {number for entry in leaving for number in range(entry.first, entry.last)}
    kept = without_numbers(lines, gone)
    links = sorted(place.removeprefix(path.rpartition("/")[0] + "/") for place in texts)
    return Moved(with_links(kept, links), texts, len(leaving))


def is_alone(entry: Entry, lines: Sequence[bytes]) -> bool:
    """Say whether an entry is at the left, and nothing below it belongs to it."""
    below = lines[entry.last] if entry.last < len(lines) else b""
    return not lines[entry.first].startswith((b" ", b"\t")) and not below.startswith((b" ", b"\t"))


def with_links(data: bytes, links: list[str]) -> bytes:
    """Return ``data`` with a line that leads to other files, above the first entry or the first section below the title."""
    lines = split_lines(data)
    end = line_end(data)
    at = next((at for at, line in enumerate(lines) if line.startswith(LEAD.encode())), None)
    before = [] if at is None else _LINK.findall(lines[at].decode("utf-8", "replace"))
    every = dict.fromkeys((*before, *links))
    line = (LEAD + " · ".join(f"[{_stem(link)}]({link})" for link in every)).encode() + end
    if at is not None:
        return b"".join([*lines[:at], line, *lines[at + 1 :]])
    titles = headings_of(data)
    below = next((block.first for block in titles if block.first and block.kind != HEADINGS[0]), len(lines))
    first = next((entry.first for entry in read_entries(data)), below)
    gap = [end] if first and lines[first - 1].strip() else []
    return b"".join([*lines[:first], *gap, line, end, *lines[first:]])


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
