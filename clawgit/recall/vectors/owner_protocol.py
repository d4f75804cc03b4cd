"""How a command and the owner of the vectors talk: one message each way, length first, JSON inside."""

from __future__ import annotations

import base64
import json
import os
import struct
import sys
from array import array
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_MAX_BYTES = 256 * 1024 * 1024
_LONGEST_PATH = 100  # the system takes 104 to 108 bytes for the address of a socket


def send(to: socket.socket, message: Mapping[str, Any]) -> None:
    """Send one message."""
    data = json.dumps(message, ensure_ascii=True).encode()
    to.sendall(struct.pack("<I", len(data)) + data)


def receive(source: socket.socket) -> dict[str, Any]:
    """Return the next message.

    Raises:
        EOFError: The other side went away.
        ValueError: It sent something else.
    """
    (size,) = struct.unpack("<I", _exactly(source, 4))
    if size > _MAX_BYTES:
        raise ValueError("a message is too long")
    message = json.loads(_exactly(source, size))
    if not isinstance(message, dict):
        raise ValueError("a message is no object")  # noqa: TRY004 - what was sent is wrong, not how we were called
    return message


def _exactly(source: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = source.recv(min(size - len(parts), 1 << 20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


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


@contextmanager
def address_of(path: Path) -> Iterator[str]:
    """Yield an address for the socket at ``path``, however long that is."""
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
