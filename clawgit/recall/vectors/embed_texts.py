"""Which texts live, and how they become rows: long ones in pieces; and the questions by which a model is known."""

from __future__ import annotations

import re
import sqlite3
import time
from array import array
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clawgit.recall.embedders.embedder import row_bytes, unit_row
from clawgit.recall.index.index_tables import in_parts, marks
from clawgit.recall.index.line_units import passages
from clawgit.text.safety.secrets import redact
from clawgit.text.words.tokens import count_tokens

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from clawgit.recall.embedders.embedder import Embedder, Row

PIECE_TOKENS, PIECE_OVERLAP = 200, 40  # what small models read at once; less where the settings say so
ALIKE = 0.98  # a model whose row for a probe is further away than that from the noted one is another model
_WAIT_SECONDS = 5.0
_TRIES, _PAUSE_SECONDS = 10, 0.005

# What an entry has around its statement; to a small model a date weighs as much as the statement.
_AROUND = re.compile(r"\A\d{4}-\d\d-\d\d: |(?: #[^\s#]+)+\Z", re.ASCII)

# Questions about what hardly anybody notes: how near they come to the nearest line says what near means here.
PROBES = (
    "What is the boiling point of tungsten?",
    "How do I configure an nginx reverse proxy?",
    "Who won the world cup in 1974?",
    "How do I fix a flat bicycle tyre?",
    "What does quantum chromodynamics say about lattices?",
    "When did the second Punic war begin?",
    "How long does sourdough bread have to rise?",
    "Which flight goes to Reykjavik on Tuesday?",
)


@dataclass(slots=True)
class LiveTexts:
    """The texts of an index on disk by their hashes; others renew it meanwhile, and its date changes with its seal."""

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
            hashes = self._read(stat.st_mtime_ns)
            if hashes is not None:
                self._seen = (stat.st_ino, stat.st_mtime_ns)
                self.hashes = hashes
                return True
            time.sleep(_PAUSE_SECONDS)
        return False

    def texts(self, hashes: Collection[bytes]) -> dict[bytes, str]:
        """Return the texts that are still there, keys masked: a service may make vectors of them."""
        texts: dict[bytes, str] = {}
        try:
            with closing(self._connected()) as db:
                for some in in_parts(list(hashes)):
                    texts.update(
                        db.execute(f"SELECT hash, text FROM texts WHERE hash IN ({marks(some)})", some)
                    )
        except sqlite3.Error:
            return {}
        for known, text in texts.items():
            texts[known] = redact(text)
        return texts

    def _read(self, seal: int) -> frozenset[bytes] | None:
        try:
            with closing(self._connected()) as db:
                db.execute("BEGIN")
                (sealed,) = db.execute("SELECT value FROM meta WHERE name = 'seal'").fetchone()
                hashes = frozenset(row[0] for row in db.execute("SELECT hash FROM texts"))
        except (sqlite3.Error, TypeError, ValueError):
            return None
        return hashes if sealed == seal else None

    def _connected(self) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode=ro"
        return sqlite3.connect(address, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)


def made_rows(
    embedder: Embedder, texts: Mapping[bytes, str], settings: tuple[int, int]
) -> dict[bytes, Row[float] | None]:
    """Return a row for each text, None for one that the model cannot read; ``settings`` are chunk size and overlap."""
    tokens = min(PIECE_TOKENS, settings[0])
    overlap = min(PIECE_OVERLAP, settings[1])
    pieces = {name: _pieces(statement(text), tokens, overlap) for name, text in texts.items()}
    rows = iter(embedder.embed([piece for each in pieces.values() for piece in each]))
    return {name: _mean([next(rows) for _ in each]) for name, each in pieces.items()}


def statement(text: str) -> str:
    """Return what a text says, without the date before an entry and the tags behind it."""
    return _AROUND.sub("", text) or text


def probe_bytes(rows: Sequence[Row[float] | None], dimension: int) -> bytes:
    """Return the rows of the probes as they are noted; a probe that cannot be read counts as zeros."""
    return b"".join(row_bytes(array("f", bytes(4 * dimension)) if row is None else row) for row in rows)


def _pieces(text: str, tokens: int, overlap: int) -> list[str]:
    if count_tokens(text) <= tokens:
        return [text]
    return [piece.text for piece in passages(text.encode("utf-8", "replace"), tokens, overlap)]


def _mean(rows: list[Row[float] | None]) -> Row[float] | None:
    read = [row for row in rows if row is not None]
    if len(read) < 2:
        return read[0] if read else None
    return unit_row([sum(column) for column in zip(*read, strict=True)])
