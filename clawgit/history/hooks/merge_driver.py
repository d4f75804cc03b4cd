"""git's merge of a file of memory by entries and corrections instead of lines: additions of both sides do not conflict.

git runs it as `merge.clawgit.driver`. If it fails, declines or is killed, that command line continues with
`git merge-file`, which leaves its own conflict, of what was left to it; files are replaced whole or not at all.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from itertools import filterfalse, pairwise
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import NamedTuple

from clawgit.memory.entries.entries import is_earlier_wording
from clawgit.memory.entries.tiers import EXPORT_MARK
from clawgit.memory.notes import lines_about
from clawgit.memory.undo.text_units import BLOCK, ITEM, read_units
from clawgit.text.markdown.block_structure import trim_blank
from clawgit.text.markdown.lines import line_end, split_lines, without_end
from clawgit.text.markdown.merge_lines import Conflict, weave_lists
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
    said: tuple[bytes, ...] = ()  # its lines without earlier wordings, which age out by themselves

    @property
    def is_corrected(self) -> bool:
        return len(self.said) < len(split_lines(self.text))


_Parts = dict[bytes, _Part]


def merged(base: bytes, ours: bytes, theirs: bytes, path: str) -> list[bytes] | None:
    """Return ours, theirs and the base, merged except where both changed one entry; None if text is contrary. A listing stays."""
    if not base and ours != theirs and lines_about(ours) and lines_about(theirs):  # two talks with one name
        ours = theirs = ours.rstrip() + line_end(ours) * 2 + theirs
    is_listing = ours.startswith(EXPORT_MARK) and theirs.startswith(EXPORT_MARK)
    if is_listing or ours == theirs or theirs == base:
        return [ours] * 3
    if ours == base:
        return [theirs] * 3
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
    if len(set(keys)) != len(keys):
        return None
    texts = []
    for side, whole in enumerate((mine, other, before)):
        parts: _Parts = {}
        for key in _keys_of(side, keys, conflicts, mine | other):
            part = _chosen(before.get(key), mine.get(key), other.get(key)) or whole.get(key)
            if part is None or key in parts:
                return None
            parts[key] = part
        text = _joined(parts, before, mine, other)
        key_and_text = attrgetter("key", "text")
        if list(map(key_and_text, _parts(text, path).values())) != list(map(key_and_text, parts.values())):
            return None  # a part's text would be read as another part's
        texts.append(text)
    return texts


def _keys_of(side: int, keys: list[bytes], conflicts: list[Conflict], parts: _Parts) -> list[bytes]:
    """Return the merged keys with one side's (0 ours, 1 theirs, 2 base) in conflicts; what a side added below corrections is none."""
    for conflict in conflicts:
        count = len(conflict.base)
        first = {*conflict.ours[:count], *conflict.theirs[:count]}
        if not all(map(attrgetter("is_corrected"), map(parts.__getitem__, first))):
            first, count = {*conflict.ours, *conflict.theirs}, len(keys)  # not all are corrections
        at = min(map(keys.index, first))
        own = (conflict.ours, conflict.theirs, conflict.base)[side]
        own = (*own[:count], *filter(first.__contains__, own[count:]))
        keys = [*keys[:at], *own, *filterfalse(first.__contains__, keys[at:])]
    return keys


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
        now = tuple(filterfalse(is_earlier_wording, split_lines(text)))
        parts[key] = _Part(key, kind, text, b"".join(lines[at:first]), above, now)
        at = last
        above = key
    parts[_END] = _Part(_END, "", b"", b"".join(lines[at:]), above)
    return parts


def _prose(parts: _Parts) -> list[bytes]:
    return [part.text for part in parts.values() if part.kind == BLOCK]


def _taken_out(before: _Parts, mine: _Parts, other: _Parts) -> set[bytes] | None:
    """Return the ids that a side took out: other text in their place does not conflict. None if the other side changed one."""
    gone = set()
    for key in before.keys() - (mine.keys() & other.keys()):
        left = mine.get(key) or other.get(key)
        if left is not None and left.said != before[key].said:
            return None
        if key.startswith(_ID):
            gone.add(key)
    return gone


def _chosen(before: _Part | None, mine: _Part | None, other: _Part | None) -> _Part | None:
    """Return a part as the side that changed it has it; None if both did."""
    if mine is None or other is None:
        return mine or other
    if before is not None and mine.said == before.said and other.text != before.text:
        return other
    if mine.text == other.text or (before is not None and other.said == before.said):
        return mine
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
    """Replace OURS with the merged text and return 0; or return 1, for a merge of the lines that still differ."""
    base, ours, theirs, path = arguments
    texts = merged(Path(base).read_bytes(), Path(ours).read_bytes(), Path(theirs).read_bytes(), path)
    if texts is None:
        return 1
    for name, text in zip((ours, theirs, base), texts, strict=True):  # the base last: killed, all is there
        write_file(Path(name).parent, Path(name).name, FileContent(text), fsync=False)
    return int(texts[0] != texts[1])


if __name__ == "__main__":
    os._exit(main(sys.argv[1:]))  # Python's shutdown, if killed, would look to git like a failure
