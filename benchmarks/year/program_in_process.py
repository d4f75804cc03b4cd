"""The program's commands in this process, and a process that kills itself in the middle of its work."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_WRITES = frozenset(("os.rename", "os.link", "os.remove", "os.mkdir"))


class Answer(NamedTuple):
    """What a command ended with and said."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Return what it said, read as JSON."""
        return json.loads(self.out)


def called(words: Sequence[str], environment: Mapping[str, str], told: str = "") -> Answer:
    """Run a command as the program does, without starting it; ``told`` is what it reads."""
    out, err = io.StringIO(), io.StringIO()
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(told.encode()))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(list(words), dict(environment))
    finally:
        sys.stdin = stdin
    return Answer(int(code), out.getvalue(), err.getvalue())


def killed(work: Callable[[], object], writes: int) -> bool:
    """Do some work in a process that kills itself as it begins that many a write; return whether it did."""
    pid = os.fork()
    if pid == 0:
        try:
            _kill_after(writes)
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


def _kill_after(writes: int) -> None:
    """Have this process kill itself as it begins its next write but so many."""
    left = [writes]

    def hear(event: str, _: object) -> None:
        if event in _WRITES:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hear)
