"""git's form of a pack and of its index (version 2), for whole objects that are at hand."""

from __future__ import annotations

import os
import struct
import zlib
from contextlib import suppress
from hashlib import sha1
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from clawgit.workspace.safe_files import sync_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MOST_BYTES = 1 << 28  # of one pack: an index of small offsets goes to 2 GiB
_HEAD = struct.Struct(">4sII")
INDEX_HEAD = b"\xfftOc\x00\x00\x00\x02"
_FASTEST = 1


class PackedObject(NamedTuple):
    """One object as it is in a pack, without reference to another."""

    object_id: str
    data: bytes


class Names(NamedTuple):
    """How a pack is called: while it is written, afterwards, and what keeps git from taking it away, if anything."""

    unfinished: str
    begin: str
    keeper: str = ""


def packed(object_id: str, kind: int, data: bytes) -> PackedObject:
    """Return an object in the form of a pack."""
    size = len(data)
    head = bytearray([kind << 4 | size & 15])
    size >>= 4
    while size:
        head[-1] |= 0x80
        head.append(size & 0x7F)
        size >>= 7
    return PackedObject(object_id, bytes(head) + zlib.compress(data, _FASTEST))


def write_pack(folder: Path, objects: Sequence[PackedObject], names: Names, *, fsync: bool) -> Path:
    """Write a pack and its index into ``folder`` and return the pack's path; both are whole when git sees them.

    Raises:
        OSError: The disk is full or failing; git does not see the pack, nor what is left of it.
    """
    body = _HEAD.pack(b"PACK", 2, len(objects)) + b"".join(item.data for item in objects)
    digest = sha1(body, usedforsecurity=False).digest()
    place = folder / f"{names.begin}{digest.hex()}.pack"
    halves = [folder / f"{names.unfinished}{os.urandom(8).hex()}" for _ in range(2)]
    try:
        _write(halves[0], body + digest, fsync=fsync)
        _write(halves[1], _index_of(objects, digest), fsync=fsync)
        if names.keeper:
            place.with_suffix(names.keeper).touch()
        halves[1].replace(place.with_suffix(".idx"))  # git does not look at it without its pack
        halves[0].replace(place)
        if fsync:
            sync_folder(folder)
    except BaseException:
        for path in (*halves, *((place.with_suffix(names.keeper),) if names.keeper else ())):
            with suppress(OSError):
                path.unlink(missing_ok=True)
        raise
    return place


def _write(path: Path, data: bytes, *, fsync: bool) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        if fsync:
            os.fsync(handle)


def _index_of(objects: Sequence[PackedObject], digest: bytes) -> bytes:
    """Return the index of a pack that holds ``objects`` one after the other."""
    starts = accumulate((len(item.data) for item in objects), initial=_HEAD.size)
    rows = sorted(
        (bytes.fromhex(item.object_id), zlib.crc32(item.data), start)
        for item, start in zip(objects, starts, strict=False)
    )
    counts = [0] * 256
    for name, _, _ in rows:
        counts[name[0]] += 1
    table = (
        INDEX_HEAD,
        struct.pack(">256I", *accumulate(counts)),
        *(name for name, _, _ in rows),
        struct.pack(f">{len(rows)}I", *(check for _, check, _ in rows)),
        struct.pack(f">{len(rows)}I", *(start for _, _, start in rows)),
        digest,
    )
    whole = b"".join(table)
    return whole + sha1(whole, usedforsecurity=False).digest()
