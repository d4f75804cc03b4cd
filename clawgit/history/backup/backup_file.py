"""The file of a backup, believed in nothing: a zip of records, a manifest, and own references as a bundle."""

from __future__ import annotations

import hashlib
import json
import re
import struct
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from clawgit.errors import ClawgitError
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import git_output
from clawgit.history.git.refs import BRANCHES, PAST, PROPOSALS, QUARANTINE, RESCUE, pin, set_ref
from clawgit.workspace.foreign_files import open_regular
from clawgit.workspace.records.sqlite_files import RECORD_STORES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clawgit.history.git.repository import History

VERSION = 1
MANIFEST = "manifest.json"
RECORD_FILES = ("paused", "format", "workspace")
REFERENCES = "references.bundle"
PARTS = (*RECORD_STORES, *RECORD_FILES, REFERENCES)
MAX_SMALL_BYTES = 64 * 1024
_CHUNK = 1024 * 1024
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


@dataclass(frozen=True, slots=True)
class Part:
    """One file in a backup."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says about itself."""

    made_at: datetime
    workspace: str
    parts: tuple[Part, ...]


class BackupFile:
    """An opened backup, its manifest checked; the parts are checked while they are read."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self.path = path
        self._zip = archive
        with _unreadable(path):
            entries = {info.filename: info for info in self._zip.infolist()}
            first = entries.get(MANIFEST)
            if first is None:
                raise _foreign(self.path)
            with self._zip.open(first) as source:
                said = json.loads(source.read(MAX_SMALL_BYTES))
            manifest = _manifest(self.path, said)
            if len(self._zip.infolist()) != len(entries) or set(entries) != {MANIFEST} | {
                part.name for part in manifest.parts
            }:
                raise _damaged(self.path, "it holds other files than its manifest names")
            for part in manifest.parts:
                entry = entries[part.name]
                plain = entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
                too_large = part.name in RECORD_FILES and part.size > MAX_SMALL_BYTES
                if not plain or entry.flag_bits & 0x1 or too_large or entry.file_size != part.size:
                    raise _damaged(
                        self.path, f"{part.name} in it is not of the size or kind that its manifest says"
                    )
            self.manifest = manifest

    def chunks(self, part: Part) -> Iterator[bytes]:
        """Yield a part's bytes, at most as many as the manifest says."""
        digest = hashlib.sha256()
        with _unreadable(self.path), self._zip.open(part.name) as source:  # gives no more than its size
            while chunk := source.read(_CHUNK):
                digest.update(chunk)
                yield chunk
        if digest.hexdigest() != part.sha256:
            raise _damaged(self.path, f"{part.name} in it is not what was put in")

    def check(self) -> None:
        for part in self.manifest.parts:
            for _ in self.chunks(part):
                pass


def _manifest(path: Path, said: Any) -> Manifest:
    if not isinstance(said, dict) or not isinstance(said.get("clawgit_backup"), int):
        raise _foreign(path)
    if said["clawgit_backup"] > VERSION:
        raise BackupFileError(
            f"{path} was made by a newer clawgit (backup format {said['clawgit_backup']}; this one knows {VERSION}).",
            hint="Install a newer clawgit.",
        )
    try:
        parts = tuple(Part(str(p["name"]), int(p["bytes"]), str(p["sha256"])) for p in said["parts"])
        manifest = Manifest(datetime.fromisoformat(said["made_at"]), str(said["workspace"]), parts)
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
    """Write the parts, which are in ``folder``; the same parts give the same bytes."""
    said = {
        "clawgit_backup": VERSION,
        "made_at": manifest.made_at.isoformat(timespec="seconds"),
        "workspace": manifest.workspace,
        "parts": [{"name": p.name, "bytes": p.size, "sha256": p.sha256} for p in manifest.parts],
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(_entry(MANIFEST), json.dumps(said, indent=1) + "\n")
        for part in manifest.parts:
            with (
                (folder / part.name).open("rb") as source,
                archive.open(_entry(part.name), "w", force_zip64=True) as target,
            ):
                while chunk := source.read(_CHUNK):
                    target.write(chunk)


def part_of(path: Path) -> Part:
    with path.open("rb") as file:
        return Part(path.name, path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


def _entry(name: str) -> zipfile.ZipInfo:
    """Return a member of 1980, so that nothing but its content tells it from another."""
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
    return BackupFileError(
        f"{path} is not a backup of clawgit's, or it is cut off.",
        hint="Name a file that `clawgit backup` made.",
    )


def _damaged(path: Path, what: str) -> BackupFileError:
    return BackupFileError(f"{path} is damaged: {what}.", hint="Use another backup; nothing was changed.")


@dataclass(frozen=True, slots=True)
class References:
    """Which references came back, and which did not since the history that they build on is not here."""

    restored: tuple[str, ...] = ()
    without_history: tuple[str, ...] = ()


def own_references(history: History) -> dict[str, str]:
    """Return name → commit of the references that a backup carries; an intent is of the moment, and stays."""
    return {name: commit_id for prefix in CARRIED for name, commit_id in history.refs(prefix).items()}


def write_references(history: History, file: Path) -> None:
    """Put the references into ``file``; none, and there is no file."""
    references = own_references(history)
    if not references:
        return
    there = history.refs(BRANCHES).values()
    asked = "".join(f"{line}\n" for line in (*references.values(), *(f"^{each}" for each in there))).encode()
    listed = git_output(history, "rev-list", "--boundary", "--stdin", stdin=asked).decode().split()
    on_branches = set(references.values()).difference(listed)
    needed = sorted(on_branches | {each[1:] for each in listed if each.startswith("-")})
    lines = [f"-{commit_id} \n" for commit_id in needed]
    lines += [f"{commit_id} {name}\n" for name, commit_id in sorted(references.items())]
    pack = git_output(
        history, "-c", "pack.threads=1", "pack-objects", "--revs", "--thin", "--stdout", "-q", stdin=asked
    )
    file.write_bytes(_SIGNATURE + "".join(lines).encode("utf-8", "surrogateescape") + b"\n" + pack)


def put_references(history: History, file: Path) -> References:
    """Bring back what `write_references` wrote; a reference that names another commit here stays."""
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
        else:  # only names that a backup carries are believed
            raise _bundle_damaged("its bundle names references that no backup holds")
    if not all(history.objects.has_commit(commit_id) for commit_id in needed):
        return References(without_history=tuple(references))
    asked = "".join(f"{line}\n" for line in (*references.values(), *(f"^{each}" for each in needed))).encode()
    try:
        git_output(history, "index-pack", "--stdin", "--fix-thin", "--strict", stdin=data[end + 2 :])
        git_output(history, "rev-list", "--objects", "--quiet", "--stdin", stdin=asked)
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
