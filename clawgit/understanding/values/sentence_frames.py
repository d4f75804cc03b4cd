"""`I have three cats`: a statement said again in the same words, but for those that give way. English; pure."""

from __future__ import annotations

import re

from clawgit.understanding.forms.function_words import PERSON, PREPOSITIONS
from clawgit.understanding.values.asserted_text import JUDGEMENTS, LONGEST_VALUE, bare_end
from clawgit.understanding.values.complements import Complement

_PERSONS = frozenset(PERSON.split("|"))
_BE = frozenset({"am", "is", "are"})
_TELLING = frozenset({"use", "prefer"})  # what follows these alone is of one kind, whatever it is
_SHORT = re.compile(rf"(?i)\b({PERSON})['’](m|re|s)\b")
_LONG = {"m": "am", "re": "are", "s": "is"}
_SHORT_NOT = re.compile(r"(?i)\b(do|does|did|is|are|was|were|has|have)n['’]t\b")


def in_its_frame(said: str, message: str) -> Complement | None:
    """Return what gives way where the message says the same of the same, who it is about aside; None else."""
    old, new = said.split(), written_out(message).split()
    if len(new) < len(("it", "uses", "this")) or new[0].lower() not in _PERSONS:
        return None
    verb = form_of(new[1])
    places = [number for number, word in enumerate(old) if number and form_of(word) == verb]
    if len(places) != 1:
        return None
    begin = _shared(old[places[0] :], new[1:])
    start = places[0] + begin
    rest_old, rest_new = old[start:], bare_end(" ".join(new[1 + begin :])).split()
    end = _shared(rest_old[::-1], rest_new[::-1])
    is_framed = end > 0 or begin > 1 or verb in _TELLING
    if end == min(len(rest_old), len(rest_new)):
        end = 0  # more or less of the same: `green tea` for `tea`
    return _between(old, start, end, rest_new) if is_framed else None


def written_out(message: str) -> str:
    """Return a message without the short forms of `am`, `is` and `not`."""
    long = _SHORT.sub(lambda match: f"{match[1]} {_LONG[match[2].lower()]}", message)
    return _SHORT_NOT.sub(r"\1 not", long)


def _between(old: list[str], start: int, end: int, rest_new: list[str]) -> Complement | None:
    stop = len(old) - end
    gone, came = " ".join(old[start:stop]), " ".join(rest_new[: len(rest_new) - end])
    bare = gone.rstrip(".!")
    if not bare or not came or max(len(bare.split()), len(came.split())) > LONGEST_VALUE:
        return None
    if JUDGEMENTS.search(came) or "," in gone + came or _leads_elsewhere(bare, came):
        return None
    after = gone[len(bare) :] + "".join(f" {word}" for word in old[stop:])
    return Complement("".join(f"{word} " for word in old[:start]), bare, after, came)


def _leads_elsewhere(gone: str, came: str) -> bool:
    """Say whether one of two parts is a place or a time and no thing."""
    return not PREPOSITIONS.isdisjoint({gone.split(maxsplit=1)[0].lower(), came.split(maxsplit=1)[0].lower()})


def _shared(one: list[str], other: list[str]) -> int:
    """Return how many words are the same from the beginning on."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if form_of(left) != form_of(right):
            break
        count += 1
    return count


def form_of(word: str) -> str:
    """Return a word without its stop and the ending of a verb or plural."""
    bare = word.lower().strip(".,!")
    if bare in _BE:
        return "be"
    return {"has": "have"}.get(bare, bare.removesuffix("s"))
