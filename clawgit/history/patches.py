"""The history as the fold reads it: one stream of `git log -p`, parsed by the lengths that git states.

A line of a file can look like anything, so nothing is recognised by its looks: each hunk says how many lines
it has, and exactly so many are taken.
"""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clawgit.history.actors import actor_of, trust_of
from clawgit.memory.fold import TRUSTS, Line, Step, lowest, read_line
from clawgit.text.trailers import parse_trailers

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = "%x00%H%x00%aI%x00%ct%x00%ae%x00%B%x00"
OPTIONS = (
    "-p",
    "-U0",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--diff-merges=combined",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
_RANGE = re.compile(rb"[-+]\d+(?:,(\d+))?")
_PLUS, _MINUS, _SPACE = b"+- "


@dataclass
class Patch:
    """One commit's message and the lines it added and removed in files of memories."""

    commit_id: str
    at: str
    committed_at: int
    author: str
    message: str
    added: list[Line] = field(default_factory=list)
    removed: list[Line] = field(default_factory=list)

    def step(self) -> Step:
        """Return the commit as the fold takes it."""
        trailers = parse_trailers(self.message)
        actor = actor_of(trailers, self.author)
        said = trailers.first("Clawgit-Trust")
        most = trust_of(actor)
        trust = most if said is None else lowest([most, said if said in TRUSTS else TRUSTS[0]])
        return Step(
            self.commit_id,
            self.at,
            actor,
            trust,
            trailers.all("Clawgit-Evidence"),
            trailers.all("Clawgit-Mention"),
            trailers.all("Clawgit-Class"),
            tuple(self.added),
            tuple(self.removed),
        )


def read_patches(stream: bytes) -> Iterator[Patch]:
    """Yield the commits of a `git log` with `FORMAT` and `OPTIONS`, in its order."""
    reader = _Reader(stream)
    while (patch := reader.commit()) is not None:
        reader.files(patch)
        yield patch


class _Reader:
    """Walks through the stream; ``at`` stands at the start of a line or of a commit."""

    def __init__(self, stream: bytes) -> None:
        self._stream = stream
        self._at = 0

    def commit(self) -> Patch | None:
        """Take one commit's header: five values, each ended by a zero byte."""
        start = self._stream.find(b"\0", self._at) + 1
        if start == 0:
            return None
        values = []
        for _ in range(5):
            end = self._stream.index(b"\0", start)
            values.append(self._stream[start:end].decode("utf-8", "replace"))
            start = end + 1
        self._at = start
        commit_id, at, committed_at, author, message = values
        return Patch(commit_id, at, int(committed_at), author, message)

    def files(self, patch: Patch) -> None:
        """Take the commit's hunks, up to the next commit."""
        old: str | None = None
        wanted = False
        while self._at < len(self._stream) and self._stream[self._at] != 0:
            line = self._line()
            if line.startswith(b"--- "):
                old = _path(line)
            elif line.startswith(b"+++ "):
                wanted = (_path(line) or old or "").endswith(".md")
            elif line.startswith(b"@@"):
                self._hunk(patch, line, wanted=wanted)

    def _hunk(self, patch: Patch, header: bytes, *, wanted: bool) -> None:
        """Take exactly the lines that the header states; of a merge's, what no parent had is new."""
        left = _counts(header)
        columns = len(left) - 1
        while any(left):
            line = self._line()
            if line.startswith(b"\\"):
                continue
            marks = line[:columns]
            stays = b"-" not in marks
            for column in range(columns):
                left[column] -= marks[column] == (_SPACE if stays else _MINUS)
            left[columns] -= stays
            found = read_line(line[columns:]) if wanted else None
            if found is not None and set(marks) == {_PLUS}:
                patch.added.append(found)
            elif found is not None and set(marks) == {_MINUS}:
                patch.removed.append(found)

    def _line(self) -> bytes:
        end = self._stream.find(b"\n", self._at)
        end = len(self._stream) if end < 0 else end
        line = self._stream[self._at : end]
        self._at = end + 1
        return line


def _counts(header: bytes) -> list[int]:
    """Return how many lines a hunk has in each parent, and last in the commit."""
    ranges = header.lstrip(b"@").partition(b"@@")[0].split()
    return [int(found[1]) if (found := _RANGE.fullmatch(each)) and found[1] else 1 for each in ranges]


def _path(line: bytes) -> str | None:
    """Return the path that a `---` or `+++` line names, None for no file."""
    name = line[4:].rstrip(b"\t")
    if name.startswith(b'"'):
        name = codecs.escape_decode(name[1:-1])[0]
    return None if name == b"/dev/null" else os.fsdecode(name[2:])
