"""git's merge of a file of memory by entries and corrections instead of lines: additions of both sides do not conflict.

git runs it as `merge.clawgit.driver`. If it fails, declines or is killed, that command line continues with
`git merge-file`, which leaves its own conflict; git's file is replaced whole or not at all.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from itertools import filterfalse, pairwise
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import NamedTuple

from clawgit.memory.entries.tiers import EXPORT_MARK
from clawgit.memory.undo.text_units import BLOCK, ITEM, read_units
from clawgit.text.markdown.block_structure import trim_blank
from clawgit.text.markdown.lines import line_end, split_lines, without_end
from clawgit.text.markdown.merge_lines import weave_lists
from clawgit.workspace.safe_files import FileContent, write_file

_ID = b"\0"  # first byte of the key of a part with an id; it is in no text
_END = b"\0end"


class _Part(NamedTuple):
    """An entry with its nested items, a correction, a heading or other text, and the empty lines above it."""

    key: bytes  # its id if unique in the text; else its text and a count
    kind: str
    text: bytes
    gap: bytes = b""
    above: bytes = b""  # the key of the part above it


_Parts = dict[bytes, _Part]


def merged(base: bytes, ours: bytes, theirs: bytes, path: str) -> bytes | None:
    """Return ``ours`` with ``theirs``' changes; None if both changed one entry or other text. Of a listing, ours stays."""
    is_listing = ours.startswith(EXPORT_MARK) and theirs.startswith(EXPORT_MARK)
    if is_listing or ours == theirs or theirs == base:
        return ours
    if ours == base:
        return theirs
    if _ID in base + ours + theirs:
        return None
    before = _parts(base, path)
    mine = _parts(ours, path)
    other = _parts(theirs, path)
    gone = _taken_out(before, mine, other)
    if gone is None or (_prose(mine) != _prose(before) != _prose(other) != _prose(mine)):
        return None
    old_keys = list(filterfalse(gone.__contains__, before))
    our_keys = list(filterfalse(gone.__contains__, mine))
    keys, conflicts = weave_lists(old_keys, our_keys, list(filterfalse(gone.__contains__, other)))
    parts: _Parts = {}
    for key in keys:
        part = _chosen(before.get(key), mine.get(key), other.get(key))
        if conflicts or part is None or key in parts:
            return None
        parts[key] = part
    text = _joined(parts, before, mine, other)
    key_and_text = attrgetter("key", "text")
    if list(map(key_and_text, _parts(text, path).values())) != list(map(key_and_text, parts.values())):
        return None  # a part's text would be read as another part's
    return text


def _parts(data: bytes, path: str) -> _Parts:
    """Return the parts of a text in their order, and its end as the last."""
    lines = split_lines(data)
    starts: list[tuple[int, str, str | None]] = []
    indent = -1
    for unit in read_units(data, path):
        if unit.kind != ITEM:
            indent = -1
        elif 0 <= indent < unit.indent:
            continue
        else:
            indent = unit.indent
        starts.append((unit.first, unit.kind, unit.unit_id))
    end = (len(lines), "", None)
    opening, *_ = [*starts, end][0]
    if trim_blank(lines, 0, opening):  # such as front matter
        starts.insert(0, (0, BLOCK, None))
    names = Counter(map(itemgetter(1, 2), starts))
    texts: Counter[bytes] = Counter()
    parts: _Parts = {}
    at = 0
    above = b""
    for (first, kind, unit_id), (stop, *_) in pairwise([*starts, end]):
        last = trim_blank(lines, first, stop)
        text = b"".join(lines[first:last])
        if without_end(text) == text:
            text += line_end(data)
        key = b"%s%d" % (text, texts[text])
        texts[text] += 1
        if unit_id is not None and names[kind, unit_id] == 1:
            key = f"\0{kind} {unit_id}".encode()
        parts[key] = _Part(key, kind, text, b"".join(lines[at:first]), above)
        at = last
        above = key
    parts[_END] = _Part(_END, "", b"", b"".join(lines[at:]), above)
    return parts


def _prose(parts: _Parts) -> list[bytes]:
    prose = []
    for part in parts.values():
        if part.kind == BLOCK:
            prose.append(part.text)
    return prose


def _taken_out(before: _Parts, mine: _Parts, other: _Parts) -> set[bytes] | None:
    """Return the ids that a side took out: other text in their place does not conflict. None if the other side changed one."""
    gone = set()
    for key in before.keys() - (mine.keys() & other.keys()):
        left = mine.get(key) or other.get(key)
        if left is not None and left.text != before[key].text:
            return None
        if key.startswith(_ID):
            gone.add(key)
    return gone


def _chosen(before: _Part | None, mine: _Part | None, other: _Part | None) -> _Part | None:
    """Return a part as the side that changed it has it; None if both did."""
    if mine is None or other is None:
        return mine or other
    if mine.text == other.text or (before is not None and other.text == before.text):
        return mine
    if before is not None and mine.text == before.text:
        return other
    return None


def _joined(parts: _Parts, before: _Parts, mine: _Parts, other: _Parts) -> bytes:
    """Return the text of the parts, with the empty lines that each pair of neighbours has."""
    text: list[bytes] = []
    above = _Part(b"", "", b"")
    for key, part in parts.items():
        gap = _gap(mine.get(key), above.key)
        their_gap = _gap(other.get(key), above.key)
        if gap is None or (their_gap is not None and gap == _gap(before.get(key), above.key)):
            gap = their_gap
        if gap is None and not above.kind == part.kind == ITEM:
            gap = part.gap or part.text[len(without_end(part.text)) :]
        text += [gap or b"", part.text]
        above = part
    return b"".join(text)


def _gap(part: _Part | None, above: bytes) -> bytes | None:
    if part is None or part.above != above:
        return None
    return part.gap


def main(arguments: list[str]) -> int:
    """Replace OURS with the merged text and return 0, or return 1 and leave it; ``arguments`` are as git gives them."""
    base, ours, theirs, path = arguments
    place = Path(ours)
    text = merged(Path(base).read_bytes(), place.read_bytes(), Path(theirs).read_bytes(), path)
    if text is None:
        return 1
    write_file(place.parent, place.name, FileContent(text), fsync=False)
    return 0


if __name__ == "__main__":
    os._exit(main(sys.argv[1:]))  # Python's shutdown, if killed, would look to git like a failure
