"""Ids of entries: a hash, so that replaying the same change writes the same bytes."""

from __future__ import annotations

from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: they are read as 1, 0 and v
_SHORTEST = 6
_LONGEST = 48


def new_entry_id(statement: str, evidence: str, taken: Collection[str]) -> str:
    """Return the first id for this statement and first evidence that is not in ``taken``.

    Six characters; one more for each that is taken. White space does not count.
    """
    return next(candidate for candidate in _candidates(statement, evidence) if candidate not in taken)


def line_name(statement: str, evidence: str) -> str:
    """Return what names a line without an id in the history: what it says, on this evidence."""
    return new_entry_id(statement, evidence, ())


def is_made_from(entry_id: str, statement: str, evidence: str) -> bool:
    """Say whether an id was made of this statement on this evidence, and not of the same statement on another."""
    return len(entry_id) >= _SHORTEST and _digits(_source(statement, evidence), 0).startswith(entry_id)


def _candidates(statement: str, evidence: str) -> Iterator[str]:
    source = _source(statement, evidence)
    for round_number in count():
        digits = _digits(source, round_number)
        for length in range(_SHORTEST, _LONGEST + 1):
            yield digits[:length]


def _source(statement: str, evidence: str) -> str:
    return " ".join(statement.split()) + "\0" + evidence


def _digits(source: str, round_number: int) -> str:
    return base32(sha256(f"{round_number}\0{source}".encode("utf-8", "surrogatepass")).digest(), _LONGEST)


def base32(digest: bytes, length: int) -> str:
    """Return a digest in letters and digits that are not taken for one another."""
    number = int.from_bytes(digest, "big")
    return "".join(_ALPHABET[(number >> (5 * place)) & 31] for place in range(length))
