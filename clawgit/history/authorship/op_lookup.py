"""Which change an op became: the same op is applied at most once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import is_as_written
from clawgit.history.authorship.bootstrap_ritual import INIT_OP
from clawgit.history.authorship.commit_messages import all_read
from clawgit.history.authorship.known_ops import commits_saying
from clawgit.history.git.refs import BRANCHES, PAST

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History

KEEP_OP = "keep-"
RESERVED = (KEEP_OP, INIT_OP)
OP = "Clawgit-Op"


def new_op(kind: str = "op") -> str:
    """Return an op id that nobody has used."""
    return f"{kind}-{os.urandom(10).hex()}"


class OpError(ClawgitError):
    """An op that the caller chose cannot be used."""


def refuse_reserved(intent: Intent) -> None:
    """Refuse a chosen op that would pass for one of clawgit's own kinds."""
    if intent.given and intent.op.startswith(RESERVED):
        raise OpError(
            f"The op {intent.op} begins like one of clawgit's own.",
            hint=f"Choose one that does not begin with {' or '.join(RESERVED)}.",
        )


def find_op(history: History, op: str) -> str | None:
    """Return the commit that made ``op``, among all that branches and pinned tips reach; None if nobody made it.

    Only a commit as clawgit writes it counts: a message can be copied or made up. What a person rebased or
    squashed is found where its first form is pinned.
    """
    tips = (*history.refs(BRANCHES).values(), *history.refs(PAST).values())
    saying = commits_saying(history, op, frozenset(tips))
    return next((name for name in saying if _is_made(history, name, op)), None)


def _is_made(history: History, commit_id: str, op: str) -> bool:
    commit = history.objects.commit(commit_id)
    if commit.trailers.first(OP) != op or not is_as_written(commit):
        return False
    return all_read(history.repo, commit_id, OP, op)
