"""Enhanced mode over 100,000 lines: a question's time, memory and disk: `python -m benchmarks.vector_speed [--lines N]`.

Rows of the lines are random numbers, put into the cache as if a service had made them, which then answers each
question at once: so times are of everything but the model.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from array import array
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.search_speed import NOW, five_years, spread
from clawgit.operations.status import folder_of
from clawgit.recall.embedders.choose_embedder import OPENAI, EmbeddingService
from clawgit.recall.embedders.embedder import row_bytes
from clawgit.recall.index.search_index import INDEX
from clawgit.recall.recall_status import write_index
from clawgit.recall.search import search
from clawgit.recall.search_results import Query
from clawgit.recall.vector_search import Vectors
from clawgit.recall.vectors.embedding_cache import EMBEDDINGS, PROBES, EmbeddingCache, LiveTexts
from clawgit.recall.vectors.owner_client import Owner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.history.git.repository import History

WIDTH = 384
BATCH = 5_000


class _AtOnce(BaseHTTPRequestHandler):
    """A service that answers with the row that a text always gets here."""

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        data = [{"index": at, "embedding": _row(text).tolist()} for at, text in enumerate(texts)]
        answer = json.dumps({"data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        return


def vector_speed(lines: int) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        history, questions = five_years(Path(folder) / "workspace", lines)
        write_index(history, from_nothing=True)
        texts = LiveTexts(history.state / INDEX)
        texts.renew()
        print(f"{len(texts.hashes):,} texts in {lines:,} lines")
        _answers(history, questions[:100], texts)


def _answers(history: History, questions: Sequence[str], texts: LiveTexts) -> None:
    service = ThreadingHTTPServer(("127.0.0.1", 0), _AtOnce)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{service.server_port}/v1"
    history.settings = history.settings._replace(mode="enhanced", embedder="openai:m", embedder_url=url)
    owner = Owner(folder_of(os.environ))
    vectors = Vectors(history, EmbeddingService(OPENAI, "m", url), owner)
    try:
        _fill(history, f"openai@127.0.0.1:{service.server_port}", texts)
        _ask(history, questions, None, "core")
        _ask(history, questions, vectors, "enhanced, Chroma still empty")
        start = time.perf_counter()
        vectors.complete(lambda done, total: None, from_nothing=False)
        print(f"  Chroma filled in {time.perf_counter() - start:.0f} s")
        _ask(history, questions, vectors, "enhanced")
        asked, found = vectors.check(2000)
        print(f"  found again by themselves: {found:,} of {asked:,}; {_sizes(history, owner)}")
    finally:
        owner.stop()
        service.shutdown()


def _fill(history: History, provider: str, texts: LiveTexts) -> None:
    with closing(EmbeddingCache(history.state / "vectors" / EMBEDDINGS)) as cache:
        probes = b"".join(row_bytes(array("f", _row(probe).tobytes())) for probe in PROBES)
        known = cache.note_model(provider, "m", WIDTH, probes)
        for some in _parts(sorted(texts.hashes)):
            found = texts.texts(some)
            cache.keep(
                known.model_id, {name: array("f", _row(text).tobytes()) for name, text in found.items()}
            )


def _ask(history: History, questions: Sequence[str], vectors: Vectors | None, what: str) -> None:
    search(history, Query("warm up"), NOW, vectors=vectors)
    taken = []
    for question in questions:
        start = time.perf_counter()
        found = search(history, Query(question), NOW, vectors=vectors)
        taken.append((time.perf_counter() - start) * 1000)
        if vectors is not None and found.by.mode != "enhanced":
            raise SystemExit(found.by.reason)
    print(f"  search, {what}: {spread(taken)} ms")


def _sizes(history: History, owner: Owner) -> str:
    folder = history.state / "vectors"
    chroma = sum(path.stat().st_size for path in folder.glob("chroma-*/**/*") if path.is_file()) / 1e6
    cache = (folder / EMBEDDINGS).stat().st_size / 1e6
    return f"Chroma {chroma:.0f} MB, rows {cache:.0f} MB, memory of the owner {_memory(owner):.0f} MB"


def _memory(owner: Owner) -> float:
    """Return the peak of the process that holds the vectors; on Linux only."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            words = (status.parent / "cmdline").read_bytes()
            if str(owner.path).encode() in words and b"vector_worker" in words:
                peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
                return int(peak.split()[1]) / 1024
        except OSError:
            continue
    return float("nan")


def _row(text: str) -> np.ndarray:
    row = np.random.default_rng(list(text.encode())).standard_normal(WIDTH, np.float32)
    return np.asarray(row / np.linalg.norm(row), "<f4")


def _parts(names: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    return (names[at : at + BATCH] for at in range(0, len(names), BATCH))


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--lines", type=int, default=100_000)
    vector_speed(arguments.parse_args().lines)
