"""What `memory search` is measured against: plain FTS5 over lines and over chunks, and rapidfuzz over lines."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process, utils

from benchmarks.retrieval.measures import Range

if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 200
_WORD = re.compile(r"\w+")
_CHUNK_CHARACTERS = 400  # 100 tokens


def _lines(files: dict[str, list[str]]) -> list[tuple[Range, str]]:
    return [
        (Range(path, number, number), line)
        for path, lines in files.items()
        for number, line in enumerate(lines, start=1)
        if line and not line.startswith("#")
    ]


def _chunks(files: dict[str, list[str]]) -> list[tuple[Range, str]]:
    found: list[tuple[Range, str]] = []
    for path, lines in files.items():
        first, held = 1, ""
        for number, line in enumerate(lines, start=1):
            if held and len(held) + len(line) > _CHUNK_CHARACTERS:
                found.append((Range(path, first, number - 1), held))
                first, held = number, ""
            held += line + "\n"
        found.append((Range(path, first, len(lines)), held))
    return found


def _fts(texts: list[tuple[Range, str]]) -> Callable[[str], list[Range]]:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5 (text, tokenize='porter unicode61')")
    db.executemany(
        "INSERT INTO t (rowid, text) VALUES (?, ?)", ((n, text) for n, (_, text) in enumerate(texts))
    )

    def ask(question: str) -> list[Range]:
        match = " OR ".join(f'"{word}"' for word in _WORD.findall(question))
        rows = db.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (match, MOST))
        return [texts[number][0] for (number,) in rows]

    return ask


def fts_lines(files: dict[str, list[str]]) -> Callable[[str], list[Range]]:
    """Return the question's words, any of them, in FTS5 with porter over lines."""
    return _fts(_lines(files))


def fts_chunks(files: dict[str, list[str]]) -> Callable[[str], list[Range]]:
    """Return the same over chunks of 100 tokens."""
    return _fts(_chunks(files))


def fuzzy_lines(files: dict[str, list[str]]) -> Callable[[str], list[Range]]:
    """Return rapidfuzz's token_set_ratio over lines."""
    places = _lines(files)
    texts = [utils.default_process(text) for _, text in places]

    def ask(question: str) -> list[Range]:
        wanted = utils.default_process(question)
        found = process.extract(wanted, texts, scorer=fuzz.token_set_ratio, limit=MOST)
        return [places[at][0] for _, _, at in found]

    return ask
