"""Rows in memory, compared all at once. For the owner process only."""

from __future__ import annotations

import numpy as np


class Rows:
    """Rows by their hashes, compared all at once."""

    def __init__(self, dimension: int) -> None:
        self._names: list[str] = []
        self._matrix = np.zeros((0, dimension), np.float32)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def digests(self) -> set[str]:
        """Return the hashes."""
        return set(self._names)

    def take(self, rows: dict[str, np.ndarray]) -> None:
        """Add rows."""
        if rows:
            self._names += rows
            self._matrix = np.concatenate([self._matrix, np.stack(list(rows.values()))])

    def keep_only(self, digests: set[str]) -> None:
        """Let go of all others."""
        kept = [number for number, name in enumerate(self._names) if name in digests]
        if len(kept) < len(self._names):
            self._names = [self._names[number] for number in kept]
            self._matrix = self._matrix[kept]

    def first(self, most: int) -> tuple[list[str], np.ndarray]:
        """Return the oldest ones."""
        return self._names[:most], self._matrix[:most]

    def drop_first(self, number: int) -> None:
        """Let go of the oldest ones."""
        del self._names[:number]
        self._matrix = self._matrix[number:]

    def nearest(self, row: np.ndarray, most: int) -> list[tuple[str, float]]:
        """Return the nearest ones with their cosines, nearest first."""
        if not self._names:
            return []
        cosines = self._matrix @ row
        best = np.argsort(-cosines, kind="stable")[:most]
        return [(self._names[number], float(cosines[number])) for number in best]
