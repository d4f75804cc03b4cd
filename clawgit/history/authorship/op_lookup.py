"""Which change an op became: the same op is applied at most once."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import is_as_written
from clawgit.history.authorship.bootstrap_ritual import INIT_OP
from clawgit.history.authorship.commit_messages import all_read
from clawgit.history.git.refs import BRANCHES, PAST
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History

KEEP_OP = "keep-"
RESERVED = (KEEP_OP, INIT_OP)
OP = "Clawgit-Op"
_OP_LINE = lazy_pattern(r"^Clawgit-Op: (.+)$", re.MULTILINE)


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
    squashed is found where its first form is pinned. Each commit is read once for an opened history.
    """
    memo = history.op_memo
    tips = [*history.refs(BRANCHES).values(), *history.refs(PAST).values()]
    new = [tip for tip in tips if tip not in memo.read]
    for commit in history.objects.walk(new, hide=memo.read) if new else ():
        memo.read.add(commit.commit_id)
        for said in _OP_LINE.findall(commit.message):
            memo.saying.setdefault(said, []).append(commit.commit_id)
    return next((name for name in memo.saying.get(op, ()) if _is_made(history, name, op)), None)


def _is_made(history: History, commit_id: str, op: str) -> bool:
    commit = history.objects.commit(commit_id)
    if commit.trailers.first(OP) != op or not is_as_written(commit):
        return False
    return all_read(history.repo, commit_id, OP, op)
