"""A fortnight of talk under the runner: each morning it does what is due, and the digest says what came of it."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from demo.week import TALK, Week, days_of

if TYPE_CHECKING:
    from collections.abc import Iterator

SECOND = Path(__file__).with_name("second_week.jsonl")
TRAIT = "\n- Say what is uncertain before what is likely.\n"
CHANGES_ITSELF, REGRETS = date(2026, 3, 24), date(2026, 3, 27)


class Morning(NamedTuple):
    """What the runner did in the morning after a day, slot by slot, and the digest, empty where nothing was new."""

    day: date
    slots: tuple[str, ...]
    digest: str


class Fortnight(Week):
    """A workspace that hears the week and the one after it; its runner looks once each morning."""

    __slots__ = ()

    def mornings(self) -> Iterator[Morning]:
        """Tell each day's talk; yield the morning after it."""
        days = days_of(TALK, SECOND)
        first, last = date.fromisoformat(min(days)), date.fromisoformat(max(days))
        self.run("init", str(self.root), now=f"{first}T08:00:00+00:00")
        self.run("runner", "once", now=f"{first}T08:05:00+00:00")
        for number in range((last - first).days + 1):
            day = first + timedelta(days=number)
            if lines := days.get(day.isoformat()):
                self._tell(day.isoformat(), lines)
            self._live(day)
            yield self._morning(day + timedelta(days=1))

    def _live(self, day: date) -> None:
        """Let the agent change itself on one day, and the operator take something back on another."""
        now = f"{day}T22:00:00+00:00"
        if day == CHANGES_ITSELF:
            soul = self.root / "SOUL.md"
            soul.write_text(soul.read_text("utf-8").rstrip("\n") + TRAIT, "utf-8")
            self.run("keep", "--as", "host", now=now)
        if day == REGRETS:
            entries = json.loads(self.run("memory", "list", "--json", now=now))
            (regretted,) = (each for each in entries if "harbour office before" in each["text"])
            self.run("undo", regretted["id"], now=now)

    def _morning(self, day: date) -> Morning:
        now = f"{day}T07:30:00+00:00"
        (done,) = json.loads(self.run("runner", "once", "--json", now=now))
        slots = tuple(f"{each['job']}: {each['outcome'] or each['state']}" for each in done["slots"])
        digest = json.loads(self.run("digest", "--json", now=now))
        return Morning(day, slots, digest["text"] if digest["day"] == day.isoformat() else "")
