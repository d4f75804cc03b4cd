"""Damaged and missing objects: named by git's own checker, and brought back where a copy can be found on this machine.

git runs in a process with a time limit: libgit2 can hang on a damaged object.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from clawgit.history.doctor.complaint import Complaint
from clawgit.history.doctor.object_repair import CopyNotFoundError, bring_back
from clawgit.history.git.git_program import GitProgramError, git_program, run_git
from clawgit.history.git.refs import BRANCHES, OURS

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
    """Return every object that the same look finds damaged or missing.

    Raises:
        GitProgramError: There is no git, or it did not end in time.
    """
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
