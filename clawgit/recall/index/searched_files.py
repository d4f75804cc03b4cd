"""Files that are searched and served: memory and the folder's other texts; no links, hidden files or git's own."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clawgit.errors import ClawgitError
from clawgit.memory.entries.tiers import (
    CONFLICTS,
    DREAMS,
    IDENTITY_FILES,
    RETIRED_ENTRIES,
    STANDING_FILES,
    Tier,
    day_in_name,
    is_derived,
    tier_of,
)
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import ENDINGS
from clawgit.text.safety.control_characters import is_utf8
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.layout import CONFIG, PROMPTS
from clawgit.workspace.safe_files import (
    A_FOLDER,
    MAX_PATH_BYTES,
    UnsafePathError,
    check_path,
    data_of,
    read_file,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.history.git.repository import History


# Size, two times and the inode: they reveal a change without reading the file.
Stamp: TypeAlias = tuple[int, int, int, int]
INODE = 3

MEMORY, EXTRA = "memory", "extra"
UNSEARCHED = "unsearched"  # files that git ignores, and its ignore rules
ENDING = ".md"
RULES = ".gitignore"
_FILES = ("MEMORY.md", "memory.md", "CORRECTIONS.md", DREAMS)
_BELOW_MEMORY = ("memory/", "Archive/")
_CLOSED: Stamp = (0, 0, 0, 0)
_SIGNED = (1 << 63) - 1  # the largest integer of SQLite
_NEVER = IDENTITY_FILES | STANDING_FILES | {CONFIG}
OLD = (
    "old|outdated|obsolete|alte?|altes|veraltet|vieux|vieil|vieille|ancien|ancienne|viejo|vieja|antiguo|antigua|"
    "vecchio|vecchia|velho|velha|antigo|antiga|oude?|stary|stara|stare"
)
_COPY = "copy|copie|kopie|kopia|copia"
_DRAFT = "drafts?|brouillons?|entwurf|entwürfe|borrador|borradores|bozza|rascunho|szkic"
_DRAFT_NAME = lazy_pattern(_DRAFT)
_KEPT = "backups?|bak|archives?|archived|archiv"  # first in a file's name, they are its subject
OLD_NAMES = lazy_pattern(
    rf"(?i)(?<![^\W_])(?:{OLD}|{_COPY}|{_DRAFT})(?![^\W\d_])|(?<= )\(\d+\)(?=\.)"
    rf"|(?<=[\W_])(?<!/)(?:{_KEPT})(?![^\W\d_])|(?<![^/])(?:{_KEPT})(?=/)"
)


class ServedPath(NamedTuple):
    """Where a searched path lies: ``inner`` below ``base``, and the path that is shown."""

    path: str
    base: Path
    inner: str
    source: str


def path_meant(root: Path, named: str) -> str:
    """Return ``named`` as hits show paths: relative to the workspace if it is inside."""
    inside = next((base for base in (root, root.resolve()) if named.startswith(f"{base}{os.sep}")), None)
    path = named if inside is None else named.removeprefix(f"{inside}{os.sep}").lstrip("/")
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path


def tier_found(path: str) -> Tier:
    """Return the tier of a searched file; beside memory T2 with a date in its name, else T1."""
    return tier_of(path) or (Tier.T1 if day_in_name(path) is None else Tier.T2)


@lru_cache(maxsize=4096)
def old_names(path: str) -> tuple[str, ...]:
    """Return the words of a path beside memory that call it old, a copy or a draft."""
    return tuple(OLD_NAMES.findall(path.lower())) if is_beside_memory(path) else ()


def is_of_the_past(path: str) -> bool:
    """Say whether a file tells what was so: a daily note, or a file that calls itself old or a copy, but not a draft."""
    return tier_found(path) is Tier.T2 or not all(map(_DRAFT_NAME.fullmatch, old_names(path)))


@lru_cache(maxsize=4096)
def is_searched(path: str) -> bool:
    """Say whether the workspace's own ``path`` is memory: searched, mined, and answered for."""
    is_below = path.startswith(_BELOW_MEMORY) and not path.startswith(RETIRED_ENTRIES)
    return path in _FILES or (is_below and _is_plain(path))


def is_beside_memory(path: str) -> bool:
    """Say whether the workspace's own ``path`` is the operator's prose: a text that is searched but not memory."""
    name = path.rpartition("/")[2]
    if not name.endswith(ENDINGS) or name in _NEVER or path == CONFLICTS:
        return False
    if path.startswith((PROMPTS, RETIRED_ENTRIES)) or is_derived(path) or is_searched(path):
        return False
    return len(os.fsencode(path)) <= MAX_PATH_BYTES and all(map(_is_good_name, path.split("/")))


def is_excluded(path: str, exclude: Sequence[str]) -> bool:
    """Say whether `search_exclude` names ``path``, a folder above it, or a pattern for it."""
    for named in exclude:
        plain = named.removeprefix("./").rstrip("/")
        if path == plain or path.startswith(f"{plain}/") or fnmatchcase(path, plain):
            return True
    return False


def served_at(root: Path, extra: Sequence[str], path: str, exclude: Sequence[str] = ()) -> ServedPath | None:
    """Return the place of ``path`` if it is served; it may be missing, or ignored by git."""
    if is_excluded(path, exclude) and path not in _FILES:
        return None
    if is_searched(path):
        return ServedPath(path, root, path, MEMORY)
    if is_beside_memory(path):
        return ServedPath(path, root, path, EXTRA)
    for base, inner in (_extra_base(root, named) for named in extra):
        shown = _shown(root, base, inner)
        if path == shown or path.startswith(f"{shown}/" if shown else ""):
            place = inner + path[len(shown) :]
            if _is_plain(place) and _may_be_extra(root, base, place):
                return ServedPath(path, base, place, EXTRA)
    return None


def searched_files(
    root: Path, extra: Sequence[str] = (), folders: set[str] | None = None, exclude: Sequence[str] = ()
) -> dict[str, Stamp]:
    """Return the present searched files with their stamps; ``folders`` receives the folders that were read.

    Among the files are folders that cannot be opened, with a slash behind their names, and `.gitignore`
    files. Ignored files are included: asking git costs more than the scan, so the reader asks.
    """
    stamps: dict[str, Stamp] = {}
    inodes = set()
    folders = set() if folders is None else folders
    for name in _FILES:
        for inner, stamp in _file(root, name):
            if stamp[INODE] not in inodes:  # MEMORY.md and memory.md are one file where case is ignored
                inodes.add(stamp[INODE])
                stamps[inner] = stamp
    for path, stamp in _tree(root, "", folders).items():
        if path in _FILES or (exclude and is_excluded(path.rstrip("/"), exclude)):
            continue
        is_below = path.startswith(_BELOW_MEMORY) and not path.startswith(RETIRED_ENTRIES)
        is_memory = is_below and path.endswith(ENDING)  # only its ending is left to check
        if is_memory or is_closed(path) or is_rules(path) or is_beside_memory(path):
            stamps[path] = stamp
    for named in extra:
        base, inner = _extra_base(root, named)
        folders.update(f"{base}/{way}" for way in _ways(inner))
        for place, stamp in chain(_file(base, inner), _tree(base, inner, folders).items()):
            if is_closed(place) or (_is_plain(place) and _may_be_extra(root, base, place)):
                stamps.setdefault(_shown(root, base, place), stamp)
    return stamps


def is_rules(path: str) -> bool:
    """Say whether a path of the scan is a file of ignore rules."""
    return path.rpartition("/")[2] == RULES


def bases_of(root: Path, extra: Sequence[str]) -> list[Path]:
    """Return the folders above all searched files."""
    return [root, *(_extra_base(root, named)[0] for named in extra)]


def is_closed(path: str) -> bool:
    """Say whether a path of the scan is a folder that cannot be opened."""
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
    """Say whether a setting can open this file: files on the agent's identity, the operator and settings stay closed."""
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
    """Return the texts below a folder without links, hidden names and other repositories; ``folders`` receives what was opened."""
    stamps: dict[str, Stamp] = {}
    waiting = [inner] if _is_reached_plainly(base, f"{inner}/x") else []
    while waiting:
        folder = waiting.pop()
        prefix = ""
        if folder:
            prefix = f"{folder}/"
        place = f"{base}/{folder}" if folder else f"{base}"
        try:
            handle = os.open(place, A_FOLDER)
            try:
                files, below = _listed(handle, is_top=not folder)
                _stamps(handle, prefix, files, stamps)
            finally:
                os.close(handle)
        except PermissionError:
            stamps[f"{folder}/"] = _CLOSED
        except OSError:
            continue  # deleted meanwhile, or a link
        else:
            folders.add(place)
            waiting += [prefix + name for name in below]
    return stamps


def _listed(handle: int, *, is_top: bool) -> tuple[list[str], list[str]]:
    """Return the texts and folders in an open folder; none if it is another repository."""
    files: list[str] = []
    folders: list[str] = []
    with os.scandir(handle) as entries:
        for entry in entries:
            name = entry.name
            if name == ".git" and not is_top:
                return [], []
            if name == RULES:
                files.append(name)
                continue
            if name.startswith(".") or not (name.isascii() or is_utf8(name)):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(name)
            elif name.endswith(ENDINGS):
                files.append(name)
    return files, folders


def _stamps(handle: int, prefix: str, names: Sequence[str], stamps: dict[str, Stamp]) -> None:
    """Add the regular files with their stamps; one in a folder that can only be listed counts as closed.

    For five years of notes this loop is half of a scan's time.
    """
    for name in names:
        try:
            state = os.stat(name, dir_fd=handle, follow_symlinks=False)
        except PermissionError:
            stamps[prefix + name] = _CLOSED
        except OSError:
            continue  # deleted meanwhile
        else:
            if stat.S_ISREG(state.st_mode):
                stamps[prefix + name] = _stamp(state)


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


def is_ignored(history: History, served: ServedPath) -> bool:
    """Say whether git ignores a text beside memory; False for memory and committed files."""
    if served.source != EXTRA or served.base != history.root:
        return False
    from pygit2 import GitError  # most files need no answer of git

    with suppress(ClawgitError, GitError):
        if history.repo.path_is_ignored(served.inner):
            return history.tip().tree.entry(served.inner) is None
    return False


def read_served(history: History, served: ServedPath) -> bytes | None:
    """Return a file as it is now, None if it is missing.

    Raises:
        ClawgitError: A link, a special file or another repository is on the way, or the file is too large.
        OSError: It cannot be opened or read.
    """
    content = read_file(served.base, served.inner, at_most=history.settings.max_file_bytes)
    return data_of(content)
