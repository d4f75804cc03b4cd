"""`memory revive`: a file or an entry that was taken out comes back, as a new commit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.commit import Recorded, apply_plan
from clawgit.history.log import WITH_FILES, read_changes
from clawgit.history.refs import PAST
from clawgit.memory.entries import add_entry, read_entries
from clawgit.memory.marks import marks_in, with_mark
from clawgit.plan import Edit, Evidence, Plan
from clawgit.recall.index import open_index
from clawgit.recall.retired import open_retired
from clawgit.recall.searched import is_searched
from clawgit.text.lines import split_lines

if TYPE_CHECKING:
    from clawgit.history.intent import Intent
    from clawgit.history.repository import History
    from clawgit.history.trees import Tree

ENTRY = "m:"


class ReviveError(ClawgitError):
    """There is nothing of that kind to bring back."""


@dataclass(frozen=True, slots=True)
class Revived:
    """What became of it: the change, and where it stands now; ``text`` is empty for a whole file."""

    recorded: Recorded
    path: str
    text: str = ""


def revive(history: History, what: str, intent: Intent) -> Revived:
    """Bring back the file at a path as it read last, or an entry (`m:…`) to the file that it stood in.

    Raises:
        ReviveError: It stands in memory, or was never there.
    """
    return _entry(history, what, intent) if what.startswith(ENTRY) else _file(history, what, intent)


def _file(history: History, path: str, intent: Intent) -> Revived:
    if not is_searched(path):
        raise ReviveError(
            f"{path} is no file of memories.", hint="Name a .md file below memory/ or Archive/."
        )
    data, commit_id = _last_text(history, path)

    def plan(tree: Tree) -> Plan:
        if tree.entry(path) is not None:
            raise ReviveError(
                f"{path} is there.", hint="`clawgit memory search --deep` finds lines that left it."
            )
        return Plan(
            f"memory: revive {path}", (Edit(path, data),), evidence=(Evidence(commit_id),), verbatim=True
        )

    return Revived(apply_plan(history, plan, intent), path)


def _last_text(history: History, path: str) -> tuple[bytes, str]:
    """Return how a file read last, and the commit that took it out (or still has it)."""
    tip = history.tip().commit_id
    options = ("--full-history", "--diff-filter=D", *WITH_FILES)
    for change in read_changes(history, *options, tip, paths=(path,)) if tip else ():
        olds = [blob for step in change.files for blob in step.olds if step.path == path and blob]
        if olds:
            return history.objects.blob(olds[0]), change.commit_id
    for commit_id in history.refs(PAST).values():
        data = history.tree_of(commit_id).read(path)
        if data is not None:
            return data, commit_id
    raise ReviveError(
        f"{path} was never taken out of memory.", hint="`clawgit memory search WORDS --deep` says what was."
    )


def _entry(history: History, name: str, intent: Intent) -> Revived:
    with open_index(history) as index, open_retired(history) as retired:
        standing, gone = index.entries([name]), retired.entry(name)
    if standing:
        raise ReviveError(f"{name} stands in {standing[0].path}:{standing[0].first}.")
    if gone is None:
        raise ReviveError(
            f"No entry {name} is known.", hint="`clawgit memory search WORDS --deep` shows ids."
        )

    def plan(tree: Tree) -> Plan:
        old = tree.read(gone.path) or b""
        if name.removeprefix(ENTRY) in marks_in(old):
            return Plan("")
        new = _with_entry(old, gone.text, name.removeprefix(ENTRY))
        evidence = (
            (Evidence(gone.retirement.commit_id),) if gone.retirement and gone.retirement.commit_id else ()
        )
        return Plan(f"memory: revive {gone.text}", (Edit(gone.path, new),), evidence=evidence, verbatim=True)

    return Revived(apply_plan(history, plan, intent), gone.path, gone.text)


def _with_entry(old: bytes, text: str, entry_id: str) -> bytes:
    """Return ``old`` with one entry more, which has the id that it had before."""
    new = add_entry(old, text)
    added = next(entry for entry in reversed(read_entries(new)) if entry.text == text and not entry.entry_id)
    lines = split_lines(new)
    own = with_mark(lines[added.first : added.last], added.text_last - 1 - added.first, entry_id)
    return b"".join([*lines[: added.first], *own, *lines[added.last :]])
