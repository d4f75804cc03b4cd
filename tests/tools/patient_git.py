"""git as a person runs it, who removes a lock file that a killed program left."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path


def git_as_ada(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git once, whatever it answers."""
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    return subprocess.run(["git", *who, *arguments], cwd=root, capture_output=True, check=False, text=True)


def git_past_locks(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git; when it says that a lock file is in its way, remove that and run it again."""
    while True:
        done = git_as_ada(root, *arguments)
        lock = re.search(r"Unable to create '(.*\.lock)': File exists", done.stderr)
        if lock is None:
            return done
        Path(lock[1]).unlink()
