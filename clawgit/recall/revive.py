"""`memory revive`: bring a removed file or entry back in a new commit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.reading.git_log import WITH_FILES, read_changes
from clawgit.memory.entries.entries import Entry, add_items, marks_in, read_entries
from clawgit.plan import Edit, Evidence, Plan
from clawgit.recall.index.search_index import open_index
from clawgit.recall.index.searched_files import is_searched
from clawgit.recall.search_deep import LATEST, Story, past_tips, read_stories
from clawgit.text.markdown.block_structure import list_items
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import folded
from clawgit.workspace.safe_files import UnsafePathError, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree

ENTRY = "m:"
_ID = re.compile("m:[0-9a-z]+")


@dataclass(frozen=True, slots=True)
class Revived:
    """The change, and the present place; ``text`` is empty for a whole file."""

    recorded: Recorded
    path: str
    text: str = ""


def revive(history: History, what: str, intent: Intent) -> Revived:
    """Bring back the last text of a file, or an entry (`m:…`) in the file that it was in.

    A removal that is only in the folder is kept as a commit first.

    Raises:
        ClawgitError: It is in memory, or never was.
    """
    return _entry(history, what, intent) if what.startswith(ENTRY) else _file(history, what, intent)


def _file(history: History, path: str, intent: Intent) -> Revived:
    if not is_searched(path):
        sentence = f"{folded(path)} is no file of memories."
        raise ClawgitError(sentence, hint="Name a .md file below memory/ or Archive/.")
    if _stands(history, path):
        sentence = f"{path} is there."
        raise ClawgitError(sentence, hint="`clawgit memory search --deep` finds lines that left it.")

    def plan(tree: Tree) -> Plan:
        left = tree.read(path)
        data, commit_id = _last_text(history, path) if left is None else (left, "")
        return _plan(path, (path, data), commit_id)

    return Revived(apply_plan(history, plan, intent), path)


def _entry(history: History, name: str, intent: Intent) -> Revived:
    if not _ID.fullmatch(name):
        raise ClawgitError(f"{folded(name)} is no id of an entry.", hint="Ids look like m:7k2x9d.")
    with open_index(history) as index:
        standing = index.entries([name])
    if standing:
        raise ClawgitError(f"{name} stands in {standing[0].path}:{standing[0].first}.")
    _, stories = read_stories(history)
    story = stories.get(name)
    if story is None:
        sentence = f"No entry {name} is known."
        raise ClawgitError(sentence, hint="`clawgit memory search WORDS --deep` shows ids.")
    path, entry_id = story.line.path, name.removeprefix(ENTRY)
    entry, item = _last_wording(history, story, entry_id)

    def plan(tree: Tree) -> Plan:
        old = tree.read(path) or b""
        data = old if entry_id in marks_in(old) else add_items(old, [item])
        return _plan(entry.text, (path, data), story.commit_id if story.is_gone else "")

    return Revived(apply_plan(history, plan, intent), path, entry.text)


def _plan(what: str, file: tuple[str, bytes], gone_with: str) -> Plan:
    """Return the plan that gives a file these bytes; ``gone_with`` is the commit that removed them.

    If the last commit still has them, the plan does not change that file: the removal in the folder is kept
    first, then a plan is made again.
    """
    evidence = (Evidence(gone_with),) if gone_with else ()
    return Plan(f"memory: revive {what}", (Edit(*file),), evidence=evidence, verbatim=True)


def _stands(history: History, path: str) -> bool:
    try:
        return read_file(history.root, path) is not None
    except UnsafePathError:
        return True


def _last_text(history: History, path: str) -> tuple[bytes, str]:
    """Return the last text of a file, and the commit that removed it, empty if only a merge or the folder lost it."""
    for change in read_changes(history, *LATEST, *WITH_FILES, *past_tips(history), paths=(path,)):
        for file in change.files:
            if file.path == path and file.new is not None:
                return history.objects.blob(file.new), ""
            if file.path == path and file.olds[0] is not None:
                return history.objects.blob(file.olds[0]), change.commit_id
    sentence = f"{path} was never taken out of memory."
    raise ClawgitError(sentence, hint="`clawgit memory search WORDS --deep` says what was.")


def _last_wording(history: History, story: Story, entry_id: str) -> tuple[Entry, list[bytes]]:
    for commit_id in _having(history, story):
        data = history.tree_of(commit_id).read(story.line.path) or b""
        for entry in read_entries(data):
            if entry.entry_id == entry_id:
                return entry, _own_lines(data, entry)
    sentence = f"{ENTRY}{entry_id} cannot be read as an entry any more."
    raise ClawgitError(sentence, hint=f"`git log -p -- {quote(story.line.path)}` shows its earlier text.")


def _own_lines(data: bytes, entry: Entry) -> list[bytes]:
    lines = split_lines(data)[entry.first : entry.last]
    place = entry.first, entry.last, entry.text_last
    items = list_items(data)
    indent = next(item.indent for item in items if (item.first, item.last, item.text_last) == place)
    below = (line if line[:indent].strip(b" \t") else line[indent:] for line in lines[1:])
    return [lines[0][indent:], *below]


def _having(history: History, story: Story) -> Iterator[str]:
    """Yield the commits that may have its last text: before the removal, else the last one, or the one that brought it."""
    if story.is_gone:
        yield from history.objects.commit(story.commit_id).parent_ids
        return
    tip = history.tip().commit_id
    yield from (tip,) if tip else ()
    yield story.commit_id
