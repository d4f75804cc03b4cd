"""`make year`: a year of one operator's talk for each seed, lived in one process, and what memory is like after it.

What is said is made from a seed, in English, German and Chinese: 200 corrections, 100 contradictions, 150 tasks with a lifetime,
60 attempts to poison memory (a group's member, pages, tools, a host that was talked into it), 40 lessons that are met again, facts
and noise. Every job runs at its slot by the clock that it is given; every tenth night is a process that is killed in the middle of
its work. A host brings what it hears through the door, with the operator's message; of the corrections a fifth is left to the
validator's rules, and counted apart. With --model a scripted model, asked over HTTP, reads what the conflict-detector compares.
Nothing waits for the disk (`fsync: no`): a process is killed, not the machine.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import tempfile
import time
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path

from benchmarks.year.careful_model import careful_model
from benchmarks.year.lived_year import Life
from benchmarks.year.memory_checks import Check, Lived, memory_checks
from benchmarks.year.planted_year import DAYS_OF_YEAR, Year, planted_year
from benchmarks.year.undo_checks import undo_checks

SEEDS = (1, 2, 3)
MOST_SHOWN = 12  # of what speaks against a check


def main() -> int:
    """Live the years that are asked for, print what is checked, and return 1 if anything is not as it should be."""
    parser = argparse.ArgumentParser(prog="make year", description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    parser.add_argument("--days", type=int, default=DAYS_OF_YEAR)
    parser.add_argument("--dense", type=float, default=1, help="so many times as much in each day")
    parser.add_argument(
        "--keep", type=Path, help="a folder for the workspaces; else they are gone afterwards"
    )
    parser.add_argument(
        "--model", action="store_true", help="a careful model reads the conflict-detector's pairs"
    )
    asked = parser.parse_args()
    holds = True
    for seed in asked.seeds:
        with contextlib.ExitStack() as stack:
            folder = (
                asked.keep / str(seed)
                if asked.keep
                else Path(stack.enter_context(tempfile.TemporaryDirectory()))
            )
            folder.mkdir(parents=True, exist_ok=True)
            holds &= all(
                each.holds
                for each in tuple(
                    year_of(planted_year(seed, asked.days, asked.dense), seed, folder, model=asked.model)
                )
            )
    return 0 if holds else 1


def year_of(year: Year, seed: int, folder: Path, *, model: bool) -> list[Check]:
    """Live a year, print what it took, what happened and what is checked after it; return the checks."""
    with careful_model(year) if model else contextlib.nullcontext("") as address:
        return _lived(year, Life(folder, seed, model=address), seed)


def _lived(year: Year, life: Life, seed: int) -> list[Check]:
    start, began = time.process_time(), time.perf_counter()
    life.live(year, lambda day: print(f"  {day}", flush=True))
    taken = time.process_time() - start, time.perf_counter() - began
    print(f"seed {seed}, {len(year.days)} days: {taken[0]:.0f} s of the processor, {taken[1]:.0f} s in all")
    for name, count in sorted(life.tally.items()):
        print(f"  {count:5} {name}")
    for refused in life.refused[:MOST_SHOWN]:
        print(f"  refused: {refused[:300]}")
    end = datetime.combine(year.days[-1].on + timedelta(days=1), time_of_day(23), UTC)
    lived, checks = Lived(year, life, end), list[Check]()
    for each in (*memory_checks(lived), *undo_checks(lived, seed)):
        checks.append(each)
        print(f"{'ok' if each.holds else 'NO':3} {each.name}: {each.found}", flush=True)
        for detail in () if each.holds else each.details[:MOST_SHOWN]:
            print(f"      {detail[:300]}")
    return checks


if __name__ == "__main__":
    os.chdir("/")  # nothing of this folder is meant by what is said
    raise SystemExit(main())
