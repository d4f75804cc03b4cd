"""`python -m benchmarks.retrieval locomo.json`: one table, conversation by conversation and all in one workspace."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.retrieval import enhanced, others, shipped
from benchmarks.retrieval.as_messages import asked_of_messages, imported
from benchmarks.retrieval.conversations import Asked, Conversation, read_conversations
from benchmarks.retrieval.measures import COLUMNS, Range, mean, measured
from benchmarks.retrieval.typos import mistyped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Ask = Callable[[str], list[Range]]
    Rows = list[tuple[Asked, dict[str, float]]]

SEED = 2026
OTHERS = {
    "FTS5 porter, lines": others.fts_lines,
    "FTS5 porter, 100 tokens": others.fts_chunks,
    "rapidfuzz, lines": others.fuzzy_lines,
}


def main() -> None:
    """Measure every system on the conversations of a file."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=Path, help="LoCoMo, or some of its conversations, as JSON")
    arguments.add_argument(
        "--model", type=Path, help="folder of an embedding model: measures enhanced mode, too"
    )
    arguments.add_argument("--by", choices=["conversation", "category"], help="rows for each, of the core")
    options = arguments.parse_args()
    conversations = read_conversations(options.data)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        _each_alone(conversations, Path(folder), options.by, options.model)
        _all_in_one(conversations, Path(folder) / "all", options.model)
        enhanced.stop_owner()


def _each_alone(conversations: list[Conversation], folder: Path, by: str | None, model: Path | None) -> None:
    found: dict[str, Rows] = {}
    times: list[float] = []
    warm: list[float] = []
    for conversation in conversations:
        root = folder / conversation.name
        conversation.write(root)
        shipped.adopted(root)
        files, everything = conversation.files, shipped.files_of(root)
        core = shipped.core(root, conversation.ended)
        core("warm up")
        found.setdefault("core", []).extend(_rows(core, conversation.questions, everything, times))
        wrong = _mistyped(conversation)
        found.setdefault("core, a typo each", []).extend(
            _rows(core, conversation.questions, everything, asked=wrong)
        )
        for name, options in (("core, as shipped", ()), ("core, 6 hits from 0.35", shipped.SIX)):
            ask = shipped.core(root, conversation.ended, options)
            found.setdefault(name, []).extend(_rows(ask, conversation.questions, everything))
        found.setdefault("core, imported as messages", []).extend(_as_messages(conversation, folder))
        for name, make in OTHERS.items():
            found.setdefault(name, []).extend(_rows(make(files), conversation.questions, files))
        systems = enhanced.systems(root, conversation.ended, model, conversation.questions) if model else ()
        for name, ask in systems:
            ask("warm up")
            taken = warm if name == "enhanced" else None
            found.setdefault(name, []).extend(_rows(ask, conversation.questions, everything, taken))
    _table("each conversation in its workspace", found)
    for mode, taken in (("core", times), ("enhanced", warm)):
        if taken:
            told = f"p50 {median(taken):.1f} ms, p95 {_p95(taken):.1f} ms"
            print(f"\na question through the command, in process, {mode}: {told}")
    if by:
        _table(f"core by {by}", dict(_parts(found["core"], by)))


def _as_messages(conversation: Conversation, folder: Path) -> Rows:
    root = folder / f"{conversation.name}-messages"
    said = imported(conversation, root)
    ask = shipped.core(root, conversation.ended)
    return _rows(ask, asked_of_messages(conversation), shipped.files_of(root) | said)


def _all_in_one(conversations: list[Conversation], root: Path, model: Path | None) -> None:
    apart = [conversation.below(conversation.name) for conversation in conversations]
    for conversation in apart:
        conversation.write(root)
    shipped.adopted(root)
    files = {path: lines for conversation in apart for path, lines in conversation.files.items()}
    questions = [asked for conversation in apart for asked in conversation.questions]
    now, everything = max(conversation.ended for conversation in conversations), shipped.files_of(root)
    found = {"core": _rows(shipped.core(root, now), questions, everything)}
    for name, ask in enhanced.systems(root, now, model, questions) if model else ():
        found[name] = _rows(ask, questions, everything)
    found |= {name: _rows(make(files), questions, files) for name, make in OTHERS.items()}
    _table("all conversations in one workspace", found)


def _mistyped(conversation: Conversation) -> list[str]:
    random = Random(SEED)
    names = {
        line.partition(":")[0] for lines in conversation.files.values() for line in lines if ": " in line
    }
    return [mistyped(asked.text, names, random) for asked in conversation.questions]


def _rows(
    ask: Ask,
    questions: list[Asked],
    files: dict[str, list[str]],
    times: list[float] | None = None,
    asked: list[str] | None = None,
) -> Rows:
    rows = []
    for number, question in enumerate(questions):
        start = time.perf_counter()
        results = ask(asked[number] if asked else question.text)
        if times is not None:
            times.append((time.perf_counter() - start) * 1000)
        rows.append((question, measured(question, results, files)))
    return rows


def _parts(rows: Rows, by: str) -> Iterator[tuple[str, Rows]]:
    for part in sorted({getattr(asked, by) for asked, _ in rows}):
        yield str(part), [row for row in rows if getattr(row[0], by) == part]


def _p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]


def _table(title: str, found: dict[str, Rows]) -> None:
    print(f"\n| {title} | n | {' | '.join(COLUMNS)} |\n|---|--:|{'--:|' * len(COLUMNS)}")
    for name, rows in found.items():
        means = mean(row for _, row in rows)
        print(f"| {name} | {len(rows)} | {' | '.join(f'{means[column]:.1f}' for column in COLUMNS)} |")


if __name__ == "__main__":
    main()
