"""Whose a text is that stands in a file: words of a change that left the history are still that change's."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from clawgit.history.git.refs import PAST, RESCUE
from clawgit.history.transaction.drafts import entry_of

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.history.review.working_tree_edits import WorkEdit

LOOKED_AT = 500


def earlier_author(history: History, edit: WorkEdit) -> str | None:
    """Return the actor of the unreachable change that wrote exactly these bytes to this path, if any.

    Looks at the newest commits that only pinned references (reset, rebased or rescued work) still reach.
    """
    wanted = entry_of(edit.content)
    pinned = [*history.refs(PAST).values(), *history.refs(RESCUE).values()]
    if wanted is None or not pinned:
        return None
    for commit in islice(history.objects.walk(pinned), LOOKED_AT):
        actor = commit.trailers.first("Clawgit-Actor")
        if actor is None:
            continue
        if history.tree_of(commit.commit_id).entry(edit.path) != wanted:
            continue
        before = history.tree_of(commit.parent_ids[0] if commit.parent_ids else None)
        if before.entry(edit.path) != wanted:
            return actor
    return None
