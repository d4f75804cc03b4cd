"""A folder with rows in its cache, and an owner of their vectors that ends with the test."""

from __future__ import annotations

import fcntl
import hashlib
import math
import random
from array import array
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.recall.vectors.asking import Owner
from clawgit.recall.vectors.cache import EMBEDDINGS, CachedPassage, EmbeddingCache
from clawgit.recall.vectors.wire import packed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WIDTH = 24


def random_row(name: str, width: int = WIDTH) -> array[float]:
    """Return a row of length one that depends on nothing but the name."""
    chance = random.Random(name)
    values = [chance.gauss(0, 1) for _ in range(width)]
    length = math.hypot(*values)
    return array("f", [value / length for value in values])


def digest_of(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:32]


@dataclass
class VectorRoom:
    """The vectors folder of a workspace, filled by hand: one file for each name, of one passage."""

    folder: Path
    owner: Owner
    url: str = ""
    names: set[str] = field(default_factory=set)

    @property
    def cache(self) -> Any:
        return closing(EmbeddingCache(self.folder / EMBEDDINGS))

    def fill(self, *names: str) -> None:
        """Make these live as well."""
        self.names |= set(names)
        self.folder.mkdir(exist_ok=True)
        with self.cache as cache, (self.folder / "test.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            model = cache.note_model("test", "m", WIDTH, None)
            cache.keep(model.model_id, {digest_of(name): random_row(name) for name in names})
            files = {name: [CachedPassage(0, 0, digest_of(name))] for name in names}
            cache.note_files(files, cache.live_files() | set(names))

    def retire(self, *names: str) -> None:
        self.names -= set(names)
        with self.cache as cache:
            cache.note_files({}, cache.live_files() - set(names))

    @property
    def store(self) -> dict[str, Any]:
        return {
            "folder": str(self.folder),
            "model_id": 1,
            "dimension": WIDTH,
            "key": "k",
            "url": self.url,
            "token": "",
        }

    def find(self, name: str, most: int = 5, **what: Any) -> list[tuple[str, float]]:
        row = _packed(random_row(name))
        found = self.owner.ask("find", store=self.store, row=row, most=most, **what)
        return [(digest, cosine) for digest, cosine in found]

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
        """Fill Chroma, ask it alone for each row, and say whether it knows all of them and nothing else."""
        self.settle()
        live = len(self.names)
        whole = self.owner.ask("check", store=self.store, most=live + 1) == [live, live]
        return whole and self.about() == {"live": live, "placed": live, "trouble": ""}

    def chroma(self) -> Path:
        """Return the folder in which Chroma's own files are."""
        (folder,) = [path for path in self.folder.glob("chroma-*") if path.is_dir()]
        return folder


def _packed(row: array[float]) -> str:

    text = packed(row)
    assert text is not None
    return text


@pytest.fixture
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Owner]:
    """Return the owner of this test, not started yet."""
    asked = Owner(tmp_path_factory.mktemp("cache"), idle_seconds=20)
    yield asked
    asked.stop()


@pytest.fixture
def vectors(tmp_path: Path, owner: Owner) -> VectorRoom:
    return VectorRoom(tmp_path / "vectors", owner)
