"""Headings of clawgit's own that an undo leaves without anything below them: they go, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.provenance.fold_update import present_fold
from clawgit.memory.provenance.pieces import PLAIN
from clawgit.memory.undo.text_units import HEADING
from clawgit.memory.undo.unit_steps import TextUnits
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from collections.abc import Collection

    from clawgit.history.git.repository import History
    from clawgit.history.transaction.files_in_memory import WorkFiles


def drop_emptied_headings(history: History, files: WorkFiles, commits: Collection[str]) -> None:
    """Take headings out that these commits or an agent wrote and that the undo emptied; a file with nothing else goes."""
    for path, content in list(files.contents.items()):
        before = files.tree.read(path)
        if content is None or before is None or not path.endswith(".md"):
            continue
        text = _without_emptied(history, before, content.data, path, commits)
        if text != content.data:
            files.put(path, content._replace(data=text) if text.strip() else None)


def _without_emptied(
    history: History, before: bytes, data: bytes, path: str, commits: Collection[str]
) -> bytes:
    was, now = TextUnits.of(before, path), TextUnits.of(data, path)
    filled = {unit.words for at, unit in enumerate(was.units) if unit.kind == HEADING and was.holding(at)}
    for at in reversed(range(len(now.units))):
        unit = now.units[at]
        if unit.kind != HEADING or unit.words not in filled or now.holding(at):
            continue
        if _is_own(history, unit.words, commits):
            now.instead[at] = []
    return now.text() if now.instead else data


def _is_own(history: History, heading: bytes, commits: Collection[str]) -> bool:
    words = heading.lstrip(b"#").strip().decode("utf-8", "replace")
    with present_fold(history) as store:
        origin = store.origin(PLAIN + words)
    return origin is not None and (origin.actor in AGENT_NAMES or origin.commit_id in commits)
