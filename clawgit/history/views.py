"""The derived views: rendered from the history, written into the folder, never committed.

They are a function of the branch's tip, the pinned earlier tips (`refs/clawgit/past/`), two settings and the day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

from clawgit.errors import ClawgitError
from clawgit.history.changelog import (
    CHANGELOG,
    changelog_of,
    read_soul_reached,
    render_changelog,
    replaced_ways,
)
from clawgit.history.compaction_log import (
    COMPACTION_LOG,
    compactions_of,
    read_marked,
    render_compaction_log,
)
from clawgit.history.guards import Finding
from clawgit.history.soul_copies import (
    SOUL_HISTORY,
    daily,
    named,
    next_thinning,
    read_snapshots,
    read_soul_changes,
    retained,
    text_of,
)
from clawgit.history.tips import pin_lost_tips
from clawgit.history.view_entries import local
from clawgit.history.view_files import RULE, put_views
from clawgit.history.view_state import ViewState, cursor_at, digest, read_state, renewed, write_state

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from clawgit.history.repository import History

_AGAIN = "`clawgit changelog` tries again."


@dataclass(frozen=True, slots=True)
class Rendered:
    """The views' bytes by path, and the first day on which retention may thin them."""

    files: Mapping[str, bytes]
    until: date


def render(history: History, now: datetime) -> Rendered:
    """Return the views as of ``now``'s day; nothing is written.

    Raises:
        ClawgitError: git could not read the history.
    """
    settings = history.settings
    soul = read_soul_reached(history)
    ways = replaced_ways(history, soul)
    marked = read_marked(history)
    days = daily(history, read_soul_changes(history, soul, ways))
    today, keep_days = local(now, settings).date(), settings.soul_history_retention_days
    copies = {f"{day}.md": days[day] for day in retained(days, today, keep_days)}
    copies |= named(history, read_snapshots(history, marked))
    files = {
        CHANGELOG: render_changelog(changelog_of(history, soul, ways), settings),
        COMPACTION_LOG: render_compaction_log(compactions_of(history, marked), settings),
        **{SOUL_HISTORY + name: text_of(history, copy) for name, copy in sorted(copies.items())},
    }
    return Rendered(files, next_thinning(days, today, keep_days))


def refresh_views(history: History, now: datetime) -> tuple[Finding, ...]:
    """Bring the views up to date after a change; callers hold the workspace lock.

    Costs next to nothing where no commit since touched what they show. Never fails: what went wrong, or was
    found edited, is returned.
    """
    try:
        state = read_state(history)
        cursor = renewed(history, state.cursor, local(now, history.settings).date())
        if cursor is None:
            return write_views(history, now)
        if cursor != state.cursor:
            write_state(history, ViewState(cursor, state.written))
    except (ClawgitError, pygit2.GitError, OSError) as error:
        return (_not_written(error),)
    return ()


def renew_views(history: History, now: datetime) -> tuple[Finding, ...]:
    """Write the views whatever is there, as `changelog` does; takes the workspace lock, and never fails."""
    try:
        with history.locked():
            pin_lost_tips(history)
            return write_views(history, now)
    except (ClawgitError, pygit2.GitError, OSError) as error:
        return (_not_written(error),)


def _not_written(error: Exception) -> Finding:
    said = error.message if isinstance(error, ClawgitError) else str(error)
    return Finding(RULE, CHANGELOG, f"The rendered files are not up to date: {said}", _AGAIN)


def write_views(history: History, now: datetime) -> tuple[Finding, ...]:
    """Render the views and write what reads otherwise; callers hold the workspace lock.

    What somebody edited goes to quarantine first. A link, a special file and a file that git tracks stay.

    Raises:
        ClawgitError: git could not read the history.
        OSError: The disk is full or failing; the next writer goes on.
    """
    rendered = render(history, now)
    wanted = {path: [digest(data)] for path, data in rendered.files.items()}
    old = read_state(history).written
    ours = {path: [*old.get(path, ()), *wanted.get(path, ())] for path in sorted(old | wanted)}
    write_state(
        history, ViewState(None, ours)
    )  # whoever is killed from here on leaves nothing that looks edited
    found = put_views(history, rendered.files, ours, now)
    cursor = cursor_at(history, local(now, history.settings).date(), rendered.until)
    write_state(history, ViewState(cursor, wanted))
    return found
