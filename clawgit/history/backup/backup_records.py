"""`backup`: the records and clawgit's own references in one file, copied while others write, and checked before it counts as done."""

from __future__ import annotations

import fcntl
import glob
import os
import secrets
import shutil
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.backup.own_references import write_references
from clawgit.history.git.lock import workspace_lock
from clawgit.history.git.storage_errors import storage_errors
from clawgit.workspace.records.backup_file import (
    PARTS,
    RECORD_FILES,
    REFERENCES,
    BackupFileError,
    Manifest,
    Part,
    open_backup,
    part_of,
    write_backup,
)
from clawgit.workspace.records.sqlite_files import RECORD_STORES, check_store, copy_store, touch_private
from clawgit.workspace.safe_files import read_file, sync_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from clawgit.history.git.repository import History

HALF_MADE = ".clawgit-part"


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made."""

    path: Path
    made_at: datetime
    size: int
    parts: tuple[Part, ...]


def make_backup(
    history: History,
    file: Path,
    now: datetime,
    *,
    force: bool = False,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Backup:
    """Put every record and every own reference of the workspace into ``file``; writers are not held up.

    An earlier backup of the same workspace is replaced, anything else only with ``force``.

    Raises:
        BackupFileError: ``file`` must not be replaced or cannot be written.
        RecordsError: A store is damaged or busy; an earlier backup is as it was.
    """
    file = file.absolute()
    with _place_errors(file):
        _check_place(history, file, force=force)
    with backup_turn(history) as folder:
        with storage_errors(history.state):
            parts = _copy_records(history, folder, tell)
        manifest = Manifest(now, str(history.root), parts)
        with _place_errors(file), _beside(file) as half:
            write_backup(half, manifest, folder)
            tell(3, 4)
            with open_backup(half) as written:
                written.check()
        return Backup(file, now, file.stat().st_size, parts)


@contextmanager
def backup_turn(history: History) -> Iterator[Path]:
    """Be the only one who makes or restores a backup; yield an empty folder that is gone afterwards."""
    place = history.state / "backup"
    folder = place / "work"
    with storage_errors(history.state):
        place.mkdir(mode=0o700, exist_ok=True)
    with workspace_lock(place, wait_seconds=history.settings.lock_wait_seconds, holder=history.holder):
        shutil.rmtree(folder, ignore_errors=True)  # what a killed one left
        with storage_errors(history.state):
            folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _check_place(history: History, file: Path, *, force: bool) -> None:
    real = file.parent.resolve() / file.name
    if any(real.is_relative_to(place.resolve()) for place in (history.root, history.folder)):
        raise BackupFileError(
            f"{file} is in the workspace, where it would be committed, or lost with it.",
            hint="Give a place outside, best on another disk.",
        )
    if not file.exists() and not file.is_symlink():
        return
    if file.is_symlink() or not file.is_file():
        raise BackupFileError(f"{file} is not a regular file.", hint="Give another name.")
    if not force:
        _refuse_other(history, file)


def _refuse_other(history: History, file: Path) -> None:
    """Refuse to replace what is no backup of this workspace."""
    try:
        with open_backup(file) as old:
            of = old.manifest.workspace
    except BackupFileError as error:
        raise BackupFileError(
            f"{file} exists and is no backup that can be read, so it was left alone.",
            hint="Give another name, or --force to replace it.",
        ) from error
    if of != str(history.root):
        raise BackupFileError(
            f"{file} is a backup of another workspace ({of}), so it was left alone.",
            hint="Give another name, or --force to replace it.",
        )


def _copy_records(history: History, folder: Path, tell: Callable[[int, int], None]) -> tuple[Part, ...]:
    """Copy and check the stores: half of the work, which goes by their bytes; writing and reading again is the rest."""
    stores = [name for name in RECORD_STORES if (history.state / name).exists()]
    sizes = [(history.state / name).stat().st_size for name in stores]
    for at, name in enumerate(stores):
        tell(sum(sizes[:at]), 2 * sum(sizes))
        copy_store(history.state / name, folder / name, wait_seconds=history.settings.lock_wait_seconds)
        check_store(folder / name)
    for name in RECORD_FILES:
        content = read_file(history.state, name)
        if content is not None:
            (folder / name).write_bytes(content.data)
    write_references(history, folder / REFERENCES)
    return tuple(part_of(folder / name) for name in PARTS if (folder / name).exists())


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """Yield a new file beside ``file`` that takes its place in the end; after an error nothing is left."""
    _remove_half_made(file)
    half = file.with_name(f".{file.name}-{secrets.token_hex(8)}{HALF_MADE}")
    touch_private(half)
    with half.open("rb") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield half
            os.fsync(handle.fileno())
            half.replace(file)
        except BaseException:
            with suppress(OSError):
                half.unlink()
            raise
    sync_folder(file.parent)


@contextmanager
def _place_errors(file: Path) -> Iterator[None]:
    """Say in a sentence why ``file`` cannot be written."""
    try:
        yield
    except OSError as error:
        raise BackupFileError(
            f"{file} cannot be written ({error.strerror or error}), so no backup was made.",
            hint="Give a place that exists, may be written to and has room.",
        ) from error


def _remove_half_made(file: Path) -> None:
    """Remove what killed backups left beside ``file``: a living one holds a lock on its own."""
    for left in file.parent.glob(f".{glob.escape(file.name)}-*{HALF_MADE}"):
        with left.open("rb") as handle, suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            left.unlink(missing_ok=True)
