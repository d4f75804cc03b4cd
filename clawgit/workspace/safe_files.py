"""Reads and writes the workspace's files component by component, never through a link.

No other module opens a file of the workspace for writing.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import signal
import stat
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from clawgit.errors import ClawgitError, ExitCode
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


_PRIVATE = 0o600
_BY_UMASK = 0o666
TEMPORARY_PREFIX = ".clawgit-new-"
MAX_PATH_BYTES = 4096
NEARLY_FULL = 64 * 1024  # of free bytes
# Characters that git, like HFS+, skips in a name; it ends the name at an invalid one.
_SKIPPED = lazy_pattern(
    "[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]|[\udc80-\udcff\ufffe\uffff].*", re.DOTALL
)
A_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def is_shared(folder: os.stat_result) -> bool:
    """Say whether another account has access to a folder, such as a host with its own account.

    It owns the folder, or its group may do more there than everybody; many accounts have a group of their own.
    """
    group, others = folder.st_mode >> 3 & 7, folder.st_mode & 7
    if folder.st_uid != os.geteuid() or others & 2:
        return True
    if group <= others or folder.st_mode & stat.S_ISGID:
        return group > others
    is_own = folder.st_gid == folder.st_uid
    return not is_own and (folder.st_gid != os.getegid() or group & 2 > 0)


class UnsafePathError(ClawgitError):
    """The path leads out of the workspace, through a link, or into a repository's own files."""


class FileContent(NamedTuple):
    """A regular file, read at once."""

    data: bytes
    executable: bool = False


def data_of(content: FileContent | None) -> bytes | None:
    if content is None:
        return None
    return content.data


def check_path(path: str) -> str:
    """Return ``path`` if it is a place inside the workspace, else refuse."""
    if len(os.fsencode(path)) > MAX_PATH_BYTES:
        raise UnsafePathError("That path is too long.")
    parts = path.split("/")
    if "\0" in path or any(part in ("", ".", "..") or _is_repository_name(part) for part in parts):
        raise UnsafePathError(f"{path!r} is not a path inside the workspace.", hint="Give a relative path.")
    return path


def _is_repository_name(part: str) -> bool:
    """Say whether any file system takes ``part`` for `.git`: HFS+ skips some characters, NTFS splits at others."""
    folded = (part if part.isascii() else _SKIPPED.sub("", part)).casefold()
    if "git" not in folded:
        return False
    names = (name.rstrip(". ") for name in re.split(r"[:\\]", folded))
    return any(name == ".git" or (name.startswith("git~") and name[4:].isdigit()) for name in names)


def read_file(
    root: Path, path: str, *, at_most: int | None = None, settled: bool = False
) -> FileContent | None:
    """Return the regular file at ``path``, None if there is none.

    Raises:
        UnsafePathError: A link, a special file or another repository is on the way.
        FileTooLargeError: The file has more than ``at_most`` bytes; it was not read.
        FileInUseError: ``settled``, and a program on this machine has the file open for writing.
    """
    try:
        with _parent(root, path) as (folder, name), _opened(folder, name, path) as handle:
            status = os.fstat(handle)
            if stat.S_ISDIR(status.st_mode):
                text = f"{path} is a folder, not a file."
                hint = "If it is a git repository of its own, list it in .gitignore: clawgit does not look into it."
                raise UnsafePathError(text, hint=hint)
            if not stat.S_ISREG(status.st_mode):
                raise UnsafePathError(f"{path} is a pipe, a socket or a device, not a file.")
            if at_most is not None and status.st_size > at_most:
                raise FileTooLargeError(f"{path} has {status.st_size:,} bytes; the limit is {at_most:,}.")
            if settled:
                _refuse_writers(handle, path)
            with os.fdopen(handle, "rb", closefd=False) as file:
                content = FileContent(file.read(), bool(status.st_mode & stat.S_IXUSR))
            if settled:
                _refuse_writers(handle, path)
                now = os.fstat(handle)
                if (now.st_size, now.st_mtime_ns) != (status.st_size, status.st_mtime_ns):
                    raise FileInUseError(path)
            return content
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError as error:
        hint = "Check its permissions."
        raise UnsafePathError(f"{path} is in a folder that you may not open.", hint=hint) from error


class FileTooLargeError(ClawgitError):
    """A file is over the size that clawgit reads into memory."""


class FileInUseError(ClawgitError):
    """Another program is writing the file now, so it may be incomplete."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUSY

    def __init__(self, path: str) -> None:
        super().__init__(f"Another program is writing {path}.", hint="Try again when it is done.")
        self.path = path


@contextmanager
def _opened(folder: int, name: str, path: str) -> Iterator[int]:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        handle = os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UnsafePathError(f"{path} is a symbolic link, and clawgit follows none.") from error
        raise UnsafePathError(f"{path} cannot be opened: {error.strerror}.") from error
    try:
        yield handle
    finally:
        os.close(handle)


def _refuse_writers(handle: int, path: str) -> None:
    """Refuse a file that is known to be open for writing: Linux grants a read lease only on any other.

    The lease is released at once; its default signal, for an open in between, would end this process.
    """
    if sys.platform != "linux":
        return
    try:
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        if error.errno == errno.EAGAIN:
            raise FileInUseError(path) from error


@contextmanager
def _parent(root: Path, path: str, *, create: bool = False, fsync: bool = False) -> Iterator[tuple[int, str]]:
    *folders, name = check_path(path).split("/")
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in folders:
            if create:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=folder)
                    if fsync:
                        os.fsync(folder)
            inner = _open_folder(folder, part, path, create=create)
            os.close(folder)
            folder = inner
            if _stat(folder, ".git") is not None:
                text = f"{path} lies in {part}, which is a git repository of its own."
                hint = "Move that repository out of the workspace, or write to another place."
                raise UnsafePathError(text, hint=hint)
        yield folder, name
    finally:
        os.close(folder)


def _stat(folder: int, name: str) -> os.stat_result | None:
    with suppress(FileNotFoundError):
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    return None


def _open_folder(folder: int, part: str, path: str, *, create: bool) -> int:
    try:
        return os.open(part, A_FOLDER, dir_fd=folder)
    except (FileNotFoundError, PermissionError):
        raise
    except OSError as error:
        place = _stat(folder, part)
        if not create and place is not None and stat.S_ISREG(place.st_mode):
            raise FileNotFoundError(path) from error
        raise UnsafePathError(f"{path} leads through {part}, which is not a folder of its own.") from error


class PreparedFile(NamedTuple):
    """New bytes beside their place, synced; ``put`` renames them into it."""

    root: Path
    path: str
    temporary: str

    def put(self, *, fsync: bool) -> None:
        """Replace the file: a reader sees the old bytes or the new ones, never a part."""
        with _parent(self.root, self.path) as (folder, name):
            os.rename(self.temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            if fsync:
                os.fsync(folder)

    def drop(self) -> None:
        """Remove the bytes unused, unless they were used."""
        with suppress(FileNotFoundError), _parent(self.root, self.path) as (folder, _):
            os.unlink(self.temporary, dir_fd=folder)


def _settle_mode(handle: int, before: os.stat_result | None, *, executable: bool) -> None:
    made = os.fstat(handle)
    mode = stat.S_IMODE((before or made).st_mode)
    if before is not None and (before.st_uid, before.st_gid) != (made.st_uid, made.st_gid):
        for owner in (before.st_uid, -1):
            with suppress(PermissionError):
                os.fchown(handle, owner, before.st_gid)
                break
    os.fchmod(handle, mode | 0o100 if executable else mode & ~0o111)


def prepare_file(root: Path, path: str, content: FileContent, *, fsync: bool) -> PreparedFile:
    """Write ``content`` beside ``path`` with the mode of the replaced file; after an OSError nothing is left."""
    with _parent(root, path, create=True, fsync=fsync) as (folder, name):
        temporary = TEMPORARY_PREFIX + os.urandom(8).hex()
        before = _stat(folder, name)
        mode = _BY_UMASK if before is None and is_shared(os.fstat(folder)) else _PRIVATE
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        handle = os.open(temporary, flags, mode, dir_fd=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content.data)
                file.flush()
                _settle_mode(handle, before, executable=content.executable)
                if fsync:
                    os.fsync(handle)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=folder)
            raise
        return PreparedFile(root, path, temporary)


def write_file(root: Path, path: str, content: FileContent, *, fsync: bool = True) -> None:
    """Replace or create one file; a crash leaves the old bytes or the new ones."""
    prepare_file(root, path, content, fsync=fsync).put(fsync=fsync)


def remove_file(root: Path, path: str, *, fsync: bool = True) -> None:
    """Remove one file if it exists; folders stay."""
    with suppress(FileNotFoundError), _parent(root, path) as (folder, name):
        os.unlink(name, dir_fd=folder)
        if fsync:
            os.fsync(folder)


def sync_folders_of(root: Path, paths: Iterable[str]) -> None:
    """Make new and removed names at ``paths`` survive a power loss, each folder once."""
    for path in {path.rpartition("/")[0]: path for path in paths}.values():
        with suppress(FileNotFoundError), _parent(root, path) as (folder, _):
            os.fsync(folder)


def remove_temporaries(root: Path, path: str) -> None:
    """Remove a killed writer's files beside ``path``; callers hold the workspace lock."""
    with suppress(FileNotFoundError, UnsafePathError), _parent(root, path) as (folder, _):
        for name in os.listdir(folder):  # noqa: PTH208 - an open folder
            if name.startswith(TEMPORARY_PREFIX):
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=folder)


def sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def free_bytes(folder: Path) -> int:
    """Return the bytes that can be written; 0 if no more files can be made."""
    free = os.statvfs(folder)
    out_of_files = free.f_files > 0 and free.f_favail == 0
    return 0 if out_of_files else free.f_bavail * free.f_frsize


def write_private(path: Path, text: str) -> None:
    """Write a file of ours that only its owner can read, whatever the umask."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(text.encode("utf-8", "backslashreplace"))


def rewrite_record(folder: Path, name: str, data: bytes) -> None:
    """Overwrite a small record of ours that is read under the same lock and may get lost; a rename can cost a sync."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(folder / name, flags, 0o600)
    try:
        longer = os.fstat(handle).st_size - len(data)
        whole = data + b"\n" * longer  # one call, so that a killed writer leaves the old record or the new
        if os.pwrite(handle, whole, 0) < len(whole):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if longer > 0:
            os.ftruncate(handle, len(data))
    finally:
        os.close(handle)
