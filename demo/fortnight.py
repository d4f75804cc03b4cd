"""A fortnight of talk, told day by day in this process; each night the agents work, and each message gets what they learned from it."""

from __future__ import annotations

import io
import json
import os
from contextlib import redirect_stderr, redirect_stdout
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.cli.main import run
from demo.week import AGENTS, Week

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TRAIT = "Say what is uncertain before what is likely."
CHANGES_ITSELF, REGRETS = date(2026, 3, 24), date(2026, 3, 27)
HEARD = "## Heard, not kept"
NAMES = {"user": "Ada", "assistant": "Agent", "tool": "A web page"}


class Row(NamedTuple):
    """What somebody said or did, and what changed because of it; the first letter of a change is its mark."""

    said: str
    changes: tuple[str, ...] = ()


class Day(NamedTuple):
    """A day of talk, and the night after it."""

    day: date
    rows: tuple[Row, ...]


class Fortnight(Week):
    """A workspace that hears the week and the one after it."""

    __slots__ = ()

    def run(self, *words: str, now: str) -> str:
        """Run a command as the program does, without starting it: a fortnight in seconds."""
        environment = {"HOME": str(self.home), "PATH": os.environ.get("PATH", os.defpath)}
        environment |= {"CLAWGIT_WORKSPACE": str(self.root), "CLAWGIT_NOW": now, "CLAWGIT_REHEARSE": "1"}
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run(words, environment)
        if code:
            raise SystemExit(f"clawgit {' '.join(words)} ended with {code}.\n{err.getvalue()}")
        return out.getvalue()

    def days(self, told: Mapping[str, list[str]]) -> Iterator[Day]:
        """Tell each day's talk, let the agents work at night, and yield the day."""
        first, last = date.fromisoformat(min(told)), date.fromisoformat(max(told))
        self.run("init", str(self.root), now=f"{first}T08:00:00+00:00")
        for number in range((last - first).days + 1):
            day = first + timedelta(days=number)
            yield Day(day, (*self._talk(day, told.get(str(day), [])), *self._events(day)))

    def _talk(self, day: date, lines: list[str]) -> Iterator[Row]:
        before = self._known(day)
        if lines:
            self._tell(str(day), lines)
            for agent in AGENTS:
                self.run("run", agent, now=f"{day}T23:30:00+00:00")
        after = self._known(day)
        corrections = json.loads(self.run("corrections", "--json", now=f"{day}T23:40:00+00:00"))
        tonight = [each for each in corrections if each["at"].startswith(str(day))]
        questions = json.loads(self.run("pending", "--json", now=f"{day}T23:50:00+00:00"))
        asked = [each for each in questions if (each["since"] or "").startswith(str(day))]
        digest = self.run("digest", "--since", str(day), now=f"{day}T23:55:00+00:00")
        heard = digest.partition(HEARD)[2]
        for line in lines:
            message = json.loads(line)
            text = message["text"]
            yield Row(
                f"{NAMES[message['role']]}: {text}",
                (
                    *_corrected(text, tonight, before),
                    *_learned(text, before, after),
                    *_asked(text, asked, after),
                    *_linked(text, tonight),
                    *_heard(text, heard),
                ),
            )

    def _known(self, day: date) -> dict[str, Any]:
        listed = json.loads(self.run("memory", "list", "--json", now=f"{day}T23:45:00+00:00"))
        return {each["id"]: each for each in listed}

    def _events(self, day: date) -> Iterator[Row]:
        """Let the agent change itself on one day, and the operator take something back on another."""
        now = f"{day}T23:50:00+00:00"
        if day == CHANGES_ITSELF:
            soul = self.root / "SOUL.md"
            soul.write_text(soul.read_text("utf-8").rstrip("\n") + f"\n- {TRAIT}\n", "utf-8")
            self.run("keep", "--as", "host", now=now)
            yield Row(
                "(The agent adds a line to its SOUL.md.)",
                (
                    f"+ {TRAIT}",
                    "= Kept as the agent's commit, and listed for Ada's review.",
                ),
            )
        if day == REGRETS:
            (entry,) = (each for each in self._known(day).values() if "harbour office before" in each["text"])
            self.run("undo", entry["id"], now=now)
            yield Row(f"(Ada types: clawgit undo {entry['id']})", (f"- {_statement(entry)}",))


def _corrected(text: str, corrections: list[dict[str, Any]], before: dict[str, Any]) -> Iterator[str]:
    for each in corrections:
        if each["status"] == "linked" or not each["trigger"] or each["trigger"] not in text:
            continue
        if not set(each["corrects"]) & before.keys():
            yield f"! The agent had it wrong. Corrected ({each['id']}):"
            yield f"- {each['said']}"
        else:
            yield f"! Contradiction: {', '.join(each['corrects'])} said otherwise. Corrected ({each['id']}):"
            yield f"- {each['said']}"
            yield f"+ {each['correct']}"


def _asked(text: str, questions: list[dict[str, Any]], known: dict[str, Any]) -> Iterator[str]:
    """Tell what Ada is asked because of a message: which of two entries holds, one of which she has just said."""
    for each in questions:
        entries = [known[name] for name in each["entries"] if name in known]
        if any(_statement(entry).partition(" #")[0] == text for entry in entries):
            yield f"? Contradiction: {' and '.join(each['entries'])} differ. Ada is asked which one holds ({each['id']})."


def _heard(text: str, digest: str) -> Iterator[str]:
    rows = digest.partition("\nOnly stored: ")[0]
    if text in rows:
        yield "? Not clear what this corrects: the morning's digest names it to Ada."


def _linked(text: str, corrections: list[dict[str, Any]]) -> Iterator[str]:
    for each in corrections:
        if each["trigger"] == text and each["status"] == "linked":
            entry = ", ".join(each["may_correct"]) or f"“{each['said']}”"
            yield f"~ Said of {entry}, and shown beside it ({each['id']})."


def _learned(text: str, before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    for entry_id, entry in after.items():
        known = before.get(entry_id)
        new = entry["evidence"][len(known["evidence"]) if known else 0 :]
        if not any(item.partition('"')[2].rstrip('"') in text for item in new):
            continue
        if known is None:
            yield f"+ {_statement(entry)} {entry_id}"
        elif known["text"] == entry["text"]:
            yield f"= Known: {entry_id}, now {entry['confidence']:.0%} sure."


def _statement(entry: dict[str, Any]) -> str:
    return entry["text"].partition(": ")[2]
