"""`backup` and `backup --restore`: the records and clawgit's own references in one file; what a restore replaces is kept aside."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.backup.backup_file import (
    PARTS,
    RECORD_FILES,
    REFERENCES,
    BackupFile,
    BackupFileError,
    Manifest,
    Part,
    References,
    open_backup,
    part_of,
    put_references,
    write_backup,
    write_references,
)
from clawgit.history.git.lock import workspace_lock
from clawgit.history.git.repository import storage_errors
from clawgit.workspace.layout import FORMAT_VERSION
from clawgit.workspace.records.records import CLONE_ID, RECORDS, BackupNote, open_records, refuse_newer
from clawgit.workspace.records.sqlite_files import (
    RECORD_STORES,
    DamagedStoreError,
    check_store,
    copy_store,
    create_store,
    overwrite_store,
    replace_damaged_store,
    touch_private,
)
from clawgit.workspace.safe_files import FileContent, read_file, sync_folder, write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from clawgit.history.git.repository import History

HALF_MADE = ".clawgit-part"
FORMAT = "format"


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

    An earlier backup of the same workspace is replaced, anything else only with ``force``; after an error it is as it was.
    """
    file = file.absolute()
    with _place_errors(file):
        _check_place(history, file, force=force)
    with _backup_turn(history) as folder:
        with storage_errors(history.state):
            stores = [name for name in RECORD_STORES if (history.state / name).exists()]
            sizes = [(history.state / name).stat().st_size for name in stores]
            for at, name in enumerate(stores):
                tell(sum(sizes[:at]), 2 * sum(sizes))  # writing and reading again is the other half
                copy_store(
                    history.state / name, folder / name, wait_seconds=history.settings.lock_wait_seconds
                )
                check_store(folder / name)
            for name in RECORD_FILES:
                content = read_file(history.state, name)
                if content is not None:
                    (folder / name).write_bytes(content.data)
            write_references(history, folder / REFERENCES)
            parts = tuple(part_of(folder / name) for name in PARTS if (folder / name).exists())
        manifest = Manifest(now, str(history.root), parts)
        with _place_errors(file), _beside(history, file) as half:
            write_backup(half, manifest, folder)
            tell(3, 4)
            with open_backup(half) as written:
                written.check()
        return Backup(file, now, file.stat().st_size, parts)


@contextmanager
def _backup_turn(history: History) -> Iterator[Path]:
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
    if force:
        return
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


@contextmanager
def _beside(history: History, file: Path) -> Iterator[Path]:
    """Yield a new file beside ``file`` that takes its place in the end, always of one name: what a killed one left goes."""
    whose = sha256(os.fsencode(history.root)).hexdigest()[:16]
    half = file.with_name(f".{file.name}-{whose}{HALF_MADE}")
    half.unlink(missing_ok=True)
    touch_private(half)
    try:
        yield half
        with half.open("rb") as handle:
            os.fsync(handle.fileno())
        half.replace(file)
    except BaseException:
        with suppress(OSError):
            half.unlink()
        raise
    sync_folder(file.parent)


@contextmanager
def _place_errors(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BackupFileError(
            f"{file} cannot be written ({error.strerror or error}), so no backup was made.",
            hint="Give a place that exists, may be written to and has room.",
        ) from error


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
    """Bring the records back as ``file`` has them; each store is the old or the new one at any moment.

    The workspace's format is checked, not put back. Records of a workspace without a commit in common come only with ``force``.
    """
    file = file.absolute()
    with open_backup(file) as backup, _backup_turn(history) as folder, storage_errors(history.state):
        new = folder / "new"
        new.mkdir(mode=0o700)
        _extract(backup, new)
        _check(backup, new, now)
        if not force:
            _refuse_strange(history, backup, new)
        parts = {part.name for part in backup.manifest.parts}
        names = tuple(part.name for part in backup.manifest.parts if part.name not in (FORMAT, REFERENCES))
        with history.locked():
            references = References()
            if REFERENCES in parts:
                references = put_references(history, new / REFERENCES)
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
            version = (folder / FORMAT).read_bytes().strip()
            if not version.isdigit():
                raise BackupFileError(f"{backup.path} names no workspace format.", hint="Use another backup.")
            if int(version) > FORMAT_VERSION:
                raise BackupFileError(
                    f"{backup.path} is of workspace format {int(version)}; this clawgit knows up to {FORMAT_VERSION}.",
                    hint="Install a newer clawgit; nothing was changed.",
                )
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
    if tips and not any(map(history.objects.has_commit, tips)):
        raise BackupFileError(
            f"{backup.path} is a backup of another workspace ({backup.manifest.workspace}): this one has none of its commits.",
            hint="Nothing was changed. Clone or fetch that history first, or add --force to restore all the same.",
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
        live = history.state / name
        try:
            if name in RECORD_STORES:
                _put_store(live, new / name, kept_in, wait_seconds=history.settings.lock_wait_seconds)
                continue
            if kept_in is not None:
                _copy_bytes(live, kept_in)
            write_file(history.state, name, FileContent((new / name).read_bytes()))
        except (ClawgitError, OSError) as error:
            if done:
                raise ClawgitError(
                    f"Only {', '.join(names[:done])} came back; {name} did not ({error}).",
                    hint=f"Run it again when that is mended. What was there before is kept in {kept_in}.",
                ) from error
            if kept_in is not None:
                with suppress(OSError):  # empty, unless something of it is kept already
                    kept_in.rmdir()
            raise


def _put_store(live: Path, new: Path, kept_in: Path | None, *, wait_seconds: float) -> None:
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
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError), Path(f"{live}{suffix}").open("rb") as source:
            copy = folder / f"{live.name}{suffix}"
            touch_private(copy)
            with copy.open("wb") as target:
                shutil.copyfileobj(source, target)
                os.fsync(target.fileno())
    sync_folder(folder)
