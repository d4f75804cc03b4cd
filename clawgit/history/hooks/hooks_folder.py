"""Where git looks for a repository's hooks, and whether other repositories look there too."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.layout import data_folder
from clawgit.workspace.safe_files import TEMPORARY_PREFIX

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

HOOKS_PATH = "core.hooksPath"
HOOK_NAMES = (
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "post-merge",
    "post-checkout",
    "post-rewrite",
    "pre-push",
)
KEPT = ".before-clawgit"
ALTERED = ".altered-clawgit"
MODE = 0o755
_MARK = b"# A git hook of clawgit's"

HookKind = Literal["missing", "ours", "altered", "not executable", "foreign"]


class HooksPathError(ClawgitError):
    """git looks for hooks where none can be put, or where they would run in other repositories too."""


class HooksPlace(NamedTuple):
    """The folder, what `core.hooksPath` says, and whether it is in the working tree or outside of the repository."""

    folder: Path
    configured: str = ""
    in_files: bool = False
    is_shared: bool = False


def hooks_place(history: History) -> HooksPlace:
    """Return where git looks for the hooks of this working tree."""
    own = history.folder / "hooks"
    configured = history.setting(HOOKS_PATH)
    if configured is None:
        return HooksPlace(own)
    if not configured or configured.startswith("%"):
        raise HooksPathError(
            f"core.hooksPath is {configured!r}, where no hooks can be put.",
            hint="`git config --unset core.hooksPath`, or name a folder.",
        )
    folder = Path(os.path.normpath(history.root / with_home(configured)))
    if folder.exists() and not folder.is_dir():
        raise HooksPathError(
            f"core.hooksPath is {configured}, which is no folder, so git runs no hooks here.",
            hint=f"`git config core.hooksPath {own}` switches them on for this repository.",
        )
    in_files = _is_below(folder, history.root) and not _is_below(folder, history.folder)
    return HooksPlace(folder, configured, in_files, is_shared(history, folder))


def is_shared(history: History, folder: Path) -> bool:
    """Say whether ``folder`` is outside of the repository and of this working tree: others may use it."""
    return not _is_below(folder, history.root) and not _is_below(folder, history.folder)


def _is_below(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


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
    """Put clawgit's script at ``path`` in one step; callers have seen to what was there."""
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
