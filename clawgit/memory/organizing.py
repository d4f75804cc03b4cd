"""Listings of entries by class with an index that fits into a prompt, and a MEMORY.md that stays short. Pure."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import is_alone, line_words, read_entries
from clawgit.memory.entries.own_section import LEAD, OWN_TITLE, Moved, having, room_of, with_links, with_room
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CORE, EXPORT_MARK, date_of, day_in
from clawgit.memory.trust import EXTERNAL
from clawgit.text.comparing.similarity import common_places
from clawgit.text.markdown.block_structure import (
    HEADINGS,
    ends_open,
    headings_of,
    is_called,
    parted_at,
    rejoined,
)
from clawgit.text.markdown.lines import gap_below, line_end, split_lines, without_numbers
from clawgit.text.markdown.merge_lines import weave_lists

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from clawgit.memory.entry_states import EntryState
    from clawgit.text.markdown.block_structure import Block

OTHER = "other"
LISTED = ("personal", "tasks", "agents", "system", OTHER)
MOST_INDEX = 2048  # bytes
MOST_LISTED = 200_000  # bytes of one listing; older entries are only in `memory list`
_LONGEST = 120  # letters of a statement in the index
_FOLDER = "memory/"
_RESERVED = frozenset(
    ["index", "learned", "lessons", "structured", "memory", "events", "knowledge", "decisions", "skills"]
)
_MOST_NAME = 40  # letters
_FEWEST = 5  # lines: moving a shorter section does not help
_NO_NAME = re.compile(r"\W+")


def by_class(
    states: Iterable[EntryState], class_of: Callable[[EntryState], str]
) -> dict[str, list[EntryState]]:
    """Return the entries of each class, latest first."""
    listed: dict[str, list[EntryState]] = {name: [] for name in LISTED}
    for state in states:
        entry_class = class_of(state)
        listed[entry_class if entry_class in LISTED else OTHER].append(state)
    return {name: _latest_first(group) for name, group in listed.items()}


def _latest_first(states: Iterable[EntryState]) -> list[EntryState]:
    by_place = sorted(states, key=lambda state: (state.path, state.entry.first))
    return sorted(by_place, key=lambda state: state.words_since, reverse=True)


def listing(name: str, states: Sequence[EntryState], on: date) -> bytes:
    """Return the listing of a class: each entry with its place, source, confidence and days."""
    head = _head(on) + f"# {name.capitalize()}\n\n".encode()
    lines: list[bytes] = []
    left = MOST_LISTED - len(head)
    for number, state in enumerate(states):
        mark = state.mark if state.entry.entry_id else "no id"
        about = [mark, state.path, state.trust, f"{state.confidence} %", f"since {state.since.isoformat()}"]
        if state.expires is not None:
            about.append(f"until {state.expires.isoformat()}")
        statement = parted(state.entry.text).statement or state.entry.text
        line = f"- {statement} ({', '.join(about)})\n".encode("utf-8", "replace")
        left -= len(line)
        if left < 0:
            lines.append(f"{len(states) - number:,} more: `clawgit memory list` has them all.\n".encode())
            break
        lines.append(line)
    return head + b"".join(lines or [b"Nothing.\n"])


def index(groups: Mapping[str, Sequence[EntryState]], on: date) -> bytes:
    """Return the index: counts by class and file, and the latest statements that fit, none from outside."""
    states = list(chain.from_iterable(groups.values()))
    text = _head(on).decode() + "# Memory index\n\n"
    for name, group in groups.items():
        if group:
            text += (
                f"- [{name}](structured/{name}.md): {len(group):,}, last {group[0].words_since.isoformat()}\n"
            )
    files = Counter(map(attrgetter("path"), states))
    often = sorted(files.items(), key=lambda item: (-item[1], item[0]))
    latest = [state for state in _latest_first(states) if state.trust != EXTERNAL]
    text = _with(text, "\n## Files\n\n", (f"- {path}: {count:,}\n" for path, count in often), MOST_INDEX // 2)
    return _with(text, "\n## Latest\n\n", map(_latest_line, latest), MOST_INDEX).encode()


def _head(on: date) -> bytes:
    return EXPORT_MARK + f" on {on.isoformat()}; what is written here is overwritten -->\n".encode()


def _latest_line(state: EntryState) -> str:
    parts = parted(state.entry.text)
    day = day_in(parts.before.strip(": ")) or state.words_since
    statement = (parts.statement or state.entry.text).encode("utf-8", "replace").decode()
    if len(statement) > _LONGEST:
        statement = statement[: _LONGEST - 1] + "…"
    return f"- {day.isoformat()} {statement}\n"


def _with(text: str, title: str, lines: Iterable[str], most: int) -> str:
    section = title
    for line in lines:
        if len((text + section + line).encode()) > most:
            break
        section += line
    return text if section == title else text + section


def is_too_long(data: bytes, most: int) -> bool:
    """Say whether MEMORY.md has more lines than a host should read each time."""
    return len(split_lines(data)) > most


def shortened(data: bytes, read: Callable[[str], bytes | None], names: frozenset[str], most: int) -> Moved:
    """Return MEMORY.md cut to ``most`` lines if possible: tagged entries leave first, then sections, then other entries."""
    others: dict[str, bytes] = {}

    def present(path: str) -> bytes | None:
        return others[path] if path in others else read(path)

    moved = with_room(data, present, most=most)
    data = moved.data
    others |= moved.others
    if is_too_long(data, most):
        data, sections = _without_sections(data, present, names, most)
        others |= sections
    moved = with_room(data, present, untagged=True, most=most)
    return moved._replace(others={**others, **moved.others})


def _without_sections(
    data: bytes, read: Callable[[str], bytes | None], names: frozenset[str], most: int
) -> tuple[bytes, dict[str, bytes]]:
    """Return the file without its longest sections, and the files with them; a new file has only the section."""
    lines = split_lines(data)
    left, room_left = len(lines), room_of(CORE, most).left
    gone = set[int]()
    others: dict[str, bytes] = {}
    for section in sorted(_sections_of(data, lines), key=lambda each: (each.first - each.last, each.first)):
        if left <= room_left or section.last - section.first < _FEWEST:
            break
        text = b"".join(lines[section.first : section.last])
        # Named by its title; an existing file keeps its spelling.
        name = _NO_NAME.sub("-", section.content.casefold())[:_MOST_NAME].strip("-_") or "notes"
        if name in _RESERVED or name.startswith("learned-") or date_of(f"{name}.md") is not None:
            name = f"notes-{name}"
        spelt = [each for each in sorted(names) if each.casefold() == f"{name}.md"]
        path = _FOLDER + [*spelt, f"{name}.md"][0]
        old = others.get(path, read(path)) or b""
        if ends_open(text) or (old and ends_open(old)):
            continue
        others[path] = _with_section(old, text, section.content)
        gone.update(range(section.first, section.last))
        left -= section.last - section.first
    if not others:
        return data, {}
    lines_left = without_numbers(lines, gone)
    return with_links(lines_left, sorted(others)), others


def _with_section(data: bytes, section: bytes, title: str) -> bytes:
    """Return a file with a section; what the file has of it already is there once."""
    head, body, rest = parted_at(data, title)
    if len(head) > len(data):  # it has no such section
        return (data and data + gap_below(data, line_end(data))) + section
    text = parted_at(section, title)[1]
    there = split_lines(body)
    own = split_lines(text)
    is_there = having(body)
    for entry in read_entries(text):
        here = slice(entry.first, entry.last)
        if is_alone(entry, own) and is_there(own[here]):
            own[here] = [b""] * (entry.last - entry.first)
    own = list(filter(None, own))
    common = []
    for place, at in common_places(list(map(line_words, there)), list(map(line_words, own))):
        own[at] = there[place]
        common.append(own[at])
    woven, _ = weave_lists(common, there, own)
    return rejoined([*split_lines(head), *woven, *split_lines(rest)], data, section)


def _sections_of(data: bytes, lines: list[bytes]) -> list[Block]:
    """Return the headings of the highest level with several, with all lines of their sections; not clawgit's own, none with links to other files."""
    headings = headings_of(data)
    counts = Counter(map(attrgetter("kind"), headings))
    level = next((kind for kind in HEADINGS if counts[kind] > 1), "")
    sections = []
    last = len(lines)
    for block in reversed(headings):
        if block.kind > level:
            continue
        has_links = any(line.startswith(LEAD.encode()) for line in lines[block.first : last])
        if block.kind == level and not is_called(block, OWN_TITLE) and not has_links:
            sections.append(block._replace(last=last))
        last = block.first
    return sections
