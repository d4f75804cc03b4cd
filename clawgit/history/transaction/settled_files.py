"""Files of the working tree, read once nobody is in the midst of writing them.

Editors and hosts truncate a file and fill it again: what is read in between is half of it, and a file that is replaced
meanwhile takes the other half with it.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.workspace.safe_files import FileContent, FileInUseError, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree

POLL_SECONDS = 0.01
YOUNG_SECONDS = 0.5  # a shell that writes a text with two commands opens the file twice within that
CLOCKS_APART = 60.0  # who writes over a network may be dated ahead


class SettledFiles:
    """Reads files, waiting for their writers for as long as the settings let one writer wait for another, all in all."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._deadline = time.monotonic() + history.settings.lock_wait_seconds

    def read(self, path: str, *known: bytes | None) -> FileContent | None:
        """Return the file; ``known`` are the texts that it had before.

        Raises:
            FileInUseError: Somebody went on writing it.
        """
        while True:
            with suppress(FileInUseError):
                content = read_file(
                    self._history.root, path, at_most=self._history.settings.max_file_bytes, settled=True
                )
                if content is None or not is_cut_short(content.data, known) or not self._is_young(path):
                    return content
            if time.monotonic() >= self._deadline:
                raise FileInUseError(path)
            time.sleep(POLL_SECONDS)

    def wait(self, paths: Iterable[str], *trees: Tree) -> None:
        """Return once none of ``paths``, which read as in one of ``trees`` before, is half-written.

        Raises:
            FileInUseError: Somebody went on writing one.
        """
        for path in paths:
            self.read(path, *(tree.read(path) for tree in trees))

    def _is_young(self, path: str) -> bool:
        with suppress(OSError):
            age = time.time() - (self._history.root / path).lstat().st_mtime
            return -CLOCKS_APART < age < YOUNG_SECONDS
        return False


def is_cut_short(text: bytes, known: Iterable[bytes | None]) -> bool:
    """Say whether ``text`` is none of the ``known`` ones, and may be the beginning of what is written over one."""
    before = [one for one in known if one is not None]
    return text not in before and any(
        len(text) < len(one) and (one.startswith(text) or len(text) < len(one) / 2) for one in before
    )
