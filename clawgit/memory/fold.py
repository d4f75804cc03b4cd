"""Where each statement comes from: a fold over the commits, oldest first.

Source and trust belong to words, not to ids or files: whoever brought the words first is their origin, and
nobody who commits them again, moves them or gives them another id changes that. A rewording takes the lower
of its author's trust and the old words', unless the operator made it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from clawgit.memory.marks import mark_of, without_marks
from clawgit.text.similarity import likeness

if TYPE_CHECKING:
    from collections.abc import Iterable

OPERATOR = "operator"
ITEM = "- "
UNHEARD = ("host", "unknown")  # their mentions do not count: only the operator's messages are mentions
TRUSTS = ("external", "host", OPERATOR)  # the lowest first
REWORDED_LIKENESS = 60
MOST_PAIRS = 250_000  # above, every new line takes the lowest trust of all that went
_MARKER = re.compile(rb"\s*(?:[-*+]|\d{1,9}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Origin:
    """The change that first brought some words, and what they rest on."""

    commit_id: str
    at: str
    actor: str
    trust: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line that a commit added or removed: its words, and the id it carried."""

    words: str
    entry_id: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One commit as the fold sees it."""

    commit_id: str
    at: str
    actor: str
    trust: str
    evidence: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    added: tuple[Line, ...] = ()
    removed: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What one commit says about one entry id: it carried the entry's words, or mentioned or classed it."""

    entry_id: str
    kind: str  # "words", "mention" or "class"
    commit_id: str
    at: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Folded:
    """What one step adds to the state."""

    origins: dict[str, Origin]
    seen: tuple[Seen, ...]


class OriginOf(Protocol):
    """Looks up the origin of words among all earlier steps."""

    def __call__(self, words: str, /) -> Origin | None:
        """Return the origin of ``words``, None if no earlier step brought them."""


def read_line(raw: bytes) -> Line | None:
    """Return a line's words, without id and spare white space; None for a blank one.

    Any list marker becomes `- `: the begin of a statement is not the same as the middle of one.
    """
    marker = _MARKER.match(raw)
    rest = raw[marker.end() :] if marker else raw
    words = " ".join(without_marks(rest).decode("utf-8", "surrogateescape").split())
    return Line((ITEM if marker else "") + words, mark_of([raw])) if words else None


def fold_step(step: Step, origin_of: OriginOf) -> Folded:
    """Return what ``step`` adds: origins of words that are new, and what it says about entries."""
    fresh = {line.words: line for line in step.added if origin_of(line.words) is None}
    trusts = {} if step.actor == OPERATOR else _trusts_of(step.removed, origin_of)
    many = len(fresh) * len(step.removed) > MOST_PAIRS
    own = step.trust if step.trust in TRUSTS else TRUSTS[0]
    least = lowest([own, *trusts.values()])
    origins = {}
    for words, line in fresh.items():
        trust = least if many else _trust(own, line, step, trusts)
        mine = Origin(step.commit_id, step.at, step.actor, trust)
        origins[words] = _lower(origin_of(_other_form(words)), mine)
    return Folded(origins, tuple(_seen(step)))


def _other_form(words: str) -> str:
    """Return the same words as the begin of a statement, or as the middle of one."""
    return words.removeprefix(ITEM) if words.startswith(ITEM) else ITEM + words


def _lower(earlier: Origin | None, mine: Origin) -> Origin:
    """Return who words in a new form come from: whoever brought them in the other, unless that would raise them."""
    if earlier is not None and lowest([earlier.trust, mine.trust]) == earlier.trust:
        return earlier
    return mine


def _trusts_of(lines: Iterable[Line], origin_of: OriginOf) -> dict[str, str]:
    found = {line.words: origin_of(line.words) for line in lines}
    return {words: origin.trust for words, origin in found.items() if origin is not None}


def _trust(own: str, line: Line, step: Step, trusts: dict[str, str]) -> str:
    """Return the step's own trust, or that of the words which ``line`` rewords, if that is lower."""
    if len(set(trusts.values()) - {own}) == 0:
        return own  # nothing that went rests on less or more, so there is nothing to compare
    olds = (trusts.get(old.words) for old in _reworded(line, step.removed))
    return lowest([own, *(trust for trust in olds if trust is not None)])


def _reworded(line: Line, removed: tuple[Line, ...]) -> list[Line]:
    """Return the removed lines that ``line`` may stand for: the same id, or words much like its own."""
    if line.entry_id is not None:
        same = [old for old in removed if old.entry_id == line.entry_id]
        if same:
            return same
    return [old for old in removed if likeness(old.words, line.words) >= REWORDED_LIKENESS]


def lowest(trusts: Iterable[str]) -> str:
    """Return the lowest of several trusts."""
    return min(trusts, key=lambda trust: TRUSTS.index(trust) if trust in TRUSTS else 0)


def _seen(step: Step) -> Iterable[Seen]:
    quotes = step.evidence or ("",)
    for line in step.added:
        if line.entry_id is not None:
            for quote in quotes:
                yield Seen(line.entry_id, "words", step.commit_id, step.at, quote)
    mentions = () if step.actor in UNHEARD else step.mentions
    for kind, trailers in (("mention", mentions), ("class", step.classes)):
        for trailer in trailers:
            entry_id, _, said = trailer.partition(" ")
            yield Seen(entry_id.removeprefix("m:"), kind, step.commit_id, step.at, said)
