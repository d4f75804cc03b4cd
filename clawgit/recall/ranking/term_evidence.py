"""What a line holds of a question: which of its terms, and how much that says; and the parts of a score in words. Pure."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from clawgit.recall.index.line_facts import ASKS
from clawgit.recall.index.places import Line
from clawgit.recall.questions.question import HARDLY

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from clawgit.recall.index.places import Corpus
    from clawgit.recall.questions.question import Question


_K1, _B = 1.2, 0.75  # the usual constants of BM25
_OTHER_FORM = 0.5  # what a short form or a corrected word counts, against the word itself
_UNSEEN = 0.8  # a word that no unit holds may be the question's own way to put it …
_UNSEEN_PAIR = 0.25  # … and two characters that stand nowhere side by side belong to two words
_GAP = " \n "  # between texts: no word reaches over it
_TELLING = 8.0  # a long question is covered by as many of its most telling words


Key = TypeVar("Key")
Value = TypeVar("Value")
_SAID = {
    "around": "lines beside it hold words of the question",
    "section": "its section speaks of it",
    "heading": "a heading above it, the file's name or what is before its colon holds words of the question",
    "phrase": "words follow one another as in the question",
    "file": "other lines of its file hold words of the question",
    "asks": "it asks, rather than tells",
    "small_talk": "it greets, thanks or cheers",
    "time": "it tells a time, and the question asks for one",
}


class WorkedOut(dict[Key, Value]):
    """What a function returned for each key that was looked up: a line costs as many look-ups as it has parts.

    The function is no method of whoever holds this: both would wait for the collector of garbage.
    """

    def __init__(self, work: Callable[[Key], Value]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, key: Key) -> Value:
        found = self[key] = self._work(key)
        return found


class Held:
    """A line, and what of the question it holds: bit n of ``mask`` stands for the n-th term."""

    __slots__ = ("asks", "found", "line", "mask", "own", "speaker")

    def __init__(self, line: Line, found: Sequence[str]) -> None:
        self.line, self.found = line, found
        self.mask, self.own = 0, 0.0
        self.speaker, self.asks = line.traits, False
        if line.traits[:1] == ASKS:
            self.speaker, self.asks = line.traits[1:], True

    @property
    def terms(self) -> list[str]:
        """Return the terms of the line; few lines are asked for them."""
        return self.line.terms.split()


NOTHING = Held(Line(0, 0, 0, "", ""), ())


class Asked:
    """A question against a corpus: what each of its terms is worth there, and which words satisfy it."""

    def __init__(self, question: Question, corpus: Corpus) -> None:
        self.question = question
        self.worth: list[float] = []
        self._mean = max(1.0, corpus.mean_length)
        self._bits: dict[str, int] = {}
        self._where: dict[str, list[tuple[int, float]]] = {}
        self.sums = WorkedOut(partial(_sum, self.worth))
        self.words_of = WorkedOut(partial(_words_within, self._bits))
        held: list[bool] = []
        for at, term in enumerate(question.terms):
            units = sum(corpus.seen.get(word, 0) for word in term.words)
            unseen = _UNSEEN_PAIR if term.gram and len(question.terms) > 1 else _UNSEEN
            held.append(units > 0)
            self.worth.append(term.weight * rarity(corpus.units, units) * (1 if units else unseen))
            for rank, word in enumerate(term.words):
                self._where.setdefault(word, []).append((at, 1.0 if rank < term.alike else _OTHER_FORM))
                self._bits[word] = self._bits.get(word, 0) | 1 << at
        self.words = frozenset(self._bits)
        self.telling = sum(1 << at for at, term in enumerate(question.terms) if term.weight > HARDLY)
        self.telling_words = frozenset(word for word, bits in self._bits.items() if bits & self.telling)
        self.dated = sum(1 << at for at, term in enumerate(question.terms) if term.dated)
        self.day_worth = _day_worth(question, corpus)
        weighed = [(worth, term.weight) for worth, term in zip(self.worth, question.terms, strict=True)]
        self.whole = _telling(weighed) + self.day_worth
        self.known = (
            _telling([pair for pair, known in zip(weighed, held, strict=True) if known]) + self.day_worth
        )

    def hold(self, lines: Sequence[Line]) -> list[Held]:
        """Return what each of the lines holds; their ``own`` scores are still to be told."""
        found = _words_in([line.terms for line in lines], self._bits)
        held = [Held(line, found.get(at, ())) for at, line in enumerate(lines)]
        for at, words in found.items():
            held[at].mask = self.mask(words)
        return held

    def mask(self, words: Iterable[str]) -> int:
        """Return the terms that these question words satisfy, as bits."""
        mask = 0
        for word in words:
            mask |= self._bits[word]
        return mask

    def mask_of(self, terms: str) -> int:
        """Return the terms that a text satisfies, as bits."""
        return self.mask(self.words.intersection(terms.split()))

    def bm25(self, held: Held, besides: Collection[str]) -> float:
        """Return the line's own score, the words ``besides`` left out; of a term's forms the best counts."""
        best: dict[int, float] = {}
        terms = held.terms
        norm = _K1 * (1 - _B + _B * len(terms) / self._mean)
        for word in held.found:
            if word not in besides:
                often = terms.count(word)
                strength = often * (_K1 + 1) / (often + norm)
                for at, share in self._where[word]:
                    best[at] = max(best.get(at, 0.0), share * strength * self.worth[at])
        return sum(best.values())


def _words_within(bits: Mapping[str, int], mask: int) -> frozenset[str]:
    """Return the words that satisfy none but the terms of ``mask``."""
    return frozenset(word for word, own in bits.items() if not own & ~mask)


def _sum(worths: Sequence[float], mask: int) -> float:
    return sum((worth for at, worth in enumerate(worths) if mask >> at & 1), 0.0)


def _words_in(texts: Sequence[str], words: Iterable[str]) -> dict[int, list[str]]:
    """Return the words that each text holds, where it holds any: found in all texts at once, none is split."""
    whole, gap = " " + _GAP.join(texts) + " ", len(_GAP)
    starts = list(accumulate((len(text) + gap for text in texts), initial=0))
    found: dict[int, list[str]] = {}
    for word in words:
        place = whole.find(f" {word} ")
        while place >= 0:
            at = bisect_right(starts, place) - 1
            found.setdefault(at, []).append(word)
            place = whole.find(f" {word} ", starts[at + 1])
    return found


def _telling(weighed: list[tuple[float, float]]) -> float:
    """Return what full coverage of terms is worth, by worth and weight: of all, or of the most telling of many."""
    left, whole = _TELLING, 0.0
    for worth, weight in sorted(weighed, reverse=True):
        whole += worth * min(1.0, left / weight)
        left -= weight
        if left <= 0:
            break
    return whole


def rarity(units: int, holding: int) -> float:
    """Return how telling a word is that so many of the units hold; never nothing, in the smallest index."""
    holding = min(units, holding)
    return max(math.log((units - holding + 0.5) / (holding + 0.5)), 0.1 * math.log1p(units))


def _day_worth(question: Question, corpus: Corpus) -> float:
    """Return what the day asked for is worth where no word stands for it ("last week")."""
    if question.days is None or any(term.dated for term in question.terms):
        return 0.0
    return 0.4 * math.log1p(corpus.units)


def section_scores(asked: Asked, held: Iterable[Held], besides: Mapping[int, int]) -> dict[int, float]:
    """Return the BM25 of each section among the lines, a line that holds a term counting once.

    A term that stands in few of these sections says more; the lines are the best matches of all, so that is
    known without an index of sections. ``besides`` are terms to leave out, by section.
    """
    counts: dict[int, dict[int, int]] = {}
    bits: dict[int, list[int]] = {}
    for each in held:
        section = counts.setdefault(each.line.section, {})
        if not each.mask:
            continue
        mask = each.mask & ~besides.get(each.line.section, 0)
        if mask and mask not in bits:
            bits[mask] = [at for at in range(mask.bit_length()) if mask >> at & 1]
        for at in bits.get(mask, ()):
            section[at] = section.get(at, 0) + 1
    spread = Counter(at for section in counts.values() for at in section)
    worth = {
        at: asked.question.terms[at].weight * rarity(len(counts), sections) for at, sections in spread.items()
    }
    return {
        section: sum(worth[at] * often * (_K1 + 1) / (often + _K1) for at, often in found.items())
        for section, found in counts.items()
    }


class Parts(NamedTuple):
    """What an order is the sum of."""

    words: float
    around: float
    section: float
    heading: float = 0.0
    phrase: float = 0.0
    speaker: float = 0.0
    date: float = 0.0
    time: float = 0.0
    asks: float = 0.0
    small_talk: float = 0.0
    file: float = 0.0


class Part(NamedTuple):
    """One part of a score, in words a person understands."""

    name: str  # a field of `Parts`
    value: float
    words: str


def explained(asked: Asked, held: Held, parts: Parts, besides: int) -> tuple[Part, ...]:
    """Return the parts that count, the greatest first; terms ``besides`` (bits) count elsewhere."""
    named = ((name, value) for name, value in parts._asdict().items() if round(value, 2))
    return tuple(
        Part(name, round(value, 2), _words(asked, held, name, held.mask & ~besides))
        for name, value in sorted(named, key=lambda item: -abs(item[1]))
    )


def _words(asked: Asked, held: Held, name: str, mask: int) -> str:
    if name == "words":
        return f"it holds {', '.join(_found(asked, mask))}"
    if name == "speaker":
        return f"{held.speaker} says it"
    if name == "date":
        return f"it is of {held.line.on}"
    return _SAID[name]


def _found(asked: Asked, mask: int) -> Iterator[str]:
    shown: dict[str, float] = {}
    for at, term in enumerate(asked.question.terms):
        if mask >> at & 1:
            shown[term.shown] = shown.get(term.shown, 0.0) + asked.worth[at]
    rarest = max(asked.worth)
    for word, worth in sorted(shown.items(), key=lambda item: -item[1]):
        yield f"“{word}”" + (" (rare)" if worth > 0.8 * rarest and len(asked.worth) > 1 else "")
