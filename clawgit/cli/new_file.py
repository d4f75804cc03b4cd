"""Files that a command writes where it is told to: never over another, nor among the memories."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.memory.entries.tiers import tier_of
from clawgit.workspace.find_workspace import workspace_above

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """Make a file that only its owner reads, whole or not at all."""
    place = path.resolve()
    root = workspace_above(str(place.parent))
    if root and tier_of(place.relative_to(Path(root).resolve()).as_posix()) is not None:
        raise ClawgitError(
            f"{path} would be a file of memories in {root}, so it was not made.",
            hint="Name a file elsewhere.",
        )
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError as error:
        raise ClawgitError(f"{path} exists, so it was left alone.", hint="Give another name.") from error
    whole = False
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            yield file
        whole = True
    except OSError as error:
        raise ClawgitError(
            f"{path} cannot be written ({error.strerror}), so it was not made.",
            hint="Give a place that has room.",
        ) from error
    finally:
        if not whole:
            path.unlink(missing_ok=True)
