"""`memory get`: some lines of a file that is searched, opened component by component."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.memory.compaction.old_notes import NOTES, OldNote, archived_path
from clawgit.memory.entries.tiers import date_of
from clawgit.recall.index.searched_files import ENDING, Served, path_meant, served_at
from clawgit.text.markdown.lines import split_lines, without_end
from clawgit.workspace.safe_files import read_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


class NotServedError(ClawgitError):
    """The path is none of the files that memory is made of."""


class Got(NamedTuple):
    """Some lines of a file: the number of the first, how many there are, and their text without the last line end."""

    path: str
    first: int
    lines: int
    text: str


def get_lines(
    history: History,
    path: str,
    first: int | None = None,
    count: int | None = None,
    *,
    tree: Tree | None = None,
) -> Got:
    """Return ``count`` lines from line ``first`` on, as the file reads now or in ``tree``; all of it without numbers.

    A file that is not there has no lines; a daily note that was archived is read there. Numbers below 1 mean 1, lines behind the end are none.

    Raises:
        NotServedError: The path is not one that is served.
        UnsafePathError: A link, a special file or another repository is on the way.
    """
    served = _served(history.root, history.settings.search_extra_paths, path.strip())
    data = _read(history, served, tree)
    archived = _archived(served.path) if data is None else ""
    if archived:
        moved = _served(history.root, (), archived)
        data = _read(history, moved, tree)
        if data is not None:
            served = moved
    return lines_got(served.path, data or b"", first, count)


def _archived(path: str) -> str:
    """Return where a daily note stands that moved to the archive: links to it, and what was cited, still lead there."""
    day = date_of(path) if path.startswith(NOTES) else None
    return "" if day is None else archived_path(OldNote(path, day))


def _read(history: History, served: Served, tree: Tree | None) -> bytes | None:
    if tree is not None:
        return tree.read(served.path)
    content = read_file(served.base, served.inner, at_most=history.settings.max_file_bytes)
    return None if content is None else content.data


def lines_got(path: str, data: bytes, first: int | None, count: int | None) -> Got:
    """Return ``count`` lines of ``data`` from line ``first`` on; all of it without numbers."""
    begin = max(1, first or 1)
    if begin == 1 and count is None:
        return Got(path, 1, len(split_lines(data)), data.decode("utf-8", "replace"))
    lines = split_lines(data)[begin - 1 :]
    if count is not None:
        lines = lines[: max(0, count)]
    text = b"".join([*lines[:-1], *map(without_end, lines[-1:])])
    return Got(path, begin, len(lines), text.decode("utf-8", "replace"))


def _served(root: Path, extra: Sequence[str], path: str) -> Served:
    served = served_at(root, extra, path_meant(root, path))
    if served is None:
        raise NotServedError(
            f"{path!r} is not a file of memories.",
            hint=f"Name MEMORY.md, CORRECTIONS.md or a {ENDING} file below memory/ or Archive/.",
        )
    return served
