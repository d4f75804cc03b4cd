"""Three-way merge of one file in memory: nothing is lost, no marker is written."""

from __future__ import annotations

import pygit2

from clawgit.history.trees import FILE

_NAME = "file"


def merge_text(repo: pygit2.Repository, base: bytes | None, ours: bytes, theirs: bytes) -> bytes:
    """Return ``ours`` with what ``theirs`` changed against ``base``; where both changed a line, both stay.

    Bytes that git takes for binary cannot be merged: ``theirs`` is returned.
    """
    if ours == theirs or theirs == base:
        return ours
    if ours == base:
        return theirs
    ancestor, one, other = (_tree(repo, data) for data in (base, ours, theirs))
    merged = repo.merge_trees(ancestor, one, other, favor=pygit2.enums.MergeFavor.UNION)
    if merged.conflicts is not None or _NAME not in merged:
        return theirs
    blob = repo[merged[_NAME].id]
    return blob.data if isinstance(blob, pygit2.Blob) else theirs


def _tree(repo: pygit2.Repository, data: bytes | None) -> pygit2.Oid:
    builder = repo.TreeBuilder()
    if data is not None:
        builder.insert(_NAME, repo.create_blob(data), pygit2.enums.FileMode(FILE))
    return builder.write()
