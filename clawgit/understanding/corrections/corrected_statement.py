"""From what was said and what the operator says now to how it should read. Nothing is invented.

A value takes the place of one of its own kind; the rest of the old statement stays as it was. Where it cannot
be told which value is meant, or none is named, there is no answer: the correction stays open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.corrections.verdicts import Righting
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.script import HAN_OR_HANGUL
from clawgit.understanding.corrections.result_checks import reads_on, says_all
from clawgit.understanding.corrections.same_subject import is_of_the_other
from clawgit.understanding.forms.phrase_forms import DENIES
from clawgit.understanding.values.asserted_text import (
    ADDING,
    ASKING,
    ORDERING,
    STOP,
    UNSURE,
    bare_value,
    without_lead,
)
from clawgit.understanding.values.contrasted_values import contrasted, contrasts_in
from clawgit.understanding.values.value_positions import place_of
from clawgit.understanding.values.value_swaps import swapped

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 1000  # characters: what is longer is no one statement


def put_right(said: str, told: str) -> Righting | None:
    """Return how ``said`` should read after the operator's ``told``; None where that cannot be known.

    Of the ways to read it, the first that leaves one sound statement counts.
    """
    if max(len(said), len(told)) > MOST:
        return None
    old_text, whole = folded(said), folded(told)
    message = without_lead(whole)
    if not old_text or not message or any(text.endswith(ASKING) for text in (old_text, message)):
        return None
    if (
        ORDERING.match(message)
        or UNSURE.search(message)
        or ADDING.search(message)
        or _names_another(old_text, message)
    ):
        return None
    ways = (_by_contrast, _by_values)
    if (HAN_OR_HANGUL.search(old_text) is None) != (HAN_OR_HANGUL.search(whole) is None):
        ways = (_by_values, _by_values)  # of two languages, only values are distinguished
    found = (read(old_text, message) for read in ways)
    return next((each for each in found if each and _is_sound(old_text, message, each)), None)


def _is_sound(said: str, told: str, found: Righting) -> bool:
    came = [new for _, new in found.exchanges]
    return (
        found.correct != said
        and reads_on(said, found.correct, found.exchanges)
        and says_all(told, said, found.correct)
        and not any(_affirms(told, old, came) for old, _ in found.exchanges)
    )


def _affirms(told: str, old: str, came: Sequence[str]) -> bool:
    """Say whether a message names what is to give way, and does not deny it: then it is about something else."""
    if place_of(told, old) is None or any(old.casefold() in new.casefold() for new in came):
        return False
    parts = [part for part in STOP.split(told) if place_of(part, old) is not None]
    is_denied = bool(parts) and all(DENIES.search(part) for part in parts)
    return not is_denied and not any(old in wrong or wrong in old for wrong, _ in contrasts_in(told))


def _by_contrast(said: str, message: str) -> Righting | None:
    """`not Wednesday but Thursday`: both are named, and the old one is in the statement."""
    found = contrasted(said, message)
    if found is None:
        return None
    start, end, new = found
    return Righting(said[:start] + new + said[end:], ((said[start:end], new),))


def _names_another(said: str, message: str) -> bool:
    """Say whether a message says what was wrong, and that was not said: it is about something else."""
    wrong = [old for old, _ in contrasts_in(message)]
    if is_of_the_other(message, said):
        return True
    return bool(wrong) and not any(_is_said(bare_value(old), said) for old in wrong)


def _is_said(part: str, said: str) -> bool:
    values = [value.text for value in values_in(part)]
    if values:
        return any(value.casefold() in said.casefold() for value in values)
    return place_of(said, part) is not None or bool(subject(part) & subject(said))


def _by_values(said: str, message: str) -> Righting | None:
    """`it's Thursday at 3pm`: what is named besides has no place."""
    pairs, now = swapped(said, message), said
    for old, new in sorted(pairs, key=lambda pair: -pair[0].start):
        now = now[: old.start] + new.text + now[old.end :]
    return Righting(now, tuple((old.text, new.text) for old, new in pairs)) if pairs else None
