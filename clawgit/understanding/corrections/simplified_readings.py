"""Plainer ways to read a message that sets something right: without what only leads up to it or comes after. Pure.

`With all respect, it is Ms Lund, Mr Holm retired` is `it is Ms Lund`. Only clauses of known kinds are left out; what a
message says is not so any more is kept beside it, for nothing else may give way then.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.statements import sentences_of
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import Value, ValueKind, values_in
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.script import HAN_OR_HANGUL
from clawgit.understanding.corrections.result_checks import holds_once, names_more
from clawgit.understanding.forms import lead_in_words as reading_words
from clawgit.understanding.forms import lead_in_words_cjk as reading_words_cjk
from clawgit.understanding.forms.lead_in_words import (
    CHANGED,
    FIRST,
    SO_NOW,
    WHEN_IT_CHANGED,
    WHERE_BEFORE,
)
from clawgit.understanding.values.asserted_text import ADDING, ASKING, ORDERING, UNSURE, without_lead
from clawgit.understanding.values.contrasted_values import contrasts_in
from clawgit.understanding.values.value_positions import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 300  # characters: who says more says more than one thing
_STOPS = " ,;:.!，。；：！"
_STEPS = 8  # clauses before or behind what is meant


class Reading(NamedTuple):
    """What a message says is so, and what it says is not so, or not any more."""

    told: str
    denied: str = ""

    def allows(self, old: str, new: str, said: str) -> bool:
        """Say whether a statement may become another: what is denied of the same must have given way, and no more."""
        if not self.denied:
            return True
        if names_more(self.denied, f"{old} {said}"):
            return False
        if HAN_OR_HANGUL.search(old):
            letters = Counter(old) - Counter(new)
            return bool(letters) and set(letters) <= {*self.denied, " "}
        gone = subject(old) - subject(new)
        return bool(gone) and gone <= subject(self.denied)


def readings(told: str, said: str) -> Iterator[Reading]:
    """Yield what ``told`` comes to as an answer to ``said``, the plainest last; nothing where it is in doubt."""
    whole = folded(told)
    if len(whole) > MOST or holds_once(whole, said):
        return
    rest, denied = _bare(whole)
    found: list[Reading] = []
    if rest and not _is_in_doubt(rest):
        found += [Reading(each, denied) for each in (rest, *_rewritten(rest, said))]
        found += _in_its_stead(rest, denied, said) if denied else ()
    yield from (each for each in dict.fromkeys(found) if each.told != whole.strip(_STOPS))


def _is_in_doubt(rest: str) -> bool:
    """Say whether what is left asks, orders, guesses, adds, or tells the time."""
    is_none = rest.endswith(ASKING) or ORDERING.match(rest) or reading_words_cjk.CLOCK.match(rest)
    return bool(is_none or UNSURE.search(rest) or ADDING.search(rest))


def at_once(told: str) -> Iterator[Reading]:
    """Yield a message that denies one thing and names the other of the same, as one statement."""
    whole = folded(told).strip(_STOPS)
    for shape, plain in reading_words_cjk.AT_ONCE:
        if (found := shape.match(whole)) is not None:
            yield Reading(found.expand(plain), found["old"])


def reasons_in(said: str) -> str:
    """Return what the agent gave as its reasons for what it did, each as a sentence; all that it said where there is none."""
    reasons = [
        found["reason"]
        for sentence in sentences_of(said)
        for pattern in (reading_words.REASON, *reading_words_cjk.REASONS)
        for found in pattern.finditer(sentence)
    ]
    return "\n".join(reasons) or said


def _bare(told: str) -> tuple[str, str]:
    """Return what is left of a message, one sentence at most, and what it denies; nothing where more is left."""
    left: list[str] = []
    denied: list[str] = []
    sentences = sentences_of(told)
    for sentence in sentences:
        rest, gone = without_asides(sentence)
        denied += gone
        if rest and gone and len(sentences) > 1 and not left and sentence != sentences[-1]:
            continue  # `Helen isn't my manager, she's my mentor.`: what is right comes then
        if rest:
            left.append(rest)
    return (left[0], " ".join(denied)) if len(left) == 1 else ("", "")


def without_asides(sentence: str) -> tuple[str, list[str]]:
    """Return a sentence without the clauses of known kinds at its ends, and those of them that deny something."""
    denied: list[str] = []
    for _ in range(_STEPS):
        before = sentence
        for words in (reading_words, reading_words_cjk):
            if (found := words.DENIALS.match(sentence)) is not None:
                denied.append(words.SAYING.sub("", found.group()))
                sentence = sentence[found.end() :]
            sentence = without_lead(words.ASIDES.sub("", sentence, count=1))
            sentence = words.BEHIND.sub("", sentence, count=1)
        if sentence == before:
            break
    return sentence.strip(_STOPS), denied


def _rewritten(rest: str, said: str) -> Iterator[str]:
    """Yield a message as it would say what is so now: `the rent went up to 900` as `the rent is 900`."""
    bare = rest
    if CHANGED.search(rest) is not None and WHEN_IT_CHANGED.search(said) is None:
        bare = WHEN_IT_CHANGED.sub("", rest)
    for pattern, plain in (*reading_words.REWRITTEN, *reading_words_cjk.REWRITTEN):
        if (found := pattern.match(bare)) is not None:
            yield found.expand(plain)
    if bare != rest and SO_NOW.search(bare) is not None:
        yield bare


def _in_its_stead(rest: str, denied: str, said: str) -> Iterator[Reading]:
    """Yield who it is instead, and `not this but that` where one name of what was said is denied, and one other is left."""
    for pattern, plain in reading_words_cjk.INVERTED:
        if (found := pattern.match(rest)) is not None:
            yield Reading(found.expand(plain), denied)
    old = [value for value in values_in(f"= {denied}") if place_of(said, value.text)]
    new = [value for value in values_in(f"= {rest}") if not place_of(f"{said} {denied}", value.text)]
    if len(old) != 1 or len(new) != 1 or {old[0].kind, new[0].kind} != {ValueKind.NAME}:
        return
    more = subject(rest) - subject(new[0].text) - FIRST - subject(said) - subject(denied)
    placed = {_before(f"= {denied}", old[0]), _before(f"= {rest}", new[0])}
    if not more and len(placed) == 1 and not contrasts_in(rest):
        yield Reading(f"not {old[0].text} but {new[0].text}", denied)


def _before(text: str, value: Value) -> str:
    """Return the word before a value that says where it is; who moves to a place is in it."""
    found = WHERE_BEFORE.search(text[: value.start])
    return "" if found is None else found[1].lower().replace("to", "in")
