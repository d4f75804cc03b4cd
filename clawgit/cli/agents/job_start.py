"""How a job's process begins: it takes over the runner's lock, limits itself, and becomes a command.

The limits hold where the runner that started it is gone.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from contextlib import suppress

NICE = 10
MEMORY = 4 * 1024**3  # bytes of addresses


def job_arguments(held: int, seconds: float) -> list[str]:
    """Return what stands before a command's words for it to begin as a job."""
    return [sys.executable, "-P", "-m", __name__, str(held), str(int(seconds))]


def main(arguments: list[str]) -> None:
    """Be the command that the arguments name, behind the lock and the time limit."""
    held, seconds, *words = arguments
    os.set_inheritable(int(held), False)  # whatever the job starts does not hold it
    signal.alarm(int(seconds))
    os.nice(NICE)
    with suppress(ValueError, OSError):  # macOS has no such limit
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))
    from clawgit.cli.main import run

    sys.exit(run(words, dict(os.environ)))


if __name__ == "__main__":
    main(sys.argv[1:])
