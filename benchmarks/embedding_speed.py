"""How fast texts become vectors, for a model in a folder: `python -m benchmarks.embedding_speed FOLDER`.

The packaged model is timed as well where it is on this machine, as clawgit runs it and as Chroma itself does.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.recall.embedders.embedder import QUIET

os.environ.update(QUIET)  # as in the process that holds the models; before numpy is imported

from chromadb.utils.embedding_functions.onnx_mini_lm_l6_v2 import ONNXMiniLM_L6_V2

from clawgit.recall.embedders.local_model import LocalEmbedder, packaged_embedder, packaged_folder

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = [
    "the",
    "a",
    "of",
    "and",
    "to",
    "in",
    "is",
    "it",
    "we",
    "on",
    "that",
    "with",
    "api",
    "deploy",
    "server",
    "moved",
    "decided",
    "Ada",
    "prefers",
    "tea",
    "standup",
    "office",
    "key",
    "rain",
]
TEXTS, FEWER = 300, 60


def embedding_speed(folder: Path) -> None:
    """Print the figures."""
    dice = random.Random(2)
    texts = [" ".join(dice.choices(WORDS, k=dice.randint(8, 30))) for _ in range(TEXTS)]
    _time(f"the model in {folder.name}", LocalEmbedder(folder, "local").embed, texts)
    if (packaged_folder() / "model.onnx").is_file():
        _time("the packaged model", packaged_embedder().embed, texts)
        _time("the packaged model, by Chroma itself", ONNXMiniLM_L6_V2(), texts[:FEWER])


def _time(name: str, embed: Callable[[list[str]], object], texts: list[str]) -> None:
    embed(texts[:2])
    start, used = time.perf_counter(), time.process_time()
    embed(texts)
    wall, processor = time.perf_counter() - start, time.process_time() - used
    print(f"{name}: {len(texts) / wall:.0f} texts a second, {len(texts) / processor:.0f} on one processor")


if __name__ == "__main__":
    embedding_speed(Path(sys.argv[1]))
