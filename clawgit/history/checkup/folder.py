"""The folder and its settings: whose it is, what it lacks, what git leaves out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.checkup.complaint import Complaint
from clawgit.history.edits import ignored_memories
from clawgit.history.git_program import git_program
from clawgit.workspace.config import read_config
from clawgit.workspace.files import UnsafePathError, read_file
from clawgit.workspace.layout import CONFIG, MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.repository import History


def check_program(_: History) -> Iterator[Complaint]:
    """Look for git itself."""
    if git_program() is None:
        yield Complaint("git", "The git program is not on PATH.", "Install git.")


def check_permissions(history: History) -> Iterator[Complaint]:
    """Look who else can read the records or write to the folder."""
    mode = history.state.stat().st_mode & 0o777
    if mode & 0o077:
        yield Complaint(
            "permissions",
            f"{history.state} can be read by other users of this machine (mode {mode:o}).",
            "`clawgit doctor --fix` closes it.",
            mend=lambda: history.state.chmod(0o700),
        )
    if history.root.stat().st_mode & 0o022:
        yield Complaint(
            "permissions",
            f"{history.root} can be written by other users of this machine.",
            "`clawgit doctor --fix` closes it.",
            mend=lambda: history.root.chmod(history.root.stat().st_mode & ~0o022),
        )


def check_settings(history: History) -> Iterator[Complaint]:
    """Look for settings that cannot be read."""
    try:
        content = read_file(history.root, CONFIG, at_most=history.settings.max_file_bytes)
    except ClawgitError as error:
        yield Complaint("config", str(error), "")
        return
    for problem in read_config("" if content is None else content.data.decode("utf-8", "replace")).errors:
        yield Complaint("config", str(problem), "The last good value stays in force.")


def check_ignored(history: History) -> Iterator[Complaint]:
    """Look for memories that git ignores."""
    names = ignored_memories(history)
    if names:
        yield Complaint(
            "ignored",
            f"git ignores {', '.join(names[:5])}{' and more' if len(names) > 5 else ''}, so they have no history.",
            "`git check-ignore -v FILE` names the rule; take it out.",
        )


def check_files(history: History) -> Iterator[Complaint]:
    """Look for files that every workspace has."""
    lacking = [
        entry.path
        for entry in MANIFEST
        if entry.kind not in ("derived", "ritual", "ignore") and not _stands(history, entry.path)
    ]
    if lacking:
        yield Complaint(
            "files",
            f"The folder lacks {', '.join(lacking)}.",
            "`clawgit init` brings them back, or adds them.",
        )


def _stands(history: History, path: str) -> bool:
    try:
        present = read_file(history.root, path, at_most=history.settings.max_file_bytes) is not None
    except UnsafePathError:
        return False
    except ClawgitError:
        return True
    return present or (path == "MEMORY.md" and (history.root / "memory.md").is_file())
