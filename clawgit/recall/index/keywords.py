"""Asking the keyword table of a store: which words it has, and which texts hold any of them. No text is query syntax."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping

COUNTS = "CREATE TABLE word_counts (word TEXT PRIMARY KEY, texts INTEGER) WITHOUT ROWID"
LONG = 7  # letters: a shorter word is hardly made of two
MOST_HOLDING = 24
_FEW = 2000  # so many words are counted one by one
DEAR = 4000  # so many matches are scored at once
MOST_COMMON = 6  # so many words of a question that more lines hold are looked for two by two


def seen_in(db: sqlite3.Connection, words: Iterable[str]) -> dict[str, int]:
    """Return in how many texts each word is; words that are in none are left out."""
    found = {}
    for word in dict.fromkeys(words):
        row = db.execute("SELECT doc FROM vocabulary WHERE term = ?", (word,)).fetchone()
        if row is not None:
            found[word] = int(row[0])
    return found


def count_words(db: sqlite3.Connection, words: Collection[str] | None = None) -> None:
    """Keep in how many texts each word is, as `vocabulary` has it: that one counts at every look; all words, or these."""
    if words is None or len(words) > _FEW:
        db.execute("DELETE FROM word_counts")
        db.execute("INSERT INTO word_counts SELECT term, doc FROM vocabulary")
        return
    db.executemany("DELETE FROM word_counts WHERE word = ?", [(word,) for word in words])
    db.executemany("INSERT INTO word_counts VALUES (?, ?)", sorted(seen_in(db, words).items()))


def add_long_words(db: sqlite3.Connection, words: Iterable[str]) -> None:
    """Make those of the words that are long be found by their letters."""
    (last,) = db.execute("SELECT MAX(word_id) FROM long_words").fetchone()
    long = sorted(word for word in words if len(word) >= LONG and word.isalpha())
    db.executemany("INSERT OR IGNORE INTO long_words (word) VALUES (?)", [(word,) for word in long])
    db.execute(
        "INSERT INTO word_parts (rowid, word) SELECT word_id, word FROM long_words WHERE word_id > ?",
        (last or 0,),
    )


def counted_in(db: sqlite3.Connection, words: Iterable[str]) -> dict[str, int]:
    """Return in how many texts each word is, as it was counted; words that are in none are left out."""
    find = "SELECT word, texts FROM word_counts WHERE word = ?"
    rows = (db.execute(find, (word,)).fetchone() for word in dict.fromkeys(words))
    return {row[0]: row[1] for row in rows if row is not None}


def words_beginning(db: sqlite3.Connection, start: str) -> dict[str, int]:
    """Return every word that begins so, and in how many texts it is."""
    return dict(
        db.execute(
            "SELECT word, texts FROM word_counts WHERE word >= ? AND word < ?", (start, start + "\U0010ffff")
        )
    )


def words_holding(db: sqlite3.Connection, part: str) -> list[str]:
    """Return long words that hold these three or more letters, the shortest first."""
    rows = db.execute(
        """
        SELECT word FROM word_parts
         WHERE word MATCH ? AND EXISTS (SELECT 1 FROM word_counts c WHERE c.word = word_parts.word)
         ORDER BY length(word), word LIMIT ?
        """,
        (quoted(part), MOST_HOLDING),
    )
    return [row[0] for row in rows]


def match_any(seen: Mapping[str, int]) -> str:
    """Return the query for texts that hold any of these words, empty for none.

    Scoring a match costs ten times as much as finding it, and a word that very many lines hold tells little: such
    lines are only scored where they hold another word as well.
    """
    by_rarity = sorted(seen, key=lambda word: (seen[word], word))
    within = bisect_right(list(accumulate(seen[word] for word in by_rarity)), DEAR)
    rare, common = by_rarity[: max(1, within)], by_rarity[max(1, within) :]
    pairs = (f"({quoted(one)} AND {quoted(other)})" for one, other in combinations(common[:MOST_COMMON], 2))
    match = " OR ".join(map(quoted, rare))
    more = " OR ".join(map(quoted, common))
    return " OR ".join([f"({match})", f"(({match}) AND ({more}))", *pairs]) if common else match


def quoted(words: str) -> str:
    """Return words as one phrase of a query."""
    doubled = words.replace('"', '""')
    return f'"{doubled}"'
