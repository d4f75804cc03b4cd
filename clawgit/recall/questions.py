"""What a question asks for: terms, phrases, names, a time. Pure; no text can make it fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.text.terms import terms_of

if TYPE_CHECKING:
    from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Term:
    """One thing asked for: as the person wrote it, and the index words that satisfy it, best first."""

    shown: str
    words: tuple[str, ...]
    weight: float = 1.0  # light words ("happened", "discussed") and parts of a word weigh less


@dataclass(frozen=True, slots=True)
class Days:
    """The days a question speaks of, both ends included."""

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read. Without terms and days there is nothing to search for."""

    text: str
    terms: tuple[Term, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()  # index words that stand side by side in the question
    names: frozenset[str] = frozenset()  # index words that may name who said something
    asks_when: bool = False
    days: Days | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """Return every index word to look for, each once: the pool is what holds any of them."""
        return tuple(dict.fromkeys(word for term in self.terms for word in term.words))


def read_question(text: str, now: datetime) -> Question:
    """Read ``text``; days are counted from ``now``, which is in the workspace's zone."""
    del now
    return Question(text, tuple(Term(term, (term,)) for term in dict.fromkeys(terms_of(text))))
