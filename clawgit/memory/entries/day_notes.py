"""Notes of a day only grow: what is written comes below what is there, once."""

from __future__ import annotations

from clawgit.memory.entries.entries import EntryError
from clawgit.memory.entries.own_section import ending_in_own_section
from clawgit.text.markdown.blocks import ends_open
from clawgit.text.markdown.lines import line_end, split_lines, without_end


def grown_note(data: bytes, text: str) -> bytes:
    """Return ``data`` with the lines of ``text`` below it; as it is, if it has them already or there are none.

    Below somebody's section they come under a heading of clawgit's own, unless they bring one.
    A title with which the note begins is not repeated.

    Raises:
        EntryError: Either of them ends inside open code or an open comment, so that what follows would be part of it.
    """
    lines = [line.rstrip() for line in text.strip("\r\n").splitlines()]
    there = [without_end(line).decode("utf-8", "replace").rstrip() for line in split_lines(data)]
    if lines and lines[0].startswith("# ") and lines[0] in there[:1]:
        lines = lines[1:]
    while lines and not lines[0]:
        lines = lines[1:]
    if not any(lines) or _holds(there, lines):
        return data
    if ends_open(data):
        raise EntryError("The note ends inside an open code block or comment.", hint="Close it first.")
    end = line_end(data)
    old = data if lines[0].startswith("#") else ending_in_own_section(data)
    is_apart = not old or (old == data and not there[-1])
    gap = b"" if is_apart else end if old.endswith((b"\n", b"\r")) else 2 * end
    new = old + gap + end.join(line.encode("utf-8", "replace") for line in lines) + end
    if ends_open(new):
        raise EntryError("The text ends inside an open code block or comment.", hint="Close it there.")
    return new


def _holds(there: list[str], lines: list[str]) -> bool:
    count = len(lines)
    starts = (at for at, line in enumerate(there) if line == lines[0])
    return any(there[at : at + count] == lines for at in starts)
