"""The process that holds the vectors and the models that run here: the service's own child, asked a line at a time.

It answers one request after the other, brings Chroma up to date in between, and ends when nobody has asked for a while.
What crashes in here (Chroma, a model's runtime) takes nobody else along, and what hangs is ended.
"""

from __future__ import annotations

import faulthandler
import os
import select
import socket
import sys
import time
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from clawgit.errors import ClawgitError
from clawgit.recall.vectors.held_vectors import HeldVectors
from clawgit.recall.vectors.owner_client import KINDS
from clawgit.service.requests import (
    A_BUG,
    REFUSED,
    RequestError,
    answered,
    as_request_error,
    read_request,
    refused,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.service.requests import Request

REQUEST_SECONDS = 120.0
QUIET_SECONDS = 0.2
EXTRA = 'pip install "clawgit[enhanced]"'


class VectorWorker:
    """Answers for the service until it is gone, or nobody has asked for ``idle_seconds``."""

    def __init__(self, idle_seconds: float) -> None:
        self._idle_seconds = idle_seconds
        self._held = HeldVectors()
        self._stopped = False

    def serve(self, asked: BinaryIO, to: socket.socket) -> None:
        """Answer as long as that is wanted, then leave everything whole."""
        last = time.monotonic()
        while not self._stopped:
            if select.select([asked], [], [], self._patience(last))[0]:
                line = asked.readline()
                if not line:
                    break
                with _limit():
                    to.sendall(self._answer(read_request(line)))
                last = time.monotonic()
            elif not self._held.is_settled:
                with _limit():
                    self._held.settle_one()
            elif time.monotonic() - last > self._idle_seconds:
                break
        self._held.close()

    def _patience(self, last: float) -> float:
        """Return how long to wait for the next request: until it is quiet enough to work on Chroma, or to end."""
        if not self._held.is_settled:
            return max(0.0, last + QUIET_SECONDS - time.monotonic())
        return min(1.0, self._idle_seconds)

    def _answer(self, request: Request) -> bytes:
        try:
            return answered(request, self._held.do(request.method.removeprefix("vectors."), request.params))
        except Exception as error:  # noqa: BLE001 - the one boundary of a request: whoever asked goes on without
            if isinstance(error, ModuleNotFoundError):
                self._stopped = True  # another installation, or this one by then, may have it
            return refused(request.number, _as_request_error(error))


@contextmanager
def _limit() -> Iterator[None]:
    """End the process where something takes for ever, even if a library hangs in C."""
    faulthandler.dump_traceback_later(REQUEST_SECONDS, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _as_request_error(error: Exception) -> RequestError:
    if isinstance(error, ClawgitError):
        said = as_request_error(error)
        said.code = next((code for code, kind in KINDS.items() if isinstance(error, kind)), said.code)
        return said
    if isinstance(error, ModuleNotFoundError):
        text = f"Vectors need the Python package {error.name}, which is not installed."
        return RequestError(REFUSED, text, hint=f"Run `{EXTRA}`, with the Python that clawgit runs in.")
    traceback.print_exc()  # into the log of the vectors
    return RequestError(A_BUG, f"The vectors cannot be used ({f'{type(error).__name__}: {error}'[:200]}).")


def _reach_this_machine_directly() -> None:
    """See that no proxy hears what goes to a Chroma server on this machine."""
    told = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    os.environ["no_proxy"] = ",".join([*filter(None, [told]), "localhost", "127.0.0.1", "::1"])


def main(arguments: list[str]) -> None:
    """Hold the vectors for the service at the other end of the standard input, for as long as they are needed."""
    _reach_this_machine_directly()
    faulthandler.enable()
    with socket.socket(fileno=os.dup(0)) as to, to.makefile("rb") as asked:
        VectorWorker(float(arguments[0])).serve(asked, to)


if __name__ == "__main__":
    main(sys.argv[1:])
