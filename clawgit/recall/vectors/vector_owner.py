"""The owner: one process for each user that holds all vectors and the models that run here, asked over a socket.

It is started by whoever needs it first, answers one request after the other, brings Chroma up to date in between,
and ends when nobody has asked for a while. The socket is the user's own; no port is opened. What crashes in here
(Chroma, a model's runtime) takes nobody else along, and what hangs is ended.
"""

from __future__ import annotations

import faulthandler
import fcntl
import os
import resource
import select
import socket
import sqlite3
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.errors import ClawgitError
from clawgit.recall.vectors.embedding_cache import is_damage
from clawgit.recall.vectors.owner_protocol import address_of, receive, send, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clawgit.recall.embedders.local_model import LocalEmbedder
    from clawgit.recall.vectors.loaded_models import Models
    from clawgit.recall.vectors.workspace_vectors import Holding

IDLE_SECONDS = 90.0
REQUEST_SECONDS = 120.0
TALK_SECONDS = 5.0
QUIET_SECONDS = 0.2
FIRST_SECONDS = 2.0  # so long texts get their rows before a question is answered; the rest when it is quiet
EXTRA = 'pip install "clawgit[enhanced]"'


class Owner:
    """All that one owner process holds."""

    def __init__(self, path: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        self._path = path
        self._idle_seconds = idle_seconds
        self._holdings: dict[str, Holding] = {}
        self._unsettled: dict[str, None] = {}
        self._models: Models | None = None
        self._stopped = False

    def serve(self, listener: socket.socket) -> None:
        """Answer until nobody asks any more, then leave everything whole."""
        born = self._path.stat().st_ino
        last = time.monotonic()
        while not self._stopped and _is(self._path, born):
            if select.select([listener], [], [], self._patience(last))[0]:
                self._answer(listener)
                last = time.monotonic()
            elif self._unsettled:
                self._settle_one()
            elif time.monotonic() - last > self._idle_seconds:
                break
        if _is(self._path, born):
            self._path.unlink(missing_ok=True)
        for holding in self._holdings.values():
            holding.close()

    def _patience(self, last: float) -> float:
        """Return how long to wait for the next request: until it is quiet enough to work on Chroma, or to end."""
        if self._unsettled:
            return max(0.0, last + QUIET_SECONDS - time.monotonic())
        return min(1.0, self._idle_seconds)

    def _answer(self, listener: socket.socket) -> None:
        connection, _ = listener.accept()
        faulthandler.dump_traceback_later(REQUEST_SECONDS, exit=True)  # even if a library hangs in C
        with connection:
            connection.settimeout(TALK_SECONDS)
            try:
                request = receive(connection)
                send(connection, self._reply(request))
            except (OSError, EOFError, ValueError):
                pass  # whoever asked went away
            finally:
                faulthandler.cancel_dump_traceback_later()

    def _reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return {"ok": self._do(request)}
        except ClawgitError as error:
            return {"error": error.message, "hint": error.hint, "kind": type(error).__name__}
        except ModuleNotFoundError as error:
            self._stopped = True  # another installation, or this one by then, may have it
            return {
                "error": f"Vectors need the Python package {error.name}, which is not installed.",
                "hint": f"Run `{EXTRA}`, with the Python that clawgit runs in.",
                "kind": "MissingExtraError",
            }
        except sqlite3.Error as error:
            kind = "DamagedCacheError" if is_damage(error) else "VectorsError"
            return {"error": f"The cache of vectors cannot be read: {error}.", "hint": "", "kind": kind}
        except Exception as error:  # noqa: BLE001 - the one boundary of a request: whoever asked goes on without
            traceback.print_exc()  # into the owner's log
            said = f"{type(error).__name__}: {error}"
            return {
                "error": f"The vectors cannot be used ({said[:200]}).",
                "hint": "",
                "kind": "VectorsError",
            }

    def _do(self, request: Mapping[str, Any]) -> Any:
        operation = request["do"]
        if operation == "stop":
            self._stopped = True
            return True
        holding = self._holding(request["store"])
        if operation == "find":
            return self._find(holding, request)
        if operation == "settle":
            return holding.settle()
        if operation == "check":
            return holding.check(int(request["most"]))
        if operation == "drop":
            return self._drop(holding)
        return holding.about()

    def _drop(self, holding: Holding) -> bool:
        """Throw Chroma's part away, and let go of the rest: held on, it would be filled again as soon as it is quiet."""
        gone = holding.drop()
        name = _identity_of(holding.store.folder)
        self._unsettled.pop(name, None)
        self._holdings.pop(name).close()
        return gone

    def _find(self, holding: Holding, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the texts nearest to a question or a row, and how near those are that were named."""
        until = time.monotonic() + FIRST_SECONDS
        while holding.make() and time.monotonic() < until:
            pass
        row = unpacked(request["row"]) if "row" in request else holding.row_for(request["text"])
        if row is None:
            return {"best": None, **holding.about()}
        most = int(request["most"])
        best = holding.find(row, most)
        if request.get("past"):
            best = sorted([*best, *holding.find_past(row, most)], key=lambda hit: -hit[1])
        near = holding.near(row, [bytes.fromhex(name) for name in request.get("near", ())])
        return {"best": _named(best), "near": _named(near), **holding.gauge(row), **holding.about()}

    def _holding(self, asked: Mapping[str, Any]) -> Holding:
        """Return the holding of a workspace; another model or place of its vectors replaces the one before."""
        from clawgit.recall.vectors.workspace_vectors import HeldError, Holding, Store

        embedder = self._embedder(asked)
        model = asked if embedder is None else _model_of(embedder)
        store = Store(
            Path(asked["folder"]),
            Path(asked["index"]),
            **{name: model[name] for name in ("provider", "model", "dimension")},
            chunk=(int(asked["chunk"][0]), int(asked["chunk"][1])),
            url=asked["url"],
            token=asked["token"],
        )
        name = _identity_of(store.folder)
        held = self._holdings.get(name)
        if held is not None and (held.store != store or not held.is_in_place()):
            del self._holdings[name]
            held.close()
            held = None
        if held is None:
            try:
                held = self._holdings[name] = Holding(store, embedder)
            except HeldError as error:
                raise ClawgitError(
                    "Another process holds the vectors of this workspace.", hint="Try again in a minute."
                ) from error
            except LookupError as error:
                raise ClawgitError("Nothing was turned into vectors yet.") from error
        self._unsettled[name] = None
        return held

    def _embedder(self, asked: Mapping[str, Any]) -> LocalEmbedder | None:
        """Return the model that runs here, None where rows come from elsewhere."""
        if asked["local"] is None:
            return None
        from clawgit.recall.vectors.loaded_models import Models

        if self._models is None:
            self._models = Models()
        return self._models.named(asked["local"], may_fetch=bool(asked["may_fetch"]))

    def _settle_one(self) -> None:
        name = next(iter(self._unsettled))
        del self._unsettled[name]
        held = self._holdings.get(name)
        if held is None:
            return
        faulthandler.dump_traceback_later(REQUEST_SECONDS, exit=True)
        try:
            if held.settle():
                self._unsettled[name] = None
        except Exception:  # noqa: BLE001 - the same boundary: whoever asks next is told what is wrong
            traceback.print_exc()
            del self._holdings[name]
            held.close()
        finally:
            faulthandler.cancel_dump_traceback_later()


def _model_of(embedder: LocalEmbedder) -> dict[str, Any]:
    return {"provider": embedder.provider, "model": embedder.model, "dimension": embedder.dimension}


def _identity_of(folder: Path) -> str:
    """Return what tells a workspace's folder from any other, wherever it was moved to; it is made where it is missing."""
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.stat()
    return f"{state.st_dev}:{state.st_ino}"


def _named(hits: Iterable[tuple[bytes, float]]) -> list[tuple[str, float]]:
    return [(text.hex(), round(cosine, 6)) for text, cosine in hits]


def _is(path: Path, inode: int) -> bool:
    try:
        return path.stat().st_ino == inode
    except OSError:
        return False


def _alone(path: Path) -> bool:
    """Take the lock of the only owner, waiting for one that is just ending; False if one is there to be asked."""
    lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if _answers(path):
                return False
            time.sleep(0.02)
        else:
            return True


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe, address_of(path) as address:
        try:
            probe.connect(address)
        except OSError:
            return False
    return True


def _reach_this_machine_directly() -> None:
    """See that no proxy hears what goes to a Chroma server on this machine."""
    told = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    os.environ["no_proxy"] = ",".join([*filter(None, [told]), "localhost", "127.0.0.1", "::1"])


def main(arguments: list[str]) -> None:
    """Be the owner at the socket that is named, for as long as it is needed."""
    path = Path(arguments[0])
    _reach_this_machine_directly()
    os.chdir(path.parent)  # Chroma takes settings from a file `.env` where it runs: never in a workspace
    if os.fork():  # whoever started it waits for this end, and never for the owner's
        os._exit(0)
    faulthandler.enable()
    os.setsid()
    os.umask(0o077)
    with suppress(ValueError, OSError):  # a job that starts it has a limit of its own
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    if not _alone(path):
        return
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listener, address_of(path) as address:
        listener.bind(address)
        listener.listen(128)
        Owner(path, *map(float, arguments[1:2])).serve(listener)


if __name__ == "__main__":
    main(sys.argv[1:])
