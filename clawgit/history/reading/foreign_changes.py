"""What a commit that clawgit did not make changed in a file: read from the texts, since nobody told."""

from __future__ import annotations

import re
from collections import Counter
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.lines import split_lines
from clawgit.text.markdown.sections import without_trailing_comment

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import FileStep, LoggedChange

_HEADING = lazy_bytes_pattern(rb"#{1,6}[ \t]")
_FENCE = lazy_bytes_pattern(rb" {0,3}(`{3,}|~{3,})(.*)", re.DOTALL)


class FileChange(NamedTuple):
    """The lines that came into a file and left it, wherever they were, and the headings they are under."""

    path: str
    came: tuple[bytes, ...]
    left: tuple[bytes, ...]
    sections: tuple[str, ...]

    @property
    def said(self) -> bytes:
        """Return the change as bytes that are equal for equal changes."""
        return b"\0".join((self.path.encode(), b"+", *self.came, b"-", *self.left))


def file_changes(history: History, logged: LoggedChange) -> tuple[FileChange, ...]:
    """Return what ``logged`` changed; of a merge, only what none of its parents had or all of them lost."""
    found = (_change(history, step) for step in logged.files)
    return tuple(change for change in found if change is not None)


def _change(history: History, step: FileStep) -> FileChange | None:
    olds = [_text(history, old) for old in step.olds]
    new = _text(history, step.new)
    here = Counter(split_lines(new))
    before = [Counter(split_lines(old)) for old in olds]
    came = reduce(and_, (here - old for old in before))
    left = reduce(and_, (old - here for old in before))
    if len(olds) > 1 and not came and not left:
        return None
    titles = dict.fromkeys((*_titles(new, came), *_titles(olds[0], left)))
    return FileChange(
        step.path, tuple(sorted(came.elements())), tuple(sorted(left.elements())), tuple(titles)
    )


def _text(history: History, blob_id: str | None) -> bytes:
    return b"" if blob_id is None else history.objects.blob(blob_id)


def _titles(text: bytes, lines: Counter[bytes]) -> list[str]:
    """Return the headings above the first places at which ``lines`` stand.

    Read line by line, 100 times faster than Markdown is parsed: a heading is a line that begins with #.
    """
    waiting = lines.copy()
    title, fence = "", b""
    found: dict[str, None] = {}
    for line in split_lines(text) if waiting else ():
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1].startswith(fence) and not mark[2].strip())):
            fence = b"" if fence else mark[1]
        elif not fence and _HEADING.match(line):
            title = without_trailing_comment(line.decode("utf-8", "replace")).strip("# \t")
        if waiting[line] > 0:
            waiting[line] -= 1
            found[title] = None
    return [title for title in found if title]
