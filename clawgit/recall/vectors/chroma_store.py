"""Chroma, embedded or behind an address: rows by the hash of their text, and nothing else. For the owner process only.

Whatever Chroma raises (a panic of its core included) becomes a `ShelfError`; what is on a shelf can always be
put there again.
"""

from __future__ import annotations

import secrets
import shutil
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import chromadb
from chromadb.config import Settings

from clawgit.http_client import heard_within
from clawgit.recall.vectors import chroma_seal as seal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np

COLLECTION = "clawgit-memory"
SERVER_SECONDS = 5.0
# Wider than Chroma's own: beside thousands of lines that are much alike those lost the nearest row of 1 question in 75.
_GRAPH = {"hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": 300, "max_neighbors": 32}}


_REASONS = {
    "the server does not answer in time": {"TimeoutException", "TimeoutError", "Timeout"},
    "no server answers at chroma_url": {"NetworkError", "ConnectionError", "ConnectError", "ProtocolError"},
    "the server does not take the token": {"AuthorizationError", "ChromaAuthError"},
}


class ShelfError(Exception):
    """Chroma did not do what it was asked for."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What is to be on a shelf: rows of one model of one workspace."""

    place: str
    key: str
    about: dict[str, Any]


class Shelf(Protocol):
    """Where rows stand by their hashes."""

    lasting: bool  # False: it may come back, so nothing on it is thrown away when it fails

    def names(self) -> set[str]:
        """Return the hashes of all rows."""

    def put(self, names: Sequence[str], rows: np.ndarray) -> None:
        """Put rows there, in place of those of the same hash."""

    def remove(self, names: Sequence[str]) -> None:
        """Take rows away."""

    def nearest(self, rows: np.ndarray, most: int) -> list[list[tuple[str, float]]]:
        """Return for each of ``rows`` the nearest ones with their cosines, nearest first."""

    def close(self) -> None:
        """Leave it, whole."""

    def discard(self) -> None:
        """Throw away what is on it."""


class _Collection:
    """The calls that both kinds have in common."""

    lasting = True

    def __init__(self, client: Any, collection: Any) -> None:
        self._client = client
        self._collection = collection

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
        with _translated():
            found = self._collection.query(query_embeddings=rows, n_results=most, include=["distances"])
            return [
                [(name, 1.0 - float(distance)) for name, distance in zip(ids, distances, strict=True)]
                for ids, distances in zip(found["ids"], found["distances"], strict=True)
            ]


class EmbeddedShelf(_Collection):
    """A folder of Chroma's own files; whoever makes one holds the lock of the folder above."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with _translated():
            folder.mkdir(mode=0o700, exist_ok=True)
            client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
            super().__init__(client, _collection(client, COLLECTION, {}))

    def close(self) -> None:
        """Leave it, whole."""
        with _translated():
            self._client.close()
            seal.seal(self.folder)

    def discard(self) -> None:
        """Throw away what is on it."""
        with suppress(ShelfError), _translated():
            self._client.close()
        remove_folder(self.folder)


class ServerShelf(_Collection):
    """A collection of ours on a Chroma server; it is never started by us."""

    lasting = False

    def __init__(self, url: str, token: str, contents: Contents) -> None:
        self._start = f"clawgit-{contents.place}-"
        with _translated():
            client = _client(url, token)
            super().__init__(client, _collection(client, self._start + contents.key, contents.about))

    def close(self) -> None:
        """Leave it, whole."""
        with suppress(ShelfError), _translated():
            self._client.close()

    def discard(self) -> None:
        """Throw away what the workspace has there, of earlier models as well."""
        with _translated():
            for name in [each.name for each in self._client.list_collections()]:
                if name.startswith(self._start):
                    self._client.delete_collection(name)


def _client(url: str, token: str) -> Any:
    """Return Chroma's client for a server; it asks for things while it is made, and would wait for ever."""
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
        raise ShelfError("the server does not answer in time") from error
    _limit(client)
    return client


def _limit(client: Any) -> None:
    """Give Chroma's client, which waits for ever, a limit."""
    session: Any = getattr(getattr(client, "_server", None), "_session", None)
    if hasattr(session, "timeout"):
        session.timeout = SERVER_SECONDS


def _collection(client: Any, name: str, about: dict[str, Any]) -> Any:
    """Return our collection; one of that name that holds something else is replaced."""
    wanted = {**about, "made-by": "clawgit"}
    found = client.get_or_create_collection(
        name, configuration=_GRAPH, embedding_function=None, metadata=wanted
    )
    graph = found.configuration_json.get("hnsw") or {}
    if found.metadata != wanted or graph != {**graph, **_GRAPH["hnsw"]}:
        client.delete_collection(name)
        found = client.create_collection(name, configuration=_GRAPH, embedding_function=None, metadata=wanted)
    return found


def folder_for(above: Path, contents: Contents) -> Path:
    """Return the folder for these contents in ``above``, one of its own for each version of Chroma and each model.

    A new one has a new name: Chroma remembers what it once opened under a name. All others are removed.
    """
    start = f"chroma-{chromadb.__version__}-{contents.key}-"
    found = sorted(path for path in above.glob("chroma-*") if path.is_dir())
    kept = next(
        (path for path in found if path.name.startswith(start)), above / (start + secrets.token_hex(4))
    )
    for path in found:
        if path != kept:
            remove_folder(path)
    return kept


def remove_folder(folder: Path) -> None:
    """Remove a folder of Chroma's and what was noted about it."""
    shutil.rmtree(folder, ignore_errors=True)
    seal.forget(folder)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a panic of Chroma's core is no Exception
        raise ShelfError(_reason(error)) from error


def _reason(error: BaseException) -> str:
    """Return in our words what went wrong: by the kinds of the errors that led to it, never by their texts."""
    if isinstance(error, ShelfError):
        return str(error)
    kinds: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(kinds) < 20:
        kinds += [kind.__name__ for kind in type(cause).__mro__]
        cause = cause.__cause__ or cause.__context__
    for reason, names in _REASONS.items():
        if not names.isdisjoint(kinds):
            return reason
    return f"it met an error of its own ({type(error).__name__})"
