"""`backup` and `backup --restore`: the records and clawgit's own references in one file.

The file is a zip of records, a manifest, and the references as a bundle; all of it is checked before use. A restore
keeps what it replaces.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import struct
import zipfile
import zlib
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import git_output, range_lines
from clawgit.history.git.lock import workspace_lock
from clawgit.history.git.refs import BRANCHES, PAST, PROPOSALS, QUARANTINE, RESCUE, pin, set_ref
from clawgit.history.git.repository import History, storage_errors
from clawgit.workspace.foreign_files import open_regular
from clawgit.workspace.layout import FORMAT_VERSION
from clawgit.workspace.records import sqlite_files
from clawgit.workspace.records.records import CLONE_ID, RECORDS, BackupNote, open_records, refuse_newer
from clawgit.workspace.safe_files import FileContent, read_file, sync_folder, write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


VERSION = 1
MANIFEST = "manifest.json"
FORMAT = "format"
RECORD_FILES = ("paused", FORMAT, "workspace")
REFERENCES = "references.bundle"
PARTS = (*sqlite_files.RECORD_STORES, *RECORD_FILES, REFERENCES)
MAX_SMALL_BYTES = 64 * 1024
_CHUNK = 1024 * 1024
HALF_MADE = ".clawgit-part"
CARRIED = (PROPOSALS, QUARANTINE, RESCUE, PAST)
_SIGNATURE = b"# v2 git bundle\n"
_MOST_HEADER_BYTES = 64 * 1024 * 1024
_LINE = re.compile(r"(?P<needed>-?)(?P<commit>[0-9a-f]{40}) (?P<name>.*)")
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    KeyError,
    NotImplementedError,
    OverflowError,
    RecursionError,
    ValueError,
)


class BackupFileError(ClawgitError):
    """A file is not a backup that can be restored, or not one that may be replaced."""


class StoredFile(NamedTuple):
    """One file in a backup."""

    name: str
    size: int
    sha256: str


class Manifest(NamedTuple):
    """What a backup says about itself."""

    made_at: datetime
    workspace: str
    parts: tuple[StoredFile, ...]


class BackupFile:
    """An opened backup: the manifest is checked, the parts are checked while they are read."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self.path = path
        self._zip = archive
        with _unreadable(path):
            entries = {info.filename: info for info in self._zip.infolist()}
            first = entries.get(MANIFEST)
            if first is None:
                raise _foreign(self.path)
            with self._zip.open(first) as source:
                header = json.loads(source.read(MAX_SMALL_BYTES))
            manifest = _manifest(self.path, header)
            named = {MANIFEST, *(part.name for part in manifest.parts)}
            if len(self._zip.infolist()) != len(entries) or set(entries) != named:
                raise _damaged(self.path, "it holds other files than its manifest names")
            for part in manifest.parts:
                entry = entries[part.name]
                plain = entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
                too_large = part.name in RECORD_FILES and part.size > MAX_SMALL_BYTES
                if not plain or entry.flag_bits & 0x1 or too_large or entry.file_size != part.size:
                    what = f"{part.name} in it is not of the size or kind that its manifest says"
                    raise _damaged(self.path, what)
            self.manifest = manifest

    def chunks(self, part: StoredFile) -> Iterator[bytes]:
        """Yield a part's bytes, at most as many as the manifest says."""
        digest = hashlib.sha256()
        with _unreadable(self.path), self._zip.open(part.name) as source:  # limits the read to its size
            while chunk := source.read(_CHUNK):
                digest.update(chunk)
                yield chunk
        if digest.hexdigest() != part.sha256:
            raise _damaged(self.path, f"{part.name} in it is not what was put in")

    def check(self) -> None:
        for part in self.manifest.parts:
            for _ in self.chunks(part):
                pass


def _manifest(path: Path, fields: Any) -> Manifest:
    if not isinstance(fields, dict) or not isinstance(fields.get("clawgit_backup"), int):
        raise _foreign(path)
    if fields["clawgit_backup"] > VERSION:
        sentence = f"{path} was made by a newer clawgit (backup format {fields['clawgit_backup']}; this one knows {VERSION})."
        raise BackupFileError(sentence, hint="Install a newer clawgit.")
    try:
        parts = tuple(StoredFile(str(p["name"]), int(p["bytes"]), str(p["sha256"])) for p in fields["parts"])
        manifest = Manifest(datetime.fromisoformat(fields["made_at"]), str(fields["workspace"]), parts)
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(path, "its manifest is incomplete") from error
    if manifest.made_at.tzinfo is None:
        raise _damaged(path, "its manifest is incomplete")
    names = [part.name for part in parts]
    if len(set(names)) != len(names) or not set(names) <= set(PARTS) or any(part.size < 0 for part in parts):
        raise _damaged(path, "its manifest names files that no backup holds")
    return manifest


@contextmanager
def open_backup(path: Path) -> Iterator[BackupFile]:
    try:
        file = open_regular(path)
    except OSError as error:
        raise BackupFileError(f"{path} cannot be read ({error.strerror}).") from error
    with file:
        with _unreadable(path):
            archive = zipfile.ZipFile(file)
        with archive:
            yield BackupFile(path, archive)


def write_backup(path: Path, manifest: Manifest, folder: Path) -> None:
    """Write the parts from ``folder``; the same parts give the same bytes."""
    header = {
        "clawgit_backup": VERSION,
        "made_at": manifest.made_at.isoformat(timespec="seconds"),
        "workspace": manifest.workspace,
        "parts": [{"name": p.name, "bytes": p.size, "sha256": p.sha256} for p in manifest.parts],
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(_entry(MANIFEST), json.dumps(header, indent=1) + "\n")
        for part in manifest.parts:
            with (
                (folder / part.name).open("rb") as source,
                archive.open(_entry(part.name), "w", force_zip64=True) as target,
            ):
                while chunk := source.read(_CHUNK):
                    target.write(chunk)


def part_of(path: Path) -> StoredFile:
    with path.open("rb") as file:
        return StoredFile(path.name, path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


def _entry(name: str) -> zipfile.ZipInfo:
    """Return a member dated 1980, so that only its content matters."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


@contextmanager
def _unreadable(path: Path) -> Iterator[None]:
    try:
        yield
    except _UNREADABLE as error:
        if not zipfile.is_zipfile(path):
            raise _foreign(path) from error
        raise _damaged(path, str(error).strip("'\".") or "it cannot be read") from error
    except OSError as error:
        raise BackupFileError(f"{path} cannot be read ({error.strerror or error}).") from error


def _foreign(path: Path) -> BackupFileError:
    sentence = f"{path} is not a backup of clawgit's, or it is cut off."
    return BackupFileError(sentence, hint="Name a file that `clawgit backup` made.")


def _damaged(path: Path, what: str) -> BackupFileError:
    return BackupFileError(f"{path} is damaged: {what}.", hint="Use another backup; nothing was changed.")


class References(NamedTuple):
    """References that came back, and those without their history here."""

    restored: tuple[str, ...] = ()
    without_history: tuple[str, ...] = ()


def own_references(history: History) -> dict[str, str]:
    """Return name → commit of the references in a backup; intents are left out, they last for one change."""
    return {name: commit_id for prefix in CARRIED for name, commit_id in history.refs(prefix).items()}


def write_references(history: History, file: Path) -> None:
    """Put the references into ``file``; without any, no file is made.

    `git bundle create` would leave out those that a branch reaches, and `git bundle unbundle` checks no object.
    """
    references = own_references(history)
    if not references:
        return
    names = range_lines(references.values(), history.refs(BRANCHES).values())
    listed = git_output(history, "rev-list", "--boundary", "--stdin", stdin=names).decode().split()
    on_branches = set(references.values()).difference(listed)
    needed = sorted(on_branches | {each[1:] for each in listed if each.startswith("-")})
    lines = [f"-{commit_id} \n" for commit_id in needed]
    lines += [f"{commit_id} {name}\n" for name, commit_id in sorted(references.items())]
    words = ("-c", "pack.threads=1", "pack-objects", "--revs", "--thin", "--stdout", "-q")
    pack = git_output(history, *words, stdin=names)
    file.write_bytes(_SIGNATURE + "".join(lines).encode("utf-8", "surrogateescape") + b"\n" + pack)


def put_references(history: History, file: Path) -> References:
    """Bring back references; one that has another commit here stays, and the backup's commit is pinned."""
    data = file.read_bytes()
    end = data.find(b"\n\n", 0, _MOST_HEADER_BYTES)
    if not data.startswith(_SIGNATURE) or end < 0:
        raise _bundle_damaged("its references are no bundle")
    references: dict[str, str] = {}
    needed: list[str] = []
    for line in data[len(_SIGNATURE) : end].decode("utf-8", "surrogateescape").split("\n"):
        match = _LINE.fullmatch(line)
        if match is None:
            raise _bundle_damaged("its references are no bundle")
        if match["needed"]:
            needed.append(match["commit"])
        elif match["name"].startswith(CARRIED) and pygit2.reference_is_valid_name(match["name"]):
            references[match["name"]] = match["commit"]
        else:  # only names that a backup can hold
            raise _bundle_damaged("its bundle names references that no backup holds")
    if not all(map(history.objects.has_commit, needed)):
        return References(without_history=tuple(references))
    names = range_lines(references.values(), needed)
    try:
        git_output(history, "index-pack", "--stdin", "--fix-thin", "--strict", stdin=data[end + 2 :])
        git_output(history, "rev-list", "--objects", "--quiet", "--stdin", stdin=names)
    except ClawgitError as error:
        raise _bundle_damaged("commits of its references are missing or damaged") from error
    here = own_references(history)
    for name, commit_id in references.items():
        if here.get(name, commit_id) == commit_id:
            set_ref(history, name, commit_id)
        else:
            pin(history, RESCUE, commit_id)
    return References(restored=tuple(references))


def _bundle_damaged(what: str) -> BackupFileError:
    return BackupFileError(f"The backup is damaged: {what}.", hint="Use another backup.")


class Backup(NamedTuple):
    """A backup that was made."""

    path: Path
    made_at: datetime
    size: int
    parts: tuple[StoredFile, ...]


def make_backup(
    history: History,
    file: Path,
    now: datetime,
    *,
    force: bool = False,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Backup:
    """Put all records and own references of the workspace into ``file``, without blocking writers.

    Replaces an earlier backup of the same workspace, any other file only with ``force``; after an error it is unchanged.
    """
    file = file.absolute()
    with _place_errors(file):
        _check_place(history, file, force=force)
    with _backup_turn(history) as folder:
        with storage_errors(history.state):
            stores = [name for name in sqlite_files.RECORD_STORES if (history.state / name).exists()]
            sizes = [(history.state / name).stat().st_size for name in stores]
            for at, name in enumerate(stores):
                tell(sum(sizes[:at]), 2 * sum(sizes))  # reading it again is the other half
                sqlite_files.copy_store(
                    history.state / name, folder / name, wait_seconds=history.settings.lock_wait_seconds
                )
                sqlite_files.check_store(folder / name)
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
    """Be the only process that makes or restores a backup; yield an empty folder that is deleted afterwards."""
    place = history.state / "backup"
    folder = place / "work"
    with storage_errors(history.state):
        place.mkdir(mode=0o700, exist_ok=True)
    with workspace_lock(place, wait_seconds=history.settings.lock_wait_seconds, holder=history.holder):
        shutil.rmtree(folder, ignore_errors=True)  # a killed process's files
        with storage_errors(history.state):
            folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _check_place(history: History, file: Path, *, force: bool) -> None:
    real = file.parent.resolve() / file.name
    if any(real.is_relative_to(place.resolve()) for place in (history.root, history.folder)):
        sentence = f"{file} is in the workspace, where it would be committed, or lost with it."
        raise BackupFileError(sentence, hint="Give a place outside, best on another disk.")
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
        sentence = f"{file} exists and is no backup that can be read, so it was left alone."
        raise BackupFileError(sentence, hint="Give another name, or --force to replace it.") from error
    if of != str(history.root):
        sentence = f"{file} is a backup of another workspace ({of}), so it was left alone."
        raise BackupFileError(sentence, hint="Give another name, or --force to replace it.")


@contextmanager
def _beside(history: History, file: Path) -> Iterator[Path]:
    """Yield a new file beside ``file`` that replaces it at the end; its name is fixed, so a killed process's is deleted."""
    whose = hashlib.sha256(os.fsencode(history.root)).hexdigest()[:16]
    half = file.with_name(f".{file.name}-{whose}{HALF_MADE}")
    half.unlink(missing_ok=True)
    sqlite_files.touch_private(half)
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
        sentence = f"{file} cannot be written ({error.strerror or error}), so no backup was made."
        hint = "Give a place that exists, may be written to and has room."
        raise BackupFileError(sentence, hint=hint) from error


class Restored(NamedTuple):
    """What came back, its date and workspace; what was replaced, and what is unchanged."""

    made_at: datetime
    workspace: str
    names: tuple[str, ...]
    stayed: tuple[str, ...]
    kept_in: Path | None
    references: References


def restore_backup(history: History, file: Path, now: datetime, *, force: bool = False) -> Restored:
    """Bring back the records in ``file``; at any moment each store is the old or the new one.

    The workspace's format is checked, not restored. Records of a workspace without a commit in common need ``force``.
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
            (history.state / CLONE_ID).unlink(missing_ok=True)  # the restored id was another clone's
            _put_all(history, names, new, kept_in)
    others = [name for name in sqlite_files.RECORD_STORES if name not in names]
    stayed = tuple(name for name in others if (history.state / name).exists())
    manifest = backup.manifest
    return Restored(manifest.made_at, manifest.workspace, names, stayed, kept_in, references)


def _extract(backup: BackupFile, folder: Path) -> None:
    needed = 2 * sum(part.size for part in backup.manifest.parts)
    free = shutil.disk_usage(folder).free
    if needed > free:
        sentence = f"Restoring {backup.path} needs {needed:,} bytes; the disk has {free:,}."
        raise BackupFileError(sentence, hint="Free some space; nothing was changed.")
    for part in backup.manifest.parts:
        sqlite_files.touch_private(folder / part.name)
        with (folder / part.name).open("wb") as target:
            for chunk in backup.chunks(part):
                target.write(chunk)


def _check(backup: BackupFile, folder: Path, now: datetime) -> None:
    """Refuse what this clawgit cannot use; migrate the records to its tables and note this backup in them."""
    for part in backup.manifest.parts:
        if part.name in sqlite_files.RECORD_STORES:
            try:
                sqlite_files.check_store(folder / part.name)
            except sqlite_files.DamagedStoreError as error:
                sentence = f"{backup.path} holds a damaged {part.name}."
                raise BackupFileError(sentence, hint="Use another backup; nothing was changed.") from error
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
    """Refuse records of another history: their evidence, receipts and slots would count for this one."""
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
    """Make the folder for what will be replaced, None if that is nothing; refuses to replace newer records."""
    if (history.state / RECORDS).exists() and RECORDS in names:
        with suppress(sqlite_files.DamagedStoreError):
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
    """Put them back one by one; an error after the first one names those that came back."""
    for done, name in enumerate(names):
        live = history.state / name
        try:
            if name in sqlite_files.RECORD_STORES:
                _put_store(live, new / name, kept_in, wait_seconds=history.settings.lock_wait_seconds)
                continue
            if kept_in is not None:
                _copy_bytes(live, kept_in)
            write_file(history.state, name, FileContent((new / name).read_bytes()))
        except (ClawgitError, OSError) as error:
            if done:
                sentence = f"Only {', '.join(names[:done])} came back; {name} did not ({error})."
                hint = f"Run it again when that is mended. What was there before is kept in {kept_in}."
                raise ClawgitError(sentence, hint=hint) from error
            if kept_in is not None:
                with suppress(OSError):  # not empty once something is kept in it
                    kept_in.rmdir()
            raise


def _put_store(live: Path, new: Path, kept_in: Path | None, *, wait_seconds: float) -> None:
    previous = None if kept_in is None or not live.exists() else kept_in / live.name
    if not live.exists():
        sqlite_files.create_store(live, like=new)
    try:
        sqlite_files.overwrite_store(live, new, previous, wait_seconds=wait_seconds)
    except sqlite_files.DamagedStoreError:
        if kept_in is not None:
            _copy_bytes(live, kept_in)
        sqlite_files.replace_damaged_store(live, new)


def _copy_bytes(live: Path, folder: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError), Path(f"{live}{suffix}").open("rb") as source:
            copy = folder / f"{live.name}{suffix}"
            sqlite_files.touch_private(copy)
            with copy.open("wb") as target:
                shutil.copyfileobj(source, target)
                os.fsync(target.fileno())
    sync_folder(folder)
