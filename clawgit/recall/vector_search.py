"""Enhanced mode: what the vectors of a workspace say about a question, or why they say nothing."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clawgit.errors import ClawgitError
from clawgit.recall.embedders.choose_embedder import LocalModel, RemoteModel
from clawgit.recall.embedders.embedder import EmbedderError
from clawgit.recall.index.index_tables import text_hash
from clawgit.recall.index.search_index import INDEX
from clawgit.recall.ranking.fusion import Near
from clawgit.recall.search_results import By
from clawgit.recall.vectors.embed_texts import PROBES
from clawgit.recall.vectors.embedding_cache import EMBEDDINGS, EmbeddingCache, is_damage
from clawgit.recall.vectors.owner_client import DamagedCacheError, Owner, VectorsError
from clawgit.recall.vectors.packed_rows import packed
from clawgit.recall.vectors.remote_rows import ASKING, AT_ONCE, FILLING, Outside

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from clawgit.history.git.repository import History

VECTORS = "vectors"
MOST = 100  # so many of the nearest lines are looked at; more did not help
ENOUGH = 0.8  # with vectors for less than this share of the lines, the rest would be put back unfairly
ALL = 1 << 40
_LOOK = "Look at .git/clawgit/vectors, and who may write there; it can be deleted."


@contextmanager
def _in_words() -> Iterator[None]:
    """Say in a sentence what the system or SQLite say about the cache."""
    try:
        yield
    except sqlite3.Error as error:
        kind = DamagedCacheError if is_damage(error) else VectorsError
        raise kind(f"The cache of vectors cannot be used ({error}).", hint=_LOOK) from error
    except OSError as error:
        raise VectorsError(f"The vectors cannot be used ({error.strerror or error}).", hint=_LOOK) from error


class UnreadableQuestionError(VectorsError):
    """The model knows too little of a question; it may know enough of another."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of a workspace; ``may_fetch`` lets the packaged model be downloaded."""

    history: History
    model: LocalModel | RemoteModel
    owner: Owner
    token: str = field(default="", repr=False)
    may_fetch: bool = False

    def about(self, question: str, *, past: bool = False) -> Nearness:
        """Return what is asked for each index that is searched; ``past`` asks about texts that are gone, too."""
        return Nearness(self, question, past)

    def alike(self, text: str, others: Collection[str], *, least: float) -> list[str]:
        """Return those of other texts that are at least as near to a text, none where the vectors say nothing."""
        near, by_hash = self.about(text)(()), {text_hash(each): each for each in others}
        found = {} if near is None else near.cosines
        return [by_hash[name] for name, cosine in found.items() if name in by_hash and cosine >= least]

    @_in_words()
    def near(self, question: str, texts: Collection[bytes], *, past: bool) -> tuple[Near, By]:
        """Return how near texts are to a question, and which are the nearest.

        Raises:
            ClawgitError: There is no telling; the sentence says why.
        """
        asked: dict[str, Any] = {"most": MOST, "near": [text.hex() for text in texts], "past": past}
        if isinstance(self.model, LocalModel):
            reply = self.owner.ask("find", store=self._store(), text=question, **asked)
        else:
            reply = self._found_outside(question, asked)
        return _near(reply), By("enhanced", *_shown(reply), reason=reply["trouble"])

    @_in_words()
    def complete(self, tell: Callable[[int, int], None], *, from_nothing: bool) -> None:
        """Make what is missing: rows for all lines, and all of them in Chroma.

        ``from_nothing``: Chroma is filled again, and a service is asked for all rows again.

        Raises:
            ClawgitError: The model, the service or Chroma was unavailable.
        """
        if isinstance(self.model, RemoteModel):
            outside = self._outside()
            if from_nothing:
                outside.forget()
            _, known = outside.row_for(PROBES[0])
            outside.fill(known, ALL, FILLING, tell)
        if from_nothing:
            self.owner.ask("drop", store=self._store(), seconds=60)
        total = left = self.owner.ask("settle", store=self._store(), seconds=60)
        while left:
            left = self.owner.ask("settle", store=self._store(), seconds=60)
            total = max(total, left)
            tell(total - left, total)

    def status(self) -> dict[str, Any]:
        """Return how the vectors stand.

        Raises:
            ClawgitError: There is no telling; the sentence says why.
        """
        found: dict[str, Any] = self.owner.ask("about", store=self._store(), seconds=60)
        return found

    def check(self, most: int) -> tuple[int, int]:
        """Ask Chroma for so many of its own rows; return how many were asked for and how many found.

        Raises:
            ClawgitError: It could not be asked.
        """
        asked, found = self.owner.ask("check", store=self._store(), most=most, seconds=60)
        return int(asked), int(found)

    def drop(self) -> None:
        """Forget all vectors of the workspace, those on a Chroma server included.

        Raises:
            VectorsError: A server could not be asked; nothing is forgotten, so that it can be asked again.
        """
        if not self._folder.exists():
            return
        gone = False
        with suppress(VectorsError):
            gone = self.owner.ask("drop", store=self._store(), seconds=60)
        if not gone and self.history.settings.chroma_url:
            raise VectorsError(
                f"The vectors on {self.history.settings.chroma_url} could not be deleted, so nothing was deleted.",
                hint="Try again when the server runs; with `chroma_url` empty, what is here is forgotten.",
            )
        shutil.rmtree(self._folder, ignore_errors=True)

    def forget_damaged(self) -> None:
        """Throw the cache away if it cannot be read: what it held will be made again."""
        with suppress(OSError, sqlite3.Error), closing(self._cache()) as cache:
            cache.throw_away()

    def _found_outside(self, question: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Return what the owner finds for the row that a service makes; some new lines get theirs before that."""
        outside = self._outside()
        row, known = outside.row_for(question)
        find = {"store": self._store(), "row": packed(row), **asked}
        reply: dict[str, Any] = self.owner.ask("find", **find)
        if _looked_at(reply) < reply["live"]:
            with suppress(EmbedderError):
                outside.fill(known, AT_ONCE, ASKING)
            reply = self.owner.ask("find", **find)
        return reply

    def _cache(self) -> EmbeddingCache:
        return EmbeddingCache(self._folder / EMBEDDINGS)

    @property
    def _folder(self) -> Any:
        return self.history.state / VECTORS

    @property
    def _chunk(self) -> tuple[int, int]:
        return self.history.settings.chunk_tokens, self.history.settings.chunk_overlap

    def _outside(self) -> Outside:
        assert isinstance(self.model, RemoteModel)
        return Outside(self.model, self._folder, self.history.state / INDEX, self._chunk)

    @_in_words()
    def _store(self) -> dict[str, Any]:
        """Return what the owner has to know."""
        store: dict[str, Any] = {
            "folder": str(self._folder),
            "index": str(self.history.state / INDEX),
            "chunk": list(self._chunk),
            "url": self.history.settings.chroma_url,
            "token": self.token,
        }
        if isinstance(self.model, LocalModel):
            return {**store, "local": str(self.model.folder or ""), "may_fetch": self.may_fetch}
        known = self._outside().known()
        if known is None:
            raise VectorsError("Nothing was turned into vectors yet.", hint="`clawgit memory index` begins.")
        return {**store, "local": None, **_identity(known)}


@dataclass(slots=True)
class Nearness:
    """One question to the vectors; ``by`` says afterwards what answered, and why nothing did."""

    vectors: Vectors
    question: str
    past: bool
    by: By = field(default_factory=By)

    def __call__(self, texts: Collection[bytes]) -> Near | None:
        """Return how near texts are, None where the keywords have to do."""
        try:
            near, self.by = self.vectors.near(self.question, texts, past=self.past)
        except DamagedCacheError as error:
            self.vectors.forget_damaged()
            self.by = By(reason=f"{error.message} It is rebuilt.")
        except ClawgitError as error:
            self.by = By(reason=str(error))
        else:
            return near
        return None


def _near(reply: dict[str, Any]) -> Near:
    done, live = _looked_at(reply), reply["live"]
    if done < ENOUGH * live:
        raise VectorsError(
            f"Only {done:,} of {live:,} lines have vectors yet.",
            hint="`clawgit memory index` makes the rest.",
        )
    if reply["best"] is None:
        raise UnreadableQuestionError("The model cannot read this question.")
    best = [(bytes.fromhex(name), cosine) for name, cosine in reply["best"]]
    near = [(bytes.fromhex(name), cosine) for name, cosine in reply["near"]]
    gauge = {name: float(reply[name]) for name in ("mean", "spread", "unrelated")}
    return Near(dict([*best, *near]), tuple(text for text, _ in best), **gauge)


def _looked_at(reply: dict[str, Any]) -> int:
    """Return for how many lines there is a row, or that the model cannot read them."""
    return int(reply["rows"] + reply["unreadable"])


def _shown(reply: dict[str, Any]) -> tuple[str, str]:
    """Return provider and model as people name them."""
    return reply["provider"].partition("@")[0], reply["model"].partition("#")[0]


def _identity(known: Any) -> dict[str, Any]:
    return {"provider": known.provider, "model": known.model, "dimension": known.dimension}
