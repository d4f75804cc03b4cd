"""Entries and vectors that carry no weight any more: which go, and which of two that say the same stays. Pure."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.provenance.pieces import storable
from clawgit.memory.trust import TRUSTS
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from clawgit.memory.entry_states import EntryState


WEAK = 30  # hundredths: below that
IDLE_DAYS = 60  # without mention
MOST_PERCENT = 20  # of a file's words in one run: what is more waits for the next
_CORRECTION = lazy_pattern(r"(?i)#correction\b")


class Weight(NamedTuple):
    """What decides whether an entry stays.

    ``idle`` are the days since it was said last; ``by_hand``: the operator wrote it, or somebody brought it back.
    """

    confidence: int
    idle: int
    is_correction: bool = False
    by_hand: bool = False

    @property
    def is_weak(self) -> bool:
        """Say whether the entry may go; what a correction is about and what the operator wrote himself never may."""
        return (
            self.confidence < WEAK and self.idle >= IDLE_DAYS and not self.is_correction and not self.by_hand
        )


def weight_of(state: EntryState, on: date) -> Weight:
    """Return the weight of an entry; one that nobody came back to is idle since it was written."""
    idle = (on - (state.last_mention or state.since)).days
    return Weight(
        state.confidence, idle, touches_correction(state), state.source == "operator" or is_back(state)
    )


def is_back(state: EntryState) -> bool:
    """Say whether the entry left its file once and somebody brought it back: it is wanted there."""
    words = storable(state.entry.text)
    came = [
        seen
        for seen in state.seen
        if seen.kind == "words" and seen.path == state.path and seen.words == words
    ]
    return len(came) > 1


def touches_correction(state: EntryState) -> bool:
    """Say whether a correction is about the entry, or it says of itself that it is one."""
    return bool(state.corrections) or _CORRECTION.search(state.entry.text) is not None


def weakest(states: Iterable[EntryState], on: date, words: int) -> list[EntryState]:
    """Return the weak entries, the weakest first, as long as they have no more than a part of the file's ``words``."""
    weak = [(weight, state) for state in states if (weight := weight_of(state, on)).is_weak]
    weak.sort(key=lambda each: (each[0].confidence, -each[0].idle, each[1].entry.first))
    found: list[EntryState] = []
    size = 0
    for _, state in weak:
        size += len(state.entry.text.split())
        if found and size * 100 > words * MOST_PERCENT:
            break
        found.append(state)
    return found


def which_stays(one: EntryState, other: EntryState) -> tuple[EntryState, EntryState]:
    """Return of two entries that say the same the one that stays and the one that goes: more trusted, surer, older."""
    ranked = sorted(
        (one, other),
        key=lambda each: (-TRUSTS.index(each.trust), -each.confidence, each.since, each.entry.first),
    )
    return ranked[0], ranked[1]


class Step(Enum):
    """What is done next."""

    KEEP = "keep"
    FLAG = "flag"
    UNFLAG = "unflag"
    DELETE = "delete"


class Kept(NamedTuple):
    """A statement with a vector: when it was said last and how often, since when it is corrected, and flagged."""

    last_seen: date
    mentions: int = 1
    corrected: date | None = None
    flagged: date | None = None
    is_correction: bool = False


class Graces(NamedTuple):
    """The settings that decide, in days."""

    corrected: int = 7
    stale: int = 180
    flagged: int = 30


DEFAULT = Graces()


def next_step(kept: Kept, on: date, graces: Graces = DEFAULT) -> Step:
    """Return what is done with a vector on a day; a correction's is always kept.

    What was said once and not for long is flagged, deleted when it stayed flagged, and kept again once it is said again.
    """
    if kept.is_correction:
        return Step.KEEP
    if kept.corrected is not None:
        return Step.DELETE if (on - kept.corrected).days > graces.corrected else Step.KEEP
    is_stale = kept.mentions <= 1 and (on - kept.last_seen).days > graces.stale
    if not is_stale:
        return Step.KEEP if kept.flagged is None else Step.UNFLAG
    if kept.flagged is None:
        return Step.FLAG
    return Step.DELETE if (on - kept.flagged).days >= graces.flagged else Step.KEEP
