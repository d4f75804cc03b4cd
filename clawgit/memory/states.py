"""An entry with everything that history says about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from clawgit.memory.classes import expiry_of
from clawgit.memory.confidence import (
    INFERRED,
    OPERATOR_SAID,
    ConfidencePolicy,
    ConfidenceStep,
    confidence_steps,
)
from clawgit.memory.fold import OPERATOR, Origin, Seen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.memory.entries import Entry
    from clawgit.memory.tiers import Tier


@dataclass(frozen=True, slots=True)
class EntryState:
    """One statement as it stands: where, since when, by whom, on what it rests, and how sure it is."""

    entry: Entry
    path: str
    tier: Tier
    source: str
    trust: str
    commit_id: str
    since: date
    seen: tuple[Seen, ...]
    steps: tuple[ConfidenceStep, ...]

    @property
    def confidence(self) -> int:
        """Return how sure the entry is, in hundredths."""
        return self.steps[-1].confidence

    @property
    def mentions(self) -> int:
        """Return how often the operator came back to it."""
        return sum(1 for seen in self.seen if seen.kind == "mention")

    @property
    def evidence(self) -> tuple[str, ...]:
        """Return what the entry's wordings and mentions rest on, oldest first, each once."""
        said = (line for seen in self.seen if seen.kind != "class" for line in seen.said.split("\n") if line)
        return tuple(dict.fromkeys(said))

    @property
    def entry_class(self) -> str | None:
        """Return the class it was given last."""
        given = [seen.said for seen in self.seen if seen.kind == "class"]
        return given[-1] if given else None

    @property
    def expires(self) -> date | None:
        """Return the day on which its class lets it run out, counted from its last mention."""
        last = max((day_of(seen.at) for seen in self.seen if seen.kind != "class"), default=self.since)
        return expiry_of(self.entry_class, last)


def state_of(
    entry: Entry,
    place: tuple[str, Tier],
    origin: Origin,
    seen: Sequence[Seen],
    when: tuple[date, ConfidencePolicy],
) -> EntryState:
    """Return the state on a day of ``entry``, whose words come from ``origin``.

    Its date is that of its words or of its id's first appearance, since a rewording keeps the age.
    """
    on, policy = when
    carried = [day_of(item.at) for item in seen if item.kind == "words"]
    first = min([*carried, *([day_of(origin.at)] if origin.commit_id or not carried else [])])
    mentions = [day_of(item.at) for item in seen if item.kind == "mention"]
    base = OPERATOR_SAID if origin.trust == OPERATOR else INFERRED
    steps = confidence_steps(base, first, mentions, on, policy)
    path, tier = place
    return EntryState(
        entry, path, tier, origin.actor, origin.trust, origin.commit_id, first, tuple(seen), tuple(steps)
    )


def moment_of(at: str) -> float:
    """Return a commit's date as something to sort by, whatever the zone."""
    try:
        return datetime.fromisoformat(at).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def day_of(at: str) -> date:
    """Return the day of a commit's date, in the zone that it was written in."""
    try:
        return datetime.fromisoformat(at).date()
    except ValueError:  # a date that git can keep and a calendar cannot
        return date.min
