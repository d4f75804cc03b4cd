"""Reads an ordinary repository's references, state and packs without libgit2: loading it takes as long as 4,000 small objects.

Ordinary: `.git` is a folder of the user's own, and its config does not change where or how data is stored. Whatever is
not exactly as git usually writes it is left to libgit2, and so is every refusal.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from contextlib import suppress
from functools import cached_property
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECTION = lazy_pattern(r'\[([A-Za-z0-9-]+)(?: "([^"\\]*)")?\]')
_ENTRY = lazy_pattern(r'([A-Za-z][A-Za-z0-9-]*)\s*=\s*([^"\\#;]*)')
_ID = lazy_bytes_pattern(rb"[0-9a-f]{40}\n")
_NAME = lazy_pattern(r"refs(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)+")
_EXPECTED = {"core.bare": "false", "core.repositoryformatversion": "0"}
_ELSEWHERE = ("core.worktree", "core.sparsecheckout")
_TRACES = (
    *("MERGE_HEAD", "REVERT_HEAD", "CHERRY_PICK_HEAD", "BISECT_LOG"),
    *("rebase-merge", "rebase-apply", "sequencer"),
)

# libgit2's names of unfinished operations, in git's words; everything else is a rebase
UNFINISHED = {
    "MERGE": "merge",
    "REVERT": "revert",
    "CHERRYPICK": "cherry-pick",
    "BISECT": "bisect",
    "APPLY_MAILBOX": "`git am`",
}
_MAGIC = b"\xfftOc\x00\x00\x00\x02"
# Where the ids begin in an index: after its magic and the count of ids up to each first byte.
_NAMES = 8 + 256 * 4
_TWO = struct.Struct(">II")
_FAR = 0x80000000  # an offset in the table of large ones
_KINDS = {1: b"commit", 2: b"tree", 3: b"blob", 4: b"tag"}
_OFFSET_DELTA = 6
_CHUNK = 1 << 16
_SMALL = 1 << 20  # there are many of these, one for each change
MOST_DELTAS = 4096  # git's own limit for a chain


def ordinary_folder(root: Path) -> Path | None:
    """Return the `.git` of an ordinary repository, None if libgit2 has to look."""
    folder = os.path.join(os.path.realpath(root), ".git")
    try:
        owners = {os.stat(root).st_uid, os.lstat(folder).st_uid}
        is_whole = all(os.path.isdir(os.path.join(folder, name)) for name in ("objects", "refs"))
        with open(os.path.join(folder, "config"), encoding="utf-8") as file:
            config = plain_config(file.read())
    except (OSError, ValueError):
        return None
    unexpected = ("commondir", "config.worktree", "info/sparse-checkout")
    is_ordinary = (
        is_whole
        and owners == {os.geteuid()}
        and not os.path.islink(folder)
        and config is not None
        and not any(name in _ELSEWHERE or name.startswith(("extensions.", "include")) for name, _ in config)
        and _EXPECTED.items() <= dict(config).items()
        and not any(os.path.lexists(os.path.join(folder, name)) for name in unexpected)
        and head_branch(folder) is not None
    )
    if is_ordinary:
        return Path(folder)
    return None


def own_settings(folder: Path) -> list[tuple[str, str]] | None:
    """Return the repository's own settings; None if libgit2 has to read them."""
    try:
        return plain_config((folder / "config").read_text("utf-8"))
    except (OSError, ValueError):
        return None


def git_setting(folder: Path, key: str) -> tuple[str, ...] | None:
    """Return the value in force for git, empty if it is not set; None if libgit2 has to look."""
    home = Path.home()
    more = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    value: tuple[str, ...] = ()
    for path in (Path("/etc/gitconfig"), more / "git/config", home / ".gitconfig", folder / "config"):
        try:
            pairs = plain_config(path.read_text("utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError):
            return None
        if pairs is None or any(name.startswith("include") for name, _ in pairs):
            return None
        for name, each in pairs:
            if name == key.lower():
                value = (each,)
    return value


def plain_config(text: str) -> list[tuple[str, str]] | None:
    """Return the settings of a git config without quotes, joined lines and sections left out; None for any other."""
    pairs = []
    prefix = ""
    for line in map(str.strip, text.split("\n")):
        if not line or line[0] in "#;":
            continue
        section = _SECTION.fullmatch(line)
        entry = _ENTRY.fullmatch(line)
        if section is not None:
            inner = "" if section[2] is None else f"{section[2]}."
            prefix = f"{section[1].lower()}.{inner}"
        elif entry is not None and prefix:
            pairs.append((prefix + entry[1].lower(), entry[2].strip()))
        else:
            return None
    return pairs


def head_branch(folder: str | Path) -> str | None:
    """Return the full name of the checked-out branch, None if HEAD is anything else."""
    name = (_read(os.path.join(folder, "HEAD")) or b"").removesuffix(b"\n").decode("utf-8", "surrogateescape")
    kind, _, branch = name.partition("ref: ")
    if not kind and _NAME.fullmatch(branch):
        return branch
    return None


def detached_commit(folder: Path) -> str | None:
    """Return the commit of a detached HEAD, None if HEAD is anything else."""
    with suppress(OSError):
        head = _read(os.path.join(folder, "HEAD")) or b""
        if _ID.fullmatch(head):
            return head[:40].decode()
    return None


def ref_target(folder: Path, name: str) -> str | None:
    """Return the commit of a reference, "" if there is none, None if libgit2 has to look."""
    if not _NAME.fullmatch(name) or ".." in name or name.endswith(".lock"):
        return None
    try:
        loose = _read(os.path.join(folder, name))
        if loose is not None:
            if _ID.fullmatch(loose):
                return loose[:40].decode()
            return None
        return dict(packed_refs(folder)).get(name, "")
    except (OSError, ValueError):
        return None


def refs_below(folder: Path, prefix: str) -> dict[str, str] | None:
    """Return name → commit of the references in a folder, None if libgit2 has to look."""
    try:
        names = {name for name, _ in packed_refs(folder) if name.startswith(prefix)}
    except (OSError, ValueError):
        return None
    for above, _, files in os.walk(os.path.join(folder, prefix)):
        names |= {os.path.relpath(os.path.join(above, file), folder) for file in files}
    targets = {name: ref_target(folder, name) for name in sorted(names)}
    if None in targets.values():
        return None
    return {name: commit_id for name, commit_id in targets.items() if commit_id}


def is_unfinished(folder: Path) -> bool:
    return any(os.path.lexists(os.path.join(folder, name)) for name in _TRACES)


def packed_refs(folder: Path) -> Iterator[tuple[str, str]]:
    packed = _read(os.path.join(folder, "packed-refs")) or b""
    for line in packed.decode("utf-8", "surrogateescape").splitlines():
        if line[:1] not in ("#", "^"):
            commit_id, _, name = line.partition(" ")
            yield name, commit_id


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


class _Pack:
    """One pack, opened when one of its objects is read."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.names = _mapped(f"{path}.idx")

    @cached_property
    def data(self) -> mmap.mmap | bytes:
        return _mapped(f"{self._path}.pack")


class PackFiles:
    """The packs of an object folder, opened on first use."""

    def __init__(self, objects: str) -> None:
        self._folder = os.path.join(objects, "pack")
        self._packs: list[_Pack] | None = None
        self.parts_read = 0  # objects, and the deltas before them

    def read(self, object_id: str) -> tuple[int, bytes] | None:
        """Return an object's kind (git's number) and bytes; None if it is missing, unusual or damaged."""
        with suppress(OSError, zlib.error, struct.error, IndexError, ValueError):
            name = bytes.fromhex(object_id)
            if self._packs is None:
                names = sorted(name for name in os.listdir(self._folder) if name.endswith(".idx"))
                packs = [_Pack(os.path.join(self._folder, name.removesuffix(".idx"))) for name in names]
                self._packs = [pack for pack in packs if pack.names[:8] == _MAGIC]
            for pack in self._packs:
                at = _place(pack.names, name)
                if at is not None:
                    kind, data, parts = _object(pack.data, at)
                    self.parts_read += parts
                    head = b"%s %d\0" % (_KINDS[kind], len(data))
                    if sha1(head + data, usedforsecurity=False).digest() == name:
                        return (kind, data)
                    return None
        return None


def _mapped(path: str) -> mmap.mmap | bytes:
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size < _SMALL:
            return file.read()
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _place(index: mmap.mmap | bytes, name: bytes) -> int | None:
    first = name[0]
    if first:
        low, high = _TWO.unpack_from(index, 4 + 4 * first)
    else:
        low, high = 0, _number(index, 8)
    while low < high:
        middle = (low + high) // 2
        middle_name = index[_NAMES + 20 * middle : _NAMES + 20 * middle + 20]
        if middle_name == name:
            count = _number(index, _NAMES - 4)
            near = _number(index, _NAMES + 24 * count + 4 * middle)
            if not near & _FAR:
                return near
            at = _NAMES + 28 * count + 8 * (near ^ _FAR)
            return int.from_bytes(index[at : at + 8], "big")
        low, high = (middle + 1, high) if middle_name < name else (low, middle)
    return None


def _number(data: mmap.mmap | bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def _object(pack: mmap.mmap | bytes, at: int) -> tuple[int, bytes, int]:
    """Return the kind and bytes of the object at ``at``, and the number of its parts."""
    deltas: list[bytes] = []
    while len(deltas) < MOST_DELTAS:
        kind, size, inner = _header(pack, at)
        if kind == _OFFSET_DELTA:
            back, inner = distance(pack, inner)
            deltas.append(_unpacked(pack, inner, size))
            at -= back
            continue
        if kind not in _KINDS:
            break
        data = _unpacked(pack, inner, size)
        for delta in reversed(deltas):
            data = _applied(delta, data)
        return kind, data, len(deltas) + 1
    raise ValueError(at)


def _header(pack: mmap.mmap | bytes, at: int) -> tuple[int, int, int]:
    byte = pack[at]
    kind, size, shift = (byte >> 4) & 7, byte & 15, 4
    while byte & 0x80:
        at += 1
        byte = pack[at]
        size |= (byte & 0x7F) << shift
        shift += 7
    return kind, size, at + 1


def distance(pack: mmap.mmap | bytes, at: int) -> tuple[int, int]:
    """Return a number in git's offset encoding (one form for each number), and where the next byte is."""
    byte = pack[at]
    back = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = pack[at]
        back = ((back + 1) << 7) | (byte & 0x7F)
    return back, at + 1


def _unpacked(pack: mmap.mmap | bytes, at: int, size: int) -> bytes:
    unpacker = zlib.decompressobj()
    parts = []
    while not unpacker.eof and at < len(pack):
        parts.append(unpacker.decompress(pack[at : at + _CHUNK]))
        at += _CHUNK
    data = b"".join(parts)
    if len(data) != size:
        raise ValueError(at)
    return data


def _applied(delta: bytes, base: bytes) -> bytes:
    _, at = _size(delta, 0)
    size, at = _size(delta, at)
    parts: list[bytes] = []
    while at < len(delta):
        byte = delta[at]
        at += 1
        if byte & 0x80:
            offset, at = _given(delta, at, byte & 0x0F)
            length, at = _given(delta, at, (byte >> 4) & 7)
            parts.append(base[offset : offset + (length or 0x10000)])
        else:
            parts.append(delta[at : at + byte])
            at += byte
    data = b"".join(parts)
    if len(data) != size:
        raise ValueError(size)
    return data


def _size(delta: bytes, at: int) -> tuple[int, int]:
    size = shift = 0
    while True:
        byte = delta[at]
        at += 1
        size |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return size, at


def _given(delta: bytes, at: int, which: int) -> tuple[int, int]:
    number = 0
    for place in range(4):
        if which & 1 << place:
            number |= delta[at] << 8 * place
            at += 1
    return number, at
