"""`memory search`, core mode: from a question to the lines that answer it, with no model at all."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.as_of import as_of
from clawgit.recall.answers import Found, Reading, Sources, Wanted, answer
from clawgit.recall.as_of import forget_index_of, open_index_of
from clawgit.recall.index import forget_index, open_index
from clawgit.recall.questions import read_question
from clawgit.recall.reconcile import blob_id
from clawgit.recall.results import Weights
from clawgit.recall.retired import forget_retired, open_retired
from clawgit.recall.searched import served_at
from clawgit.workspace.files import read_file

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.as_of import AsOf
    from clawgit.history.repository import History
    from clawgit.recall.places import Place
    from clawgit.recall.questions import Question

TRIES = 5


class SearchError(ClawgitError):
    """There is nothing to search for."""


def search(history: History, wanted: Wanted, now: datetime) -> Found:
    """Return the lines that answer best, each as it stands in its file at that moment.

    Raises:
        SearchError: The query is blank.
    """
    question, weights = _asked(wanted, now), _weights(history, now)
    found, damaged = Found(), False
    for _ in range(TRIES):
        reading = Reading(lambda place: _file_of(history, place))
        try:
            with ExitStack() as opened:
                index = opened.enter_context(open_index(history, in_memory=damaged))
                retired = opened.enter_context(open_retired(history)) if wanted.deep else None
                found = answer(Sources(index, reading, retired), question, wanted, weights)
        except sqlite3.DatabaseError:
            if damaged:
                raise
            forget_index(history)
            forget_retired(history)
            damaged = True
            continue
        if not reading.stale:
            break
    return found


def search_as_of(history: History, wanted: Wanted, moment: datetime, now: datetime) -> tuple[Found, AsOf]:
    """Return what the same search would have found at ``moment``, and the commit that this is told from.

    Raises:
        SearchError: The query is blank.
        RevisionError: The history does not reach back so far.
    """
    question, weights = _asked(wanted, moment), _weights(history, moment)
    state = as_of(history, moment, now)
    tree = history.tree_of(state.commit.commit_id)
    reading = Reading(lambda place: history.objects.blob(place.blob))
    try:
        with open_index_of(history, tree) as index:
            return answer(Sources(index, reading), question, wanted, weights), state
    except sqlite3.DatabaseError:
        forget_index_of(history, tree)
        with open_index_of(history, tree, in_memory=True) as index:
            return answer(Sources(index, reading), question, wanted, weights), state


def _asked(wanted: Wanted, now: datetime) -> Question:
    if not wanted.query.strip():
        raise SearchError("There is nothing to search for.", hint='`clawgit memory search "WORDS"`.')
    return read_question(wanted.query, now)


def _weights(history: History, now: datetime) -> Weights:
    settings = history.settings
    half_life = settings.temporal_decay_half_life_days if settings.temporal_decay_enabled else 0
    return Weights(settings.correction_relevance_boost, half_life, now.date())


def _file_of(history: History, place: Place) -> bytes | None:
    """Return the file that a place is in, None if it is not as it was indexed."""
    served = served_at(history.root, history.settings.search_extra_paths, place.path)
    if served is None:
        return None
    try:
        content = read_file(served.base, served.inner, at_most=history.settings.max_file_bytes)
    except (ClawgitError, OSError):
        return None
    return content.data if content is not None and blob_id(content.data) == place.blob else None
