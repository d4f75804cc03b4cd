"""Damaged and missing objects: named by git's own checker, and brought back where a copy can be found on this machine.

git runs in a process with a time limit: libgit2 can hang on a damaged object.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import partial
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clawgit.errors import ClawgitError, Complaint
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import GitProgramError, git_program, run_git
from clawgit.history.git.index_entries import UnreadableIndexError, read_index
from clawgit.history.git.refs import BRANCHES, OURS
from clawgit.history.git.trees import folder_trees, tree_bytes
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.safe_files import UnsafePathError, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.git.objects import TreeEntry
    from clawgit.history.git.repository import History

FSCK_SECONDS = 300
OBJECTS = "objects"  # what these complaints are about
_MISSING = re.compile(r"^missing (\w+) ([0-9a-f]{40})(?: \((.*)\))?$", re.MULTILINE)
_NAMED = re.compile(
    r"\b([0-9a-f]{40}): (?:object|hash|invalid)"
    r"|(?:Could not read|cannot unpack|mismatch for object|packed object|failed to parse commit) ([0-9a-f]{40})\b"
)
_PACK = re.compile(r"\b((?:pack|loose|clawgit-changes?)-[0-9a-f]{40})\.(pack|idx)\b(.*)$", re.MULTILINE)
DAMAGED = "damaged-objects"
_KINDS = {
    "blob": pygit2.enums.ObjectType.BLOB,
    "tree": pygit2.enums.ObjectType.TREE,
    "commit": pygit2.enums.ObjectType.COMMIT,
    "tag": pygit2.enums.ObjectType.TAG,
}
_URL = re.compile(r"remote\..*\.url")


@dataclass(frozen=True, slots=True)
class Damage:
    """An object that cannot be read, and where the history has it, as far as that is known."""

    object_id: str
    name: str = ""

    @property
    def path(self) -> str:
        """Return the file that it is the text of, empty where that is not known."""
        return self.name.partition(":")[2]


def check_objects(history: History) -> Iterator[Complaint]:
    """Look at every object that the branches and clawgit's own references reach."""
    if git_program() is None:
        return
    try:
        said = _checked(history)
    except GitProgramError as error:
        yield Complaint(OBJECTS, error.message, "Run `git fsck --full` in the workspace.")
        return
    if not said:
        return
    yield from _packs(history, said)
    yield from (_complaint(history, damage) for damage in _damages(said))
    if not _damages(said) and not _PACK.search(said):
        yield Complaint(OBJECTS, f"git found damage: {said.strip()[:300]}", "`git fsck --full` says more.")


def lost_objects(history: History) -> frozenset[str]:
    """Return every object that the same look finds damaged or missing."""
    return frozenset(damage.object_id for damage in _damages(_checked(history)))


def _checked(history: History) -> str:
    """Return what git says is wrong, empty where nothing is."""
    tips = {commit for prefix in (BRANCHES, OURS) for commit in history.refs(prefix).values()}
    if not tips:
        return ""
    words = ("fsck", "--full", "--no-dangling", "--no-progress", "--name-objects", *sorted(tips))
    done = run_git(history, *words, seconds=FSCK_SECONDS)
    return "" if done.returncode == 0 else (done.stderr + done.stdout).decode("utf-8", "replace")


def _damages(said: str) -> list[Damage]:
    """Return each object once, with its name where git gave one."""
    found = {object_id: Damage(object_id, name) for _, object_id, name in _MISSING.findall(said)}
    for one, other in _NAMED.findall(said):
        found.setdefault(one or other, Damage(one or other))
    return [found[object_id] for object_id in sorted(found)]


def _complaint(history: History, damage: Damage) -> Complaint:
    place = f".git/objects/{damage.object_id[:2]}/{damage.object_id[2:]}"
    name = f" ({damage.path or damage.name})" if damage.name else ""
    return Complaint(
        OBJECTS,
        f"The git object {damage.object_id}{name} is damaged or missing.",
        "`clawgit doctor --fix` brings it back from the folder, the staging or a remote on this machine, if one of"
        f" them has it. Else copy {place} from a clone or a backup, or `git fetch --refetch` from a remote.",
        mend=partial(bring_back, history, damage.object_id, damage.path),
    )


def _packs(history: History, said: str) -> Iterator[Complaint]:
    """Say which packs are damaged; an index that is damaged or gone is made again from its pack."""
    folder = history.folder / "objects/pack"
    packs = (path for path in folder.glob("*.pack") if _PACK.fullmatch(path.name))
    lacking = {path.stem for path in packs if not path.with_suffix(".idx").exists()}
    for name in sorted({match[0] for match in _PACK.findall(said)} | lacking):
        if f"{name}.idx" in said or name in lacking:
            yield Complaint(
                OBJECTS,
                f"{name}.idx in .git/objects/pack is damaged or missing.",
                "`clawgit doctor --fix` rebuilds it.",
                mend=partial(_index_pack, history, name),
            )
        else:
            yield Complaint(
                OBJECTS,
                f"{name}.pack in .git/objects/pack is damaged.",
                "Copy the file from a clone or a backup, or `git fetch --refetch` from a remote.",
            )


def _index_pack(history: History, name: str) -> None:
    """Make a pack's index again; the damaged one stays until that has worked."""
    folder = history.folder / "objects/pack"
    new = history.state / f"{name}.idx"
    done = run_git(history, "index-pack", "-o", str(new), str(folder / f"{name}.pack"), seconds=FSCK_SECONDS)
    if done.returncode != 0:
        raise CopyNotFoundError(done.stderr.decode("utf-8", "replace").strip())
    new.replace(folder / new.name)
    for beside in (folder / f"{name}.rev", new.with_suffix(".rev")):
        beside.unlink(missing_ok=True)


class CopyNotFoundError(ClawgitError):
    """No copy of the object is left on this machine."""


def bring_back(history: History, object_id: str, path: str) -> None:
    """Make an object readable again; ``path`` is the file it is the text of, where that is known.

    A damaged file is kept in clawgit's own folder.
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
    for _, entries in folder_trees(staged):
        yield "tree", tree_bytes(entries)
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


def _remotes(history: History) -> Iterator[Path]:
    """Yield the object folders of remotes that are folders on this machine."""
    for entry in history.repo.config:
        if _URL.fullmatch(str(entry.name)):
            url = urlsplit(str(entry.value))
            place = Path(url.path) if url.scheme == "file" else Path(with_home(str(entry.value)))
            found = (history.root / place / "objects", history.root / place / ".git" / "objects")
            yield from (objects for objects in found if objects.is_dir())
