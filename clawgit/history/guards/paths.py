"""Paths: what is in a commit must be a plain file that every machine can have."""

from __future__ import annotations

import os
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from clawgit.history.git.trees import EXECUTABLE, FILE, LINK
from clawgit.history.guards.finding import Finding, told
from clawgit.memory.entries.tiers import is_derived
from clawgit.workspace.safe_files import UnsafePathError, check_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.finding import Step

UNSAFE, AWKWARD, DERIVED = "unsafe-path", "awkward-path", "derived-file"
MOST_NAME_BYTES = 255
_NOT_TAKEN = r'[<>:"|?*\\\x00-\x1f\x7f-\x9f]'
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10)))
)


def find_unsafe_paths(step: Step) -> Iterator[Finding]:
    """Find links, nested repositories and names that lead into a repository, where they come or change."""
    for path in step.paths:
        entry = step.new.entry(path)
        if entry is None:
            continue
        if entry.mode not in (FILE, EXECUTABLE):
            what = "a symbolic link" if entry.mode == LINK else "a repository of its own"
            yield Finding(
                UNSAFE, path, f"{told(path)} is {what}, not a file.", "Put a plain file in its place."
            )
        try:
            check_path(path)
        except UnsafePathError:
            yield Finding(UNSAFE, path, f"{told(path)} is no name for a file in a workspace.", "Rename it.")


def find_awkward_paths(step: Step) -> Iterator[Finding]:
    """Find new names that another system cannot have, or takes for another file's that is there."""
    names = _Names(step)
    for path in step.added:
        if step.new.entry(path) is None:
            continue
        why = next(filter(None, map(_awkward, path.split("/"))), "")
        twin = names.twin(path)
        if twin and not why:
            why = f"differs from {told(twin)} in nothing that every file system tells apart"
        if why:
            yield Finding(AWKWARD, path, f"The name {told(path)} {why}.", "Give it another name.")


def find_derived_files(step: Step) -> Iterator[Finding]:
    """Find files that are rendered from history being committed."""
    for path in filter(is_derived, step.paths):
        if step.new.entry(path) is not None:
            yield Finding(
                DERIVED,
                path,
                f"{told(path)} is rendered from history, so it should not be in git: it would conflict in merges.",
                f"`git rm --cached {told(path)}` and a commit leave it to clawgit.",
            )


@lru_cache(maxsize=1024)  # a folder's name is asked for with each file in it
def _awkward(name: str) -> str:
    raw = os.fsencode(name)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return "is not UTF-8"
    if len(raw) > MOST_NAME_BYTES:
        return f"has more than {MOST_NAME_BYTES} bytes"
    if re.search(_NOT_TAKEN, name):
        return "has a character that other systems do not take"
    if name != name.rstrip(". ") or name.partition(".")[0].casefold() in _DEVICES:
        return "is one that other systems do not take"
    return ""


class _Names:
    """The names in each folder of the state that would be, by what a system that folds case makes of them."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._folders: dict[str, dict[str, set[str]]] = {}
        self._new: dict[str, set[str]] = {}
        for path in step.paths:
            if step.new.entry(path) is not None:
                for folder, name in _levels(path):
                    self._new.setdefault(folder, set()).add(name)

    def twin(self, path: str) -> str:
        """Return the path of another file or folder beside which such a system cannot put this one."""
        for folder, name in _levels(path):
            others = self._in(folder)[_folded(name)] - {name}
            if others:
                return f"{folder}/{min(others)}".lstrip("/")
        return ""

    def _in(self, folder: str) -> dict[str, set[str]]:
        if folder not in self._folders:
            names = {name for name in self._step.tree.names(folder) if not self._is_gone(f"{folder}/{name}")}
            folded = self._folders.setdefault(folder, {})
            for name in names | self._new.get(folder, set()):
                folded.setdefault(_folded(name), set()).add(name)
        return self._folders[folder]

    def _is_gone(self, path: str) -> bool:
        path = path.lstrip("/")
        return self._step.base.entry(path) is not None and self._step.new.entry(path) is None


def _levels(path: str) -> Iterator[tuple[str, str]]:
    """Yield each folder on the way to ``path`` with the name in it that leads on."""
    parts = path.split("/")
    return (("/".join(parts[:depth]), name) for depth, name in enumerate(parts))


def _folded(name: str) -> str:
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
