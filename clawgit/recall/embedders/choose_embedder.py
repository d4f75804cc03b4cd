"""The embedder that the settings name: which one runs here, and which one is asked over the network."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.http_client import Patience, RefusedError, Service, ServiceError
from clawgit.recall.embedders.embedder import QUIET, EmbedderError, Row, input_type_of, prompts_of, unit_row
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.user.user_file import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from clawgit.recall.embedders.local_model import LocalEmbedder
    from clawgit.workspace.settings.settings import Settings

    # Rows of different ``provider``, ``model`` or ``dimension`` are never compared.
    Embedder: TypeAlias = "LocalEmbedder | RemoteEmbedder"


KEY = "CLAWGIT_EMBEDDER_KEY"
OPENAI_KEY = "OPENAI_API_KEY"
OPENAI_URL = "https://api.openai.com/v1"
KEY_HINT = f"Keys come from the environment: {KEY}."
OLLAMA_URL = "http://127.0.0.1:11434"
FETCHING = ("-P", "-m", "clawgit.recall.embedders.local_model")  # for Python: has Chroma download its model
_FETCH_SECONDS = 1800


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model that runs on this machine: the packaged one, or one in ``folder``."""

    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class EmbeddingService:
    """A model behind a service, and its API key."""

    dialect: EmbeddingDialect
    model: str
    url: str
    key: str = field(default="", repr=False)

    def embedder(self, patience: Patience, *, dimension: int = 0) -> RemoteEmbedder:
        """Return the embedder; it refuses rows of another ``dimension`` than the known one."""
        service = Service(self.url, self.key, patience, key_hint=KEY_HINT)
        return RemoteEmbedder(self.dialect, self.model, service, dimension)


def model_named(settings: Settings, environment: Mapping[str, str]) -> LocalModel | EmbeddingService:
    """Return the model of the settings in force; keys come from ``environment`` alone.

    A key set for OpenAI is sent to OpenAI only.
    """
    kind, _, what = settings.embedder.partition(":")
    key = environment.get(KEY, "")
    if kind == "openai":
        url = settings.embedder_url or OPENAI_URL
        if url.rstrip("/") == OPENAI_URL:
            key = key or environment.get(OPENAI_KEY, "")
        return EmbeddingService(OPENAI, what, url, key)
    if kind == "ollama":
        return EmbeddingService(OLLAMA, what, settings.embedder_url or OLLAMA_URL, key)
    return LocalModel(Path(with_home(what)) if kind == "local" else None)


def fetch_packaged(*, show: bool) -> None:
    """Let Chroma download its model in a child process; ``show`` its progress bar on stderr."""
    folder = cache_folder()  # not the workspace: the child would import files that a host put there
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        done = subprocess.run(
            [sys.executable, *FETCHING],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if show else subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, **QUIET},
            timeout=_FETCH_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise EmbedderError("Fetching the model took too long.", hint="Try again later.") from error
    if done.returncode:
        hint = "Is there a connection? `embedder: local:FOLDER` takes one that is here already."
        raise EmbedderError("The model could not be fetched.", hint=hint)


_BATCH_TEXTS = 64
_BATCH_CHARACTERS = 100_000
_TOO_MUCH = frozenset({400, 413, 422})
_HARMLESS = "a"


@dataclass(frozen=True, slots=True)
class EmbeddingDialect:
    """API of one kind of service: its name, its path, and the keys of its answer that lead to the rows."""

    provider: str
    path: str
    rows: Callable[[Any], list[Any]]


def _openai_rows(answer: Any) -> list[Any]:
    data = answer["data"]
    places = [item.get("index") for item in data]
    if sorted(places, key=str) == sorted(range(len(data)), key=str):
        data = sorted(data, key=lambda item: item["index"])
    elif set(places) - {None, 0}:  # some services send no index, or 0 for all: their order counts
        raise ValueError("the places of its rows are mixed up")
    return list(map(itemgetter("embedding"), data))


OPENAI = EmbeddingDialect("openai", "/embeddings", _openai_rows)
OLLAMA = EmbeddingDialect("ollama", "/api/embed", lambda answer: list(answer["embeddings"]))


@dataclass(slots=True)
class RemoteEmbedder:
    """A model behind a service; batches shrink when the service refuses them as too large."""

    dialect: EmbeddingDialect
    model: str
    service: Service
    dimension: int = 0
    _at_most: int = field(default=_BATCH_TEXTS, init=False)

    @property
    def provider(self) -> str:
        """Return kind and address of the service: the same name elsewhere may be another model."""
        return f"{self.dialect.provider}@{self.service.place}"

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Row[float] | None]:
        """Return a row for each text, None for one that the model cannot read; some models treat a ``query`` differently.

        Raises:
            EmbedderError: The service failed or sent a malformed answer.
        """
        question, passage = prompts_of(self.model.rpartition("/")[2])
        before = question if query else passage
        input_type = input_type_of(self.model, query=query)
        rows: list[Row[float] | None] = [None] * len(texts)
        pending = [(place, before + text) for place, text in enumerate(texts) if text.strip()]
        while pending:
            batch = list(_first(pending, self._at_most))
            rows_of_batch = self._found([text for _, text in batch], input_type)
            for (place, _), row in zip(batch, rows_of_batch, strict=False):
                rows[place] = row
            del pending[: len(rows_of_batch)]
        return rows

    def _found(self, texts: list[str], input_type: dict[str, str]) -> list[Row[float] | None]:
        """Return the rows of a batch; empty if the service wants a smaller batch.

        A text refused by itself, while the service answers another, is unreadable for its model; the rest
        goes on.
        """
        try:
            return self._rows(texts, input_type)
        except RefusedError as error:
            if error.status not in _TOO_MUCH:
                raise EmbedderError(error.message, hint=error.hint) from error
            if len(texts) > 1:
                self._at_most = len(texts) // 2
                return []
            self._must_answer(error)
        except ServiceError as error:
            raise EmbedderError(error.message, hint=error.hint) from error
        self._at_most = _BATCH_TEXTS
        return [None]

    def _must_answer(self, refused: RefusedError) -> None:
        try:
            if not self.dimension:
                raise refused
            self._rows([_HARMLESS], {})
        except ServiceError as error:
            raise EmbedderError(refused.message, hint=refused.hint) from error

    def _rows(self, texts: list[str], input_type: dict[str, str]) -> list[Row[float] | None]:
        answer = self.service.post(self.dialect.path, {"model": self.model, "input": texts} | input_type)
        try:
            rows = list(map(unit_row, self.dialect.rows(answer)))
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            sentence = f"{self.service.place} did not answer with vectors."
            raise EmbedderError(sentence, hint="Does the address serve embeddings?") from error
        if len(rows) != len(texts):
            sentence = f"{self.service.place} answered {len(texts)} texts with {len(rows)} vectors."
            raise EmbedderError(sentence, hint="Nothing of that answer was used.")
        for length in {len(row) for row in rows if row is not None}:
            if self.dimension and length != self.dimension:
                sentence = f"{self.model} at {self.service.place} answered with {length} numbers instead of {self.dimension}."
                hint = "Another model answers under its name: `clawgit memory index --force` makes all vectors with it."
                raise EmbedderError(sentence, hint=hint)
            self.dimension = length
        return rows


def _first(pending: list[tuple[int, str]], at_most: int) -> Iterator[tuple[int, str]]:
    """Yield the next batch: at least one text, at most so many characters."""
    room = _BATCH_CHARACTERS
    for number, (place, text) in enumerate(pending[:at_most]):
        room -= len(text)
        if number and room < 0:
            return
        yield place, text
