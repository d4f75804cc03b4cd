"""A question as it was read: its terms, phrases and days. Values only."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clawgit.recall.questions.question_dates import Days

NAMED = 1.4  # the weight of words with a capital letter within a question: names, and German nouns
LIGHT = 0.35  # the weight of words of every other line, of dates as words, and of an identifier's parts
FAINT = 0.05  # … of these where the question is about days and nothing else: "what happened in May"
HARDLY = 0.005  # … of words that only ask, and of single characters: below any that tells


class Term(NamedTuple):
    """One thing asked for: as the person wrote it, and the index words that satisfy it, best first."""

    shown: str
    words: tuple[str, ...]
    weight: float = 1.0
    gram: bool = False  # a part of a run without spaces: unseen, it was hardly a word
    alike: int = 1  # so many of the words are the word itself in some form; the others count less
    dated: bool = False  # a month, year or date: a line of that day satisfies it without the word


class Question(NamedTuple):
    """A question, read. Without terms and days there is nothing to search for."""

    text: str
    terms: tuple[Term, ...] = ()
    phrases: tuple[tuple[str, str], ...] = ()  # index words that follow one another in the question
    asks_when: bool = False
    asks_latest: bool = False
    days: Days | None = None
    asking: tuple[str, ...] = ()  # index words of the whole text that no term looks for
    inflected: bool = False  # in a language whose words have more forms than the index knows

    @property
    def asks_days(self) -> bool:
        """Say whether it is about several days."""
        return self.days is not None and (self.days.any_year or self.days.first < self.days.last)

    @property
    def telling(self) -> frozenset[str]:
        """Return the words to look for that are no days, nor in every other line."""
        told = (term for term in self.terms if not term.dated and term.weight > LIGHT)
        return frozenset(word for term in told for word in term.words)

    @property
    def in_full(self) -> Question:
        """Return the question with every word of it, those that only ask worth hardly anything."""
        more = (Term(word, (word,), HARDLY, gram=True) for word in self.asking)
        return self._replace(terms=(*self.terms, *more), asking=())

    @property
    def words(self) -> tuple[str, ...]:
        """Return every index word to look for, each once: the pool is what holds any of them."""
        return tuple(dict.fromkeys(word for term in self.terms for word in term.words))
