"""Which change an op became (the same op is applied at most once), and which commits clawgit made here itself."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import is_as_written
from clawgit.history.authorship.commit_messages import all_read
from clawgit.history.authorship.intent import INIT_OP
from clawgit.history.authorship.vouching import named_by_git
from clawgit.history.git.giving_way import OWN
from clawgit.history.git.refs import BRANCHES, PAST
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History

KEEP_OP = "keep-"
FIRST_MOVES_OP = "first-rearrangement-"  # of the operator's yes to what an agent moves for the first time
FIRST_MOVES_FILE = "first-rearrangements.json"  # beside the history: what waits for that yes
RESERVED = (KEEP_OP, INIT_OP, FIRST_MOVES_OP)
OP = "Clawgit-Op"
MOST_KEPT = 2000
MOST_LOOKED_AT = 64
_LINE = 41


def new_op(kind: str = "op") -> str:
    return f"{kind}-{os.urandom(10).hex()}"


def refuse_reserved(intent: Intent) -> None:
    if intent.given and intent.op.startswith(RESERVED):
        raise ClawgitError(
            f"The op {intent.op} begins like one of clawgit's own.",
            hint=f"Choose one that does not begin with {' or '.join(RESERVED)}.",
        )


def find_op(history: History, op: str) -> str | None:
    """Return the commit that made ``op``, among all that branches and pinned tips reach; None if nobody made it.

    Only a commit as clawgit writes it counts: a message can be copied or made up. What a person rebased or
    squashed is found where its first form is pinned.
    """
    tips = {*history.refs(BRANCHES).values(), *history.refs(PAST).values()}
    if not tips:
        return None
    asked = ("log", "--format=%H", "--fixed-strings", f"--grep={OP}: {op}", *sorted(tips), "--")
    for name in named_by_git(history, *asked):
        commit = history.objects.commit(name)
        is_its = commit.trailers.first(OP) == op and is_as_written(commit)
        if is_its and all_read(history.repo, name, OP, op):
            return name
    return None


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
    with suppress(OSError):
        return frozenset((history.state / OWN).read_text("ascii", "replace").split())
    return frozenset()


def count_own(history: History) -> int:
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
