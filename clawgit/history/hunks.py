"""Which lines commits took out of files and put in, read from `git log -p`.

A line of a file can look like anything, so nothing is recognised by its looks: each hunk says how many lines
it has, and exactly so many are taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clawgit.history.log import git_output

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from clawgit.history.repository import History

_OPTIONS = (
    *("-p", "-U0", "--no-walk=unsorted", "--format=%x00%H", "--diff-merges=off", "--no-renames"),
    *("--no-color", "--no-ext-diff", "--no-textconv", "--text"),
)
_HEADER = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


@dataclass(slots=True)
class Hunk:
    """Lines that one commit put in the place of others, each without its end."""

    removed: list[bytes] = field(default_factory=list)
    added: list[bytes] = field(default_factory=list)


def read_hunks(history: History, commit_ids: Iterable[str], paths: Collection[str]) -> dict[str, list[Hunk]]:
    """Return commit → what it changed in ``paths``, for each of ``commit_ids``; a merge has nothing.

    Raises:
        ClawgitError: git could not read the history.
    """
    names = "\n".join(dict.fromkeys(commit_ids))
    if not names:
        return {}
    lines = iter(
        git_output(history, "log", *_OPTIONS, "--stdin", "--", *paths, stdin=names.encode()).split(b"\n")
    )
    found: dict[str, list[Hunk]] = {}
    hunks: list[Hunk] = []
    for line in lines:
        if line.startswith(b"\0"):
            hunks = found.setdefault(line[1:].decode(), [])
        elif header := _HEADER.match(line):
            hunks.append(_taken(lines, *(1 if count is None else int(count) for count in header.groups())))
    return found


def _taken(lines: Iterator[bytes], removed: int, added: int) -> Hunk:
    hunk = Hunk()
    while removed or added:
        line = next(lines)
        if line.startswith(b"-"):
            hunk.removed.append(line[1:])
            removed -= 1
        elif line.startswith(b"+"):
            hunk.added.append(line[1:])
            added -= 1
    return hunk
