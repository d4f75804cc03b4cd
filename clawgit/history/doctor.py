"""`doctor`: what is wrong with a workspace, found without trusting any of it, and mended where that is safe."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import pygit2

from clawgit.errors import ClawgitError
from clawgit.history.edits import ignored_memories
from clawgit.history.git_program import GitProgramError, git_program, run_git
from clawgit.history.lock import WorkspaceBusyError
from clawgit.history.recover import recover
from clawgit.history.refs import BRANCHES, INTENT, OURS
from clawgit.history.staging import Staging, is_damaged
from clawgit.history.tips import remembered_tips
from clawgit.workspace.config import read_config
from clawgit.workspace.files import UnsafePathError, read_file
from clawgit.workspace.layout import CONFIG, MANIFEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from clawgit.history.repository import History

FSCK_SECONDS = 300
OLD_LOCK_SECONDS = 60
_OBJECT = re.compile(rb"\b[0-9a-f]{40}\b")


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong: which check found it, what it is, the way out, and whether it was mended."""

    check: str
    what: str
    way_out: str
    mended: bool = False
    mend: Callable[[], None] | None = None


def examine(history: History, *, fix: bool) -> list[Complaint]:
    """Return what is wrong; with ``fix``, what could be mended without losing anything has been."""
    found: list[Complaint] = []
    for check in CHECKS:
        for complaint in _asked(check, history):
            found.append(_mended(complaint) if fix and complaint.mend is not None else complaint)
    return list(dict.fromkeys(found))


def _asked(check: Callable[[History], Iterator[Complaint]], history: History) -> Iterator[Complaint]:
    """Ask one check; what stops it is a complaint too, and stops no other."""
    try:
        yield from check(history)
    except ClawgitError as error:
        yield Complaint("reading", error.message, error.hint)
    except (OSError, pygit2.GitError) as error:
        yield Complaint("reading", f"The repository cannot be read: {error}.", "`git fsck` may say more.")


def _mended(complaint: Complaint) -> Complaint:
    assert complaint.mend is not None
    try:
        complaint.mend()
    except (ClawgitError, OSError) as error:
        return replace(complaint, way_out=f"It could not be mended: {error}")
    return replace(complaint, mended=True)


def _program(_: History) -> Iterator[Complaint]:
    if git_program() is None:
        yield Complaint("git", "The git program is not on PATH.", "Install git.")


def _folder(history: History) -> Iterator[Complaint]:
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


def _references(history: History) -> Iterator[Complaint]:
    try:
        history.tip()
    except ClawgitError as error:
        known = [f"`git update-ref {name} {tip}`" for name, tip in remembered_tips(history).items()]
        way_out = " or ".join(known) + " puts back what clawgit saw last." if known else error.hint
        yield Complaint("references", error.message, way_out)


def _staging(history: History) -> Iterator[Complaint]:
    if history.tip().commit_id is not None and is_damaged(Staging.of(history)):
        yield Complaint(
            "staging",
            "git's staging is empty or damaged.",
            "The next command that writes makes it anew; `clawgit doctor --fix` does it now.",
            mend=lambda: _recover(history),
        )


def _locks(history: History) -> Iterator[Complaint]:
    staging = Staging.of(history)
    branch = history.folder / f"{history.branch()}.lock"
    for lock in (staging.lock, branch, history.git_folder / "HEAD.lock", history.folder / "packed-refs.lock"):
        if lock.exists() and not (lock == staging.lock and staging.is_ours()):
            age = int(time.time() - lock.stat().st_mtime)
            yield Complaint(
                "locks",
                f"{lock} has been there for {age} seconds, so git and clawgit wait for it.",
                "If no git command is running, `clawgit doctor --fix` removes it.",
                mend=partial(_remove_lock, lock),
            )


def _remove_lock(lock: Path) -> None:
    if time.time() - lock.stat().st_mtime < OLD_LOCK_SECONDS:
        raise WorkspaceBusyError(f"It is younger than {OLD_LOCK_SECONDS} seconds; somebody may be at work.")
    lock.unlink()


def _intents(history: History) -> Iterator[Complaint]:
    for name in history.refs(INTENT):
        yield Complaint(
            "intents",
            f"A change on {name.removeprefix(INTENT)} was interrupted.",
            "The next command that writes finishes it; `clawgit doctor --fix` does it now.",
            mend=lambda: _recover(history),
        )


def _recover(history: History) -> None:
    with history.locked():
        recover(history)


def _config(history: History) -> Iterator[Complaint]:
    try:
        content = read_file(history.root, CONFIG, at_most=history.settings.max_file_bytes)
    except ClawgitError as error:
        yield Complaint("config", str(error), "")
        return
    for problem in read_config("" if content is None else content.data.decode("utf-8", "replace")).errors:
        yield Complaint("config", str(problem), "The last good value stays in force.")


def _ignored(history: History) -> Iterator[Complaint]:
    names = ignored_memories(history)
    if names:
        yield Complaint(
            "ignored",
            f"git ignores {', '.join(names[:5])}{' and more' if len(names) > 5 else ''}, so they have no history.",
            "`git check-ignore -v FILE` names the rule; take it out.",
        )


def _files(history: History) -> Iterator[Complaint]:
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


def _objects(history: History) -> Iterator[Complaint]:
    """Ask git's own checker, in a process with a time limit: libgit2 can hang on a damaged object."""
    tips = {commit for prefix in (BRANCHES, OURS) for commit in history.refs(prefix).values()}
    if not tips or git_program() is None:
        return
    try:
        done = run_git(
            history, "fsck", "--full", "--no-dangling", "--no-progress", *sorted(tips), seconds=FSCK_SECONDS
        )
    except GitProgramError as error:
        yield Complaint("objects", error.message, "Run `git fsck --full` in the workspace.")
        return
    if done.returncode == 0:
        return
    lines = (done.stderr + done.stdout).splitlines()
    damaged = sorted({name for line in lines for name in _OBJECT.findall(line)})
    for name in damaged or [b"unknown"]:
        yield Complaint(
            "objects",
            f"The git object {name.decode()} is damaged or missing.",
            "Copy it from a clone or a backup of this repository (`git fetch`, or the file below .git/objects).",
        )


CHECKS = (_program, _folder, _references, _locks, _intents, _staging, _config, _ignored, _files, _objects)
