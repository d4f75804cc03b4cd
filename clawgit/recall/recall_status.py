"""What `memory status` says: what is searched, by tier, how the index stands, and which notes are found again and again."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.memory.entries.tiers import IDENTITY_FILES, Tier, tier_of
from clawgit.recall.index.sealed_store import is_usable
from clawgit.recall.index.search_index import INDEX, open_index, renew_index, shape_of
from clawgit.recall.index.searched_files import is_searched, tier_found
from clawgit.recall.search_coverage import Coverage, unsearched_texts
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
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.recall.search_results import Found


_TITLES = {Tier.T0: "Soul", Tier.T1: "Core", Tier.T2: "Working"}
_LEDGERS = ("CONFLICTS.md",)
OFTEN_SESSIONS, OFTEN_DAYS, OFTEN_MOST = 3, 30, 20
QUERY_CHARACTERS = 500


class IndexNotWrittenError(ClawgitError):
    """The index cannot be kept on disk."""


@dataclass(frozen=True, slots=True)
class RecallStatus:
    """How many files and lines are searched, which files cannot be, and at which commit the index was written.

    ``on_disk`` is False where every search has to make the index again.
    """

    files: int
    units: int
    tiers: dict[str, int]
    left_out: tuple[str, ...]
    cursor: str
    on_disk: bool
    coverage: Coverage


def tier_counts(root: Path, searched: Iterable[str]) -> dict[str, int]:
    """Return how many files of each tier there are, ``searched`` and the others that have one."""
    others = [path for path in (*IDENTITY_FILES, *_LEDGERS) if _is_plain_file(root / path)]
    tiers = [tier_found(path) for path in (*others, *searched)]
    return {tier.value: tiers.count(tier) for tier in Tier}


def tier_lines(counts: dict[str, int]) -> list[str]:
    """Return the counts as other programs expect to read them."""
    return [
        "Soul Memory Tiers:",
        *(f"  {tier.value} {title}: {counts[tier.value]} files" for tier, title in _TITLES.items()),
    ]


def read_recall_status(history: History) -> RecallStatus:
    """Bring the index up to date and say what state it is in."""
    with suppress(IndexNotWrittenError):
        write_index(history)
    with open_index(history) as index:
        counts = index.counts()
    usable = is_usable(history.state / INDEX, shape_of(history))
    return RecallStatus(
        counts.files,
        counts.units,
        tier_counts(history.root, counts.paths),
        counts.left_out,
        counts.cursor,
        usable,
        Coverage(counts.paths, unsearched_texts(history, counts.paths)),
    )


def write_index(
    history: History,
    *,
    from_nothing: bool = False,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Bring the index on disk up to date, or make it again."""
    try:
        renew_index(history, from_nothing=from_nothing, tell=tell)
    except (OSError, sqlite3.Error) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise IndexNotWrittenError(
            f"The index cannot be written ({said}).",
            hint="Searches work without it, slower. Check the free space and who owns .git/clawgit.",
        ) from error


def _is_plain_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def note_found(history: History, query: str, session: str, found: Found, now: datetime) -> None:
    """Note a search and what it showed; the disk is not waited for."""
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
    """Return the dated notes that came up in several sessions lately and answered well; core memory needs no promotion."""
    if not (history.state / RECORDS).exists():
        return []
    since = now - timedelta(days=OFTEN_DAYS)
    with open_records(history.state / RECORDS, now) as records:
        notes = records.recalled_since(since, sessions=OFTEN_SESSIONS, least=ANSWERS_WELL)
    return [note for note in notes if _is_note(note.path)][:OFTEN_MOST]


def lines_often_found(history: History, now: datetime, days: int) -> list[RecalledLines]:
    """Return the lines of dated notes that were among the first hits in several sessions of some days, and answered well."""
    if not (history.state / RECORDS).exists():
        return []
    since = now - timedelta(days=days)
    with open_records(history.state / RECORDS, now) as records:
        lines = records.recalled_lines(since, sessions=OFTEN_SESSIONS, least=ANSWERS_WELL)
    return [line for line in lines if _is_note(line.path)][:OFTEN_MOST]


def _is_note(path: str) -> bool:
    """Say whether a path is a dated note of memory: prose beside it is the operator's own, and not promoted."""
    return is_searched(path) and tier_of(path) is Tier.T2
