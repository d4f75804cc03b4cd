"""The derived views: rendered from the history, written into the folder, never committed.

They are a function of the branch's tip, the pinned earlier tips (`refs/clawgit/past/`), two settings and the day.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.giving_way import SIGNAL
from clawgit.history.git.lock import WorkspaceBusyError, only_holder
from clawgit.history.git.reflogs import pin_lost_tips
from clawgit.history.git.refs import PAST
from clawgit.history.git.repository import RepositoryStateError, refuse_odd_state
from clawgit.history.guards.finding import Finding
from clawgit.history.reading.git_log import MARKED, SOUL_FILES
from clawgit.history.views.change_logs import (
    CHANGELOG,
    COMPACTION_LOG,
    changelog_of,
    compactions_of,
    local,
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
    read_snapshots,
    read_soul_changes,
    retained,
    text_of,
)
from clawgit.history.views.view_files import (
    RULE,
    Basis,
    ViewState,
    are_as_written,
    change_of,
    digest,
    put_views,
    read_state,
    record_path,
    write_state,
)
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

LOOKED_AT = 64  # commits; where more came, everything is rendered
WAIT_SECONDS = 10.0  # after the latest hook, for the end of a rebase or of another writer
LOOK_SECONDS = 0.2
_MARKED = lazy_pattern(MARKED, re.IGNORECASE)


def render(history: History, now: datetime) -> dict[str, bytes]:
    """Return path → bytes of the views as of ``now``'s day; nothing is written."""
    settings = history.settings
    soul = read_soul_reached(history)
    ways = replaced_ways(history, soul)
    marked = read_marked(history)
    days = daily(history, read_soul_changes(history, soul, ways))
    stay = retained(days, local(now, settings).date(), settings.soul_history_retention_days)
    copies = {f"{day}.md": days[day] for day in stay} | named(history, read_snapshots(history, marked))
    return {
        CHANGELOG: render_changelog(changelog_of(history, soul, ways), settings),
        COMPACTION_LOG: render_compaction_log(compactions_of(history, marked), settings),
        **{SOUL_HISTORY + name: text_of(history, copy) for name, copy in sorted(copies.items())},
    }


def write_views(history: History, now: datetime) -> tuple[Finding, ...]:
    """Render the views and write what reads otherwise; callers hold the workspace lock.

    What somebody edited goes to quarantine first. A link, a special file and a file that git tracks stay.
    """
    basis = _basis(history, now)  # before the rest: a commit that git makes meanwhile is rendered later
    files = render(history, now)
    before = read_state(history).written
    written = {path: [digest(data)] for path, data in files.items()}
    ours = {path: [*before.get(path, ()), *written.get(path, ())] for path in sorted({**before, **written})}
    write_state(
        history, ViewState(None, ours)
    )  # whoever is killed from here on leaves nothing that looks edited
    findings = put_views(history, files, ours, now)
    write_state(history, ViewState(basis, written))
    return findings


def refresh_views(history: History, now: datetime, *, look: bool = False) -> tuple[Finding, ...]:
    """Bring the views up to date after a change; callers hold the workspace lock.

    Costs next to nothing where no commit since touched what they show; ``look`` is for who looks into the folder anyway: it
    finds an edit of a view, too. Never fails: what went wrong, or was found edited, is returned.
    """
    try:
        state = read_state(history)
        basis = _basis(history, now)
        if not _reads_the_same(history, state.basis, basis) or (look and _is_edited(history, state)):
            return write_views(history, now)
        if basis != state.basis:
            write_state(history, state._replace(basis=basis))
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


def renew_until_current(opened: Callable[[], History]) -> None:
    """Renew the views after git's own commit until they are the tip's; each look at the repository opens it.

    One process does so at a time for each working tree. Whoever comes meanwhile leaves the work to that process, which looks at
    the tip again when it is done. An edited view is left to the next command, which says what becomes of it.
    """
    is_mine = True
    while is_mine and not _are_current(history := opened()):
        with only_holder(views_lock(history)) as handle:
            is_mine = handle is not None and _are_renewed(opened)


def views_lock(history: History) -> Path:
    """Return the lock of the process that renews the views of this working tree."""
    return record_path(history).with_suffix(".renewing")


def _basis(history: History, now: datetime) -> Basis:
    settings = history.settings
    shown = (settings.timezone, str(settings.soul_history_retention_days))
    day = local(now, settings).date().isoformat()
    return Basis(history.tip().commit_id, tuple(history.refs(PAST)), shown, day)


def _reads_the_same(history: History, before: Basis | None, basis: Basis) -> bool:
    """Say whether views of one basis surely read like those of another: few commits came, and none that they show."""
    if before is None or before._replace(tip=basis.tip) != basis:
        return False
    if before.tip == basis.tip:
        return True
    for count, commit in enumerate(history.objects.first_parents(basis.tip)):
        if commit.commit_id == before.tip:
            return True
        if count == LOOKED_AT or len(commit.parent_ids) != 1 or _is_shown(history, commit):
            return False
    return False


def _is_shown(history: History, commit: Commit) -> bool:
    """Say whether a commit touches the soul, loses or names anything."""
    if _MARKED.search(commit.message) is not None:
        return True
    tree, parent = (history.tree_of(name) for name in (commit.commit_id, commit.parent_ids[0]))
    return any(tree.entry(path) != parent.entry(path) for path in SOUL_FILES)


def _is_edited(history: History, state: ViewState) -> bool:
    """Say whether a view was edited or deleted; one that git tracks is somebody's file."""
    tree = history.tip().tree
    with suppress(ClawgitError):  # a link in a view's place was named when the views were written last
        return any(
            change_of(history, path, digests)
            for path, digests in state.written.items()
            if tree.entry(path) is None
        )
    return False


def _not_written(error: Exception) -> Finding:
    message = error.message if isinstance(error, ClawgitError) else str(error)
    return Finding(
        RULE,
        CHANGELOG,
        f"The rendered files are not up to date: {message}",
        "`clawgit changelog` tries again.",
    )


def _are_current(history: History) -> bool:
    """Say whether the views are the tip's; in a working tree that has none, there is nothing to renew."""
    state = read_state(history)
    if not state.written:
        return True
    return state.basis is not None and state.basis.tip == history.tip().commit_id


def _are_renewed(opened: Callable[[], History]) -> bool:
    """Renew the views once nothing else goes on; False where that takes too long or something is in the way."""
    while True:
        history = opened()
        try:
            refuse_odd_state(history)
            with history.locked(wait_seconds=0):
                if not are_as_written(history, read_state(history).written):
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
