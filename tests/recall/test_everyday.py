"""Everyday questions over a thousand daily notes in three languages: the right line is among the first three.

Mutants seen to fail it: a run of Han as one word, particles left on Korean words, all words worth the same,
no days, no spelling.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.recall.search import Query, search

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

DATA: dict[str, Any] = json.loads(Path(__file__).with_name("everyday.json").read_text("utf-8"))
NOW = datetime.fromisoformat(DATA["now"])
DAYS = 1000


@dataclass(frozen=True)
class Missed:
    """A question whose line was not among the first three."""

    question: str
    line: str
    found: tuple[str, ...]


def write_notes(folder: Path) -> None:
    """Write a note a day, most lines about the same few things, the facts between them."""
    random = Random(1)
    facts: dict[str, list[str]] = defaultdict(list)
    for fact in DATA["facts"]:
        facts[fact["day"]].append(fact["line"])
    for back in range(DAYS):
        day = (NOW - timedelta(back)).date().isoformat()
        lines = [_chatter(random) for _ in range(random.randrange(4, 11))]
        for fact in facts[day]:
            lines.insert(random.randrange(len(lines) + 1), fact)
        text = "".join(f"- {line}\n" for line in lines)
        (folder / f"{day}.md").write_text(f"# {day}\n\n{text}", "utf-8")


def _chatter(random: Random) -> str:
    language = random.choice(["en", "zh", "ko"])
    words = DATA["words"][language]
    return str(random.choice(DATA["lines"][language])).format(
        **{name: random.choice(words[name]) for name in words}
    )


def ask_all(history: History) -> tuple[Counter[str], list[Missed]]:
    """Return how many questions there are in each language, and those whose line was not found."""
    asked: Counter[str] = Counter()
    missed = []
    for fact in DATA["facts"]:
        for question in fact["questions"]:
            asked[fact["language"]] += 1
            found = tuple(result.snippet for result in search(history, Query(question, 3), NOW).results)
            if not any(fact["line"] in snippet for snippet in found):
                missed.append(Missed(question, fact["line"], found))
    return asked, missed


@pytest.fixture
def notes(room) -> History:
    folder = room.root / "memory"
    folder.mkdir(exist_ok=True)
    write_notes(folder)
    return room.history


@pytest.mark.rest
def test_the_right_line_is_among_the_first_three_for_49_of_50_questions(notes: History) -> None:
    asked, missed = ask_all(notes)

    assert min(asked.values()) >= 20
    assert sum(asked.values()) >= 60
    assert len(missed) <= sum(asked.values()) / 50, missed
