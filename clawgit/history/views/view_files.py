"""Putting rendered views into the folder, over nothing that somebody else wrote there."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

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
    write_file,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from clawgit.history.git.repository import History

RULE = "derived-file"
MAX_VIEW_BYTES = 64 * 1024 * 1024


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
