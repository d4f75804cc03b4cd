"""What may change in the soul without the operator's yes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from clawgit.identity.additions import additions_only, is_addition

__all__ = ["SoulPolicy", "Verdict", "additions_only", "is_addition", "judge_host_edit"]


class SoulPolicy(Enum):
    """The setting `soul_policy`."""

    EVOLVE = "evolve"
    REVIEW = "review"
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of an edit: the bytes that stay (None: no file), and whether its author has to be told.

    ``proposed``: the edit waits for the operator. ``restored``: the file is put back, wholly or in part.
    """

    kept: bytes | None
    proposed: bool
    restored: bool


def judge_host_edit(policy: SoulPolicy, old: bytes | None, new: bytes | None) -> Verdict:
    """Return what stays of a host's edit of one file; ``old`` or ``new`` is None where there is no file.

    A file that is new under *evolve* stays; one that was deleted comes back and the deletion is proposed.
    """
    if old == new:
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
