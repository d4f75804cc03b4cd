"""Damaged and missing objects: named by git's own checker, and brought back where a copy is on this machine.

git runs in a process with a time limit: libgit2 can hang on a damaged object.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
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
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.safe_files import UnsafePathError, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    damages = _damages(said)
    for object_id, name in damages.items():
        yield _complaint(history, object_id, name)
    if not damages and not _PACK.search(said):
        yield Complaint(OBJECTS, f"git found damage: {said.strip()[:300]}", "`git fsck --full` says more.")


def _checked(history: History) -> str:
    """Return what git says is wrong, empty where nothing is."""
    tips = {commit for prefix in (BRANCHES, OURS) for commit in history.refs(prefix).values()}
    if not tips:
        return ""
    words = ("fsck", "--full", "--no-dangling", "--no-progress", "--name-objects", *sorted(tips))
    done = run_git(history, *words, seconds=FSCK_SECONDS)
    return "" if done.returncode == 0 else (done.stderr + done.stdout).decode("utf-8", "replace")


def _damages(said: str) -> dict[str, str]:
    """Return each object that cannot be read with where the history has it (`COMMIT:PATH`), empty where git does not say."""
    names = {object_id: name for _, object_id, name in _MISSING.findall(said)}
    for one, other in _NAMED.findall(said):
        names.setdefault(one or other, "")
    return dict(sorted(names.items()))


def _complaint(history: History, object_id: str, name: str) -> Complaint:
    path = name.partition(":")[2]
    shown = f" ({path or name})" if name else ""
    return Complaint(
        OBJECTS,
        f"The git object {object_id}{shown} is damaged or missing.",
        "`clawgit doctor --fix` brings it back from the folder, the staging or a remote on this machine, if one of"
        f" them has it. Else copy .git/objects/{object_id[:2]}/{object_id[2:]} from a clone or a backup, or"
        " `git fetch --refetch` from a remote.",
        mend=partial(_bring_back, history, object_id, path),
    )


def _packs(history: History, said: str) -> Iterator[Complaint]:
    """Say which packs are damaged; an index that is damaged or gone is made again from its pack."""
    folder = history.folder / "objects/pack"
    packs = (path for path in folder.glob("*.pack") if _PACK.fullmatch(path.name))
    lacking = {path.stem for path in packs if not path.with_suffix(".idx").exists()}
    for name in sorted({match[0] for match in _PACK.findall(said)} | lacking):
        if f"{name}.idx" in said or name in lacking:
            what = f"{name}.idx in .git/objects/pack is damaged or missing."
            mend = partial(_index_pack, history, name)
            yield Complaint(OBJECTS, what, "`clawgit doctor --fix` rebuilds it.", mend=mend)
        else:
            way_out = "Copy the file from a clone or a backup, or `git fetch --refetch` from a remote."
            yield Complaint(OBJECTS, f"{name}.pack in .git/objects/pack is damaged.", way_out)


def _index_pack(history: History, name: str) -> None:
    """Make a pack's index again; the damaged one stays until that has worked."""
    folder = history.folder / "objects/pack"
    new = history.state / f"{name}.idx"
    done = run_git(history, "index-pack", "-o", str(new), str(folder / f"{name}.pack"), seconds=FSCK_SECONDS)
    if done.returncode != 0:
        raise ClawgitError(done.stderr.decode("utf-8", "replace").strip())
    new.replace(folder / new.name)
    for beside in (folder / f"{name}.rev", new.with_suffix(".rev")):
        beside.unlink(missing_ok=True)


def _bring_back(history: History, object_id: str, path: str) -> None:
    """Make an object readable again, of ``path`` where that is known; a damaged file is kept in clawgit's own folder."""
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
    raise ClawgitError("No copy of it was found on this machine.")


def _is_packed(history: History, object_id: str) -> bool:
    return run_git(history, "cat-file", "-t", object_id).returncode == 0


def _is_written(history: History, object_id: str, path: str) -> bool:
    for kind, data in _copies(history, object_id, path):
        whole = b"%s %d\0" % (kind.encode(), len(data)) + data
        if sha1(whole, usedforsecurity=False).hexdigest() == object_id:
            history.repo.write(_KINDS[kind], data)
            return True
    copy = history.state / "doctor-index"
    with suppress(OSError):  # git writes the folders that a copy of the staging makes
        copy.write_bytes((history.git_folder / "index").read_bytes())
        run_git(history, "write-tree", "--missing-ok", index=copy)
        copy.unlink()
    return _is_packed(history, object_id)


def _copies(history: History, object_id: str, path: str) -> Iterator[tuple[str, bytes]]:
    """Yield what may be the object, the nearest places first."""
    names = {path: None}
    with suppress(OSError, UnreadableIndexError):
        files, _ = read_index((history.git_folder / "index").read_bytes())
        names |= dict.fromkeys(map(os.fsdecode, files))
    for name in filter(None, names):
        with suppress(UnsafePathError, OSError):
            content = read_file(history.root, name)
            if content is not None:
                yield "blob", content.data
    for entry in history.repo.config:  # the remotes on this machine
        if not _URL.fullmatch(str(entry.name)):
            continue
        url = urlsplit(str(entry.value))
        place = Path(url.path) if url.scheme == "file" else Path(with_home(str(entry.value)))
        for objects in (history.root / place / "objects", history.root / place / ".git" / "objects"):
            if objects.is_dir():
                kind = run_git(history, "cat-file", "-t", object_id, objects=objects).stdout.decode().strip()
                if kind in _KINDS:
                    yield kind, run_git(history, "cat-file", kind, object_id, objects=objects).stdout
