"""Many commits read at once: what they changed, and where they moved files; a git process or two for all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from clawgit.history.git.objects import DamagedObjectError, TreeEntry
from clawgit.history.reading.git_log import git_output

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Pair

_RAW = ("-r", "--raw", "--no-renames", "--no-abbrev", "-z")
_FORMAT = "--format=%x00%H"
_OPTIONS = ("--topo-order", "--reverse", "-z", "-M", "--diff-filter=R", "--name-status", "--no-color")


def read_commits(history: History, *revisions: str) -> list[Commit]:
    """Return the commits that `git rev-list` finds, children before parents."""
    names = git_output(history, "rev-list", "--topo-order", *revisions, "--")
    stream = git_output(history, "cat-file", "--batch", "--buffer", stdin=names)
    return [history.objects.parsed_commit(name, raw) for name, raw in _objects(stream)]


def read_steps(history: History, commits: Iterable[Commit]) -> dict[str, dict[str, Pair]]:
    """Return commit → path → what was there before it and after it; for merges and first commits nothing."""
    steps: dict[str, dict[str, Pair]] = {commit.commit_id: {} for commit in commits}
    names = "".join(f"{name}\n" for name in steps).encode()
    fields = iter(git_output(history, "diff-tree", "--stdin", *_RAW, stdin=names).split(b"\0"))
    commit_id = ""
    for field in fields:
        if field.startswith(b":"):
            old_mode, new_mode, old, new, _ = field[1:].split(b" ")
            pair = (_entry(old_mode, old), _entry(new_mode, new))
            steps[commit_id][os.fsdecode(next(fields))] = pair
        elif field:
            commit_id = field.decode()
    return steps


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


class Renames:
    """Follows files from a commit to the tip."""

    def __init__(self, history: History, commits: Sequence[Commit]) -> None:
        """Be ready for questions about ``commits``, children before parents; nothing is read yet."""
        self._history = history
        self._since = [f"^{parent}" for commit in commits[-1:] for parent in commit.parent_ids]
        self._steps: list[tuple[int, str, str]] | None = None
        self._order: dict[str, int] = {}

    def follow(self, path: str, commit_id: str) -> str | None:
        """Return where the file stands that ``commit_id`` had at ``path``, None if no commit since renamed it."""
        if self._steps is None:
            self._steps = self._read()
        at = path
        for order, old, new in self._steps:
            if old == at and order > self._order.get(commit_id, -1):
                at = new
        return at if at != path else None

    def _read(self) -> list[tuple[int, str, str]]:
        tip = self._history.tip().commit_id or ""
        names = git_output(self._history, "rev-list", "--topo-order", "--reverse", tip, *self._since, "--")
        self._order = {name: at for at, name in enumerate(names.decode().split())}
        renames = git_output(self._history, "log", *_OPTIONS, _FORMAT, tip, *self._since, "--")
        return list(self._steps_in(renames))

    def _steps_in(self, stream: bytes) -> Iterator[tuple[int, str, str]]:
        """Read `ID`, then `R100`, the old and the new name for each file, all ended by zero bytes."""
        order = -1
        fields = iter(stream.split(b"\0"))
        for field in fields:
            if field.lstrip(b"\n").startswith(b"R"):
                yield order, os.fsdecode(next(fields)), os.fsdecode(next(fields))
            elif field:
                order = self._order[field.decode()]
