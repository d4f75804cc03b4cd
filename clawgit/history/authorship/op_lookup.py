"""Which change an op became (the same op is applied at most once), and which commits clawgit made here itself.

ops.json says which commits say which op, up to the tips that were read. It is a cache: thrown away, it comes back the same.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import is_as_written
from clawgit.history.authorship.commit_messages import all_read
from clawgit.history.authorship.intent import INIT_OP
from clawgit.history.git.giving_way import OWN
from clawgit.history.git.refs import BRANCHES, PAST
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History

CACHE = "ops.json"
MOST_UNKEPT = 32  # commits that each process reads again rather than write the cache for them
_OP_LINE = lazy_pattern(r"(?m)^Clawgit-Op: (.+)$")
KEEP_OP = "keep-"
FIRST_MOVES_OP = "first-rearrangement-"  # of the operator's yes to what an agent moves for the first time
FIRST_MOVES_FILE = "first-rearrangements.json"  # beside the history: what waits for that yes
RESERVED = (KEEP_OP, INIT_OP, FIRST_MOVES_OP)
OP = "Clawgit-Op"
MOST_KEPT = 2000
MOST_LOOKED_AT = 64
_LINE = 41


def commits_saying(history: History, op: str, tips: frozenset[str]) -> list[str]:
    """Return the commits that ``tips`` reach and that say ``op``; an opened history reads each commit once."""
    memo = history.op_memo
    if not memo.is_opened:
        _open(history)
    _read_up_to(history, tips)
    if memo.unkept >= MOST_UNKEPT:
        _keep(history, tips)
    return memo.saying.get(op, [])


def _read_up_to(history: History, tips: frozenset[str]) -> None:
    memo, met = history.op_memo, set(tips)
    new = tips - memo.read
    for commit in history.objects.walk(sorted(new), hide=memo.read) if new else ():
        memo.read.add(commit.commit_id)
        memo.unkept += 1
        met.update(commit.parent_ids)
        for op in _OP_LINE.findall(commit.message):
            memo.saying.setdefault(op, []).append(commit.commit_id)
    is_proven, memo.unproven = memo.unproven <= met, frozenset()
    if not is_proven:  # nothing may reach what the cache knows, since a branch was deleted
        memo.read.clear()
        memo.saying.clear()
        _read_up_to(history, tips)


def _open(history: History) -> None:
    memo = history.op_memo
    memo.is_opened = True
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        kept = json.loads((history.state / CACHE).read_bytes())
        saying = {str(op): [str(name) for name in names] for op, names in kept["ops"].items()}
        memo.unproven = frozenset(map(str, kept["tips"]))
        memo.read, memo.saying = set(memo.unproven), saying


def _keep(history: History, tips: frozenset[str]) -> None:
    """Write the cache; where there is no room for it, the next process reads the same again."""
    memo = history.op_memo
    memo.unkept = 0
    said = json.dumps({"tips": sorted(tips), "ops": memo.saying}, ensure_ascii=False)
    with suppress(OSError):
        write_file(history.state, CACHE, FileContent(said.encode()), fsync=False)


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


def note_own(history: History, commit_id: str) -> None:
    """Note a commit that was just made; callers hold the workspace lock. Where there is no room, nothing is noted."""
    with suppress(OSError):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        handle = os.open(history.state / OWN, flags, 0o600)
        try:
            os.write(handle, f"{commit_id}\n".encode())
            size = os.fstat(handle).st_size
        finally:
            os.close(handle)
        if size > 2 * MOST_KEPT * _LINE:
            latest = (history.state / OWN).read_bytes()[-MOST_KEPT * _LINE :]
            write_file(history.state, OWN, FileContent(latest), fsync=False)


def own_commits(history: History) -> frozenset[str]:
    """Return the commits that were noted last."""
    with suppress(OSError):
        return frozenset((history.state / OWN).read_text("ascii", "replace").split())
    return frozenset()


def count_own(history: History) -> int:
    """Return how many commits are noted, without reading them."""
    with suppress(OSError):
        return (history.state / OWN).stat().st_size // _LINE
    return 0


def replaced_by_own(history: History, path: str) -> frozenset[str]:
    """Return the versions of ``path``, as ids, that the changes which clawgit made last, one upon another, replaced."""
    own = own_commits(history)
    latest = history.objects.first_parents(history.tip().commit_id)
    found = set()
    for commit in takewhile(lambda commit: commit.commit_id in own, islice(latest, MOST_LOOKED_AT)):
        before = history.tree_of(next(iter(commit.parent_ids), None)).entry(path)
        if before is not None:
            found.add(before.object_id)
    return frozenset(found)
