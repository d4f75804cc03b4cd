"""The changes of one file with the lines they put in the place of others, read from `git log -p`.

A line of a file can look like anything, so nothing is recognised by its looks: each hunk says how many lines
it has, and exactly so many are taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.reading.git_log import git_output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.git.repository import History

_OPTIONS = (
    *("-p", "-U0", "--topo-order", "--full-history", "--parents", "--format=%x00%H %P"),
    *("--diff-merges=off", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", "--text"),
)
_HEADER = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that are in the place of others; ``old`` and ``new`` are where they begin, counted from 0."""

    old: int
    new: int
    removed: tuple[bytes, ...]
    added: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class FileChange:
    """One commit in the history of a file; its parents are those of that history. A merge has no hunks."""

    commit_id: str
    parent_ids: tuple[str, ...]
    hunks: tuple[Hunk, ...]


def read_file_changes(history: History, path: str, commit_id: str) -> Iterator[FileChange]:
    """Yield the commits up to ``commit_id`` that changed a file, and all merges, children before parents.

    Reads twice as many each time, so that whoever has enough after a few waits for no more than that.

    Raises:
        ClawgitError: git could not read the history.
    """
    start, most = 0, 32
    while True:
        part = (f"--skip={start}", f"--max-count={most}")
        output = git_output(history, "log", *_OPTIONS, *part, commit_id, "--", path)
        found = list(_read(output))
        yield from found
        if len(found) < most:
            return
        start, most = start + most, 2 * (start + most)


def _read(output: bytes) -> Iterator[FileChange]:
    lines = iter(output.split(b"\n"))
    names: list[str] = []
    hunks: list[Hunk] = []
    for line in lines:
        if line.startswith(b"\0"):
            if names:
                yield FileChange(names[0], tuple(names[1:]), tuple(hunks))
            names, hunks = line[1:].decode().split(), []
        elif header := _HEADER.match(line):
            hunks.append(_hunk(lines, *(1 if number is None else int(number) for number in header.groups())))
    if names:
        yield FileChange(names[0], tuple(names[1:]), tuple(hunks))


def _hunk(lines: Iterator[bytes], old: int, removed: int, new: int, added: int) -> Hunk:
    """Take the lines of one hunk; where it has none of a side, git names the line before."""
    gone: list[bytes] = []
    come: list[bytes] = []
    while len(gone) < removed or len(come) < added:
        line = next(lines)
        if line.startswith(b"-"):
            gone.append(line[1:])
        elif line.startswith(b"+"):
            come.append(line[1:])
    return Hunk(old - (removed > 0), new - (added > 0), tuple(gone), tuple(come))
