"""The derived views: rendered from the history, written into the folder, never committed.

They are a function of the branch's tip, the pinned earlier tips (`refs/clawgit/past/`), two settings and the day.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.lock import SIGNAL, WorkspaceBusyError, taken
from clawgit.history.git.reflogs import pin_lost_tips
from clawgit.history.git.repository import RepositoryStateError, refuse_odd_state
from clawgit.history.guards.finding import Finding
from clawgit.history.views.change_logs import (
    CHANGELOG,
    COMPACTION_LOG,
    changelog_of,
    compactions_of,
    read_marked,
    read_soul_reached,
    render_changelog,
    render_compaction_log,
    replaced_ways,
)
from clawgit.history.views.soul_history import (
    SOUL_HISTORY,
    daily,
    named,
    next_thinning,
    read_snapshots,
    read_soul_changes,
    retained,
    text_of,
)
from clawgit.history.views.view_entries import local, newest_of
from clawgit.history.views.view_state import (
    RULE,
    Rendered,
    ViewState,
    are_as_written,
    change_of,
    cursor_at,
    digest,
    grown,
    put_views,
    read_state,
    record_path,
    renewed,
    write_state,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clawgit.history.git.repository import History

_AGAIN = "`clawgit changelog` tries again."
WAIT_SECONDS = 10.0  # after the latest hook, for the end of a rebase or of another writer
LOOK_SECONDS = 0.2


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
    changes, compactions = changelog_of(history, soul, ways), compactions_of(history, marked)
    files = {
        CHANGELOG: render_changelog(changes, settings),
        COMPACTION_LOG: render_compaction_log(compactions, settings),
        **{SOUL_HISTORY + name: text_of(history, copy) for name, copy in sorted(copies.items())},
    }
    newest = {CHANGELOG: newest_of(changes), COMPACTION_LOG: newest_of(compactions)}
    return Rendered(files, next_thinning(days, today, keep_days), newest)


def refresh_views(history: History, now: datetime, *, look: bool = False) -> tuple[Finding, ...]:
    """Bring the views up to date after a change; callers hold the workspace lock.

    Costs next to nothing where no commit since touched what they show, and little where clawgit's own did; ``look`` is
    for who looks into the folder anyway: it finds an edit of a view, too. Never fails: what went wrong, or was found
    edited, is returned.
    """
    try:
        state, today = read_state(history), local(now, history.settings).date()
        moved = renewed(history, state.cursor, today)
        if moved is None or (look and _is_edited(history, state)):
            return write_views(history, now)
        cursor, shown = moved
        if shown:
            return _write(history, grown(history, state, shown, today) or render(history, now), now)
        if cursor != state.cursor:
            write_state(history, state._replace(cursor=cursor))
    except (ClawgitError, pygit2.GitError, OSError) as error:
        return (_not_written(error),)
    return ()


def _is_edited(history: History, state: ViewState) -> bool:
    """Say whether a view was edited or deleted; one that git tracks is somebody's file."""
    tree = history.tip().tree
    mine = {path: known for path, known in state.written.items() if tree.entry(path) is None}
    with suppress(ClawgitError):  # a link in a view's place was named when the views were written last
        return any(change_of(history, path, known) for path, known in mine.items())
    return False


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
    return _write(history, render(history, now), now)


def _write(history: History, rendered: Rendered, now: datetime) -> tuple[Finding, ...]:
    stays, old = rendered.standing, read_state(history).written
    wanted = {path: [digest(data)] for path, data in rendered.files.items()}
    ours = {
        path: [*old.get(path, ()), *wanted.get(path, ())]
        for path in sorted({**old, **wanted})
        if path not in stays
    }
    # Whoever is killed from here on leaves nothing that looks edited.
    write_state(history, ViewState(None, {**stays, **ours}))
    found = put_views(history, rendered.files, ours, now)
    cursor = cursor_at(history, local(now, history.settings).date(), rendered.until)
    write_state(history, ViewState(cursor, {**stays, **wanted}, rendered.newest))
    return found


def renew_until_current(opened: Callable[[], History]) -> None:
    """Renew the views until they are the tip's, unless another process does; each look at the repository opens it.

    An edited view is left to the next command, which says what becomes of it.

    Raises:
        ClawgitError: The repository is gone or cannot be read.
        OSError: The disk is full or failing.
    """
    is_mine = True
    while is_mine and not _are_current(history := opened()):
        handle = os.open(views_lock(history), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            is_mine = taken(handle) and _are_renewed(opened)
        finally:
            os.close(handle)


def views_lock(history: History) -> Path:
    """Return the lock of the process that renews the views of this working tree."""
    return record_path(history).with_suffix(".renewing")


def _are_current(history: History) -> bool:
    """Say whether the views are the tip's; in a working tree that has none, there is nothing to renew."""
    state = read_state(history)
    if not state.written:
        return True
    return state.cursor is not None and state.cursor.tip == history.tip().commit_id


def _are_renewed(opened: Callable[[], History]) -> bool:
    """Renew the views once nothing else goes on; False where that takes too long or something is in the way."""
    while True:
        history = opened()
        try:
            refuse_odd_state(history)
            with history.locked(wait_seconds=0):
                if not are_as_written(history, read_state(history)):
                    return False
                pin_lost_tips(history)
                return not refresh_views(history, datetime.now(UTC))
        except (RepositoryStateError, WorkspaceBusyError):
            if not _is_recent(history):
                return False
        time.sleep(LOOK_SECONDS)


def _is_recent(history: History) -> bool:
    """Say whether a hook ran a moment ago: in a rebase there is one for each commit, and one at its end."""
    return abs(time.time() - (history.state / SIGNAL).stat().st_mtime) < WAIT_SECONDS
