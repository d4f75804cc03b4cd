"""What is beside an entry's words: its id (`<!-- m:7k2x9d -->`), a host's notes, what it said before, which conflict it lost.

None of it is a part of the statement. A host's notes are what OpenClaw's memory writes on the line of an entry.
"""

from __future__ import annotations

from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.markdown.lines import without_end

_OPEN, _SAYS = b"<!--", "Source: "
# From where it was promoted, at the end of a line; a link and a name alone are the writer's own.
_SOURCE = _SAYS + r"[^\s#<>:`]{1,300}#L\d{1,9}(?:-L?\d{1,9})?(?=[ \t]*(?:<!--|#[^\s#]|[\r\n]|\Z))"
# Between backticks it is an example, not an id.
_MARK = lazy_bytes_pattern(rb"(?<!`)<!--[ \t]*m:([0-9a-z]+)[ \t]*-->(?!`)")
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
    """Return every id that a text carries."""
    return frozenset(found.decode() for found in _MARK.findall(data))


def without_marks(line: bytes) -> bytes:
    """Return ``line`` without ids, marks of lost conflicts, and the white space before them."""
    return _MARK_AND_SPACE.sub(b"", line) if _OPEN in line else line


def with_mark(lines: list[bytes], at: int, entry_id: str) -> list[bytes]:
    """Return ``lines`` with ``entry_id`` as their one id: where one stood already, else at the end of line ``at``."""
    mark = b"<!-- m:%s -->" % entry_id.encode()
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
