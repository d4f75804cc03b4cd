"""Searching memory as it stood: in an index of that state, made from what the present index knows already."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from clawgit.history.git.trees import EXECUTABLE, FILE
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.history.states.revisions import as_of
from clawgit.memory.corrections.correction_log import is_correction_file
from clawgit.memory.entries.tiers import CONFLICTS
from clawgit.recall.candidates import Reading, Sources
from clawgit.recall.index.index_tables import SPAN, TABLES, Tables
from clawgit.recall.index.keywords import count_words
from clawgit.recall.index.line_units import read_units
from clawgit.recall.index.sealed_store import NONSENSE, Shape, attached, forget, made_in_memory, up_to_date
from clawgit.recall.index.search_index import INDEX, Index, shape_of
from clawgit.recall.index.searched_files import served_at, tier_found
from clawgit.recall.index.writer_turns import lock_of
from clawgit.recall.ranked_answers import answer
from clawgit.recall.ranking.superseded_places import superseded_by
from clawgit.recall.search import asked, weights_of
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.states.revisions import AsOf
    from clawgit.recall.search_results import Found, Wanted
    from clawgit.recall.vector_search import Nearness, Vectors

FOLDER = "asof"
KEPT = 8  # so many earlier states stay indexed


@contextmanager
def open_index_of(history: History, tree: Tree, *, in_memory: bool = False) -> Iterator[Index]:
    """Open the index of a state of the workspace in git; the same state is indexed once."""
    path = _path(history, tree)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, exist_ok=True)
    wanted = _files(history, tree)
    shape = Shape(f"{shape_of(history).version}/{history.settings.search_extra_paths}", TABLES)
    fill = partial(_fill, history, tree, wanted)
    if in_memory:
        with closing(made_in_memory(shape, fill)) as db, open_trusts(history) as trusts:
            yield Index(db, trusts)
        return
    shape = shape._replace(copied=partial(_is_copied, history, wanted))
    with up_to_date(path, shape, fresh=lambda db: True, fill=fill) as db, open_trusts(history) as trusts:
        yield Index(db, trusts)
    _forget_oldest(path.parent)


def search_as_of(
    history: History, wanted: Wanted, moment: datetime, now: datetime, *, vectors: Vectors | None = None
) -> tuple[Found, AsOf]:
    """Return what the same search would have found at ``moment``, and the commit that this is told from.

    Raises:
        SearchError: The query is blank.
        RevisionError: The history does not reach back so far.
    """
    state = as_of(history, moment, now)
    tree = history.tree_of(state.commit.commit_id)
    return search_tree(history, tree, wanted, moment, vectors=vectors), state


def search_tree(
    history: History, tree: Tree, wanted: Wanted, moment: datetime, *, vectors: Vectors | None = None
) -> Found:
    """Return what the search would find at ``moment`` in a state of the workspace.

    Raises:
        SearchError: The query is blank.
    """
    question, weights = asked(wanted, moment), weights_of(history, moment)
    reading = Reading(lambda place: history.objects.blob(place.blob))
    near = None if vectors is None else vectors.about(wanted.query, past=True)
    try:
        with open_index_of(history, tree) as index:
            found = answer(_sources(index, reading, near, tree), question, wanted, weights)
    except NONSENSE:
        forget_index_of(history, tree)
        with open_index_of(history, tree, in_memory=True) as index:
            found = answer(_sources(index, reading, near, tree), question, wanted, weights)
    return found if near is None else found._replace(by=near.by)


def _sources(index: Index, reading: Reading, near: Nearness | None, tree: Tree) -> Sources:
    lost = superseded_by(index.trusts.conflicts(tree.read(CONFLICTS) or b""))
    return Sources(index, reading, near=near, superseded=lost)


def forget_index_of(history: History, tree: Tree) -> None:
    """Delete the index of a state, if that is possible: what it said could not be true."""
    forget(_path(history, tree))


def _path(history: History, tree: Tree) -> Path:
    return history.state / FOLDER / f"{tree.tree_id}.db"


def _is_copied(history: History, wanted: dict[str, str], db: sqlite3.Connection) -> bool:
    """Begin with a copy of the present index, where most of it is wanted: to drop a line costs as much as to copy two."""
    with closing(sqlite3.connect(":memory:", uri=True, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        with attached(reader, history.state / INDEX, shape_of(history), "present") as usable:
            if not usable:
                return False
            lines = dict(reader.execute("SELECT file_id, lines FROM present.files"))
            kept = sum(lines[file_id] for file_id in _matched(reader, "present.files", wanted))
            if 3 * kept < 2 * sum(lines.values()):
                return False
            reader.backup(db, name="present")
    return True


def _fill(history: History, tree: Tree, wanted: dict[str, str], db: sqlite3.Connection) -> None:
    tables = Tables(db)
    known = _left_over(db, tables, wanted)
    if not known:
        with attached(db, history.state / INDEX, shape_of(history), "present") as usable:
            known = _copied(db, wanted) if usable else set()
        tables = Tables(db)  # which counts on from the texts that were copied
    for path, blob in wanted.items():
        if path not in known:
            _read(history, db, tables, path, blob)
    tables.settle()
    db.execute("INSERT OR REPLACE INTO meta VALUES ('cursor', '')")


def _matched(db: sqlite3.Connection, files: str, wanted: dict[str, str]) -> dict[int, str]:
    """Return, for each file of an index whose content is wanted, the path that it is wanted at: its own before another."""
    rows = db.execute(f"SELECT file_id, path, blob FROM {files}").fetchall()
    found = {file_id: path for file_id, path, blob in rows if wanted.get(path) == blob}
    others = {(blob, _kind(path)): file_id for file_id, path, blob in rows if file_id not in found}
    for path in sorted(wanted.keys() - found.values()):
        file_id = others.pop((wanted[path], _kind(path)), None)
        if file_id is not None:
            found[file_id] = path
    return found


def _left_over(db: sqlite3.Connection, tables: Tables, wanted: dict[str, str]) -> set[str]:
    """Take out of a copy what is not wanted, and return the paths of what is; none where nothing was copied."""
    found = _matched(db, "files", wanted)
    paths = dict(db.execute("SELECT file_id, path FROM files"))
    for file_id in paths.keys() - found.keys():
        tables.drop_file(file_id)
    moved = [(path, tier_found(path).value, each) for each, path in found.items() if paths[each] != path]
    db.executemany("UPDATE files SET path = NULL WHERE file_id = ?", [(each,) for *_, each in moved])
    db.executemany("UPDATE files SET path = ?, tier = ? WHERE file_id = ?", moved)
    return set(found.values())


def _files(history: History, tree: Tree) -> dict[str, str]:
    """Return the blob of every file of the state that is searched."""
    extra = history.settings.search_extra_paths
    return {
        path: entry.object_id
        for path, entry in tree.files()
        if entry.mode in (FILE, EXECUTABLE) and path.endswith(".md") and served_at(history.root, extra, path)
    }


def _copied(db: sqlite3.Connection, wanted: dict[str, str]) -> set[str]:
    """Copy the files that the present index has with the same content; return their paths."""
    found = _matched(db, "present.files", wanted)
    db.executemany(
        """
        INSERT INTO files SELECT file_id, ?, source, ?, blob, lines, size, mtime, ctime, inode
          FROM present.files WHERE file_id = ?
        """,
        [(path, tier_found(path).value, file_id) for file_id, path in found.items()],
    )
    for table, number in (("places", "place_id"), ("sections", "section_id")):
        db.execute(
            f"INSERT INTO {table} SELECT t.* FROM files f JOIN present.{table} t"
            f" ON t.{number} BETWEEN f.file_id * {SPAN} AND f.file_id * {SPAN} + {SPAN - 1}"
        )
    db.execute("INSERT INTO corrections SELECT c.* FROM files JOIN present.corrections c USING (file_id)")
    db.execute("INSERT INTO texts SELECT * FROM present.texts WHERE text_id IN (SELECT text_id FROM places)")
    db.execute("INSERT INTO words (rowid, terms) SELECT text_id, terms FROM texts")
    count_words(db)
    db.execute("INSERT INTO long_words SELECT * FROM present.long_words")
    db.execute("INSERT INTO word_parts (rowid, word) SELECT word_id, word FROM long_words")
    db.execute(
        """
        UPDATE meta SET value = (SELECT CASE meta.name WHEN 'units' THEN COUNT(*) ELSE TOTAL(length) END FROM texts)
         WHERE name IN ('units', 'length')
        """
    )
    return set(found.values())


def _kind(path: str) -> tuple[str, bool]:
    """Return what, beside its content, decides how a file is indexed."""
    return path.rpartition("/")[2], is_correction_file(path)


def _read(history: History, db: sqlite3.Connection, tables: Tables, path: str, blob: str) -> None:
    data = history.objects.blob(blob)
    served = served_at(history.root, history.settings.search_extra_paths, path)
    made = db.execute(
        "INSERT INTO files (path, source, tier, blob, lines) VALUES (?, ?, ?, ?, ?)",
        (path, served.source if served else "", tier_found(path).value, blob, len(split_lines(data))),
    )
    read = read_units(data, path, chunk_tokens=history.settings.chunk_tokens)
    assert made.lastrowid is not None
    tables.put_units(made.lastrowid, path, read)


def _forget_oldest(folder: Path) -> None:
    with suppress(OSError):
        files = sorted(folder.glob("*.db"), key=lambda path: path.stat().st_ctime_ns)
        for path in files[:-KEPT]:
            path.unlink()
            lock_of(path).unlink(missing_ok=True)
