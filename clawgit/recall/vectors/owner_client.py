"""Asking the owner of the vectors, which is started where there is none."""

from __future__ import annotations

import fcntl
import os
import socket
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clawgit import __version__
from clawgit.errors import ClawgitError
from clawgit.recall.embedders.embedder import QUIET
from clawgit.recall.vectors.owner_protocol import address_of, receive, send
from clawgit.recall.vectors.vector_owner import IDLE_SECONDS

if TYPE_CHECKING:
    from pathlib import Path

START_SECONDS = 10.0
TRIES = 5
DYING_SECONDS = 0.1  # until a process that crashed has let go of its socket
MOST_LOGGED = 256 * 1024
_POLL_SECONDS = 0.01


class VectorsError(ClawgitError):
    """Vectors cannot be used now; core answers alone."""


class DamagedCacheError(VectorsError):
    """The cache of rows is damaged and has to be made anew."""


class NotHereError(VectorsError):
    """The packaged model was not downloaded yet."""


_KINDS = {"DamagedCacheError": DamagedCacheError, "NotFetchedError": NotHereError}


@dataclass(slots=True)
class Owner:
    """The owner process of this user, asked from here; ``folder`` is the user's cache."""

    folder: Path
    idle_seconds: float = IDLE_SECONDS

    @property
    def path(self) -> Path:
        """Return the place of its socket: one for each version of clawgit."""
        return self.folder / f"vectors-{__version__}.sock"

    def ask(self, do: str, *, seconds: float = 15.0, **what: Any) -> Any:
        """Return what the owner answers; one that dies over the question is replaced and asked again.

        Raises:
            VectorsError: It said why not, or did not answer in time.
        """
        deadline = time.monotonic() + seconds
        for left in reversed(range(TRIES)):
            try:
                reply = self._asked({"do": do, **what}, deadline)
            except (EOFError, ConnectionError) as error:
                if not left:
                    raise VectorsError(
                        "The process that holds the vectors died over a question, again and again."
                    ) from error
                time.sleep(DYING_SECONDS)
            except TimeoutError as error:
                raise VectorsError(
                    f"The vectors did not answer within {seconds:g} seconds.", hint="Try again in a minute."
                ) from error
            except (OSError, ValueError) as error:
                raise VectorsError(f"The vectors cannot be asked: {error}.") from error
            else:
                return _opened(reply)
        raise AssertionError("the last try returns or raises")

    def stop(self) -> None:
        """End the owner, if there is one, and wait until it has left everything whole."""
        with suppress(OSError, EOFError, ValueError), socket.socket(socket.AF_UNIX) as to:
            to.settimeout(5)
            with address_of(self.path) as address:
                to.connect(address)
            send(to, {"do": "stop"})
            receive(to)
        self._wait_for_end()

    def _wait_for_end(self) -> None:
        with suppress(OSError), self.path.with_suffix(".lock").open("rb") as lock:
            until = time.monotonic() + START_SECONDS
            while time.monotonic() < until:
                with suppress(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
                    return
                time.sleep(_POLL_SECONDS)

    def _asked(self, request: dict[str, Any], deadline: float) -> dict[str, Any]:
        with self._connected(deadline) as to:
            to.settimeout(max(0.01, deadline - time.monotonic()))
            send(to, request)
            return receive(to)

    def _connected(self, deadline: float) -> socket.socket:
        started = 0.0
        while True:
            to = socket.socket(socket.AF_UNIX)
            try:
                with address_of(self.path) as address:
                    to.connect(address)
            except (FileNotFoundError, ConnectionRefusedError):
                to.close()
                now = time.monotonic()
                if now > deadline:
                    raise TimeoutError from None
                if now - started > START_SECONDS:
                    self._start()
                    started = now
                time.sleep(_POLL_SECONDS)
            except BaseException:
                to.close()
                raise
            else:
                return to

    def _start(self) -> None:
        """Start the owner as a process of its own that outlives this one; its folder is the cache, not a workspace."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        log = self._log()
        words = [sys.executable, "-P", "-m", "clawgit.recall.vectors.vector_owner"]
        pid = os.posix_spawn(
            sys.executable,
            [*words, str(self.path), str(self.idle_seconds)],
            {**os.environ, **QUIET},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
        )
        os.waitpid(pid, 0)

    def _log(self) -> str:
        """Return where an owner writes what its libraries say; what grew too long is kept aside until the next time."""
        log = self.folder / "vectors.log"
        with suppress(FileNotFoundError):
            if log.stat().st_size > MOST_LOGGED:
                log.replace(log.with_suffix(".log.old"))
        return str(log)


def _opened(reply: dict[str, Any]) -> Any:
    if "ok" in reply:
        return reply["ok"]
    kind = _KINDS.get(str(reply.get("kind")), VectorsError)
    raise kind(str(reply.get("error")), hint=str(reply.get("hint", "")))
