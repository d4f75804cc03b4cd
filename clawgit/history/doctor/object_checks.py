"""Damaged and missing objects: named by git's own checker, brought back where a copy is on this machine, or gone on without.

git runs in a process with a time limit: libgit2 can hang on a damaged object. To go on without lost commits, `.git/shallow`
tells git that the history begins behind them; what is older stays reachable below `refs/clawgit/past/`.
"""

from __future__ import annotations

import os
import re
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha1
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clawgit.errors import ClawgitError, Complaint
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import GitProgramError, git_program, run_git
from clawgit.history.git.index_entries import UnreadableIndexError, read_index
from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.git.refs import BRANCHES, OURS, PAST, delete_ref, pin
from clawgit.history.provenance.fold_store import forget_fold
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.safe_files import FileContent, UnsafePathError, read_file, write_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Set

    from clawgit.history.git.objects import Commit
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
SHALLOW = "shallow"
_SUBMODULE = 0o160000
_NOTED = re.compile(r"(?P<before>[0-9a-f]{40}) (?P<after>[0-9a-f]{40}) [^\t\n]*> (?P<at>\d{1,11}) [+-]\d{4}")


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


@dataclass(frozen=True, slots=True)
class Cut:
    """How to go on without ``lost`` commits.

    ``begins_at``: the commits whose parents are left out; ``older``: what is reachable no more then.
    """

    lost: dict[str, str]
    begins_at: tuple[str, ...]
    older: tuple[str, ...]
    references: tuple[str, ...]


def plan_cut(history: History) -> Cut | None:
    """Return how the history can go on without what is lost; None where nothing is, or the last commit itself."""
    look = _Look(history, _damages(_checked(history)).keys())
    head = history.target(history.branch())
    own = history.refs(OURS)
    look.walk(chain(history.refs(BRANCHES).values(), own.values()))
    if not look.lost or head in look.lost:
        return None
    noted = dict(_noted(history))
    begins_at = [each for each in look.whole.values() if not look.lost.keys().isdisjoint(each.parent_ids)]
    parents = {parent for each in begins_at for parent in each.parent_ids}
    for commit_id, commit in look.lost.items():
        if commit is not None:
            parents.update(commit.parent_ids)
        elif commit_id in noted:
            parents.add(noted[commit_id][0])
        else:
            parents.update(_dangling(history))
    look.walk(parents)  # what only a lost commit led to
    still = look.reached(
        [*history.refs(BRANCHES).values(), *own.values()], {each.commit_id for each in begins_at}
    )
    lost = {}
    for commit_id, commit in look.lost.items():
        lost[commit_id] = noted.get(commit_id, ("", ""))[1] if commit is None else commit.subject
    return Cut(
        lost,
        tuple(each.commit_id for each in begins_at),
        tuple(sorted(parents & look.whole.keys() - still)),
        tuple(name for name, commit_id in own.items() if commit_id in look.lost),
    )


def go_on_without(history: History, cut: Cut) -> None:
    """Begin the history behind what is lost: first what is older is kept, then git is told."""
    with history.locked():
        for commit_id in cut.older:
            pin(history, PAST, commit_id)
        for name in cut.references:
            delete_ref(history, name)
        path = history.folder / SHALLOW
        known = path.read_text("ascii").split() if path.exists() else []
        lines = "".join(f"{commit_id}\n" for commit_id in sorted({*known, *cut.begins_at}))
        write_file(history.folder, SHALLOW, FileContent(lines.encode()))
        for path in _logs(history):
            _leave_out(path, cut.lost.keys())
        forget_fold(history.state)


class _Look:
    """Which commits can be read with all of their files, and which cannot."""

    def __init__(self, history: History, lost_objects: Collection[str]) -> None:
        self._objects, self._lost_objects = history.objects, lost_objects
        self._trees: dict[str, bool] = {}
        self.whole: dict[str, Commit] = {}
        self.lost: dict[str, Commit | None] = {}  # None: not even the commit itself can be read

    def walk(self, tips: Iterable[str]) -> None:
        """Look at what ``tips`` lead to."""
        waiting = deque(tips)
        while waiting:
            commit_id = waiting.popleft()
            if commit_id in self.whole or commit_id in self.lost:
                continue
            try:
                commit = self._objects.commit(commit_id)
            except DamagedObjectError:
                self.lost[commit_id] = None
                continue
            if self._is_whole(commit.tree_id):
                self.whole[commit_id] = commit
            else:
                self.lost[commit_id] = commit
            waiting.extend(commit.parent_ids)

    def reached(self, tips: Iterable[str], begins_at: Collection[str]) -> set[str]:
        """Return the whole commits that ``tips`` still lead to where the history begins there."""
        reached: set[str] = set()
        waiting = deque(tips)
        while waiting:
            commit_id = waiting.popleft()
            if commit_id in self.whole and commit_id not in reached:
                reached.add(commit_id)
                if commit_id not in begins_at:
                    waiting.extend(self.whole[commit_id].parent_ids)
        return reached

    def _is_whole(self, tree_id: str) -> bool:
        if tree_id not in self._trees:
            self._trees[tree_id] = tree_id not in self._lost_objects and self._has_all(tree_id)
        return self._trees[tree_id]

    def _has_all(self, tree_id: str) -> bool:
        try:
            entries = self._objects.tree(tree_id).values()
        except DamagedObjectError:
            return False
        for entry in entries:
            if entry.is_folder and not self._is_whole(entry.object_id):
                return False
            if entry.mode != _SUBMODULE and entry.object_id in self._lost_objects:
                return False
        return True


def _noted(history: History) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each commit of git's own logs with the one before it, and when it was made."""
    for path in _logs(history):
        for line in path.read_text("utf-8", "replace").splitlines():
            noted = _NOTED.match(line)
            if noted is not None and noted["before"].strip("0"):
                made_at = datetime.fromtimestamp(int(noted["at"]), UTC)
                yield noted["after"], (noted["before"], f"of {made_at:%Y-%m-%d %H:%M} UTC")


def _logs(history: History) -> list[Path]:
    logs = history.folder / "logs"
    return [path for path in (logs / "HEAD", *sorted((logs / "refs").rglob("*"))) if path.is_file()]


def _leave_out(log: Path, lost: Set[str]) -> None:
    """Take what names a lost commit out of one of git's logs: `git fsck` and `git gc` follow them, too."""
    lines = log.read_bytes().splitlines(keepends=True)
    left = [line for line in lines if lost.isdisjoint(line[:81].decode("ascii", "replace").split())]
    if left != lines:
        write_file(log.parent, log.name, FileContent(b"".join(left)))


def _dangling(history: History) -> list[str]:
    """Return the commits that nothing leads to: where no log tells what a lost commit was made on."""
    done = run_git(
        history, "fsck", "--no-progress", "--connectivity-only", "--dangling", seconds=FSCK_SECONDS
    )
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return [line.split(" ")[2] for line in lines if line.startswith("dangling commit ")]
