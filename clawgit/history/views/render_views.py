"""The derived views: rendered from the history, written over nothing that somebody else wrote there, never committed.

views.json remembers which bytes clawgit wrote, and of which state of the history; without it, one that reads otherwise is edited.
"""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.authorship.intent import Intent
from clawgit.history.authorship.op_lookup import new_op
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.giving_way import SIGNAL
from clawgit.history.git.lock import WorkspaceBusyError, only_holder
from clawgit.history.git.refs import PAST, QUARANTINE, pin_lost_tips
from clawgit.history.git.repository import RepositoryStateError, refuse_odd_state
from clawgit.history.guards.finding import Finding
from clawgit.history.guards.quarantine import Refused, can_be_stored, put_into_quarantine
from clawgit.history.reading.git_log import MARKED, SOUL_FILES
from clawgit.history.transaction.drafts import Draft
from clawgit.history.views.change_logs import (
    CHANGELOG,
    COMPACTION_LOG,
    SOUL_HISTORY,
    ToldHistory,
    daily,
    local,
    named,
    render_log,
    retained,
    text_of,
)
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace import safe_files

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from pathlib import Path

    from clawgit.history.git.repository import History

LOOKED_AT = 64  # commits; where more came, everything is rendered
WAIT_SECONDS = 10.0  # after the latest hook, for the end of a rebase or of another writer
LOOK_SECONDS = 0.2
_MARKED = lazy_pattern(MARKED, re.IGNORECASE)
RULE = "derived-file"
VIEWS = "views"  # the record's name
MAX_VIEW_BYTES = 64 * 1024 * 1024


def render(history: History, now: datetime) -> dict[str, bytes]:
    """Return path → bytes of the views as of ``now``'s day; nothing is written."""
    settings = history.settings
    told = ToldHistory(history)
    days = daily(history, told.soul_changes())
    stay = retained(days, local(now, settings).date(), settings.soul_history_retention_days)
    copies = {f"{day}.md": days[day] for day in stay} | named(history, told.snapshots())
    return {
        CHANGELOG: render_log(CHANGELOG, told.changelog(), settings),
        COMPACTION_LOG: render_log(COMPACTION_LOG, told.compactions(), settings),
        **{SOUL_HISTORY + name: text_of(history, copy) for name, copy in sorted(copies.items())},
    }


def write_views(history: History, now: datetime) -> tuple[Finding, ...]:
    """Render the views and write what reads otherwise; callers hold the workspace lock. A link, a special file and a tracked file stay."""
    basis = _basis(history, now)  # before the rest: a commit that git makes meanwhile is rendered later
    files = render(history, now)
    before = read_state(history).written
    written = {path: [digest(data)] for path, data in files.items()}
    ours = {path: [*before.get(path, ()), *written.get(path, ())] for path in sorted({**before, **written})}
    # whoever is killed from here on leaves nothing that looks edited
    write_state(history, ViewState(None, ours))
    findings = _put_views(history, files, ours, now)
    write_state(history, ViewState(basis, written))
    return findings


def refresh_views(history: History, now: datetime, *, look: bool = False) -> tuple[Finding, ...]:
    """Bring the views up to date after a change, at next to no cost where none touched what they show; callers hold the workspace lock.

    ``look`` finds an edit of a view, too. Never fails: what went wrong, or was found edited, is returned.
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

    One process does so at a time; whoever comes meanwhile leaves the work to that. An edited view is left to the next command.
    """
    is_mine = True
    while is_mine:
        history = opened()
        state = read_state(history)
        is_current = state.basis is not None and state.basis.tip == history.tip().commit_id
        if is_current or not state.written:  # in a working tree that has none, there is nothing to renew
            return
        with only_holder(views_lock(history)) as handle:
            is_mine = handle is not None and _are_renewed(opened)


def views_lock(history: History) -> Path:
    return history.own_record(VIEWS).with_suffix(".renewing")


def _basis(history: History, now: datetime) -> Basis:
    settings = history.settings
    shown = (settings.timezone, str(settings.soul_history_retention_days))
    day = local(now, settings).date().isoformat()
    return Basis(history.tip().commit_id, tuple(history.refs(PAST)), shown, day)


def _reads_the_same(history: History, before: Basis | None, basis: Basis) -> bool:
    """Say whether views of two bases surely read alike: no commit that they show came in between."""
    if before is None or before._replace(tip=basis.tip) != basis:
        return False
    for count, commit in enumerate(history.objects.first_parents(basis.tip)):
        if commit.commit_id == before.tip:
            return True
        if count == LOOKED_AT or len(commit.parent_ids) != 1 or _MARKED.search(commit.message):
            return False
        tree = history.tree_of(commit.commit_id)
        parent = history.tree_of(commit.first_parent)
        if any(tree.entry(path) != parent.entry(path) for path in SOUL_FILES):
            return False
    return before.tip == basis.tip


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
    sentence = f"The rendered files are not up to date: {message}"
    return Finding(RULE, CHANGELOG, sentence, "`clawgit changelog` tries again.")


def _are_renewed(opened: Callable[[], History]) -> bool:
    """Renew the views once nothing else goes on; False where that takes too long or something is in the way."""
    while True:
        history = opened()
        try:
            refuse_odd_state(history)
            with history.locked(wait_seconds=0):
                if _is_edited(history, read_state(history)):
                    return False
                pin_lost_tips(history)
                return not refresh_views(history, datetime.now(UTC))
        except (RepositoryStateError, WorkspaceBusyError):
            # in a rebase there is a hook for each commit, and one at its end
            if abs(time.time() - (history.state / SIGNAL).stat().st_mtime) >= WAIT_SECONDS:
                return False
        time.sleep(LOOK_SECONDS)


class Basis(NamedTuple):
    """What views are rendered from."""

    tip: str | None
    past: tuple[str, ...]
    settings: tuple[str, ...]
    day: str


class ViewState(NamedTuple):
    """The basis (None while views are being written) and path → digests of what clawgit wrote there."""

    basis: Basis | None = None
    written: Mapping[str, list[str]] = {}


def read_state(history: History) -> ViewState:
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        data = json.loads(history.own_record(VIEWS).read_text("utf-8"))
        basis = None
        if data.get("basis") is not None:
            tip, past, settings, day = data["basis"]
            basis = Basis(tip, tuple(past), tuple(settings), day)
        return ViewState(basis, {str(path): list(digests) for path, digests in data["written"].items()})
    return ViewState()


def write_state(history: History, state: ViewState) -> None:
    name = history.own_record(VIEWS).name
    safe_files.rewrite_record(history.state, name, json.dumps(state._asdict()).encode())


def _put_views(
    history: History, files: Mapping[str, bytes], ours: Mapping[str, Collection[str]], now: datetime
) -> tuple[Finding, ...]:
    """Make each path of ``ours`` read as in ``files``, or go; an edit goes to quarantine first."""
    tree = history.tip().tree
    findings = {}
    for folder in {path.rpartition("/")[0] for path in ours}:
        safe_files.remove_temporaries(history.root, f"{folder}/left".lstrip("/"))
    for path, known in ours.items():
        if tree.entry(path) is not None:
            sentence = (
                f"{path} is tracked by git, so it is not rendered: it would conflict in merges and reverts."
            )
            way_out = f"`git rm --cached {path}` and a commit leave it to clawgit."
            finding: Finding | None = Finding(RULE, path, sentence, way_out)
        else:
            finding = _put(history, path, files.get(path), known, now)
        if finding is not None:  # one link in place of a folder stands in the way of all files below it
            findings[finding.way_out, path.partition("/")[0]] = finding
    return tuple(findings.values())


def change_of(history: History, path: str, written: Collection[str]) -> str:
    """Return what became of a view since clawgit wrote it: "is missing", "was edited", or nothing."""
    present = safe_files.read_file(history.root, path, at_most=MAX_VIEW_BYTES)
    if present is None:
        return "is missing"
    if digest(present.data) in written:
        return ""
    return "was edited"


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _put(
    history: History, path: str, wanted: bytes | None, known: Collection[str], now: datetime
) -> Finding | None:
    finding = None
    try:
        present = safe_files.read_file(history.root, path, at_most=MAX_VIEW_BYTES, settled=True)
        if safe_files.data_of(present) == wanted:
            return None
        if present is not None and digest(present.data) not in known:
            draft = Draft(history.tip().tree, {path: present})
            if not can_be_stored(draft):
                sentence = (
                    f"{path} had been edited and holds a secret, so it is neither kept nor rendered again."
                )
                way_out = "Take out what should stay, then delete the file: `clawgit changelog` renders it."
                return Finding(RULE, path, sentence, way_out)
            sentence = f"{path} had been edited, but it is rendered from the history; the edit is kept in quarantine."
            finding = Finding(RULE, path, sentence, "Put what should stay into a file of your own.")
            intent = Intent(new_op("view"), UNKNOWN, now)
            kept = put_into_quarantine(history, history.tip(), Refused(draft, (finding,)), intent)
            shows = f"`git show {QUARANTINE}{kept}:{path}` shows it."
            finding = finding._replace(way_out=f"{shows} {finding.way_out}")
        if wanted is None:
            safe_files.remove_file(history.root, path, fsync=False)
        else:
            safe_files.write_file(history.root, path, safe_files.FileContent(wanted), fsync=False)
    except (safe_files.UnsafePathError, safe_files.FileTooLargeError) as error:
        return Finding(
            RULE, path, error.message, "Move it away, then `clawgit changelog` renders what is missing."
        )
    return finding
