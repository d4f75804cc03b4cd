"""Enhanced mode: a workspace's vectors for a question, or the reason why there are none."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clawgit.errors import ClawgitError, Complaint
from clawgit.history.git.lock import only_holder
from clawgit.http_client import Patience
from clawgit.recall.embedders.choose_embedder import EmbeddingService, LocalModel
from clawgit.recall.embedders.embedder import EmbedderError, Row, VectorsError, cosine, packed, row_of
from clawgit.recall.index.index_tables import text_hash
from clawgit.recall.index.line_units import read_units
from clawgit.recall.index.search_index import INDEX
from clawgit.recall.ranking.fusion import Near
from clawgit.recall.search_results import By
from clawgit.recall.vectors.embedding_cache import (
    ALIKE,
    EMBEDDINGS,
    LOOK,
    PROBES,
    EmbeddingCache,
    LiveTexts,
    cache_error,
    made_rows,
    probe_bytes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.recall.vectors.embedding_cache import EmbeddingModel
    from clawgit.recall.vectors.owner_client import Owner
    from clawgit.workspace.settings.settings import Settings


VECTORS = "vectors"
MOST = 100  # so many of the nearest lines are read; more did not help
ENOUGH = 0.8  # with vectors for a smaller share of the lines, the other lines would rank unfairly low
ALL = 1 << 40
CHECK = "vectors"


class UnreadableQuestionError(VectorsError):
    """The model knows too little of this question; another one may work."""


def chunk_of(settings: Settings) -> tuple[int, int]:
    """Return the tokens of a piece of text in the index, and of its overlap with the next."""
    return settings.chunk_tokens, settings.chunk_overlap


@dataclass(frozen=True, slots=True)
class Vectors:
    """The client of a workspace's vectors."""

    history: History
    model: LocalModel | EmbeddingService
    owner: Owner
    token: str = field(default="", repr=False)

    def about(self, question: str) -> Nearness:
        """Return the function that answers this question for each searched index."""
        return Nearness(self, question)

    def alike(self, text: str, others: Collection[str], *, least: float) -> list[str]:
        """Return the other texts at least as near to a text as ``least``, empty without vectors."""
        near = self.about(text)(())
        if near is None:
            return []
        by_hash = {text_hash(each): each for each in others}
        return [by_hash[name] for name, cosine in near.cosines.items() if name in by_hash and cosine >= least]

    def near(self, question: str, texts: Collection[bytes]) -> tuple[Near, By]:
        """Return how near texts are to a question, and the nearest of all."""
        limits: dict[str, Any] = {"most": MOST, "near": [text.hex() for text in texts]}
        if isinstance(self.model, LocalModel):
            reply = self.owner.ask("find", store=self._store(), text=question, **limits)
        else:
            reply = self._found_outside(question, limits)
        provider = reply["provider"].partition("@")[0]
        model = reply["model"].partition("#")[0]  # the usual short name
        return _near(reply), By("enhanced", provider, model, reason=reply["trouble"])

    def complete(self, tell: Callable[[int, int], None], *, from_nothing: bool) -> None:
        """Make missing vectors for all lines, and put all of them into Chroma.

        ``from_nothing``: Chroma is filled again, and a service makes all rows again.
        """
        if isinstance(self.model, EmbeddingService):
            outside = self._outside()
            if from_nothing:
                outside.forget()
            _, model = outside.row_for(PROBES[0], FILLING)  # the service may load its model first
            outside.fill(model, ALL, FILLING, tell)
        if from_nothing:
            self.owner.ask("drop", store=self._store(), seconds=60)
        total = left = self.owner.ask("settle", store=self._store(), seconds=60)
        while left:
            left = self.owner.ask("settle", store=self._store(), seconds=60)
            total = max(total, left)
            tell(total - left, total)

    def status(self) -> dict[str, Any]:
        about: dict[str, Any] = self.owner.ask("about", store=self._store(), seconds=60)
        return about

    def drop(self) -> None:
        """Delete all vectors of the workspace, also on a Chroma server."""
        if not self._folder.exists():
            return
        is_gone = False
        with suppress(VectorsError):
            is_gone = self.owner.ask("drop", store=self._store(), seconds=60)
        if not is_gone and self.history.settings.chroma_url:
            sentence = f"The vectors on {self.history.settings.chroma_url} could not be deleted, so nothing was deleted."
            hint = "Try again when the server runs; with `chroma_url` empty, what is here is forgotten."
            raise VectorsError(sentence, hint=hint)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _found_outside(self, question: str, limits: dict[str, Any]) -> dict[str, Any]:
        """Return the owner's result for a row made by a service, after making rows for some new lines."""
        outside = self._outside()
        row, model = outside.row_for(question, ASKING)
        find = {"store": self._store(), "row": packed(row), **limits}
        reply: dict[str, Any] = self.owner.ask("find", **find)
        if _looked_at(reply) < reply["live"]:
            with suppress(EmbedderError):
                outside.fill(model, AT_ONCE, ASKING)
            reply = self.owner.ask("find", **find)
        return reply

    @property
    def _folder(self) -> Any:
        return self.history.state / VECTORS

    def _outside(self) -> RemoteVectors:
        assert isinstance(self.model, EmbeddingService)
        return RemoteVectors(
            self.model, self._folder, self.history.state / INDEX, chunk_of(self.history.settings)
        )

    def _store(self) -> dict[str, Any]:
        store: dict[str, Any] = {
            "folder": str(self._folder),
            "index": str(self.history.state / INDEX),
            "chunk": list(chunk_of(self.history.settings)),
            "url": self.history.settings.chroma_url,
            "token": self.token,
        }
        if isinstance(self.model, LocalModel):
            return {**store, "local": str(self.model.folder or "")}
        model = self._outside().known()
        if model is None:
            raise VectorsError("Nothing was turned into vectors yet.", hint="`clawgit memory index` begins.")
        identity = {"provider": model.provider, "model": model.model, "dimension": model.dimension}
        return {**store, "local": None, **identity}


@dataclass(slots=True)
class Nearness:
    """One question to the vectors; ``by`` names the method afterwards, and the reason for none."""

    vectors: Vectors
    question: str
    by: By = field(default_factory=By)

    def __call__(self, texts: Collection[bytes]) -> Near | None:
        """Return how near texts are, None if keywords must answer alone."""
        try:
            near, self.by = self.vectors.near(self.question, texts)
        except ClawgitError as error:
            self.by = By(reason=str(error))
            return None
        return near


def missing_for_vectors(vectors: Vectors) -> Iterator[Complaint]:
    """Yield for `doctor` what keeps a workspace in enhanced mode from answering with vectors."""
    try:
        vectors.status()  # first: Chroma may be back
        trouble = _trouble(vectors)
    except ClawgitError as error:
        yield Complaint(CHECK, f"Searches use keywords alone: {error.message}", error.hint)
        return
    if trouble:
        yield Complaint(
            CHECK, trouble, "Answers are as good, only slower; `clawgit memory index` tries again."
        )


def _trouble(vectors: Vectors) -> str:
    """Search, and return Chroma's error; a question that the model cannot read is not one."""
    try:
        return vectors.near(PROBES[0], ())[1].reason
    except UnreadableQuestionError:
        return str(vectors.status()["trouble"])


def _near(reply: dict[str, Any]) -> Near:
    done = _looked_at(reply)
    live = reply["live"]
    if done < ENOUGH * live:
        sentence = f"Only {done:,} of {live:,} lines have vectors yet."
        raise VectorsError(sentence, hint="`clawgit memory index` makes the rest.")
    if reply["best"] is None:
        raise UnreadableQuestionError("The model cannot read this question.")
    best = [(bytes.fromhex(name), cosine) for name, cosine in reply["best"]]
    near = [(bytes.fromhex(name), cosine) for name, cosine in reply["near"]]
    gauge = {name: float(reply[name]) for name in ("mean", "spread", "unrelated")}
    return Near(dict([*best, *near]), tuple(text for text, _ in best), **gauge)


def _looked_at(reply: dict[str, Any]) -> int:
    return int(reply["rows"] + reply["unreadable"])


def has_rows(history: History) -> bool:
    """Say whether any text was ever turned into vectors here."""
    return (history.state / VECTORS / EMBEDDINGS).exists()


def entry_hashes(tree: Tree, paths: Iterable[str]) -> dict[str, bytes]:
    """Return entry id (without `m:`) → the hash that is the key of its vector."""
    units = (unit for path in paths for unit in read_units(tree.read(path) or b"", path).units)
    return {
        unit.entry.removeprefix("m:"): text_hash(unit.text) for unit in units if unit.entry.startswith("m:")
    }


def live_hashes(history: History) -> frozenset[bytes]:
    """Return the hashes of all searched texts; empty without an index."""
    live = LiveTexts(history.state / INDEX)
    try:
        live.renew()
    except OSError:
        return frozenset()
    return live.hashes


def change_rows(
    history: History, *, rest: Collection[bytes], wake: Collection[bytes], forget: Collection[bytes]
) -> int:
    """Delete rows for now (``rest``) or for good (``forget``), and let others (``wake``) be made again.

    Returns the number of deleted rows.
    """
    try:
        with closing(EmbeddingCache(history.state / VECTORS / EMBEDDINGS)) as cache:
            if wake:
                cache.wake(wake)
            gone = cache.rest(rest) if rest else 0
            return gone + (cache.forget(forget) if forget else 0)
    except (OSError, sqlite3.Error) as error:
        sentence = f"The vectors could not be tidied ({error})."
        raise VectorsError(sentence, hint="The next run tries again.") from error


AT_ONCE = 64
ASKING = Patience(4.0, tries=3, pause=0.2)
FILLING = Patience(180.0, tries=6)


@dataclass(slots=True)
class RemoteVectors:
    """A model behind a service, and the cache of one workspace."""

    model: EmbeddingService
    folder: Path
    index: Path
    chunk: tuple[int, int]
    provider: str = field(init=False)

    def __post_init__(self) -> None:
        self.provider = self.model.embedder(ASKING).provider

    def known(self) -> EmbeddingModel | None:
        """Return the noted model, None before its first answer."""
        with self._cache() as cache:
            return cache.model(self.provider, self.model.model)

    def row_for(self, question: str, patience: Patience) -> tuple[Row[float] | None, EmbeddingModel]:
        """Return the row for a question, None for a meaningless one; the same request checks the model."""
        with self._cache() as cache:
            model = cache.model(self.provider, self.model.model)
            embedder = self.model.embedder(patience, dimension=model.dimension if model else 0)
            row, *probes = embedder.embed([question, *(PROBES[:1] if model else PROBES)], query=True)
            self._refuse_zeros(embedder.dimension)
            if model is None:
                noted = probe_bytes(probes, embedder.dimension)
                model = cache.note_model(self.provider, self.model.model, embedder.dimension, noted)
            first = row_of(model.probes[: 4 * model.dimension])
            if any(first) and (probes[0] is None or cosine(first, probes[0]) < ALIKE):
                sentence = f"{self.model.model} answers differently from before: its vectors do not fit those that are here."
                raise EmbedderError(sentence, hint="`clawgit memory index --force` rebuilds all of them.")
        return row, model

    def fill(
        self,
        model: EmbeddingModel,
        most: int,
        patience: Patience,
        tell: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """Make at most so many missing rows, each batch saved at once; one process at a time."""
        embedder = self.model.embedder(patience, dimension=model.dimension)
        texts = LiveTexts(self.index)
        # each text is paid for once
        with self._cache() as cache, only_holder(self.folder / "filling.lock") as lock:
            texts.renew()
            if lock is None:
                return
            done = cache.with_rows(model.model_id) | cache.unreadable(model.model_id)
            missing = sorted(texts.hashes - done)[:most]
            for at in range(0, len(missing), AT_ONCE):
                some = texts.texts(missing[at : at + AT_ONCE])
                cache.keep(model.model_id, made_rows(embedder, some, self.chunk))
                tell(min(at + AT_ONCE, len(missing)), len(missing))

    def forget(self) -> None:
        """Delete all rows of this model, after its service has proved that it can make others."""
        embedder = self.model.embedder(FILLING)
        embedder.embed(PROBES[:1], query=True)
        self._refuse_zeros(embedder.dimension)
        with self._cache() as cache:
            cache.forget_model(self.provider, self.model.model)

    def _refuse_zeros(self, dimension: int) -> None:
        if not dimension:
            sentence = f"{self.model.model} answers with nothing but zeros."
            raise EmbedderError(sentence, hint="Does its service run that model?")

    @contextmanager
    def _cache(self) -> Iterator[EmbeddingCache]:
        try:
            with closing(EmbeddingCache(self.folder / EMBEDDINGS)) as cache:
                yield cache
        except sqlite3.Error as error:
            raise cache_error(self.folder, error) from error
        except OSError as error:
            sentence = f"The vectors cannot be used ({error.strerror or error})."
            raise VectorsError(sentence, hint=LOOK) from error
