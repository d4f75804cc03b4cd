"""Ids for the lines that a change touched: kept, rebound from vanished lines, or new."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import (
    Entry,
    EntryError,
    appended_items,
    marks_in,
    new_entry_id,
    read_entries,
    with_mark,
)
from clawgit.text.comparing.similarity import closest_pairs, common_ends, likeness
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

_TEXT_AND_ID = attrgetter("text", "entry_id")
MOST_PAIRS = 1_000_000  # under two seconds; a larger rewrite binds by id and exact words only


def stamp(
    old: bytes,
    new: bytes,
    evidence: str,
    *,
    own: Mapping[str, str] | None = None,
    taken: Collection[str] = (),
) -> bytes:
    """Return ``new`` with an id on every item whose words are not in ``old``; other lines stay byte for byte.

    An item that lost its id gets that of a vanished entry with the same words, then with close ones (never
    when facts differ). Of several items with one id, the closest to the old words keeps it. An id unknown to ``old``
    is kept as a label. New ids also avoid ``taken``; they are derived from the item's words and the ``evidence``,
    or the words' own evidence in ``own``.

    Raises:
        EntryError: The ids would change how the text is parsed; nothing is returned.
    """

    def rests_on(words: str) -> str:
        return (own or {}).get(words, evidence)

    tail = appended_items(old, new)
    if tail is not None:
        return old + _stamped(b"", tail, rests_on, marks_in(old).union(taken))
    return _stamped(old, new, rests_on, taken)


def _stamped(old: bytes, new: bytes, rests_on: Callable[[str], str], taken: Collection[str]) -> bytes:
    entries = read_entries(new)
    binding = _Binding(read_entries(old), entries)
    # Each step takes what the steps before it left: their order decides who gets an id.
    binding.keep_untouched()
    binding.rebind_exact()
    binding.keep_closest()
    binding.keep_labels()
    binding.rebind_close()
    ids = binding.with_new_ids(rests_on, taken)
    lines = split_lines(new)
    for entry, entry_id in zip(entries, ids, strict=True):
        if entry_id is not None and entry_id != entry.entry_id:
            own = lines[entry.first : entry.last]
            lines[entry.first : entry.last] = with_mark(own, entry.text_last - 1 - entry.first, entry_id)
    result = b"".join(lines)
    read = [(entry.text, entry.entry_id) for entry in read_entries(result)]
    if read != [(entry.text, entry_id) for entry, entry_id in zip(entries, ids, strict=True)]:
        raise EntryError("The entries could not be given ids without changing how the file reads.")
    return result


class _Binding:
    """Binds ids to new entries; ``bound`` is by position in ``new``, None for a line to leave alone."""

    def __init__(self, old: list[Entry], new: list[Entry]) -> None:
        self.old, self.new = old, new
        self.bound: dict[int, str | None] = {}
        self.met: set[int] = set()
        self.held: set[str] = set()

    def keep_untouched(self) -> None:
        was = list(map(_TEXT_AND_ID, self.old))
        now = list(map(_TEXT_AND_ID, self.new))
        first, behind = common_ends(was, now)
        places: dict[tuple[str, str | None], list[int]] = {}
        for place in range(first, len(was) - behind):
            places.setdefault(was[place], []).append(place)
        for number, entry in enumerate(self.new):
            same = places.get(now[number])
            if number < first:
                self._bind(number, number)
            elif number >= len(now) - behind:
                self._bind(number, number - len(now) + len(was))
            elif same:
                self._bind(number, same.pop(0))
            elif entry.text.rfind("<!--") > entry.text.rfind("-->"):
                self._hold(number, entry.entry_id)  # an id would close its open comment

    def rebind_exact(self) -> None:
        places: dict[str, list[int]] = {}
        for place in self._vanished():
            places.setdefault(self.old[place].text, []).append(place)
        for number in self._open():
            if same := places.get(self.new[number].text):
                self._give(number, same.pop(0))

    def keep_closest(self) -> None:
        """Of several reworded items with one old id, let the closest keep it."""
        rivals: dict[str | None, list[int]] = {}
        for number in self._open():
            rivals.setdefault(self.new[number].entry_id, []).append(number)
        for place in self._vanished():
            entry = self.old[place]
            if numbers := rivals.get(entry.entry_id):
                closest = max(numbers, key=lambda number: likeness(self.new[number].text, entry.text))
                self._give(closest, place)

    def keep_labels(self) -> None:
        """Keep the first use of an id that the old text does not have."""
        old_ids = set(map(attrgetter("entry_id"), self.old))
        for number in self._open():
            entry_id = self.new[number].entry_id
            if entry_id is not None and entry_id not in old_ids and entry_id not in self.held:
                self._hold(number, entry_id)

    def rebind_close(self) -> None:
        """Bind remaining entries to vanished ones with close words, the closest pairs first."""
        vanished = self._vanished()
        open_numbers = self._open()
        if len(vanished) * len(open_numbers) > MOST_PAIRS:
            return
        gone = [self.old[place].text for place in vanished]
        come = [self.new[number].text for number in open_numbers]
        for at, to in closest_pairs(gone, come):
            if vanished[at] not in self.met and open_numbers[to] not in self.bound:
                self._give(open_numbers[to], vanished[at])

    def with_new_ids(self, rests_on: Callable[[str], str], taken: Collection[str]) -> list[str | None]:
        used = {entry.entry_id or "" for entry in (*self.old, *self.new)} | set(taken)
        for number in self._open():
            words = self.new[number].text
            fresh = new_entry_id(words, rests_on(words), used)
            used.add(fresh)
            self.bound[number] = fresh
        return [self.bound[number] for number in range(len(self.new))]

    def _give(self, number: int, place: int) -> None:
        if self.old[place].entry_id not in self.held:
            self._bind(number, place)

    def _bind(self, number: int, place: int) -> None:
        self.met.add(place)
        self._hold(number, self.old[place].entry_id)

    def _hold(self, number: int, entry_id: str | None) -> None:
        self.bound[number] = entry_id
        if entry_id is not None:
            self.held.add(entry_id)

    def _open(self) -> list[int]:
        return [number for number in range(len(self.new)) if number not in self.bound]

    def _vanished(self) -> list[int]:
        return [
            place
            for place, entry in enumerate(self.old)
            if place not in self.met and entry.entry_id and entry.entry_id not in self.held
        ]
