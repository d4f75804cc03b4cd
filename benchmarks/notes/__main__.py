"""`python -m benchmarks.notes`: notes in three languages, as shipped against plain keyword indexes, in one run."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.notes.plain_indexes import bm25_chunks, fts_chunks
from benchmarks.notes.topics import read_notes
from benchmarks.retrieval import shipped
from benchmarks.retrieval.measures import COLUMNS, Range, cost_of, mean, measured

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.retrieval.conversations import Conversation

NOTES = Path(__file__).parent


def main() -> None:
    """Measure each language."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        for path in sorted(NOTES.glob("*.md")):
            _measure(read_notes(path), Path(folder) / path.stem)


def _measure(notes: Conversation, root: Path) -> None:
    notes.write(root)
    shipped.adopted(root)
    everything = shipped.files_of(root)
    print(f"\n| {notes.name}, {len(notes.questions)} questions | {' | '.join(COLUMNS)} | tokens |")
    print(f"|---|{'--:|' * (len(COLUMNS) + 1)}")
    for name, options in (
        ("core, 200 hits", shipped.ALL),
        ("core, as shipped", ()),
        ("core, 6 hits from 0.35", shipped.SIX),
    ):
        _row(name, notes, shipped.core(root, notes.ended, options), everything)
    _row("BM25, chunks", notes, bm25_chunks(notes.files, notes.name), notes.files)
    for name, tokenizer in (
        ("FTS5 porter, chunks", "porter unicode61"),
        ("FTS5 trigrams, chunks", "trigram"),
    ):
        _row(name, notes, fts_chunks(notes.files, tokenizer), notes.files)


def _row(
    name: str, notes: Conversation, ask: Callable[[str], list[Range]], files: dict[str, list[str]]
) -> None:
    answers = [ask(question.text) for question in notes.questions]
    means = mean(
        measured(question, answer, files) for question, answer in zip(notes.questions, answers, strict=True)
    )
    tokens = sum(cost_of(answer, files) for answer in answers) / len(answers)
    print(
        f"| {name} | {' | '.join(f'{means[column]:.1f}' for column in COLUMNS)} | {tokens:.0f} |", flush=True
    )


if __name__ == "__main__":
    main()
