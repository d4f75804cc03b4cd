"""What the operator trusts a repository to run, by its digest: kept outside every workspace, like the trusted settings."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.workspace.user.user_file import (
    UserFileError,
    changing_user_file,
    read_user_file,
    write_user_file,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

KNOWN = "repositories.json"


def read_known(folder: Path, repository: Path) -> frozenset[str]:
    """Return the digests that are trusted for the git folder ``repository``; a store that others can write has none.

    All working trees of a repository share its hooks and settings, and so what is trusted of them.
    """
    with suppress(UserFileError, TypeError):
        said = read_user_file(folder / KNOWN) or {}
        return frozenset(map(str, said.get(_key(repository), ())))
    return frozenset()


def trust_known(folder: Path, repository: Path, digests: Iterable[str]) -> None:
    """Trust exactly ``digests`` from now on."""
    path, said = folder / KNOWN, {}
    with changing_user_file(path):
        with suppress(UserFileError):
            said = read_user_file(path) or {}
        write_user_file(path, {**said, _key(repository): sorted(digests)})


def _key(repository: Path) -> str:
    return os.fspath(repository.resolve())
