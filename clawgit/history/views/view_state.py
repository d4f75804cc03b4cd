"""views.json: which bytes clawgit wrote as views, and up to which state of the history they hold; and how they grow.

A cache beside the history. Without it, views are rendered again, and one that reads otherwise counts as edited.

clawgit's own new changes are added to views that stand: a change costs what it says, not what was said before.
Everything else (words of others, a repeated op, an earlier date, a snapshot, a way back to what was left out) may
change what is told already, and is rendered from the whole history. The bytes are the same either way.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import date
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.authorship.intent import Intent
from clawgit.history.authorship.op_lookup import new_op, own_commits
from clawgit.history.git.refs import PAST, QUARANTINE
from clawgit.history.guards.finding import Finding
from clawgit.history.guards.quarantine import Refused, can_be_stored, put_into_quarantine
from clawgit.history.reading.git_log import SOUL_FILES, LoggedChange, read_named
from clawgit.history.reading.reachability import MARKED, Reached, left_out_trees
from clawgit.history.transaction.drafts import Draft
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
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.rewritten_record import rewrite_record
from clawgit.workspace.safe_files import (
    FileContent,
    FileTooLargeError,
    UnsafePathError,
    read_file,
    remove_file,
    remove_temporaries,
    write_file,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.views.view_entries import ViewEntry

LOOKED_AT = 64
_MARKED = lazy_pattern(MARKED, re.IGNORECASE)
RULE = "derived-file"
MAX_VIEW_BYTES = 64 * 1024 * 1024


class Cursor(NamedTuple):
    """What the views were rendered from; they hold from ``day`` until before the day ``until``."""

    tip: str | None
    past: tuple[str, ...]
    settings: tuple[str, ...]
    day: str
    until: str


class ViewState(NamedTuple):
    """The cursor (None while views are being written) and path → digests of what clawgit wrote there.

    ``newest``: log → when its newest entry was made, and the keys of those made then.
    """

    cursor: Cursor | None = None
    written: Mapping[str, list[str]] = {}
    newest: Mapping[str, list[str]] = {}


class Rendered(NamedTuple):
    """The views' bytes by path, and what is remembered of them.

    ``until``: the first day on which retention may thin them. ``standing``: path → digests of what stays as it is.
    """

    files: dict[str, bytes]
    until: date
    newest: Mapping[str, list[str]]
    standing: Mapping[str, list[str]] = {}


def cursor_at(history: History, today: date, until: date) -> Cursor:
    """Return the cursor of views that are rendered now."""
    settings = history.settings
    said = (settings.timezone, str(settings.soul_history_retention_days))
    return Cursor(
        history.tip().commit_id, tuple(history.refs(PAST)), said, today.isoformat(), until.isoformat()
    )


def read_state(history: History) -> ViewState:
    """Return what is remembered, nothing where it cannot be read."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        said = json.loads(record_path(history).read_text("utf-8"))
        told = said["cursor"]
        cursor = None
        if told is not None:
            told |= {"past": tuple(told["past"]), "settings": tuple(told["settings"])}
            cursor = Cursor(**told)
        written, newest = (
            {str(path): list(known) for path, known in said.get(name, {}).items()}
            for name in ("written", "newest")
        )
        return ViewState(cursor, written, newest)
    return ViewState()


def write_state(history: History, state: ViewState) -> None:
    """Remember ``state``."""
    path = record_path(history)
    cursor = None if state.cursor is None else state.cursor._asdict()
    said = json.dumps(state._asdict() | {"cursor": cursor})
    rewrite_record(path.parent, path.name, said.encode())


def record_path(history: History) -> Path:
    """Return the file; each linked working tree has one of its own, since it has files of its own."""
    linked = history.git_folder.resolve() != history.folder.resolve()
    return history.state / (f"views-{history.git_folder.name}.json" if linked else "views.json")


def renewed(history: History, cursor: Cursor | None, today: date) -> tuple[Cursor, list[str]] | None:
    """Return the cursor moved on to the tip, and which of the few commits made since the views show, oldest first.

    None where the views may read otherwise for another reason.
    """
    if cursor is None or not cursor.day <= today.isoformat() < cursor.until:
        return None
    present = cursor_at(history, date.fromisoformat(cursor.day), date.fromisoformat(cursor.until))
    if (present.past, present.settings) != (cursor.past, cursor.settings):
        return None
    shown = _shown(history, present.tip, since=cursor.tip)
    return None if shown is None else (present, shown)


def _shown(history: History, tip: str | None, *, since: str | None) -> list[str] | None:
    """Return the commits since that touch the soul, lose or name anything; None where they are no short line."""
    found: list[str] = []
    if tip == since:
        return found
    for count, commit in enumerate(history.objects.first_parents(tip)):
        if commit.commit_id == since:
            return found[::-1]
        if count == LOOKED_AT or len(commit.parent_ids) != 1:
            return None
        if _touches(history, commit):
            found.append(commit.commit_id)
    return None


def _touches(history: History, commit: Commit) -> bool:
    here, before = history.tree_of(commit.commit_id), history.tree_of(commit.parent_ids[0])
    return _MARKED.search(commit.message) is not None or any(
        here.entry(path) != before.entry(path) for path in SOUL_FILES
    )


def grown(history: History, state: ViewState, shown: Sequence[str], today: date) -> Rendered | None:
    """Return the views that read otherwise with the commits ``shown``, which came since; None to render everything.

    Raises:
        ClawgitError: git could not read the history.
    """
    if (
        state.cursor is None
        or not own_commits(history).issuperset(shown)
        or not are_as_written(history, state)
    ):
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


def are_as_written(history: History, state: ViewState) -> bool:
    """Say whether each view is there as clawgit wrote it; one that git tracks is somebody's file."""
    tree = history.tip().tree
    try:
        return not any(
            tree.entry(path) is not None or change_of(history, path, known)
            for path, known in state.written.items()
        )
    except ClawgitError:  # something that is no file is in its place
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


def put_views(
    history: History, files: Mapping[str, bytes], ours: Mapping[str, Collection[str]], now: datetime
) -> tuple[Finding, ...]:
    """Make each path of ``ours`` read as in ``files``, or go; return what was found in the way.

    ``ours``: path → digests of what clawgit wrote there. Other bytes are an edit and go to quarantine first.

    Raises:
        OSError: The disk is full or failing; some views are written, some not.
    """
    tree = history.tip().tree
    findings = {}
    for folder in {path.rpartition("/")[0] for path in ours}:
        remove_temporaries(history.root, f"{folder}/left".lstrip("/"))
    for path, known in ours.items():
        if tree.entry(path) is not None:
            finding: Finding | None = _tracked(path)
        else:
            finding = _put(history, path, files.get(path), known, now)
        if finding is not None:  # one link in place of a folder stands in the way of all files below it
            findings[finding.way_out, path.partition("/")[0]] = finding
    return tuple(findings.values())


def change_of(history: History, path: str, written: Collection[str]) -> str:
    """Return what became of a view since clawgit wrote it: "is missing", "was edited", or nothing.

    Raises:
        ClawgitError: What is there is no file, or too large.
    """
    present = read_file(history.root, path, at_most=MAX_VIEW_BYTES)
    if present is None:
        return "is missing"
    return "" if digest(present.data) in written else "was edited"


def digest(data: bytes) -> str:
    """Return what ``written`` remembers of a view."""
    return sha256(data).hexdigest()


def _put(
    history: History, path: str, wanted: bytes | None, known: Collection[str], now: datetime
) -> Finding | None:
    finding = None
    try:
        present = read_file(history.root, path, at_most=MAX_VIEW_BYTES, settled=True)
        if (None if present is None else present.data) == wanted:
            return None
        if present is not None and digest(present.data) not in known:
            draft = Draft(history.tip().tree, {path: present})
            if not can_be_stored(draft):
                return _left_alone(path)
            finding = _quarantined(history, path, draft, now)
        if wanted is None:
            remove_file(history.root, path, fsync=False)
        else:
            write_file(history.root, path, FileContent(wanted), fsync=False)
    except (UnsafePathError, FileTooLargeError) as error:
        return Finding(
            RULE, path, error.message, "Move it away, then `clawgit changelog` renders what is missing."
        )
    return finding


def _quarantined(history: History, path: str, draft: Draft, now: datetime) -> Finding:
    """Keep an edited view reachable, whoever edited it."""
    said = f"{path} had been edited, but it is rendered from the history; the edit is kept in quarantine."
    found = Finding(RULE, path, said, "Put what should stay into a file of your own.")
    intent = Intent(new_op("view"), UNKNOWN, now)
    kept = put_into_quarantine(history, history.tip(), Refused(draft, (found,)), intent)
    return found._replace(way_out=f"`git show {QUARANTINE}{kept}:{path}` shows it. {found.way_out}")


def _left_alone(path: str) -> Finding:
    return Finding(
        RULE,
        path,
        f"{path} had been edited and holds a secret, so it is neither kept nor rendered again.",
        "Take out what should stay, then delete the file: `clawgit changelog` renders it.",
    )


def _tracked(path: str) -> Finding:
    return Finding(
        RULE,
        path,
        f"{path} is tracked by git, so it is not rendered: it would conflict in merges and reverts.",
        f"`git rm --cached {path}` and a commit leave it to clawgit.",
    )
