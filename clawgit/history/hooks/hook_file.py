"""One hook as it stands in a folder of hooks: clawgit's own script, somebody's change of it, or another program's.

Nothing of another program's is ever changed or removed, only given another name beside it.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

from clawgit.workspace.safe_files import TEMPORARY_PREFIX
from clawgit.workspace.templates import data_folder

if TYPE_CHECKING:
    from pathlib import Path

KEPT = ".before-clawgit"
ALTERED = ".altered-clawgit"
MODE = 0o755
_MARK = b"# A git hook of clawgit's"

HookKind = Literal["missing", "ours", "altered", "not executable", "foreign"]


@lru_cache(maxsize=1)
def shim_text() -> bytes:
    """Return the script that stands in for every hook."""
    return (data_folder("hooks") / "git-hook").read_bytes()


def kind_of(path: Path) -> HookKind:
    """Say whose the hook at ``path`` is; a link is always another program's."""
    try:
        mode = path.lstat().st_mode
        text = path.read_bytes() if stat.S_ISREG(mode) else b""
    except FileNotFoundError:
        return "missing"
    if _MARK not in text:
        return "foreign"
    if text != shim_text():
        return "altered"
    return "ours" if mode & stat.S_IXUSR else "not executable"


def kept_place(path: Path) -> Path:
    """Return where another program's hook stands while clawgit's is in its place."""
    return path.with_name(path.name + KEPT)


def fingerprint(path: Path) -> str:
    """Return what tells one state of a hook from another: its mode and bytes, or where it links to."""
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            return f"link to {path.readlink()}"
        return f"{stat.S_IMODE(found.st_mode):o} {sha256(path.read_bytes()).hexdigest()}"
    except OSError:
        return ""


def put_shim(path: Path) -> None:
    """Put clawgit's script at ``path`` in one step; callers have seen to what stood there."""
    new = path.with_name(TEMPORARY_PREFIX + os.urandom(8).hex())
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(shim_text())
            os.fchmod(handle, MODE)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def keep_aside(path: Path, suffix: str) -> Path:
    """Give the file at ``path`` another name, too, and return that; the next `put_shim` takes the first away.

    Where the name is taken by something else, that gets a number.
    """
    aside = path.with_name(path.name + suffix)
    if fingerprint(aside) not in ("", fingerprint(path)):
        aside.rename(_numbered(aside))
    with suppress(FileNotFoundError):
        aside.unlink()
    try:
        os.link(path, aside, follow_symlinks=False)
    except OSError:  # a file system without hard links: for a moment there is no hook
        path.rename(aside)
    return aside


def _numbered(path: Path) -> Path:
    number = 1
    while (
        path.with_name(f"{path.name}.{number}").is_symlink()
        or path.with_name(f"{path.name}.{number}").exists()
    ):
        number += 1
    return path.with_name(f"{path.name}.{number}")
