"""Doing commands for the thin client: a process that has everything loaded forks once for each of them.

The client hands over its own input, output and errors, so what a command prints is what it would print there. The
process that forks has one thread and waits for connections alone; what a client sends is read by the fork.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from fcntl import F_DUPFD_CLOEXEC, F_GETFL, F_SETFL, F_SETOWN, fcntl
from typing import TYPE_CHECKING, NamedTuple

from clawgit.client import GO, NOT_MINE, READY, identity, is_served
from clawgit.errors import ExitCode
from clawgit.history.authorship.host_signs import acting, host_sign_of
from clawgit.service.sockets import bound, is_there, own_streams, peer_of, place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from clawgit.service.warm_jobs import WarmJobs

    Command = Callable[[Sequence[str], Mapping[str, str]], int]

MOST_BYTES = 16 * 1024 * 1024
MOST_AT_ONCE = 64
TALK_SECONDS = 5.0
LOOK_SECONDS = 2.0
_CHUNK = 1 << 20


class Asked(NamedTuple):
    """A command with what its process would have."""

    words: list[str]
    environment: dict[str, str]
    folder: str
    umask: int


class CommandServer:
    """Answers at ``path`` until ``parent``, the reading end of a pipe, is closed at its other end; forks for ``jobs``, too."""

    def __init__(self, path: Path, parent: int, run: Command, jobs: WarmJobs) -> None:
        self._path = path
        self._parent = parent
        self._run = run
        self._identity = identity(os.environ)
        self._children: dict[int, socket.socket | None] = {}  # with whom to tell how each ended
        self._jobs = jobs
        self._asked = jobs.keep_forking()

    def serve(self) -> None:
        """Fork for each client; bind the socket again where it was taken away."""
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
        """Serve what is pending, for a moment at most; say whether the service has ended."""
        waiting = [self._parent]
        if len(self._children) < MOST_AT_ONCE:
            waiting += [listener.fileno(), self._asked]
        seconds = LOOK_SECONDS if not self._children else 0.05
        ready = select.select(waiting, [], [], seconds)[0]
        if self._parent in ready:
            return True
        if listener.fileno() in ready:
            self._fork(listener)
        if self._asked in ready and (begun := self._jobs.fork()) is not None:
            self._children.update([begun])
        self._reap()
        return False

    def _fork(self, listener: socket.socket) -> None:
        with suppress(OSError):
            connection, _ = listener.accept()
            with connection:
                child = os.fork()
                if child == 0:
                    listener.close()
                    os.close(self._parent)
                    self._be_command(connection)
                self._children[child] = None

    def _reap(self) -> None:
        for child in list(self._children):
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended and (line := self._children.pop(child)) is not None:
                with line, suppress(OSError):
                    line.sendall(str(os.waitstatus_to_exitcode(status)).encode())

    def _be_command(self, connection: socket.socket) -> None:
        """Do one command as if this process had been started for it, and end."""
        status = 1
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            connection.settimeout(TALK_SECONDS)
            asked = self._received(connection)
            if asked is None:
                connection.sendall(NOT_MINE)
            else:
                connection.sendall(READY)
                if connection.recv(1) == GO:
                    status = self._done(connection, asked)
                    connection.sendall(str(status).encode())
        except (OSError, ValueError):
            pass  # the client went away, or spoke another language: it does the command itself
        finally:
            os._exit(0 if status == 0 else 1)

    def _received(self, connection: socket.socket) -> Asked | None:
        """Return the command, with the client's streams in the place of ours; None if it is not for this process."""
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
        for number, stream in enumerate([fcntl(stream, F_DUPFD_CLOEXEC, 3) for stream in streams]):
            os.dup2(stream, number)
        return self._accepted([os.fsdecode(each) for each in bytes(parts).split(b"\0")], connection)

    def _accepted(self, fields: list[str], connection: socket.socket) -> Asked | None:
        known = int(fields.pop(0))
        theirs, fields = tuple(fields[:known]), fields[known:]
        encodings, folder, umask, count = fields[:4]
        words, pairs = fields[4 : 4 + int(count)], fields[4 + int(count) :]
        environment = {name: value for name, _, value in (each.partition("=") for each in pairs)}
        if theirs != self._identity or set(encodings.split(",")) - {"utf-8"}:
            return None
        if not is_served(words) or _claims_too_much(environment, connection):
            return None
        os.chdir(folder)
        return Asked(words, environment, folder, int(umask))

    def _done(self, connection: socket.socket, asked: Asked) -> int:
        os.setsid()
        os.umask(asked.umask)
        os.environ.clear()
        os.environ.update(asked.environment)
        time.tzset()
        sys.argv = ["clawgit", *asked.words]
        sys.stdin, sys.stdout, sys.stderr = own_streams()
        _interrupt_when_gone(connection)
        try:
            status = self._run(asked.words, os.environ)
            sys.stdout.flush()
        except KeyboardInterrupt:
            status = ExitCode.INTERRUPTED
        except OSError:
            status = ExitCode.CLOSED_PIPE
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        return int(status)


def _claims_too_much(environment: Mapping[str, str], connection: socket.socket) -> bool:
    """Say whether a command would be the operator's although a host's process asks for it, or perhaps one does."""
    if acting(environment, lambda: True) != "operator":  # which terminal it has, its own process sees
        return False
    process = peer_of(connection)
    return process is None or host_sign_of(process) != ""


def _interrupt_when_gone(connection: socket.socket) -> None:
    """End the command as ^C does once the client is gone: there, it would have ended as well."""

    def gone(_number: int, _frame: object) -> None:
        with suppress(BlockingIOError):
            if connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b"":
                raise KeyboardInterrupt

    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGIO, gone)
    connection.settimeout(None)
    fcntl(connection, F_SETOWN, os.getpid())
    fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | os.O_ASYNC)
