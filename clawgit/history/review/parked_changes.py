"""A change that was parked, as a proposal or in quarantine, laid over what came since."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.plan import Evidence
from clawgit.text.markdown.merge_lines import weave

if TYPE_CHECKING:
    from clawgit.history.git.objects import Commit

_EVIDENCE = re.compile(r'(\S+)(?: "(.*)")?', re.DOTALL)
_OWN = ("Clawgit-Op", "Clawgit-Actor", "Clawgit-Trust", "Clawgit-Run", "Clawgit-Slot", "Clawgit-Override")


class OverlaidError(ValueError):
    """Later changes touch the same lines."""


def laid_over(base: bytes | None, present: bytes | None, wanted: bytes | None) -> bytes | None:
    """Return ``present`` with what ``wanted`` changed of ``base``; None is no file.

    Raises:
        OverlaidError: Later changes touch the same lines.
    """
    if present == base or wanted == present:
        return wanted
    woven = None if present is None or wanted is None else weave(base, present, wanted)
    if woven is None or woven.conflicts:
        raise OverlaidError
    return woven.data


def evidence_of(commit: Commit) -> tuple[Evidence, ...]:
    """Return what the parked change rests on."""
    read = (_EVIDENCE.fullmatch(value) for value in commit.trailers.all("Clawgit-Evidence"))
    return tuple(Evidence(match[1], match[2] or "") for match in read if match is not None)


def other_trailers(commit: Commit) -> tuple[tuple[str, str], ...]:
    """Return what else it says of itself; who makes it, when and why is said by the commit that does."""
    left_out = (*_OWN, "Clawgit-Evidence", "Clawgit-Loss")
    return tuple((key, value) for key, value in commit.trailers.pairs if key not in left_out)
