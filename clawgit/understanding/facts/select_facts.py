"""Compares candidates with memory: new, a mention, or nothing. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import Entry, Tag
from clawgit.memory.entries.statements import parted
from clawgit.memory.trust import OPERATOR
from clawgit.text.comparing.similarity import words
from clawgit.understanding.facts.same_statement import (
    Relation,
    Statements,
    contradicts,
    replaces,
    said_by_memory,
)
from clawgit.understanding.forms.user_words import is_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

    from clawgit.memory.corrections.correction_log import Correction


@dataclass(frozen=True, slots=True)
class FactCandidate:
    """A statement that may become an entry: its ground, its day, and its session."""

    evidence_id: str
    quote: str
    statement: str
    tag: Tag
    on: date
    session: str
    trust: str
    at: str = ""  # the time of its message
    entry: str = ""  # the entry that it replaces or repeats: the id, or the words without one
    is_mention: bool = False
    is_ordered: bool = False
    doubt: str = ""  # why the operator is asked before it replaces an entry
    is_confirmed: bool = False  # by a second reader


@dataclass(slots=True)
class PlannedEntry:
    """An entry that exists, or will, because of ``new``."""

    statement: str
    day: str
    entry_id: str | None = None
    new: FactCandidate | None = None


@dataclass(slots=True)
class FactSelection:
    """Entries to add, repeated and superseded ones, and a sentence on each omission.

    ``repeated``: added entries that another message said, too.
    """

    new: list[PlannedEntry] = field(default_factory=list)
    mentions: list[tuple[PlannedEntry, FactCandidate]] = field(default_factory=list)
    repeated: list[tuple[PlannedEntry, FactCandidate]] = field(default_factory=list)
    superseded: list[tuple[PlannedEntry, FactCandidate]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)


def standing_of(entry: Entry) -> PlannedEntry:
    """Return an entry as it is in its file."""
    parts = parted(entry.text)
    return PlannedEntry(parts.statement, parts.before.strip(": "), entry.entry_id)


def gather(
    candidates: Iterable[FactCandidate],
    entries: Sequence[PlannedEntry],
    corrections: Sequence[Correction] = (),
    sessions: Callable[[str], frozenset[str]] = lambda _: frozenset(),
    others: Sequence[PlannedEntry] = (),
) -> FactSelection:
    """Return the difference between candidates and memory; repetitions are mentions, corrected statements are dropped.

    Only the operator's words are mentions, once in each of the ``sessions`` of an entry (by its id). An
    addition needs no approval: a differing entry stays beside it. ``others`` are entries that a candidate can
    only name.
    """
    gathering = _Gathering(list(entries), corrections, sessions, others)
    for candidate in candidates:
        gathering.take(candidate)
    return gathering.gathered


class _Gathering:
    def __init__(
        self,
        standing: list[PlannedEntry],
        corrections: Sequence[Correction],
        sessions: Callable[[str], frozenset[str]],
        others: Sequence[PlannedEntry],
    ) -> None:
        self._standing, self._corrections, self._sessions = standing, corrections, sessions
        self._others = others
        self._statements = Statements(each.statement for each in standing)
        self._said_in: dict[str, set[str]] = {}  # by the id of an entry
        self.gathered = FactSelection()

    def take(self, candidate: FactCandidate) -> None:
        if candidate.entry:
            self._take_for(candidate)
            return
        for each in self._corrections:
            if contradicts(candidate.statement, each.said, each.correct):
                self._take_against(candidate, each)
                return
        alike = self._statements.like(candidate.statement, by_overlap=candidate.tag is not Tag.SKILL)
        # an event of another day is another event, and `next Friday` another Friday
        is_of_a_day = candidate.tag is Tag.EVENT or is_beside(candidate.statement)
        for number, how in alike:
            is_there = not is_of_a_day or self._standing[number].day in ("", candidate.on.isoformat())
            if how is Relation.SAME and is_there:
                self._mention(self._standing[number], candidate)
                return
        other = next((self._standing[each] for each, how in alike if how is Relation.CONFLICT), None)
        if other is not None and candidate.tag is not Tag.EVENT:
            self._beside(other, candidate)
        added = PlannedEntry(candidate.statement, candidate.on.isoformat(), None, candidate)
        self._standing.append(added)
        self._statements.add(added.statement)
        self.gathered.new.append(added)

    def _take_against(self, candidate: FactCandidate, against: Correction) -> None:
        """Drop a corrected statement; the operator's later words ask to replace its entry.

        Only an explicit order brings the corrected text back.
        """
        is_later = candidate.trust == OPERATOR and candidate.at > against.at
        entry = next((each for each in self._standing if each.entry_id in against.corrects), None)
        new = said_by_memory(candidate.statement)
        is_old = set(words(new)) - set(words(against.correct)) <= set(words(against.said))
        if is_later and entry is not None and (candidate.is_ordered or not is_old):
            self._take_for(replace(candidate, entry=entry.entry_id or ""))
        else:
            sentence = f"x:{against.correction_id} speaks against it: {candidate.statement}"
            self.gathered.left_out.append(sentence)

    def _take_for(self, candidate: FactCandidate) -> None:
        """Take a statement that names its entry; drop it if the entry is deleted."""
        name = candidate.entry
        every = (*self._standing, *self._others)
        entry = next((each for each in every if name in (each.entry_id, each.statement)), None)
        if entry is None:
            self.gathered.left_out.append(f"The entry {name} is gone: {candidate.statement}")
        elif candidate.is_mention or words(entry.statement) == words(candidate.statement):
            self._mention(entry, candidate)
        else:
            self.gathered.superseded.append((entry, candidate))

    def _beside(self, other: PlannedEntry, candidate: FactCandidate) -> None:
        """Note that both hold; in the same talk the later one replaces the first if it gives it a new value."""
        is_righted = candidate.trust == OPERATOR and replaces(other.statement, candidate.statement)
        if is_righted and other in self.gathered.new:
            self.gathered.left_out.append(f"It was set right in the same talk: {other.statement}")
            self.gathered.new.remove(other)
            return
        name = f"m:{other.entry_id}" if other.entry_id else other.statement.rstrip(".")
        self.gathered.conflicts.append(f"“{candidate.statement}” differs from {name}, and both stand.")

    def _mention(self, same: PlannedEntry, candidate: FactCandidate) -> None:
        if same.new is not None and same.new.evidence_id != candidate.evidence_id:
            self.gathered.repeated.append((same, candidate))
        if candidate.trust != OPERATOR or same.entry_id is None:
            return
        sessions = self._said_in.setdefault(same.entry_id, set(self._sessions(same.entry_id)))
        if candidate.session not in sessions:
            sessions.add(candidate.session)
            self.gathered.mentions.append((same, candidate))
