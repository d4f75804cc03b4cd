"""clawgit's own references in a backup: proposals, quarantine, rescued and past commits, which no clone brings along.

They are a git bundle on top of the branches: it holds what the branches do not, and names the commits it builds on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import GitProgramError, run_git
from clawgit.history.git.refs import BRANCHES, PAST, PROPOSALS, QUARANTINE, RESCUE, pin, set_ref
from clawgit.workspace.records.backup_file import BackupFileError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from clawgit.history.git.repository import History

CARRIED = (PROPOSALS, QUARANTINE, RESCUE, PAST)
SECONDS = 600
_SIGNATURE = b"# v2 git bundle\n"
_MOST_HEADER_BYTES = 64 * 1024 * 1024
_LINE = re.compile(r"(?P<needed>-?)(?P<commit>[0-9a-f]{40}) (?P<name>.*)")


@dataclass(frozen=True, slots=True)
class Bundle:
    """References by name, the commits that must be there before, and a pack with all else."""

    references: dict[str, str]
    needed: tuple[str, ...]
    pack: bytes


@dataclass(frozen=True, slots=True)
class References:
    """Which references came back, and which did not since the history that they build on is not here."""

    restored: tuple[str, ...] = ()
    without_history: tuple[str, ...] = ()


def own_references(history: History) -> dict[str, str]:
    """Return name → commit of the references that a backup carries; an intent is of the moment, and stays."""
    return {name: commit_id for prefix in CARRIED for name, commit_id in history.refs(prefix).items()}


def write_references(history: History, file: Path) -> None:
    """Put the references into ``file``; none, and there is no file."""
    references = own_references(history)
    if not references:
        return
    there = history.refs(BRANCHES).values()
    asked = "".join(f"{line}\n" for line in (*references.values(), *(f"^{each}" for each in there))).encode()
    listed = _git(history, "rev-list", "--boundary", "--stdin", stdin=asked).decode().split()
    on_branches = set(references.values()).difference(listed)
    needed = sorted(on_branches | {each[1:] for each in listed if each.startswith("-")})
    lines = [f"-{commit_id} \n" for commit_id in needed]
    lines += [f"{commit_id} {name}\n" for name, commit_id in sorted(references.items())]
    pack = _git(
        history, "-c", "pack.threads=1", "pack-objects", "--revs", "--thin", "--stdout", "-q", stdin=asked
    )
    file.write_bytes(_SIGNATURE + "".join(lines).encode("utf-8", "surrogateescape") + b"\n" + pack)


def read_references(file: Path) -> Bundle:
    """Read what `write_references` wrote; only names that a backup carries are believed."""
    data = file.read_bytes()
    end = data.find(b"\n\n", 0, _MOST_HEADER_BYTES)
    if not data.startswith(_SIGNATURE) or end < 0:
        raise _damaged("its references are no bundle")
    references, needed = {}, []
    for line in data[len(_SIGNATURE) : end].decode("utf-8", "surrogateescape").split("\n"):
        found = _LINE.fullmatch(line)
        if found is None:
            raise _damaged("its references are no bundle")
        if found["needed"]:
            needed.append(found["commit"])
        elif found["name"].startswith(CARRIED) and pygit2.reference_is_valid_name(found["name"]):
            references[found["name"]] = found["commit"]
        else:
            raise _damaged("its bundle names references that no backup holds")
    return Bundle(references, tuple(needed), data[end + 2 :])


def put_references(history: History, bundle: Bundle) -> References:
    """Bring the references back; one that names another commit here stays, and the bundle's is kept as a rescued one."""
    if not all(history.objects.has_commit(commit_id) for commit_id in bundle.needed):
        return References(without_history=tuple(bundle.references))
    try:
        _git(history, "index-pack", "--stdin", "--fix-thin", "--strict", stdin=bundle.pack)
        _git(history, "rev-list", "--objects", "--quiet", "--stdin", stdin=_asked(bundle))
    except GitProgramError as error:
        raise _damaged("commits of its references are missing or damaged") from error
    here = own_references(history)
    for name, commit_id in bundle.references.items():
        if here.get(name, commit_id) == commit_id:
            set_ref(history, name, commit_id)
        else:
            pin(history, RESCUE, commit_id)
    return References(restored=tuple(bundle.references))


def _asked(bundle: Bundle) -> bytes:
    wanted: Iterable[str] = (*bundle.references.values(), *(f"^{each}" for each in bundle.needed))
    return "".join(f"{line}\n" for line in wanted).encode()


def _git(history: History, *arguments: str, stdin: bytes) -> bytes:
    done = run_git(history, *arguments, stdin=stdin, seconds=SECONDS)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise GitProgramError(
            f"git could not read clawgit's own references: {said}",
            hint="`clawgit doctor` names what is damaged.",
        )
    return done.stdout


def _damaged(what: str) -> BackupFileError:
    return BackupFileError(f"The backup is damaged: {what}.", hint="Use another backup.")
