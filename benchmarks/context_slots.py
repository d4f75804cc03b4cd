"""Contexts: what a question's evidence is worth in the recall slot, and how long an assembly takes.

`python -m benchmarks.context_slots locomo.json`. Times are of the processor, in process, the index made before.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.retrieval.conversations import read_conversations
from benchmarks.retrieval.shipped import adopted
from benchmarks.search_speed import NOW, five_years, spread
from clawgit.context.assemble_context import assemble_context
from clawgit.context.receipts import keep_receipt
from clawgit.context.slots import RECALL
from clawgit.context.wanted_context import STABLE, WantedContext
from clawgit.history.git.repository import open_history
from clawgit.recall.search import search
from clawgit.recall.search_results import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from clawgit.history.git.repository import History

TOKENS = 1500
MOST = 1000
LINES = 10_000
AWAY = timedelta(days=30)  # of which no note is recent any more


def main() -> None:
    """Print the figures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=Path, help="LoCoMo, or some of its conversations, as JSON")
    with tempfile.TemporaryDirectory() as folder:
        evidence(arguments.parse_args().data, Path(folder))
        speed(Path(folder) / "years")


def evidence(data: Path, folder: Path) -> None:
    """Print the share of evidence in the slot, and in a search with the same budget."""
    shares: dict[str, list[float]] = {"search": [], "recall slot": []}
    costs = []
    for conversation in read_conversations(data):
        root = folder / conversation.name
        conversation.write(root)
        adopted(root)
        history, now = open_history(root), conversation.ended + AWAY
        alone = {"recent_memory_tokens": 0, "crm_tokens": 0}  # whose room would flow into the slot
        history.settings = history.settings._replace(**alone)
        for asked in conversation.questions:
            told, cost = _in_slot(history, asked.text, now)
            costs.append(cost)
            for name, lines in (("search", _searched(history, asked.text, now)), ("recall slot", told)):
                shares[name].append(len(asked.gold & lines) / len(asked.gold))
    print(f"evidence at {TOKENS:,} tokens, {len(costs)} questions")
    for name, found in shares.items():
        anything = sum(each > 0 for each in found) / len(found)
        print(
            f"  {name}: {100 * statistics.mean(found):.1f} % of the lines, {100 * anything:.1f} % of the questions"
        )
    print(f"  tokens of the slot: {statistics.mean(costs):.0f}, at most {max(costs)}")


def _searched(history: History, question: str, now: datetime) -> set[tuple[str, int]]:
    found = search(history, Query(question, MOST, tokens=TOKENS), now)
    return {(hit.path, line) for hit in found.results for line in range(hit.first, hit.last + 1)}


def _in_slot(history: History, question: str, now: datetime) -> tuple[set[tuple[str, int]], int]:
    made = assemble_context(history, WantedContext(question), now)
    (slot,) = (each for each in made.slots if each.filled.slot == RECALL)
    lines = {(each.path, at) for each in slot.filled.passages for at in range(each.first, each.last + 1)}
    return lines, slot.used


def speed(folder: Path) -> None:
    """Print how long contexts take in a workspace of that many lines."""
    history, questions = five_years(folder, LINES)
    (history.state).mkdir(exist_ok=True)
    wanted = [WantedContext(question, session="agent:main:main") for question in questions]
    assemble_context(history, wanted[0], NOW)
    print(f"{LINES:,} lines")
    print(f"  context with its receipt: {spread(_times(wanted, lambda each: _kept(history, each)))} ms")
    stable = [each._replace(query="", part=STABLE) for each in wanted]
    print(f"  stable part: {spread(_times(stable, lambda each: assemble_context(history, each, NOW)))} ms")


def _kept(history: History, wanted: WantedContext) -> None:
    keep_receipt(history, assemble_context(history, wanted, NOW), wanted, NOW)


def _times(wanted: Iterable[WantedContext], work: Callable[[WantedContext], object]) -> list[float]:
    taken = []
    for each in wanted:
        began = time.process_time()
        work(each)
        taken.append((time.process_time() - began) * 1000)
    return taken


if __name__ == "__main__":
    main()
