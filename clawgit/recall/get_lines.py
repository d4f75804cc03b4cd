"""`memory get`: lines of a searched file, opened component by component."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.memory.entries.tiers import date_of, is_standing
from clawgit.memory.notes import NOTES, OldNote, archived_path
from clawgit.recall.index.searched_files import (
    EXTRA,
    MEMORY,
    ServedPath,
    is_beside_memory,
    is_ignored,
    path_meant,
    read_served,
    served_at,
)
from clawgit.text.markdown.lines import as_utf8, is_text, split_lines, without_end
from clawgit.text.safety.secrets import redact_lines

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


class Got(NamedTuple):
    """Lines of a file: the number of the first, how many, and their text without the last line end.

    A file that is not there (``is_there``) has no lines. ``data`` is the whole file; ``is_followed`` says
    whether history knows the authors of its lines.
    """

    path: str
    first: int
    lines: int
    text: str
    is_there: bool = True
    data: bytes = b""
    is_followed: bool = True


def get_lines(
    history: History,
    path: str,
    first: int | None = None,
    count: int | None = None,
    *,
    tree: Tree | None = None,
) -> Got:
    """Return ``count`` lines from line ``first`` on, as the file is now or in ``tree``; without numbers all of it.

    Keys are masked. A missing file has no lines; an archived daily note is read from the archive. Numbers
    below 1 mean 1, lines behind the end are left out.

    Raises:
        ClawgitError: The path is not served.
        UnsafePathError: A link, a special file or another repository is on the way.
    """
    served = _served(history, path.strip())
    data = _read(history, served, tree)
    day = date_of(served.path) if served.path.startswith(NOTES) else None
    if data is None and day is not None:  # links and citations still lead to an archived note
        moved = _served(history, archived_path(OldNote(served.path, day)))
        data = _read(history, moved, tree)
        if data is not None:
            served = moved
    read = as_utf8(data or b"")
    text = redact_lines(read.decode("utf-8", "replace"))
    got = lines_got(served.path, text.encode(), first, count)
    is_followed = served.source != EXTRA or is_beside_memory(served.path)
    return got._replace(is_there=data is not None, data=read, is_followed=is_followed)


def _read(history: History, served: ServedPath, tree: Tree | None) -> bytes | None:
    data = read_served(history, served) if tree is None else tree.read(served.path)
    if data is not None and not is_text(data):
        raise ClawgitError(f"{served.path} is no text.", hint="Open it with the program that made it.")
    return data


def lines_got(path: str, data: bytes, first: int | None, count: int | None) -> Got:
    """Return ``count`` lines of ``data`` from line ``first`` on; without numbers all of it."""
    begin = max(1, first or 1)
    if begin == 1 and count is None:
        return Got(path, 1, len(split_lines(data)), data.decode("utf-8", "replace"))
    lines = split_lines(data)[begin - 1 :]
    if count is not None:
        lines = lines[: max(0, count)]
    text = b"".join([*lines[:-1], *map(without_end, lines[-1:])])
    return Got(path, begin, len(lines), text.decode("utf-8", "replace"))


def _served(history: History, path: str) -> ServedPath:
    """Return the place of a searched path, or of a workspace file that is in the agent's prompt."""
    settings, root = history.settings, history.root
    meant = path_meant(root, path)
    if is_standing(meant):
        return ServedPath(meant, root, meant, MEMORY)
    served = served_at(root, settings.search_extra_paths, meant, settings.search_exclude)
    if served is None or is_ignored(history, served):
        raise ClawgitError(
            f"{path!r} is no text that is searched.",
            hint="Name a .md, .markdown or .txt file of the workspace. Files that git ignores or `search_exclude` names"
            " are not served.",
        )
    return served
