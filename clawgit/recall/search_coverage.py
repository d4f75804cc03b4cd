"""What of a folder is searched and what is not, and why: said by `init`, `memory status` and an empty answer."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.recall.index.file_texts import as_utf8, is_text, read_served
from clawgit.recall.index.search_index import open_index
from clawgit.recall.index.searched_files import (
    ENDINGS,
    is_beside_memory,
    is_closed,
    is_excluded,
    is_ignored,
    is_rules,
    is_searched,
    searched_files,
    served_at,
)
from clawgit.text.safety.control_characters import shown
from clawgit.text.safety.secrets import redact_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from clawgit.history.git.repository import History

IGNORED, EXCLUDED = "git ignores it", "`search_exclude` names it"
LINK, REPOSITORY = "a link", "in another repository"
NAME, UNREAD = "its name is not UTF-8", "too large, or not readable as text"
NAMED, MOST_FOLDERS = 3, 5


class Unsearched(NamedTuple):
    """A text that is not searched, and the reason."""

    path: str
    reason: str


def unsearched_texts(history: History, searched: Collection[str]) -> tuple[Unsearched, ...]:
    """Return the texts of the workspace that are not among those ``searched``; what agents read anyway is left out."""
    known = set(searched)
    found = []
    for path, on_the_way in _texts(history.root):
        if path in known:
            continue
        reason = on_the_way or _reason(history, path)
        if reason:
            found.append(Unsearched(path, reason))
    return tuple(sorted(found))


def searched_words(paths: Collection[str]) -> str:
    """Return how much is searched: the agent's memory, and the other texts by the folder that they are in."""
    folders: Counter[str] = Counter()
    memory = 0
    for path in paths:
        if is_searched(path):
            memory += 1
        else:
            folder, slash, _ = path.partition("/")
            folders[f"{folder}/" if slash else "this folder"] += 1
    words = f"Searched: {_files(memory)} of memory"
    if not folders:
        return f"{words}."
    named = [f"{_shown(folder)} {count:,}" for folder, count in folders.most_common(MOST_FOLDERS)]
    if len(folders) > MOST_FOLDERS:
        named.append(f"{len(folders) - MOST_FOLDERS} more")
    return f"{words} and {_files(folders.total())} beside it ({', '.join(named)})."


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def nothing_found(history: History) -> str:
    """Return the answer to a question to which no text has one: in how many was looked, and which were not looked at."""
    status = read_coverage(history)
    return f"Nothing in {_files(len(status.paths))}. {unsearched_words(status.unsearched)}".rstrip()


class Coverage(NamedTuple):
    """The paths of what is searched, and what is not."""

    paths: tuple[str, ...]
    unsearched: tuple[Unsearched, ...]


def read_coverage(history: History) -> Coverage:
    """Return what is searched of the files as they are now."""
    with open_index(history) as index:
        paths = index.counts().paths
    return Coverage(paths, unsearched_texts(history, paths))


def list_coverage(history: History) -> Coverage:
    """Return the same without an index: by names and sizes alone, which is quick in any folder."""
    settings = history.settings
    extra, exclude = settings.search_extra_paths, settings.search_exclude
    paths = []
    for path, stamp in searched_files(history.root, extra, exclude=exclude).items():
        if is_closed(path) or is_rules(path) or stamp[0] > settings.max_file_bytes:
            continue
        served = served_at(history.root, extra, path, exclude)
        if served is not None and not is_ignored(history, served):
            paths.append(path)
    return Coverage(tuple(paths), unsearched_texts(history, paths))


def read_text(history: History, path: str) -> str:
    """Return a searched file as text, nothing of what is none.

    Raises:
        ClawgitError: It is a link or a special file by now, or too large.
        OSError: It cannot be read.
    """
    settings = history.settings
    served = served_at(history.root, settings.search_extra_paths, path, settings.search_exclude)
    data = None if served is None else read_served(history, served)
    if data is None or not is_text(data):
        return ""
    return as_utf8(data).decode("utf-8", "replace")


def unsearched_words(found: Sequence[Unsearched]) -> str:
    """Return how many texts are not searched, which and why; empty where there are none."""
    if not found:
        return ""
    counted = f"{_files(len(found))} {'is' * (len(found) == 1) or 'are'} not searched"
    if len(found) <= NAMED:
        named = [f"{_shown(path)} ({reason})" for path, reason in found]
        return f"{counted}: {', '.join(named)}."
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for path, reason in found:
        first.setdefault(reason, _shown(path))
        counts[reason] += 1
    reasons = []
    for reason, count in counts.most_common():
        more = " and others" if count > 1 else ""
        reasons.append(f"{reason}: {count:,} ({first[reason]}{more})")
    return f"{counted}: {'; '.join(reasons)}."


def _shown(path: str) -> str:
    return shown(redact_path(path), keep_newlines=False)


def _texts(root: Path) -> Iterator[tuple[str, str]]:
    """Yield each text below ``root`` with what is wrong with the way to it; hidden folders are passed by."""
    for name_of_folder, below, names in os.walk(root):
        folder = Path(name_of_folder)
        is_foreign = folder != root and (".git" in below or ".git" in names)
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in names:
            if name.startswith(".") or not name.endswith(ENDINGS):
                continue
            place = folder / name
            reason = ""
            with suppress(PermissionError):
                if is_foreign:
                    reason = REPOSITORY
                elif place.is_symlink():
                    reason = LINK
            yield place.relative_to(root).as_posix(), reason
        if is_foreign:
            below.clear()


def _reason(history: History, path: str) -> str:
    settings = history.settings
    try:
        path.encode()
    except UnicodeEncodeError:
        return NAME
    if not (is_searched(path) or is_beside_memory(path)):
        return ""
    if is_excluded(path, settings.search_exclude):
        return EXCLUDED
    served = served_at(history.root, (), path)
    if served is not None and is_ignored(history, served):
        return IGNORED
    return UNREAD
