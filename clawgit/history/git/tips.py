"""The last tip of each branch that clawgit saw, so that a history that was rewritten is noticed and pinned."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.git.reflogs import note_logs, read_logs
from clawgit.history.git.refs import PAST, pin
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.rewritten_record import rewrite_record

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

_ID = lazy_pattern("[0-9a-f]{40}")


def remembered_tips(history: History) -> dict[str, str]:
    """Return branch → tip as clawgit saw them last."""
    with suppress(OSError, ValueError):
        found = json.loads((history.state / "tips.json").read_text("utf-8"))
        if isinstance(found, dict):
            return {str(branch): tip for branch, tip in found.items() if _ID.fullmatch(str(tip))}
    return {}


def _write(history: History, tips: dict[str, str]) -> None:
    rewrite_record(history.state, "tips.json", json.dumps(tips).encode())


def remember_tip(history: History, branch: str, commit_id: str) -> None:
    """Note that ``branch`` is at ``commit_id``; git's own log keeps that commit meanwhile."""
    tips = remembered_tips(history)
    if tips.get(branch) != commit_id:
        _write(history, tips | {branch: commit_id})


def pin_lost_tips(history: History) -> list[str]:
    """Pin every remembered tip that its branch no longer contains, and remember the present ones instead.

    So is every tip that was made and left since git's logs were read last.
    Returns the references made: a reset, a rebase, an amend or a deleted branch happened.
    """
    tips = remembered_tips(history)
    now = dict(tips)
    pinned = []
    for branch, commit_id in tips.items():
        tip = history.target(branch)
        if tip == commit_id:
            continue
        if not _still_there(history, tip, commit_id):
            pinned.append(pin(history, PAST, commit_id))
        if tip is None:
            del now[branch]
        else:
            now[branch] = tip
    if now != tips:
        _write(history, now)
    logs = read_logs(history)
    pinned += [pin(history, PAST, commit_id) for commit_id in logs.left]
    note_logs(history, logs.noted)
    return pinned


def _still_there(history: History, tip: str | None, commit_id: str) -> bool:
    """Say whether nothing needs to be pinned: ``tip`` has the commit, or nobody has it any more."""
    try:
        history.objects.commit(commit_id)
    except DamagedObjectError:
        return True
    return history.objects.contains(tip, commit_id)
