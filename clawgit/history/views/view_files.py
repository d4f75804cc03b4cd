"""Putting rendered views into the folder, over nothing that somebody else wrote there.

views.json remembers which bytes clawgit wrote, and of which state of the history. Without it, views are rendered again, and one
that reads otherwise counts as edited.
"""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.authorship.intent import Intent
from clawgit.history.authorship.op_lookup import new_op
from clawgit.history.git.refs import QUARANTINE
from clawgit.history.guards.finding import Finding
from clawgit.history.guards.quarantine import Refused, can_be_stored, put_into_quarantine
from clawgit.history.transaction.drafts import Draft
from clawgit.workspace.safe_files import (
    FileContent,
    FileTooLargeError,
    UnsafePathError,
    read_file,
    remove_file,
    remove_temporaries,
    rewrite_record,
    write_file,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime
    from pathlib import Path

    from clawgit.history.git.repository import History

RULE = "derived-file"
MAX_VIEW_BYTES = 64 * 1024 * 1024


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
    """Return what is remembered, nothing where it cannot be read."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        data = json.loads(record_path(history).read_text("utf-8"))
        basis = None
        if data.get("basis") is not None:
            tip, past, settings, day = data["basis"]
            basis = Basis(tip, tuple(past), tuple(settings), day)
        return ViewState(basis, {str(path): list(digests) for path, digests in data["written"].items()})
    return ViewState()


def write_state(history: History, state: ViewState) -> None:
    """Remember ``state``."""
    path = record_path(history)
    rewrite_record(path.parent, path.name, json.dumps(state._asdict()).encode())


def record_path(history: History) -> Path:
    """Return the file; each linked working tree has one of its own, since it has files of its own."""
    linked = history.git_folder.resolve() != history.folder.resolve()
    return history.state / (f"views-{history.git_folder.name}.json" if linked else "views.json")


def are_as_written(history: History, written: Mapping[str, Collection[str]]) -> bool:
    """Say whether each view is there as clawgit wrote it; one that git tracks is somebody's file."""
    tree = history.tip().tree
    try:
        return not any(
            tree.entry(path) is not None or change_of(history, path, digests)
            for path, digests in written.items()
        )
    except ClawgitError:  # something that is no file is in its place
        return False


def put_views(
    history: History, files: Mapping[str, bytes], ours: Mapping[str, Collection[str]], now: datetime
) -> tuple[Finding, ...]:
    """Make each path of ``ours`` read as in ``files``, or go; return what was found in the way.

    ``ours``: path → digests of what clawgit wrote there. Other bytes are an edit and go to quarantine first.
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
    """Return what became of a view since clawgit wrote it: "is missing", "was edited", or nothing."""
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
