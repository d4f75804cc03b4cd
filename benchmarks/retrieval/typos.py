"""One typing error in the longest word of a question: two letters swapped, one left out, doubled or another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.text.words.stopwords import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Collection
    from random import Random

_WORD = re.compile(r"[A-Za-z]{5,}")
_LETTERS = "etaoinshrdlucmfwypvbgk"


def mistyped(question: str, names: Collection[str], random: Random) -> str:
    """Return the question with one error in its longest word that is no name."""
    words = [
        found
        for found in _WORD.finditer(question)
        if found.group().lower() not in ENGLISH and found.group() not in names
    ]
    if not words:
        return question
    found = max(words, key=lambda word: len(word.group()))
    return question[: found.start()] + _wrong(found.group(), random) + question[found.end() :]


def _wrong(word: str, random: Random) -> str:
    at = random.randrange(1, len(word) - 1)
    return random.choice(
        [
            word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :],
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + random.choice(_LETTERS) + word[at + 1 :],
        ]
    )
