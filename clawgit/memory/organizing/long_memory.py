"""Keeping MEMORY.md an index: entries, then whole sections, move to files of their topic, with their bytes. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.lessons import is_called
from clawgit.memory.entries.overflow import LEAD, ROOMS, with_links, with_room
from clawgit.memory.entries.own_section import OWN_TITLE
from clawgit.memory.entries.tiers import CORE, date_of
from clawgit.text.markdown.blocks import HEADINGS, blocks, ends_open
from clawgit.text.markdown.lines import line_end, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable

_FOLDER = "memory/"
_RESERVED = frozenset(
    ["index", "learned", "lessons", "structured", "memory", "events", "knowledge", "decisions", "skills"]
)
_RESERVED_BEGINNINGS = ("learned-", "topic-")
_MOST_NAME = 40  # letters
_FEWEST = 5  # lines: a section of fewer is no relief
_NO_NAME = re.compile(r"\W+")


class Shortened(NamedTuple):
    """The file, the files to which something went, and how many lines it has now."""

    data: bytes
    others: dict[str, bytes]
    lines: int


class _Section(NamedTuple):
    title: str
    first: int
    last: int


def is_too_long(data: bytes) -> bool:
    """Say whether MEMORY.md has more lines than a host should read each time."""
    return len(split_lines(data)) > ROOMS[CORE].most


def shortened(data: bytes, read: Callable[[str], bytes | None], names: frozenset[str]) -> Shortened:
    """Return MEMORY.md short enough, as far as that goes: tagged entries leave first, then sections, then other entries.

    ``read`` gives the files to which they may go, ``names`` are those in their folder. Prose without a heading stays.

    Raises:
        EntryError: A file cannot take an entry.
    """
    others: dict[str, bytes] = {}

    def present(path: str) -> bytes | None:
        return others[path] if path in others else read(path)

    for step in (_entries, _sections, _untagged):
        if is_too_long(data):
            data, moved = step(data, present, names)
            others |= moved
    return Shortened(data, others, len(split_lines(data)))


def _entries(
    data: bytes, read: Callable[[str], bytes | None], _: frozenset[str]
) -> tuple[bytes, dict[str, bytes]]:
    moved = with_room(data, read)
    return moved.data, dict(moved.others)


def _untagged(
    data: bytes, read: Callable[[str], bytes | None], _: frozenset[str]
) -> tuple[bytes, dict[str, bytes]]:
    moved = with_room(data, read, untagged=True)
    return moved.data, dict(moved.others)


def _sections(
    data: bytes, read: Callable[[str], bytes | None], names: frozenset[str]
) -> tuple[bytes, dict[str, bytes]]:
    """Return the file without its longest sections, and the files that have them: a new one is the section and nothing else."""
    lines = split_lines(data)
    left = len(lines)
    gone = set[int]()
    others: dict[str, bytes] = {}
    for section in sorted(_sections_of(data, lines), key=lambda each: (each.first - each.last, each.first)):
        if left <= ROOMS[CORE].left or section.last - section.first < _FEWEST:
            break
        text = b"".join(lines[section.first : section.last])
        path = _place(section.title, names)
        old = others.get(path, read(path)) or b""
        if ends_open(text) or (old and ends_open(old)):
            continue
        others[path] = _below(old, text)
        gone.update(range(section.first, section.last))
        left -= section.last - section.first
    if not others:
        return data, {}
    kept = b"".join(line for at, line in enumerate(lines) if at not in gone)
    return with_links(kept, sorted(others)), others


def _sections_of(data: bytes, lines: list[bytes]) -> list[_Section]:
    """Return the sections of the highest level that has several, but for clawgit's own and one that leads to other files."""
    found = [block for block in blocks(data) if block.kind in HEADINGS and not block.inside]
    level = next((kind for kind in HEADINGS if sum(block.kind == kind for block in found) > 1), "")
    ends = [block.first for block in found if level and block.kind <= level]
    sections = []
    for block in found:
        if block.kind == level and not is_called(block, OWN_TITLE):
            last = next((end for end in ends if end > block.first), len(lines))
            sections.append(_Section(block.content, block.first, last))
    leads = [at for at, line in enumerate(lines) if line.startswith(LEAD.encode())]
    return [each for each in sections if not any(each.first <= at < each.last for at in leads)]


def _place(title: str, names: frozenset[str]) -> str:
    """Return the file of a section: by its title, one that is there in another spelling as it is spelt."""
    name = _NO_NAME.sub("-", title.casefold())[:_MOST_NAME].strip("-_") or "notes"
    if name in _RESERVED or name.startswith(_RESERVED_BEGINNINGS) or date_of(f"{name}.md") is not None:
        name = f"notes-{name}"
    there = next((each for each in sorted(names) if each.casefold() == f"{name}.md"), f"{name}.md")
    return _FOLDER + there


def _below(old: bytes, text: bytes) -> bytes:
    if not old:
        return text
    if old.endswith((b"\n\n", b"\r\n\r\n")):
        return old + text
    end = line_end(old)
    gap = end if old.endswith((b"\n", b"\r")) else 2 * end
    return old + gap + text
