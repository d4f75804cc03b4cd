"""An edit beside the words that are to carry it, and what is new and gone in it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence.own_sentences import clauses
from clawgit.understanding.evidence.said_words import Read, lacking, read

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

TURNS = 2  # of the agent's, that may name what it is about
_ASKS_WHAT = lazy_pattern(
    r"\b(?:what|which|who|whose|where|when|how|was|welche[rsn]?|wie|wann|wo|quel\w*|cuál|qué)\b|什么|哪|谁|几|多少|뭐|무엇|무슨|어느|어떤|언제|어디|누구|몇|얼마"
)
_SENTENCE = lazy_pattern(r"[^.!?。！？]+[.!?。！？]*")


@dataclass(frozen=True)
class Case:
    """An edit beside the sentences that are to carry it, spelled alike; ``mine`` is all that the operator says there, ``others`` what memory says."""

    old: str
    new: str
    told: str
    mine: str
    before: tuple[str, ...]
    on: date
    others: tuple[str, ...] = ()

    def read(self, text: str) -> Read:
        """Return what a text of this case says."""
        return read(text, self.on)

    @cached_property
    def stated(self) -> Read:
        """Return what the entry is to say."""
        return self.read(self.new)

    @cached_property
    def brought(self) -> list[str]:
        """Return what is new in it."""
        return lacking(self.stated, self.read(self.old)) if self.old else list(self.stated.items)

    @cached_property
    def gone(self) -> list[str]:
        """Return what the entry says no more."""
        return lacking(self.read(self.old), self.stated) if self.old else []

    @cached_property
    def carrying(self) -> list[str]:
        """Return the clauses of the message that hold something of what is new, all of them where none does."""
        parts = clauses(self.told)
        return [part for part in parts if self.has_any(part, self.brought)] or parts

    @cached_property
    def questions(self) -> list[str]:
        """Return the agent's question for something that the message answers: no `yes` says what that is."""
        parts = [each for turn in self.before[:1] for each in _SENTENCE.findall(turn)]
        return [part for part in parts if _ASKS_WHAT.search(part.lower()) and part.endswith(("?", "？"))]

    def one(self, word: str) -> Read:
        """Return a word of the statement as read alone; a name stays one."""
        return self.read(word)._replace(names=self.stated.names)

    def has_any(self, text: str, items: Sequence[str]) -> bool:
        """Say whether a text has one of some words or values."""
        there = self.read(text)
        return any(not lacking(self.read(item), there) for item in items)
