"""What enhanced mode lacks in a workspace: for `doctor`."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.checkup.complaint import Complaint
from clawgit.recall.vectors.making import PROBES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.recall.enhanced import Vectors

CHECK = "vectors"
SAMPLE = 500


def missing_for_vectors(vectors: Vectors) -> Iterator[Complaint]:
    """Yield what keeps a workspace in enhanced mode from answering with vectors."""
    try:
        _, by = vectors.near(PROBES[0], (), past=False)
        asked, found = vectors.check(SAMPLE)
    except ClawgitError as error:
        yield Complaint(CHECK, f"Searches use keywords alone: {error.message}", error.hint)
        return
    except (OSError, sqlite3.Error) as error:
        yield Complaint(CHECK, f"Searches use keywords alone: {error}.", "")
        return
    if by.reason:
        yield Complaint(
            CHECK, by.reason, "Answers are as good, only slower; `clawgit memory index` tries again."
        )
    if found < asked:
        yield Complaint(
            CHECK,
            f"Chroma has lost {asked - found} of {asked} vectors.",
            "The next search notices and puts them back.",
        )
