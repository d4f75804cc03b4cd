"""The topic of a statement: its index words, without those of every statement."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words import stopwords
from clawgit.text.words.terms import TermKind, folded, pieces_of

_COMPOUND = 5  # letters of a word at the beginning or end of a longer one
_ALIKE = 2  # telling words
_NAME = lazy_pattern(r"[^\W\d_a-zß-ÿ]\w+(?:\.? [^\W\d_a-zß-ÿ]\w+)+")
_YEAR = lazy_pattern(r"(?:19|20)\d\d")
_GRAMMAR = stopwords.LIGHT.union(stopwords.DENYING, *stopwords.LANGUAGES)


@lru_cache(maxsize=4096)
def subject(text: str) -> frozenset[str]:
    terms: set[str] = set()
    for piece in pieces_of(text):
        if piece.kind is TermKind.RUN:
            for run in stopwords.without_breaks(piece.shown):
                for part in pieces_of(run):
                    terms.update(part.parts)
        elif piece.kind is TermKind.HANGUL:
            if not stopwords.is_korean_stop(piece.shown):
                terms.update(piece.parts)
        elif piece.shown.lower().replace("'", "").replace("’", "") not in stopwords.ENGLISH:
            terms.add(piece.whole or piece.parts[0])
    return frozenset(terms)


@lru_cache(maxsize=4096)
def telling(text: str) -> frozenset[str]:
    """Return the terms of ``text`` that are not grammar in any language, without accents."""
    words = frozenset(map(folded, subject(text)))
    words -= _GRAMMAR
    return frozenset(word for word in words if len(word) > 2 or not word.isascii() or _is_number(word))


def told_by_both(a: str, b: str) -> int:
    """Return how many telling words two statements share, across languages too (`penicillin`, `penicilina`); a number counts as two.

    0 if each has numbers that the other lacks, or if they share less than a third of the shorter one, or only
    numbers.
    """
    first = telling(a)
    second = telling(b)
    numbers = [frozenset(filter(_is_number, words)) for words in (first, second)]
    if numbers[0] - numbers[1] and numbers[1] - numbers[0]:
        return 0
    shared = shared_with(first, second)
    if all(map(_is_number, shared)):
        return 0
    count = len(shared) + sum(map(_is_number, shared))
    for name in _NAME.findall(a):  # both words of `Frau Sommer` are one name
        count -= max(0, len(shared & telling(name)) - 1)
    if 3 * count < min(len(first), len(second)):
        return 0
    return count


def shared_with(first: frozenset[str], second: frozenset[str]) -> frozenset[str]:
    """Return the words of ``first`` with an equal or related word in ``second``."""
    shared = set(first & second)
    for one, other in product(first - shared, second):
        # a word begins or ends a longer one (`garagencode`), or both begin with the same two thirds of it
        shorter, longer = sorted((one, other), key=len)
        is_declined = len(shorter) == _COMPOUND - 1 and longer == f"{shorter}n"  # `Herrn`
        if is_declined:
            shared.add(one)
        if len(shorter) < _COMPOUND or not (shorter.isalpha() and longer.isalpha()):
            continue
        alike = 0
        while alike < len(shorter) and shorter[alike] == longer[alike]:
            alike += 1
        is_alike = alike > _COMPOUND and 3 * alike >= 2 * len(longer)
        if is_alike or longer.startswith(shorter) or longer.endswith(shorter):
            shared.add(one)
    return frozenset(shared)


def is_alike(a: str, b: str) -> bool:
    """Say whether two statements share enough to be wordings of one."""
    return told_by_both(a, b) >= _ALIKE


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) and len(word) > 1 and _YEAR.fullmatch(word) is None
