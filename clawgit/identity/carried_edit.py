"""A proposed edit carried over to a text that went on: principle by principle, where the lines no longer fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.identity.edit_pieces import edit_pieces
from clawgit.text.markdown.lines import line_end, split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.identity.edit_pieces import EditPiece


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
    gone, come = _said(piece.gone), [line for line in piece.come if line.strip()]
    if gone:
        at = _only_place(lines, gone)
        if at is None:
            return None
        return b"".join([*lines[:at], *come, *lines[at + len(gone) :]])
    there = {without_end(line).strip() for line in lines}
    new = [line for line in come if without_end(line).strip() not in there]
    if not new:
        return text
    return _inserted(lines, new, come, _heading_before(split_lines(base), piece.at, come))


def _inserted(lines: list[bytes], new: list[bytes], come: Sequence[bytes], heading: bytes) -> bytes:
    """Put lines at the end of the section that they were meant for; at the end of the text where that is gone or new."""
    end = line_end(b"".join(lines))
    at = len(lines)
    if heading and not any(line.startswith(b"#") for line in new):
        places = [place for place, line in enumerate(lines) if without_end(line).strip() == heading]
        if places:
            at = places[0] + 1
            while at < len(lines) and not lines[at].startswith(b"#"):
                at += 1
    while at and not lines[at - 1].strip():
        at -= 1
    if at and without_end(lines[at - 1]) == lines[at - 1]:
        lines[at - 1] += end
    opens = [end] if any(line.startswith(b"#") for line in new) else []
    body = [piece for line in new for piece in ((line, end) if line.startswith(b"#") else (line,))]
    return b"".join([*lines[:at], *opens, *body, *lines[at:]])


def _heading_before(lines: list[bytes], at: int, come: Sequence[bytes]) -> bytes:
    own = next((line for line in come if line.startswith(b"#")), None)
    found = [own] if own is not None else [line for line in lines[:at] if line.startswith(b"#")]
    return without_end(found[-1]).strip() if found else b""


def _only_place(lines: Sequence[bytes], gone: Sequence[bytes]) -> int | None:
    texts = [without_end(line).strip() for line in lines]
    places = [at for at in range(len(texts) - len(gone) + 1) if texts[at : at + len(gone)] == list(gone)]
    return places[0] if len(places) == 1 else None


def _said(lines: Sequence[bytes]) -> list[bytes]:
    return [without_end(line).strip() for line in lines if line.strip()]
