"""Rows in memory, and in Chroma (embedded or behind an address), by the hash of their text. For the owner process only.

The cache of rows has all that Chroma has: a failed, damaged or unclosed Chroma is filled again. All its
errors (a panic of its core included) become a `ChromaError`.
"""

from __future__ import annotations

import json
import random
import secrets
import shutil
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

import chromadb
import numpy as np
from chromadb.config import Settings

from clawgit.http_client import heard_within
from clawgit.workspace.safe_files import write_private

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path


BATCH = 250
AT_ONCE = 64  # so many rows are looked up before an opened Chroma is trusted
LATER = 1000  # and so many when it is idle; with fewer rows than that, all
GROWN = 0.1  # after this share of new rows they are looked up: Chroma loses some of many similar ones
MOST_DEAD = 1000
TRIES = 3
AGAIN_SECONDS = 30.0
SERVER_SECONDS = 5.0
COLLECTION = "clawgit-memory"
# Wider than Chroma's own: with thousands of similar lines its values lost the nearest row of 1 question in 75.
_GRAPH = {"hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": 300, "max_neighbors": 32}}
_REASONS = {
    "the server does not answer in time": {"TimeoutException", "TimeoutError", "Timeout"},
    "no server answers at chroma_url": {"NetworkError", "ConnectionError", "ConnectError", "ProtocolError"},
    "the server does not take the token": {"AuthorizationError", "ChromaAuthError"},
}


class ChromaError(Exception):
    """Chroma failed."""


class _LostError(ChromaError):
    """A row in Chroma is not found by itself."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The rows that Chroma should hold: one model of one workspace."""

    place: str
    key: str
    about: dict[str, Any]


class Rows:
    """Rows of one dimension by the hashes of their texts, the oldest first."""

    def __init__(self, dimension: int, rows: Mapping[bytes, np.ndarray] | None = None) -> None:
        self._names: list[bytes] = []
        self._matrix = np.zeros((0, dimension), np.float32)
        self.take(rows or {})

    def __len__(self) -> int:
        return len(self._names)

    @property
    def names(self) -> list[bytes]:
        return self._names

    def take(self, rows: Mapping[bytes, np.ndarray]) -> None:
        if rows:
            self._names = [*self._names, *rows]
            self._matrix = np.concatenate([self._matrix, np.stack(list(rows.values()))])

    def keep_only(self, names: Collection[bytes]) -> None:
        places = [number for number, name in enumerate(self._names) if name in names]
        if len(places) < len(self._names):
            self._names = [self._names[number] for number in places]
            self._matrix = self._matrix[places]

    def first(self, most: int) -> tuple[list[bytes], np.ndarray]:
        return self._names[:most], self._matrix[:most]

    def drop_first(self, number: int) -> None:
        self._names = self._names[number:]
        self._matrix = self._matrix[number:]

    def cosines(self, row: np.ndarray) -> np.ndarray:
        return np.asarray(self._matrix @ row)

    def nearest(self, row: np.ndarray, most: int) -> list[tuple[bytes, float]]:
        """Return the nearest rows with their cosines, nearest first."""
        if not self._names:
            return []
        cosines = self.cosines(row)
        best = np.argsort(-cosines, kind="stable")[:most]
        return [(self._names[number], float(cosines[number])) for number in best]


class ChromaRows:
    """The rows in Chroma: those to delete are ``dead``; those to add are kept elsewhere.

    ``load`` returns the rows of texts from the cache. With a ``server`` (address, token) that one is used,
    else a folder within ``folder``.
    """

    def __init__(
        self, folder: Path, contents: Contents, server: tuple[str, str], load: Callable[[set[bytes]], Rows]
    ) -> None:
        self.placed: set[bytes] = set()
        self.dead: set[bytes] = set()
        self._trouble = ""
        self._folder = folder
        self._contents = contents
        self._load = load
        self._url, self._token = server
        self._shelf: _Shelf | None = None
        self._unchecked: list[bytes] = []
        self._new = 0
        self._filled_here = False
        self._failures = 0
        self._not_before = 0.0

    @property
    def trouble(self) -> str:
        """Return why Chroma failed; empty once a server may be asked again."""
        is_over = bool(self._url) and time.monotonic() >= self._not_before
        return "" if is_over else self._trouble

    @property
    def is_open(self) -> bool:
        return self._shelf is not None

    @property
    def left(self) -> int:
        """Return how many rows are left to delete or to look up."""
        return len(self.dead) + len(self._unchecked) if self.is_open else 0

    def open(self) -> bool:
        """Open Chroma if it is closed; return whether it is open."""
        if self._shelf is not None:
            return True
        if self._failures >= TRIES or time.monotonic() < self._not_before:
            return False
        try:
            if self._url:
                self._shelf = _ServerShelf(self._url, self._token, self._contents)
            else:
                self._shelf = _EmbeddedShelf(_folder_for(self._folder, self._contents))
            self.placed = {bytes.fromhex(name) for name in self._shelf.names()}
            self._filled_here = not self.placed
            self._look_for_some()
            self._must_recall(self._unchecked[:AT_ONCE])
        except (ChromaError, OSError, ValueError) as error:
            self.fail(error)
            return False
        self._trouble = ""
        return True

    def nearest(self, row: np.ndarray, most: int) -> list[tuple[bytes, float]]:
        """Return the nearest rows; some of them may be dead."""
        if self._shelf is None or not self.placed:
            return []
        most = min(len(self.placed), most + min(len(self.dead), MOST_DEAD))
        (hits,) = self._shelf.nearest(row[None, :], most)
        return [(bytes.fromhex(name), cosine) for name, cosine in hits]

    def step(self, waiting: Rows) -> bool:
        """Look up some rows, delete some dead ones, or add some of ``waiting``; return False if Chroma failed."""
        if not self.open():
            return False
        try:
            if self._unchecked:
                some = self._unchecked[:BATCH]
                del self._unchecked[:BATCH]
                self._must_recall(some)
            elif self.dead:
                texts = sorted(self.dead)[:MOST_DEAD]
                assert self._shelf is not None
                self._shelf.remove([text.hex() for text in texts])
                self.placed.difference_update(texts)
                self.dead.difference_update(texts)
            elif len(waiting):
                assert self._shelf is not None
                texts, rows = waiting.first(BATCH)
                self._shelf.put([text.hex() for text in texts], rows)
                self.placed.update(texts)
                waiting.drop_first(len(texts))
                self._new += len(texts)
                if not len(waiting) and self._new > GROWN * len(self.placed):
                    self._look_for_some()
        except ChromaError as error:
            if isinstance(error, _LostError) and self._filled_here:
                self._failures = TRIES  # no damage: it cannot tell these rows apart, nor after a rebuild
            self.fail(error)
            return False
        return True

    def fail(self, error: Exception) -> None:
        """Close Chroma for now; a folder of its own is deleted and made again."""
        self._failures += 1
        self._trouble = f"Chroma failed: {str(error).rstrip('.')}."
        shelf = self._shelf
        self._forget()
        if shelf is not None:
            with suppress(ChromaError, OSError):
                if self._url:
                    shelf.close()
                else:
                    shelf.discard()
        if self._url:
            self._failures = 0
            self._not_before = time.monotonic() + AGAIN_SECONDS

    def close(self) -> None:
        """Close it whole for the next owner."""
        if self._shelf is not None:
            with suppress(ChromaError, OSError):  # the next owner fills again what was not closed
                self._shelf.close()
        self._shelf = None

    def drop(self) -> bool:
        """Delete the rows there; return False if a server did not answer."""
        is_gone = not self._url
        with suppress(ChromaError, OSError):
            if self.open() and self._shelf is not None:
                self._shelf.discard()
                is_gone = True
        self._forget()
        return is_gone

    def _forget(self) -> None:
        self._shelf = None
        self.placed = set()
        self.dead = set()

    def _look_for_some(self) -> None:
        self._unchecked = random.sample(sorted(self.placed), min(LATER, len(self.placed)))
        self._new = 0

    def _must_recall(self, texts: list[bytes]) -> None:
        """Raise _LostError unless Chroma finds each of at most `BATCH` rows by itself."""
        assert self._shelf is not None
        names, rows = self._load(self.placed.intersection(texts)).first(BATCH)
        if not names:
            return
        recalled = 0
        for name, hits in zip(names, self._shelf.nearest(rows, 10), strict=True):
            recalled += any(name.hex() == hit and cosine > 0.999 for hit, cosine in hits)
        if recalled < len(names):
            raise _LostError(f"{len(names) - recalled} of {len(names)} rows could not be found again")


class _Collection:
    def __init__(self, client: Any, name: str, about: dict[str, Any]) -> None:
        self._client = client
        self._collection = _collection(client, name, about)

    def names(self) -> set[str]:
        with _translated():
            return set(self._collection.get(include=[])["ids"])

    def put(self, names: Sequence[str], rows: np.ndarray) -> None:
        with _translated():
            self._collection.upsert(ids=list(names), embeddings=rows)

    def remove(self, names: Sequence[str]) -> None:
        with _translated():
            self._collection.delete(ids=list(names))

    def nearest(self, rows: np.ndarray, most: int) -> list[list[tuple[str, float]]]:
        """Return for each of ``rows`` the nearest ones with their cosines, nearest first."""
        with _translated():
            hits = self._collection.query(query_embeddings=rows, n_results=most, include=["distances"])
            nearest = []
            for ids, distances in zip(hits["ids"], hits["distances"], strict=True):
                cosines = [1.0 - float(distance) for distance in distances]
                nearest.append(list(zip(ids, cosines, strict=True)))
            return nearest


class _EmbeddedShelf(_Collection):
    """A folder of Chroma's own files; its maker holds the lock of the folder above."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with _translated():
            folder.mkdir(mode=0o700, exist_ok=True)
            client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
            super().__init__(client, COLLECTION, {})

    def close(self) -> None:
        with _translated():
            self._client.close()
        write_private(_note_of(self.folder), _state_of(self.folder))

    def discard(self) -> None:
        with suppress(ChromaError), _translated():
            self._client.close()
        _remove_folder(self.folder)


class _ServerShelf(_Collection):
    def __init__(self, url: str, token: str, contents: Contents) -> None:
        self._start = f"clawgit-{contents.place}-"
        with _translated():
            super().__init__(_client(url, token), self._start + contents.key, contents.about)

    def close(self) -> None:
        with suppress(ChromaError), _translated():
            self._client.close()

    def discard(self) -> None:
        """Delete the workspace's rows there, also of earlier models."""
        with _translated():
            for name in list(map(attrgetter("name"), self._client.list_collections())):
                if name.startswith(self._start):
                    self._client.delete_collection(name)


_Shelf: TypeAlias = "_EmbeddedShelf | _ServerShelf"


def _client(url: str, token: str) -> Any:
    """Return Chroma's client for a server; its constructor sends requests, and has no timeout of its own."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    usual = ":8000" if parts.scheme == "http" and parts.port is None else ""

    def make() -> Any:
        return chromadb.HttpClient(
            host=f"{parts.scheme}://{place}{usual}{parts.path.rstrip('/')}",
            ssl=parts.scheme == "https",
            headers={"Authorization": f"Bearer {token}", "X-Chroma-Token": token} if token else {},
            settings=Settings(anonymized_telemetry=False),
        )

    try:
        client = heard_within(SERVER_SECONDS, make)
    except TimeoutError as error:
        raise ChromaError("the server does not answer in time") from error
    session: Any = getattr(getattr(client, "_server", None), "_session", None)
    if hasattr(session, "timeout"):
        session.timeout = SERVER_SECONDS
    return client


def _collection(client: Any, name: str, about: dict[str, Any]) -> Any:
    """Return our collection; one of that name with other contents is replaced."""
    metadata = {**about, "made-by": "clawgit"}
    made = {"configuration": _GRAPH, "embedding_function": None, "metadata": metadata}
    collection = client.get_or_create_collection(name, **made)
    graph = collection.configuration_json.get("hnsw") or {}
    if collection.metadata != metadata or graph != {**graph, **_GRAPH["hnsw"]}:
        client.delete_collection(name)
        collection = client.create_collection(name, **made)
    return collection


def _folder_for(above: Path, contents: Contents) -> Path:
    """Return the folder for these contents in ``above``: one for each version of Chroma and each model.

    A folder that differs from its last owner's note is not trusted: Chroma answers from damaged files
    silently. All others are deleted, and a new one has a new name, since Chroma remembers opened folders by
    name.
    """
    start = f"chroma-{chromadb.__version__}-{contents.key}-"
    chosen = None
    for folder in sorted(path for path in above.glob("chroma-*") if path.is_dir()):
        if chosen is None and folder.name.startswith(start) and _is_as_it_was_left(folder):
            chosen = folder
        else:
            _remove_folder(folder)
    if chosen is None:
        return above / (start + secrets.token_hex(4))
    _note_of(chosen).unlink()  # until it is closed again
    return chosen


def _is_as_it_was_left(folder: Path) -> bool:
    try:
        return _note_of(folder).read_text("utf-8", "replace") == _state_of(folder)
    except OSError:
        return False


def _note_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.closed")


def _state_of(folder: Path) -> str:
    files = [(path, path.stat()) for path in sorted(folder.rglob("*")) if path.is_file()]
    return json.dumps(
        [[str(path.relative_to(folder)), stat.st_size, stat.st_mtime_ns] for path, stat in files]
    )


def _remove_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for note in folder.parent.glob(f"{folder.name}.*"):
        note.unlink(missing_ok=True)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a panic of Chroma's core is not an Exception
        raise ChromaError(_reason(error)) from error


def _reason(error: BaseException) -> str:
    """Return the reason of a failure in our words: by the kinds of its causes, never by their texts."""
    if isinstance(error, ChromaError):
        return str(error)
    kinds: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(kinds) < 20:
        kinds += map(attrgetter("__name__"), type(cause).__mro__)
        cause = cause.__cause__ or cause.__context__
    for reason, names in _REASONS.items():
        if not names.isdisjoint(kinds):
            return reason
    return f"it met an error of its own ({type(error).__name__})"
