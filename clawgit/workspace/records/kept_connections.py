"""Connections to SQLite files that stay open between two readings: what SQLite has read and prepared serves the next one.

Each is one file's, not one path's: what was put in the place of a file is opened anew. Whoever has one has it alone.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_MOST = 6  # of all files together; each holds as much of its file in memory as it was told to


class Kept(NamedTuple):
    """An open connection and which file it reads."""

    file: tuple[str, int, int]
    db: sqlite3.Connection


_IDLE: list[Kept] = []  # the one used last at the end
_TURN = Lock()
_OF_PARENT: list[Kept] = []  # a connection must not even be closed behind a fork


def taken(path: Path, connect: Callable[[], sqlite3.Connection]) -> Kept:
    """Return a connection to the file at ``path``, one that was left open or a new one (for any thread to use).

    Raises:
        OSError, sqlite3.Error: There is no such file, or it cannot be opened.
    """
    file = _file(path)
    with _TURN:
        at = next((at for at in reversed(range(len(_IDLE))) if _IDLE[at].file == file), None)
        if at is not None:
            return _IDLE.pop(at)
    db = connect()
    try:
        same = _file(path) == file
    except OSError:
        same = False
    return Kept(file if same else ("", 0, 0), db)


@contextmanager
def leaving(kept: Kept) -> Iterator[sqlite3.Connection]:
    """Read with a connection, and leave it open for the next reading, unless something fails."""
    try:
        yield kept.db
    except BaseException:
        kept.db.close()
        raise
    _leave(kept)


def _leave(kept: Kept) -> None:
    sound = bool(kept.file[0])
    try:
        if kept.db.in_transaction:
            kept.db.execute("ROLLBACK")
    except sqlite3.Error:
        sound = False
    if not sound:
        kept.db.close()
        return
    with _TURN:
        _IDLE.append(kept)
        old = _IDLE.pop(0) if len(_IDLE) > _MOST else None
    if old is not None:
        old.db.close()


def _file(path: Path) -> tuple[str, int, int]:
    state = path.stat()
    return f"{path}", state.st_dev, state.st_ino


def _forked() -> None:
    global _TURN  # noqa: PLW0603 - a thread of the parent may have held it
    _TURN = Lock()
    _OF_PARENT.extend(_IDLE)
    _IDLE.clear()


os.register_at_fork(after_in_child=_forked)
