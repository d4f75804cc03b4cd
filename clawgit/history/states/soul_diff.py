"""`soul diff`: two states of the soul, by section and by word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.text.markdown.section_diff import SectionChange, section_diff
from clawgit.workspace.safe_files import check_path, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.git.repository import History
    from clawgit.history.states.revisions import Revision


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file's changes between two states; ``made`` or ``gone`` where it is in one of them only."""

    path: str
    sections: tuple[SectionChange, ...]
    made: bool = False
    gone: bool = False


def compare(
    history: History, old: Revision, new: Revision | None, paths: Iterable[str]
) -> Iterator[FileDiff]:
    """Yield what differs in ``paths`` from ``old`` to ``new``; None is the working tree."""
    for path in paths:
        before = history.tree_of(old.commit.commit_id).read(check_path(path))
        after = _present(history, path) if new is None else history.tree_of(new.commit.commit_id).read(path)
        if before != after:
            yield compare_texts(path, before, after)


def compare_texts(path: str, before: bytes | None, after: bytes | None) -> FileDiff:
    """Return what differs between two texts of a file; None is no file."""
    changes = section_diff(before or b"", after or b"")
    return FileDiff(path, changes, made=before is None, gone=after is None)


def _present(history: History, path: str) -> bytes | None:
    content = read_file(history.root, path, at_most=history.settings.max_file_bytes)
    return None if content is None else content.data
