"""The tips of the branches that clawgit and git's logs saw, so that a history that was rewritten is noticed and pinned."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.git.refs import BRANCHES, PAST, pin
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.workspace.safe_files import rewrite_record

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.git.repository import History

RECORD = "reflogs.json"
_LATEST = 64  # commits of the tip among which most moves end
_ID = lazy_bytes_pattern(rb"(?!0{40})[0-9a-f]{40}")
_STEP = lazy_bytes_pattern(
    rb"[^:]*rebase[^:]*\((?!start|finish)\w+\)"
)  # the copies that a rebase makes on its way
Noted = dict[str, tuple[int, int, str]]  # of each log its size, its time, its last line
_WHOLE_ID = lazy_pattern("[0-9a-f]{40}")


class LogReading(NamedTuple):
    """The tips that no reference reaches any more, and what to note of the logs once these are pinned."""

    left: list[str]
    noted: Noted


def logs_grew(history: History) -> bool:
    """Say whether git wrote to the logs since they were read: their sizes and times are compared with a note."""
    noted = _noted(history)
    return any(_sign(path) != _sign_in(noted, name) for name, path in _logs(history).items())


def read_logs(history: History) -> LogReading:
    """Return the tips that were left since the last reading; a log that is new here is only noted."""
    before = _noted(history)
    noted = dict(before)
    named = set[str]()
    for name, path in _logs(history).items():
        sign = _sign(path)
        if sign is None:
            noted.pop(name, None)
        if sign is None or sign == _sign_in(before, name):
            continue
        size, _, last = before.get(name, (0, 0, ""))
        seen = last.encode("latin-1")
        data = _from(path, size - len(seen), seen)
        if name in before:
            named |= _named_after(data, seen)
        newest = data[data[:-1].rfind(b"\n") + 1 :].decode("latin-1")
        noted[name] = (*sign, newest)
    return LogReading(_left(history, named) if named else [], noted)


def note_logs(history: History, noted: Noted) -> None:
    """Note how far the logs were read."""
    if noted != _noted(history):
        rewrite_record(history.state, RECORD, json.dumps(noted).encode())


def _logs(history: History) -> dict[str, Path]:
    """Return the log of this working tree's HEAD and of the branch that it names, by their names."""
    own = history.git_folder
    logs = {f"{own.name}/HEAD": own / "logs/HEAD"}
    with suppress(OSError, UnicodeDecodeError):
        branch = (own / "HEAD").read_text("utf-8").strip().removeprefix("ref: ")
        if branch.startswith(BRANCHES):
            logs[branch] = history.folder / "logs" / branch
    return logs


def _sign(path: Path) -> tuple[int, int] | None:
    """Return the size and the time of a log, None where there is none that can be read."""
    try:
        found = os.stat(path)  # noqa: PTH116 - half of what Path.stat takes, at every start
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns) if os.access(path, os.R_OK) else None


def _sign_in(noted: Noted, name: str) -> tuple[int, int] | None:
    return noted[name][:2] if name in noted else None


def _noted(history: History) -> Noted:
    with suppress(OSError, ValueError, TypeError, AttributeError):
        found = json.loads((history.state / RECORD).read_text("utf-8"))
        return {name: (int(size), int(at), str(last)) for name, (size, at, last) in found.items()}
    return {}


def _from(path: Path, start: int, seen: bytes) -> bytes:
    """Return a log from the line ``seen`` at ``start`` on, all of it where git has cut that off."""
    with path.open("rb") as file:
        file.seek(max(0, start))
        data = file.read()
        if data.startswith(seen):
            return data
        file.seek(0)
        return file.read()


def _named_after(data: bytes, last: bytes) -> set[str]:
    """Return the commits from which the lines after ``last`` moved away; of all lines where git has dropped that one.

    A line is written before its move: what a line moves to was a tip only if a later one moves away from it.
    """
    names = set[str]()
    new = data.rpartition(last)[2] if last else data
    for line in new.splitlines():
        move, _, message = line.partition(b"\t")
        if not _STEP.match(message):
            names.update(name.decode() for name in _ID.findall(move[:40]))
    return names


def _left(history: History, named: set[str]) -> list[str]:
    """Return those of ``named`` that neither a reference reaches nor another one of them."""
    tip = history.target("HEAD")
    reached = {commit.commit_id for commit in islice(history.objects.first_parents(tip), _LATEST)}
    refs = set(history.refs("refs/").values())
    wanted = sorted(name for name in named - reached - refs if history.objects.has_commit(name))
    if not wanted:
        return []
    from clawgit.history.git.git_program import run_git  # noqa: PLC0415 - seldom: each command starts so

    names = "".join(f"{name}\n" for name in (*wanted, *(f"^{name}" for name in sorted(refs))))
    done = run_git(history, "rev-list", "--parents", "--ignore-missing", "--stdin", stdin=names.encode())
    if done.returncode != 0:
        return wanted  # something in between is damaged: rather one reference too many
    lines = [line.split() for line in done.stdout.decode().splitlines()]
    parents = {name for line in lines for name in line[1:]}
    return [line[0] for line in lines if line[0] not in parents]


def remembered_tips(history: History) -> dict[str, str]:
    """Return branch → tip as clawgit saw them last."""
    with suppress(OSError, ValueError):
        found = json.loads((history.state / "tips.json").read_text("utf-8"))
        if isinstance(found, dict):
            return {str(branch): tip for branch, tip in found.items() if _WHOLE_ID.fullmatch(str(tip))}
    return {}


def _write(history: History, tips: dict[str, str]) -> None:
    rewrite_record(history.state, "tips.json", json.dumps(tips).encode())


def remember_tip(history: History, branch: str, commit_id: str) -> None:
    """Note that ``branch`` is at ``commit_id``; git's own log keeps that commit meanwhile."""
    tips = remembered_tips(history)
    if tips.get(branch) != commit_id:
        _write(history, tips | {branch: commit_id})


def pin_lost_tips(history: History) -> list[str]:
    """Pin every remembered tip that its branch no longer contains, and remember the present ones instead.

    So is every tip that was made and left since git's logs were read last.
    Returns the references made: a reset, a rebase, an amend or a deleted branch happened.
    """
    tips = remembered_tips(history)
    now = dict(tips)
    pinned = []
    for branch, commit_id in tips.items():
        tip = history.target(branch)
        if tip == commit_id:
            continue
        if not _still_there(history, tip, commit_id):
            pinned.append(pin(history, PAST, commit_id))
        if tip is None:
            del now[branch]
        else:
            now[branch] = tip
    if now != tips:
        _write(history, now)
    logs = read_logs(history)
    pinned += [pin(history, PAST, commit_id) for commit_id in logs.left]
    note_logs(history, logs.noted)
    return pinned


def _still_there(history: History, tip: str | None, commit_id: str) -> bool:
    """Say whether nothing needs to be pinned: ``tip`` has the commit, or nobody has it any more."""
    try:
        history.objects.commit(commit_id)
    except DamagedObjectError:
        return True
    return history.objects.contains(tip, commit_id)
