"""Searching memory as it stood: the files of that state are indexed in memory, for this once."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from clawgit.history.git.trees import EXECUTABLE, FILE
from clawgit.history.provenance.trust_lookup import EvidenceBeside, open_trusts
from clawgit.history.states.revisions import as_of
from clawgit.memory.corrections.correction_log import LEDGER
from clawgit.memory.entries.tiers import CONFLICTS
from clawgit.recall.candidates import Reading, Sources
from clawgit.recall.index.file_texts import as_utf8, is_text
from clawgit.recall.index.index_tables import Tables
from clawgit.recall.index.index_update import uncollected
from clawgit.recall.index.line_units import read_units
from clawgit.recall.index.sealed_store import made_in_memory
from clawgit.recall.index.search_index import Index, shape_of
from clawgit.recall.index.searched_files import ENDINGS, served_at, tier_found
from clawgit.recall.ranked_answers import answer
from clawgit.recall.ranking.results import superseded_by
from clawgit.recall.search import asked, weights_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.states.revisions import AsOf
    from clawgit.recall.search_results import Found, Wanted
    from clawgit.recall.vector_search import Vectors


def search_as_of(
    history: History, wanted: Wanted, moment: datetime, now: datetime, *, vectors: Vectors | None = None
) -> tuple[Found, AsOf]:
    """Return what the same search would have found at ``moment``, and the commit that this is told from."""
    state = as_of(history, moment, now)
    tree = history.tree_of(state.commit.commit_id)
    return search_tree(history, tree, wanted, moment, vectors=vectors), state


def search_tree(
    history: History, tree: Tree, wanted: Wanted, moment: datetime, *, vectors: Vectors | None = None
) -> Found:
    """Return what the search would find at ``moment`` in a state of the workspace."""
    question = asked(wanted, moment)
    weights = weights_of(history, moment)
    reading = Reading(lambda place: as_utf8(history.objects.blob(place.blob)))
    near = None if vectors is None else vectors.about(wanted.query, past=True)
    with open_index_of(history, tree) as index:
        lost = superseded_by(index.trusts.conflicts(tree.read(CONFLICTS) or b""))
        evidence = EvidenceBeside(history, index.trusts, tree.read(LEDGER) or b"", moment.date())
        sources = Sources(index, reading, near=near, superseded=lost, evidence=evidence)
        found = answer(sources, question, wanted, weights)
    return found if near is None else found._replace(by=near.by)


@contextmanager
def open_index_of(history: History, tree: Tree) -> Iterator[Index]:
    """Index a state of the workspace in git."""

    def fill(db: sqlite3.Connection) -> None:
        tables = Tables(db)
        with uncollected():
            for path, entry in tree.files():
                if entry.mode in (FILE, EXECUTABLE) and path.endswith(ENDINGS):
                    _put_file(history, tables, path, entry.object_id)
            tables.settle()
        db.execute("INSERT OR REPLACE INTO meta VALUES ('cursor', '')")

    with closing(made_in_memory(shape_of(history), fill)) as db, open_trusts(history) as trusts:
        yield Index(db, trusts)


def _put_file(history: History, tables: Tables, path: str, blob: str) -> None:
    settings = history.settings
    served = served_at(history.root, settings.search_extra_paths, path, settings.search_exclude)
    data = b"" if served is None else history.objects.blob(blob)
    if served is None or not is_text(data):
        return
    units = read_units(as_utf8(data), path, chunk_tokens=settings.chunk_tokens)
    tables.put_file(path, (served.source, tier_found(path).value, blob), units)
