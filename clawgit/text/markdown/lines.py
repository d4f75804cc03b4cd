"""Text files, their bytes as UTF-8, and their lines, each with its own end."""

from __future__ import annotations

import codecs
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

_ENDS = (b"\n", b"\r")
_DEEPEST = 6  # level of a heading
_FENCES = (b"```", b"~~~")


def split_lines(data: bytes) -> list[bytes]:
    r"""Return the lines with their own ends (\r\n, \n or \r); joined they are ``data`` again.

    `str.splitlines` also splits at \x0b, \x0c, \x1c-\x1e, \x85 and U+2028: line numbers would drift.
    """
    return data.splitlines(keepends=True)


def line_end(data: bytes) -> bytes:
    r"""Return the most frequent line end of ``data``; ``b"\n"`` for none or a tie."""
    both = data.count(b"\r\n")
    counts = {b"\n": data.count(b"\n") - both, b"\r\n": both, b"\r": data.count(b"\r") - both}
    return max(counts, key=counts.__getitem__)


def gap_below(data: bytes, end: bytes) -> bytes:
    """Return the bytes to append so that a text ends with an empty line."""
    if data.endswith(2 * end):
        return b""
    return end if data.endswith(_ENDS) else 2 * end


def without_end(line: bytes) -> bytes:
    return line.removesuffix(b"\n").removesuffix(b"\r")


def heading_level(line: bytes) -> int:
    """Return how many # a line begins with, 0 for text."""
    return len(line) - len(line.lstrip(b"#"))


def is_heading(line: bytes) -> bool:
    level = heading_level(line)
    return 0 < level <= _DEEPEST and not line[level : level + 1].strip()


def put_below(above: dict[int, bytes], level: int, line: bytes) -> None:
    """Put a line into level → line above, in the place of those that are as deep or deeper."""
    for deeper in list(filter(level.__le__, above)):
        del above[deeper]
    above[level] = line


def lines_above(data: bytes, number: int) -> list[bytes]:
    """Return a line (from 1), and those that it is below by its indentation, the innermost first."""
    above: list[bytes] = []
    depth = 0
    for line in reversed(split_lines(data)[:number]):
        indent = len(line) - len(line.lstrip())
        if line.strip() and (not above or indent < depth):
            depth = indent
            above.append(line)
    return above


def without_trailing_comment(text: str) -> str:
    """Return ``text`` without a comment at its end and the white space before it; a line that is only a comment stays."""
    bare = text.rstrip()
    start = bare.rfind("<!--")
    if start < 0 or bare.find("-->", start + 4) != len(bare) - 3:
        return bare
    return bare[:start].rstrip() or bare


def joined(lines: Sequence[bytes], end: bytes = b"\n") -> bytes:
    """Return the lines as one text; a line without an end gets ``end`` unless it is the last."""
    return b"".join([*(line if line.endswith(_ENDS) else line + end for line in lines[:-1]), *lines[-1:]])


def without_numbers(lines: Iterable[bytes], numbers: Container[int]) -> bytes:
    """Return the text without the lines of these numbers (from 0)."""
    return b"".join(line for number, line in enumerate(lines) if number not in numbers)


def line_changes(old: bytes, new: bytes) -> tuple[int, int]:
    """Return how many lines were added and removed, wherever they were."""
    before = Counter(split_lines(old))
    after = Counter(split_lines(new))
    return (after - before).total(), (before - after).total()


def conflicts_in(data: bytes) -> list[tuple[int, ...]]:
    """Return the numbers (from 1) of the marker lines of each whole merge conflict; none from a code fence or a quotation."""
    if b"<<<<<<< " not in data:
        return []
    conflicts: list[tuple[int, ...]] = []
    fence = b""
    markers: list[int] = []
    divided = False
    for number, line in enumerate(split_lines(data), 1):
        mark = line.lstrip(b" ")[:3]
        if mark in _FENCES and fence in (b"", mark):
            fence = b"" if fence else mark
        if fence:
            markers, divided = [], False
        elif line.startswith(b"<<<<<<< "):
            markers, divided = [number], False
        elif markers and line.startswith(b"||||||| "):  # the base, in git's diff3 style
            markers.append(number)
        elif markers and without_end(line) == b"=======":
            markers.append(number)
            divided = True
        elif divided and line.startswith(b">>>>>>> "):
            conflicts.append((*markers, number))
            markers, divided = [], False
    return conflicts


def without_conflict_markers(data: bytes) -> bytes:
    """Return a text with an empty line for each conflict marker: the other lines keep their numbers."""
    lines = split_lines(data)
    for number in chain.from_iterable(conflicts_in(data)):
        lines[number - 1] = lines[number - 1][len(without_end(lines[number - 1])) :]
    return b"".join(lines)


ENDINGS = (".md", ".markdown", ".txt")
# The longer mark first: UTF-32's begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNREADABLE = "\ufffd"
_WESTERN = "cp1252"  # the encoding of Latin-1 texts, with quotation marks and the euro
_LOOKED_AT = 8192  # git treats a file with a zero in so many bytes as binary


def is_text(data: bytes) -> bool:
    return data.startswith(_ALL_MARKS) or b"\0" not in data[:_LOOKED_AT]


def as_utf8(data: bytes) -> bytes:
    """Return a text as UTF-8: UTF-16 and UTF-32 are recognised by their marks, Latin-1 by not being UTF-8.

    UTF-8 with some damaged bytes stays as it is.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace").encode("utf-8", "replace")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        # Western, if less of the non-ASCII bytes is valid UTF-8 than is not.
        text = data.decode("utf-8", "replace")
        damaged = text.count(_UNREADABLE)
        plain = len(text.encode("ascii", "ignore"))
        if len(text) - plain <= 2 * damaged:
            return data.decode(_WESTERN, "replace").encode("utf-8")
    return data


_ALL_MARKS = tuple(mark for mark, _ in _MARKS)
