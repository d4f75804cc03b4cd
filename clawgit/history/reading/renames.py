"""Where a file went: the renames that later commits made, read once and only when a file is missed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from clawgit.history.git.git_program import run_git
from clawgit.history.reading.git_log import LOG_SECONDS, git_failed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

_FORMAT = "--format=%x00%H"
_OPTIONS = ("--topo-order", "--reverse", "-z", "-M", "--diff-filter=R", "--name-status", "--no-color")


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
        """Return the renames, oldest first, with the place of their commits in the order of the history."""
        tip = self._history.tip().commit_id or ""
        names = self._git("rev-list", "--topo-order", "--reverse", tip, *self._since)
        self._order = {name: at for at, name in enumerate(names.decode().split())}
        return list(self._steps_in(self._git("log", *_OPTIONS, _FORMAT, tip, *self._since)))

    def _steps_in(self, stream: bytes) -> Iterator[tuple[int, str, str]]:
        """Read `ID`, then `R100`, the old and the new name for each file, all ended by zero bytes."""
        order = -1
        fields = iter(stream.split(b"\0"))
        for field in fields:
            if field.lstrip(b"\n").startswith(b"R"):
                yield order, os.fsdecode(next(fields)), os.fsdecode(next(fields))
            elif field:
                order = self._order[field.decode()]

    def _git(self, *arguments: str) -> bytes:
        done = run_git(self._history, *arguments, "--", seconds=LOG_SECONDS)
        if done.returncode != 0:
            raise git_failed(done)
        return done.stdout
