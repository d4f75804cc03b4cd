"""The two rendered logs, as the history tells them.

CHANGELOG.md: every change of who the agent is. COMPACTION_LOG.md: what the memory-compactor did, and what left the
workspace's files and why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.reading.foreign_changes import file_changes
from clawgit.history.reading.git_log import SOUL_FILES
from clawgit.history.reading.reachability import (
    MARKED,
    Reached,
    absorbed,
    read_reached,
    soul_steps,
    tree_steps,
)
from clawgit.history.views.view_entries import LOSS, Said, entry_set, render_log

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.history.views.view_entries import ViewEntry
    from clawgit.workspace.settings.settings import Settings

CHANGELOG = "CHANGELOG.md"
_ABOUT = """\
How SOUL.md and IDENTITY.md changed, newest first. Rendered by clawgit from the history: an edit made here does
not last. `clawgit changelog` renews it, `clawgit soul log` names the commits."""
COMPACTION_LOG = "COMPACTION_LOG.md"
COMPACTOR = "memory-compactor"
_ABOUT_COMPACTIONS = """\
What was archived or removed, newest first: the memory-compactor's changes, and every loss that a change declared.
Rendered by clawgit from the history: an edit made here does not last. Each text is still in the history."""


def read_changelog(history: History) -> list[ViewEntry]:
    """Return every change of the soul's files that the branch or a pinned earlier tip has, newest first.

    Raises:
        ClawgitError: git could not read the history.
    """
    told = read_soul_reached(history)
    return changelog_of(history, told, replaced_ways(history, told))


def read_soul_reached(history: History) -> Reached:
    """Return the commits that changed the soul's files."""
    return read_reached(history, paths=SOUL_FILES)


def replaced_ways(history: History, told: Reached) -> dict[str, tuple[str, ...]]:
    """Return commit of the branch → the left-out changes of the soul that it only replaces."""
    if not told.past:
        return {}
    branch, past = (soul_steps(history, some, SOUL_FILES) for some in (told.branch, told.past))
    return absorbed(branch, past)


def changelog_of(history: History, told: Reached, ways: Mapping[str, tuple[str, ...]]) -> list[ViewEntry]:
    """Return the entries of the changelog from what was read already."""
    touching = Reached(
        *(tuple(change for change in some if change.files) for some in (told.branch, told.past))
    )
    return entry_set(touching, ways, lambda change: Said(file_changes(history, change)))


def render_changelog(entries: Iterable[ViewEntry], settings: Settings) -> bytes:
    """Return CHANGELOG.md."""
    return render_log("Changelog", _ABOUT, entries, settings)


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
    return render_log("Compaction log", _ABOUT_COMPACTIONS, entries, settings)
