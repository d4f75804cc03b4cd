"""Which rows are in Chroma, and what is done when it fails. For the owner process only."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.recall.vectors import chroma_seal as seal
from clawgit.recall.vectors.chroma_store import (
    Contents,
    EmbeddedShelf,
    ServerShelf,
    Shelf,
    ShelfError,
    folder_for,
    remove_folder,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    import numpy as np

    from clawgit.recall.vectors.vector_rows import Rows

BATCH = 250
AT_ONCE = 64  # so many rows are looked for before an opened Chroma is believed
LATER = 1000  # and so many when it is quiet; with fewer rows than that, all
GROWN = 0.1  # with so large a share of new rows they are looked for: of many that are alike Chroma loses some
MOST_DEAD = 1000
TRIES = 3
AGAIN_SECONDS = 30.0


class _LostError(ShelfError):
    """Rows that are in Chroma are not found by themselves."""


class Standing:
    """The rows that are in Chroma: what should not is dead, what lives and is not there waits elsewhere.

    ``load`` returns the rows of texts from the cache.
    """

    def __init__(
        self, folder: Path, contents: Contents, server: tuple[str, str], load: Callable[[set[bytes]], Rows]
    ) -> None:
        self.placed: set[bytes] = set()
        self.dead: set[bytes] = set()
        self._trouble = ""
        self._folder, self._contents, self._load = folder, contents, load
        self._url, self._token = server
        self._shelf: Shelf | None = None
        self._unchecked: list[bytes] = []
        self._new = 0
        self._filled_here = False
        self._failures = 0
        self._not_before = 0.0

    @property
    def trouble(self) -> str:
        """Return why Chroma failed; of a server that may be asked again by now, nothing is known."""
        is_over = bool(self._url) and time.monotonic() >= self._not_before
        return "" if is_over else self._trouble

    @property
    def is_open(self) -> bool:
        """Say whether Chroma is open."""
        return self._shelf is not None

    @property
    def left(self) -> int:
        """Return how much of it is still to be mended or looked at."""
        return len(self.dead) + len(self._unchecked) if self._shelf is not None else 0

    def open(self) -> bool:
        """Open Chroma if it is not open; say whether it is."""
        if self._shelf is not None:
            return True
        if self._failures >= TRIES or time.monotonic() < self._not_before:
            return False
        try:
            self._shelf = self._opened()
            self.placed = {bytes.fromhex(name) for name in self._shelf.names()}
            self._filled_here = not self.placed
            self._unchecked, self._new = self._some_placed(LATER), 0
            self._must_recall(self._unchecked[:AT_ONCE])
        except (ShelfError, OSError, ValueError) as error:
            self.fail(error)
            return False
        self._trouble = ""
        return True

    def nearest(self, row: np.ndarray, most: int) -> list[tuple[bytes, float]]:
        """Return the nearest rows; some of them may be dead.

        Raises:
            ShelfError: Chroma failed.
        """
        if self._shelf is None or not self.placed:
            return []
        wanted = min(len(self.placed), most + min(len(self.dead), MOST_DEAD))
        (found,) = self._shelf.nearest(row[None, :], wanted)
        return [(bytes.fromhex(name), cosine) for name, cosine in found]

    def step(self, waiting: Rows) -> bool:
        """Look for some rows, take some dead ones away, or put some that wait there; False if Chroma failed."""
        if not self.open():
            return False
        assert self._shelf is not None
        try:
            if self._unchecked:
                some, self._unchecked = self._unchecked[:BATCH], self._unchecked[BATCH:]
                self._must_recall(some)
            elif self.dead:
                gone = sorted(self.dead)[:MOST_DEAD]
                self._shelf.remove([text.hex() for text in gone])
                self.placed.difference_update(gone)
                self.dead.difference_update(gone)
            elif len(waiting):
                texts, rows = waiting.first(BATCH)
                self._shelf.put([text.hex() for text in texts], rows)
                self.placed.update(texts)
                waiting.drop_first(len(texts))
                self._new += len(texts)
                if not len(waiting) and self._new > GROWN * len(self.placed):
                    self._unchecked, self._new = self._some_placed(LATER), 0
        except ShelfError as error:
            if isinstance(error, _LostError) and self._filled_here:
                self._failures = TRIES  # no damage: it cannot tell these rows apart, nor could it again
            self.fail(error)
            return False
        return True

    def recalled(self, most: int) -> tuple[int, int]:
        """Ask Chroma for ``most`` of its own rows; return how many were asked for and how many found.

        Raises:
            ShelfError: Chroma failed.
        """
        return self._recalled(self._some_placed(most))

    def fail(self, error: Exception) -> None:
        """Give Chroma up for now; one beside the repository is thrown away and made again."""
        self._failures += 1
        self._trouble = f"Chroma failed: {str(error).rstrip('.')}."
        shelf, self._shelf = self._shelf, None
        if shelf is not None:
            with suppress(ShelfError, OSError):
                shelf.discard() if shelf.lasting else shelf.close()
        self.placed, self.dead = set(), set()
        if self._url:
            self._failures = 0
            self._not_before = time.monotonic() + AGAIN_SECONDS

    def close(self) -> None:
        """Leave it whole for the next owner."""
        if self._shelf is not None:
            with suppress(ShelfError, OSError):  # without a seal the next owner looks closer
                self._shelf.close()
        self._shelf = None

    def drop(self) -> bool:
        """Throw away what is there; False if a server could not be asked for it."""
        gone = not self._url
        with suppress(ShelfError, OSError):
            if self.open() and self._shelf is not None:
                self._shelf.discard()
                gone = True
        self._shelf = None
        self.placed, self.dead = set(), set()
        return gone

    def _opened(self) -> Shelf:
        if self._url:
            return ServerShelf(self._url, self._token, self._contents)
        folder = folder_for(self._folder, self._contents)
        if seal.break_seal(folder) is seal.Trust.BROKEN:
            remove_folder(folder)
            folder = folder_for(self._folder, self._contents)
            seal.break_seal(folder)
        return EmbeddedShelf(folder)

    def _some_placed(self, most: int) -> list[bytes]:
        return random.sample(sorted(self.placed), min(most, len(self.placed)))

    def _must_recall(self, texts: list[bytes]) -> None:
        asked, found = self._recalled([text for text in texts if text in self.placed])
        if found < asked:
            raise _LostError(f"{asked - found} of {asked} rows could not be found again")

    def _recalled(self, texts: Sequence[bytes]) -> tuple[int, int]:
        assert self._shelf is not None
        asked = found = 0
        for some in _parts(texts):
            names, rows = self._load(set(some)).first(BATCH)
            if names:
                nearest = self._shelf.nearest(rows, 10)
                asked += len(names)
                found += sum(
                    any(name.hex() == hit and cosine > 0.999 for hit, cosine in hits)
                    for name, hits in zip(names, nearest, strict=True)
                )
        return asked, found


def _parts(values: Sequence[bytes]) -> Iterable[Sequence[bytes]]:
    return (values[at : at + BATCH] for at in range(0, len(values), BATCH))
