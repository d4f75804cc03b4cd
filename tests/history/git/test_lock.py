"""Lock files: whoever only looks at one keeps nobody from taking it."""

from __future__ import annotations

import fcntl
import os
import threading
from typing import TYPE_CHECKING

from clawgit.history.git.lock import is_locked, taken

if TYPE_CHECKING:
    from pathlib import Path


def test_a_look_at_a_lock_file_is_waited_for_and_a_holder_is_not(tmp_path: Path) -> None:
    """Mutant: what cannot be locked at once is held by somebody. A service that began as `status` looked gave up."""
    path = tmp_path / "a.lock"
    looking, handle, other = (os.open(path, os.O_RDWR | os.O_CREAT) for _ in range(3))
    fcntl.flock(looking, fcntl.LOCK_SH)
    end = threading.Timer(0.1, os.close, (looking,))
    end.start()

    assert taken(handle)
    assert not taken(other)
    assert is_locked(path)

    end.join()
    os.close(handle)
    assert taken(other)
    os.close(other)
