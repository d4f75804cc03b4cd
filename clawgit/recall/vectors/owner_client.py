"""Requests to the process that owns the vectors; the first one starts it."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clawgit import __version__
from clawgit.client import connected, reply_of
from clawgit.history.git.lock import is_locked
from clawgit.recall.embedders.embedder import QUIET, NotFetchedError, VectorsError

if TYPE_CHECKING:
    from pathlib import Path

NOT_FETCHED = -32011  # an error code beside those of JSON-RPC
IDLE_SECONDS = 90.0
START_SECONDS = 10.0
TRIES = 5
DYING_SECONDS = 0.1  # a crashed process needs so long to release its socket
MOST_LOGGED = 256 * 1024
_POLL_SECONDS = 0.01


@dataclass(slots=True)
class Owner:
    """A client of the account's vector owner; ``folder`` is the service's."""

    folder: Path
    idle_seconds: float = IDLE_SECONDS

    @property
    def path(self) -> Path:
        """Return the path of its socket: one for each version of clawgit."""
        return self.folder / f"vectors-{__version__}.sock"

    def ask(self, do: str, *, seconds: float = 15.0, **what: Any) -> Any:
        """Return the owner's answer; an owner that dies meanwhile is replaced and asked again.

        Raises:
            VectorsError: It refused with a reason, or did not answer in time.
            NotFetchedError: The packaged model is not downloaded yet.
        """
        line, deadline = _line(do, what), time.monotonic() + seconds
        for left in reversed(range(TRIES)):
            try:
                with closing(self._connected(deadline)) as connection:
                    reply = reply_of(connection, line, max(0.01, deadline - time.monotonic()))
                answer = json.loads(reply)
                if "error" not in answer:
                    return answer["result"]
                error = answer["error"]
                kind = NotFetchedError if error["code"] == NOT_FETCHED else VectorsError
                raise kind(error["message"], hint=error["data"]["hint"])
            except ConnectionError as error:
                if not left:
                    sentence = "The process that holds the vectors died over a question, again and again."
                    raise VectorsError(sentence) from error
                time.sleep(DYING_SECONDS)
            except TimeoutError as error:
                sentence = f"The vectors did not answer within {seconds:g} seconds."
                raise VectorsError(sentence, hint="Try again in a minute.") from error
            except (OSError, ValueError) as error:
                raise VectorsError(f"The vectors cannot be asked: {error}.") from error
        raise AssertionError("the last try returns or raises")

    def stop(self) -> None:
        """End the owner; the next question starts another one."""
        until = time.monotonic() + START_SECONDS
        with suppress(OSError), closing(connected(str(self.path))) as connection:
            reply_of(connection, _line("stop", {}), START_SECONDS)
        while is_locked(self.path.with_suffix(".lock")) and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)

    def _connected(self, deadline: float) -> Any:
        started = 0.0
        while True:
            try:
                return connected(str(self.path))
            except (FileNotFoundError, ConnectionRefusedError):
                now = time.monotonic()
                if now > deadline:
                    raise TimeoutError from None
                if now - started > START_SECONDS:
                    self._start()
                    started = now
                time.sleep(_POLL_SECONDS)

    def _start(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        words = [sys.executable, "-P", "-m", "clawgit.service.vector_worker"]
        log_flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        pid = os.posix_spawn(
            sys.executable,
            [*words, str(self.path), str(self.idle_seconds)],
            {**os.environ, **QUIET},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, vector_log(self.folder), log_flags, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
        )
        os.waitpid(pid, 0)


def vector_log(folder: Path) -> str:
    """Return the log of libraries' output; a too long one is moved aside until the next time."""
    log = folder / "vectors.log"
    with suppress(FileNotFoundError):
        if log.stat().st_size > MOST_LOGGED:
            log.replace(log.with_suffix(".log.old"))
    return str(log)


def _line(do: str, what: dict[str, Any]) -> bytes:
    request = {"jsonrpc": "2.0", "id": 1, "method": f"vectors.{do}", "params": what}
    return json.dumps(request).encode() + b"\n"
