"""What the disk or libgit2 said, as a sentence."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.git import libgit2 as pygit2
from clawgit.workspace.safe_files import NEARLY_FULL, free_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


class StorageError(ClawgitError):
    """The disk did not take what was written; the history is as before."""


@contextmanager
def told_truly(made: Sequence[str]) -> Iterator[None]:
    """Let no error say that nothing was changed once ``made`` names a commit."""
    try:
        yield
    except ClawgitError as error:
        if made:
            names = ", ".join(commit_id[:12] for commit_id in made)
            stands = f"; what was committed before that stays ({names})"
            error.message = error.message.replace(", so nothing was changed", stands)
            error.hint = error.hint.replace("; nothing was changed", "")
        raise


@contextmanager
def storage_errors(folder: Path) -> Iterator[None]:
    """Translate what the disk below ``folder`` or libgit2 says in the meantime."""
    try:
        yield
    except (OSError, pygit2.GitError) as error:
        raise _storage_error(folder, error) from error


def _storage_error(folder: Path, error: OSError | pygit2.GitError) -> StorageError:
    if (isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)) or free_bytes(
        folder
    ) < NEARLY_FULL:
        return StorageError(
            "The disk is full, so nothing was changed.", hint="Free some space and try again."
        )
    if isinstance(error, OSError) and error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return StorageError(
            f"The workspace cannot be written to ({error.strerror}), so nothing was changed.",
            hint="Check who owns the folder and its permissions.",
        )
    return StorageError(
        f"Writing failed ({str(error).rstrip('.')}), so nothing was changed.", hint="Try again."
    )


def unusable_repository(text: str) -> tuple[str, str]:
    """Return why libgit2 does not open a repository, of what it said, and the way out."""
    if "object format" in text or "objectformat" in text:
        return "it names its objects with SHA-256", "clawgit needs a SHA-1 repository."
    if "refstorage" in text:
        return "it keeps its references in a reftable", "`git refs migrate --ref-format=files` changes that."
    if "owned by" in text:
        way_out = (
            "Take it over with `chown`, or allow it with `git config --global --add safe.directory FOLDER`."
        )
        return "it belongs to another user of this machine", way_out
    return text.rstrip("."), "`git status` in that folder may say more."
