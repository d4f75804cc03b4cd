"""Which commits clawgit made here itself: the guards have looked at them, knowing more than a commit tells.

Trailers say so too, but anybody can write trailers. A cache beside the history: without it such commits are
looked at once more.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from clawgit.history.git.giving_way import OWN
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

MOST_KEPT = 2000
MOST_LOOKED_AT = 64
_LINE = 41


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
