"""The process that does commands and begins jobs: forked when the service begins, started anew where somebody ended it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

from clawgit.client import COMMANDS
from clawgit.service.command_server import CommandServer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from clawgit.service.command_server import Command
    from clawgit.service.warm_jobs import WarmJobs

END_SECONDS = 5.0  # that it has to end with the service
STEADY_SECONDS, LONGEST_WAIT = 60.0, 60.0
GONE = "The process that makes commands quick has ended; the service starts another one. Commands work, and take longer."
_IGNORED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class CommandWorker:
    """The one such process of a service in ``folder``; ``program`` starts it from nothing.

    ``problem`` says what is wrong with it, empty for nothing.
    """

    def __init__(self, folder: Path, run: Command, jobs: WarmJobs, program: Sequence[str]) -> None:
        self.problem = ""
        self._folder, self._run, self._jobs, self._program = folder, run, jobs, program
        self._pid = 0
        self._pipe = -1  # closed, it ends the process
        self._started: subprocess.Popen[bytes] | None = None
        self._is_wanted = True
        self._begun_at = self._begin_at = self._wait = 0.0

    def fork(self) -> None:
        """Begin it, before this process has threads; it waits for `go` before it listens."""
        waiting, self._pipe = os.pipe()
        self._jobs.open()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._pipe)
            be_worker(self._folder, waiting, self._run, self._jobs)
        os.close(waiting)
        self._jobs.keep_asking()

    def go(self) -> None:
        """Let it listen: there is no other service."""
        os.write(self._pipe, b"g")
        self._begun_at = time.monotonic()

    def look(self) -> Iterator[str]:
        """Begin another one where it is gone; yield what became of it."""
        now = time.monotonic()
        if not self._is_wanted:
            return
        if self._pid and (end := self._end()) is not None:
            yield f"The process that makes commands quick ({self._pid}) has ended ({end}); another one begins."
            self.problem = GONE
            self._let_go()
            if now - self._begun_at >= STEADY_SECONDS:
                self._wait = 0.0
            self._begin_at = now + self._wait
            self._wait = min(LONGEST_WAIT, max(1.0, 2 * self._wait))
        if not self._pid and now >= self._begin_at:
            self._start()
        elif self.problem and self._pid and (self._folder / COMMANDS).exists():
            self.problem = ""
            yield f"Commands are quick again (process {self._pid})."

    def close(self) -> None:
        """End it, and begin no other one."""
        self._is_wanted, self.problem = False, ""
        self._jobs.close()
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1
            until = time.monotonic() + END_SECONDS
            while self._pid and self._end() is None and time.monotonic() < until:
                time.sleep(0.005)
            self._let_go()

    def _start(self) -> None:
        """Start it as a program of its own: a fork of this process, which has threads by now, could wait for one for ever."""
        waiting, self._pipe = os.pipe()
        self._begun_at = time.monotonic()
        try:
            with self._jobs.renewed() as asked:
                numbers = (waiting, asked.fileno())
                self._started = subprocess.Popen([*self._program, *map(str, numbers)], pass_fds=numbers)
            self._pid = self._started.pid
            os.write(self._pipe, b"g")
        except OSError:  # no memory, no more processes: that may pass
            self._let_go()
            self._begin_at = self._begun_at + max(1.0, self._wait)
        finally:
            os.close(waiting)

    def _end(self) -> str | None:
        """Return how it ended, None where it has not."""
        ended, status = os.waitpid(self._pid, os.WNOHANG)
        if not ended:
            return None
        code = os.waitstatus_to_exitcode(status)
        if self._started is not None:
            self._started.returncode = code
        return f"signal {-code}" if code < 0 else f"status {code}"

    def _let_go(self) -> None:
        (self._folder / COMMANDS).unlink(missing_ok=True)
        if self._pipe >= 0:
            os.close(self._pipe)
        self._pid, self._pipe, self._started = 0, -1, None


def be_worker(folder: Path, waiting: int, run: Command, jobs: WarmJobs) -> None:
    """Be that process: do commands from the moment at which a byte comes until the pipe is closed, and end."""
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)  # it ends with the service, whatever ends that
    try:
        if os.read(waiting, 1):
            CommandServer(folder / COMMANDS, waiting, run, jobs).serve()
    finally:
        os._exit(0)
