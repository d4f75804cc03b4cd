"""Commands for the thin client: a process with everything loaded forks for each of them.

The client hands over its own input, output and errors, so a command prints where the client would. The process
that forks has one thread and only waits for connections; the fork reads what a client sends.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from fcntl import F_DUPFD_CLOEXEC, F_GETFL, F_SETFL, F_SETOWN, fcntl
from typing import TYPE_CHECKING, TypeAlias

from clawgit.client import COMMANDS, GO, NOT_MINE, READY, identity, is_served
from clawgit.errors import ExitCode
from clawgit.history.authorship.host_signs import acting, host_sign_of
from clawgit.service.sockets import bound, is_there, peer_of, place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path


Command: TypeAlias = "Callable[[Sequence[str], Mapping[str, str]], int]"
MOST_BYTES = 16 * 1024 * 1024
MOST_AT_ONCE = 64
TALK_SECONDS = 5.0
LOOK_SECONDS = 2.0
END_SECONDS = 5.0  # that it has to end with the service
STEADY_SECONDS, LONGEST_WAIT = 60.0, 60.0
GONE = "The process that makes commands quick has ended; the service starts another one. Commands work, and take longer."
_CHUNK = 1 << 20
_IGNORED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class CommandWorker:
    """The one command process of a service in ``folder``; ``program`` starts it again after it has ended."""

    def __init__(self, folder: Path, run: Command, program: Sequence[str]) -> None:
        self.problem = ""  # what is wrong with it, if anything is
        self._folder = folder
        self._run = run
        self._program = program
        self._pid = 0
        self._pipe = -1  # closed, it ends the process
        self._started: subprocess.Popen[bytes] | None = None
        self._is_wanted = True
        self._begun_at = self._begin_at = self._wait = 0.0

    def fork(self) -> None:
        """Fork the process while this one has no threads; it waits for `go` before it listens."""
        waiting, self._pipe = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._pipe)
            be_worker(self._folder, waiting, self._run)
        os.close(waiting)

    def go(self) -> None:
        os.write(self._pipe, b"g")
        self._begun_at = time.monotonic()

    def look(self) -> Iterator[str]:
        """Start another process if this one has ended; yield what happened."""
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
        self._is_wanted = False
        self.problem = ""
        if self._pipe < 0:
            return
        os.close(self._pipe)
        self._pipe = -1
        until = time.monotonic() + END_SECONDS
        while self._pid and self._end() is None and time.monotonic() < until:
            time.sleep(0.005)
        self._let_go()

    def _start(self) -> None:
        """Start the process as a program: a fork of a process with threads could hang for ever."""
        waiting, self._pipe = os.pipe()
        self._begun_at = time.monotonic()
        try:
            self._started = subprocess.Popen([*self._program, str(waiting)], pass_fds=[waiting])
            self._pid = self._started.pid
            os.write(self._pipe, b"g")
        except OSError:  # no memory, no more processes: that may pass
            self._let_go()
            self._begin_at = self._begun_at + max(1.0, self._wait)
        finally:
            os.close(waiting)

    def _end(self) -> str | None:
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


def be_worker(folder: Path, waiting: int, run: Command) -> None:
    """Do commands from the first byte on the pipe until it is closed, then end the process."""
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)  # it ends with the service
    try:
        if os.read(waiting, 1):
            CommandServer(folder / COMMANDS, waiting, run).serve()
    finally:
        os._exit(0)


class CommandServer:
    """Answers at ``path`` until the other end of the pipe ``parent`` is closed."""

    def __init__(self, path: Path, parent: int, run: Command) -> None:
        self._path = path
        self._parent = parent
        self._run = run
        self._identity = identity(os.environ)
        self._children: set[int] = set()

    def serve(self) -> None:
        """Fork for each client; bind the socket again if it was removed."""
        while os.open(os.devnull, os.O_RDWR) <= 2:  # numbers 0 to 2 are a command's own
            pass
        gc.collect()
        gc.freeze()  # a fork's collector leaves the pages alone that all share
        while True:
            try:
                listener = bound(self._path)
            except OSError:  # no room, or something else in its place: that may pass
                if select.select([self._parent], [], [], LOOK_SECONDS)[0]:
                    return
                continue
            mine = place_of(self._path)
            with listener:
                while is_there(self._path, mine):
                    if self._is_over(listener):
                        self._path.unlink(missing_ok=True)
                        return

    def _is_over(self, listener: socket.socket) -> bool:
        """Serve pending clients for a moment; say whether the service has ended."""
        waiting = [self._parent]
        if len(self._children) < MOST_AT_ONCE:
            waiting.append(listener.fileno())
        seconds = LOOK_SECONDS if not self._children else 0.05
        ready = select.select(waiting, [], [], seconds)[0]
        if self._parent in ready:
            return True
        if listener.fileno() in ready:
            with suppress(OSError), listener.accept()[0] as connection:
                child = os.fork()
                if child == 0:
                    listener.close()
                    os.close(self._parent)
                    self._be_command(connection)
                self._children.add(child)
        for child in list(self._children):
            if os.waitpid(child, os.WNOHANG)[0]:
                self._children.discard(child)
        return False

    def _be_command(self, connection: socket.socket) -> None:
        status = 1
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            connection.settimeout(TALK_SECONDS)
            call = self._received(connection)
            if call is None:
                connection.sendall(NOT_MINE)
            else:
                connection.sendall(READY)
                if connection.recv(1) == GO:
                    status = self._done(connection, *call)
                    connection.sendall(str(status).encode())
        except (OSError, ValueError):
            pass  # the client went away, or spoke another language: it does the command itself
        finally:
            os._exit(0 if status == 0 else 1)

    def _received(self, connection: socket.socket) -> tuple[list[str], dict[str, str]] | None:
        """Return the command and its environment, with the client's streams, folder and umask in place of ours; None if it could run differently here."""
        data, streams, _, _ = socket.recv_fds(connection, _CHUNK, 3)
        if len(streams) != len((0, 1, 2)):
            raise ValueError("no streams")
        size = int.from_bytes(data[:4], "little")
        if size > MOST_BYTES:
            raise ValueError("too long")
        parts = bytearray(data[4:])
        while len(parts) < size:
            part = connection.recv(_CHUNK)
            if not part:
                raise ValueError("half a command")
            parts += part
        for stream in streams:
            os.set_inheritable(stream, False)  # else what the command starts holds them open
        for number, stream in enumerate([fcntl(stream, F_DUPFD_CLOEXEC, 3) for stream in streams]):
            os.dup2(stream, number)
        fields = list(map(os.fsdecode, bytes(parts).split(b"\0")))
        stream_count = int(fields.pop(0))
        theirs, fields = tuple(fields[:stream_count]), fields[stream_count:]
        encodings, folder, umask, count = fields[:4]
        words, pairs = fields[4 : 4 + int(count)], fields[4 + int(count) :]
        environment = {name: value for name, _, value in (each.partition("=") for each in pairs)}
        if theirs != self._identity or set(encodings.split(",")) - {"utf-8"}:
            return None
        if not is_served(words):
            return None
        # a host's process, or an unknown one, does not ask as the operator; which terminal it has, its own process sees
        if acting(environment, lambda: True) == "operator":
            process = peer_of(connection)
            if process is None or host_sign_of(process) != "":
                return None
        os.chdir(folder)
        os.umask(int(umask))
        return words, environment

    def _done(self, connection: socket.socket, words: list[str], environment: dict[str, str]) -> int:
        os.setsid()
        os.environ.clear()
        os.environ.update(environment)
        time.tzset()
        sys.argv = ["clawgit", *words]
        # as Python opens them at its start
        sys.stdin = os.fdopen(0, closefd=False)
        sys.stdout = os.fdopen(1, "w", errors="backslashreplace", closefd=False)
        sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace", closefd=False)
        _interrupt_when_gone(connection)
        try:
            status = self._run(words, os.environ)
            sys.stdout.flush()
        except KeyboardInterrupt:
            status = ExitCode.INTERRUPTED
        except OSError:
            status = ExitCode.CLOSED_PIPE
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        return int(status)


def _interrupt_when_gone(connection: socket.socket) -> None:

    def gone(_number: int, _frame: object) -> None:
        with suppress(BlockingIOError):
            if connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b"":
                raise KeyboardInterrupt

    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGIO, gone)
    connection.settimeout(None)
    fcntl(connection, F_SETOWN, os.getpid())
    fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | os.O_ASYNC)
