"""The status of workspace and records: reads without a lock, but notes the tip that it sees."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.intent import paused_since, ritual_is_open
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.index_entries import StagedFile, UnreadableIndexError, read_index
from clawgit.history.git.leftovers import PresentLock, leftover_locks
from clawgit.history.git.objects import id_of
from clawgit.history.git.refs import INTENT, PROPOSALS, QUARANTINE, RESCUE
from clawgit.history.git.repository import History, Tip, refuse_odd_state
from clawgit.history.git.trees import EXECUTABLE, FILE
from clawgit.history.hooks.install import ATTRIBUTES, has_driver, is_merged
from clawgit.text.safety.control_characters import few
from clawgit.workspace.records.records import RECORDS, BackupNote, Records, open_records
from clawgit.workspace.records.sqlite_files import RecordsError

if TYPE_CHECKING:
    from clawgit.history.guards.finding import Finding
    from clawgit.history.guards.quarantine import Parked


QUIET = timedelta(days=7)
_NAMED = 3


class WorkspaceStatus(NamedTuple):
    """The state of history and working tree, and what is pending."""

    branch: str = ""
    commit_id: str | None = None
    blocked: str = ""
    edits: tuple[str, ...] = ()
    staged: tuple[str, ...] = ()
    held: tuple[Finding, ...] = ()
    losses: tuple[Finding, ...] = ()  # in uncommitted edits; the way out is a command
    proposals: tuple[Parked, ...] = ()
    interrupted: int = 0
    rescued: int = 0
    paused: str = ""
    ritual: bool = False
    quarantined: int = 0
    locks: tuple[PresentLock, ...] = ()
    unreviewed: tuple[str, ...] = ()
    unclaimed: tuple[str, ...] = ()


def _conflicted(history: History) -> str:
    """Return a sentence on the files that hold both sides of a merge, empty if there are none."""
    from clawgit.history.guards.finding import told

    paths: set[str] = set()
    with suppress(pygit2.GitError):  # a staging that libgit2 cannot read
        for sides in history.repo.index.conflicts or ():
            paths.update(side.path for side in sides if side is not None)
    if not paths:
        return ""
    named = f" In conflict: {few(list(map(told, sorted(paths))), _NAMED)}."
    if has_driver(history) or not any(map(is_merged, paths)):
        return named
    return f"{named} With `clawgit hooks install`, git merges entries that both sides added (`git checkout --merge FILE` then does it again)."


def read_status(history: History, now: datetime) -> WorkspaceStatus:
    """Read the workspace's status; edits are only searched for if there are some."""
    paused, locks = paused_since(history) or "", tuple(leftover_locks(history))
    try:
        refuse_odd_state(history)
    except ClawgitError as error:  # nothing can be read or written safely
        return WorkspaceStatus(blocked=f"{error}{_conflicted(history)}", paused=paused, locks=locks)
    tip = history.tip()
    edits: tuple[tuple[str, ...], tuple[str, ...], tuple[Finding, ...], tuple[Finding, ...]] = (), (), (), ()
    if not is_clean(history, tip):
        from clawgit.history.review.working_tree_edits import read_open_edits
        from clawgit.history.transaction.staging import StagedConflictsError

        try:
            edits = read_open_edits(history, tip, now)
        except StagedConflictsError as error:
            return WorkspaceStatus(blocked=f"{error}{_conflicted(history)}", paused=paused, locks=locks)
    from clawgit.history.review.unreviewed import unclaimed_commits, unreviewed_commits

    proposals: tuple[Parked, ...] = ()
    if history.refs(PROPOSALS):
        from clawgit.history.review.proposals import list_proposals

        proposals = tuple(list_proposals(history))
    return WorkspaceStatus(
        tip.branch,
        tip.commit_id,
        "",
        *edits,
        proposals,
        len(history.refs(INTENT)),
        len(history.refs(RESCUE)),
        paused,
        ritual_is_open(history, tip.commit_id),
        len(history.refs(QUARANTINE)),
        locks,
        unreviewed_commits(history),
        unclaimed_commits(history),
    )


class RecordsStatus(NamedTuple):
    """The last backup, the date of the first records, why they are unreadable if so, and whether jobs ran here."""

    at: datetime
    backup: BackupNote | None = None
    since: datetime | None = None
    problem: str = ""
    has_jobs: bool = False

    @property
    def needs_backup(self) -> bool:
        return self.backup is None and self.since is not None and self.at - self.since >= QUIET


def reconcile_tips(history: History, now: datetime) -> None:
    """Note the tip of the checked-out branch, unless it was noted last."""
    tip = history.checked_out_tip()
    if tip is not None:
        path, fsync = history.state / RECORDS, history.settings.fsync
        with open_records(path, now, fsync=fsync, may_get_lost=True) as records:
            records.note_tip(*tip, now)


def read_records_status(history: History, now: datetime) -> RecordsStatus:
    """Read the records' status, and note the present tip; their problems are part of the answer."""
    try:
        reconcile_tips(history, now)
        with open_records(history.state / RECORDS, now) as records:
            return records_status(records, now)
    except RecordsError as error:
        return RecordsStatus(now, problem=str(error))


def records_status(records: Records, now: datetime) -> RecordsStatus:
    has_jobs = records.job_slots.is_any()
    return RecordsStatus(now, records.last_backup(), records.tips_since(), has_jobs=has_jobs)


def note_backup(history: History, note: BackupNote) -> None:
    with open_records(history.state / RECORDS, note.made_at) as records:
        records.note_backup(note)


LARGEST = 1_200_000  # bytes of an index: 15,000 files, above which loading libgit2 pays


class _UnsureError(Exception):
    """Only libgit2 can judge what is there."""


def is_clean(history: History, tip: Tip) -> bool:
    """Say whether nothing is edited, new, deleted or staged; False also if that is uncertain."""
    if not history.is_ordinary:
        return False
    index = history.git_folder / "index"
    try:
        state = index.stat()
        if state.st_size > LARGEST:
            return False
        staged = {os.fsdecode(name): file for name, file in read_index(index.read_bytes())[0].items()}
        for path, file in staged.items():
            if file.flags or file.entry.mode not in (FILE, EXECUTABLE) or path.endswith(".gitattributes"):
                return False
        if dict(tip.tree.files()) != {path: file.entry for path, file in staged.items()}:
            return False
        return _is_as_staged(os.fspath(history.root), staged, state.st_mtime_ns, _left_out(history))
    except (OSError, UnicodeDecodeError, UnreadableIndexError, _UnsureError):
        return False


def _is_as_staged(root: str, staged: dict[str, StagedFile], written: int, left_out: frozenset[str]) -> bool:
    """Say whether each file in the folder is as staged, or left out by name, and none is missing."""
    seen = 0
    folders = [""]
    while folders:
        prefix = folders.pop()
        with os.scandir(os.path.join(root, prefix)) as entries:
            for entry in entries:
                path = prefix + entry.name
                if path == ".git":
                    continue
                if entry.name == ".git":
                    return False  # another repository inside: git decides
                if entry.is_dir(follow_symlinks=False):
                    if f"/{path}/" not in left_out:
                        folders.append(f"{path}/")
                elif path in staged:
                    seen += 1
                    if not _is_same(entry, staged[path], written):
                        return False
                elif f"/{path}" not in left_out:
                    return False
    return seen == len(staged)


def _is_same(entry: os.DirEntry[str], staged: StagedFile, written: int) -> bool:
    now = entry.stat(follow_symlinks=False)
    mode = EXECUTABLE if now.st_mode & stat.S_IXUSR else FILE
    if not stat.S_ISREG(now.st_mode) or mode != staged.entry.mode:
        return False
    seen = (now.st_mtime_ns, now.st_ino & 0xFFFFFFFF, now.st_size)
    if seen == (staged.changed_at, staged.inode, staged.size) and now.st_mtime_ns < written:
        return True
    with open(entry.path, "rb") as file:
        return id_of(b"blob", file.read()) == staged.entry.object_id


def _left_out(history: History) -> frozenset[str]:
    """Return git's ignore rules for single paths at the top, if no rule includes a path again."""
    rules: list[str] = []
    for place in (history.folder / "info/exclude", history.root / ".gitignore"):
        if place.is_symlink():
            raise _UnsureError
        if place.exists():
            rules += place.read_text("utf-8").splitlines()
    attributes = history.folder / "info/attributes"
    is_unusual = attributes.exists() and attributes.read_bytes() != ATTRIBUTES
    if is_unusual or any(rule.startswith("!") for rule in rules):
        raise _UnsureError
    return frozenset(rules)
