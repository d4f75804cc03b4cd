"""Rows as bytes and as text, the same on every machine."""

from __future__ import annotations

import base64
import sys
from array import array


def packed(row: array[float] | None) -> str | None:
    """Return a row as text."""
    return None if row is None else base64.b64encode(row_bytes(row)).decode()


def unpacked(text: str | None) -> array[float] | None:
    """Return the row that `packed` made text of."""
    return None if text is None else row_of(base64.b64decode(text))


def row_bytes(row: array[float]) -> bytes:
    """Return a row's bytes, little end first on every machine."""
    if sys.byteorder == "big":
        row = row[:]
        row.byteswap()
    return row.tobytes()


def row_of(data: bytes) -> array[float]:
    """Return the row of which these are the bytes."""
    row = array("f", data)
    if sys.byteorder == "big":
        row.byteswap()
    return row
