"""What enhanced mode lacks in a workspace: for `doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, Complaint
from clawgit.recall.vector_search import UnreadableQuestionError
from clawgit.recall.vectors.embed_texts import PROBES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.recall.vector_search import Vectors

CHECK = "vectors"
SAMPLE = 500


def missing_for_vectors(vectors: Vectors) -> Iterator[Complaint]:
    """Yield what keeps a workspace in enhanced mode from answering with vectors."""
    try:
        asked, found = vectors.check(SAMPLE)  # first: Chroma may be back since somebody asked last
        trouble = _trouble(vectors)
    except ClawgitError as error:
        yield Complaint(CHECK, f"Searches use keywords alone: {error.message}", error.hint)
        return
    if trouble:
        yield Complaint(
            CHECK, trouble, "Answers are as good, only slower; `clawgit memory index` tries again."
        )
    if found < asked:
        yield Complaint(
            CHECK,
            f"Chroma has lost {asked - found} of {asked} vectors.",
            "The next search notices and puts them back.",
        )


def _trouble(vectors: Vectors) -> str:
    """Ask a question as a search would, and return what is wrong with Chroma; that the model cannot read it is not wrong."""
    try:
        return vectors.near(PROBES[0], (), past=False)[1].reason
    except UnreadableQuestionError:
        return str(vectors.status()["trouble"])
