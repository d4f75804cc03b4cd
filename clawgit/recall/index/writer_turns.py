"""Turns: one process at a time writes a store."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WAIT_SECONDS = 30.0
POLL_SECONDS = 0.005


def lock_of(path: Path) -> Path:
    """Return the file whose holder may write the store."""
    return path.with_name(f"{path.name}.lock")


@contextmanager
def alone(path: Path) -> Iterator[int]:
    """Be the only process that writes the store; yields the lock's file, open.

    Raises:
        BlockingIOError: Another process holds it all the time.
    """
    deadline = time.monotonic() + WAIT_SECONDS
    handle = os.open(lock_of(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(POLL_SECONDS)
        yield handle
    finally:
        os.close(handle)
