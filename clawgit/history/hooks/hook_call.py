"""What git tells a hook through its environment, and what can be seen of the command that is running."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_EDITOR = ":"
ANCESTORS = 6


@dataclass(frozen=True, slots=True)
class HookCall:
    """One call of a hook: the working tree, git's folder, the index that is used, and how the message comes about."""

    root: Path
    git_folder: Path
    index: Path
    edited: bool
    amends: bool = False


def read_call(environment: Mapping[str, str], root: Path) -> HookCall | None:
    """Return what git tells, None where no repository is; git runs hooks at the top of the working tree."""
    git_folder = _git_folder(root / environment.get("GIT_DIR", ".git"))
    if git_folder is None:
        return None
    return HookCall(
        root,
        git_folder,
        root / environment.get("GIT_INDEX_FILE", str(git_folder / "index")),
        environment.get("GIT_EDITOR", "") != NO_EDITOR,
        _amends(),
    )


def _git_folder(named: Path) -> Path | None:
    if named.is_file():
        said = named.read_text("utf-8", "surrogateescape").removeprefix("gitdir:").strip()
        named = named.parent / said
    return named if named.is_dir() else None


def _amends() -> bool:
    """Say whether one of the processes above is a `git commit --amend`.

    git does not tell its hooks. Where processes cannot be looked at (no /proc), the answer is no.
    """
    process = os.getppid()
    for _ in range(ANCESTORS):
        try:
            words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            after_name = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            return False
        if Path(os.fsdecode(words[0])).name == "git":
            return b"commit" in words and any(len(word) > 3 and b"--amend".startswith(word) for word in words)
        process = int(after_name[1])
    return False
