"""The week in `week.jsonl`, told to a workspace day by day; each night the agents do their work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TALK = Path(__file__).with_name("week.jsonl")
SECOND = Path(__file__).with_name("second_week.jsonl")
AGENTS = ("recall-validator", "memory-miner", "conflict-detector")


def days_of(*talks: Path) -> dict[str, list[str]]:
    """Return the lines of talks by their days."""
    days: dict[str, list[str]] = {}
    for talk in talks:
        for line in talk.read_text("utf-8").splitlines():
            days.setdefault(json.loads(line)["at"][:10], []).append(line)
    return days


@dataclass(frozen=True, slots=True)
class Week:
    """A workspace in which the week is replayed through the installed program."""

    root: Path
    home: Path

    def run(self, *words: str, now: str) -> str:
        """Run a command at a time and return what it prints."""
        environment = {"HOME": str(self.home), "PATH": os.environ.get("PATH", os.defpath)}
        environment |= {"CLAWGIT_WORKSPACE": str(self.root), "CLAWGIT_NOW": now, "CLAWGIT_REHEARSE": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "clawgit", *words], env=environment, capture_output=True, text=True, check=True
        )  # fmt: skip
        return done.stdout

    def nights(self) -> Iterator[str]:
        """Tell the workspace each day's talk and let the agents work at night; yield the day."""
        days = days_of(TALK)
        self.run("init", str(self.root), now=f"{min(days)}T08:00:00+00:00")
        for day, lines in days.items():
            self._tell(day, lines)
            for agent in AGENTS:
                self.run("run", agent, now=f"{day}T23:30:00+00:00")
            yield day

    def _tell(self, day: str, lines: list[str]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            talk = Path(folder) / f"{day}.jsonl"
            talk.write_text("".join(f"{line}\n" for line in lines), "utf-8")
            words = ("chat", "import", "--as", "operator", "--conversation", day, str(talk))
            self.run(*words, now=f"{day}T23:00:00+00:00")
