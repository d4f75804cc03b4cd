"""What the records keep, as values: backups, searches and their hits, runs."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime


class BackupNote(NamedTuple):
    """A backup that was made: when, where, how large."""

    made_at: datetime
    path: str
    size: int


class HitNote(NamedTuple):
    """Lines that a search showed, and the entry among them (`m:…`), if there is one."""

    path: str
    first: int
    last: int
    entry: str
    score: float


class SearchNote(NamedTuple):
    """A search: when, in which session (empty where that is not known), for what, and what it showed."""

    searched_at: datetime
    session: str
    query: str
    hits: tuple[HitNote, ...]


class Recalled(NamedTuple):
    """A file that was found: how often, and in how many sessions."""

    path: str
    hits: int
    sessions: int


class RecalledLines(NamedTuple):
    """Lines of a file that were found: how often, and in how many sessions."""

    path: str
    first: int
    last: int
    hits: int
    sessions: int


class RunOutcome(Enum):
    """How a run ended."""

    APPLIED = "applied"
    ASKS = "asks"  # a question was written down, and memory is as it was
    NOTED = "noted"  # the same with a correction that no entry speaks against
    LINKED = "linked"  # the operator's words were put beside entries, which are as they were
    NOTHING = "nothing"
    PROPOSED = "proposed"
    REFUSED = "refused"
    FAILED = "failed"


class RunNote(NamedTuple):
    """One run of an agent, whether or not it changed anything; ``reason`` is a sentence where one is needed."""

    run_id: str
    agent: str
    at: datetime
    outcome: RunOutcome
    slot: str = ""
    op: str = ""
    commit_id: str = ""
    edits: int = 0
    tokens: int = 0
    reason: str = ""
