"""The lines of an open transcript, of which one may be too long to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINE = 32 * 1024 * 1024


def lines_of(file: BinaryIO) -> Iterator[tuple[bytes | None, int]]:
    """Yield the lines from here on, each with the place after it; None for one that is too long to be read."""
    while line := file.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            while (rest := file.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield None, file.tell()
        else:
            yield line, file.tell()
