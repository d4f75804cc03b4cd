"""What searches found, kept as records: which notes are needed again and again, and in which sessions."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from clawgit.recall.index.searched_files import tier_found
from clawgit.recall.search_results import ANSWERS_WELL
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.understanding.triage.triage_message import asks_to_forget
from clawgit.workspace.records.records import (
    RECORDS,
    HitNote,
    Recalled,
    RecalledLines,
    SearchNote,
    open_records,
)

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.recall.search_results import Found

OFTEN_SESSIONS, OFTEN_DAYS, OFTEN_MOST = 3, 30, 20
QUERY_CHARACTERS = 500


def note_found(history: History, query: str, session: str, found: Found, now: datetime) -> None:
    """Note a search and what it showed; the disk is not waited for.

    Raises:
        RecordsError: It cannot be noted; the answer is good all the same.
    """
    fsync = history.settings.fsync
    hits = tuple(
        HitNote(hit.path, hit.first, hit.last, next(iter(hit.entries), ""), hit.score)
        for hit in found.results
    )
    with open_records(history.state / RECORDS, now, fsync=fsync, may_get_lost=True) as records:
        records.note_search(SearchNote(now, folded(session), kept_query(query), hits))


def kept_query(query: str) -> str:
    """Return a query as the records keep it: one line, not endless, without secrets (records go into backups).

    Nothing of one that is not to be remembered.
    """
    return "" if asks_to_forget(query) else redact(folded(query))[:QUERY_CHARACTERS]


def often_found(history: History, now: datetime) -> list[Recalled]:
    """Return the dated notes that came up in several sessions lately and answered well; core memory needs no promotion.

    Raises:
        RecordsError: The records cannot be read.
    """
    if not (history.state / RECORDS).exists():
        return []
    with open_records(history.state / RECORDS, now) as records:
        found = records.recalled_since(
            now - timedelta(days=OFTEN_DAYS), sessions=OFTEN_SESSIONS, least=ANSWERS_WELL
        )
    return [each for each in found if tier_found(each.path).value == "T2"][:OFTEN_MOST]


def lines_often_found(history: History, now: datetime, days: int) -> list[RecalledLines]:
    """Return the lines of dated notes that were among the first hits in several sessions of some days, and answered well.

    Raises:
        RecordsError: The records cannot be read.
    """
    if not (history.state / RECORDS).exists():
        return []
    with open_records(history.state / RECORDS, now) as records:
        found = records.recalled_lines(
            now - timedelta(days=days), sessions=OFTEN_SESSIONS, least=ANSWERS_WELL
        )
    return [each for each in found if tier_found(each.path).value == "T2"][:OFTEN_MOST]
