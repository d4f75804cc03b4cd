"""The workspace's state at a time: from the tips that were seen, not from the dates of commits alone."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.authorship.bootstrap_ritual import INIT_OP
from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.states.revisions import RevisionError
from clawgit.workspace.records.records import RECORDS, open_records
from clawgit.workspace.records.sqlite_files import RecordsError

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History


@dataclass(frozen=True, slots=True)
class AsOf:
    """The commit at which the workspace stood; ``seen`` says whether records tell so, or only commit dates."""

    commit: Commit
    seen: bool


def as_of(history: History, moment: datetime, now: datetime) -> AsOf:
    """Return the state of the workspace at ``moment``.

    From the first tip that was seen after it (else the present one) back along first parents to the newest
    commit that is not younger, but never behind the last tip that was seen before: a clock that went wrong
    and a branch that was reset since change nothing about what was there.

    Raises:
        RevisionError: The history does not reach back so far.
    """
    before, after = _tips_around(history, moment, now)
    for start in (after, history.tip().commit_id):
        try:
            for commit in history.objects.first_parents(start):
                if commit.commit_id == before or commit.committed_at <= moment.timestamp():
                    return AsOf(_not_behind(history, commit, before), before is not None)
        except DamagedObjectError:
            if start != after:
                raise
    raise RevisionError(
        f"The history does not reach back to {moment:%Y-%m-%d %H:%M}.",
        hint="`git log --reverse` shows where it begins.",
    )


def commit_at(history: History, moment: datetime, now: datetime) -> str | None:
    """Return the commit at which the workspace stood then, or became one later; None before its history."""
    for commit in history.objects.first_parents(history.tip().commit_id):
        if commit.committed_at <= moment.timestamp():
            break
        if (commit.trailers.first("Clawgit-Op") or "").startswith(INIT_OP):
            return commit.commit_id
    with suppress(RevisionError):
        return as_of(history, moment, now).commit.commit_id
    return None


def _not_behind(history: History, commit: Commit, before: str | None) -> Commit:
    """Return ``commit``, or the tip that was seen before if that had gone further: the branch was reset later."""
    with suppress(DamagedObjectError):  # a tip that nobody pinned is gone by now
        for known in history.objects.first_parents(before):
            if known.commit_id == commit.commit_id:
                return history.objects.commit(before or commit.commit_id)
            if known.committed_at < commit.committed_at:
                break
    return commit


def _tips_around(history: History, moment: datetime, now: datetime) -> tuple[str | None, str | None]:
    """Return the last tip that was seen up to ``moment``, and the first one behind it; None where none was."""
    try:
        with open_records(history.state / RECORDS, now) as records:
            return records.tips_around(moment, now)
    except RecordsError:
        return None, None
