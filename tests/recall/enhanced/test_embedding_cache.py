"""The cache of embeddings, opened by two processes at once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from threading import Timer
from typing import TYPE_CHECKING

from clawgit.recall.vectors.embedding_cache import EmbeddingCache
from clawgit.workspace.records.sqlite_files import create_store

if TYPE_CHECKING:
    from pathlib import Path


def test_whoever_comes_while_the_tables_are_made_waits_for_them(tmp_path: Path) -> None:
    """Mutant: its transaction begins by reading: what it read is out of date once it would write, and it fails."""
    path = tmp_path / "embeddings.db"
    create_store(path)
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as first:
        first.execute("BEGIN IMMEDIATE")
        first.execute("CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID")
        first.execute("INSERT INTO meta VALUES ('place', 'a'), ('generation', 7)")
        first.execute("PRAGMA user_version = 1")
        ready = Timer(0.3, first.commit)
        ready.start()

        with closing(EmbeddingCache(path)) as cache:
            generation = cache.generation()
        ready.join()

    assert generation == 7
