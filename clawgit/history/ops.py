"""Which change an op became: the same op is applied at most once."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.refs import BRANCHES, PAST

if TYPE_CHECKING:
    from clawgit.history.intent import Intent
    from clawgit.history.repository import History

KEEP_OP = "keep-"
INIT_OP = "init-"
RESERVED = (KEEP_OP, INIT_OP)
_OP_LINE = re.compile(r"^Clawgit-Op: (.+)$", re.MULTILINE)


def new_op(kind: str = "op") -> str:
    """Return an op id that nobody has used."""
    return f"{kind}-{secrets.token_hex(10)}"


class OpError(ClawgitError):
    """An op that the caller chose cannot be used."""


def refuse_reserved(intent: Intent) -> None:
    """Refuse a chosen op that would pass for one of clawgit's own kinds."""
    if intent.given and intent.op.startswith(RESERVED):
        raise OpError(
            f"The op {intent.op} begins like one of clawgit's own.",
            hint=f"Choose one that does not begin with {' or '.join(RESERVED)}.",
        )


class OpFinder:
    """Finds an op in everything that branches and pinned tips reach; reads each commit once."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._seen: set[str] = set()
        self._commits: dict[str, str] = {}

    def find(self, op: str) -> str | None:
        """Return the commit that made ``op``, None if nobody made it."""
        tips = [*self._history.refs(BRANCHES).values(), *self._history.refs(PAST).values()]
        for commit in self._history.objects.walk(tips, hide=self._seen):
            self._seen.add(commit.commit_id)
            for candidate in _OP_LINE.findall(commit.message):
                if commit.trailers.first("Clawgit-Op") == candidate:
                    self._commits[candidate] = commit.commit_id
        return self._commits.get(op)
