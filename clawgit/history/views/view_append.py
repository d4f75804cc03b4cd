"""Adding clawgit's own new changes to views that stand: a change costs what it says, not what was said before.

Everything else (words of others, a repeated op, an earlier date, a snapshot, a way back to what was left out) may
change what is told already, and is rendered from the whole history. The bytes are the same either way.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.own_commits import own_commits
from clawgit.history.reading.git_log import SOUL_FILES, LoggedChange, read_named
from clawgit.history.reading.reachability import Reached, left_out_trees
from clawgit.history.views.change_logs import CHANGELOG, COMPACTION_LOG, changelog_of, compactions_of
from clawgit.history.views.soul_history import (
    SOUL_HISTORY,
    copies_of,
    daily,
    next_thinning,
    oldest_daily,
    text_of,
)
from clawgit.history.views.view_entries import LEFT_OUT_LINE, put_in
from clawgit.history.views.view_files import MAX_VIEW_BYTES, change_of
from clawgit.history.views.view_state import Rendered, ViewState
from clawgit.workspace.safe_files import read_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.views.view_entries import ViewEntry


def grown(history: History, state: ViewState, shown: Sequence[str], today: date) -> Rendered | None:
    """Return the views that read otherwise with the commits ``shown``, which came since; None to render everything.

    Raises:
        ClawgitError: git could not read the history.
    """
    if state.cursor is None or not own_commits(history).issuperset(shown) or not _stand(history, state):
        return None
    told = tuple(read_named(history, shown, with_files=True).values())
    soul = tuple(change for change in map(_of_the_soul, told) if change.files)
    copies = _copies(history, soul, today)
    if copies is None or any(change.snapshot for change in told) or (soul and state.cursor.past):
        return None
    files, newest = copies, dict(state.newest)
    for path, entries in (
        (CHANGELOG, changelog_of(history, Reached(soul, ()), {})),
        (COMPACTION_LOG, compactions_of(history, Reached(told, ()))),
    ):
        lines = _log_with(history, path, newest, entries) if entries else []
        if lines is None or (LEFT_OUT_LINE in lines and _leads_back(history, shown)):
            return None
        if lines:
            files[path] = "\n".join(lines).encode()
    days = daily(history, copies_of(soul))
    until = next_thinning(days, today, history.settings.soul_history_retention_days)
    standing = {path: known for path, known in state.written.items() if path not in files}
    return Rendered(files, min(until, date.fromisoformat(state.cursor.until)), newest, standing)


def _stand(history: History, state: ViewState) -> bool:
    """Say whether each view is there as clawgit wrote it; one that git tracks is somebody's file."""
    tree = history.tip().tree
    try:
        return not any(
            tree.entry(path) is not None or change_of(history, path, known)
            for path, known in state.written.items()
        )
    except ClawgitError:  # something that is no file stands in its place
        return False


def _of_the_soul(change: LoggedChange) -> LoggedChange:
    return change._replace(files=tuple(file for file in change.files if file.path in SOUL_FILES))


def _copies(history: History, soul: Sequence[LoggedChange], today: date) -> dict[str, bytes] | None:
    """Return the day's copies; None where one goes, or is of a time of which the last of a month stays."""
    copies = copies_of(soul)
    days = daily(history, copies)
    oldest = oldest_daily(today, history.settings.soul_history_retention_days)
    if any(copy.blob_id is None for copy in copies) or any(day < oldest for day in days):
        return None
    return {f"{SOUL_HISTORY}{day}.md": text_of(history, copy) for day, copy in days.items()}


def _log_with(
    history: History, path: str, newest: dict[str, list[str]], entries: Sequence[ViewEntry]
) -> list[str] | None:
    """Return the lines of the log at ``path`` with ``entries`` (newest first), and note in ``newest`` what is newest."""
    present = read_file(history.root, path, at_most=MAX_VIEW_BYTES)
    lines = [] if present is None else present.data.decode().split("\n")
    for entry in reversed(entries):
        now_newest = put_in(lines, newest.get(path, ()), entry, history.settings)
        if now_newest is None:
            return None
        newest[path] = now_newest
    return lines


def _leads_back(history: History, shown: Sequence[str]) -> bool:
    """Say whether one of ``shown`` may do again what a rewrite of history left out."""
    return not left_out_trees(history).isdisjoint(history.objects.commit(name).tree_id for name in shown)
