"""Many commits read at once, and what they changed: a git process or two instead of a look at each object."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from clawgit.history.git.git_program import run_git
from clawgit.history.git.objects import DamagedObjectError, TreeEntry
from clawgit.history.reading.git_log import LOG_SECONDS, git_failed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Pair

_RAW = ("-r", "--raw", "--no-renames", "--no-abbrev", "-z")


def read_commits(history: History, *revisions: str) -> list[Commit]:
    """Return the commits that `git rev-list` finds, children before parents.

    Raises:
        ClawgitError: git could not read the history.
    """
    found = run_git(history, "rev-list", "--topo-order", *revisions, "--", seconds=LOG_SECONDS)
    if found.returncode != 0:
        raise git_failed(found)
    done = run_git(history, "cat-file", "--batch", "--buffer", stdin=found.stdout, seconds=LOG_SECONDS)
    if done.returncode != 0:
        raise git_failed(done)
    return [history.objects.parsed_commit(name, raw) for name, raw in _objects(done.stdout)]


def read_steps(history: History, commits: Iterable[Commit]) -> dict[str, dict[str, Pair]]:
    """Return commit → path → what was there before it and after it; for merges and first commits nothing.

    Raises:
        ClawgitError: git could not read the history.
    """
    found: dict[str, dict[str, Pair]] = {commit.commit_id: {} for commit in commits}
    names = "".join(f"{name}\n" for name in found).encode()
    done = run_git(history, "diff-tree", "--stdin", *_RAW, stdin=names, seconds=LOG_SECONDS)
    if done.returncode != 0:
        raise git_failed(done)
    fields = iter(done.stdout.split(b"\0"))
    commit_id = ""
    for field in fields:
        if field.startswith(b":"):
            old_mode, new_mode, old, new, _ = field[1:].split(b" ")
            pair = (_entry(old_mode, old), _entry(new_mode, new))
            found[commit_id][os.fsdecode(next(fields))] = pair
        elif field:
            commit_id = field.decode()
    return found


def _entry(mode: bytes, object_id: bytes) -> TreeEntry | None:
    return TreeEntry(object_id.decode(), int(mode, 8)) if mode.strip(b"0") else None


def _objects(stream: bytes) -> Iterator[tuple[str, bytes]]:
    """Read what `git cat-file --batch` says: `ID commit SIZE`, the bytes, a line end; each by its size."""
    at = 0
    while at < len(stream):
        end = stream.index(b"\n", at)
        name, *said = stream[at:end].decode().split(" ")
        if said[:1] != ["commit"]:
            raise DamagedObjectError(name)
        size = int(said[1])
        yield name, stream[end + 1 : end + 1 + size]
        at = end + size + 2
