"""The vectors of one workspace as their owner holds them: Chroma, and exactly what it does not hold (yet).

Rows that live and do not stand in Chroma are compared one by one, so an answer never waits for Chroma to be
filled, and losing it costs time, never an answer.
"""

from __future__ import annotations

import fcntl
import os
import random
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from clawgit.recall.vectors import seal
from clawgit.recall.vectors.cache import EMBEDDINGS, EmbeddingCache
from clawgit.recall.vectors.rows import Rows
from clawgit.recall.vectors.shelf import (
    Contents,
    EmbeddedShelf,
    ServerShelf,
    Shelf,
    ShelfError,
    folder_for,
    remove_folder,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

BATCH = 250
AT_ONCE = 64  # so many rows are looked for before an opened Chroma is believed
LATER = 2000  # and so many when it is quiet; with fewer rows than that, all
MOST_DEAD = 1000
TRIES = 3
AGAIN_SECONDS = 30.0
_DTYPE = np.dtype("<f4")


class HeldError(Exception):
    """Another process owns the vectors of this workspace."""


@dataclass(frozen=True, slots=True)
class Store:
    """Which vectors: the folder of a workspace, the model in its cache, and a Chroma server if there is one."""

    folder: Path
    model_id: int
    dimension: int
    key: str
    url: str = ""
    token: str = field(default="", repr=False)


class Holding:
    """The vectors of one workspace and one model, held by the only process that may."""

    def __init__(self, store: Store) -> None:
        """Take the workspace's vectors.

        Raises:
            HeldError: Another process has them.
        """
        self.store = store
        self.trouble = ""
        self._lock = _hold(store.folder)
        self._cache = EmbeddingCache(store.folder / EMBEDDINGS)
        self._inode = (store.folder / EMBEDDINGS).stat().st_ino
        self._generation = -1
        self._live: set[str] = set()
        self._placed: set[str] = set()
        self._dead: set[str] = set()
        self._unchecked: list[str] = []
        self._waiting = Rows(store.dimension)
        self._shelf: Shelf | None = None
        self._failures = 0
        self._not_before = 0.0

    def is_in_place(self) -> bool:
        """Say whether the workspace still is where it was, and its cache the one that is open."""
        try:
            return (self.store.folder / EMBEDDINGS).stat().st_ino == self._inode
        except OSError:
            return False

    def find(self, row: Sequence[float], most: int) -> list[tuple[str, float]]:
        """Return the hashes of the live passages nearest to ``row``, with their cosines, nearest first."""
        self._refresh()
        asked = np.asarray(row, np.float32)
        try:
            found = dict(self._from_shelf(asked, most))
        except ShelfError as error:
            self._fail(error)
            self._refresh()  # what stood there is among those that wait now
            found = {}
        found.update(self._waiting.nearest(asked, most))
        return sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))[:most]

    def find_among(self, row: Sequence[float], files: Iterable[str], most: int) -> list[tuple[str, float]]:
        """Return the passages of these files nearest to ``row``, compared one by one: files that need not live."""
        digests = {one.digest for file in files for one in self._cache.passages(file)}
        rows = Rows(self.store.dimension)
        rows.take(self._load(digests))
        return rows.nearest(np.asarray(row, np.float32), most)

    def settle(self, most: int = BATCH) -> int:
        """Bring Chroma a step nearer to what lives; return how many steps of rows are left."""
        self._refresh()
        if not self._open_shelf():
            return 0
        try:
            self._change(most)
        except ShelfError as error:
            self._fail(error)
            return 0
        return len(self._waiting) + len(self._dead) + len(self._unchecked)

    def check(self, most: int) -> tuple[int, int]:
        """Ask Chroma for ``most`` of its own rows; return how many were asked for and how many found."""
        self._refresh()
        if not self._open_shelf():
            return 0, 0
        try:
            return self._recalled(random.sample(sorted(self._placed), min(most, len(self._placed))))
        except ShelfError as error:
            self._fail(error)
            return 0, 0

    def about(self) -> dict[str, Any]:
        """Return how many rows live, how many of them stand in Chroma, and what is wrong with it."""
        self._refresh()
        self._open_shelf()
        placed = len(self._placed) - len(self._dead)
        return {"live": len(self._live), "placed": placed, "trouble": self.trouble}

    def close(self) -> None:
        """Leave everything whole for the next owner."""
        try:
            if self._shelf is not None:
                self._shelf.close()
        except (ShelfError, OSError):
            pass  # without a seal the next owner looks closer
        finally:
            self._cache.close()
            os.close(self._lock)

    def drop(self) -> None:
        """Throw Chroma's part away; the cache stays."""
        with suppress(ShelfError, OSError):
            if self._open_shelf() and self._shelf is not None:
                self._shelf.discard()
        self._shelf = None
        self._generation = -1
        self._placed, self._dead = set(), set()

    def _refresh(self) -> None:
        generation = self._cache.generation()
        if generation == self._generation:
            return
        self._open_shelf()
        self._live = set(self._cache.live(self.store.model_id))
        self._waiting.keep_only(self._live)
        self._waiting.take(self._load(self._live - self._placed - self._waiting.digests))
        self._dead = self._placed - self._live
        self._generation = generation

    def _load(self, digests: set[str]) -> dict[str, np.ndarray]:
        """Return rows from the cache; one that is not of length one any more was damaged and is forgotten."""
        found, damaged = {}, []
        for digest, data in self._cache.rows(self.store.model_id, digests):
            row = np.frombuffer(data, _DTYPE) if len(data) == 4 * self.store.dimension else None
            if row is None or not abs(float(row @ row) - 1) < 1e-3:
                damaged.append(digest)
            else:
                found[digest] = row
        if damaged:
            self._cache.drop(self.store.model_id, damaged)
            self._live.difference_update(damaged)
        return found

    def _from_shelf(self, row: np.ndarray, most: int) -> list[tuple[str, float]]:
        if self._shelf is None or not self._placed:
            return []
        wanted = min(len(self._placed), most + min(len(self._dead), MOST_DEAD))
        (found,) = self._shelf.nearest(row[None, :], wanted)
        return [(digest, cosine) for digest, cosine in found if digest in self._live]

    def _change(self, most: int) -> None:
        assert self._shelf is not None
        if self._unchecked:
            some, self._unchecked = self._unchecked[:BATCH], self._unchecked[BATCH:]
            self._must_recall(some)
            return
        if self._dead:
            dead = sorted(self._dead)[:MOST_DEAD]
            self._shelf.remove(dead)
            self._placed.difference_update(dead)
            self._dead.difference_update(dead)
        digests, rows = self._waiting.first(most)
        if digests:
            self._shelf.put(digests, rows)
            self._placed.update(digests)
            self._waiting.drop_first(len(digests))

    def _open_shelf(self) -> bool:
        """Open Chroma if it is not open; say whether it is. What was lost in it is put there again."""
        if self._shelf is not None:
            return True
        if self._failures >= TRIES or time.monotonic() < self._not_before:
            return False
        try:
            self._shelf = self._opened_shelf()
            self._placed = self._shelf.digests()
            self._unchecked = random.sample(sorted(self._placed), min(LATER, len(self._placed)))
            self._must_recall(self._unchecked[:AT_ONCE])
        except (ShelfError, OSError) as error:
            self._fail(error)
            return False
        self.trouble = ""
        return True

    def _opened_shelf(self) -> Shelf:
        store = self.store
        contents = Contents(self._cache.place(), store.key, {"dimension": store.dimension})
        if store.url:
            return ServerShelf(store.url, store.token, contents)
        folder = folder_for(store.folder, contents)
        trust = seal.break_seal(folder)
        if trust is seal.Trust.BROKEN:
            remove_folder(folder)
            folder = folder_for(store.folder, contents)
            seal.break_seal(folder)
        return EmbeddedShelf(folder)

    def _must_recall(self, digests: list[str]) -> None:
        asked, found = self._recalled([digest for digest in digests if digest in self._placed])
        if found < asked:
            raise ShelfError(f"{asked - found} of {asked} rows could not be found again")

    def _recalled(self, digests: list[str]) -> tuple[int, int]:
        assert self._shelf is not None
        rows = self._load(set(digests))
        asked = found = 0
        for some in _parts([digest for digest in digests if digest in rows]):
            nearest = self._shelf.nearest(np.stack([rows[digest] for digest in some]), 10)
            asked += len(some)
            found += sum(
                any(digest == hit and cosine > 0.999 for hit, cosine in hits)
                for digest, hits in zip(some, nearest, strict=True)
            )
        return asked, found

    def _fail(self, error: Exception) -> None:
        """Give Chroma up for now: what stood there is compared one by one until it stands there again."""
        self._failures += 1
        self.trouble = f"Chroma failed: {error}"
        shelf, self._shelf = self._shelf, None
        if shelf is not None:
            with suppress(ShelfError, OSError):
                shelf.discard() if shelf.lasting else shelf.close()
        self._placed, self._dead = set(), set()
        self._generation = -1
        if self.store.url:
            self._failures = 0
            self._not_before = time.monotonic() + AGAIN_SECONDS


def _hold(folder: Path) -> int:
    handle = os.open(folder / "owner.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise HeldError from error
    return handle


def _parts(values: list[str]) -> Iterable[list[str]]:
    return (values[at : at + BATCH] for at in range(0, len(values), BATCH))
