"""What is beside an entry's words and no part of them: its id (`<!-- m:7k2x9d -->`), a host's notes, earlier words, a lost conflict."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.markdown.lines import without_end

if TYPE_CHECKING:
    from collections.abc import Collection

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: they are read as 1, 0 and v
_SHORTEST = 6
_LONGEST = 48
_OPEN, _SAYS = b"<!--", "Source: "
# From where it was promoted, at the end of a line; a link and a name alone are the writer's own.
_SOURCE = _SAYS + r"[^\s#<>:`]{1,300}#L\d{1,9}(?:-L?\d{1,9})?(?=[ \t]*(?:<!--|#[^\s#]|[\r\n]|\Z))"
# Between backticks it is an example, not an id.
_MARK = lazy_bytes_pattern(rb"(?<!`)<!--[ \t]*m:([0-9a-z]+)(?:[ \t]+understood)?[ \t]*-->(?!`)")
_SUPERSEDED = rb"(?<!`)<!--[ \t]*superseded: k:[0-9a-z]+[ \t]*-->(?!`)"
# Only from a run's begin: else each of a million spaces would be tried.
_MARK_AND_SPACE = lazy_bytes_pattern(
    rb"(?:(?<![ \t])[ \t]+)?(?:" + _MARK.pattern + rb"|" + _SUPERSEDED + rb")"
)
_SUPERSEDED_AND_SPACE = lazy_bytes_pattern(rb"(?:(?<![ \t])[ \t]+)?" + _SUPERSEDED)
_NOTE = lazy_bytes_pattern(
    rb"(?:(?<!`)<!--[ \t]*(?:trigger:[^<>\r\n]{0,200}|importance:[ \t]*\d{1,2}|project:[ \t]*[^<>\s]{1,200}?)[ \t]*-->(?!`)"
    rb"|(?<=[ \t])%s)" % _SOURCE.encode()
)
_NOTE_AND_SPACE = lazy_bytes_pattern(rb"(?:(?<![ \t])[ \t]+)?" + _NOTE.pattern)
_SOURCE_AND_SPACE = lazy_pattern(r"(?<![ \t])[ \t]+" + _SOURCE)
_BEFORE = lazy_bytes_pattern(
    rb"[ \t]*<!-- was(?:, until \d{4}-\d{2}-\d{2})?: (?:(?!--)[^\r\n])*-->[ \t]*(?:\r\n|\r|\n)?"
)
# What could make lines further down mean something else: fences, front matter, HTML; and an open comment.
_UNUSUAL = lazy_bytes_pattern(rb"```|~~~|\A(?:\xef\xbb\xbf)?---|^[ ]{0,3}<(?!!--[^\r\n]*-->)", re.MULTILINE)
_LAST_LINE = lazy_bytes_pattern(rb"(?:\A|\n)- \S[^\r\n]*\r?\n\Z")
_ITEMS = lazy_bytes_pattern(rb"(?:- \S[^\r\n]*\r?\n)+\Z")


def new_entry_id(statement: str, evidence: str, taken: Collection[str]) -> str:
    """Return the first id for this statement and evidence not in ``taken``: six characters, one more for each taken."""
    source = _source(statement, evidence)
    round_number = 0
    while True:
        digits = _digits(source, round_number)
        for length in range(_SHORTEST, _LONGEST + 1):
            if digits[:length] not in taken:
                return digits[:length]
        round_number += 1


def line_name(statement: str, evidence: str) -> str:
    """Return what names a line without an id in the history: what it says, on this evidence."""
    return new_entry_id(statement, evidence, ())


def is_made_from(entry_id: str, statement: str, evidence: str) -> bool:
    """Say whether an id was made of this statement on this evidence, and not of the same statement on another."""
    return len(entry_id) >= _SHORTEST and _digits(_source(statement, evidence), 0).startswith(entry_id)


def _source(statement: str, evidence: str) -> str:
    return " ".join(statement.split()) + "\0" + evidence


def _digits(source: str, round_number: int) -> str:
    return base32(sha256(f"{round_number}\0{source}".encode("utf-8", "surrogatepass")).digest(), _LONGEST)


def base32(digest: bytes, length: int) -> str:
    """Return a digest in letters and digits that are not taken for one another."""
    number = int.from_bytes(digest, "big")
    return "".join(_ALPHABET[(number >> (5 * place)) & 31] for place in range(length))


def notes_on(lines: list[bytes]) -> tuple[bytes, ...]:
    """Return the host's notes on ``lines``, in their order."""
    return tuple(found for line in lines if _may_hold_notes(line) for found in _NOTE.findall(line))


def without_notes(line: bytes) -> bytes:
    """Return ``line`` without ids, a host's notes, and the white space before them."""
    return _NOTE_AND_SPACE.sub(b"", without_marks(line)) if _may_hold_notes(line) else line


def without_sources(text: str) -> str:
    """Return a text without what a host notes at the ends of its lines on where they came from."""
    return _SOURCE_AND_SPACE.sub("", text) if _SAYS in text else text


def _may_hold_notes(line: bytes) -> bool:
    return _OPEN in line or _SAYS.encode() in line


def is_earlier_wording(line: bytes) -> bool:
    """Say whether a line is the comment in which an entry that was corrected keeps what it said before."""
    return _OPEN in line and _BEFORE.fullmatch(line) is not None


def mark_of(lines: list[bytes]) -> str | None:
    """Return the first id in ``lines``."""
    for line in lines:
        if _OPEN in line and (found := _MARK.search(line)) is not None:
            return found[1].decode()
    return None


def marks_in(data: bytes) -> frozenset[str]:
    return frozenset(found.decode() for found in _MARK.findall(data))


def without_marks(line: bytes) -> bytes:
    """Return ``line`` without ids, marks of lost conflicts, and the white space before them."""
    return _MARK_AND_SPACE.sub(b"", line) if _OPEN in line else line


def with_mark(lines: list[bytes], at: int, entry_id: str, *, is_understood: bool = False) -> list[bytes]:
    """Return ``lines`` with ``entry_id`` as their one id: where one stood already, else at the end of line ``at``."""
    mark = b"<!-- m:%s%s -->" % (entry_id.encode(), b" understood" if is_understood else b"")
    place = next((number for number, line in enumerate(lines) if _MARK.search(line)), None)
    if place is None:
        text = without_end(lines[at])
        marked = text.rstrip(b" \t") + b" " + mark + lines[at][len(text) :]
        return [*lines[:at], marked, *lines[at + 1 :]]
    found = _MARK.search(lines[place])
    cut = found.end() if found else 0
    kept = _MARK.sub(mark, lines[place][:cut]) + without_marks(lines[place][cut:])
    return [*lines[:place], kept, *map(without_marks, lines[place + 1 :])]


def with_superseded(lines: list[bytes], at: int, conflict_id: str) -> list[bytes]:
    """Return an entry's ``lines`` marked as having lost a conflict, at the end of line ``at``; without an id, unmarked."""
    bare = [_SUPERSEDED_AND_SPACE.sub(b"", line) if _OPEN in line else line for line in lines]
    if not conflict_id:
        return bare
    text = without_end(bare[at])
    mark = b" <!-- superseded: k:%s -->" % conflict_id.encode()
    return [*bare[:at], text.rstrip(b" \t") + mark + bare[at][len(text) :], *bare[at + 1 :]]


def ends_in_item(data: bytes) -> bool:
    """Say whether ``data`` certainly ends with a top-level item `- …`, so that another one belongs right below."""
    return _LAST_LINE.search(data[-4096:]) is not None and not _is_unusual(data)


def appended_items(old: bytes, new: bytes) -> bytes | None:
    """Return what ``new`` has below ``old``, if that is certainly nothing but new items without ids."""
    if len(new) <= len(old) or not new.startswith(old) or not ends_in_item(old):
        return None
    tail = new[len(old) :]
    if _ITEMS.match(tail) is None or marks_in(tail) or _is_unusual(tail):
        return None
    return tail


def _is_unusual(data: bytes) -> bool:
    """Say whether something is in a text that may reach beyond its line, such as a comment that does not end in it."""
    if _UNUSUAL.search(data) is not None:
        return True
    return any(b"<!--" in line and b"-->" not in line.rpartition(b"<!--")[2] for line in data.splitlines())
