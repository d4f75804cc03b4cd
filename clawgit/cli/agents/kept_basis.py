"""What the standing of a workspace's jobs follows from, kept while none of the files that it was read from has changed.

`runner status --all` then opens neither the repository nor the records of a workspace in which nothing happens.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit import __version__
from clawgit.history.backup.records_status import RecordsStatus, records_status
from clawgit.history.git.refs import PROPOSALS
from clawgit.runner.jobs import JOBS
from clawgit.workspace.records.job_slots import SlotNote, note_of, row_of
from clawgit.workspace.records.records import RECORDS, BackupNote, open_records
from clawgit.workspace.safe_files import FileContent, write_file
from clawgit.workspace.settings.settings import DEFAULTS, Settings, settings_from, values_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from clawgit.history.git.repository import History

STATE = ".git/clawgit"
NAME = "standing.json"
# Since the last change: in one tick of a file system's clock, a second one shows nothing.
QUIET = timedelta(seconds=2)
_FILES = (
    *(".git", ".git/HEAD", ".git/config", ".git/packed-refs", ".git/" + PROPOSALS.rstrip("/")),
    *(f"{STATE}/{name}" for name in ("format", "arrivals.json", RECORDS, f"{RECORDS}-wal")),
)

Stamps = list[list[int] | None]


class Basis(NamedTuple):
    """What the standing of jobs follows from, besides the time: the settings, the slots, the records, what is pending."""

    settings: Settings
    slots: Mapping[str, Mapping[date, SlotNote]]
    records: RecordsStatus
    proposals: int


def read_basis(history: History, now: datetime) -> Basis:
    """Read it.

    Raises:
        RecordsError: The records cannot be read.
    """
    with open_records(history.state / RECORDS, now) as records:  # once: there may be a thousand workspaces
        slots = records.job_slots.newest((job.name for job in JOBS), now)
        status = records_status(records, now)
    return Basis(history.settings, slots, status, len(history.refs(PROPOSALS)))


def stamps_of(root: Path, branch: str, trust: Path) -> Stamps:
    """Return what changes with whatever the basis is read from, in an ordinary repository."""
    folder = os.path.realpath(root)
    return [_stamp(f"{folder}/{name}") for name in (*_FILES, f".git/{branch}")] + [_stamp(str(trust))]


def kept_basis(root: Path, trust: Path, now: datetime) -> Basis | None:
    """Return what was kept last, None where anything of it can have changed."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        with open(f"{root}/{STATE}/{NAME}", "rb") as file:  # noqa: PTH123 - a third of what Path takes
            said = json.loads(file.read())
        at = datetime.fromisoformat(said["at"])
        if said["by"] == _reader() and at <= now and said["stamps"] == stamps_of(root, said["branch"], trust):
            return _basis(said, now)
    return None


def keep_basis(history: History, trust: Path, basis: Basis, before: Stamps) -> None:
    """Keep what was read; not where a file that it is read from changed meanwhile, or a moment ago."""
    branch, now = history.branch(), basis.records.at
    newest = max((max(each[:2]) for each in before if each), default=0)
    if before != stamps_of(history.root, branch, trust) or newest / 1e9 > (now - QUIET).timestamp():
        return
    values = values_of(basis.settings)
    said = {
        "by": _reader(),
        "at": now.isoformat(),
        "branch": branch,
        "stamps": before,
        "settings": {name: value for name, value in values.items() if value != DEFAULTS[name]},
        "slots": [row_of(note) for notes in basis.slots.values() for note in notes.values()],
        "records": _records_said(basis.records),
        "proposals": basis.proposals,
    }
    with suppress(OSError):
        write_file(history.state, NAME, FileContent(json.dumps(said).encode()), fsync=False)


def _basis(said: dict[str, Any], now: datetime) -> Basis:
    slots: dict[str, dict[date, SlotNote]] = {job.name: {} for job in JOBS}
    for note in map(note_of, said["slots"]):
        slots[note.job][note.day] = note
    values = {key: tuple(each) if isinstance(each, list) else each for key, each in said["settings"].items()}
    made, since, has_jobs = said["records"]
    records = RecordsStatus(
        now,
        made and BackupNote(datetime.fromisoformat(made[0]), *made[1:]),
        since and datetime.fromisoformat(since),
        has_jobs=has_jobs,
    )
    return Basis(settings_from(values), slots, records, int(said["proposals"]))


def _records_said(records: RecordsStatus) -> list[Any]:
    made, since = records.backup, records.since
    told = made and [made.made_at.isoformat(), made.path, made.size]
    return [told, since and since.isoformat(), records.has_jobs]


def _reader() -> str:
    return f"{__version__} {' '.join(job.name for job in JOBS)}"


def _stamp(path: str) -> list[int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - half of what Path.stat takes, for thousands of files
    except OSError:
        return None
    return [found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino]
