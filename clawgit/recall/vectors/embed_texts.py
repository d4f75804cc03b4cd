"""From texts to rows: long ones in pieces, and the questions by which a model is known and a workspace is gauged."""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING

from clawgit.recall.embedders.embedder import unit_row
from clawgit.recall.index.passages import passages
from clawgit.recall.vectors.packed_rows import row_bytes
from clawgit.text.words.tokens import count_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clawgit.recall.embedders.embedder import Embedder, Row

PIECE_TOKENS, PIECE_OVERLAP = 200, 40  # what small models read at once; less where the settings say so
ALIKE = 0.98  # a model whose row for a probe is further away than that from the noted one is another model

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


def made_rows(
    embedder: Embedder, texts: Mapping[bytes, str], settings: tuple[int, int]
) -> dict[bytes, Row[float] | None]:
    """Return a row for each text, None for one that the model cannot read; ``settings`` are chunk size and overlap."""
    tokens, overlap = min(PIECE_TOKENS, settings[0]), min(PIECE_OVERLAP, settings[1])
    pieces = {name: _pieces(statement(text), tokens, overlap) for name, text in texts.items()}
    rows = iter(embedder.embed([piece for found in pieces.values() for piece in found]))
    return {name: _mean([next(rows) for _ in found]) for name, found in pieces.items()}


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
