"""What git tells a hook through its environment, and what the running processes show of the command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_EDITOR = ":"
ANCESTORS = 6


class HookCall(NamedTuple):
    """One call of a hook: the working tree, git's folder, the index in use, and the source of the message."""

    root: str
    git_folder: str
    index_file: str
    edited: bool
    amends: bool = False

    @property
    def named_git_folder(self) -> Path | None:
        """Return git's folder if the working tree's `.git` leads elsewhere."""
        own = _git_folder(os.path.join(self.root, ".git"))
        if own is not None and os.path.realpath(own) == os.path.realpath(self.git_folder):
            return None
        return Path(self.git_folder)

    def in_root(self, path: str) -> str:
        return os.path.join(self.root, path)


def read_call(environment: Mapping[str, str], root: str) -> HookCall | None:
    """Return the call, None without a repository; git runs hooks at the top of the working tree."""
    git_folder = _git_folder(os.path.join(root, environment.get("GIT_DIR", ".git")))
    if git_folder is None:
        return None
    index = os.path.join(root, environment.get("GIT_INDEX_FILE", os.path.join(git_folder, "index")))
    is_edited = environment.get("GIT_EDITOR", "") != NO_EDITOR
    # git does not tell its hooks of `--amend`: an ancestor process shows it
    words = calling_git()[1]
    amends = b"commit" in words and any(len(word) > 3 and b"--amend".startswith(word) for word in words)
    return HookCall(root, git_folder, index, is_edited, amends)


def _git_folder(named: str) -> str | None:
    if os.path.isfile(named):
        target = (text_of(named) or "").removeprefix("gitdir:").strip()
        named = os.path.join(os.path.dirname(named), target)
    if os.path.isdir(named):
        return named
    return None


def text_of(path: str) -> str | None:
    """Return the text of one of git's small files, None if there is none or the name is impossible."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None


def calling_git() -> tuple[int, list[bytes]]:
    """Return the process that runs this hook, and its arguments; 0 without /proc."""
    process = os.getppid()
    for _ in range(ANCESTORS):
        try:
            words = _read(f"/proc/{process}/cmdline").split(b"\0")
            after_name = _read(f"/proc/{process}/stat").rpartition(b")")[2].split()
        except OSError:
            break
        if os.path.basename(words[0]) == b"git":
            return process, words
        process = int(after_name[1])
    return 0, []


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
