"""The vectors of all requested workspaces, and the local models: for the one process that owns them."""

from __future__ import annotations

import sqlite3
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.errors import ClawgitError
from clawgit.recall.embedders.embedder import VectorsError, unpacked
from clawgit.recall.vectors.embedding_cache import cache_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clawgit.recall.embedders.local_model import LocalEmbedder
    from clawgit.recall.vectors.workspace_vectors import Holding

FIRST_SECONDS = 2.0  # long texts get rows for so long before a question is answered; the rest when idle


class HeldVectors:
    """The state of the owner process; it raises a `ClawgitError`, or an ImportError if the extra is missing."""

    def __init__(self) -> None:
        self._holdings: dict[str, Holding] = {}
        self._unsettled: dict[str, None] = {}
        self._models: dict[str, LocalEmbedder] = {}

    @property
    def is_settled(self) -> bool:
        """Say whether Chroma is up to date for all workspaces, as far as known."""
        return not self._unsettled

    def do(self, operation: str, request: Mapping[str, Any]) -> Any:
        folder = Path(request["store"]["folder"])
        try:
            holding = self._holding(folder, request["store"])
            if operation == "find":
                until = time.monotonic() + FIRST_SECONDS
                while holding.make() and time.monotonic() < until:
                    pass
                row = unpacked(request["row"]) if "row" in request else holding.row_for(request["text"])
                if row is None:
                    return {"best": None, **holding.about()}
                best = holding.find(row, int(request["most"]))
                near = holding.near(row, [bytes.fromhex(name) for name in request.get("near", ())])
                return {"best": _named(best), "near": _named(near), **holding.gauge(row), **holding.about()}
            if operation == "settle":
                return holding.settle()
            if operation == "drop":
                is_gone = holding.drop()
                # The holding goes, too: its Chroma would be filled again when idle.
                name = _identity_of(folder)
                self._unsettled.pop(name, None)
                self._holdings.pop(name).close()
                return is_gone
            if operation == "about":
                holding.look_again()
                return holding.about()
        except sqlite3.Error as error:
            raise cache_error(folder, error) from error
        raise VectorsError(f"The vectors cannot be asked to {operation!r}.")

    def settle_one(self) -> None:
        """Advance the Chroma of one workspace by a step; the next request reports errors."""
        name = next(iter(self._unsettled))
        del self._unsettled[name]
        holding = self._holdings.get(name)
        if holding is None:
            return
        try:
            if holding.settle():
                self._unsettled[name] = None
        except Exception:  # noqa: BLE001 - the boundary around one workspace of many
            traceback.print_exc()
            self._holdings.pop(name).close()

    def close(self) -> None:
        for holding in self._holdings.values():
            holding.close()
        self._holdings.clear()
        self._unsettled.clear()

    def _holding(self, folder: Path, store_data: Mapping[str, Any]) -> Holding:
        """Return the holding of a workspace; another model or place of its vectors replaces the last one."""
        from clawgit.recall.vectors.workspace_vectors import HeldError, Holding, Store

        embedder, model = None, store_data
        place = store_data["local"]  # the model's folder; empty for the packaged one
        if place is not None:
            from clawgit.recall.embedders.local_model import LocalEmbedder, packaged_embedder

            if place not in self._models:
                self._models[place] = LocalEmbedder(Path(place), "local") if place else packaged_embedder()
            embedder = self._models[place]
            model = {name: getattr(embedder, name) for name in ("provider", "model", "dimension")}
        tokens, overlap = store_data["chunk"]
        store = Store(
            folder,
            Path(store_data["index"]),
            model["provider"],
            model["model"],
            model["dimension"],
            chunk=(int(tokens), int(overlap)),
            url=store_data["url"],
            token=store_data["token"],
        )
        name = _identity_of(folder)
        holding = self._holdings.get(name)
        if holding is None or holding.store != store or not holding.is_in_place():
            if holding is not None:
                self._holdings.pop(name).close()
            try:
                holding = self._holdings[name] = Holding(store, embedder)
            except HeldError as error:
                sentence = "Another process holds the vectors of this workspace."
                raise ClawgitError(sentence, hint="Try again in a minute.") from error
            except LookupError as error:
                raise ClawgitError("Nothing was turned into vectors yet.") from error
        self._unsettled[name] = None
        return holding


def _identity_of(folder: Path) -> str:
    """Return a workspace folder's own id, which survives a move; made if missing."""
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.stat()
    return f"{state.st_dev}:{state.st_ino}"


def _named(hits: Iterable[tuple[bytes, float]]) -> list[tuple[str, float]]:
    return [(text.hex(), round(cosine, 6)) for text, cosine in hits]
