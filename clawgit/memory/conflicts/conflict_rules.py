"""Which of two entries that contradict each other holds: by what they rest on, and how old they are. Pure."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.conflicts.conflict_log import Outcome
from clawgit.memory.entries.entries import Tag
from clawgit.memory.trust import OPERATOR

if TYPE_CHECKING:
    from datetime import date

APART = timedelta(days=30)  # or more
_DATED = frozenset({Tag.EVENT, Tag.KNOWLEDGE, Tag.DECISION})


class Claim(NamedTuple):
    """What counts of an entry: the day of its words, what they rest on, its tag, and whether a correction made it read so.

    ``dated`` is the day that its line names, where it names one: a fact of long ago may be written down today.
    """

    on: date
    trust: str
    tag: Tag | None
    is_correction: bool = False
    dated: date | None = None

    @property
    def told(self) -> date:
        """Return the day that the entry is of, by its line."""
        return self.dated or self.on


class Ruling(NamedTuple):
    """Which of two holds, and by which rule."""

    outcome: Outcome
    rule: str


def ruling(a: Claim, b: Claim) -> Ruling:
    """Return which of two contradicting entries holds; whatever no rule decides is the operator's. The order makes no difference."""
    if a.is_correction != b.is_correction:
        return Ruling(Outcome.A if a.is_correction else Outcome.B, "a correction holds against anything else")
    newer, older = (a, b) if a.on > b.on else (b, a)
    wins = Outcome.A if newer is a else Outcome.B
    if a.is_correction:
        if a.on == b.on:
            return Ruling(Outcome.OPEN, "two corrections of one day")
        return Ruling(wins, "of two corrections the newer one holds")
    if newer.trust != OPERATOR:
        return Ruling(Outcome.OPEN, "the newer one is not your own word")
    if min(newer.on - older.on, newer.told - older.told) < APART:
        return Ruling(Outcome.OPEN, f"less than {APART.days} days apart")
    if not {a.tag, b.tag} <= _DATED:
        return Ruling(Outcome.OPEN, "not both are tagged #event, #knowledge or #decision")
    return Ruling(wins, f"the newer one is your own word, {APART.days} days later or more")
