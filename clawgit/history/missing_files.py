"""The layout's files that a folder lacks, and which of them `init` makes; a host makes its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.host_signs import host_seen
from clawgit.history.authorship.intent import RITUAL_DAYS, ritual_began
from clawgit.history.git.repository import History, open_history
from clawgit.history.reading.git_log import read_first_parents
from clawgit.memory.entries.tiers import CORE, MEMORY_FILES, is_identity, is_standing
from clawgit.workspace.layout import BOOTSTRAP, MANIFEST, NEW_WORKSPACE_SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path


RETIRED = ("TOOLS.md", "HEARTBEAT.md")  # newer hosts make a workspace without them
MEMORY_FOLDER = "memory"


def is_new_workspace(root: Path) -> bool:
    """Say whether no agent's file is here yet; an interrupted init does not count."""
    if (root / ".git" / "clawgit" / "brand-new").exists():
        return True
    return not any((root / sign).exists() for sign in NEW_WORKSPACE_SIGNS)


def first_talk_is_open(root: Path) -> bool:
    """Say whether a host's first conversation is open; a MEMORY.md, a `memory/` folder or a new soul would end it."""
    return not is_new_workspace(root) and (root / BOOTSTRAP).exists()


def is_fresh_form(root: Path) -> bool:
    """Say whether the first conversation has not begun: the host made the files, and memory is empty."""
    return first_talk_is_open(root) and not (root / CORE).exists() and not (root / MEMORY_FOLDER).exists()


def missing_files(root: Path, *, is_hosted: bool = False) -> tuple[str, ...]:
    """Return the files that `init` would make at ``root``; ``is_hosted``: a host makes it, or was here."""
    is_new = is_new_workspace(root)
    lacking = []
    for entry in MANIFEST:
        is_made_here = entry.kind != "derived" and (is_new or entry.path != BOOTSTRAP)
        is_there = (root / entry.path).exists() or (root / entry.path).is_symlink()
        is_there = is_there or (entry.path == CORE and (root / "memory.md").is_file())
        if is_made_here and not is_there:
            lacking.append(entry.path)
    if is_new or not lacking:
        return tuple(lacking)
    left = _left_to_the_host(root, lacking, is_hosted=is_hosted)
    return tuple(path for path in lacking if path not in left)


def would_end_first_talk(history: History, paths: Iterable[str], now: datetime) -> bool:
    """Say whether these files' change would end a first conversation: the first one of memory while BOOTSTRAP.md exists."""
    if not (history.root / BOOTSTRAP).exists() or not any(map(_is_of_memory, paths)):
        return False
    tip = history.tip()
    if any(map(tip.tree.entry, (*MEMORY_FILES, MEMORY_FOLDER))):
        return False
    began = ritual_began(history, tip.commit_id)
    return began is not None and now.timestamp() - began < RITUAL_DAYS * 86_400


def _left_to_the_host(root: Path, lacking: list[str], *, is_hosted: bool) -> set[str]:
    """Return the files of ``lacking`` that the host makes, or that were deleted for good."""
    left: set[str] = set()
    if first_talk_is_open(root):
        left |= {path for path in lacking if _is_of_memory(path) or is_identity(path) or is_standing(path)}
    state = root / ".git" / "clawgit"
    if not (state / "format").exists():
        return left | ({*RETIRED} if (root / "AGENTS.md").exists() else set())
    history = open_history(root)
    tree = history.tip().tree
    for path in MEMORY_FILES:
        if tree.entry(path) is not None:
            left.discard(path)  # it was there, and was deleted
    if not is_hosted and not host_seen(root, state):
        retired = [path for path in RETIRED if path in lacking]
        return left | {*retired}.difference(_had(history, retired))  # it was adopted without them
    left |= {*RETIRED}
    gone = [path for path in lacking if path not in left and tree.entry(path) is None]
    return left | _had(history, gone)


def _is_of_memory(path: str) -> bool:
    return path in MEMORY_FILES or path.startswith(f"{MEMORY_FOLDER}/")


def _had(history: History, paths: list[str]) -> set[str]:
    changes = read_first_parents(history, *paths) if paths else ()
    return {file.path for change in changes for file in change.files}
