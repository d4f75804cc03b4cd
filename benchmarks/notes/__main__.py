"""`python -m benchmarks.notes [LANGUAGE …]`: notes as shipped against plain keyword indexes, in one run.

The weights were chosen on en, de and zh, that of letters on de and es; ko and es showed what was wrong in all of them.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from benchmarks.notes.plain_indexes import bm25_chunks, fts_chunks
from benchmarks.notes.topics import read_notes
from benchmarks.retrieval import enhanced, shipped
from benchmarks.retrieval.measures import COLUMNS, Range, cost_of, mean, measured
from benchmarks.retrieval.typos import mistyped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from benchmarks.retrieval.conversations import Conversation

    Ask = Callable[[str], list[Range]]

NOTES = Path(__file__).parent
LANGUAGES = ("en", "de", "zh", "es", "ko")
SEED = 2026


def main() -> None:
    """Measure each language that is named, or all."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("languages", nargs="*", metavar="LANGUAGE", help=" ".join(LANGUAGES))
    arguments.add_argument(
        "--together", action="store_true", help="the notes of all languages in one workspace"
    )
    arguments.add_argument(
        "--model", type=Path, help="folder of an embedding model: measures enhanced mode, too"
    )
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        tables = _together(Path(folder)) if options.together else _apart(Path(folder))
        for language in options.languages or LANGUAGES:
            tables(language).print(options.model)
        enhanced.stop_owner()


def _apart(folder: Path) -> Callable[[str], _Table]:
    def table(language: str) -> _Table:
        notes, root = read_notes(NOTES / f"{language}.md"), folder / language
        notes.write(root)
        shipped.adopted(root)
        return _Table(notes, root, notes.files)

    return table


def _together(folder: Path) -> Callable[[str], _Table]:
    notes = {language: read_notes(NOTES / f"{language}.md").below(language) for language in LANGUAGES}
    for each in notes.values():
        each.write(folder / "all")
    shipped.adopted(folder / "all")
    files = {path: lines for each in notes.values() for path, lines in each.files.items()}
    return lambda language: _Table(notes[language], folder / "all", files)


class _Table:
    """The questions of a language about a workspace of notes, and what each index finds in them."""

    def __init__(self, notes: Conversation, root: Path, searched: dict[str, list[str]]) -> None:
        self._notes, self._root, self._searched = notes, root, searched
        self._files = shipped.files_of(root)

    def print(self, model: Path | None) -> None:
        notes = self._notes
        questions = [asked.text for asked in notes.questions]
        print(
            f"\n| {notes.name}, {len(questions)} questions | {' | '.join(COLUMNS)} | R at tokens as shipped | tokens |"
        )
        print(f"|---|{'--:|' * (len(COLUMNS) + 2)}")
        core = shipped.core(self._root, notes.ended)
        default = [shipped.core(self._root, notes.ended, ())(each) for each in questions]
        budgets = [cost_of(answer, self._files) for answer in default]
        random = Random(SEED)
        self._row("core, 200 hits from 0", map(core, questions), budgets)
        wrong = [mistyped(each, (), random) for each in questions]
        if wrong != questions:
            self._row("core, a typo each", map(core, wrong), budgets)
        self._row("core, as shipped", default, budgets)
        six = shipped.core(self._root, notes.ended, shipped.SIX)
        self._row("core, 6 hits from 0.35", map(six, questions), budgets)
        systems = enhanced.systems(self._root, notes.ended, model, notes.questions) if model else ()
        for name, ask in systems:
            if name.startswith("enhanced"):
                self._row(name, map(ask, questions), budgets)
        for name, ask in self._plain():
            self._row(name, map(ask, questions), budgets)

    def _plain(self) -> Iterable[tuple[str, Ask]]:
        files = self._searched
        yield "BM25 with stems, chunks", bm25_chunks(files, self._notes.name)
        yield "FTS5, chunks", fts_chunks(files, "unicode61")
        yield "FTS5 with trigrams, chunks", fts_chunks(files, "trigram")

    def _row(self, name: str, found: Iterable[list[Range]], budgets: list[float]) -> None:
        answers = list(found)
        rows = [
            measured(question, answer, self._files, budget)
            for question, answer, budget in zip(self._notes.questions, answers, budgets, strict=True)
        ]
        means = mean(rows)
        within = 100 * sum(row["within"] for row in rows) / len(rows)
        tokens = sum(cost_of(answer, self._files) for answer in answers) / len(answers)
        figures = " | ".join(f"{means[column]:.1f}" for column in COLUMNS)
        print(f"| {name} | {figures} | {within:.1f} | {tokens:.0f} |", flush=True)


if __name__ == "__main__":
    main()
