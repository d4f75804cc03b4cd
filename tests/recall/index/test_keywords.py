"""The query that any of a question's words makes, asked of a real keyword table."""

import sqlite3
from contextlib import closing

from clawgit.recall.index.keywords import DEAR, match_any


def test_words_that_very_many_lines_hold_are_looked_for_where_they_meet_another() -> None:
    """A line with one common word alone costs as much as a good one, and is not worth it."""
    rare, only, other = DEAR // 4, DEAR - 1, DEAR
    lines = ["quince"] * rare + ["plum"] * only + ["pear"] * other
    both, with_rare = len(lines) + 1, len(lines) + 2
    lines += ["plum with pear", "quince with pear"]
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE words USING fts5 (terms)")
        db.executemany("INSERT INTO words (terms) VALUES (?)", [(line,) for line in lines])
        match = match_any({"quince": rare + 1, "plum": only + 1, "pear": other + 2})
        found = [row[0] for row in db.execute("SELECT rowid FROM words WHERE words MATCH ?", (match,))]
    assert found == [*range(1, rare + 1), both, with_rare]
