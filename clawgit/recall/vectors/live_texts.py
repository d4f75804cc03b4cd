"""What the search index holds at this moment, as the makers of vectors see it: texts by their hashes."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clawgit.recall.index.index_tables import in_parts, marks

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

_WAIT_SECONDS = 5.0
_TRIES, _PAUSE_SECONDS = 10, 0.005


@dataclass(slots=True)
class LiveTexts:
    """The texts of an index on disk, which others renew meanwhile; its date is its seal and changes with it."""

    path: Path
    hashes: frozenset[bytes] = frozenset()
    _seen: tuple[int, int] = field(default=(0, 0), init=False)

    def renew(self) -> bool:
        """Read the hashes if the index has changed; say whether it has. One that goes on being written counts as before.

        Raises:
            OSError: There is no index.
        """
        for _ in range(_TRIES):
            stat = self.path.stat()
            if (stat.st_ino, stat.st_mtime_ns) == self._seen:
                return False
            found = self._read(stat.st_mtime_ns)
            if found is not None:
                self._seen, self.hashes = (stat.st_ino, stat.st_mtime_ns), found
                return True
            time.sleep(_PAUSE_SECONDS)
        return False

    def _read(self, seal: int) -> frozenset[bytes] | None:
        """Return the hashes in the index of that seal, None if it is another one by now."""
        try:
            with closing(self._connected()) as db:
                db.execute("BEGIN")
                (sealed,) = db.execute("SELECT value FROM meta WHERE name = 'seal'").fetchone()
                found = frozenset(row[0] for row in db.execute("SELECT hash FROM texts"))
        except (sqlite3.Error, TypeError, ValueError):
            return None
        return found if sealed == seal else None

    def texts(self, hashes: Collection[bytes]) -> dict[bytes, str]:
        """Return the texts that are still there."""
        found: dict[bytes, str] = {}
        try:
            with closing(self._connected()) as db:
                for some in in_parts(list(hashes)):
                    found.update(
                        db.execute(f"SELECT hash, text FROM texts WHERE hash IN ({marks(some)})", some)
                    )
        except sqlite3.Error:
            return {}
        return found

    def _connected(self) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode=ro"
        return sqlite3.connect(address, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)
