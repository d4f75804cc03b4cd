"""Three-way merge of one file in memory: nothing is lost, no marker is written."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import pygit2

from clawgit.history.trees import FILE
from clawgit.text.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "file"
_OURS, _THEIRS = 0, 1


def merge_text(repo: pygit2.Repository, base: bytes | None, ours: bytes, theirs: bytes) -> bytes:
    """Return ``ours`` with what ``theirs`` changed against ``base``; where both changed a line, both stay.

    Bytes that git takes for binary cannot be merged: ``theirs`` is returned.
    """
    if ours == theirs or theirs == base:
        return ours
    if ours == base or b"\0" in ours + theirs:
        return theirs
    ancestor, one, other = (_tree(repo, data) for data in (base, ours, theirs))
    merged = repo.merge_trees(ancestor, one, other)
    if merged.conflicts is not None or _NAME not in merged:
        return _woven(split_lines(base or b""), split_lines(ours), split_lines(theirs))
    blob = repo[merged[_NAME].id]
    return blob.data if isinstance(blob, pygit2.Blob) else theirs


def _tree(repo: pygit2.Repository, data: bytes | None) -> pygit2.Oid:
    builder = repo.TreeBuilder()
    if data is not None:
        builder.insert(_NAME, repo.create_blob(data), pygit2.enums.FileMode(FILE))
    return builder.write()


class _Hunk(NamedTuple):
    """What one side has in place of the base's lines ``start`` to ``end``."""

    start: int
    end: int
    side: int
    lines: list[bytes]


def _woven(base: list[bytes], ours: list[bytes], theirs: list[bytes]) -> bytes:
    """Apply both sides' hunks to the base.

    git takes neighbours for a conflict, and its union then brings back a line that one side reworded where
    the other side added one below it. Here only hunks about the same lines meet.
    """
    woven: list[bytes] = []
    at = 0
    for hunks in _meeting(sorted([*_hunks(base, ours, _OURS), *_hunks(base, theirs, _THEIRS)])):
        start, end = hunks[0].start, max(hunk.end for hunk in hunks)
        sides = [
            _applied(base, start, end, [hunk for hunk in hunks if hunk.side == side])
            for side in sorted({hunk.side for hunk in hunks})
        ]
        woven += [*base[at:start], *(sides[0] if len(sides) == 1 else _both(*sides))]
        at = end
    woven += base[at:]
    return b"".join([*map(_ended, woven[:-1]), *woven[-1:]])


def _hunks(base: list[bytes], new: list[bytes], side: int) -> Iterator[_Hunk]:
    for tag, start, end, first, last in SequenceMatcher(None, base, new).get_opcodes():
        if tag != "equal":
            yield _Hunk(start, end, side, new[first:last])


def _meeting(hunks: list[_Hunk]) -> Iterator[list[_Hunk]]:
    """Group hunks, in the order of the base, that are about the same lines or the same gap."""
    group: list[_Hunk] = []
    end = 0
    for hunk in hunks:
        same_gap = bool(group) and (hunk.start, hunk.end) == (group[0].start, end)
        if group and hunk.start >= end and not same_gap:
            yield group
            group = []
        end = max(end, hunk.end) if group else hunk.end
        group.append(hunk)
    if group:
        yield group


def _applied(base: list[bytes], start: int, end: int, hunks: list[_Hunk]) -> list[bytes]:
    lines: list[bytes] = []
    for hunk in hunks:
        lines += [*base[start : hunk.start], *hunk.lines]
        start = hunk.end
    return lines + base[start:end]


def _both(ours: list[bytes], theirs: list[bytes]) -> list[bytes]:
    """Return what both sides have, once where they agree at the beginning or the end."""
    head = _agreeing(ours, theirs)
    tail = min(_agreeing(ours[::-1], theirs[::-1]), len(ours) - head, len(theirs) - head)
    return ours[: len(ours) - tail] + theirs[head:]


def _agreeing(one: list[bytes], other: list[bytes]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _ended(line: bytes) -> bytes:
    return line if line.endswith((b"\n", b"\r")) else line + b"\n"
