"""Whether a sentence about notes says a number or a name that they do not say. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.text.comparing import fact_words
from clawgit.text.comparing.similarity import words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.common_words import is_common
from clawgit.text.words.stems import english_stem
from clawgit.text.words.stopwords import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKEN = lazy_pattern(r"[^\W_]+(?:[.,:/@'-][^\W_]+)*")
_DECIDING = ("not", "never", "no", "day ", "month ")


def unfounded(sentence: str, notes: Sequence[str], names: Sequence[str] = ()) -> str:
    """Return the first number, name, day or `not` of a sentence that none of its notes has; empty if there is none.

    ``names`` are what the notes are called: a day may be named by its note's name.
    """
    said = frozenset(word for text in (*notes, *names) for word in words(text))
    for match in _TOKEN.finditer(sentence):
        token = match.group()
        if (_is_value(token) or _is_name(token)) and not said.issuperset(words(token)):
            return token
    there = {fact_words.decided(word) for word in said}
    here = ((word, fact_words.decided(word)) for word in words(sentence))
    return next(
        (word for word, meaning in here if meaning.startswith(_DECIDING) and meaning not in there), ""
    )


def _is_value(token: str) -> bool:
    return any(map(str.isdigit, token))


def _is_name(token: str) -> bool:
    """Say whether a word may be a name: it has a capital, and is none of the words with which sentences often begin."""
    word = token.lower()
    return token != word and word not in ENGLISH and not is_common(english_stem(word))
