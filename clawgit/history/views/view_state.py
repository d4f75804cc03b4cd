"""views.json: which bytes clawgit wrote as views, and up to which state of the history they hold.

A cache beside the history. Without it, views are rendered again, and one that reads otherwise counts as edited.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import date
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.refs import PAST
from clawgit.history.reading.git_log import SOUL_FILES
from clawgit.history.reading.reachability import MARKED
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

LOOKED_AT = 64
_MARKED = lazy_pattern(MARKED, re.IGNORECASE)


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


def digest(data: bytes) -> str:
    """Return what ``written`` remembers of a view."""
    return sha256(data).hexdigest()


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
        said = json.loads(_path(history).read_text("utf-8"))
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
    path = _path(history)
    cursor = None if state.cursor is None else state.cursor._asdict()
    said = json.dumps(state._asdict() | {"cursor": cursor})
    write_file(path.parent, path.name, FileContent(said.encode()), fsync=False)


def _path(history: History) -> Path:
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
