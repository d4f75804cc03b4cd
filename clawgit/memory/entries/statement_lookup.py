"""Which statement somebody means who gives some of its words, and how sure that is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.text.comparing.similarity import likeness, words

if TYPE_CHECKING:
    from collections.abc import Sequence

CERTAIN = 100
SAME_WORDS = 99  # in other letters or signs
CONTAINED = 90
SCATTERED = 75
CLOSE = 60
AS_GOOD = 3  # closer than that, and nobody can say which of two is meant
MOST_OTHERS = 5
BY_WORDS, BY_PART, BY_SOME, BY_LIKENESS = "its words", "a part of its words", "some of its words", "likeness"
UNSURE = (BY_SOME, BY_LIKENESS)
_TELLING = 12  # a part of fewer letters is in many statements by chance
_LETTER = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Meant:
    """The statement's number, how sure it is of 100, by what it was found, and the numbers of others as good."""

    number: int
    sure: int
    by: str
    others: tuple[int, ...] = ()


def which_is_meant(asked: str, texts: Sequence[str]) -> Meant | None:
    """Return the text that is ``asked`` for: its words, a part or some of them, or words like them; None if nothing is.

    Of several that are as good, the sureness is shared.
    """
    wanted = " ".join(asked.split())
    if not wanted:
        return None
    scores = [likeness(wanted, text) for text in texts]
    best = max(scores, default=0)
    same = [number for number, text in enumerate(texts) if text == wanted]
    spelled = [number for number, score in enumerate(scores) if score == CERTAIN]
    holding = [number for number, text in enumerate(texts) if wanted.casefold() in text.casefold()]
    holding.sort(key=lambda number: len(texts[number]))
    some = _having_all(wanted, texts)
    close = [number for number, score in enumerate(scores) if score >= max(best - AS_GOOD, CLOSE)]
    close.sort(key=lambda number: -scores[number])
    return (
        _shared(same, CERTAIN, BY_WORDS)
        or _shared(spelled, SAME_WORDS, BY_WORDS)
        or _shared(holding, _telling(wanted), BY_PART)
        or (_shared(some, min(_telling(wanted), SCATTERED), BY_SOME) if best < SCATTERED else None)
        or _shared(close, best, BY_LIKENESS)
    )


def _having_all(wanted: str, texts: Sequence[str]) -> list[int]:
    """Return the texts that hold all of several words, wherever they are, the shortest first."""
    asked = set(words(wanted))
    found = [number for number, text in enumerate(texts) if len(asked) > 1 and asked <= set(words(text))]
    return sorted(found, key=lambda number: len(texts[number]))


def _telling(wanted: str) -> int:
    """Return how sure a part of a statement is: the fewer letters, the less."""
    letters = len(_LETTER.findall(wanted))
    return CONTAINED if letters >= _TELLING else CONTAINED * (letters + 3) // (_TELLING + 3)


def _shared(numbers: Sequence[int], sure: int, by: str) -> Meant | None:
    if not numbers:
        return None
    return Meant(numbers[0], sure // len(numbers), by, tuple(numbers[1 : MOST_OTHERS + 1]))
