"""An index laid open, so that two of them can be compared."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.recall.index.index_tables import SPAN
from clawgit.recall.index.index_update import Reconcile
from clawgit.recall.index.sealed_store import renew
from clawgit.recall.index.search_index import INDEX, open_index, shape_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clawgit.history.git.repository import History

PLACES = f"""
    SELECT f.path, f.source, f.tier, f.blob, p.place_id % {SPAN}, p.section_id % {SPAN}, p.first, p.last,
           p.kind, p.entry, p.day, t.text, t.hash, t.terms, t.traits, t.length, s.titles, s.terms
      FROM places p JOIN texts t ON t.text_id = p.text_id JOIN sections s ON s.section_id = p.section_id
      JOIN files f ON f.file_id = p.place_id / {SPAN}
"""
WORDS = """
    SELECT w.term, t.hash, w."offset" FROM temp.instances w LEFT JOIN texts t ON t.text_id = w.doc
"""


def laid_open(db: sqlite3.Connection) -> dict[str, Any]:
    """Return everything that an index says, without its own numbers."""
    db.execute("CREATE VIRTUAL TABLE temp.instances USING fts5vocab (main, words, instance)")
    return {
        "files": sorted(db.execute("SELECT path, source, tier, blob FROM files")),
        "places": sorted(db.execute(PLACES), key=repr),
        "texts": sorted(db.execute("SELECT hash, text, terms, traits, length FROM texts")),
        "words": sorted(db.execute(WORDS), key=repr),
        "word counts": sorted(db.execute("SELECT word, texts FROM word_counts")),
        "corrections": sorted(
            db.execute(
                "SELECT f.path, correction_id, entry, at, correct FROM corrections JOIN files f USING (file_id)"
            )
        ),
        "counts": sorted(db.execute("SELECT name, value FROM meta WHERE name IN ('units', 'length')")),
    }


def file_laid_open(path: Path) -> dict[str, Any]:
    with closing(sqlite3.connect(path)) as db:
        return laid_open(db)


@pytest.fixture
def kept_index() -> Callable[[History], dict[str, Any]]:
    """Return what the workspace's index says after one more use."""

    def read(history: History) -> dict[str, Any]:
        with open_index(history):
            pass
        return file_laid_open(history.state / INDEX)

    return read


@pytest.fixture
def new_index(tmp_path: Path) -> Callable[[History], dict[str, Any]]:
    """Return what an index says that is made from nothing."""

    def read(history: History) -> dict[str, Any]:
        path = tmp_path / "from-nothing.db"
        renew(path, shape_of(history), Reconcile(history).into, from_nothing=True)
        return file_laid_open(path)

    return read
