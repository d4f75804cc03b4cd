"""What a keyword index without any ranking of ours finds in chunks of 100 tokens, 20 of them said twice."""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from typing import TYPE_CHECKING

import Stemmer

from benchmarks.retrieval.measures import Range

if TYPE_CHECKING:
    from collections.abc import Callable

    Ask = Callable[[str], list[Range]]
    Words = Callable[[str], list[str]]

MOST = 200
_K1, _B = 1.5, 0.75
_CHUNK, _OVERLAP = 400, 80  # characters
_STEMS = {"de": "german", "en": "english", "es": "spanish"}


def chunks(files: dict[str, list[str]]) -> list[tuple[Range, str]]:
    """Return the lines of each file in chunks that overlap by about 20 tokens."""
    found: list[tuple[Range, str]] = []
    for path, lines in files.items():
        first = 0
        while first < len(lines):
            end, size = first, 0
            while end < len(lines) and (end == first or size + len(lines[end]) <= _CHUNK):
                size += len(lines[end]) + 1
                end += 1
            found.append((Range(path, first + 1, end), "\n".join(lines[first:end])))
            if end >= len(lines):
                break
            first, kept = end, 0
            while first > found[-1][0].first and kept + len(lines[first - 1]) <= _OVERLAP:
                first -= 1
                kept += len(lines[first]) + 1
    return found


def words_of(language: str) -> Words:
    """Return what splits a text into stems, or into pairs of characters where a script has no spaces."""
    if language not in _STEMS:
        return lambda text: [
            gram
            for run in re.findall(r"\w+", text.lower())
            for gram in ([run] if run.isascii() else [run[at : at + 2] for at in range(max(1, len(run) - 1))])
        ]
    stemmer = Stemmer.Stemmer(_STEMS[language])
    return lambda text: [str(stem) for stem in stemmer.stemWords(re.findall(r"\w+", text.lower()))]


def bm25_chunks(files: dict[str, list[str]], language: str) -> Ask:
    """Return plain BM25 over chunks."""
    words, places = words_of(language), chunks(files)
    counted = [Counter(words(text)) for _, text in places]
    lengths = [counts.total() for counts in counted]
    mean = sum(lengths) / len(lengths)
    holding = Counter(word for counts in counted for word in counts)

    def score(counts: Counter[str], length: int, asked: list[str]) -> float:
        total = 0.0
        for word in asked:
            often = counts[word]
            if often:
                rarity = math.log(1 + (len(counted) - holding[word] + 0.5) / (holding[word] + 0.5))
                total += rarity * often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * length / mean))
        return total

    def ask(question: str) -> list[Range]:
        asked = words(question)
        scores = [score(counts, length, asked) for counts, length in zip(counted, lengths, strict=True)]
        order = sorted((at for at in range(len(scores)) if scores[at]), key=lambda at: -scores[at])
        return [places[at][0] for at in order[:MOST]]

    return ask


def fts_chunks(files: dict[str, list[str]], tokenizer: str) -> Ask:
    """Return FTS5 over chunks, any word of the question; with trigrams any three of its characters in a row."""
    db, places = sqlite3.connect(":memory:"), chunks(files)
    db.execute(f"CREATE VIRTUAL TABLE t USING fts5 (text, tokenize='{tokenizer}')")
    db.executemany(
        "INSERT INTO t (rowid, text) VALUES (?, ?)", ((at, text) for at, (_, text) in enumerate(places))
    )

    def pieces(question: str) -> list[str]:
        found = re.findall(r"\w+", question.lower())
        if tokenizer != "trigram":
            return found
        return [word[at : at + 3] for word in found for at in range(max(0, len(word) - 2))]

    def ask(question: str) -> list[Range]:
        match = " OR ".join(f'"{piece}"' for piece in dict.fromkeys(pieces(question)))
        if not match:
            return []
        rows = db.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (match, MOST))
        return [places[at][0] for (at,) in rows]

    return ask
