"""Conservation while changes are taken back: what would be lost is refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.transaction.working_tree import content_of
from clawgit.memory.corrections.correction_log import is_correction_file
from clawgit.memory.entries.entry_marks import marks_in
from clawgit.memory.entries.tiers import is_export
from clawgit.memory.undo.text_step import homeless_lines, lost_lines, said
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clawgit.history.git.trees import Tree
    from clawgit.history.transaction.files_in_memory import WorkFiles
    from clawgit.history.undo.one_change import OneChange
    from clawgit.workspace.safe_files import FileContent

_SHOWN = 60


def find_undo_losses(
    files: WorkFiles, earlier: Mapping[str, FileContent | None], change: OneChange, *, alone: bool
) -> Iterator[str]:
    """Yield in sentences what was lost by taking one change out of ``files``, which read as ``earlier`` before.

    What a listing says stands elsewhere. ``alone``: it is not taken back with others, which may have brought what it moved.
    """
    paths = [path for path in files.contents if path.endswith(".md") and not is_correction_file(path)]
    before = {path: earlier[path] if path in earlier else content_of(files.tree, path) for path in paths}
    touched = [path for path in paths if files.content(path) != before[path]]
    touched = [path for path in touched if not _is_listing(path, before[path], files.content(path))]
    present = [b"" if (content := before[path]) is None else content.data for path in touched]
    texts = (step for step in change.whole_steps() if step.path.endswith(".md"))
    steps = [step for step in texts if not is_export(step.path, step.made or step.before)]
    result = [files.data(path) for path in touched]
    lost = lost_lines(steps, present, result)
    lost += [line for line in homeless_lines(steps, present, result) if line not in lost] if alone else []
    for words in _nowhere(files, lost, [step.before for step in steps]) if lost else ():
        yield (
            f"Without {change.commit.commit_id[:12]}, no file would say any more "
            f"“{words.decode('utf-8', 'replace')[:_SHOWN]}”."
        )


def _is_listing(path: str, *contents: FileContent | None) -> bool:
    return any(content is not None and is_export(path, content.data) for content in contents)


def paths_losing_words(tree: Tree, contents: Mapping[str, FileContent | None]) -> list[str]:
    """Return the Markdown files of which words go that none of these files will have; the ledgers have a guard of their own."""
    paths = [path for path in contents if path.endswith(".md") and not is_correction_file(path)]
    then = said(b"" if (content := contents[path]) is None else content.data for path in paths)
    return [path for path in paths if said([tree.read(path) or b""]) - then]


def _nowhere(files: WorkFiles, lost: list[bytes], olds: list[bytes]) -> list[bytes]:
    """Return those of the lines that no file holds, neither in these words nor by their id."""
    paths = dict.fromkeys([*(path for path, _ in files.tree.files()), *files.contents])
    there = said(files.data(path) for path in paths if path.endswith(".md"))
    left = [words for words in lost if words not in there]
    marked = {words: marks_in(line) for text in olds for line in split_lines(text) for words in said([line])}
    return [words for words in left if not files.holders(marked.get(words, frozenset()))]
