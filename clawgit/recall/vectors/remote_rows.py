"""Rows from a service: asked for from here, since only here the key is known, and kept in the cache."""

from __future__ import annotations

import fcntl
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clawgit.http_client import Patience
from clawgit.recall.embedders.embedder import EmbedderError, VectorsError, cosine, row_of
from clawgit.recall.vectors.embed_texts import ALIKE, PROBES, LiveTexts, made_rows, probe_bytes
from clawgit.recall.vectors.embedding_cache import EMBEDDINGS, LOOK, EmbeddingCache, cache_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from clawgit.recall.embedders.choose_embedder import RemoteModel
    from clawgit.recall.embedders.embedder import Row
    from clawgit.recall.vectors.embedding_cache import Model

AT_ONCE = 64
ASKING = Patience(4.0, tries=3, pause=0.2)
FILLING = Patience(180.0, tries=6)


class ChangedModelError(EmbedderError):
    """The service has another model now under the name of the one before."""


@dataclass(slots=True)
class Outside:
    """A model behind a service, and the cache of one workspace."""

    model: RemoteModel
    folder: Path
    index: Path
    chunk: tuple[int, int]
    provider: str = field(init=False)

    def __post_init__(self) -> None:
        self.provider = self.model.embedder(ASKING).provider

    def known(self) -> Model | None:
        """Return what was noted of the model, None before its first answer."""
        with self._cache() as cache:
            return cache.model(self.provider, self.model.model)

    def row_for(self, question: str) -> tuple[Row[float] | None, Model]:
        """Return the row for a question, None if it says nothing; the model is looked at in the same breath."""
        with self._cache() as cache:
            known = cache.model(self.provider, self.model.model)
            embedder = self.model.embedder(ASKING, dimension=known.dimension if known else 0)
            row, *probes = embedder.embed([question, *(PROBES[:1] if known else PROBES)], query=True)
            self._refuse_zeros(embedder.dimension)
            if known is None:
                noted = probe_bytes(probes, embedder.dimension)
                known = cache.note_model(self.provider, self.model.model, embedder.dimension, noted)
            self._refuse_another(known, probes)
        return row, known

    def fill(
        self,
        known: Model,
        most: int,
        patience: Patience,
        tell: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """Make rows for texts that have none, at most so many, each batch kept at once; one process at a time."""
        embedder = self.model.embedder(patience, dimension=known.dimension)
        texts = LiveTexts(self.index)
        with self._cache() as cache, self._alone() as alone:
            texts.renew()
            done = cache.with_rows(known.model_id) | cache.unreadable(known.model_id)
            missing = sorted(texts.hashes - done)[:most] if alone else []
            for at in range(0, len(missing), AT_ONCE):
                some = texts.texts(missing[at : at + AT_ONCE])
                cache.keep(known.model_id, made_rows(embedder, some, self.chunk))
                tell(min(at + AT_ONCE, len(missing)), len(missing))

    def forget(self) -> None:
        """Forget all rows of this model, once its service shows that it can make others."""
        embedder = self.model.embedder(ASKING)
        embedder.embed(PROBES[:1], query=True)
        self._refuse_zeros(embedder.dimension)
        with self._cache() as cache:
            cache.forget_model(self.provider, self.model.model)

    def _refuse_zeros(self, dimension: int) -> None:
        if not dimension:
            raise EmbedderError(
                f"{self.model.model} answers with nothing but zeros.", hint="Does its service run that model?"
            )

    def _refuse_another(self, known: Model, probes: Sequence[Row[float] | None]) -> None:
        noted = row_of(known.probes[: 4 * known.dimension])
        if any(noted) and (probes[0] is None or cosine(noted, probes[0]) < ALIKE):
            raise ChangedModelError(
                f"{self.model.model} answers differently from before: its vectors do not fit those that are here.",
                hint="`clawgit memory index --force` rebuilds all of them.",
            )

    @contextmanager
    def _cache(self) -> Iterator[EmbeddingCache]:
        try:
            with closing(EmbeddingCache(self.folder / EMBEDDINGS)) as cache:
                yield cache
        except sqlite3.Error as error:
            raise cache_error(self.folder, error) from error
        except OSError as error:
            raise VectorsError(
                f"The vectors cannot be used ({error.strerror or error}).", hint=LOOK
            ) from error

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Yield whether nobody else makes rows for this workspace; a text is paid for once."""
        with (self.folder / "filling.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
