"""What searches showed is kept for a while: older searches make room."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta

from clawgit.workspace.records.records import EVERY, RECORDS, HitNote, SearchNote, make_room, open_records


def note(room, count: int, session: str = "s") -> None:
    with open_records(room.history.state / RECORDS, room.now) as records:
        for number in range(count):
            hit = HitNote("memory/2026-03-10.md", number % 7 + 1, number % 7 + 1, "", 1.0)
            records.note_search(SearchNote(room.now, f"{session}{number}", "q", (hit,)))


def test_the_oldest_searches_make_room(room) -> None:
    note(room, 2 * EVERY)
    with closing(sqlite3.connect(room.history.state / RECORDS)) as db:
        make_room(db, 2 * EVERY, most=EVERY)
        left = db.execute("SELECT MIN(search_id), COUNT(*) FROM searches").fetchone()
        hits = db.execute("SELECT MIN(search_id), COUNT(*) FROM search_hits").fetchone()

    assert left == hits == (EVERY + 1, EVERY)


def test_only_what_stood_among_the_first_hits_counts(room) -> None:
    hits = tuple(HitNote("memory/2026-03-10.md", place, place, "", 1.0) for place in range(1, 10))
    with open_records(room.history.state / RECORDS, room.now) as records:
        for session in ("a", "b", "c", "", "unknown", "unknown"):
            records.note_search(SearchNote(room.now, session, "q", hits))
        found = records.recalled_lines(room.now - timedelta(days=30), sessions=3, least=0)
        none = records.recalled_lines(room.now - timedelta(days=30), sessions=4, least=0)

    assert [each.first for each in found] == [1, 2, 3, 4, 5, 6]
    assert none == []
