"""Jobs that begin in a fork of the process that has everything loaded: to start Python and load it all takes longer than most jobs.

Whoever runs jobs asks for one; the process that forks makes it, and says how it ended. The job is a process group of its own with
limits of its own, as one that is started from nothing.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from clawgit.runner.job_process import Command, started
from clawgit.service.sockets import own_streams

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.runner.job_process import Process

PATIENCE_SECONDS = 5.0  # until the fork is there; after that the job is started from nothing
_GO = b"g"
_STREAMS = 3  # its output, the lock that it holds, and the line to whoever asked


class WarmJobs:
    """Both ends of asking: `begin` in the process that runs jobs, `fork` in the one that forks.

    ``job`` is what a job does with its arguments, the number of its lock the first.
    """

    def __init__(self, job: Callable[[list[str]], None], program: int) -> None:
        """Take a job's own arguments to begin behind so many of the program's."""
        self._job, self._program = job, program
        self._turn = Lock()
        self._asking: socket.socket | None = None
        self._asked: socket.socket | None = None

    def open(self) -> None:
        """Connect both ends, before the fork that parts them."""
        self._asking, self._asked = socket.socketpair()

    def keep_asking(self) -> None:
        """Be the end that runs jobs."""
        if self._asked is not None:
            self._asked.close()

    def keep_forking(self) -> int:
        """Be the end that forks; return what shows that a job is asked for."""
        assert self._asked is not None
        if self._asking is not None:
            self._asking.close()
        return self._asked.fileno()

    def take(self, asked: int) -> None:
        """Be the end that forks, where this process was started for it."""
        self._asked = socket.socket(fileno=asked)

    def renewed(self) -> socket.socket:
        """Return the end for another process that forks: the one before is gone."""
        with self._turn:
            if self._asking is not None:
                self._asking.close()
            self._asking, asked = socket.socketpair()
        return asked

    def close(self) -> None:
        """Ask for no more jobs: they are started from nothing."""
        with self._turn:
            if self._asking is not None:
                self._asking.close()
            self._asking = None

    def begin(self, command: Command, output: int) -> Process:
        """Begin a job; where there is no fork to be had, as a program of its own."""
        with self._turn:
            asking = None if self._asking is None else self._asking.dup()
        if asking is not None:
            with asking, suppress(OSError, ValueError):
                return self._begun(asking, command, output)
        return started(command, output)

    def _begun(self, asking: socket.socket, command: Command, output: int) -> WarmJob:
        mine, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(asking, [b"j"], [output, command.held, theirs.fileno()])
            mine.settimeout(PATIENCE_SECONDS)
            words = [str(command.folder), *command.argv[self._program + 1 :]]
            fields = [
                str(len(words)),
                *words,
                *(f"{name}={value}" for name, value in command.environment.items()),
            ]
            data = b"\0".join(map(os.fsencode, fields))
            mine.sendall(len(data).to_bytes(4, "little") + data)
            job = WarmJob(mine, int(mine.recv(16)))
            mine.sendall(_GO)
        except BaseException:
            mine.close()  # a fork that comes late ends without having begun
            raise
        return job

    def fork(self) -> tuple[int, socket.socket] | None:
        """Fork for the job that is asked for; return its process, and whom to tell how it ended."""
        assert self._asked is not None
        said, streams, _, _ = socket.recv_fds(self._asked, 1, _STREAMS)
        try:
            if not said or len(streams) != _STREAMS:
                return None
            output, held, line = streams
            child = os.fork()
            if child == 0:
                self._be_job(output, held, socket.socket(fileno=line))
            return child, socket.socket(fileno=os.dup(line))
        finally:
            for stream in streams:
                os.close(stream)

    def _be_job(self, output: int, held: int, line: socket.socket) -> None:
        """Be the job, and end."""
        status = 1
        try:
            _close_all_but(output, held, line.fileno())
            os.setsid()
            for number in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            words = _agreed(line)
            if words is not None:
                _take_streams(output)
                self._job([str(held), *words])
                status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except Exception:  # noqa: BLE001 - as where a program ends with it; it is the last thing that this one does
            traceback.print_exc()
        finally:
            with suppress(OSError, ValueError):
                sys.stdout.flush()
            os._exit(status)


class WarmJob:
    """A job that another process has forked: what `subprocess` says of a process that it started."""

    def __init__(self, line: socket.socket, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._line = line

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit status, negative the number of the signal that ended it.

        Raises:
            subprocess.TimeoutExpired: It is still at work.
        """
        if self.returncode is None:
            self._line.settimeout(timeout)
            try:
                said = self._line.recv(16)
            except TimeoutError as error:
                raise subprocess.TimeoutExpired("job", timeout or 0) from error
            self._line.close()
            # Who forked it is gone: it is ended as well.
            self.returncode = int(said) if said else -signal.SIGKILL
        return self.returncode


def _agreed(line: socket.socket) -> list[str] | None:
    """Return the job's words, None where whoever asked went away."""
    with line:
        try:
            line.settimeout(PATIENCE_SECONDS)
            words = _received(line)
            line.sendall(str(os.getpid()).encode())
            return words if line.recv(1) == _GO else None
        except OSError:
            return None


def _received(line: socket.socket) -> list[str]:
    """Take over folder and environment of the job; return its words."""
    data = bytearray()
    while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "little"):
        part = line.recv(1 << 16)
        if not part:
            raise OSError("half a job")
        data += part
    count, *fields = map(os.fsdecode, bytes(data[4:]).split(b"\0"))
    words, pairs = fields[: int(count)], fields[int(count) :]
    os.environ.clear()
    os.environ.update({name: value for name, _, value in (each.partition("=") for each in pairs)})
    time.tzset()
    folder, *words = words
    os.chdir(folder)
    sys.argv = ["clawgit", *words]
    return words


def _take_streams(output: int) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, stream in enumerate((nothing, output, output)):
        os.dup2(stream, number)
    os.close(output)
    os.close(nothing)
    sys.stdin, sys.stdout, sys.stderr = own_streams()


def _close_all_but(*kept: int) -> None:
    low = len((0, 1, 2))
    for each in sorted(kept):
        os.closerange(low, each)
        low = each + 1
    os.closerange(low, os.sysconf("SC_OPEN_MAX"))
