"""Whether two statements are about one thing, so that what sets one right sets the other right. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.text.similarity import likeness
from clawgit.text.subjects import subject
from clawgit.text.valuekinds import ADDRESSES, ValueKind, is_telling, values_in

if TYPE_CHECKING:
    from clawgit.memory.rightings import Righting

ALIKE = 70  # of 100: statements that are about nothing but their values
MOST_OF_IT = 0.6  # of what a statement is about must be in an entry that says the same
SOME_OF_IT = 0.2  # of what the entry is about, in turn


def is_about(statement: str, said: str, righted: Righting) -> bool:
    """Say whether a statement is about what was said, the value that is wrong left aside."""
    values = subject(righted.values)
    about, here = subject(said) - values, subject(statement) - values
    if not about or not here:
        return likeness(said, statement) >= ALIKE
    return _is_same(about, here) or _tells(said, righted, about, here)


def _tells(said: str, righted: Righting, about: frozenset[str], here: frozenset[str]) -> bool:
    """Say whether the value alone tells that two statements are about one thing, since hardly two have the same.

    Not where one names somebody or something that the other does not; names are known in scripts with capitals only.
    """
    kinds = {value.kind for old, _ in righted.exchanges for value in values_in(old) if is_telling(value)}
    if not kinds or not said.isascii() or _names_in(said) & about - here:
        return False
    return bool(about & here) or not kinds.isdisjoint(ADDRESSES)


def _names_in(text: str) -> frozenset[str]:
    """Return the terms of what is written with a capital letter."""
    named = [value.text for value in values_in(text) if value.kind is ValueKind.NAME]
    first = text.split(maxsplit=1)[0] if text[:1].isupper() else ""
    return frozenset[str]().union(*map(subject, [*named, first]))


def _is_same(about: frozenset[str], here: frozenset[str]) -> bool:
    """Say whether two statements are about one thing: one may say more of it, but each something else is two things."""
    shared = len(about & here)
    is_within = about <= here or here <= about
    return is_within and shared >= MOST_OF_IT * len(about) and shared >= SOME_OF_IT * len(here)


def names_same(told: str, statement: str, righted: Righting) -> bool:
    """Say whether a message is about a statement: it names the same thing, or nothing but what gives way to what."""
    about = without_values(told) - subject(righted.values)
    here = without_values(statement) | (about & subject(statement))
    if about:
        return _is_same(about, here)
    return any(old.casefold() in told.casefold() for old, _ in righted.exchanges)


def without_values(text: str) -> frozenset[str]:
    """Return what a statement is about, besides the values that it names."""
    named = frozenset[str]().union(*(subject(value.text) for value in values_in(text)))
    return subject(text) - named


def renames(statement: str, righted: Righting) -> bool:
    """Say whether a name gives way before which nothing says what it is of: another thing's name is put there."""
    names = {value.text: value.start for value in values_in(statement) if value.kind is ValueKind.NAME}
    return any(old in names and not subject(statement[: names[old]]) for old, _ in righted.exchanges)
