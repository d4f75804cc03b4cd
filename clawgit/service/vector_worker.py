"""The process that owns the account's vectors and local models; it answers at a socket, a line at a time.

The first client starts it. It ends when it is idle (later where a service runs), when that service ends, or when the
socket is gone. It answers one request after the other, and updates Chroma in between. A crash in here (Chroma, a
model's runtime) harms no other process, and a worker that hangs is ended: the client asks the next one.
"""

from __future__ import annotations

import faulthandler
import os
import resource
import select
import sys
import time
import traceback
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.client import LOCK, connected
from clawgit.errors import ClawgitError, install_hint
from clawgit.history.git.lock import is_locked, taken
from clawgit.recall.embedders.embedder import NotFetchedError
from clawgit.recall.vectors.held_vectors import HeldVectors
from clawgit.recall.vectors.owner_client import NOT_FETCHED
from clawgit.service import requests
from clawgit.service.sockets import bound, is_there, peer_of, place_of, private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

REQUEST_SECONDS = 120.0
TALK_SECONDS = 10.0  # a client that neither asks nor reads for so long is let go
QUIET_SECONDS = 0.2
RESIDENT_SECONDS = 900.0  # without a question, where a service runs
LOOK_SECONDS = 0.5
ENDING_SECONDS = 0.02  # between two looks whether another owner has ended


class VectorWorker:
    """Answers at ``path`` until it is idle for ``idle_seconds``, or its socket is gone."""

    def __init__(self, path: Path, idle_seconds: float) -> None:
        self._listener = bound(path)
        self._path = path
        self._idle_seconds = idle_seconds
        self._mine = place_of(path)
        self._held = HeldVectors()
        self._is_stopped = False

    def serve(self) -> None:
        """Answer until the end, then close the vectors cleanly."""
        asked_at = time.monotonic()
        while not self._is_stopped and is_there(self._path, self._mine):
            if not self._held.is_settled:
                patience = max(0.0, asked_at + QUIET_SECONDS - time.monotonic())
            else:
                patience = min(LOOK_SECONDS, self._idle_seconds)
            if select.select([self._listener], [], [], patience)[0]:
                with suppress(OSError):  # the client went away, or reads nothing
                    connection = self._listener.accept()[0]
                    with connection, connection.makefile("rb") as lines:
                        connection.settimeout(TALK_SECONDS)
                        line = lines.readline(requests.LONGEST_LINE)
                        if line.endswith(b"\n") and peer_of(connection) is not None:
                            with _limit():
                                answer = self._answer(line)
                            connection.sendall(answer)
                asked_at = time.monotonic()
            elif not self._held.is_settled:
                with _limit():
                    self._held.settle_one()
            else:
                idle = time.monotonic() - asked_at
                is_resident = idle <= RESIDENT_SECONDS and is_locked(self._path.with_name(LOCK))
                if idle > self._idle_seconds and not is_resident:
                    break
        if is_there(self._path, self._mine):
            self._path.unlink(missing_ok=True)
        self._listener.close()
        self._held.close()

    def _answer(self, line: bytes) -> bytes:
        number = None
        try:
            request = requests.read_request(line)
            number = request.number
            operation = request.method.removeprefix("vectors.")
            if operation == "stop":
                self._is_stopped = True
                self._held.close()
                return requests.answered(request, True)
            return requests.answered(request, self._held.do(operation, request.params))
        except Exception as error:  # noqa: BLE001 - the one boundary of a request: whoever asked goes on without
            if isinstance(error, ModuleNotFoundError):
                self._is_stopped = True  # another installation, or this one by then, may have it
            return requests.refused(number, _as_request_error(error))


@contextmanager
def _limit() -> Iterator[None]:
    faulthandler.dump_traceback_later(REQUEST_SECONDS, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _as_request_error(error: Exception) -> requests.RequestError:
    if isinstance(error, requests.RequestError):
        return error
    if isinstance(error, ClawgitError):
        refusal = requests.as_request_error(error)
        if isinstance(error, NotFetchedError):
            refusal.code = NOT_FETCHED
        return refusal
    if isinstance(error, ModuleNotFoundError):
        text = f"Vectors need the Python package {error.name}, which is not installed."
        return requests.RequestError(requests.REFUSED, text, hint=install_hint("enhanced"), exit_code=2)
    traceback.print_exc()  # into the log of the vectors
    words = f"{type(error).__name__}: {error}"[:200]
    return requests.RequestError(requests.A_BUG, f"The vectors cannot be used ({words}).")


def main(arguments: list[str]) -> None:
    path = Path(arguments[0])
    if os.fork():  # whoever starts it waits for its child's end
        os._exit(0)
    os.setsid()
    os.chdir(path.parent)  # Chroma takes settings from a file `.env` where it runs, never a workspace's
    os.umask(0o077)
    with suppress(ValueError, OSError):  # a job that starts it has a limit of its own
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    private_folder(path.parent)
    lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)  # open to the end
    while not taken(lock):  # one that is ending
        with suppress(OSError):
            connected(str(path)).close()
            return  # it answers
        time.sleep(ENDING_SECONDS)
    worker = VectorWorker(path, float(arguments[1]))
    # Chroma on this machine is reached without a proxy
    exceptions = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    os.environ["no_proxy"] = ",".join([*filter(None, [exceptions]), "localhost", "127.0.0.1", "::1"])
    faulthandler.enable()
    worker.serve()


if __name__ == "__main__":
    main(sys.argv[1:])
