"""Whose an op is: the change that had it first, told once or many times; anybody can type it into another commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from clawgit.history.reading.git_log import LoggedChange


def owned_ops(changes: Iterable[LoggedChange], did: Callable[[LoggedChange], Hashable]) -> dict[str, str]:
    """Return commit → op, for every commit that tells of the change which has the op.

    That is the first one by its committer's date (one that is as it was made before one that was rebased), and
    those that say and did the same under the same author's name and date, as a rebase or a pick leaves them.
    All other commits with that op are outside of clawgit.
    """
    groups: dict[str, list[LoggedChange]] = {}
    for change in changes:
        if change.op is not None:
            groups.setdefault(change.op, []).append(change)
    owned: dict[str, str] = {}
    for op, group in groups.items():
        owner, *others = sorted(group, key=lambda change: (not change.is_original, change.committed_at))
        same = [each for each in others if _is_told_again(each, owner) and did(each) == did(owner)]
        owned |= dict.fromkeys((each.commit_id for each in (owner, *same)), op)
    return owned


def _is_told_again(change: LoggedChange, owner: LoggedChange) -> bool:
    return (change.author, change.at, change.trailers) == (owner.author, owner.at, owner.trailers)
