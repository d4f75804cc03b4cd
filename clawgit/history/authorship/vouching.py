"""Who made a commit while a host is connected: only one that a hook of ours, or clawgit itself, vouched for is what it says.

`connect` and `disconnect` record both moments as commits. A commit between the two has to carry a word (`Clawgit-Vouched`)
that fits its files and its parent, so an amend, a pick or a rebase does not take it along. All of that is read from
history; `vouching.json` is a cache beside it.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import (
    CONNECTED_NOTE,
    VOUCHING,
    VOUCHING_FORMAT,
    Authorship,
    Connected,
)
from clawgit.history.git.reflogs import remembered_tips
from clawgit.history.git.refs import PAST
from clawgit.workspace.safe_files import is_shared

if TYPE_CHECKING:
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

MINE = "mine"


def authorship(history: History) -> Authorship:
    """Return who made the commits of this branch, and of what was left out of it.

    Where commits are damaged or lost, what was read before holds.
    """
    known = _read(history)
    try:
        tips = tuple(sorted(fold_tips(history)))
    except ClawgitError:
        return known or Authorship()
    if known is not None and known.tips == tips:
        return known
    from clawgit.history.authorship.vouching_renewal import renewed

    try:
        return renewed(history, known, tips)
    except ClawgitError:
        return known or Authorship(tips)


def fold_tips(history: History) -> frozenset[str]:
    """Return where reading of history starts: the branch, what was left out of it, and what may be left out by now."""
    found = [history.tip().commit_id, *history.refs(PAST).values(), *remembered_tips(history).values()]
    return frozenset(name for name in found if name is not None)


def actor_in(history: History, commit: Commit) -> str:
    """Return who made one commit."""
    return authorship(history).actor(commit)


def connected_hosts(history: History) -> tuple[str, ...]:
    """Return the hosts that are connected, none where the history cannot be read."""
    try:
        return authorship(history).hosts
    except ClawgitError:
        return ()


def edits_are_his(history: History) -> bool:
    """Say whether `edits_here` makes edits in the folder the operator's: no host is connected, and no other account writes here."""
    if history.settings.edits_here != MINE or is_shared(history.root.stat()):
        return False
    return not (history.state / CONNECTED_NOTE).exists() and not connected_hosts(history)


def _read(history: History) -> Authorship | None:
    """Return what was read last, None where that cannot be believed."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        with open(os.path.join(history.state, VOUCHING), encoding="utf-8") as file:  # noqa: PTH118, PTH123 - on every start
            kept = json.load(file)
        if kept["format"] != VOUCHING_FORMAT:
            return None
        times = tuple(
            Connected(host, since, tuple(before), until, tuple(beside))
            for host, since, before, until, beside in kept["times"]
        )
        return Authorship(tuple(kept["tips"]), times, frozenset(kept["unvouched"]))
    return None
