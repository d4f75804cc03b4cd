"""Many commits read at once: two git processes instead of a look at each object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.git_program import run_git
from clawgit.history.log import LOG_SECONDS, git_failed
from clawgit.history.objects import DamagedObjectError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.objects import Commit
    from clawgit.history.repository import History


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
