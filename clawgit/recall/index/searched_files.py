"""Which files are searched, and served: memories and archives, no links, nothing hidden, nothing of git's."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clawgit.memory.entries.tiers import (
    DREAMS,
    IDENTITY_FILES,
    RETIRED_ENTRIES,
    STANDING_FILES,
    Tier,
    date_of,
    is_derived,
    tier_of,
)
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.safe_files import A_FOLDER, MAX_PATH_BYTES, UnsafePathError, check_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Size, two times and the inode: by these a change is noticed without reading the file.
Stamp: TypeAlias = tuple[int, int, int, int]
INODE = 3

MEMORY, EXTRA = "memory", "extra"
ENDING = ".md"
_FILES = ("MEMORY.md", "memory.md", "CORRECTIONS.md", DREAMS)
_FOLDERS = ("memory", "Archive")
_CLOSED: Stamp = (0, 0, 0, 0)
_SIGNED = (1 << 63) - 1  # what SQLite can keep
_NEVER = IDENTITY_FILES | STANDING_FILES | {CONFIG}


class Served(NamedTuple):
    """Where a path that is searched and served lies: ``inner`` below ``base``, and as what it is shown."""

    path: str
    base: Path
    inner: str
    source: str


def path_meant(root: Path, told: str) -> str:
    """Return ``told`` as hits show paths: counted from the workspace's folder, where it is there."""
    inside = next((base for base in (root, root.resolve()) if told.startswith(f"{base}{os.sep}")), None)
    path = told if inside is None else told.removeprefix(f"{inside}{os.sep}").lstrip("/")
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path


def tier_found(path: str) -> Tier:
    """Return the tier of a file that is searched; extra files are dated or evergreen like memories."""
    return tier_of(path) or (Tier.T1 if date_of(path) is None else Tier.T2)


def is_searched(path: str) -> bool:
    """Say whether the workspace's own ``path`` is searched."""
    is_below = path.startswith(tuple(f"{name}/" for name in _FOLDERS)) and not path.startswith(
        RETIRED_ENTRIES
    )
    return path in _FILES or (is_below and _is_plain(path))


def served_at(root: Path, extra: Sequence[str], path: str) -> Served | None:
    """Return where ``path`` lies if it is served, which says nothing about whether it is there."""
    if is_searched(path):
        return Served(path, root, path, MEMORY)
    for base, inner in (_extra_base(root, named) for named in extra):
        shown = _shown(root, base, inner)
        if path == shown or path.startswith(f"{shown}/" if shown else ""):
            place = inner + path[len(shown) :]
            if _is_plain(place) and _may_be_extra(root, base, place):
                return Served(path, base, place, EXTRA)
    return None


def searched_files(
    root: Path, extra: Sequence[str] = (), folders: set[str] | None = None
) -> dict[str, Stamp]:
    """Return the path of every file to search that is there, with its stamp; ``folders`` gets those that were looked at.

    A folder that cannot be opened is among them, with a slash behind its name, and so is what it lists and does not show.
    """
    found: dict[str, Stamp] = {}
    inodes = set()
    folders = set() if folders is None else folders
    folders.add(f"{root}")
    for name in _FILES:
        for inner, stamp in _file(root, name):
            if stamp[INODE] not in inodes:  # where case is ignored, MEMORY.md and memory.md are one file
                inodes.add(stamp[INODE])
                found[inner] = stamp
    for name in _FOLDERS:
        tree = _tree(root, name, folders)
        found.update(each for each in tree.items() if not each[0].startswith(RETIRED_ENTRIES))
    for named in extra:
        base, inner = _extra_base(root, named)
        folders.update(f"{base}/{way}" for way in _ways(inner))
        for place, stamp in chain(_file(base, inner), _tree(base, inner, folders).items()):
            if is_closed(place) or (_is_plain(place) and _may_be_extra(root, base, place)):
                found.setdefault(_shown(root, base, place), stamp)
    return found


def bases_of(root: Path, extra: Sequence[str]) -> list[Path]:
    """Return the folders from which all of it is reached."""
    return [root, *(_extra_base(root, named)[0] for named in extra)]


def is_closed(path: str) -> bool:
    """Say whether a path found is a folder that cannot be opened."""
    return path.endswith("/")


def _extra_base(root: Path, named: str) -> tuple[Path, str]:
    place = Path(os.path.normpath(root / with_home(named)))
    if place.is_relative_to(root):
        inner = place.relative_to(root).as_posix()
        return root, "" if inner == "." else inner
    return place.parent, place.name


def _shown(root: Path, base: Path, inner: str) -> str:
    return inner if base == root else (base / inner).as_posix()


def _may_be_extra(root: Path, base: Path, inner: str) -> bool:
    """Say whether a setting can open this file: who the agent is, whom it serves and its settings stay closed."""
    return inner.rpartition("/")[2] not in _NEVER and not (base == root and is_derived(inner))


def _is_plain(path: str) -> bool:
    return (
        path.endswith(ENDING)
        and len(os.fsencode(path)) <= MAX_PATH_BYTES
        and all(map(_is_good_name, path.split("/")))
    )


@lru_cache(maxsize=4096)
def _is_good_name(part: str) -> bool:
    if part.startswith("."):
        return False
    try:
        check_path(part).encode()
    except (UnsafePathError, UnicodeEncodeError):
        return False
    return True


def _file(base: Path, inner: str) -> Iterator[tuple[str, Stamp]]:
    with suppress(OSError):
        state = os.lstat(base / inner)
        if stat.S_ISREG(state.st_mode) and _is_reached_plainly(base, inner):
            yield inner, _stamp(state)


def _tree(base: Path, inner: str, folders: set[str]) -> dict[str, Stamp]:
    """Return the Markdown files below a folder; links, hidden names and other repositories are passed by.

    ``folders`` gets what was opened.
    """
    stamps: dict[str, Stamp] = {}
    waiting = [inner] if _is_reached_plainly(base, f"{inner}/x") else []
    while waiting:
        folder = waiting.pop()
        prefix = f"{folder}/" if folder else ""
        try:
            handle = os.open(f"{base}/{folder}", A_FOLDER)
            try:
                files, below = _listed(handle, is_top=not folder)
                _stamps(handle, prefix, files, stamps)
            finally:
                os.close(handle)
        except PermissionError:
            stamps[f"{folder}/"] = _CLOSED
        except OSError:
            continue  # gone meanwhile, or a link
        else:
            folders.add(f"{base}/{folder}")
            waiting += [prefix + name for name in below]
    return stamps


def _listed(handle: int, *, is_top: bool) -> tuple[list[str], list[str]]:
    """Return the Markdown files and the folders in an open folder; none where it is another repository."""
    files: list[str] = []
    folders: list[str] = []
    with os.scandir(handle) as entries:
        for entry in entries:
            name = entry.name
            if name == ".git" and not is_top:
                return [], []
            if name.startswith(".") or not (name.isascii() or _is_named_well(name)):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(name)
            elif name.endswith(ENDING):
                files.append(name)
    return files, folders


def _stamps(handle: int, prefix: str, names: Sequence[str], found: dict[str, Stamp]) -> None:
    """Add the regular files with their stamps; one in a folder that only says its name has no stamp of its own.

    One of five years' notes after the other: what is done here for each is half of what a look at them costs.
    """
    for name in names:
        try:
            state = os.stat(name, dir_fd=handle, follow_symlinks=False)
        except PermissionError:
            found[prefix + name] = _CLOSED
        except OSError:
            continue  # gone meanwhile
        else:
            if stat.S_ISREG(state.st_mode):
                found[prefix + name] = _stamp(state)


def _is_named_well(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_reached_plainly(base: Path, inner: str) -> bool:
    try:
        return all(stat.S_ISDIR(os.lstat(base / place).st_mode) for place in _ways(inner) if place)
    except OSError:
        return False


def _ways(inner: str) -> list[str]:
    folders = inner.split("/")[:-1]
    return ["/".join(folders[:end]) for end in range(len(folders) + 1)]


def _stamp(state: os.stat_result) -> Stamp:
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino & _SIGNED
