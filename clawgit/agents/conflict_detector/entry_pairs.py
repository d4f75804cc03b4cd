"""Which entries are worth comparing: those that are new or read otherwise, each with the ones most like it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.conflict_log import as_logged
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import parted
from clawgit.text.comparing.subjects import subject

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from clawgit.memory.entries.entries import Entry

COMMON = 200  # entries: a term that more of them have tells nothing
SHARED = 0.5  # of the terms of the shorter one
MOST_LIKE = 10  # entries beside one


class Standing(NamedTuple):
    """An entry where it stands, and its statement as the log has it."""

    path: str
    entry: Entry
    statement: str

    @property
    def name(self) -> tuple[str, int]:
        """Return by what it is told from all others of its tree: its file and line."""
        return self.path, self.entry.first


class Pair(NamedTuple):
    """Two entries to be compared."""

    a: Standing
    b: Standing

    @property
    def statements(self) -> frozenset[str]:
        """Return what the two say: by that a pair is known again, in another tree and in the log."""
        return frozenset((self.a.statement, self.b.statement))


def standing_in(files: Mapping[str, bytes]) -> list[Standing]:
    """Return every entry of some files."""
    return [
        Standing(path, entry, as_logged(parted(entry.text).statement))
        for path, data in files.items()
        for entry in read_entries(data)
    ]


class Alike:
    """Entries by the terms of their statements, so that one is compared with those alone that share the most."""

    def __init__(self, entries: Iterable[Standing]) -> None:
        self._entries = list(entries)
        self._terms = [subject(each.statement) for each in self._entries]
        self._holding: dict[str, list[int]] = {}
        for number, terms in enumerate(self._terms):
            for term in terms:
                self._holding.setdefault(term, []).append(number)

    def pairs(
        self, changed: Collection[str], more: Callable[[Standing], Iterable[Standing]]
    ) -> Iterator[Pair]:
        """Yield each entry whose statement is ``changed`` with the entries like it, and with those that ``more`` names, each pair once."""
        seen: set[frozenset[str]] = set()
        for number, one in enumerate(self._entries):
            if one.statement not in changed:
                continue
            for other in (*self._like(number), *more(one)):
                pair = Pair(one, other)
                if len(pair.statements) > 1 and pair.statements not in seen:
                    seen.add(pair.statements)
                    yield pair

    def _like(self, number: int) -> list[Standing]:
        """Return the entries that share most of what the shorter one says with this one; of equals, what shares a rarer term."""
        terms, size, held = self._terms[number], len(self._terms[number]), self._holding
        telling = (held[term] for term in terms if len(held[term]) <= COMMON)
        near = set[int]().union(*telling) - {number}
        shares = {  # hundreds for each entry: `min` would take as long as all the rest
            other: len(terms & others) / (size if size < len(others) else len(others))
            for other in near
            for others in (self._terms[other],)
        }
        best = sorted(
            (other for other, share in shares.items() if share >= SHARED),
            key=lambda each: (-shares[each], min(len(held[of]) for of in terms & self._terms[each]), each),
        )
        return [self._entries[other] for other in best[:MOST_LIKE]]
