"""Search over five years of notes: 36,000 and 100,000 lines, in process, on a folder that is written anew.

Made-up words with the frequencies of real ones (Zipf), so that some stand in every tenth line; questions take two to
six words from one line. Times are of the whole search: looking at the files, ranking, reading the hits again.
"""

from __future__ import annotations

import itertools
import random
import resource
import sqlite3
import statistics
import subprocess
import tempfile
import time
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.history.adopt import adopt
from clawgit.history.git.repository import History, open_history
from clawgit.recall.index.search_index import INDEX, open_index
from clawgit.recall.recall_status import write_index
from clawgit.recall.search import search, search_as_of
from clawgit.recall.search_results import Query

if TYPE_CHECKING:
    from collections.abc import Callable

DAYS = 1825
QUESTIONS = 300
ROUNDS = 7
NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
STOP = ("the", "a", "of", "and", "to", "in", "is", "it", "for", "we", "was", "on", "that", "with", "at")
TO_REACH = {36_000: 15, 100_000: 25}


def search_speed() -> None:
    """Print the figures of both sizes."""
    for lines, to_reach in TO_REACH.items():
        with tempfile.TemporaryDirectory() as folder:
            history, questions = five_years(Path(folder) / "workspace", lines)
            print(f"{lines:,} lines in {DAYS:,} daily notes")
            _build(history)
            _searches(history, questions, to_reach)
            _reconciles(history)
            _as_of(history, questions)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak of memory, all of this: {peak:.0f} MB")


def _build(history: History) -> None:
    taken = _median(lambda: write_index(history, from_nothing=True), 3)
    size = (history.state / INDEX).stat().st_size / 1e6
    print(
        f"  index from nothing: {taken / 1000:.1f} s, {size:.0f} MB (to reach: 3 s at 100,000 lines, 100 MB)"
    )


def _searches(history: History, questions: list[str], to_reach: int) -> None:
    taken = [_time(lambda q=q: search(history, Query(q), NOW)) for q in questions]  # type: ignore[misc]
    print(f"  search: {spread(taken)} ms (to reach: p95 {to_reach})")
    with closing(sqlite3.connect(history.state / INDEX)) as db:
        plain = [_time(lambda q=q: _plain(db, q)) for q in questions]  # type: ignore[misc]
    print(f"  for comparison, FTS5 alone, the ten best of any word: {spread(plain)} ms")


def _plain(db: sqlite3.Connection, question: str) -> list[tuple[int]]:
    match = " OR ".join(f'"{word}"' for word in question.split()[2:])
    return db.execute(
        "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10", (match,)
    ).fetchall()


def spread(taken: list[float]) -> str:
    """Return the median and the slow end of some times."""
    taken = sorted(taken)
    p50, p95, p99 = (taken[int(len(taken) * share)] for share in (0.5, 0.95, 0.99))
    return f"p50 {p50:.1f}, p95 {p95:.1f}, p99 {p99:.1f}"


def _reconciles(history: History) -> None:
    def use() -> None:
        with open_index(history):
            pass

    print(f"  reconcile, nothing changed: {_median(use, ROUNDS):.1f} ms (part of every search)")
    long_day = history.root / "memory/2026-03-19.md"
    long_day.write_text("# 2026-03-19\n\n" + "".join(f"- note {n} of this day\n" for n in range(2000)))
    use()
    taken = []
    for number in range(ROUNDS):
        time.sleep(0.02)
        with long_day.open("a") as file:
            file.write(f"- one more line, number {number}\n")
        taken.append(_time(use))
    print(f"  reconcile, one line more on a day of 2,000: {statistics.median(taken):.1f} ms (to reach: 50)")


def _as_of(history: History, questions: list[str]) -> None:
    first, *again = [_time(lambda q=q: search_as_of(history, Query(q), NOW, NOW)) for q in questions]  # type: ignore[misc]
    print(
        f"  --as-of: {first:.0f} ms at first (to reach: 500), again {spread(again)} ms (to reach: as today)"
    )


def _time(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1000


def _median(run: Callable[[], object], rounds: int) -> float:
    return statistics.median(_time(run) for _ in range(rounds))


def five_years(root: Path, lines: int) -> tuple[History, list[str]]:
    """Make a workspace with a daily note for each of five years' days, the older ones archived."""
    dice = random.Random(3)
    words = list(dict.fromkeys(_word(dice) for _ in range(60_000)))[:20_000]
    weights = list(itertools.accumulate(1 / (rank + 30) for rank in range(len(words))))
    questions = []
    for number in range(DAYS):
        day = date(2026, 3, 19) - timedelta(DAYS - number)
        folder = root / ("memory" if number > DAYS - 30 else f"Archive/Daily/{day:%Y/%m}")
        folder.mkdir(parents=True, exist_ok=True)
        said = [
            dice.choices(words, cum_weights=weights, k=dice.randint(4, 18)) for _ in range(lines // DAYS + 1)
        ]
        (folder / f"{day}.md").write_text(_note(day, said, dice))
        if number % (DAYS // QUESTIONS) == 0:
            asked = dice.choice(said)
            questions.append(
                "what about " + " ".join(dice.sample(asked, min(len(asked), dice.randint(2, 6))))
            )
    adopt(root, NOW)
    subprocess.run(["git", "gc", "-q"], cwd=root, check=True)
    return open_history(root), questions


def _note(day: date, said: list[list[str]], dice: random.Random) -> str:
    out = [f"# {day}", ""]
    for number, line in enumerate(said):
        if number % 10 == 0:
            out += ["", f"## {9 + number // 10}:00 {line[0]}", ""]
        out.append(
            "- "
            + " ".join(
                word for pair in zip(line, dice.choices(STOP, k=len(line)), strict=True) for word in pair
            )
        )
    return "\n".join(out) + "\n"


def _word(dice: random.Random) -> str:
    return "".join(dice.choice("bcdfghklmnprstvw") + dice.choice("aeiou") for _ in range(dice.randint(1, 4)))
