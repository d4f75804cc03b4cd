"""What a change leaves to the disk's own pace, and how it is put right where the machine restarted before that.

A change is acknowledged once its objects, its branch and a note of it are on the disk. Files that it replaced or removed,
and git's staging, may then be those of before after a loss of power: as if somebody had taken the change back. The note
tells that from a person's act. It is looked at only after a restart, and only what the history holds anyway is overwritten:

=========================  =====================================================  ================================
after the restart          sign                                                   what is done
=========================  =====================================================  ================================
a file reads as before     last touched no later than when the change replaced    it reads as the branch again
                           it, and it reads as an earlier commit has it
a file reads otherwise,    touched since, or words that no commit has             nothing: an edit
or is gone
the staging is older       its checksum is that of before one of these changes,   it follows to the branch, without
                           or it holds a file as an earlier change had it         what is staged besides
the branch went elsewhere  it has no longer the commit, or another is checked     nothing: it was moved after the
                           out                                                    change was on the disk
=========================  =====================================================  ================================

After some changes, their folders and the staging are synced once, and the notes begin anew. A file that a change creates
is synced at once, since nothing tells a file that is not there yet from one that somebody removed.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.history.authorship.own_commits import replaced_by_own
from clawgit.history.git.index_entries import UnusualIndexError
from clawgit.history.git.leftovers import Staging
from clawgit.history.transaction.drafts import entry_of
from clawgit.history.transaction.index_file import present_index
from clawgit.history.transaction.staging import follow, staging_sum
from clawgit.history.transaction.working_tree import (
    Move,
    content_of,
    present,
    put_files,
    readable,
    touched_at,
)
from clawgit.workspace.safe_files import UnsafePathError, sync_folder, sync_folders_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from clawgit.history.git.repository import History, Tip
    from clawgit.workspace.safe_files import FileContent

MOST = 32
LOOKED_AT = 64
_NOTES = "not-synced"
_BOOT = "/proc/sys/kernel/random/boot_id"


class Note(NamedTuple):
    """One acknowledged change: the files that it replaced or removed, with when these were touched last, and the staging."""

    boot: str
    branch: str
    commit_id: str
    staging: str
    touched: Mapping[str, int]


@lru_cache(maxsize=1)
def boot_id() -> str:
    """Return what is another after each restart of the machine, empty where nothing tells."""
    with suppress(OSError), open(_BOOT, encoding="ascii") as file:  # noqa: PTH123 - nothing else of a Path is needed
        return file.read().strip()
    return ""


def can_wait(history: History) -> bool:
    """Say whether a change may leave files and staging to the disk's own pace."""
    return history.settings.fsync and history.is_ordinary and bool(boot_id())


def note_change(history: History, note: Note) -> None:
    """Write down, on the disk, what a change left to it; callers hold the workspace lock.

    Raises:
        OSError: It could be neither written down nor synced.
    """
    known = _read(history)
    if len(known) >= MOST:
        _sync(history, known)
        known = []
    try:
        _append(history, json.dumps(note))
    except OSError:
        _sync(history, [*known, note])


def _append(history: History, line: str) -> None:
    path = history.state / _NOTES
    is_new = not path.exists()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, f"{line}\n".encode())
        os.fdatasync(handle)
    finally:
        os.close(handle)
    if is_new:
        sync_folder(history.state)


def is_noted(history: History, commit_id: str) -> bool:
    """Say whether a change was acknowledged, as far as that is still written down."""
    return any(note.commit_id == commit_id for note in _read(history))


def settle_after_restart(history: History) -> list[str]:
    """Put right what a loss of power took from acknowledged changes, and say what that was; callers hold the workspace lock.

    Raises:
        FileInUseError: Another program is writing one of the files; the next command goes on.
    """
    notes = _read(history) if history.is_ordinary else []
    if all(note.boot == boot_id() for note in notes):
        return []
    tip = history.tip()
    lasting = [
        note
        for note in notes
        if note.branch == tip.branch and history.objects.contains(tip.commit_id, note.commit_id)
    ]
    paths = _files_put_right(history, tip, lasting)
    staged = _staging_put_right(history, tip, lasting)
    _sync(history, notes)
    if not paths and not staged:
        return []
    what = ", ".join(paths) if paths else "git's staging"
    return [f"The machine restarted before a change was wholly on the disk; it is in place again: {what}."]


def _files_put_right(history: History, tip: Tip, notes: Sequence[Note]) -> list[str]:
    touched: dict[str, int] = {}
    for note in notes:
        for path, at in note.touched.items():
            touched[path] = max(at, touched.get(path, 0))
    ways = []
    for path in (path for path, at in touched.items() if _touched(history, path) <= at):
        found = present(history, path) if readable(history, path) else None
        wanted = content_of(tip.tree, path)
        if found not in (None, wanted) and _is_known(history, tip, path, found):
            ways.append(Move(path, (found,), wanted))
    put_files(history, ways, merge=False)
    return [way.path for way in ways]


def _touched(history: History, path: str) -> float:
    with suppress(OSError):
        return touched_at(history, path)
    return float("inf")


def _is_known(history: History, tip: Tip, path: str, found: FileContent | None) -> bool:
    """Say whether one of the last commits has a file as it reads now: then nothing of it can get lost."""
    entry = entry_of(found)
    latest = islice(history.objects.first_parents(tip.commit_id), LOOKED_AT)
    return any(history.tree_of(commit.commit_id).entry(path) == entry for commit in latest)


def _staging_put_right(history: History, tip: Tip, notes: Sequence[Note]) -> bool:
    index = Staging.of(history).index
    before = staging_sum(index)
    old = next((note for note in notes if before and note.staging == before), None)
    if old is not None:
        parents = history.objects.commit(old.commit_id).parent_ids
        base = history.tree_of(parents[0] if parents else None)
        follow(history, base, tip.tree, tip.tree.changed(base))
    else:
        paths = {path for note in notes for path in _changed(history, note)}
        follow(
            history,
            tip.tree,
            tip.tree,
            sorted(path for path in paths if _is_behind(history, index, tip, path)),
        )
    return staging_sum(index) != before


def _is_behind(history: History, index: Path, tip: Tip, path: str) -> bool:
    """Say whether an earlier version of a file is staged, which a change of ours replaced."""
    with suppress(FileNotFoundError, UnusualIndexError):
        staged = present_index(index).object_id(os.fsencode(path))
        entry = tip.tree.entry(path)
        return staged != (None if entry is None else entry.object_id) and staged in replaced_by_own(
            history, path
        )
    return False


def _changed(history: History, note: Note) -> list[str]:
    parents = history.objects.commit(note.commit_id).parent_ids
    return list(history.tree_of(note.commit_id).changed(history.tree_of(parents[0] if parents else None)))


def _sync(history: History, notes: Sequence[Note]) -> None:
    """Have all that these changes wrote on the disk, and begin the notes anew."""
    with suppress(UnsafePathError):  # a link in a folder's place: somebody moved the files since
        sync_folders_of(history.root, [path for note in notes for path in note.touched])
    with suppress(FileNotFoundError):
        handle = os.open(Staging.of(history).index, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    sync_folder(history.git_folder)
    with suppress(FileNotFoundError):
        os.truncate(history.state / _NOTES, 0)


def _read(history: History) -> list[Note]:
    """Return the notes; a line that was not wholly written is none, since its change was not acknowledged."""
    found = []
    with suppress(OSError):
        for line in (history.state / _NOTES).read_bytes().splitlines():
            with suppress(ValueError, TypeError):
                found.append(_note(json.loads(line)))
    return found


def _note(said: Any) -> Note:
    boot, branch, commit_id, staging, touched = said
    return Note(
        str(boot), str(branch), str(commit_id), str(staging), {str(p): int(at) for p, at in touched.items()}
    )
