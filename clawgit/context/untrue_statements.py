"""Statements that do not hold, or not for sure: corrected since, superseded in a conflict, or part of an open one. Pure."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.memory.conflict_log import Outcome, as_logged
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.entries.tiers import date_of
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import ModuleType

    from clawgit.context.context_passages import Passage
    from clawgit.memory.conflict_log import Contradiction, Party
    from clawgit.memory.corrections.correction_log import Correction

DISPUTED = "disputed: ask before you rely on it"


class UntrueStatements:
    """Says of a passage why it does not hold, by the corrections (with their ids) and conflicts in force.

    ``names`` are the operator's.
    """

    def __init__(
        self,
        corrections: Mapping[str, Correction],
        conflicts: Iterable[Contradiction],
        names: frozenset[str] = frozenset(),
    ) -> None:
        self._corrections = [each for each in corrections.values() if each.holds]
        self._conflicts, self._names = tuple(conflicts), names

    def objection(self, passage: Passage) -> str:
        """Return why a passage may not be told as true, empty where nothing is against it."""
        here = _terms(passage.text)
        for each in self._of_entry.get(passage.entry, ()):
            if each.status is not Status.UNDERSTOOD and _terms(each.correct) not in here:
                return f"corrected by x:{each.correction_id}"
        for said, each in self._outdating(passage):
            if _rules().is_outdated(passage.text, said, each.correct, names=self._names):
                return f"corrected by x:{each.correction_id}"
        for party, conflict in self._parties(passage, here):
            if conflict.loser is party:
                return f"superseded in k:{conflict.conflict_id}"
        return ""

    def doubt(self, passage: Passage) -> str:
        """Return what is to be said behind a passage that names a value that gave way, or that another one contradicts."""
        for said, each in self._outdating(passage):
            if _rules().repeats_value(passage.text, said, each.correct, names=self._names):
                return f"see the correction: {each.correct}"
        parties = self._parties(passage, _terms(passage.text))
        return DISPUTED if any(each.outcome is Outcome.OPEN for _, each in parties) else ""

    @cached_property
    def _of_entry(self) -> dict[str, list[Correction]]:
        latest: dict[str, list[Correction]] = {}
        for each in sorted(self._corrections, key=lambda each: each.at):
            latest |= {f"m:{entry_id}": [each] for entry_id in each.corrects}
        return latest

    def _outdating(self, passage: Passage) -> Iterator[tuple[str, Correction]]:
        """Yield what was corrected in words that a passage has some of, with the latest correction of it; what the operator said later holds."""
        if not self._corrections:
            return
        low, day = passage.text.lower(), None
        if _rules().is_said_by_user(passage.text, self._names):
            day = date_of(passage.path)
        for words, said, each in self._wrong:
            is_later = day is not None and day.isoformat() > each.at[:10]
            if not is_later and any(word in low for word in words):
                yield said, each

    @cached_property
    def _wrong(self) -> list[tuple[frozenset[str], str, Correction]]:
        wrong = []
        for each in self._corrections:
            if each.status is Status.UNDERSTOOD:
                continue  # a reading takes its entry's place and no other
            latest = [self._of_entry[f"m:{entry_id}"][0] for entry_id in each.corrects]
            if each.said:
                words = _rules().gone_words(each.said, each.correct)
                wrong.append((words, each.said, max(latest, key=lambda last: last.at, default=each)))
        return wrong

    def _parties(self, passage: Passage, here: str) -> Iterator[tuple[Party, Contradiction]]:
        if not passage.entry:
            return
        for each in self._conflicts:
            for party in (each.a, each.b):
                if passage.entry == f"m:{party.entry_id}" and _terms(as_logged(party.statement)) in here:
                    yield party, each


def _rules() -> ModuleType:
    from clawgit.understanding.corrections import outdated

    return outdated


def _terms(text: str) -> str:
    return f" {index_terms(text)} "
