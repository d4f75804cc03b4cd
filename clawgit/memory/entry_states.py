"""An entry with everything that history says about it."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.corrections.corrected_entries import set_right
from clawgit.memory.provenance.confidence import (
    CORRECTED,
    INFERRED,
    OPERATOR_SAID,
    READ,
    ConfidencePolicy,
    ConfidenceStep,
    confidence_steps,
)
from clawgit.memory.provenance.fold import UNHEARD
from clawgit.memory.provenance.pieces import piece_of
from clawgit.memory.trust import LOWEST, OPERATOR, UNDERSTOOD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.memory.corrections.corrected_entries import KnownCorrection
    from clawgit.memory.entries.entries import Entry
    from clawgit.memory.entries.tiers import Tier
    from clawgit.memory.provenance.fold import Origin, Seen

# Days after the last mention; None is for ever.
DAYS_OF_CLASS: dict[str, int | None] = {"personal": None, "tasks": 7, "agents": 30, "system": None}


_BASES = {OPERATOR: OPERATOR_SAID, UNDERSTOOD: READ}
NO_CLASS = "none"  # of which one was taken back


class When(NamedTuple):
    """The day for which entries are looked at, and what the settings say about time."""

    on: date
    confidence: ConfidencePolicy = ConfidencePolicy()
    lifetimes: Mapping[str, int | None] = DAYS_OF_CLASS


def expiry_of(
    entry_class: str | None, last_seen: date, lifetimes: Mapping[str, int | None] = DAYS_OF_CLASS
) -> date | None:
    """Return the day on which an entry of ``entry_class`` runs out, None where it does not."""
    days = lifetimes.get(entry_class or "")
    return None if days is None else last_seen + timedelta(days=days)


class EntryState(NamedTuple):
    """One statement as it is: where, since when, by whom, on what it rests, and how sure it is."""

    entry: Entry
    path: str
    tier: Tier
    source: str
    trust: str
    commit_id: str
    since: date
    words_since: date
    seen: tuple[Seen, ...]
    steps: tuple[ConfidenceStep, ...]
    corrections: tuple[KnownCorrection, ...] = ()
    lifetimes: Mapping[str, int | None] = DAYS_OF_CLASS

    @property
    def mark(self) -> str:
        """Return the entry's id as evidence and commands name it (`m:…`)."""
        return f"m:{self.entry.entry_id}"

    @property
    def confidence(self) -> int:
        """Return how sure the entry is, in hundredths."""
        return self.steps[-1].confidence

    @property
    def mentions(self) -> int:
        """Return how often the operator came back to it."""
        return sum(1 for seen in self.seen if seen.kind == "mention")

    @property
    def last_mention(self) -> date | None:
        """Return the day on which the operator came back to it last."""
        return max((day_of(seen.at) for seen in self.seen if seen.kind == "mention"), default=None)

    @property
    def evidence(self) -> tuple[str, ...]:
        """Return what the entry's wordings and mentions rest on, oldest first, each once."""
        said = (line for seen in self.seen if seen.kind != "class" for line in seen.said.split("\n") if line)
        return tuple(dict.fromkeys(said))

    @property
    def entry_class(self) -> str | None:
        """Return the class it was given last; None also where that was taken back."""
        given = [seen.said for seen in self.seen if seen.kind == "class"]
        return given[-1] if given and given[-1] != NO_CLASS else None

    @property
    def was_classed(self) -> bool:
        """Say whether it was ever given a class, also where that was taken back."""
        return any(seen.kind == "class" for seen in self.seen)

    @property
    def expires(self) -> date | None:
        """Return the day on which its class lets it run out, counted from its last wording or mention; a move is neither."""
        said = {seen.words: seen for seen in reversed(self.seen) if seen.kind == "words"}
        mentions = (seen for seen in self.seen if seen.kind == "mention")
        last = max((day_of(seen.at) for seen in (*said.values(), *mentions)), default=self.since)
        return expiry_of(self.entry_class, last, self.lifetimes)


class Past(NamedTuple):
    """What history knows of an entry: who brought its words, what was said of its id, what corrects it."""

    origin: Origin
    seen: tuple[Seen, ...]
    corrections: tuple[KnownCorrection, ...]


def state_of(entry: Entry, place: tuple[str, Tier], past: Past, when: When) -> EntryState:
    """Return the state of ``entry`` on a day.

    Its date is that of its words or of its id's first appearance, since a rewording keeps the age. What an
    applied correction changed is as sure as the correction, unless its words are a reading, a host's or from outside.
    """
    origin, seen = past.origin, past.seen
    carried = [day_of(item.at) for item in seen if item.kind == "words"]
    first = min([*carried, *([day_of(origin.at)] if origin.commit_id or not carried else [])])
    mentions = [day_of(item.at) for item in seen if item.kind == "mention"]
    by_correction = any(each.counts and each.commit_id == origin.commit_id for each in past.corrections)
    may_be = origin.trust not in (LOWEST, UNDERSTOOD) and (origin.actor not in UNHEARD or by_correction)
    righted = set_right(piece_of(entry).words, past.corrections, seen) if may_be else None
    if righted is not None:
        what = f"corrected by x:{righted.correction.correction_id}"
        steps = [ConfidenceStep(day_of(origin.at), what, CORRECTED)]
    else:
        steps = confidence_steps(
            _BASES.get(origin.trust, INFERRED), first, mentions, when.on, when.confidence
        )
    path, tier = place
    return EntryState(
        entry,
        path,
        tier,
        origin.actor,
        origin.trust,
        origin.commit_id,
        first,
        day_of(origin.at),
        seen,
        tuple(steps),
        past.corrections,
        when.lifetimes,
    )


def day_of(at: str) -> date:
    """Return the day of a commit's date, in the zone that it was written in."""
    try:
        return datetime.fromisoformat(at).date()
    except ValueError:  # a date that git can keep and a calendar cannot
        return date.min
