"""The model that Chroma packages, all-MiniLM-L6-v2: fetched by Chroma, run by us. For the owner process only.

Run by Chroma itself it pads every text to 256 tokens and makes a new session for each call: 20 times slower.
"""

from __future__ import annotations

from pathlib import Path

from chromadb.utils.embedding_functions.onnx_mini_lm_l6_v2 import ONNXMiniLM_L6_V2

from clawgit.recall.embedders.embedder import EmbedderError
from clawgit.recall.embedders.local_model import LocalEmbedder

NAME = "all-MiniLM-L6-v2"
_FILES = ("model.onnx", "tokenizer.json")


class NotFetchedError(EmbedderError):
    """The packaged model has not been downloaded yet."""


def packaged_folder() -> Path:
    """Return where Chroma keeps the model, for all programs of this user."""
    return Path(ONNXMiniLM_L6_V2.DOWNLOAD_PATH, ONNXMiniLM_L6_V2.EXTRACTED_FOLDER_NAME)


def packaged_embedder() -> LocalEmbedder:
    """Load the packaged model.

    Raises:
        NotFetchedError: It is not here.
        EmbedderError: It is damaged; Chroma would not fetch it again by itself.
    """
    folder = packaged_folder()
    if not all((folder / name).is_file() for name in _FILES):
        raise NotFetchedError(
            f"The model {NAME} is not here yet.", hint="`clawgit memory index` fetches it (80 MB)."
        )
    try:
        return LocalEmbedder(folder, "default", NAME)
    except EmbedderError as error:
        way_out = f"Remove {folder}, and `clawgit memory index` fetches it again."
        raise EmbedderError(error.message, hint=way_out) from error


def fetch() -> None:
    """Let Chroma download its model, with its progress bar on stderr; nothing is done where it is."""
    ONNXMiniLM_L6_V2()(["fetched"])


if __name__ == "__main__":
    fetch()
