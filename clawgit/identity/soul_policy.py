"""What may change in the soul without the operator's yes."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from clawgit.identity.additions import additions_only, is_addition
from clawgit.text.words.token_pieces import count_pieces

__all__ = [
    "SoulPolicy",
    "Verdict",
    "additions_only",
    "is_addition",
    "is_small_addition",
    "judge_host_edit",
    "over_budget",
]

SMALL_TOKENS = 120  # what one change of a worker's may add to a file of the soul: a principle or two


class SoulPolicy(Enum):
    """The setting `soul_policy`."""

    EVOLVE = "evolve"
    REVIEW = "review"
    LOCKED = "locked"


class Verdict(NamedTuple):
    """What becomes of an edit: the bytes that stay (None: no file), and whether its author has to be told.

    ``proposed``: the edit waits for the operator. ``restored``: the file is put back, wholly or in part.
    """

    kept: bytes | None
    proposed: bool
    restored: bool


def judge_host_edit(
    policy: SoulPolicy, old: bytes | None, new: bytes | None, *, is_standing: bool = False
) -> Verdict:
    """Return what stays of a host's edit of one file; ``old`` or ``new`` is None where there is no file.

    Under *evolve* a host keeps up the standing files as it sees fit. Of the soul a file that is new stays; one that was
    deleted comes back and the deletion is proposed.
    """
    if old == new or (is_standing and policy is SoulPolicy.EVOLVE):
        return Verdict(new, proposed=False, restored=False)
    if policy is SoulPolicy.EVOLVE:
        return _evolved(old, new)
    return Verdict(old, proposed=policy is SoulPolicy.REVIEW, restored=True)


def _evolved(old: bytes | None, new: bytes | None) -> Verdict:
    if old is None:
        return Verdict(new, proposed=False, restored=False)
    if new is None:
        return Verdict(old, proposed=True, restored=True)
    if is_addition(old, new):
        return Verdict(new, proposed=False, restored=False)
    return Verdict(additions_only(old, new), proposed=True, restored=True)


def is_small_addition(old: bytes, new: bytes) -> bool:
    """Say whether ``new`` only adds to ``old``, and not much: what may grow by itself, one step at a time."""
    return is_addition(old, new) and _tokens(new) - _tokens(old) <= SMALL_TOKENS


def over_budget(old: bytes | None, new: bytes | None, limit: int) -> int:
    """Return the tokens of ``new`` if they are more than ``limit`` and more than ``old`` had, else 0."""
    tokens = 0 if new is None else _tokens(new)
    return tokens if tokens > limit and tokens > _tokens(old or b"") else 0


def _tokens(data: bytes) -> int:
    return count_pieces(data.decode("utf-8", "replace"))
