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
from clawgit.history.backup.backup_records import backup_turn
from clawgit.history.backup.own_references import References, put_references, read_references
from clawgit.history.git.storage_errors import storage_errors
from clawgit.workspace.layout import FORMAT_VERSION
from clawgit.workspace.records.backup_file import REFERENCES, BackupFile, BackupFileError, open_backup
from clawgit.workspace.records.records import CLONE_ID, RECORDS, BackupNote, open_records, refuse_newer
from clawgit.workspace.records.sqlite_files import (
    RECORD_STORES,
    DamagedStoreError,
    check_store,
    create_store,
    overwrite_store,
    replace_damaged_store,
    touch_private,
)
from clawgit.workspace.safe_files import FileContent, sync_folder, write_file

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.git.repository import History

FORMAT = "format"


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back, from when and of which workspace; what was there before, and what stayed as it is."""

    made_at: datetime
    workspace: str
    names: tuple[str, ...]
    stayed: tuple[str, ...]
    kept_in: Path | None
    references: References


def restore_backup(history: History, file: Path, now: datetime, *, force: bool = False) -> Restored:
    """Bring the records back as ``file`` has them. Each store is the old or the new one at any moment.

    The workspace's format is checked, not put back: it belongs to the files of today. Records of a workspace that has no
    commit in common with this one come only with ``force``.

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
        if not force:
            _refuse_strange(history, backup, new)
        parts = {part.name for part in backup.manifest.parts}
        bundle = read_references(new / REFERENCES) if REFERENCES in parts else None
        names = tuple(part.name for part in backup.manifest.parts if part.name not in (FORMAT, REFERENCES))
        with history.locked():
            references = References() if bundle is None else put_references(history, bundle)
            kept_in = _keeping_place(history, names, now)
            (history.state / CLONE_ID).unlink(missing_ok=True)  # what comes back was another clone's
            _put_all(history, names, new, kept_in)
    there = [name for name in RECORD_STORES if (history.state / name).exists() and name not in names]
    return Restored(
        backup.manifest.made_at, backup.manifest.workspace, names, tuple(there), kept_in, references
    )


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


def _refuse_strange(history: History, backup: BackupFile, folder: Path) -> None:
    """Refuse records that are about another history: their evidence, receipts and slots would be taken for this one's."""
    if not (folder / RECORDS).exists():
        return
    with open_records(folder / RECORDS, backup.manifest.made_at) as records:
        tips = records.tips()
    if tips and not any(history.objects.has_commit(commit_id) for commit_id in tips):
        raise BackupFileError(
            f"{backup.path} is a backup of another workspace ({backup.manifest.workspace}): this one has none of its commits.",
            hint="Nothing was changed. Clone or fetch that history first, or add --force to restore all the same.",
        )


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


def _keeping_place(history: History, names: tuple[str, ...], now: datetime) -> Path | None:
    """Make the folder for what will be replaced, if there is anything; newer records are not."""
    if (history.state / RECORDS).exists() and RECORDS in names:
        with suppress(DamagedStoreError):
            refuse_newer(history.state / RECORDS)
    if not any((history.state / name).exists() for name in names):
        return None
    stem = f"before-restore-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    number, place = 1, history.state / stem
    while place.exists():
        number += 1
        place = history.state / f"{stem}-{number}"
    place.mkdir(mode=0o700)
    sync_folder(history.state)
    return place


def _put_all(history: History, names: tuple[str, ...], new: Path, kept_in: Path | None) -> None:
    """Put one after the other; a failure after the first one says how far it came."""
    for done, name in enumerate(names):
        try:
            _put(history, name, new / name, kept_in)
        except (ClawgitError, OSError) as error:
            if not done:
                _remove_if_empty(kept_in)
                raise
            raise ClawgitError(
                f"Only {', '.join(names[:done])} came back; {name} did not ({error}).",
                hint=f"Run it again when that is mended. What was there before is kept in {kept_in}.",
            ) from error


def _remove_if_empty(kept_in: Path | None) -> None:
    if kept_in is not None:
        with suppress(OSError):
            kept_in.rmdir()


def _put(history: History, name: str, new: Path, kept_in: Path | None) -> None:
    live = history.state / name
    if name in RECORD_STORES:
        _put_store(live, new, kept_in, wait_seconds=history.settings.lock_wait_seconds)
        return
    if kept_in is not None:
        _copy_bytes(live, kept_in)
    write_file(history.state, name, FileContent(new.read_bytes()))


def _put_store(live: Path, new: Path, kept_in: Path | None, *, wait_seconds: float) -> None:
    """Replace a store, and keep the one that was there: page by page, or every byte of a damaged one."""
    kept = None if kept_in is None or not live.exists() else kept_in / live.name
    if not live.exists():
        create_store(live, like=new)
    try:
        overwrite_store(live, new, kept, wait_seconds=wait_seconds)
    except DamagedStoreError:
        if kept_in is not None:
            _copy_bytes(live, kept_in)
        replace_damaged_store(live, new)


def _copy_bytes(live: Path, folder: Path) -> None:
    """Copy a file, and the logs that SQLite keeps beside one."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError), Path(f"{live}{suffix}").open("rb") as source:
            kept = folder / f"{live.name}{suffix}"
            touch_private(kept)
            with kept.open("wb") as target:
                shutil.copyfileobj(source, target)
                os.fsync(target.fileno())
    sync_folder(folder)
