"""Paths as a shell completes them; and new files that users name."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from clawgit.errors import ClawgitError, UsageError
from clawgit.memory.entries.tiers import tier_of
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import ENDINGS
from clawgit.workspace.find_workspace import with_home, workspace_above

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMIT = lazy_pattern("[0-9a-f]{7,40}")
_LINE = lazy_pattern(r"(.+):(\d+)", re.ASCII)


def line_named(root: Path, target: str) -> tuple[str, int] | None:
    match = _LINE.fullmatch(target.strip())
    if match is None or "\n" in target:
        return None
    path, number = match[1], int(match[2])
    if path.endswith(ENDINGS):
        return path, number
    if any(os.path.isfile(base / path) for base in _bases(root)):  # noqa: PTH113 - words can be too long for a name
        sentence = f"{path} is no text whose lines can be named: .md, .markdown or .txt. Nothing was changed."
        raise ClawgitError(sentence, hint="Edit the file yourself, then `clawgit keep --as operator`.")
    return None


def looks_like_commit(target: str) -> bool:
    return _COMMIT.fullmatch(target) is not None


def user_path(named: str) -> Path:
    """Return a path, relative to the current folder, as absolute; `~` is the home folder."""
    path = with_home(named)
    if path.startswith("~"):
        sentence = f"{named.partition('/')[0]} is no user here."
        raise UsageError(sentence, hint=f"Write ./{named} for a file of that name.")
    return Path(path).absolute()


def workspace_path(root: Path, named: str) -> str:
    """Return ``named``, relative to the current folder or to the workspace, as a path of the workspace.

    If neither exists, the workspace's is meant, unless that is outside.
    """
    places = [path for base in _bases(root) if (path := _inside(root, base / named)) is not None]
    if not places:
        raise ClawgitError(f"{named} is not in the workspace {root}.", hint="Name a file below it.")
    return next((path for path in places if (root / path).exists()), places[-1])


def _bases(root: Path) -> Iterator[Path]:
    with suppress(FileNotFoundError):  # a shell can be in a folder that was removed
        yield Path.cwd()
    yield root


def _inside(root: Path, place: Path) -> str | None:
    """Return ``place`` relative to ``root``, links followed; None if it is not below it."""
    for base, path in ((root, Path(os.path.normpath(place))), (root.resolve(), place.resolve())):
        if path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    return None


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """Make a file that only its owner reads, whole or not at all."""
    place = path.resolve()
    root = workspace_above(str(place.parent))
    if root and tier_of(place.relative_to(Path(root).resolve()).as_posix()) is not None:
        sentence = f"{path} would be a file of memories in {root}, so it was not made."
        raise ClawgitError(sentence, hint="Name a file elsewhere.")
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
        sentence = f"{path} cannot be written ({error.strerror}), so it was not made."
        raise ClawgitError(sentence, hint="Give a place that has room.") from error
    finally:
        if not whole:
            path.unlink(missing_ok=True)
