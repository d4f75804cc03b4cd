"""What the operator trusts a repository to run, by its digest: kept outside every workspace, like the trusted settings."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.workspace.files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

KNOWN = "repositories.json"


def read_known(folder: Path, root: Path) -> frozenset[str]:
    """Return the digests that are trusted for the workspace at ``root``; a store that others can write has none."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        path = folder / KNOWN
        if not path.stat().st_mode & 0o022:
            said = json.loads(path.read_text("utf-8", "surrogateescape"))
            return frozenset(map(str, said.get(_key(root), ())))
    return frozenset()


def trust_known(folder: Path, root: Path, digests: Iterable[str]) -> None:
    """Trust exactly ``digests`` from now on."""
    said: dict[str, list[str]] = {}
    with suppress(OSError, ValueError, TypeError):
        said = dict(json.loads((folder / KNOWN).read_text("utf-8", "surrogateescape")))
    said[_key(root)] = sorted(digests)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_file(folder, KNOWN, FileContent(json.dumps(said, indent=1).encode()))


def _key(root: Path) -> str:
    return os.fspath(root.resolve())
