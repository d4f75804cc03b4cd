"""Lists of words and parts of patterns that several tables share: how a list is read, days, months, verbs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"


def words_in(listed: str) -> frozenset[str]:
    """Return the words of a list, which are between spaces."""
    return frozenset(listed.split())


def any_of(listed: str) -> str:
    """Return an expression for any of some words or expressions, which are between commas; as written, the first that fits counts."""
    return _either(listed.split(","))


def any_word_of(listed: str) -> str:
    """Return the same with the longer ones first: no word hides one that begins with it. For words, not for expressions."""
    return _either(longest_first(part.strip() for part in listed.split(",")))


def longest_first(words: Iterable[str]) -> list[str]:
    """Return each word once, in an order in which none hides one that begins with it."""
    return sorted(set(words), key=lambda word: (-len(word), word))


def _either(parts: Iterable[str]) -> str:
    return f"(?:{'|'.join([part.strip() for part in parts])})"


# What was done, in a verb that does not end in -ed.
PAST = words_in(
    """went bought got met took made found began won ran saw told wrote left quit had gave came grew taught became spent lost built
    broke sold hurt flew drove chose did used"""
)
# How somebody does something; none of these says that it is of this moment, as `just` and `now` do.
HOW = "really|also|always|usually|mostly|only|still|strongly|absolutely|never|no longer"
