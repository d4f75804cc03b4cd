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
TRUSTS = ("external", "host", OPERATOR)  # the lowest first
REWORDED_LIKENESS = 60
MOST_PAIRS = 2500
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
    """Return a line's words, without list marker, id and spare white space; None for a blank one."""
    words = " ".join(without_marks(_MARKER.sub(b"", raw, count=1)).decode("utf-8", "surrogateescape").split())
    entry_id = mark_of([raw])
    return Line(words, entry_id) if words else None


def fold_step(step: Step, origin_of: OriginOf) -> Folded:
    """Return what ``step`` adds: origins of words that are new, and what it says about entries."""
    origins: dict[str, Origin] = {}
    for line in step.added:
        if line.words not in origins and origin_of(line.words) is None:
            trust = _trust(step, line, origin_of)
            origins[line.words] = Origin(step.commit_id, step.at, step.actor, trust)
    return Folded(origins, tuple(_seen(step)))


def _trust(step: Step, line: Line, origin_of: OriginOf) -> str:
    """Return the step's own trust, or that of the words which ``line`` rewords, if that is lower."""
    own = step.trust if step.trust in TRUSTS else TRUSTS[0]
    if step.actor == OPERATOR:
        return own
    olds = (origin_of(old.words) for old in _reworded(line, step.removed))
    return lowest([own, *(old.trust for old in olds if old is not None)])


def _reworded(line: Line, removed: tuple[Line, ...]) -> list[Line]:
    """Return the removed lines that ``line`` may stand for: the same id, or words much like its own."""
    if line.entry_id is not None:
        same = [old for old in removed if old.entry_id == line.entry_id]
        if same:
            return same
    if len(removed) > MOST_PAIRS:
        return list(removed)  # too many to compare: all of them count
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
    for kind, trailers in (("mention", step.mentions), ("class", step.classes)):
        for trailer in trailers:
            entry_id, _, said = trailer.partition(" ")
            yield Seen(entry_id.removeprefix("m:"), kind, step.commit_id, step.at, said)
