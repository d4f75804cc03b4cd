"""Whether an entry's time is over (its class says so, never its words alone), and its way into the archive of a month. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.overflow import is_alone
from clawgit.memory.entries.tiers import RETIRED_ENTRIES
from clawgit.memory.trust import OPERATOR
from clawgit.text.markdown.lines import split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import date

    from clawgit.memory.entry_states import EntryState


def is_the_operators(state: EntryState) -> bool:
    """Say whether no job may take an entry out of memory: the operator wrote, corrected or brought it back, as far as is known."""
    is_corrected = any(each.counts for each in state.corrections)
    return state.source in (OPERATOR, "unknown") or is_corrected or came_back(state)


def came_back(state: EntryState) -> bool:
    """Say whether an entry was in the archive once, and somebody brought it back."""
    return any(seen.path.startswith(RETIRED_ENTRIES) for seen in state.seen)


def is_over(state: EntryState, on: date, *, open_until: date | None = None) -> bool:
    """Say whether an entry's time is over on a day: after the last one of its class, and of the days that it names.

    A class without a term, or one that nobody knows, has no end; nor has an entry without an id.
    """
    last = state.expires
    if last is None or state.entry.entry_id is None or is_the_operators(state):
        return False
    return on > max(last, open_until or last)


def archive_path(on: date) -> str:
    """Return the file for what leaves on a day."""
    return f"{RETIRED_ENTRIES}{on:%Y-%m}.md"


def retire(
    read: Callable[[str], bytes | None], leaving: Iterable[tuple[str, str]], on: date, why: str
) -> tuple[dict[str, bytes], list[str]]:
    """Return files without entries (path and id) and the archive that has them, and the ids of those that left."""
    texts: dict[str, bytes] = {}
    items: list[tuple[str, bytes]] = []  # one id may be in two files
    wanted: dict[str, set[str]] = {}
    for path, entry_id in leaving:
        wanted.setdefault(path, set()).add(entry_id)
    for path, ids in wanted.items():
        data, taken = take_out(read(path) or b"", ids)
        if taken:
            texts[path] = data
            items += taken.items()
    if items:
        path = archive_path(on)
        texts[path] = with_retired(read(path) or b"", [data for _, data in items], on, why)
    return texts, list(dict.fromkeys(name for name, _ in items))


def take_out(data: bytes, entry_ids: Collection[str]) -> tuple[bytes, dict[str, bytes]]:
    """Return ``data`` without these entries, and their lines by id.

    One that is not alone stays, one whose id another one has too, and all else.
    """
    lines = split_lines(data)
    entries = read_entries(data)
    holders = Counter(entry.entry_id for entry in entries)
    items: dict[str, bytes] = {}
    gone: set[int] = set()
    for entry in entries:
        name = entry.entry_id
        if name in entry_ids and holders[name] == 1 and is_alone(entry, lines):
            items[str(name)] = b"".join(lines[entry.first : entry.last])
            gone.update(range(entry.first, entry.last))
    return b"".join(line for at, line in enumerate(lines) if at not in gone), items


def with_retired(data: bytes, items: Sequence[bytes], on: date, why: str) -> bytes:
    """Return the archive with entries more below a heading; one that it has is not added again."""
    data = data or f"# Entries that left memory, {on:%Y-%m}\n".encode()
    there = {without_end(line) for line in split_lines(data)}
    new = [each for each in items if without_end(split_lines(each)[0]) not in there]
    if not new:
        return data
    data = data if data.endswith((b"\n", b"\r")) else data + b"\n"
    whole = b"".join(each if each.endswith((b"\n", b"\r")) else each + b"\n" for each in new)
    return data + f"\n## {on.isoformat()}: {why}\n\n".encode() + whole
