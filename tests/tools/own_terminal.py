"""A terminal of its own, at which somebody types a line; and the ways in which a host's process makes one below its sign."""

from __future__ import annotations

import os
import pty
import shlex
import shutil
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SIGNED = "CLAUDECODE=1"
_PTY = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) and 1)"
_ALONE = "import os, sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])"
WAYS_BELOW = [
    "a terminal of its own",
    "and no sign in it",
    "and what it makes is left alone",
    "the terminal above, opened again",
    "no terminal",
    *(["script"] if shutil.which("script") else []),
]


def typed(folder: Path, line: str) -> str:
    """Run a line as a shell at a new terminal runs it, and return what is seen there."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execlp(
            "sh", "sh", "-c", f"{line}; exit $?"
        )  # the shell stays, as one does at which somebody types
    seen = bytearray()
    with suppress(OSError):  # read to its end, or the other side waits
        while part := os.read(terminal, 1024):
            seen += part
    os.close(terminal)
    os.waitpid(pid, 0)
    return seen.decode("utf-8", "replace")


def below(way: str, line: str) -> str:
    """Return a line by which a host's process runs another at a terminal that it finds or makes."""
    python = shlex.quote(sys.executable)
    inner = shlex.quote(f"{line}; exit $?")
    made = {
        "a terminal of its own": f"{python} -c {shlex.quote(_PTY)} sh -c {inner}",
        "and no sign in it": f"{python} -c {shlex.quote(_PTY)} env -u CLAUDECODE sh -c {inner}",
        "and what it makes is left alone": f"{python} -c {shlex.quote(_PTY)} sh -c {shlex.quote(f'env -u CLAUDECODE sh -c {inner}; true')}",
        "the terminal above, opened again": f"{python} -c {shlex.quote(_ALONE)} sh -c {inner} <$(tty)",
        "no terminal": f"{python} -c {shlex.quote(_ALONE)} sh -c {inner} </dev/null 2>/dev/null",
        "script": f"script -qec {inner} /dev/null",
    }[way]
    return f"{SIGNED} sh -c {shlex.quote(f'{made}; exit $?')}"
