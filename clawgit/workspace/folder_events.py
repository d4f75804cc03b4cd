"""Whether anything changed in some folders, as the kernel tells it: on Linux, before the writer's own call returns."""

from __future__ import annotations

import errno
import os
import struct
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_MOST_FOLDERS = 4096
_EVENT = struct.Struct("iIII")
_ROOM = 1 << 16
_MODIFY, _ATTRIBUTES, _MOVED, _CREATED, _DELETED, _SELF = 0x2, 0x4, 0xC0, 0x100, 0x200, 0xC00
_ONLY_FOLDERS, _NO_LINKS = 0x01000000, 0x02000000
_WATCHED = _MODIFY | _ATTRIBUTES | _MOVED | _CREATED | _DELETED | _SELF | _ONLY_FOLDERS | _NO_LINKS
# ext, XFS, Btrfs, F2FS, ZFS, tmpfs, overlay: elsewhere another machine may write, of which nobody tells.
_LOCAL = frozenset({0xEF53, 0x58465342, 0x9123683E, 0xF2F52010, 0x2FC12FC1, 0x01021994, 0x794C7630})


class FolderEvents:
    """Events of ``folders`` (of each, not of what is below), kept by the kernel until they are asked for.

    Hidden names do not count, except `.git`. A fork shares the queue with its parent: it must not ask.
    """

    def __init__(self, folders: Collection[str]) -> None:
        """Begin to listen; an OSError where the kernel tells nothing: another system, a network drive, too many folders."""
        if sys.platform != "linux" or len(folders) > _MOST_FOLDERS:
            raise OSError(errno.ENOSYS, "no events")
        import ctypes  # noqa: PLC0415 - takes 4 ms, and most processes look once

        self.folders = folders
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._errno = ctypes.get_errno
        self._handle = self._called("inotify_init1", os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            for folder in map(os.fsencode, folders):
                state = ctypes.create_string_buffer(256)
                self._called("statfs", folder, state)
                _refuse_distant(state.raw)
                self._called("inotify_add_watch", self._handle, folder, _WATCHED)
        except BaseException:
            self.close()
            raise

    def are_none(self) -> bool:
        """Say whether nothing happened since this was asked last."""
        quiet = True
        while True:
            try:
                events = os.read(self._handle, _ROOM)
            except BlockingIOError:
                return quiet
            for name in _names(events):
                if not name.startswith(b".") or name in (b".git", b".gitignore"):
                    quiet = False

    def close(self) -> None:
        os.close(self._handle)

    def _called(self, name: str, *arguments: Any) -> int:
        done = int(getattr(self._libc, name)(*arguments))
        if done < 0:
            raise OSError(self._errno(), name)
        return done


def _refuse_distant(state: bytes) -> None:
    """Refuse what is no local file system; the structure begins with the number of its kind, as a word."""
    if int.from_bytes(state[: struct.calcsize("l")], sys.byteorder) not in _LOCAL:
        raise OSError(errno.EREMOTE, "not a local file system")


def _names(told: bytes) -> Iterator[bytes]:
    """Yield what each event is about, nothing where it is about a folder itself, or where some were lost."""
    at = 0
    while at < len(told):
        *_, size = _EVENT.unpack_from(told, at)
        at += _EVENT.size + size
        yield told[at - size : at].rstrip(b"\0")
