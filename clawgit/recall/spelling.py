"""Words the index does not know, and the known ones they were probably meant to be."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rapidfuzz.distance import DamerauLevenshtein
from rapidfuzz.process import extract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from clawgit.recall.questions import Question, Term

LIKENESS = 0.75  # Damerau-Levenshtein, normalised
_SHORTEST = 4  # of three letters every other word is a neighbour
_CLOSE = 0.04  # words this much further off than the nearest are searched as well
_MOST = 3
_SPELT = re.compile("[^\\W\\d_\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u2e80-\U0003ffff]+")  # letters, no CJK

Known = "Callable[[str], Iterable[tuple[str, int]]]"


@dataclass(frozen=True, slots=True)
class Correction:
    """A word as typed, and the index words searched as well."""

    typed: str
    meant: tuple[str, ...]


def corrected(
    question: Question, seen: Mapping[str, int], beginning: Callable[[str], Iterable[tuple[str, int]]]
) -> tuple[Question, tuple[Correction, ...]]:
    """Return the question with the nearest index words added to terms that no unit holds, and what was added.

    ``seen`` tells in how many units each of ``question.words`` stands. ``beginning`` is only called for a word
    that may be misspelt: with its first letter, and with nothing (all words) if no word with that is near; it
    returns index words and in how many units they stand.
    """
    terms, corrections = [], []
    for term in question.terms:
        meant = _nearest(term.words[0], beginning) if _may_be_misspelt(term, seen) else ()
        terms.append(replace(term, words=(*term.words, *meant)) if meant else term)
        if meant:
            corrections.append(Correction(term.shown, meant))
    return replace(question, terms=tuple(terms)), tuple(corrections)


def _may_be_misspelt(term: Term, seen: Mapping[str, int]) -> bool:
    if any(seen.get(word) for word in term.words) or term.dated:
        return False
    return len(term.words[0]) >= _SHORTEST and _SPELT.fullmatch(term.words[0]) is not None


def _nearest(word: str, beginning: Callable[[str], Iterable[tuple[str, int]]]) -> tuple[str, ...]:
    for prefix in (word[0], ""):
        counts = {known: units for known, units in beginning(prefix) if abs(len(known) - len(word)) <= len(word) // 4}
        found = extract(
            word, counts.keys(), scorer=DamerauLevenshtein.normalized_similarity, score_cutoff=LIKENESS, limit=12
        )
        if found:
            near = [(known, score) for known, score, _ in found if score >= found[0][1] - _CLOSE]
            near.sort(key=lambda item: (-item[1], -counts[item[0]], item[0]))
            return tuple(known for known, _ in near[:_MOST])
    return ()
