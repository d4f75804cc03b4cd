"""Lines of a file as bytes, each with the end it was written with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# `str.splitlines` also splits at \x0b, \x0c, \x1c-\x1e, \x85 and U+2028: line numbers would drift.
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_END = re.compile(rb"\r\n|\n|\r")


def split_lines(data: bytes) -> list[bytes]:
    r"""Return the lines with their own ends (\r\n, \n or \r); joined they are ``data`` again."""
    return _LINE.findall(data)


def line_end(data: bytes) -> bytes:
    r"""Return the end that most lines of ``data`` have; ``b"\n"`` where there is none or a tie."""
    found = _END.findall(data)
    return max((b"\n", b"\r\n", b"\r"), key=found.count)


def without_end(line: bytes) -> bytes:
    """Return ``line`` without its one line end."""
    for end in (b"\r\n", b"\n", b"\r"):
        if line.endswith(end):
            return line[: -len(end)]
    return line


def joined(lines: Sequence[bytes], end: bytes = b"\n") -> bytes:
    """Return the lines as one text; one without an end that is not the last any more gets ``end``."""
    return b"".join(
        [*(line if without_end(line) != line else line + end for line in lines[:-1]), *lines[-1:]]
    )
