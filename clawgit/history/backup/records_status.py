"""How the records stand: the last backup; and the tips that were seen, noted on the way."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.ordinary_repository import detached_commit
from clawgit.workspace.records.records import RECORDS, BackupNote, open_records
from clawgit.workspace.records.sqlite_files import RecordsError

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import Records

QUIET = timedelta(days=7)


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
    if detached_commit(history.git_folder):
        return
    branch = history.branch()
    commit_id = history.target(branch)
    if commit_id is not None:
        path, fsync = history.state / RECORDS, history.settings.fsync
        with open_records(path, now, fsync=fsync, may_get_lost=True) as records:
            records.note_tip(branch, commit_id, now)


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
