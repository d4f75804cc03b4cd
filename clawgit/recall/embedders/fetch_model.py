"""Fetching the packaged model before it is needed: in a process of its own, since Chroma downloads it."""

from __future__ import annotations

import os
import subprocess
import sys

from clawgit.recall.embedders.embedder import QUIET, EmbedderError
from clawgit.workspace.user.user_file import cache_folder

_SECONDS = 1800


def fetch_packaged(*, show: bool) -> None:
    """Let Chroma download its model; ``show`` its progress bar on stderr.

    Raises:
        EmbedderError: It could not be fetched.
    """
    command = [sys.executable, "-P", "-m", "clawgit.recall.embedders.packaged_model"]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if show else subprocess.DEVNULL,
            cwd=cache_folder(),  # not the workspace: what runs there may read what a host put there
            env={**os.environ, **QUIET},
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise EmbedderError("Fetching the model took too long.", hint="Try again later.") from error
    if done.returncode:
        raise EmbedderError(
            "The model could not be fetched.",
            hint="Is there a connection? `embedder: local:FOLDER` takes one that is here already.",
        )
