"""clawgit's own references; how a branch moves; and the pinned tips of a rewritten history."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.lock import POLL_SECONDS, held_error
from clawgit.history.git.ordinary_repository import head_branch, ref_target
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.workspace.safe_files import rewrite_record, sync_folder

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

OURS = "refs/clawgit/"
INTENT = OURS + "intent/"  # for each branch the change being made: recovery finishes or drops it
RESCUE = OURS + "rescue/"  # what would get lost: a dropped change, edits that were put back
PAST = OURS + "past/"  # tips that a rewrite left
PROPOSALS = OURS + "proposals/"
REJECTED = OURS + "rejected/"
QUARANTINE = OURS + "quarantine/"
BRANCHES = "refs/heads/"
ABANDONED_SECONDS = 1.0
RECORD = "reflogs.json"
_LATEST = 64  # commits of the tip, among which most moves end
_ID = lazy_bytes_pattern(rb"(?!0{40})[0-9a-f]{40}")
# The copies that a rebase makes on its way.
_STEP = lazy_bytes_pattern(rb"[^:]*rebase[^:]*\((?!start|finish)\w+\)")
Noted = dict[str, tuple[tuple[int, int], str]]  # for each log its size and time, and its last line
_WHOLE_ID = lazy_pattern("[0-9a-f]{40}")


def intent_ref(branch: str) -> str:
    return INTENT + branch.removeprefix(BRANCHES)


def branch_of(intent: str) -> str:
    return BRANCHES + intent.removeprefix(INTENT)


def set_ref(history: History, name: str, commit_id: str) -> None:
    history.repo.references.create(name, commit_id, force=True)


def delete_ref(history: History, name: str) -> None:
    """Remove one of our references if it exists; waits a moment for a git that packs references."""
    deadline = time.monotonic() + ABANDONED_SECONDS
    while (history.folder / "packed-refs.lock").exists() and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)  # libgit2 forgets what it could not remove
    with suppress(KeyError):
        history.repo.references.delete(name)


def pin(history: History, prefix: str, commit_id: str) -> str:
    name = prefix + commit_id[:16]
    set_ref(history, name, commit_id)
    return name


def move_branch(history: History, branch: str, old: str | None, new: str) -> bool:
    """Move ``branch`` from ``old`` to ``new``; False if another process moved it first.

    Waits for a git process that holds the branch. After an error the branch is read again: if git took the new value, that
    is a success.
    """
    deadline = time.monotonic() + history.settings.lock_wait_seconds
    while True:
        try:
            return _swap(history, branch, old, new)
        except (pygit2.GitError, OSError, ValueError) as error:
            now = history.target(branch)
            if now != old:
                return history.objects.contains(now, new)
            is_late = time.monotonic() > deadline
            was_held = isinstance(error, FileExistsError) and not is_late
            if not was_held and not _lock_of(history, branch).exists():
                raise
        if is_late:
            raise held_error(_lock_of(history, branch))
        time.sleep(POLL_SECONDS)


def _swap(history: History, branch: str, old: str | None, new: str) -> bool:
    if old is None:
        history.repo.references.create(branch, new)
        return True
    place = history.folder / branch
    if history.is_ordinary and not place.is_symlink() and not place.is_dir():
        return _replace(history, branch, old, new)
    reference = history.repo.references.get(branch)
    if reference is None or str(reference.target) != old:
        return False
    reference.set_target(pygit2.Oid(hex=new), "clawgit")
    return True


def _replace(history: History, branch: str, old: str, new: str) -> bool:
    """Move a branch as libgit2 does, but sync only the branch: git does not sync its logs either."""
    place, lock = history.folder / branch, _lock_of(history, branch)
    is_moved = False
    place.parent.mkdir(parents=True, exist_ok=True)  # git deletes an empty folder when it packs references
    handle = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        if ref_target(history.folder, branch) != old:
            return False
        who = "unknown <unknown>"
        with suppress(KeyError, ValueError, pygit2.GitError):
            own = history.repo.default_signature
            who = f"{own.name} <{own.email}>"
        moment = f"{int(time.time())} {time.strftime('%z')}"
        _note_in_logs(history, branch, f"{old} {new} {who} {moment}\tclawgit\n")
        os.write(handle, f"{new}\n".encode())
        if history.settings.fsync:
            os.fsync(handle)
        lock.replace(place)
        is_moved = True
    finally:
        os.close(handle)
        if not is_moved:
            lock.unlink(missing_ok=True)
    if history.settings.fsync:
        with suppress(OSError):  # the branch has moved, whatever the disk reports now
            sync_folder(place.parent)
    return True


def _note_in_logs(history: History, branch: str, line: str) -> None:
    """Add a line to git's log of the branch, and of HEAD if that is on it; only where git keeps these logs."""
    logs = history.folder / "logs"
    is_wanted = history.configured("core.logAllRefUpdates").lower() not in ("false", "no", "off", "0")
    for log in (logs / branch, *((logs / "HEAD",) if head_branch(history.folder) == branch else ())):
        if is_wanted or log.exists():
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("ab") as file:
                file.write(line.encode("utf-8", "surrogateescape"))


def _lock_of(history: History, ref: str) -> Path:
    return history.folder / f"{ref}.lock"


def remove_leftover_locks(history: History) -> None:
    for folder, _, names in os.walk(history.folder / "refs/clawgit"):  # git removes emptied folders meanwhile
        for name in names:
            if name.endswith(".lock"):
                Path(folder, name).unlink(missing_ok=True)


def remove_leftover_lock(history: History, branch: str, commit_id: str) -> None:
    """Remove the lock on ``branch`` left by a clawgit that was killed while moving it to ``commit_id``.

    The lock holds that commit, or nothing: git and libgit2 make the lock first and fill it last.
    """
    lock = _lock_of(history, branch)
    with suppress(OSError):
        content = lock.read_text("ascii", "replace").strip()
        seen = lock.stat()
        if not content:  # its process may go on: wait until it is unchanged for a second
            time.sleep(max(0.0, min(ABANDONED_SECONDS, seen.st_mtime + ABANDONED_SECONDS - time.time())))
        now = lock.stat()
        stays = (now.st_ino, now.st_mtime_ns, now.st_size) == (seen.st_ino, seen.st_mtime_ns, seen.st_size)
        if content == commit_id or (not content and stays):
            lock.unlink(missing_ok=True)


def logs_grew(history: History) -> bool:
    """Say whether git wrote to the logs since they were read, by their noted sizes and times."""
    noted = _noted(history)
    return any(_sign(path) != noted.get(name, (None, ""))[0] for name, path in _logs(history).items())


def _pin_logged_tips(history: History) -> list[str]:
    """Pin the tips that were left since the logs were last read; a new log is only noted."""
    before = _noted(history)
    noted = dict(before)
    named = set[str]()
    for name, path in _logs(history).items():
        sign = _sign(path)
        if sign is None:
            noted.pop(name, None)
            continue
        seen, last = before.get(name, (None, ""))
        if sign == seen:
            continue
        data = _end_of_log(path, seen, last.encode("latin-1"))
        if seen is not None:
            named |= _named_after(data, last.encode("latin-1"))
        noted[name] = (sign, data[data[:-1].rfind(b"\n") + 1 :].decode("latin-1"))
    pinned = [pin(history, PAST, commit_id) for commit_id in _left(history, named)]
    if noted != before:
        flat = {name: (*sign, last) for name, (sign, last) in noted.items()}
        rewrite_record(history.state, RECORD, json.dumps(flat).encode())
    return pinned


def _end_of_log(path: Path, seen: tuple[int, int] | None, last: bytes) -> bytes:
    """Return a log from its ``last`` noted line on; the whole log if that line moved."""
    with path.open("rb") as file:
        if seen is not None and last:
            file.seek(max(0, seen[0] - len(last)))
            data = file.read()
            if data.startswith(last):
                return data
            file.seek(0)
        return file.read()


def _logs(history: History) -> dict[str, Path]:
    own = history.git_folder
    logs = {f"{own.name}/HEAD": own / "logs/HEAD"}
    with suppress(OSError, UnicodeDecodeError):
        branch = (own / "HEAD").read_text("utf-8").strip().removeprefix("ref: ")
        if branch.startswith(BRANCHES):
            logs[branch] = history.folder / "logs" / branch
    return logs


def _sign(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - half of what Path.stat takes, at every start
    except OSError:
        return None
    if os.access(path, os.R_OK):
        return (status.st_size, status.st_mtime_ns)
    return None


def _noted(history: History) -> Noted:
    with suppress(OSError, ValueError, TypeError, AttributeError):
        record = json.loads((history.state / RECORD).read_text("utf-8"))
        return {name: ((int(size), int(at)), str(last)) for name, (size, at, last) in record.items()}
    return {}


def _named_after(data: bytes, last: bytes) -> set[str]:
    """Return the commits that the lines after ``last`` moved away from; of all lines if git dropped that one.

    A line is written before its move: its new commit was a tip only if a later line moves away from it.
    """
    names = set[str]()
    new = data.rpartition(last)[2] if last else data
    for line in new.splitlines():
        move, _, message = line.partition(b"\t")
        if not _STEP.match(message):
            names.update(name.decode() for name in _ID.findall(move[:40]))
    return names


def _left(history: History, named: set[str]) -> list[str]:
    """Return the commits of ``named`` that no reference and no other one of them reaches."""
    if not named:
        return []
    unseen = set(named)
    for commit in islice(history.objects.first_parents(history.target("HEAD")), _LATEST):
        unseen.discard(commit.commit_id)
        if not unseen:  # as after a change of ours, which moves the branch by one commit
            return []
    refs = set(history.refs("refs/").values())
    lost = sorted(filter(history.objects.has_commit, unseen - refs))
    if not lost:
        return []
    from clawgit.history.git.git_program import range_lines, run_git  # noqa: PLC0415 - seldom: each command starts so

    words = ("rev-list", "--parents", "--ignore-missing", "--stdin")
    done = run_git(history, *words, stdin=range_lines(lost, sorted(refs)))
    if done.returncode != 0:
        return lost  # an object in between is damaged: better one reference too many
    lines = list(map(str.split, done.stdout.decode().splitlines()))
    parents = {name for line in lines for name in line[1:]}
    return [line[0] for line in lines if line[0] not in parents]


def remembered_tips(history: History) -> dict[str, str]:
    with suppress(OSError, ValueError):
        tips = json.loads((history.state / "tips.json").read_bytes())
        if isinstance(tips, dict):
            return {str(branch): tip for branch, tip in tips.items() if _WHOLE_ID.fullmatch(str(tip))}
    return {}


def remember_tip(history: History, branch: str, commit_id: str) -> None:
    """Note that ``branch`` is at ``commit_id``; git's own log keeps that commit meanwhile."""
    tips = remembered_tips(history)
    if tips.get(branch) != commit_id:
        rewrite_record(history.state, "tips.json", json.dumps(tips | {branch: commit_id}).encode())


def pin_lost_tips(history: History) -> list[str]:
    """Pin remembered tips that a branch lost, and tips left since the logs were read; note the present ones. Return the references."""
    tips = remembered_tips(history)
    now = dict(tips)
    pinned = []
    for branch, commit_id in tips.items():
        tip = history.target(branch)
        if tip == commit_id:
            continue
        is_here = history.objects.has_commit(commit_id)
        if is_here and not history.objects.contains(tip, commit_id):
            pinned.append(pin(history, PAST, commit_id))
        if tip is None:
            del now[branch]
        else:
            now[branch] = tip
    if now != tips:
        rewrite_record(history.state, "tips.json", json.dumps(now).encode())
    return pinned + _pin_logged_tips(history)
