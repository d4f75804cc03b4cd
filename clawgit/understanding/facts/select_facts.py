"""What was found worth keeping, against what is remembered: new, a mention, or nothing. Pure."""

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
    """A statement that may become an entry: what it rests on, its day, and in which session it was said."""

    evidence_id: str
    quote: str
    statement: str
    tag: Tag
    on: date
    session: str
    trust: str
    at: str = ""  # when a message was sent
    entry: str = ""  # in whose place it comes, or that it says again: the id, or the words where it has none
    is_mention: bool = False
    is_ordered: bool = False
    doubt: str = ""  # why it is to be asked before it takes an entry's place
    is_confirmed: bool = False  # by a second reader


@dataclass(slots=True)
class PlannedEntry:
    """An entry that is there, or will be, on behalf of ``new``."""

    statement: str
    day: str
    entry_id: str | None = None
    new: FactCandidate | None = None


@dataclass(slots=True)
class FactSelection:
    """What to add, which entries were said again or are superseded, and what was left out, a sentence each.

    ``repeated``: what is added, and was said by another message, too.
    """

    new: list[PlannedEntry] = field(default_factory=list)
    mentions: list[tuple[PlannedEntry, FactCandidate]] = field(default_factory=list)
    repeated: list[tuple[PlannedEntry, FactCandidate]] = field(default_factory=list)
    superseded: list[tuple[PlannedEntry, FactCandidate]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)


def standing_of(entry: Entry) -> PlannedEntry:
    """Return an entry as it is in a file."""
    parts = parted(entry.text)
    return PlannedEntry(parts.statement, parts.before.strip(": "), entry.entry_id)


def gather(
    candidates: Iterable[FactCandidate],
    entries: Sequence[PlannedEntry],
    corrections: Sequence[Correction] = (),
    sessions: Callable[[str], frozenset[str]] = lambda _: frozenset(),
) -> FactSelection:
    """Return what candidates add to what is there; what repeats it is a mention, what a correction speaks against is nothing.

    Only the operator's words are mentions, once in each of the ``sessions`` in which an entry (by its id) was said. An addition
    waits for no answer: what differs is beside.
    """
    gathering = _Gathering(list(entries), corrections, sessions)
    for candidate in candidates:
        gathering.take(candidate)
    return gathering.gathered


class _Gathering:
    def __init__(
        self,
        standing: list[PlannedEntry],
        corrections: Sequence[Correction],
        sessions: Callable[[str], frozenset[str]],
    ) -> None:
        self._standing, self._corrections, self._sessions = standing, corrections, sessions
        self._statements = Statements(each.statement for each in standing)
        self._said_in: dict[int, set[str]] = {}  # by the number of an entry
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
        # what happened on another day happened again, and `next Friday` is another one
        is_of_a_day = candidate.tag is Tag.EVENT or is_beside(candidate.statement)
        for number, how in alike:
            is_there = not is_of_a_day or self._standing[number].day in ("", candidate.on.isoformat())
            if how is Relation.SAME and is_there:
                self._mention(number, candidate)
                return
        other = next((self._standing[each] for each, how in alike if how is Relation.CONFLICT), None)
        if other is not None and candidate.tag is not Tag.EVENT:
            self._beside(other, candidate)
        self._add(candidate)

    def _take_against(self, candidate: FactCandidate, against: Correction) -> None:
        """Leave out what a correction speaks against; what the operator said since then wants the place of its entry.

        What it was corrected from comes back by an explicit order alone.
        """
        is_later = candidate.trust == OPERATOR and candidate.at > against.at
        entry = next((each for each in self._standing if each.entry_id in against.corrects), None)
        new = said_by_memory(candidate.statement)
        is_old = set(words(new)) - set(words(against.correct)) <= set(words(against.said))
        if is_later and entry is not None and (candidate.is_ordered or not is_old):
            self._take_for(replace(candidate, entry=entry.entry_id or ""))
        else:
            self.gathered.left_out.append(
                f"x:{against.correction_id} speaks against it: {candidate.statement}"
            )

    def _take_for(self, candidate: FactCandidate) -> None:
        """Take what names its entry: nothing comes of it where that is gone."""
        name, every = candidate.entry, enumerate(self._standing)
        number = next((number for number, each in every if name in (each.entry_id, each.statement)), None)
        if number is None:
            self.gathered.left_out.append(f"The entry {name} is gone: {candidate.statement}")
        elif candidate.is_mention or words(self._standing[number].statement) == words(candidate.statement):
            self._mention(number, candidate)
        else:
            self.gathered.superseded.append((self._standing[number], candidate))

    def _beside(self, other: PlannedEntry, candidate: FactCandidate) -> None:
        """Say that both stand; of two in the same talk, only the later one does where it gives the first a new value."""
        is_righted = candidate.trust == OPERATOR and replaces(other.statement, candidate.statement)
        if is_righted and other in self.gathered.new:
            self.gathered.left_out.append(f"It was set right in the same talk: {other.statement}")
            self.gathered.new.remove(other)
            return
        name = f"m:{other.entry_id}" if other.entry_id else other.statement.rstrip(".")
        self.gathered.conflicts.append(f"“{candidate.statement}” differs from {name}, and both stand.")

    def _mention(self, number: int, candidate: FactCandidate) -> None:
        same = self._standing[number]
        if same.new is not None and same.new.evidence_id != candidate.evidence_id:
            self.gathered.repeated.append((same, candidate))
        if candidate.trust != OPERATOR or same.entry_id is None:
            return
        if number not in self._said_in:
            self._said_in[number] = set(self._sessions(same.entry_id))
        if candidate.session not in self._said_in[number]:
            self._said_in[number].add(candidate.session)
            self.gathered.mentions.append((same, candidate))

    def _add(self, candidate: FactCandidate) -> None:
        added = PlannedEntry(candidate.statement, candidate.on.isoformat(), None, candidate)
        self._standing.append(added)
        self._said_in[self._statements.add(added.statement)] = {candidate.session}
        self.gathered.new.append(added)
