"""How workspace and records stand: read only, nothing is locked; the tip that is seen is noted on the way."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.intent import ritual_is_open
from clawgit.history.authorship.pause import paused_since
from clawgit.history.git.leftovers import leftover_locks
from clawgit.history.git.ordinary_repository import detached_commit
from clawgit.history.git.refs import INTENT, PROPOSALS, QUARANTINE, RESCUE
from clawgit.history.git.repository import refuse_odd_state
from clawgit.history.review.clean_working_tree import is_clean
from clawgit.workspace.records.records import RECORDS, BackupNote, open_records
from clawgit.workspace.records.sqlite_files import RecordsError

if TYPE_CHECKING:
    from clawgit.history.git.leftovers import PresentLock
    from clawgit.history.git.repository import History
    from clawgit.history.guards.finding import Finding
    from clawgit.history.review.proposals import Proposal
    from clawgit.workspace.records.records import Records


QUIET = timedelta(days=7)


class Status(NamedTuple):
    """The state of history and working tree, and what is pending for somebody."""

    branch: str
    commit_id: str | None
    blocked: str
    edits: tuple[str, ...]
    staged: tuple[str, ...]
    held: tuple[Finding, ...]
    proposals: tuple[Proposal, ...]
    interrupted: int
    rescued: int
    paused: str
    ritual: bool
    quarantined: int
    locks: tuple[PresentLock, ...] = ()
    unreviewed: tuple[str, ...] = ()
    unclaimed: tuple[str, ...] = ()


def read_status(history: History, now: datetime) -> Status:
    """Read how the workspace stands; the edits are looked for only where there are some."""
    try:
        refuse_odd_state(history)
    except ClawgitError as error:
        return _blocked(history, str(error))
    tip = history.tip()
    edits: tuple[tuple[str, ...], tuple[str, ...], tuple[Finding, ...]] = (), (), ()
    if not is_clean(history, tip):
        from clawgit.history.review.working_tree_edits import read_open_edits
        from clawgit.history.transaction.staging import refuse_conflicts

        try:
            refuse_conflicts(history)
        except ClawgitError as error:
            return _blocked(history, str(error))
        edits = read_open_edits(history, tip, now)
    from clawgit.history.review.unreviewed import unclaimed_commits, unreviewed_commits

    proposals: tuple[Proposal, ...] = ()
    if history.refs(PROPOSALS):
        from clawgit.history.review.proposals import list_proposals

        proposals = tuple(list_proposals(history))
    return Status(
        tip.branch,
        tip.commit_id,
        "",
        *edits,
        proposals,
        len(history.refs(INTENT)),
        len(history.refs(RESCUE)),
        paused_since(history) or "",
        ritual_is_open(history, tip.commit_id),
        len(history.refs(QUARANTINE)),
        tuple(leftover_locks(history)),
        unreviewed_commits(history),
        unclaimed_commits(history),
    )


def _blocked(history: History, why: str) -> Status:
    """Return what can be said while nothing can be read or written safely."""
    locks = tuple(leftover_locks(history))
    return Status("", None, why, (), (), (), (), 0, 0, paused_since(history) or "", False, 0, locks)


class RecordsStatus(NamedTuple):
    """The last backup, since when there are records, why they cannot be read, if so, and whether jobs ran here."""

    at: datetime
    backup: BackupNote | None = None
    since: datetime | None = None
    problem: str = ""
    has_jobs: bool = False

    @property
    def needs_backup(self) -> bool:
        """Say whether there are records of a week, and no backup of them."""
        return self.backup is None and self.since is not None and self.at - self.since >= QUIET


def reconcile_tips(history: History, now: datetime) -> None:
    """Note the tip of the checked-out branch, if there is one and it is not the one that was noted last."""
    tip = checked_out_tip(history)
    if tip is not None:
        path, fsync = history.state / RECORDS, history.settings.fsync
        with open_records(path, now, fsync=fsync, may_get_lost=True) as records:
            records.note_tip(*tip, now)


def checked_out_tip(history: History) -> tuple[str, str] | None:
    """Return the branch that is checked out and its commit, None off any branch and before the first commit."""
    if detached_commit(history.git_folder):
        return None
    branch = history.branch()
    commit_id = history.target(branch)
    return None if commit_id is None else (branch, commit_id)


def read_records_status(history: History, now: datetime) -> RecordsStatus:
    """Read how the records stand, and note the present tip; what is wrong with them is part of the answer."""
    try:
        reconcile_tips(history, now)
        with open_records(history.state / RECORDS, now) as records:
            return records_status(records, now)
    except RecordsError as error:
        return RecordsStatus(now, problem=str(error))


def records_status(records: Records, now: datetime) -> RecordsStatus:
    """Return how open records stand."""
    return RecordsStatus(
        now, records.last_backup(), records.tips_since(), has_jobs=records.job_slots.is_any()
    )


def note_backup(history: History, note: BackupNote) -> None:
    """Note that a backup was made."""
    with open_records(history.state / RECORDS, note.made_at) as records:
        records.note_backup(note)
