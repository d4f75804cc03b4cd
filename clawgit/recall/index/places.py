"""A place in memory: where a text stands, or stood, and what is known of it."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

RETIRED = "retired"
HEADING = "heading"
# A correction that is in force; one that is open or withdrawn; one that does not rest on the operator's word.
CORRECTION, NOTED, CLAIMED = "correction", "noted", "claimed"


class Retirement(NamedTuple):
    """When a text came, and when and by whom it was taken out; ``commit_id`` is empty where no commit did that."""

    since: datetime
    on: datetime | None = None
    by: str = ""
    commit_id: str = ""


class Corrected(NamedTuple):
    """The correction that an entry has."""

    correction_id: str
    correct: str


class Place(NamedTuple):
    """Where a text is; of a retired one, where it was last.

    ``words`` are those of a correction, as the fold knows it by.
    """

    place_id: int
    path: str
    source: str
    tier: str
    blob: str
    first: int
    last: int
    kind: str
    entry: str
    text: str
    day: str | None
    headings: str
    words: str = ""
    retirement: Retirement | None = None

    @property
    def on(self) -> date | None:
        """Return the day that it speaks of, if that is known."""
        return None if self.day is None else date.fromisoformat(self.day)

    @property
    def titles(self) -> tuple[str, ...]:
        """Return the headings above, outermost first."""
        return tuple(json.loads(self.headings))
