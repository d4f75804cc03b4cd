"""Bringing a damaged object back: from a pack, the folder, the staging, or a remote on this machine.

An object's name says what it must read like, so a copy is right or it is none.
"""

from __future__ import annotations

import os
import re
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clawgit.errors import ClawgitError
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import run_git
from clawgit.history.git.index_entries import UnreadableIndexError, read_index
from clawgit.history.git.objects import TreeEntry
from clawgit.history.git.trees import FOLDER, tree_bytes
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.safe_files import UnsafePathError, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clawgit.history.git.repository import History

DAMAGED = "damaged-objects"
_KINDS = {
    "blob": pygit2.enums.ObjectType.BLOB,
    "tree": pygit2.enums.ObjectType.TREE,
    "commit": pygit2.enums.ObjectType.COMMIT,
    "tag": pygit2.enums.ObjectType.TAG,
}
_URL = re.compile(r"remote\..*\.url")


class CopyNotFoundError(ClawgitError):
    """No copy of the object is left on this machine."""


def bring_back(history: History, object_id: str, path: str) -> None:
    """Make an object readable again; ``path`` is the file it is the text of, where that is known.

    A damaged file is kept in clawgit's own folder.

    Raises:
        CopyNotFoundError: There is no copy; everything is as it was.
    """
    loose = history.folder / "objects" / object_id[:2] / object_id[2:]
    aside = history.state / DAMAGED / object_id
    with history.locked():
        aside.parent.mkdir(mode=0o700, exist_ok=True)
        if loose.exists():
            loose.replace(aside)
        if _is_packed(history, object_id) or _is_written(history, object_id, path):
            return
        if aside.exists():
            aside.replace(loose)
    raise CopyNotFoundError("No copy of it was found on this machine.")


def _is_packed(history: History, object_id: str) -> bool:
    return run_git(history, "cat-file", "-t", object_id).returncode == 0


def _is_written(history: History, object_id: str, path: str) -> bool:
    for kind, data in _copies(history, object_id, path):
        if _name(kind, data) == object_id:
            history.repo.write(_KINDS[kind], data)
            return True
    return False


def _name(kind: str, data: bytes) -> str:
    return sha1(b"%s %d\0" % (kind.encode(), len(data)) + data, usedforsecurity=False).hexdigest()


def _copies(history: History, object_id: str, path: str) -> Iterator[tuple[str, bytes]]:
    """Yield what may be the object, the nearest places first."""
    staged = _staged(history)
    for name in dict.fromkeys([path, *staged]):
        data = _file(history, name)
        if data is not None:
            yield "blob", data
    for data in _folders(staged).values():
        yield "tree", data
    for objects in _remotes(history):
        kind = run_git(history, "cat-file", "-t", object_id, objects=objects).stdout.decode().strip()
        if kind in _KINDS:
            yield kind, run_git(history, "cat-file", kind, object_id, objects=objects).stdout


def _staged(history: History) -> dict[str, TreeEntry]:
    try:
        files, _ = read_index((history.git_folder / "index").read_bytes())
    except (OSError, UnreadableIndexError):
        return {}
    return {os.fsdecode(name): file.entry for name, file in files.items()}


def _file(history: History, path: str) -> bytes | None:
    try:
        content = read_file(history.root, path) if path else None
    except (UnsafePathError, OSError):
        return None
    return None if content is None else content.data


def _folders(staged: Mapping[str, TreeEntry]) -> dict[str, bytes]:
    """Return every folder of the staging as git stores it, by its path, the innermost first."""
    inside: dict[str, dict[bytes, TreeEntry]] = {"": {}}
    for path, entry in staged.items():
        folder, _, name = path.rpartition("/")
        inside.setdefault(folder, {})[os.fsencode(name)] = entry
        while folder:
            folder = folder.rpartition("/")[0]
            inside.setdefault(folder, {})
    found: dict[str, bytes] = {}
    for folder in sorted(inside, key=lambda path: (-path.count("/"), path == "", path)):
        found[folder] = tree_bytes(inside[folder])
        above, _, name = folder.rpartition("/")
        if folder:
            inside[above][os.fsencode(name)] = TreeEntry(_name("tree", found[folder]), FOLDER)
    return found


def _remotes(history: History) -> Iterator[Path]:
    """Yield the object folders of remotes that are folders on this machine."""
    for entry in history.repo.config:
        if _URL.fullmatch(str(entry.name)):
            url = urlsplit(str(entry.value))
            place = Path(url.path) if url.scheme == "file" else Path(with_home(str(entry.value)))
            found = (history.root / place / "objects", history.root / place / ".git" / "objects")
            yield from (objects for objects in found if objects.is_dir())
