"""Asking the keyword table of a store: which words it has, and which texts hold any of them. No text is query syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

MOST_HOLDING = 24
DEAR = 15_000  # so many matches are scored at once


def seen_in(db: sqlite3.Connection, words: Iterable[str]) -> dict[str, int]:
    """Return in how many texts each word is; words that are in none are left out."""
    found = {}
    for word in dict.fromkeys(words):
        row = db.execute("SELECT doc FROM vocabulary WHERE term = ?", (word,)).fetchone()
        if row is not None:
            found[word] = int(row[0])
    return found


def words_beginning(db: sqlite3.Connection, start: str) -> dict[str, int]:
    """Return every word that begins so, and in how many texts it is."""
    return dict(
        db.execute(
            "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?", (start, start + "\U0010ffff")
        )
    )


def words_holding(db: sqlite3.Connection, part: str) -> list[str]:
    """Return long words that hold these three or more letters, the shortest first."""
    rows = db.execute(
        """
        SELECT word FROM word_parts
         WHERE word MATCH ? AND EXISTS (SELECT 1 FROM vocabulary WHERE term = word)
         ORDER BY length(word), word LIMIT ?
        """,
        (quoted(part), MOST_HOLDING),
    )
    return [row[0] for row in rows]


def match_any(seen: Mapping[str, int]) -> str:
    """Return the query for texts that hold any of these words, empty for none.

    Scoring a match costs 0.6 µs, and words that very many lines hold tell little: they are only scored in
    lines that a rarer word brings up.
    """
    by_rarity = sorted(seen, key=lambda word: (seen[word], word))
    total = 0
    rare: list[str] = []
    for word in by_rarity:
        total += seen[word]
        if rare and total > DEAR:
            break
        rare.append(word)
    match = " OR ".join(map(quoted, rare))
    common = " OR ".join(map(quoted, by_rarity[len(rare) :]))
    return f"({match}) OR (({match}) AND ({common}))" if common else match


def quoted(words: str) -> str:
    """Return words as one phrase of a query."""
    doubled = words.replace('"', '""')
    return f'"{doubled}"'
