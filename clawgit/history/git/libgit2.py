"""libgit2's binding, loaded when something of it is first used: that takes four times as long as starting Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygit2 import (
        Commit,
        GitError,
        Index,
        IndexEntry,
        Odb,
        Oid,
        Refdb,
        Repository,
        Signature,
        Tag,
        enums,
        hash,
        init_repository,
        reference_is_valid_name,
    )
    from pygit2.settings import Settings

    settings: Settings
else:

    def __getattr__(name: str) -> object:
        import pygit2

        found = getattr(pygit2, name)
        globals()[name] = found
        return found


__all__ = [
    "Commit",
    "GitError",
    "Index",
    "IndexEntry",
    "Odb",
    "Oid",
    "Refdb",
    "Repository",
    "Signature",
    "Tag",
    "enums",
    "hash",
    "init_repository",
    "reference_is_valid_name",
    "settings",
]
