"""Which files are texts, and how their bytes are read: what is searched and whose words it is must agree, so both ask here."""

from __future__ import annotations

import codecs

ENDINGS = (".md", ".markdown", ".txt")
# The longer mark first: that of UTF-32 begins as that of UTF-16 does.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNREADABLE = "\ufffd"
_WESTERN = "cp1252"  # what Latin-1 texts are written in, with quotation marks and the euro
_LOOKED_AT = 8192  # bytes in which a file that is no text has a zero, as git takes it


def is_text(data: bytes) -> bool:
    """Say whether a file can be read as text."""
    return data.startswith(_ALL_MARKS) or b"\0" not in data[:_LOOKED_AT]


def as_utf8(data: bytes) -> bytes:
    """Return a text as UTF-8: UTF-16 and UTF-32 are known by their marks, Latin-1 by what is no UTF-8.

    UTF-8 in which some bytes are damaged stays as it is.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace").encode("utf-8", "replace")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        if _is_western(data):
            return data.decode(_WESTERN, "replace").encode("utf-8")
    return data


def _is_western(data: bytes) -> bool:
    """Say whether less of what is no ASCII makes sense as UTF-8 than does not."""
    text = data.decode("utf-8", "replace")
    damaged = text.count(_UNREADABLE)
    plain = len(text.encode("ascii", "ignore"))
    return len(text) - plain <= 2 * damaged


_ALL_MARKS = tuple(mark for mark, _ in _MARKS)
