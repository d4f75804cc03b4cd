"""What becomes of the vector of a statement: it is kept, flagged as stale, or deleted after a time of grace. Pure."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date


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
