"""From what was said and what the operator says now to how it should read. Nothing is invented.

A value takes the place of one of its own kind; the rest of the old statement stays as it was. Where it cannot
be told which value is meant, or none is named, there is no answer: the correction stays open.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.memory.corrections.verdicts import Righting
from clawgit.text.comparing.similarity import likeness, words
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import Value, values_in
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.script import HAN_OR_HANGUL
from clawgit.understanding.corrections.result_checks import reads_on, says_all
from clawgit.understanding.corrections.same_subject import is_elsewhere, is_of_the_other, without_values
from clawgit.understanding.forms.phrase_forms import any_form
from clawgit.understanding.values.asserted_text import (
    ADDING,
    ASKING,
    LINK,
    ORDERING,
    SHORTEST_STATEMENT,
    STOP,
    UNSURE,
    bare_end,
    bare_value,
    without_lead,
)
from clawgit.understanding.values.complements import complement, is_said_of
from clawgit.understanding.values.contrasted_values import contrasted, contrasts_in
from clawgit.understanding.values.same_kind import can_replace, is_alike
from clawgit.understanding.values.sentence_frames import in_its_frame
from clawgit.understanding.values.value_alignment import aligned
from clawgit.understanding.values.value_positions import exchanged_all, place_of
from clawgit.understanding.values.value_swaps import VERB, has_rivals, is_one_value, swapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST = 1000  # characters: what is longer is no one statement
LIKE = 55  # how alike (0..100) a whole new statement must be to one that it puts right
# What was said is not so, or not any more.
_DENIES = any_form(
    r"\bnot\b|n['’]t\b|\bno longer\b|\bany ?more\b|\bused to\b|\b(?:left|moved|quit|retired|resigned|gone)\b",
    "[不没沒]|调走|离开|离职|辞职|走了|换了",
    "아니|안 |않|그만뒀|떠났",
)
_NUMBERED = re.compile(
    r"(?i)(?:the )?([a-z]+) (\d+)\b"
)  # what a statement is about: `Release 4 ships in May`
_IS_SOMEWHERE = re.compile(r"(?i)(?:now )?(?:i|we|he|she|they)(?:['’](?:m|re|s)| am| are| is) ")
_MY_NAME = re.compile(r"(?i)my name(?:['’]s| is)\b")
_OF_A_NAME = re.compile(r"(?i)\b(?:your?|user|name|named)\b")
_MINE = re.compile(r"(?i)(?:my|our)\b")
_SELF = re.compile(r"(?i)(?:i|we)\b")


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
    ways: tuple[Callable[[str, str], Righting | None], ...]
    ways = (_by_contrast, by_values, _by_frame, _by_alignment, _by_statement, _by_complement)
    if (HAN_OR_HANGUL.search(old_text) is None) != (HAN_OR_HANGUL.search(whole) is None):
        ways = (by_values,)  # of two languages, only values are told apart
    readings = (read(old_text, message) for read in ways)
    return next((found for found in readings if found and _is_sound(old_text, message, found)), None)


def _is_sound(said: str, told: str, found: Righting) -> bool:
    if found.correct == said:
        return False
    came = [new for _, new in found.exchanges] or [found.correct]
    if not found.exchanges and not _is_one_like(found.correct, said):
        return False
    return (
        reads_on(said, found.correct, found.exchanges)
        and says_all(told, said, found.correct, came)
        and not any(_affirms(told, old, came) for old, _ in found.exchanges)
        and not any(_is_ordered(told, new) for new in came)
        and not any(_says_more(old, new) for old, new in found.exchanges)
    )


def _is_one_like(new: str, said: str) -> bool:
    """Say whether a whole new statement is about the same thing, and as short."""
    stops = [len(STOP.findall(text)) for text in (bare_end(new), bare_end(said))]
    verb = VERB.search(said)
    about = without_values(said) | subject(said[: verb.start()] if verb else said.split(maxsplit=1)[0])
    is_told = bool(_MINE.match(new)) and not _MINE.match(said)
    return stops[0] <= stops[1] and about <= subject(new) and not (_SELF.match(new) or is_told)


def _affirms(told: str, old: str, came: Sequence[str]) -> bool:
    """Say whether a message names what is to give way, and does not deny it: then it is about something else."""
    if place_of(told, old) is None or any(old.casefold() in new.casefold() for new in came):
        return False
    parts = [part for part in STOP.split(told) if place_of(part, old) is not None]
    is_denied = bool(parts) and all(_DENIES.search(part) for part in parts)
    return not is_denied and not any(old in wrong or wrong in old for wrong, _ in contrasts_in(told))


def _says_more(old: str, new: str) -> bool:
    """Say whether a value is the old one with more words behind it: `Kaldi's closed`; a number makes it another issue."""
    more = new[len(old) :]
    is_longer = new.casefold().startswith(old.casefold()) and more[:1] == " "
    return is_longer and not any(map(str.isdigit, more))


def _is_ordered(told: str, came: str) -> bool:
    """Say whether a message names something in what is to be done: `she left for lunch, ask Oskar`."""
    return any(ORDERING.match(part.strip()) and place_of(part, came) for part in STOP.split(told)[1:])


def _by_contrast(said: str, message: str) -> Righting | None:
    """`not Wednesday but Thursday`: both are named, and the old one stands in the statement."""
    found = contrasted(said, message)
    if found is None:
        return None
    start, end, new = found
    return Righting(said[:start] + new + said[end:], ((said[start:end], new),))


def _names_another(said: str, message: str) -> bool:
    """Say whether a message says what was wrong, and that was not said: it is about something else."""
    if is_of_the_other(message, said) or (_MY_NAME.match(message) and not _OF_A_NAME.search(said)):
        return True
    wrong = [old for old, _ in contrasts_in(message)]
    if (named := _NUMBERED.match(said)) is not None:
        others = re.findall(rf"(?i)\b{re.escape(named[1])} (\d+)\b", message)
        if others and named[2] not in others:
            return True
    return bool(wrong) and not any(_is_said(bare_value(old), said) for old in wrong)


def _is_said(part: str, said: str) -> bool:
    values = [value.text for value in values_in(part)]
    if values:
        return any(value.casefold() in said.casefold() for value in values)
    return place_of(said, part) is not None or bool(subject(part) & subject(said))


def by_values(said: str, message: str) -> Righting | None:
    """`it's Thursday at 3pm`: what is named besides has no place."""
    pairs = swapped(said, message)
    return _with(said, pairs) if pairs else None


def _by_frame(said: str, message: str) -> Righting | None:
    """`I have three cats`: the words that differ give way, those around them stay."""
    found = in_its_frame(said, message)
    if found is None or not is_alike(found.old, found.new):
        return None
    return Righting(found.before + found.new + found.after, ((found.old, found.new),))


def _by_alignment(said: str, message: str) -> Righting | None:
    """The statement said again, with something else in one place."""
    for part in dict.fromkeys((message, STOP.split(message, maxsplit=1)[0])):
        pairs = aligned(said, part)
        correct = exchanged_all(said, pairs) if pairs else None
        if correct is not None and all(can_replace(*pair) for pair in pairs):
            return Righting(correct, pairs)
    return None


def _by_statement(said: str, message: str) -> Righting | None:
    """A whole statement about the same thing stands for itself."""
    bare = bare_end(message)
    enough = len(words(bare)) > SHORTEST_STATEMENT and not LINK.match(bare)
    return Righting(_dressed(bare, said)) if enough and likeness(said, bare) >= LIKE else None


def _by_complement(said: str, message: str) -> Righting | None:
    """`it's blue`: what stands behind `is` gives way, where the message is no more than a value."""
    found = complement(said, message)
    if found is None or not is_alike(found.old, found.new):
        return None
    if _IS_SOMEWHERE.match(message) and is_elsewhere(found.old, found.new):
        return None  # `he's in York` is not where he works
    if has_rivals(said, found.new) and not (is_said_of(found.before) and is_one_value(found.old)):
        return None
    return Righting(found.before + found.new + found.after, ((found.old, found.new),))


def _dressed(bare: str, said: str) -> str:
    """Return a statement with the capital and the stop that the old one has."""
    start = bare[0].upper() if said[0].isupper() else bare[0]
    stop = said[-1] if said[-1] in ".。" and bare[-1] not in ".。!！" else ""
    return start + bare[1:] + stop


def _with(said: str, pairs: list[tuple[Value, Value]]) -> Righting:
    for old, new in sorted(pairs, key=lambda pair: -pair[0].start):
        said = said[: old.start] + new.text + said[old.end :]
    return Righting(said, tuple((old.text, new.text) for old, new in pairs))
