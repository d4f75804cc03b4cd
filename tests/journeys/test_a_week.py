"""A week of talk, mined night by night: what a person would have written down.

The first day is told to the installed program, the others to forks of it: each command is a process of its own.
"""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from demo.week import TALK, Week

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.rest
TUESDAY = "2026-03-17"
MONDAY = "2026-03-23T08:00:00+00:00"
REMEMBERED = [
    '2026-03-16: User: "We decided to use Postgres for the booking page." #decision',
    '2026-03-16: User: "I prefer short answers without bullet points." #knowledge',
    '2026-03-17: User: "My sister\'s name is Maria; she will test it with me." #knowledge',
    "2026-03-18: The staging server listens on port 8443. #knowledge",
    "2026-03-18: Never deploy on a Friday afternoon. #skill",
    '2026-03-19: User: "我们决定用周报代替每天的会议。" #decision',
    "2026-03-20: The launch of the booking page is on Tuesday, April 21.",
    '2026-03-20: User: "I learned that the harbour office closes at noon on Saturdays." #skill',
    '2026-03-21: User: "저는 땅콩 알레르기가 있어요." #knowledge',
    "2026-03-21: Lesson: ask the harbour office before changing prices. #skill",
    "2026-03-22: Note: the staging server listens on port 9443. #knowledge",
]


@dataclass(frozen=True, slots=True)
class Retold(Week):
    """The week, told to forks from the second day on."""

    forked: Callable[..., Any]

    def run(self, *words: str, now: str) -> str:
        if now < TUESDAY:
            return Week.run(self, *words, now=now)
        done = self.forked(self.root, *words, CLAWGIT_NOW=now)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this test run share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "a-week"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def week(place: Path, ada: Path, forked, ready) -> Week:
    """Return a workspace in which the week was replayed by the first test that asked for it."""
    week = Retold(place / "workspace", ada, forked)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "done").exists():
            assert len(list(week.nights())) == 7
            (place / "done").touch()
    return week


def entries(week: Week, path: str) -> list[str]:
    lines = (week.root / path).read_text("utf-8").splitlines()
    return [line[2:].partition(" <!-- ")[0] for line in lines if line.startswith("- ")]


def test_the_week_leaves_a_page_that_a_person_would_have_written(week: Week) -> None:
    """Mutants: the validator does not run before the miner; others' words are kept."""
    assert entries(week, "MEMORY.md") == REMEMBERED
    assert entries(week, "memory/learned.md") == []


def test_what_is_said_on_day_seven_stands_beside_what_day_three_taught(week: Week) -> None:
    """Nobody denied it, so both stand; wherever the old line is read, the new words are, too."""
    question = "on which port does the staging server listen"
    found = json.loads(week.run("memory", "search", question, "--json", now=MONDAY))["results"]

    old, new = sorted(found[:2], key=lambda each: "port 9443." in each["snippet"])
    assert "port 8443." in old["snippet"]
    assert "port 9443." in new["snippet"]
    assert old["beside"] == [
        'the operator said on 22 March: "Note: the staging server listens on port 9443."'
    ]


def test_what_was_said_again_on_another_day_is_surer(week: Week) -> None:
    """Mutant: no mentions."""
    listed = json.loads(week.run("memory", "list", "--json", now=MONDAY))
    sure = {each["text"][12:]: each["confidence"] for each in listed}

    assert sure['User: "I prefer short answers without bullet points." #knowledge'] == 1.0
    assert sure['User: "We decided to use Postgres for the booking page." #decision'] == 0.95


def test_each_line_leads_to_its_message(week: Week) -> None:
    """Mutant: evidence in the order of the change."""
    said = {json.loads(line)["text"] for line in TALK.read_text("utf-8").splitlines()}

    for listed in json.loads(week.run("memory", "list", "--json", now=MONDAY)):
        why = json.loads(week.run("why", listed["id"], "--json", now=MONDAY))
        first = why["wordings"][0]["evidence"][0]
        message = why["messages"][first.partition(" ")[0]]
        assert message["text"] in said
        assert first.partition(" ")[2].strip('"') in message["text"]


def test_nothing_of_the_page_that_asked_to_be_remembered_is(week: Week) -> None:
    everything = "".join(path.read_text("utf-8") for path in week.root.rglob("*.md"))

    assert "to Eve" not in everything
    assert "Eve is" not in everything


def test_another_night_changes_nothing(week: Week) -> None:
    before = {path: path.read_bytes() for path in week.root.rglob("*.md")}

    week.run("run", "memory-miner", now=MONDAY)

    assert {path: path.read_bytes() for path in week.root.rglob("*.md")} == before
