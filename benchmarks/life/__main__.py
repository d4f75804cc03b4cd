"""`python -m benchmarks.life`: ninety days of talk of eleven people who never were, and what is found and believed after them.

Both sides' talk is written out and frozen beside its truth: corrections of every form, what is taken back, jokes, pastes, four
languages. The operator answers at most three questions a week, and only those that the truth decides; nobody corrects by hand
what was not heard. Nothing here may be used to tune a rule: the sentences only count. `aiko` and `tomas` are unread: leave them so.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.life.judge import Verdict, verdict
from benchmarks.life.lived_life import DAYS, Life
from benchmarks.life.reader import PERFECT, Reader
from benchmarks.life.tables import changed_files, lives, script, unheld
from benchmarks.understanding.scripted_model import served

MOST_SHOWN = 200


def main() -> int:
    """Live the lives that are asked for and print their figures; return 1 if the talk is not the frozen one."""
    parser = argparse.ArgumentParser(prog="make life", description=__doc__)
    parser.add_argument("--lives", nargs="+", default=lives(), choices=lives())
    parser.add_argument(
        "--model", choices=("perfect", "0.9"), help="a scripted model reads; else rules alone"
    )
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", action="store_true", help="also what speaks against each figure")
    parser.add_argument(
        "--keep", type=Path, help="a folder for the workspaces; else they are gone afterwards"
    )
    chosen = parser.parse_args()
    if changed := changed_files():
        print(f"Not as frozen: {', '.join(changed)}.")
        return 1
    if missed := [line for name in chosen.lives for line in unheld(script(name))]:
        print("The truth wants what its own message does not say:", *missed, sep="\n  ")
        return 1
    rows = [_lived(name, chosen) for name in chosen.lives]
    if chosen.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return 0
    _print_table(rows)
    for row in rows if chosen.show else ():
        _print_details(row)
    return 0


def _lived(name: str, chosen: argparse.Namespace) -> dict[str, Any]:
    right = {"perfect": PERFECT, "0.9": 0.9}.get(chosen.model or "")
    with contextlib.ExitStack() as stack:
        if chosen.keep:
            folder = chosen.keep / name
        else:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        told, began = script(name), _processor()
        reader = Reader(told, right or PERFECT)
        address = stack.enter_context(served(reader)) if right else ""
        life = Life(told, folder, address)
        end = life.live(chosen.days)
        said = verdict(life, end)
        return _row(life, said, reader) | {"processor_seconds": round(_processor() - began)}


def _row(life: Life, said: Verdict, reader: Reader) -> dict[str, Any]:
    return {
        "life": life.script.name,
        "messages": len(life.script.talk),
        "corrected_facts": said.corrected,
        "truth_at_use": said.in_context["latest"],
        "in_context": dict(said.in_context),
        "truth_in_search": said.in_search["latest"],
        "uncorrected_facts": said.uncorrected,
        "uncorrected_found": said.uncorrected_found,
        "new_lines": said.lines,
        "worth_keeping": said.worth,
        "stale_lines": said.stale,
        "false_lines": len(said.false),
        "laundered": len(said.laundered),
        "questions_shown": said.shown,
        "questions_not_right": said.shown - life.tally["shown: right"],
        "questions_open": said.open,
        "questions_nonsense": len(said.open_nonsense),
        "other_open": said.open_other,
        "links": said.links,
        "links_noise": said.links_noise,
        "model_asked": dict(reader.asked),
        "model_unknown": dict(reader.unknown),
        "false": said.false,
        "agents_words": said.laundered,
        "nonsense": said.open_nonsense,
        "not_at_use": said.details,
        "shown": list(life.shown.values()),
        "tally": dict(life.tally),
        "failed": life.failed,
    }


def _print_table(rows: list[dict[str, Any]]) -> None:
    names = {
        "messages": "messages",
        "corrected_facts": "facts ever corrected",
        "truth_at_use": "… latest words in context (truth at use)",
        "truth_in_search": "… latest words in search",
        "uncorrected_facts": "facts never corrected",
        "uncorrected_found": "… found in context",
        "new_lines": "lines made",
        "worth_keeping": "… worth keeping",
        "stale_lines": "lines that hold no more (those given at the start too)",
        "false_lines": "false lines in his name",
        "laundered": "the agent's words in his name",
        "questions_shown": "questions asked in all",
        "questions_not_right": "… not right when they were first shown",
        "questions_open": "questions open",
        "questions_nonsense": "… nonsense",
        "other_open": "other open decisions",
        "links": "links",
        "links_noise": "… noise",
        "processor_seconds": "processor seconds",
    }
    print(f"{'':56}" + "".join(f"{row['life']:>8}" for row in rows) + f"{'all':>8}")
    for key, name in names.items():
        values = [row[key] for row in rows]
        numbers = [value for value in values if value is not None]
        cells = ["-" if value is None else str(value) for value in values]
        cells.append(str(sum(numbers)) if numbers else "-")
        print(f"{name:56}" + "".join(f"{cell:>8}" for cell in cells))
    unknown = {kind for row in rows for kind in row["model_unknown"]}
    if unknown:
        print(f"The model was asked what it cannot answer: {', '.join(sorted(unknown))}.")


def _print_details(row: dict[str, Any]) -> None:
    print(f"\n{row['life']}: {row['in_context']}; {row['tally']}; {row['model_asked']}")
    for key in ("not_at_use", "false", "agents_words", "nonsense", "shown", "failed"):
        for each in row[key][:MOST_SHOWN]:
            print(f"  {key}: {each[:300]}")


def _processor() -> float:
    spent = os.times()
    return time.process_time() + spent.children_user + spent.children_system


if __name__ == "__main__":
    raise SystemExit(main())
