"""A folder with rows in its cache, an index of their texts, and an owner of the vectors that ends with the test."""

from __future__ import annotations

import fcntl
import math
import random
from array import array
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.recall.embedders.embedder import packed, row_bytes
from clawgit.recall.index.index_tables import text_hash
from clawgit.recall.index.sealed_store import StoreShape, renew
from clawgit.recall.vectors.embedding_cache import EMBEDDINGS, PROBES, EmbeddingCache
from clawgit.recall.vectors.owner_client import Owner

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH = 24
TEXTS = "CREATE TABLE texts (text_id INTEGER PRIMARY KEY, hash BLOB UNIQUE, text TEXT)"


def random_row(name: str, width: int = WIDTH) -> array[float]:
    """Return a row of length one that depends on nothing but the name; those of "alike 1", "alike 2" hardly differ."""
    chance = random.Random(name)
    values = [chance.gauss(0, 1) for _ in range(width)]
    if name.startswith("alike "):
        values = [much + 1e-4 * little for much, little in zip(random_row("alike"), values, strict=True)]
    length = math.hypot(*values)
    return array("f", [value / length for value in values])


def digest_of(name: str) -> str:
    return text_hash(name).hex()


def whole_of(live: int) -> dict[str, Any]:
    """Return what an owner says when everything is as it should be."""
    counts = {"live": live, "rows": live, "unreadable": 0, "placed": live}
    return {**counts, "provider": "test", "model": "m", "dimension": WIDTH, "trouble": ""}


@dataclass
class VectorRoom:
    """The vectors of a workspace, filled by hand: each name is a text, and its row is random."""

    folder: Path
    owner: Owner
    url: str = ""
    names: set[str] = field(default_factory=set)

    @property
    def cache(self) -> Any:
        return closing(EmbeddingCache(self.folder / EMBEDDINGS))

    @property
    def index(self) -> Path:
        return self.folder.with_name("index.db")

    def fill(self, *names: str) -> None:
        """Make these live as well, with rows."""
        self.names |= set(names)
        with self.cache as cache:
            probes = b"".join(row_bytes(random_row(probe)) for probe in PROBES)
            model = cache.note_model("test", "m", WIDTH, probes)
            cache.keep(model.model_id, {text_hash(name): random_row(name) for name in names})
        self._index(added=names)

    def retire(self, *names: str) -> None:
        self.names -= set(names)
        self._index(removed=names)

    def _index(self, added: tuple[str, ...] = (), removed: tuple[str, ...] = ()) -> None:
        def fill(db: Any) -> None:
            rows = [(text_hash(name), name) for name in added]
            db.executemany("INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)", rows)
            db.executemany("DELETE FROM texts WHERE text = ?", [(name,) for name in removed])

        with (self.folder / "test.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            renew(self.index, StoreShape("test", (TEXTS,)), fill)

    @property
    def store(self) -> dict[str, Any]:
        return {
            "folder": str(self.folder),
            "index": str(self.index),
            "local": None,
            "provider": "test",
            "model": "m",
            "dimension": WIDTH,
            "chunk": [400, 80],
            "url": self.url,
            "token": "",
        }

    def ask(self, name: str, most: int = 5, **what: Any) -> dict[str, Any]:
        return self.owner.ask("find", store=self.store, row=packed(random_row(name)), most=most, **what)

    def find(self, name: str, most: int = 5, **what: Any) -> list[tuple[str, float]]:
        return [(digest, cosine) for digest, cosine in self.ask(name, most, **what)["best"]]

    def settle(self) -> None:
        while self.owner.ask("settle", store=self.store):
            pass

    def about(self) -> dict[str, Any]:
        return self.owner.ask("about", store=self.store)

    def recalled(self, most: int = 10_000) -> float:
        """Return the share of live rows (of ``most`` of them) that are found by themselves."""
        names = random.Random(3).sample(sorted(self.names), min(most, len(self.names)))
        hits = [self.find(name, 3)[:1] for name in names]
        good = [
            bool(hit) and hit[0][0] == digest_of(name) and hit[0][1] > 0.999
            for name, hit in zip(names, hits, strict=True)
        ]
        return sum(good) / len(good)

    def stands_in_chroma(self) -> bool:
        """Fill Chroma, ask it for each row, and say whether it knows all of them and nothing else."""
        self.settle()
        return self.about() == whole_of(len(self.names)) and self.recalled() > 0.99

    def chroma(self) -> Path:
        """Return the folder in which Chroma's own files are."""
        (folder,) = [path for path in self.folder.glob("chroma-*") if path.is_dir()]
        return folder


def serving(owner: Owner) -> list[int]:
    """Return the processes that hold the vectors at this owner's socket."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"clawgit.service.vector_worker" in words and str(owner.path).encode() in words:
            found.append(int(path.parent.name))
    return found


def worker_pid(owner: Owner) -> int:
    """Return the process that holds the vectors now."""
    (pid,) = serving(owner)
    return pid


@pytest.fixture
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Owner]:
    """Return the owner of this test, not started yet."""
    asked = Owner(tmp_path_factory.mktemp("cache"), idle_seconds=20)
    yield asked
    asked.stop()


@pytest.fixture
def vectors(tmp_path: Path, owner: Owner) -> VectorRoom:
    (tmp_path / "clawgit").mkdir()
    return VectorRoom(tmp_path / "clawgit" / "vectors", owner)
