"""CHANGELOG.md: every change of who the agent is, as the history tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.reading.foreign_changes import file_changes
from clawgit.history.reading.git_log import SOUL_FILES
from clawgit.history.reading.reachability import Reached, absorbed, read_reached, soul_steps
from clawgit.history.views.view_entries import Said, entry_set, render_log

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clawgit.history.git.repository import History
    from clawgit.history.views.view_entries import ViewEntry
    from clawgit.workspace.settings.settings import Settings

CHANGELOG = "CHANGELOG.md"
_ABOUT = """\
How SOUL.md and IDENTITY.md changed, newest first. Rendered by clawgit from the history: an edit made here does
not last. `clawgit changelog` draws it up anew, `clawgit soul log` names the commits."""


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
