"""The index of a state in git: a copy of today's at first, brought to the one that is asked for by the files that differ."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from clawgit.history.git.trees import EXECUTABLE, FILE
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.recall.index.index_tables import Tables
from clawgit.recall.index.index_update import uncollected
from clawgit.recall.index.line_units import read_units
from clawgit.recall.index.sealed_store import Model, Shape, forget, made_in_memory, up_to_date
from clawgit.recall.index.search_index import INDEX, Index, shape_of
from clawgit.recall.index.searched_files import served_at, tier_found
from clawgit.text.markdown.lines import ENDINGS, as_utf8, is_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree

PAST = "past.db"


@contextmanager
def open_index_of(history: History, tree: Tree, *, in_memory: bool = False) -> Iterator[Index]:
    """Open the index of a state of the workspace in git; ``in_memory`` makes it anew, for this once."""
    settings = history.settings
    shape = shape_of(history)
    shape = Shape(f"{shape.version}/{settings.search_extra_paths}/{settings.search_exclude}", shape.tables)

    def is_of_tree(db: sqlite3.Connection) -> bool:
        row = db.execute("SELECT value FROM meta WHERE name = 'tree'").fetchone()
        return row is not None and row[0] == tree.tree_id

    def fill(db: sqlite3.Connection) -> None:
        _follow(history, tree, db)
        meta = [("tree", tree.tree_id), ("cursor", "")]
        db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", meta)

    def is_near(index: sqlite3.Connection) -> bool:
        files = set(index.execute("SELECT path, blob FROM files"))
        shared = sum((path, entry.object_id) in files for path, entry in tree.files())
        return 2 * shared > len(files)  # else to take out the others takes longer than to begin with nothing

    if in_memory:
        opened: AbstractContextManager[sqlite3.Connection] = closing(made_in_memory(shape, fill))
    else:
        today = Model(history.state / INDEX, shape_of(history), is_near)
        opened = up_to_date(history.state / PAST, shape, fresh=is_of_tree, fill=fill, model=today)
    with opened as db, open_trusts(history) as trusts:
        yield Index(db, trusts)


def forget_past(history: History) -> None:
    """Delete that index, if that is possible: what it said could not be true."""
    forget(history.state / PAST)


def _follow(history: History, tree: Tree, db: sqlite3.Connection) -> None:
    tables = Tables(db)
    gone = {
        path: (blob, file_id) for path, blob, file_id in db.execute("SELECT path, blob, file_id FROM files")
    }
    with uncollected():
        for path, entry in tree.files():
            if entry.mode not in (FILE, EXECUTABLE) or not path.endswith(ENDINGS):
                continue
            blob, _ = gone.get(path, ("", 0))
            if blob == entry.object_id or _put_file(history, tables, path, entry.object_id):
                gone.pop(path, None)
        for _, file_id in gone.values():
            tables.drop_file(file_id)
        tables.settle()


def _put_file(history: History, tables: Tables, path: str, blob: str) -> bool:
    settings = history.settings
    served = served_at(history.root, settings.search_extra_paths, path, settings.search_exclude)
    if served is None:
        return False
    data = history.objects.blob(blob)
    if not is_text(data):
        return False
    units = read_units(as_utf8(data), path, chunk_tokens=settings.chunk_tokens)
    tables.put_file(path, (served.source, tier_found(path).value, blob), units)
    return True
