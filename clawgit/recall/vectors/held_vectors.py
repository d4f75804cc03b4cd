"""The vectors of all workspaces that were asked for, and the models that run here: for the one process that owns them."""

from __future__ import annotations

import sqlite3
import time
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.errors import ClawgitError
from clawgit.recall.vectors.embedding_cache import is_damage
from clawgit.recall.vectors.owner_client import DamagedCacheError, NotHereError, VectorsError
from clawgit.recall.vectors.packed_rows import unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clawgit.recall.embedders.local_model import LocalEmbedder
    from clawgit.recall.vectors.loaded_models import Models
    from clawgit.recall.vectors.workspace_vectors import Holding

FIRST_SECONDS = 2.0  # so long texts get their rows before a question is answered; the rest when it is quiet


class HeldVectors:
    """All that the process holds; what it raises is a `ClawgitError`, or a module of the extra is missing."""

    def __init__(self) -> None:
        self._holdings: dict[str, Holding] = {}
        self._unsettled: dict[str, None] = {}
        self._models: Models | None = None

    @property
    def is_settled(self) -> bool:
        """Say whether Chroma is up to date everywhere, as far as is known."""
        return not self._unsettled

    def do(self, operation: str, asked: Mapping[str, Any]) -> Any:
        """Return what one request to the owner comes to."""
        with _in_words():
            holding = self._holding(asked["store"])
            if operation == "find":
                return self._find(holding, asked)
            if operation == "settle":
                return holding.settle()
            if operation == "check":
                return holding.check(int(asked["most"]))
            if operation == "drop":
                return self._drop(holding)
            holding.look_again()
            return holding.about()

    def settle_one(self) -> None:
        """Bring the Chroma of one workspace a step further; whoever asks next is told what is wrong."""
        name = next(iter(self._unsettled))
        del self._unsettled[name]
        held = self._holdings.get(name)
        if held is None:
            return
        try:
            if held.settle():
                self._unsettled[name] = None
        except Exception:  # noqa: BLE001 - the boundary around one workspace of many
            traceback.print_exc()
            del self._holdings[name]
            held.close()

    def close(self) -> None:
        """Leave everything whole for the next owner."""
        for holding in self._holdings.values():
            holding.close()

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


@contextmanager
def _in_words() -> Iterator[None]:
    """Tell by its type what whoever asked acts upon."""
    try:
        yield
    except sqlite3.Error as error:
        kind = DamagedCacheError if is_damage(error) else VectorsError
        raise kind(f"The cache of vectors cannot be read: {error}.") from error
    except ClawgitError as error:
        if type(error).__name__ == "NotFetchedError":  # whose module is heavy
            raise NotHereError(error.message, hint=error.hint) from error
        raise


def _model_of(embedder: LocalEmbedder) -> dict[str, Any]:
    return {"provider": embedder.provider, "model": embedder.model, "dimension": embedder.dimension}


def _identity_of(folder: Path) -> str:
    """Return what tells a workspace's folder from any other, wherever it was moved to; it is made where it is missing."""
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.stat()
    return f"{state.st_dev}:{state.st_ino}"


def _named(hits: Iterable[tuple[bytes, float]]) -> list[tuple[str, float]]:
    return [(text.hex(), round(cosine, 6)) for text, cosine in hits]
