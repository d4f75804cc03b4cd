"""COMPACTION_LOG.md: what the memory-compactor did, and what left the workspace's files and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.reading.reachability import MARKED, Reached, absorbed, read_reached, tree_steps
from clawgit.history.views.view_entries import LOSS, Said, entry_set, render_log

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.history.views.view_entries import ViewEntry
    from clawgit.workspace.settings.settings import Settings

COMPACTION_LOG = "COMPACTION_LOG.md"
COMPACTOR = "memory-compactor"
_ABOUT = """\
What was archived or removed, newest first: the memory-compactor's changes, and every loss that a change declared.
Rendered by clawgit from the history: an edit made here does not last. Each text is still in the history."""


def read_marked(history: History) -> Reached:
    """Return the commits whose message may speak of a loss, a snapshot or the compactor."""
    return read_reached(history, "--extended-regexp", "--regexp-ignore-case", f"--grep={MARKED}")


def compactions_of(history: History, marked: Reached) -> list[ViewEntry]:
    """Return the entries of the compaction log from the commits that were read already, newest first.

    Raises:
        ClawgitError: git could not read the history.
    """
    told = Reached(tuple(filter(_is_compaction, marked.branch)), tuple(filter(_is_compaction, marked.past)))
    ways = absorbed(*tree_steps(history)) if told.past else {}
    return entry_set(told, ways, lambda _: Said(anyway=True))


def _is_compaction(change: LoggedChange) -> bool:
    return change.actor == COMPACTOR or bool(change.trailers.all(LOSS))


def render_compaction_log(entries: Iterable[ViewEntry], settings: Settings) -> bytes:
    """Return COMPACTION_LOG.md."""
    return render_log("Compaction log", _ABOUT, entries, settings)
