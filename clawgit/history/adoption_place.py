"""Where a workspace can be: looked at before the first byte is written."""

from __future__ import annotations

import os
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.workspace.layout import DIRECTORIES, MANIFEST


class PlaceError(ClawgitError):
    """There can be no workspace here as things stand."""


def check_adoption_place(root: Path) -> None:
    """Refuse what is no folder for a workspace: a file, a home, another workspace's inside, a bare repository.

    Raises:
        PlaceError: With what stands in the way; nothing was changed.
    """
    if os.path.lexists(root) and not root.is_dir():
        raise PlaceError(f"{root} is not a folder.", hint="Give a folder, or a name for a new one.")
    place = root.resolve()
    whole = {Path.home().resolve(): "your home folder", Path(place.anchor): "the whole disk"}
    if place in whole:
        raise PlaceError(
            f"{root} is {whole[place]}. A workspace needs a folder of its own.",
            hint="Name one: `clawgit init ~/agent`.",
        )
    if place.name == "memory" and any((place.parent / name).is_file() for name in ("SOUL.md", "MEMORY.md")):
        raise PlaceError(
            f"{root} belongs to the agent's folder {place.parent}.", hint=f"`clawgit init {place.parent}`."
        )
    if not (root / ".git").exists() and (root / "HEAD").is_file() and (root / "objects").is_dir():
        raise PlaceError(
            f"{root} is a bare repository, without a folder of files.",
            hint="Clone it and use the clone as the workspace.",
        )
    for above in place.parents:
        if (above / ".git" / "clawgit" / "format").is_file():
            raise PlaceError(f"{root} is inside the workspace {above}.", hint="Choose another place.")
    _check_folders(root)


def _check_folders(root: Path) -> None:
    """Refuse a link or a file where the layout has a folder."""
    folders = {Path(name) for name in DIRECTORIES} | {Path(entry.path).parent for entry in MANIFEST}
    needed = {part for folder in folders for part in (folder, *folder.parents) if part != Path()}
    for folder in sorted(needed):
        place = root / folder
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise PlaceError(
                f"{place} is not a folder of its own, and a workspace needs one there.",
                hint="Move it away, or put a plain folder in its place.",
            )


def outer_repository(root: Path) -> Path | None:
    """Return the repository in whose folder ``root`` lies, if there is one."""
    return next((above for above in root.resolve().parents if (above / ".git").exists()), None)
