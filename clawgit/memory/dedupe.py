"""Whether two statements are the same, contradict each other, or have nothing to do with one another. Pure.

A threshold alone merges nothing: where numbers, dates, names or a `not` differ, statements that look alike are a
conflict. Word overlap is measured as Jaccard does, the least of the usual four measures: what passes it, passes all.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from clawgit.text import factwords
from clawgit.text.similarity import facts_differ, likeness, words
from clawgit.text.stopwords import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ALIKE = 90
MERGED = 0.6  # strictly more


class Relation(Enum):
    """What one statement is to another."""

    SAME = "same"
    CONFLICT = "conflict"
    DIFFERENT = "different"


_RELATING = frozenset(
    [
        "over",
        "than",
        "instead",
        "to",
        "from",
        "before",
        "after",
        "by",
        "for",
        "into",
        "above",
        "below",
        "replaces",
        "比",
        "보다",
    ]
)
# Ways of writing that say the same, so that the guard sees no difference in them.
_SAME_WORDS = (
    (re.compile(r"(?i)\b(?:all|now)\b(?! of\b)"), " "),
    (re.compile("使用的?是?|采用的?是?|採用的?是?|用的?是"), "用"),
    (re.compile("[而并並](?:不是|非)"), "而非"),
    (re.compile(r"(?:이다|입니다|이에요|예요|이야)(?=[\s.。]|$)"), "이다"),
    (re.compile(r"(?:했다|했습니다|했어요|했어)(?=[\s.。]|$)"), "했다"),
)


def relation(a: str, b: str, *, by_overlap: bool = True) -> Relation:
    """Return what ``a`` is to ``b``; without ``by_overlap`` only what is nearly the same text counts as alike."""
    alike = likeness(a, b) >= ALIKE or (by_overlap and overlap(a, b) > MERGED)
    if not alike and not _is_near(a, b):
        return Relation.DIFFERENT
    if facts_differ(_plain(a), _plain(b)) or _is_turned_round(words(a), words(b)):
        return Relation.CONFLICT
    return Relation.SAME if alike else Relation.DIFFERENT


def contradicts(statement: str, said: str, correct: str) -> bool:
    """Say whether a statement repeats what was set right, or says a third thing in place of what is right."""
    if said and relation(statement, said) is Relation.SAME:
        return True
    if not correct or relation(statement, correct) is not Relation.CONFLICT:
        return False
    here, wrong, right = set(words(statement)), set(words(said)), set(words(correct))
    return all(word in wrong ^ right or _is_value(word) or word in ENGLISH for word in here ^ right)


def overlap(a: str, b: str) -> float:
    """Return which part of the words of both are words of each: Jaccard's measure, 0 where there are none."""
    first, second = set(words(a)), set(words(b))
    together = first | second
    return len(first & second) / len(together) if together else 0.0


def _is_near(a: str, b: str) -> bool:
    """Say whether two statements may be of one thing, for them to contradict each other: by Dice's measure."""
    part = overlap(a, b)
    return 2 * part / (1 + part) > MERGED


def _is_turned_round(a: Sequence[str], b: Sequence[str]) -> bool:
    """Say whether what both name stands in another order about a word that relates it: `tea over coffee`."""
    if not _RELATING.intersection(a):
        return False
    shared = set(a).intersection(b) - ENGLISH
    first, second = (list(dict.fromkeys(word for word in each if word in shared)) for each in (a, b))
    return first != second


def _is_value(word: str) -> bool:
    return any(map(str.isdigit, word)) or factwords.decided(word) != ""


def _plain(text: str) -> str:
    for pattern, same in _SAME_WORDS:
        text = pattern.sub(same, text)
    return " ".join(text.split())


@dataclass(slots=True)
class Statements:
    """Statements by their words, so that a new one is compared with those alone that share most of its words."""

    texts: list[str] = field(default_factory=list)
    _holding: dict[str, list[int]] = field(default_factory=dict)

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.texts, self._holding = [], {}
        for text in texts:
            self.add(text)

    def add(self, text: str) -> int:
        """Add a statement and return its number."""
        number = len(self.texts)
        self.texts.append(text)
        for word in set(words(text)):
            self._holding.setdefault(word, []).append(number)
        return number

    def like(self, text: str, *, by_overlap: bool = True) -> list[tuple[int, Relation]]:
        """Return the statements that ``text`` is the same as or contradicts, the same ones first, then the latest."""
        asked = set(words(text))
        shared = Counter(number for word in asked for number in self._holding.get(word, ()))
        near = sorted((number for number, count in shared.items() if 2 * count >= len(asked)), reverse=True)
        found = [(number, relation(self.texts[number], text, by_overlap=by_overlap)) for number in near]
        return sorted(
            (pair for pair in found if pair[1] is not Relation.DIFFERENT),
            key=lambda pair: pair[1] is not Relation.SAME,
        )
