"""Searching the files as they would read after a change: in the live index, in a transaction that is rolled back."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.memory.corrections.corrected_entries import correction_pieces
from clawgit.memory.corrections.correction_log import is_correction_file
from clawgit.recall.candidates import Reading, Sources
from clawgit.recall.index.index_tables import Tables
from clawgit.recall.index.index_update import blob_id
from clawgit.recall.index.line_units import read_units
from clawgit.recall.index.sealed_store import tried
from clawgit.recall.index.search_index import INDEX, Index, open_index, shape_of
from clawgit.recall.index.searched_files import MEMORY, is_searched, tier_found
from clawgit.recall.search import file_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping

    from clawgit.history.git.repository import History
    from clawgit.recall.index.places import Place


@contextmanager
def rehearsed(history: History, texts: Mapping[str, bytes]) -> Iterator[Sources]:
    """Open the index of the files as they are, but with ``texts``, corrections among them; nothing of it is kept.

    Raises:
        OSError, sqlite3.Error: The index cannot be written at present.
    """
    with open_index(history):
        pass
    searched = {path: data for path, data in texts.items() if is_searched(path)}
    planned = {words for path, data in searched.items() for words in _corrections(data, path)}
    with tried(history.state / INDEX, shape_of(history)) as db, open_trusts(history) as trusts:
        _put(db, searched, history.settings.chunk_tokens)

        def holds(name: str, words: str) -> bool:
            return (trusts.would_hold if words in planned else trusts.holds)(name, words)

        def read(place: Place) -> bytes | None:
            return searched[place.path] if place.path in searched else file_of(history, place)

        yield Sources(Index(db, trusts, holds), Reading(read))


def _corrections(data: bytes, path: str) -> Iterator[str]:
    """Yield the words of the corrections in a file."""
    if is_correction_file(path):
        yield from (piece.words for piece in correction_pieces(data, path))


def _put(db: sqlite3.Connection, texts: Mapping[str, bytes], chunk_tokens: int) -> None:
    tables = Tables(db)
    for path, data in texts.items():
        known = db.execute("SELECT file_id FROM files WHERE path = ?", (path,)).fetchone()
        values = (tier_found(path).value, blob_id(data), path)
        if known is None:
            made = db.execute(
                f"INSERT INTO files (source, tier, blob, path) VALUES ('{MEMORY}', ?, ?, ?)", values
            )
            assert made.lastrowid is not None
            file_id = made.lastrowid
        else:
            (file_id,) = known
            db.execute("UPDATE files SET tier = ?, blob = ? WHERE path = ?", values)
        tables.put_units(file_id, path, read_units(data, path, chunk_tokens=chunk_tokens))
    tables.settle()
