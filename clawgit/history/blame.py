"""`soul blame`: which change each line comes from, looking through those that only moved white space or ids."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.git_program import run_git
from clawgit.history.log import LOG_SECONDS, LoggedChange, git_failed, read_log, read_named
from clawgit.memory.marks import without_marks
from clawgit.workspace.files import check_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.repository import History

_LINE = re.compile(rb"([0-9a-f]{40}) \d+ (\d+)")


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """One line of a file, and the change that its words come from."""

    number: int
    text: str
    change: LoggedChange


def blame(history: History, path: str, commit_id: str) -> list[BlamedLine]:
    """Return the lines of ``path`` as of ``commit_id``, each with its change.

    Raises:
        ClawgitError: git could not read the history.
    """
    changes = {change.commit_id: change for change in read_log(history, (check_path(path),), at=commit_id)}
    passed_over = [f"--ignore-rev={name}" for name in changes if _is_formatting(history, path, name)]
    done = run_git(
        history, "blame", "--porcelain", "-w", *passed_over, commit_id, "--", path, seconds=LOG_SECONDS
    )
    if done.returncode != 0:
        raise git_failed(done)
    found = list(_parsed(done.stdout))
    missing = {name for name, _, _ in found} - changes.keys()
    changes |= read_named(history, missing)  # a file's log leaves merges out
    return [BlamedLine(number, text, changes[name]) for name, number, text in found]


def _is_formatting(history: History, path: str, commit_id: str) -> bool:
    """Say whether a commit changed no word of the file: white space and entry ids aside."""
    commit = history.objects.commit(commit_id)
    if len(commit.parent_ids) != 1:
        return False
    old = history.tree_of(commit.parent_ids[0]).read(path)
    new = history.tree_of(commit_id).read(path)
    return old is not None and new is not None and _words(old) == _words(new)


def _words(data: bytes) -> list[bytes]:
    return [b" ".join(without_marks(line).split()) for line in data.split(b"\n") if line.strip()]


def _parsed(porcelain: bytes) -> Iterator[tuple[str, int, str]]:
    """Yield commit, line number and text; a line's text is the one that begins with a tab."""
    name, number = "", 0
    for line in porcelain.split(b"\n"):
        found = _LINE.match(line)
        if line.startswith(b"\t"):
            yield name, number, line[1:].decode("utf-8", "replace")
        elif found:
            name, number = found[1].decode(), int(found[2])
