"""`backup --restore`: records from a backup, checked before anything is touched; what was there is kept aside."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.backup import backup_turn
from clawgit.history.storage import storage_errors
from clawgit.workspace.backup_file import BackupFile, BackupFileError, open_backup
from clawgit.workspace.files import FileContent, write_file
from clawgit.workspace.layout import FORMAT_VERSION
from clawgit.workspace.records import RECORDS, BackupNote, open_records, refuse_newer
from clawgit.workspace.stores import (
    RECORD_STORES,
    DamagedStoreError,
    check_store,
    copy_store,
    overwrite_store,
    replace_damaged_store,
    sync_folder,
    touch_private,
)

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.repository import History

FORMAT = "format"


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back, from when and of which workspace; what was there before, and what stayed as it is."""

    made_at: datetime
    workspace: str
    names: tuple[str, ...]
    stayed: tuple[str, ...]
    kept_in: Path | None


def restore_backup(history: History, file: Path, now: datetime) -> Restored:
    """Bring the records back as ``file`` has them. Each store is the old or the new one at any moment.

    The workspace's format is checked, not put back: it belongs to the files of today.

    Raises:
        BackupFileError: Not a whole backup that this clawgit knows; nothing was changed.
        WorkspaceBusyError: Others held the workspace or a store.
    """
    file = file.absolute()
    with open_backup(file) as backup, backup_turn(history) as folder, storage_errors(history.state):
        new = folder / "new"
        new.mkdir(mode=0o700)
        _extract(backup, new)
        _check(backup, new, now)
        names = tuple(part.name for part in backup.manifest.parts if part.name != FORMAT)
        with history.locked():
            kept_in = _keep_aside(history, names, folder / "old", now)
            _put_all(history, names, new, kept_in)
    there = [name for name in RECORD_STORES if (history.state / name).exists() and name not in names]
    return Restored(backup.manifest.made_at, backup.manifest.workspace, names, tuple(there), kept_in)


def _extract(backup: BackupFile, folder: Path) -> None:
    needed = 2 * sum(part.size for part in backup.manifest.parts)
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise BackupFileError(
            f"Restoring {backup.path} needs {needed:,} bytes; the disk has {free:,}.",
            hint="Free some space; nothing was changed.",
        )
    for part in backup.manifest.parts:
        touch_private(folder / part.name)
        with (folder / part.name).open("wb") as target:
            for chunk in backup.chunks(part):
                target.write(chunk)


def _check(backup: BackupFile, folder: Path, now: datetime) -> None:
    """Refuse what this clawgit cannot use; bring the records to its tables and note this backup in them."""
    for part in backup.manifest.parts:
        if part.name in RECORD_STORES:
            try:
                check_store(folder / part.name)
            except DamagedStoreError as error:
                raise BackupFileError(
                    f"{backup.path} holds a damaged {part.name}.",
                    hint="Use another backup; nothing was changed.",
                ) from error
        if part.name == FORMAT:
            _check_format(backup, (folder / FORMAT).read_bytes())
        if part.name == RECORDS:
            with open_records(folder / RECORDS, now) as records:
                size = backup.path.stat().st_size
                records.note_backup(BackupNote(backup.manifest.made_at, str(backup.path), size))


def _check_format(backup: BackupFile, data: bytes) -> None:
    try:
        version = int(data)
    except ValueError as error:
        raise BackupFileError(
            f"{backup.path} names no workspace format.", hint="Use another backup."
        ) from error
    if version > FORMAT_VERSION:
        raise BackupFileError(
            f"{backup.path} is of workspace format {version}; this clawgit knows up to {FORMAT_VERSION}.",
            hint="Install a newer clawgit; nothing was changed.",
        )


def _keep_aside(history: History, names: tuple[str, ...], folder: Path, now: datetime) -> Path | None:
    """Copy what will be replaced, and return where it is kept; the folder has its name when it is whole."""
    folder.mkdir(mode=0o700)
    present = [name for name in names if (history.state / name).exists()]
    for name in present:
        _copy_aside(history.state / name, folder / name)
    if not present:
        return None
    sync_folder(folder)
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    place = history.state / f"before-restore-{stamp}"
    number = 1
    while place.exists():
        number += 1
        place = history.state / f"before-restore-{stamp}-{number}"
    folder.rename(place)
    sync_folder(history.state)
    return place


def _copy_aside(live: Path, kept: Path) -> None:
    """Copy a store or a small file; of a file that is no database any more, every byte and its log."""
    if live.name in RECORD_STORES:
        with suppress(DamagedStoreError):
            if live.name == RECORDS:
                refuse_newer(live)
            copy_store(live, kept)
            return
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError), Path(f"{live}{suffix}").open("rb") as source:
            touch_private(Path(f"{kept}{suffix}"))
            with Path(f"{kept}{suffix}").open("wb") as target:
                shutil.copyfileobj(source, target)
                os.fsync(target.fileno())


def _put_all(history: History, names: tuple[str, ...], new: Path, kept_in: Path | None) -> None:
    """Put one after the other; a failure after the first one says how far it came."""
    for done, name in enumerate(names):
        try:
            _put(history, name, new / name)
        except (ClawgitError, OSError) as error:
            if not done:
                raise
            raise ClawgitError(
                f"Only {', '.join(names[:done])} came back; {name} did not ({error}).",
                hint=f"Run it again when that is mended. What was there before is kept in {kept_in}.",
            ) from error


def _put(history: History, name: str, new: Path) -> None:
    live = history.state / name
    if name not in RECORD_STORES:
        write_file(history.state, name, FileContent(new.read_bytes()))
        return
    try:
        overwrite_store(live, new)
    except DamagedStoreError:
        replace_damaged_store(live, new)
