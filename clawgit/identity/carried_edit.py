"""A proposed edit carried over to a text that went on: principle by principle, where the lines no longer fit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from clawgit.identity.principles import end_of_section
from clawgit.text.comparing import fuzzy
from clawgit.text.markdown.lines import line_end, split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HEADING = re.compile(rb"\s*#{1,6}\s")
_OPENS = re.compile(rb"\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|>)")


class EditPiece(NamedTuple):
    """Lines of the old text, from ``at`` (counted from 0) on, and what comes in their place."""

    at: int
    gone: tuple[bytes, ...]
    come: tuple[bytes, ...]


def edit_pieces(old: bytes, new: bytes) -> list[EditPiece]:
    before = split_lines(old)
    after = split_lines(new)
    found: list[EditPiece] = []
    for op in fuzzy.Indel.opcodes(before, after):
        if op.tag != "equal":
            gone, come = before[op.src_start : op.src_end], after[op.dest_start : op.dest_end]
            if found and found[-1].at + len(found[-1].gone) == op.src_start:
                last = found.pop()
                found.append(EditPiece(last.at, (*last.gone, *gone), (*last.come, *come)))
            else:
                found.append(EditPiece(op.src_start, tuple(gone), tuple(come)))
    return [piece for whole in found for piece in _split(whole)]


def with_pieces(old: bytes, pieces: Iterable[EditPiece]) -> bytes:
    lines = split_lines(old)
    in_order = sorted(pieces, key=lambda each: each.at)
    for piece in in_order[::-1]:  # what comes at one place stays in its order
        if piece.at == len(lines) and lines and without_end(lines[-1]) == lines[-1]:
            lines[-1] += line_end(old)
        lines[piece.at : piece.at + len(piece.gone)] = piece.come
    return b"".join(lines)


def _split(piece: EditPiece) -> list[EditPiece]:
    gone = _principles(piece.gone)
    come = _principles(piece.come)
    if gone and come and len(gone) != len(come):
        return [piece]
    found = []
    at = piece.at
    for number in range(max(len(gone), len(come))):
        old = gone[number] if gone else ()
        found.append(EditPiece(at, old, come[number] if come else ()))
        at += len(old)
    return found


def _principles(lines: Sequence[bytes]) -> list[tuple[bytes, ...]]:
    """Group lines: one that opens an item, a heading or follows a blank line begins the next."""
    groups: list[list[bytes]] = []
    for line in lines:
        follows_words = bool(groups) and bool(groups[-1][-1].strip())
        is_filled = bool(groups) and any(each.strip() and not _HEADING.match(each) for each in groups[-1])
        begins = not line.strip() or bool(_OPENS.match(line)) or not follows_words
        if not groups or (begins and is_filled):
            groups.append([])
        groups[-1].append(line)
    if len(groups) > 1 and not any(line.strip() for line in groups[-1]):
        blank = groups.pop()
        groups[-1] += blank
    return [tuple(group) for group in groups]


def carried_over(base: bytes, present: bytes, wanted: bytes) -> bytes | None:
    """Return ``present`` with what ``wanted`` makes of ``base``, each principle where it is found now; None if one is not.

    What is there already is not put in twice.
    """
    text = present
    for piece in edit_pieces(base, wanted):
        after = _with(text, piece, base)
        if after is None:
            return None
        text = after
    return text


def _with(text: bytes, piece: EditPiece, base: bytes) -> bytes | None:
    """Return the text with one piece; None where the lines that it replaces are not there just once."""
    lines = split_lines(text)
    there = [line.strip() for line in lines]
    gone = [line.strip() for line in piece.gone if line.strip()]
    come = [line for line in piece.come if line.strip()]
    if gone:
        places = [at for at in range(len(there) - len(gone) + 1) if there[at : at + len(gone)] == gone]
        if len(places) != 1:
            return None
        return b"".join([*lines[: places[0]], *come, *lines[places[0] + len(gone) :]])
    new = [line for line in come if line.strip() not in there]
    if not new:
        return text
    own = [line for line in come if line.startswith(b"#")][:1]
    headings = own or [line for line in split_lines(base)[: piece.at] if line.startswith(b"#")]
    return _inserted(lines, new, headings[-1].strip() if headings else b"")


def _inserted(lines: list[bytes], new: list[bytes], heading: bytes) -> bytes:
    """Put lines at the end of the section that they were meant for; at the end of the text where that is gone or new."""
    end = line_end(b"".join(lines))
    at = end_of_section(lines, b"" if any(line.startswith(b"#") for line in new) else heading)
    if at and without_end(lines[at - 1]) == lines[at - 1]:
        lines[at - 1] += end
    opens = [end] if any(line.startswith(b"#") for line in new) else []
    body = [piece for line in new for piece in ((line, end) if line.startswith(b"#") else (line,))]
    return b"".join([*lines[:at], *opens, *body, *lines[at:]])
