"""The Python that the hooks run, tried out: apart from how they stand, which a status reads without running anything."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from clawgit.history.git.git_program import bare_environment
from clawgit.history.hooks.install import interpreter_of

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

IMPORT_SECONDS = 20


def is_runnable(history: History) -> bool:
    """Say whether the hooks' Python starts and finds clawgit; takes as long as a start of Python."""
    command = [interpreter_of(history), "-E", "-P", "-c", "import clawgit.cli.workspace.hook_run"]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            check=False,
            env=bare_environment(),
            cwd=os.sep,
            timeout=IMPORT_SECONDS,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
