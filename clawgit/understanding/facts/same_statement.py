"""Whether two statements are the same, contradict each other, or are unrelated. Pure.

A threshold alone merges nothing: similar statements with different numbers, dates, names or a `not` are a
conflict. Word overlap is Jaccard's, the lowest of the usual four measures: a pair above it is above all of
them.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING

from clawgit.text.comparing import fuzzy
from clawgit.text.comparing.similarity import decided, facts_differ, likeness, words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.stopwords import ENGLISH
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.facts.routing import unlabelled
from clawgit.understanding.forms.sentence_forms import OPENING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


ALIKE = 90
MERGED = 0.6  # strictly more


class Relation(Enum):
    """The relation of one statement to another."""

    SAME = "same"
    CONFLICT = "conflict"
    DIFFERENT = "different"


# The order of the words beside these decides who or which.
RELATING = words_in("over than instead to from before after by for into above below replaces 比 보다")
_QUOTED = lazy_pattern(r"^[^\W\d_][\w.'-]{0,30}: \"(.+)\"$")  # the speaker of the words: `User: "…"`
_OPENING = lazy_pattern(OPENING, re.IGNORECASE)
# The operator, in his words and in memory's.
_HIMSELF = (
    (lazy_pattern(r"(?i)\bi(?:['’]m| am)\b"), "User is"),
    (lazy_pattern(r"(?i)\bi(?:['’]ve| have)\b"), "User has"),
    (lazy_pattern(r"\bI\b"), "User"),
    (lazy_pattern(r"(?i)\b(?:my|the user['’]s)\b"), "User's"),
    (lazy_pattern("我"), "用户"),
    (lazy_pattern(r"(?<![가-힣])(?:저는|나는|전|난)(?= )"), "사용자는"),
    (lazy_pattern(r"(?<![가-힣])(?:제|내)(?= )"), "사용자의"),
)
# Equivalent spellings, which the guard treats as equal.
_SAME_WORDS = (
    (lazy_pattern(r"(?i)\b(?:all|now)\b(?! of\b)"), " "),
    (lazy_pattern(r"(?<=\d),(?=\d{3}(?!\d))"), ""),
    (lazy_pattern(r"(?i)\brather than\b"), "instead of"),
    (lazy_pattern("使用的?是?|采用的?是?|採用的?是?|用的?是"), "用"),
    (lazy_pattern("[而并並](?:不是|非)"), "而非"),
    (lazy_pattern(r"(?:이다|입니다|이에요|예요|이야)(?=[\s.。]|$)"), "이다"),
    (lazy_pattern(r"(?:했다|했습니다|했어요|했어)(?=[\s.。]|$)"), "했다"),
    (lazy_pattern(r"(?:해요|합니다|한다|해)(?=[\s.。!]|$)"), "한다"),
    (lazy_pattern(r"(?:살아요|삽니다|살아|산다)(?=[\s.。!]|$)"), "산다"),
    (lazy_pattern(r"있(?:어요|습니다|어|다)(?=[\s.。!]|$)"), "있다"),
)
# In a short statement each telling word counts: `allergic to nuts`, `allergic to pine nuts`.
_FEW_WORDS, _FEW_LETTERS = 4, 12
_LIGHT_LETTERS = frozenset("的了很真都也还還最常非就是在我们們")
_ENDING = 2  # letters: `run`, `runs`


def relation(a: str, b: str, *, by_overlap: bool = True) -> Relation:
    """Return the relation of ``a`` to ``b``; without ``by_overlap`` only nearly equal texts are alike."""
    a = said_by_memory(a)
    b = said_by_memory(b)
    if not a or not b:
        return Relation.DIFFERENT
    alike = likeness(a, b) >= ALIKE or (by_overlap and overlap(a, b) > MERGED)
    part = overlap(a, b)
    is_near = 2 * part / (1 + part) > MERGED  # Dice's measure: perhaps the same topic
    if not alike and not is_near:
        return Relation.DIFFERENT
    if facts_differ(a, b) or _is_turned_round(words(a), words(b)):
        return Relation.CONFLICT
    return Relation.SAME if alike else Relation.DIFFERENT


def _says_another_thing(a: str, b: str) -> bool:
    """Say whether two similar statements have different topics.

    Either each has a telling word that the other lacks (`allergic to cats`, `to dogs`), or they are short and
    one has.
    """
    first = _telling(said_by_memory(a))
    second = _telling(said_by_memory(b))
    strange = _has_strange(first, second) + _has_strange(second, first)
    few = _FEW_LETTERS if any("\u3400" <= word <= "\u9fff" for word in first) else _FEW_WORDS
    return strange == 2 or (strange == 1 and min(len(first), len(second)) <= few)


def _telling(text: str) -> frozenset[str]:
    return frozenset(words(text)) - ENGLISH - _LIGHT_LETTERS


def _has_strange(words_of_one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether one has a word that the other has in no form."""
    return not all(any(_is_form_of(word, each) for each in other) for word in words_of_one - other)


def _is_form_of(word: str, other: str) -> bool:
    shared = fuzzy.Prefix.similarity(word, other)
    shorter, longer = sorted((len(word), len(other)))
    return shared >= max(3, shorter - 1) and longer - shared <= _ENDING


def contradicts(statement: str, old_text: str, correct: str) -> bool:
    """Say whether a statement repeats the corrected text, or gives a third value in the place of the exchanged ones."""
    statement = said_by_memory(statement)
    if old_text and relation(statement, old_text) is Relation.SAME:
        return True
    if not correct or relation(statement, correct) is not Relation.CONFLICT:
        return False
    here = set(words(statement))
    wrong = set(words(old_text))
    right = set(words(correct))
    numbers = set(filter(str.isdigit, wrong & right))
    if not numbers <= here:
        return False  # it is about another number: item 3, not item 1
    exchanged = wrong ^ right
    is_of_value = any(map(_is_value, exchanged))  # a new day says nothing against a new hall
    return all(
        word in exchanged or word in ENGLISH or (is_of_value and _is_value(word)) for word in here ^ right
    )


def replaces(old: str, new: str) -> bool:
    """Say whether a statement repeats another one with a new value at its end: `the port is 8443`."""
    before = words(said_by_memory(old))
    after = words(said_by_memory(new))
    shared = next((at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
    ends = (before[shared:], after[shared:])
    is_told = any(word not in ENGLISH and not _is_value(word) for word in before[:shared])
    return is_told and all(end and all(map(_is_value, end)) for end in ends)


def overlap(a: str, b: str) -> float:
    """Return the common share of all words of both: Jaccard's measure, 0 without words."""
    first = set(words(a))
    second = set(words(b))
    together = first | second
    return len(first & second) / len(together) if together else 0.0


def _is_turned_round(a: Sequence[str], b: Sequence[str]) -> bool:
    """Say whether the common words are in another order around a relating word: `tea over coffee`."""
    if not RELATING.intersection(a):
        return False
    shared = set(a).intersection(b) - ENGLISH
    first = list(dict.fromkeys(filter(shared.__contains__, a)))
    return first != list(dict.fromkeys(filter(shared.__contains__, b)))


def _is_value(word: str) -> bool:
    return any(map(str.isdigit, word)) or decided(word) != ""


def same_wording(text: str) -> str:
    """Return a text in one of several equivalent spellings."""
    for pattern, same in _SAME_WORDS:
        text = pattern.sub(same, text)
    return " ".join(text.split())


def said_by_memory(text: str) -> str:
    """Return a statement in one wording, without label and quotation marks, with one name for the operator."""
    text = unlabelled(_QUOTED.sub(r"\1", text))
    opening = _OPENING.match(text)
    if opening is not None and any(map(str.isalnum, opening.group())):
        text = text[opening.end() :] or text
    for pattern, same in _HIMSELF:
        text = pattern.sub(same, text)
    return same_wording(text)


class Statements:
    """Statements by their words, so that a new one is compared only with those that share most of its words."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.texts: list[str] = []
        self._holding: dict[str, list[int]] = {}
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
        """Return the statements that ``text`` equals or contradicts, the equal ones first, then the latest."""
        own = set(words(text))
        shared = Counter(number for word in own for number in self._holding.get(word, ()))
        same: list[tuple[int, Relation]] = []
        contrary: list[tuple[int, Relation]] = []
        for number in sorted(shared, reverse=True):
            if 2 * shared[number] < len(own):
                continue
            how = relation(self.texts[number], text, by_overlap=by_overlap)
            if how is Relation.CONFLICT:
                contrary.append((number, how))
            elif how is Relation.SAME and not _says_another_thing(self.texts[number], text):
                same.append((number, how))
        return same + contrary
