"""The vectors of one workspace as their owner holds them: Chroma, and the rows that it does not hold (yet).

Live rows outside Chroma are compared one by one, so an answer never waits for Chroma, and losing it costs
time only. For the owner process only.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from clawgit.history.git.lock import only_holder
from clawgit.recall.vectors.chroma import ChromaError, ChromaRows, Contents, Rows
from clawgit.recall.vectors.embedding_cache import (
    EMBEDDINGS,
    PROBES,
    EmbeddingCache,
    LiveTexts,
    made_rows,
    probe_bytes,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clawgit.recall.embedders.choose_embedder import Embedder

MADE_AT_ONCE = 64
SAMPLE = 256
_DTYPE = np.dtype("<f4")


class HeldError(Exception):
    """Another process owns the vectors of this workspace."""


@dataclass(frozen=True, slots=True)
class Store:
    """Which vectors: a workspace's folder, its index, chunk size and overlap, and a Chroma server if any."""

    folder: Path
    index: Path
    provider: str
    model: str
    dimension: int
    chunk: tuple[int, int] = (400, 80)
    url: str = ""
    token: str = field(default="", repr=False)


class Holding:
    """The vectors of one workspace and one model, locked by this process.

    ``embedder`` makes rows here; without one, clients put them into the cache.
    """

    def __init__(self, store: Store, embedder: Embedder | None = None) -> None:
        self.store = store
        self._embedder = embedder
        store.folder.mkdir(mode=0o700, exist_ok=True)
        with ExitStack() as taken:
            if taken.enter_context(only_holder(store.folder / "owner.lock")) is None:
                raise HeldError
            self._cache = EmbeddingCache(store.folder / EMBEDDINGS)
            taken.callback(self._cache.close)
            self._inode = (store.folder / EMBEDDINGS).stat().st_ino
            self._model = self._noted_model()
            self._taken = taken.pop_all()
        self._texts = LiveTexts(store.index)
        self._generation = -1
        self._have: set[bytes] = set()
        self._missing: list[bytes] = []
        self._waiting = Rows(store.dimension)
        self._sample = Rows(store.dimension)
        self._unrelated: tuple[int, float] | None = None
        key = f"{self._model.model_id:d}"
        about = {"provider": store.provider, "model": store.model, "dimension": store.dimension}
        self._chroma = ChromaRows(
            store.folder,
            Contents(self._cache.place(), key, about),
            (store.url, store.token),
            lambda names: Rows(store.dimension, self._load(names)),
        )

    def is_in_place(self) -> bool:
        """Say whether the workspace is still at its place, and its cache the open one."""
        try:
            return (self.store.folder / EMBEDDINGS).stat().st_ino == self._inode
        except OSError:
            return False

    def find(self, row: Sequence[float], most: int) -> list[tuple[bytes, float]]:
        """Return the live texts nearest to ``row``, with their cosines, nearest first."""
        self._refresh()
        return self._nearest(np.asarray(row, np.float32), most)

    def near(self, row: Sequence[float], texts: Sequence[bytes]) -> list[tuple[bytes, float]]:
        """Return the cosines of these texts, live or not; those without a row are left out."""
        rows = Rows(self.store.dimension, self._load(set(texts)))
        cosines = rows.cosines(np.asarray(row, np.float32))
        return list(zip(rows.names, map(float, cosines), strict=True))

    def gauge(self, row: Sequence[float]) -> dict[str, float]:
        """Return mean and spread of the texts' cosines with ``row``, and the reach of unrelated texts."""
        cosines = self._sample.cosines(np.asarray(row, np.float32))
        mean = spread = 0.0
        if len(cosines):
            mean = float(cosines.mean())
            spread = float(cosines.std())
        have = len(self._have)
        if self._unrelated is None or abs(self._unrelated[0] - have) > 0.05 * have:  # the texts have grown
            probes = np.frombuffer(self._model.probes, _DTYPE).reshape(-1, self.store.dimension)
            nearest = [self._nearest(probe, 1) for probe in probes]
            reached = [hits[0][1] for hits in nearest if hits]
            self._unrelated = (have, median(reached) if reached else 0.0)
        return {"mean": mean, "spread": spread, "unrelated": self._unrelated[1]}

    def row_for(self, question: str) -> Sequence[float] | None:
        """Return the row for a question, None if the model cannot read it."""
        return None if self._embedder is None else self._embedder.embed([question], query=True)[0]

    def make(self) -> int:
        """Make rows here for some texts without one; return how many are left."""
        self._refresh()
        if self._embedder is None:
            return 0
        some = self._missing[:MADE_AT_ONCE]
        if some:
            made = made_rows(self._embedder, self._texts.texts(some), self.store.chunk)
            self._cache.keep(self._model.model_id, made)
            del self._missing[: len(some)]
        return len(self._missing)

    def settle(self) -> int:
        """Take one step towards rows for all live texts, all of them in Chroma; return how many are left."""
        self._refresh()
        if self._missing and self._embedder is not None:
            self.make()
            self._refresh()
        elif not self._chroma.step(self._waiting):
            self._generation = -1
            self._refresh()
            return self._to_make()
        return self._to_make() + len(self._waiting) + self._chroma.left

    def about(self) -> dict[str, Any]:
        """Return how many texts are live, have a row, are unreadable, are in Chroma; and Chroma's error."""
        self._refresh()
        live = len(self._texts.hashes)
        return {
            "live": live,
            "rows": len(self._have),
            "unreadable": live - len(self._have) - len(self._missing),
            "provider": self.store.provider,
            "model": self.store.model,
            "dimension": self.store.dimension,
            "placed": len(self._chroma.placed) - len(self._chroma.dead),
            "trouble": self._chroma.trouble,
        }

    def look_again(self) -> None:
        """Try a failed server again after a while: its error may be over."""
        was_open = self._chroma.is_open
        if self._chroma.open() and not was_open:
            self._generation = -1

    def close(self) -> None:
        try:
            self._chroma.close()
        finally:
            self._taken.close()

    def drop(self) -> bool:
        """Delete Chroma's rows, not the cache; return False if a server did not answer."""
        self._generation = -1
        return self._chroma.drop()

    def _to_make(self) -> int:
        return 0 if self._embedder is None else len(self._missing)

    def _noted_model(self) -> Any:
        store = self.store
        if self._embedder is not None:
            probes = probe_bytes(self._embedder.embed(PROBES, query=True), store.dimension)
            return self._cache.note_model(store.provider, store.model, store.dimension, probes)
        model = self._cache.model(store.provider, store.model, store.dimension)
        if model is None:
            raise LookupError(store.model)
        return model

    def _refresh(self) -> None:
        generation = self._cache.generation()
        if not self._texts.renew() and generation == self._generation:
            return
        self._generation = generation
        live, model_id = self._texts.hashes, self._model.model_id
        self._have = self._cache.with_rows(model_id) & live
        self._missing = sorted(live - self._have - self._cache.unreadable(model_id))
        self._chroma.open()
        placed = self._chroma.placed
        self._chroma.dead = placed - self._have
        self._waiting.keep_only(self._have - placed)
        self._waiting.take(self._load(self._have - placed - set(self._waiting.names)))
        sample = sorted(self._have)[:SAMPLE]
        if sample != self._sample.names:
            self._sample = Rows(self.store.dimension, self._load(set(sample)))

    def _nearest(self, row: np.ndarray, most: int) -> list[tuple[bytes, float]]:
        try:
            in_chroma = self._chroma.nearest(row, most)
        except ChromaError as error:
            self._chroma.fail(error)
            self._generation = -1
            self._refresh()  # its rows are among the waiting ones now
            in_chroma = []
        cosines = {text: cosine for text, cosine in in_chroma if text not in self._chroma.dead}
        cosines.update(self._waiting.nearest(row, most))
        return sorted(cosines.items(), key=lambda hit: (-hit[1], hit[0]))[:most]

    def _load(self, texts: set[bytes]) -> dict[bytes, np.ndarray]:
        """Return rows from the cache; one of another length than one is damaged and deleted."""
        rows = {}
        damaged = []
        for text, data in self._cache.rows(self._model.model_id, texts):
            row = np.frombuffer(data, _DTYPE) if len(data) == 4 * self.store.dimension else None
            if row is None or not abs(float(row @ row) - 1) < 1e-3:
                damaged.append(text)
            else:
                rows[text] = row
        if damaged:
            self._cache.forget(damaged)
            self._have.difference_update(damaged)
        return rows
