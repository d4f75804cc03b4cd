"""Rows in memory, compared all at once. For the owner process only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


class Rows:
    """Rows of one dimension by the hashes of their texts, the oldest first."""

    def __init__(self, dimension: int, rows: Mapping[bytes, np.ndarray] | None = None) -> None:
        self._names: list[bytes] = []
        self._matrix = np.zeros((0, dimension), np.float32)
        self.take(rows or {})

    def __len__(self) -> int:
        return len(self._names)

    @property
    def names(self) -> list[bytes]:
        """Return the hashes."""
        return self._names

    def take(self, rows: Mapping[bytes, np.ndarray]) -> None:
        """Add rows."""
        if rows:
            self._names = [*self._names, *rows]
            self._matrix = np.concatenate([self._matrix, np.stack(list(rows.values()))])

    def keep_only(self, names: Collection[bytes]) -> None:
        """Let go of all others."""
        kept = [number for number, name in enumerate(self._names) if name in names]
        if len(kept) < len(self._names):
            self._names = [self._names[number] for number in kept]
            self._matrix = self._matrix[kept]

    def first(self, most: int) -> tuple[list[bytes], np.ndarray]:
        """Return the oldest ones."""
        return self._names[:most], self._matrix[:most]

    def drop_first(self, number: int) -> None:
        """Let go of the oldest ones."""
        self._names = self._names[number:]
        self._matrix = self._matrix[number:]

    def cosines(self, row: np.ndarray) -> np.ndarray:
        """Return how near each is to ``row``."""
        return np.asarray(self._matrix @ row)

    def nearest(self, row: np.ndarray, most: int) -> list[tuple[bytes, float]]:
        """Return the nearest ones with their cosines, nearest first."""
        if not self._names:
            return []
        cosines = self.cosines(row)
        best = np.argsort(-cosines, kind="stable")[:most]
        return [(self._names[number], float(cosines[number])) for number in best]
