"""`memory search`, core mode: from a question to the lines that answer it, with no model at all."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.provenance.trust_lookup import EvidenceBeside
from clawgit.memory.corrections.correction_log import LEDGER
from clawgit.memory.entries.tiers import CONFLICTS, USER_FILE
from clawgit.recall.candidates import Reading, Sources
from clawgit.recall.index.file_texts import as_utf8, read_served
from clawgit.recall.index.index_update import blob_id, uncollected
from clawgit.recall.index.sealed_store import NONSENSE
from clawgit.recall.index.search_index import forget_index, open_index
from clawgit.recall.index.searched_files import served_at
from clawgit.recall.questions.read_question import read_question
from clawgit.recall.ranked_answers import answer
from clawgit.recall.ranking.results import Weights, superseded_by
from clawgit.recall.search_results import Found, Wanted
from clawgit.understanding.forms.user_words import operator_names
from clawgit.workspace.safe_files import read_file
from clawgit.workspace.settings.setting_types import BEST

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.recall.index.places import Place
    from clawgit.recall.questions.question import Question
    from clawgit.recall.search_deep import Retired
    from clawgit.recall.vector_search import Vectors

TRIES = 5


class SearchError(ClawgitError):
    """There is nothing to search for."""


def search(
    history: History,
    wanted: Wanted,
    now: datetime,
    *,
    beside: Callable[[History], AbstractContextManager[Retired]] | None = None,
    vectors: Vectors | None = None,
) -> Found:
    """Return the lines that answer best, each as it is in its file at that moment.

    ``beside`` opens what is not in memory any more (`open_retired`), where that is to be found, too; ``vectors``
    are asked as well, and whatever is wrong with them, keywords answer.

    Raises:
        SearchError: The query is blank.
    """
    question = asked(wanted, now)
    weights = weights_of(history, now)
    near = None if vectors is None else vectors.about(wanted.query, past=beside is not None)
    found, damaged = Found(), False
    for _ in range(TRIES):
        reading = Reading(lambda place: file_of(history, place))
        try:
            with (
                open_index(history, in_memory=damaged) as index,
                beside(history) if beside else nullcontext() as retired,
                uncollected(),
            ):
                lost = superseded_by(index.trusts.conflicts(_content(history, CONFLICTS)))
                evidence = EvidenceBeside(history, index.trusts, _content(history, LEDGER), now.date())
                sources = Sources(index, reading, retired, near, lost, evidence)
                found = answer(sources, question, wanted, weights)
        except NONSENSE:
            if damaged:
                raise
            forget_index(history)
            damaged = True
            continue
        if not reading.stale:
            break
    return found if near is None else found._replace(by=near.by)


def _content(history: History, path: str) -> bytes:
    try:
        content = read_file(history.root, path, at_most=history.settings.max_file_bytes)
    except (ClawgitError, OSError):
        return b""
    return b"" if content is None else content.data


def asked(wanted: Wanted, now: datetime) -> Question:
    """Return the question that is asked."""
    refuse_blank(wanted)
    return read_question(wanted.query, now)


def refuse_blank(wanted: Wanted) -> None:
    """Refuse a query that says nothing."""
    if not wanted.query.strip():
        raise SearchError("There is nothing to search for.", hint='`clawgit memory search "WORDS"`.')


def weights_of(history: History, now: datetime) -> Weights:
    """Return what the settings say about the order."""
    settings = history.settings
    half_life = settings.temporal_decay_half_life_days if settings.temporal_decay_enabled else 0
    formula = None
    if settings.search_fusion != BEST:
        of_vectors, _, of_keywords = settings.search_fusion.partition("/")
        formula = float(of_vectors), float(of_keywords)
    names = operator_names(_content(history, USER_FILE))
    return Weights(settings.correction_relevance_boost, half_life, now.date(), formula, names)


def file_of(history: History, place: Place) -> bytes | None:
    """Return the text of the file that a place is in, None if it is not as it was indexed."""
    settings = history.settings
    served = served_at(history.root, settings.search_extra_paths, place.path, settings.search_exclude)
    if served is None:
        return None
    try:
        data = read_served(history, served)
    except (ClawgitError, OSError):
        return None
    if data is None or blob_id(data) != place.blob:
        return None
    return as_utf8(data)
