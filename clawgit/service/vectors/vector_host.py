"""Keeping the process that holds the vectors: begun when somebody asks, and again after it died or was idle."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from clawgit.recall.embedders.embedder import QUIET
from clawgit.recall.vectors.owner_client import DIED, vector_log
from clawgit.service.requests import RequestError

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.service.requests import Request

END_SECONDS = 5.0  # that the process has to leave everything whole


class VectorHost:
    """Asks the process for the owner at ``path``; it ends by itself after ``idle_seconds``."""

    def __init__(self, path: Path, idle_seconds: float) -> None:
        self._path = path
        self._idle_seconds = idle_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._to: socket.socket | None = None
        self._answers: BinaryIO | None = None
        self._alone = threading.Lock()

    @property
    def is_at_rest(self) -> bool:
        """Say whether there is no such process now."""
        return self._process is None or self._process.poll() is not None

    def ask(self, request: Request) -> Any:
        """Return what it answers, one request after the other.

        Raises:
            RequestError: It said why not, or died over the question.
        """
        line = {"jsonrpc": "2.0", "id": 1, "method": request.method, "params": request.params}
        with self._alone:
            answer = json.loads(self._exchange(json.dumps(line).encode() + b"\n"))
        if "error" not in answer:
            return answer["result"]
        error = answer["error"]
        raise RequestError(error["code"], error["message"], **_more(error["data"]))

    def let_go(self) -> None:
        """End the process, which leaves everything whole; the next request begins another."""
        if self._to is not None:
            with suppress(OSError):
                self._to.shutdown(socket.SHUT_WR)
        if not self._alone.acquire(timeout=END_SECONDS):
            if self._process is not None:
                self._process.kill()  # it hangs over a question
            self._alone.acquire()
        try:
            self._end()
        finally:
            self._alone.release()

    def _exchange(self, line: bytes) -> bytes:
        try:
            if self.is_at_rest:
                self._end()
                self._begin()
            assert self._to is not None
            assert self._answers is not None
            self._to.sendall(line)
            said = self._answers.readline()
        except OSError:
            said = b""
        if not said.endswith(b"\n"):
            self._end()
            raise RequestError(DIED, "The process that holds the vectors died over the question.")
        return said

    def _begin(self) -> None:
        """Start it in the service's folder: Chroma takes settings from a file `.env` where it runs, never a workspace's."""
        ours, theirs = socket.socketpair()
        words = [sys.executable, "-P", "-m", "clawgit.service.vectors.vector_worker", str(self._idle_seconds)]
        folder = self._path.parent
        log = os.open(vector_log(folder), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            self._process = subprocess.Popen(
                [*words, str(self._path)],  # by the path a person sees whose it is
                cwd=folder,
                env={**os.environ, **QUIET},
                stdin=theirs.fileno(),
                stdout=log,
                stderr=log,
                start_new_session=True,  # ^C is for the service, which ends it in good order
            )
        finally:
            theirs.close()
            os.close(log)
        self._to, self._answers = ours, ours.makefile("rb")

    def _end(self) -> None:
        """Wait until it is gone, and end it if it hangs: the next one wants what it holds."""
        if self._answers is not None and self._to is not None:
            self._answers.close()
            self._to.close()
            self._answers = self._to = None
        if self._process is not None:
            try:
                self._process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None


def _more(data: dict[str, Any]) -> dict[str, Any]:
    return {"hint": data["hint"], "exit_code": data["exit"]}
