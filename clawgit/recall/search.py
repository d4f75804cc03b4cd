"""`memory search`, core mode: from a question to the lines that answer it, without a model."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.git.trees import EXECUTABLE, FILE, Tree
from clawgit.history.provenance.trust_lookup import EvidenceBeside, TrustLookup, open_trusts
from clawgit.memory.corrections.correction_log import LEDGER
from clawgit.memory.entries.tiers import CONFLICTS, USER_FILE
from clawgit.recall.index.index_tables import Tables
from clawgit.recall.index.index_update import blob_id, uncollected
from clawgit.recall.index.line_units import read_units
from clawgit.recall.index.sealed_store import NONSENSE, NearStore, forget, up_to_date
from clawgit.recall.index.search_index import INDEX, Index, open_index, shape_of
from clawgit.recall.index.searched_files import served_at, tier_found
from clawgit.recall.questions.read_question import read_question
from clawgit.recall.ranked_answers import Sources, TextSource, answer
from clawgit.recall.ranking.outdated_places import Weights, superseded_by
from clawgit.recall.search_results import Hits, Query
from clawgit.text.markdown.lines import ENDINGS, as_utf8, is_text
from clawgit.understanding.forms.user_words import operator_names
from clawgit.workspace.safe_files import data_of, read_file
from clawgit.workspace.settings.setting_types import BEST

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.history.states import StateAt
    from clawgit.recall.index.places import Place
    from clawgit.recall.questions.question import Question
    from clawgit.recall.search_deep import Retired
    from clawgit.recall.vector_search import Vectors


TRIES = 5
SMALL = 16_384  # bytes
RESTING = 10**9  # ns: any later change gives the file another stamp


def search(
    history: History,
    request: Query,
    now: datetime,
    *,
    beside: Callable[[History, Index], Retired] | None = None,
    vectors: Vectors | None = None,
    trusts: TrustLookup | None = None,
) -> Hits:
    """Return the lines that answer best, each as it is in its file at that moment.

    ``beside`` reads retired texts (`Retired`), if they are searched, too. ``vectors`` are used if they
    work; else keywords answer. ``trusts`` are reused if open already. A blank query is refused.
    """
    question = asked(request, now)
    weights = weights_of(history, now)
    near = None if vectors is None else vectors.about(request.query)
    answers, damaged = Hits(), False
    for _ in range(TRIES):
        reading = TextSource(lambda place: file_of(history, place))
        try:
            with (
                open_index(history, in_memory=damaged, trusts=trusts) as index,
                uncollected(),
            ):
                retired = None
                if beside is not None:
                    retired = beside(history, index)
                lost = superseded_by(index.trusts.conflicts(content_of(history, CONFLICTS)))
                evidence = EvidenceBeside(history, index.trusts, content_of(history, LEDGER), now.date())
                sources = Sources(index, reading, retired, near, lost, evidence)
                answers = answer(sources, question, request, weights)
        except NONSENSE:
            if damaged:
                raise
            forget(history.state / INDEX)  # it gave an impossible answer
            damaged = True
            continue
        if not reading.stale:
            break
    return answers if near is None else answers._replace(by=near.by)


def content_of(history: History, path: str) -> bytes:
    """Return a file of the workspace as it is now, empty if it cannot be read."""
    try:
        return _present(history.root, path, history.settings.max_file_bytes).data
    except (ClawgitError, OSError):
        return b""


def asked(request: Query, now: datetime) -> Question:
    refuse_blank(request)
    return read_question(request.query, now)


def refuse_blank(request: Query) -> None:
    if not request.query.strip():
        raise ClawgitError("There is nothing to search for.", hint='`clawgit memory search "WORDS"`.')


def weights_of(history: History, now: datetime) -> Weights:
    settings = history.settings
    half_life = 0
    if settings.temporal_decay_enabled:
        half_life = settings.temporal_decay_half_life_days
    formula = None
    if settings.search_fusion != BEST:
        of_vectors, _, of_keywords = settings.search_fusion.partition("/")
        formula = float(of_vectors), float(of_keywords)
    names = operator_names(content_of(history, USER_FILE))
    return Weights(settings.correction_relevance_boost, half_life, now.date(), formula, names)


def file_of(history: History, place: Place) -> bytes | None:
    """Return the text of a place's file, None if it has changed since it was indexed."""
    settings = history.settings
    served = served_at(history.root, settings.search_extra_paths, place.path, settings.search_exclude)
    if served is None:
        return None
    try:
        present = _present(served.base, served.inner, settings.max_file_bytes)
    except (ClawgitError, OSError):
        return None
    return present.text if present.blob == place.blob else None


class _Present(NamedTuple):
    """A present file, its blob id, and its text as UTF-8."""

    blob: str
    data: bytes
    text: bytes


def _present(base: Path, inner: str, at_most: int) -> _Present:
    state = os.lstat(f"{base}/{inner}")
    stamp = state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino
    if state.st_size <= SMALL and state.st_ctime_ns < time.time_ns() - RESTING:
        return _read_once(base, inner, at_most, stamp)
    return _read(base, inner, at_most, stamp)


def _read(base: Path, inner: str, at_most: int, _stamp: tuple[int, ...]) -> _Present:
    content = read_file(base, inner, at_most=at_most)
    data = data_of(content) or b""
    return _Present(blob_id(data), data, as_utf8(data))


# A small file at rest is unchanged while its stamp is the same.
_read_once = lru_cache(maxsize=2048)(_read)


def search_as_of(
    history: History, request: Query, moment: datetime, now: datetime, *, vectors: Vectors | None = None
) -> tuple[Hits, StateAt]:
    """Return what the same search would have found at ``moment``, and the commit that it read."""
    from clawgit.history.states import as_of  # noqa: PLC0415 - it loads what writes

    state = as_of(history, moment, now)
    tree = history.tree_of(state.commit.commit_id)
    return search_tree(history, tree, request, moment, vectors=vectors), state


def search_tree(
    history: History, tree: Tree, request: Query, moment: datetime, *, vectors: Vectors | None = None
) -> Hits:
    """Return what the search would find at ``moment`` in a tree of the workspace."""
    question = asked(request, moment)
    weights = weights_of(history, moment)
    reading = TextSource(lambda place: as_utf8(history.objects.blob(place.blob)))
    near = None if vectors is None else vectors.about(request.query)

    def found_in(opened: AbstractContextManager[Index]) -> Hits:
        with opened as index, uncollected():
            lost = superseded_by(index.trusts.conflicts(tree.read(CONFLICTS) or b""))
            evidence = EvidenceBeside(history, index.trusts, tree.read(LEDGER) or b"", moment.date())
            sources = Sources(index, reading, near=near, superseded=lost, evidence=evidence)
            return answer(sources, question, request, weights)

    try:
        answers = found_in(open_index_of(history, tree))
    except NONSENSE:
        forget(history.state / PAST)  # it gave an impossible answer
        answers = found_in(open_index_of(history, tree, in_memory=True))
    return answers if near is None else answers._replace(by=near.by)


PAST = "past.db"


@contextmanager
def open_index_of(history: History, tree: Tree, *, in_memory: bool = False) -> Iterator[Index]:
    """Open the index of a tree in git; ``in_memory`` builds another, for this once."""
    settings = history.settings
    shape = shape_of(history)
    version = f"{shape.version}/{settings.search_extra_paths}/{settings.search_exclude}"
    shape = shape._replace(version=version)

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
        return 2 * shared > len(files)  # else removing the others takes longer than starting empty

    today = NearStore(history.state / INDEX, shape_of(history), is_near)
    opened = up_to_date(
        history.state / PAST, shape, fresh=is_of_tree, fill=fill, model=today, in_memory=in_memory
    )
    with opened as db, open_trusts(history) as trusts:
        yield Index(db, trusts)


def _follow(history: History, tree: Tree, db: sqlite3.Connection) -> None:
    tables = Tables(db)
    blobs: dict[str, str] = dict(db.execute("SELECT path, blob FROM files"))
    gone: dict[str, int] = dict(db.execute("SELECT path, file_id FROM files"))
    with uncollected():
        for path, entry in tree.files():
            if entry.mode not in (FILE, EXECUTABLE) or not path.endswith(ENDINGS):
                continue
            if blobs.get(path) == entry.object_id or _put_file(history, tables, path, entry.object_id):
                gone.pop(path, None)
        for file_id in gone.values():
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
