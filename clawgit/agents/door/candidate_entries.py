"""Which entries somebody may be speaking of: found by his sentence, and by what was said to him before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.trees import entry_files
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import Tier
from clawgit.recall.index.places import Limits
from clawgit.recall.search import search
from clawgit.recall.search_results import Wanted
from clawgit.text.comparing.subjects import subject

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.recall.search_results import Result


LONGEST = 400  # characters of a text that is searched for
_FOUND = 30  # lines for each text
_ENTRIES = Limits(tier=Tier.T1.value)  # the notes of days say the same again and again


class Candidate(NamedTuple):
    """An entry that may be meant, where it is (lines count from 1), and how well it fits; an id may be missing."""

    entry_id: str
    statement: str
    path: str
    line: int
    score: float


def candidates(
    history: History, text: str, before: Sequence[str], now: datetime, *, most: int = 10
) -> list[Candidate]:
    """Return the entries of core memory and of memory/ that answer a text or what was said before it, the best first."""
    tree = history.tip().tree
    entries = {path: read_entries(tree.read(path) or b"") for path in entry_files(tree)}
    found: dict[tuple[str, int], Candidate] = {}
    for query in filter(None, (each[:LONGEST].strip() for each in (text, *before[:1]))):
        results = search(history, Wanted(query, _FOUND, 0.0, _ENTRIES), now).results
        places = [(result.score, *place) for result in results for place in _places(result)]
        near = [
            Candidate(entry.entry_id or "", parted(entry.text).statement, path, entry.first + 1, score)
            for score, path, first, last in places
            for entry in entries.get(path, ())
            if first <= entry.first + 1 <= last or entry.first < first <= entry.last
        ]
        for each in _meant(query, near):
            known = found.get((each.path, each.line), each)
            found[each.path, each.line] = max(known, each, key=lambda candidate: candidate.score)
    return sorted(found.values(), key=lambda each: (-each.score, each.path, each.line))[:most]


def offered(
    history: History, text: str, before: Sequence[str], now: datetime, *, most: int
) -> list[Candidate]:
    """Return the entries that a model is shown with a text: those that answer it, then others while there is room."""
    found = candidates(history, text, before, now, most=most)
    places = {(each.path, each.line) for each in found}
    tree = history.tip().tree
    others = [
        Candidate(entry.entry_id or "", parted(entry.text).statement, path, entry.first + 1, 0.0)
        for path in entry_files(tree)
        for entry in read_entries(tree.read(path) or b"")
    ]
    return [*found, *(each for each in others if (each.path, each.line) not in places)][:most]


def _meant(query: str, near: list[Candidate]) -> list[Candidate]:
    """Return what shares a word with the query, not what is only beside it; all, where nothing shares one."""
    about = subject(query)
    return [each for each in near if about & subject(each.statement)] or near


def _places(result: Result) -> Iterator[tuple[str, int, int]]:
    yield result.path, result.first, result.last
    yield from ((old.path, old.first, old.last) for old in result.instead_of)
