"""What receipts say was injected: asked whether somebody who was given it only says it again."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.context.context_passages import HEADING
from clawgit.context.receipts import rebuilt_slots
from clawgit.memory.entries.statements import parted, sentences_of
from clawgit.memory.provenance.stamps import REBIND_LIKENESS
from clawgit.text.comparing.similarity import facts_differ, likeness
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from datetime import date, tzinfo

    from clawgit.history.git.repository import History
    from clawgit.workspace.records.record_tables import ReceiptStore

FEWEST = 2  # terms; less is said of anything
NEAR = timedelta(days=1)  # of a context that names no session


class Told(NamedTuple):
    """One sentence that was injected, its terms, and the file that it was from."""

    text: str
    terms: str
    path: str


class InjectedText:
    """The sentences of the contexts of sessions and days, read when they are asked for."""

    def __init__(self, history: History, receipts: ReceiptStore, zone: tzinfo | None) -> None:
        self._history, self._receipts, self._zone = history, receipts, zone
        self._told = lru_cache(maxsize=256)(self._read)

    def holds(self, statement: str, session: str, on: date, *, beside: str = "") -> bool:
        """Say whether a statement, or the same in other words, was injected into a session, or on a day into one unnamed.

        Without a session, every context of the day before and of that day counts. What was injected from the file
        ``beside`` does not: there it stands itself.
        """
        terms = index_terms(statement)
        if len(terms.split()) < FEWEST:
            return False
        return any(
            _is_same(statement, terms, each)
            for each in self._told(session, on)
            if each.path != beside or not beside
        )

    def _read(self, session: str, on: date) -> tuple[Told, ...]:
        day = datetime.combine(on, time.min, self._zone)
        parts = self._receipts.parts_around(session, day - NEAR, day + NEAR)
        sentences: dict[Told, None] = {}
        for part in parts:
            for slot in rebuilt_slots(self._history, part):
                for passage in slot.passages:
                    if passage.kind != HEADING:
                        sentences |= dict.fromkeys(_sentences(passage.shown, passage.path))
        return tuple(sentences)


def _sentences(text: str, path: str) -> list[Told]:
    lines = (parted(line.strip().lstrip("-*+> ")).statement for line in text.split("\n"))
    parts = dict.fromkeys(part for line in lines for part in (line, *sentences_of(line)) if part)
    return [Told(each, index_terms(each), path) for each in parts]


def _is_same(statement: str, terms: str, sentence: Told) -> bool:
    if f" {terms} " in f" {sentence.terms} ":
        return True
    return likeness(statement, sentence.text) >= REBIND_LIKENESS and not facts_differ(
        statement, sentence.text
    )
