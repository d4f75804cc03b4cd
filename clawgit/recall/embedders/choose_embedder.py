"""The embedder that the settings name: which one runs here, and which one is asked over the network."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.http_client import Patience, Service
from clawgit.recall.embedders.remote_embedder import OLLAMA, OPENAI, Dialect, RemoteEmbedder
from clawgit.workspace.find_workspace import with_home

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.workspace.settings.settings import Settings

KEY = "CLAWGIT_EMBEDDER_KEY"
OPENAI_KEY = "OPENAI_API_KEY"
OPENAI_URL = "https://api.openai.com/v1"
KEY_HINT = f"Keys come from the environment: {KEY}."
OLLAMA_URL = "http://127.0.0.1:11434"


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
