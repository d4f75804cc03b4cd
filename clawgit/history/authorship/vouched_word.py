"""The word by which a commit is vouched for. Apart and without imports: git's hooks write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawgit.history.git.objects import Commit

VOUCHED = "Clawgit-Vouched"
CONNECTED_NOTE = "connected"  # a file beside the history, for the hooks: a host is connected
_LENGTH = 20
_NO_FILES = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def vouched_word(parent_id: str | None, tree_id: str | None) -> str:
    """Return the word that fits a commit with these files upon this (first) parent, and no other."""
    from hashlib import sha256

    return sha256(f"{parent_id or ''} {tree_id or _NO_FILES}".encode()).hexdigest()[:_LENGTH]


def is_vouched(commit: Commit) -> bool:
    """Say whether a commit carries the word that fits it."""
    word = commit.trailers.first(VOUCHED) if VOUCHED in commit.message else None
    return word == vouched_word(next(iter(commit.parent_ids), None), commit.tree_id)
