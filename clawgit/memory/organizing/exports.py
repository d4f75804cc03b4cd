"""Listings of what memory holds: a file for each class, and an index that fits into a prompt. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import EXPORT_MARK, STRUCTURED, day_in
from clawgit.memory.trust import EXTERNAL
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from clawgit.memory.entry_states import EntryState

OTHER = "other"
LISTED = ("personal", "tasks", "agents", "system", OTHER)
MOST_INDEX = 2048  # bytes
MOST_LISTED = 200_000  # bytes of one listing: the oldest entries are left to `memory list`
_LONGEST = 120  # letters of a statement in the index


def listing_path(name: str) -> str:
    """Return the file in which the entries of a class are listed."""
    return f"{STRUCTURED}{name}.md"


def by_class(
    states: Iterable[EntryState], class_of: Callable[[EntryState], str]
) -> dict[str, list[EntryState]]:
    """Return the entries of each class, the latest first."""
    found: dict[str, list[EntryState]] = {name: [] for name in LISTED}
    for state in states:
        told = class_of(state)
        found[told if told in LISTED else OTHER].append(state)
    for group in found.values():
        group.sort(key=lambda state: (state.path, state.entry.first))
        group.sort(key=lambda state: state.words_since, reverse=True)
    return found


def listing(name: str, states: Sequence[EntryState], on: date) -> bytes:
    """Return the listing of a class: each entry with its place, source, confidence and days."""
    head = _head(on) + f"# {name.capitalize()}\n\n".encode()
    lines: list[bytes] = []
    left = MOST_LISTED - len(head)
    for number, state in enumerate(states):
        line = _line(state)
        left -= len(line)
        if left < 0:
            lines.append(f"{len(states) - number:,} more: `clawgit memory list` has them all.\n".encode())
            break
        lines.append(line)
    return head + b"".join(lines or [b"Nothing.\n"])


def index(groups: Mapping[str, Sequence[EntryState]], on: date) -> bytes:
    """Return the index: how much there is of what, in which files, and the latest statements as far as there is room.

    It says nothing of whom a statement is from, so those from outside are left out.
    """
    states = [state for group in groups.values() for state in group]
    text = _head(on).decode() + "# Memory index\n\n"
    for name, group in groups.items():
        if group:
            text += (
                f"- [{name}](structured/{name}.md): {len(group):,}, last {group[0].words_since.isoformat()}\n"
            )
    files: dict[str, int] = {}
    for state in states:
        files[state.path] = files.get(state.path, 0) + 1
    often = sorted(files.items(), key=lambda item: (-item[1], item[0]))
    latest = [state for state in states if state.trust != EXTERNAL]
    latest.sort(key=lambda state: (state.path, state.entry.first))
    latest.sort(key=lambda state: state.words_since, reverse=True)
    said = (f"- {_told(state).isoformat()} {_short(state)}\n" for state in latest)
    text = _with(text, "\n## Files\n\n", (f"- {path}: {count:,}\n" for path, count in often), MOST_INDEX // 2)
    return _with(text, "\n## Latest\n\n", said, MOST_INDEX).encode()


def is_same_listing(old: bytes, new: bytes) -> bool:
    """Say whether two listings differ in their day at most."""
    return split_lines(old)[1:] == split_lines(new)[1:]


def _head(on: date) -> bytes:
    return EXPORT_MARK + f" on {on.isoformat()}; what is written here is overwritten -->\n".encode()


def _line(state: EntryState) -> bytes:
    name = f"m:{state.entry.entry_id}" if state.entry.entry_id else "no id"
    said = [name, state.path, state.trust, f"{state.confidence} %", f"since {state.since.isoformat()}"]
    if state.expires is not None:
        said.append(f"until {state.expires.isoformat()}")
    statement = parted(state.entry.text).statement or state.entry.text
    return f"- {statement} ({', '.join(said)})\n".encode("utf-8", "replace")


def _told(state: EntryState) -> date:
    """Return the day that an entry's line names, else the day of its words."""
    return day_in(parted(state.entry.text).before.strip(": ")) or state.words_since


def _short(state: EntryState) -> str:
    said = parted(state.entry.text).statement or state.entry.text
    said = said.encode("utf-8", "replace").decode()
    return said if len(said) <= _LONGEST else said[: _LONGEST - 1] + "…"


def _with(text: str, title: str, lines: Iterable[str], most: int) -> str:
    """Return a text with a section of as many lines as there is room for, none where there is none for one."""
    section = title
    for line in lines:
        if len((text + section + line).encode()) > most:
            break
        section += line
    return text if section == title else text + section
