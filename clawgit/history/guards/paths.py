"""Paths: what is in a commit must be a plain file that every machine can have."""

from __future__ import annotations

import os
import re
import unicodedata
from typing import TYPE_CHECKING

from clawgit.history.git.trees import EXECUTABLE, FILE, LINK
from clawgit.history.guards.finding import Finding, told
from clawgit.memory.entries.tiers import is_derived
from clawgit.workspace.safe_files import UnsafePathError, check_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.step import Step

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
        why = names.awkward(path)
        twin = names.twin(path)
        if why or twin:
            said = why or f"differs from {told(twin)} in nothing that every file system tells apart"
            yield Finding(AWKWARD, path, f"The name {told(path)} {said}.", "Give it another name.")


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
    """The names in each folder of the state that would be, by what a system that folds case makes of them.

    What is said about a folder is found out once for all that is in it.
    """

    def __init__(self, step: Step) -> None:
        self._step = step
        self._folders: dict[str, dict[str, set[str]]] = {}
        self._awkward_folders: dict[str, str] = {}
        self._twin_folders: dict[str, str] = {}
        self._new: dict[str, set[str]] = {}
        for path in step.paths:
            if step.new.entry(path) is not None:
                folder, name = _parted(path)
                for above, inner in _levels(folder) if folder not in self._new else ():
                    self._new.setdefault(above, set()).add(inner)
                self._new.setdefault(folder, set()).add(name)

    def awkward(self, path: str) -> str:
        """Return why a name on the way to ``path``, or its own, is one that another system cannot have."""
        folder, name = _parted(path)
        if folder not in self._awkward_folders:
            self._awkward_folders[folder] = next(filter(None, map(_awkward, folder.split("/"))), "")
        return self._awkward_folders[folder] or _awkward(name)

    def twin(self, path: str) -> str:
        """Return the path of another file or folder beside which such a system cannot put this one."""
        folder, name = _parted(path)
        if folder not in self._twin_folders:
            beside = (self._beside(above, inner) for above, inner in _levels(folder))
            self._twin_folders[folder] = next(filter(None, beside), "")
        return self._twin_folders[folder] or self._beside(folder, name)

    def _beside(self, folder: str, name: str) -> str:
        others = self._in(folder).get(_folded(name), set()) - {name}
        return f"{folder}/{min(others)}".lstrip("/") if others else ""

    def _in(self, folder: str) -> dict[str, set[str]]:
        if folder not in self._folders:
            there = {name for name in self._step.tree.names(folder) if not self._is_gone(f"{folder}/{name}")}
            folded = self._folders.setdefault(folder, {})
            for name in there | self._new.get(folder, set()):
                folded.setdefault(_folded(name), set()).add(name)
        return self._folders[folder]

    def _is_gone(self, path: str) -> bool:
        path = path.lstrip("/")
        return self._step.base.entry(path) is not None and self._step.new.entry(path) is None


def _parted(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name


def _levels(path: str) -> Iterator[tuple[str, str]]:
    """Yield each folder on the way to ``path`` with the name in it that leads on."""
    parts = path.split("/") if path else []
    return (("/".join(parts[:depth]), name) for depth, name in enumerate(parts))


def _folded(name: str) -> str:
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
