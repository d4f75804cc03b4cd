"""The resident runner: it keeps edits and does jobs in all workspaces of an account until it is stopped.

The caller gets events on any thread. `run` may be awaited on an event loop: the work has threads of its own, so that a
folder that hangs blocks nothing else. `work` is the same without a loop. `look_soon` and `stop` may be called from any
thread, and from a signal's handler.

Edits are found by stamps of files, so no event is missed, and an edit that bears an old date counts.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

import schedule

from clawgit.capture.messages.open_messages import UNREACHABLE, message_files
from clawgit.errors import ClawgitError
from clawgit.runner.job_process import Stop
from clawgit.runner.run_due_jobs import Runner, run_due_jobs
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.workspace.records.record_tables import SlotNote


PATIENCE = 60.0  # seconds after which one that still works gives its place to others
MOST_AT_WORK = 32  # those included that gave their places away
TICK = 0.5  # seconds; as long as a message may wait to be seen
LOOKS = 5  # workspaces that are asked in a second at most, where nothing arrives
POLLS = 400  # workspaces that are checked for signs in a second
PAUSE = 60.0  # seconds after a start, until network and hosts are there
FINISH = 60.0  # seconds that jobs have when the runner is stopped
HANGS = 20.0  # seconds more until they are given up
SHORTEST, LONGEST = 1.0, 300.0  # seconds between two looks at what is pending and does not go
LONGEST_DEAF = 10.0  # seconds in which no sign counts then: each look may leave one
MOST_FILES = 50_000  # that a look compares
_NOT_WATCHED = (".git", ".openclaw", "node_modules", ".venv")
_LIST_SECONDS = 1  # between two readings of the list of workspaces
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


Stamp = tuple[int, int]


class Times(NamedTuple):
    """The intervals of the service and its runner, in seconds."""

    look: float = 1.0  # of the service at itself
    period: float = 60.0  # between two looks at a workspace; more where there are more than 300
    quiet: float = 30.0  # without an edit, before edits are kept
    reconcile: float = 300.0  # until they are looked for again, whatever the stamps say
    retry: float = 5.0  # of a workspace that was set aside, doubled each time
    longest_retry: float = 3600.0
    stale: float = 60.0
    finish: float = 90.0  # for what runs when the service is asked to end


class Account(NamedTuple):
    """The workspaces of an account, listed again and again, with the problem of that list, and the work in one."""

    workspaces: Callable[[], tuple[Sequence[Path], str]]
    open_workspace: Callable[[Path], tuple[History, Runner]]
    keep: Callable[[Path], object] = lambda _root: None  # commits the edits of a quiet workspace
    bug: Callable[[Exception], str] = repr  # returns the text for an unexpected error


class RunnerEvent(NamedTuple):
    """An event, and its workspace.

    ``kind``: `workspace` when one comes or goes, `registry` about their list, `aside` of one that cannot be looked after,
    `back` when that is over, `job` with its slot, `notice`.
    """

    kind: str
    text: str = ""
    root: Path | None = None
    note: SlotNote | None = None


class Clock(NamedTuple):
    """Time of day, a clock that never steps, and how to wait; rehearsals use their own."""

    wall: Callable[[], float] = time.time
    steady: Callable[[], float] = lambda: time.clock_gettime(_STEADY)
    wait: Callable[[threading.Event, float], object] = threading.Event.wait


class _Looked(NamedTuple):
    """The result of a look: the problem, what waits and why, whether a queue has input left, and where to look for signs."""

    problem: str = ""
    waits: str = ""
    is_left: bool = False
    files: Stamp = (0, 0)
    is_kept: bool = False  # edits were kept, if there were any
    places: tuple[Path, ...] = ()
    signs: tuple[object, ...] = ()
    at_once: int = Settings().jobs_at_once


class _Watched:
    """A workspace, and when to look at it: on request, every minute, when a sign of it changed, and when it is quiet after an edit."""

    def __init__(self, root: Path, times: Times) -> None:
        self.root = root
        self.is_asked = True
        self.last = _Looked()
        self.look_by = 0.0  # on the steady clock, as the next ones
        self.files_by = 0.0  # its files are compared again: that takes longer than all else
        self.keep_by = 0.0
        self._times = times
        self._deaf = 0.0  # no sign counts until then
        self.rest = 0.0  # not looked at again before: of many messages in a row, not each needs a look
        self._poll_at = 0.0
        self._brake = 0.0
        self._failures = 0

    def is_due(self, steady: float, many: int) -> bool:
        """Say whether it is time for a look; with ``many`` workspaces, signs are read less often."""
        if steady >= self.look_by or (self.is_asked and steady >= self.rest):
            return True
        if steady < max(self._deaf, self._poll_at):
            return False
        self._poll_at = steady + many / POLLS
        return signs_at(self.last.places) != self.last.signs

    def take(self, looked: _Looked, steady: float) -> list[tuple[str, str]]:
        """Store the result of a look; return its new events as kind and text."""
        before = self.last
        if looked.problem:
            self.look_by = steady + min(
                self._times.longest_retry, self._times.retry * 2 ** min(self._failures, 10)
            )
            self._failures += 1
            self._deaf = self.files_by = self.look_by
            self.last = before._replace(problem=looked.problem)
            if before.problem == looked.problem:
                return []
            return [("aside", f"is left alone for now: {looked.problem}")]
        self.last = looked
        self._failures = 0
        if looked.files != before.files:  # what was written while others were kept may be an edit, too
            self.keep_by = steady + self._times.quiet
        elif looked.is_kept:
            self.keep_by = steady + self._times.reconcile
        self.files_by = min(self.files_by, self.keep_by)
        self.look_by = min(self.look_by, self.files_by)
        if looked.is_left:
            self._brake = min(LONGEST, max(SHORTEST, 2 * self._brake))
            self.look_by = steady + self._brake
            self._deaf = steady + min(LONGEST_DEAF, self._brake)
        else:
            self._brake = 0.0
        events = []
        if before.problem:
            events.append(("back", "can be looked after again."))
        if looked.waits and looked.waits != before.waits:
            events.append(("notice", looked.waits))
        return events


class ResidentRunner:
    """Keeps edits and does the jobs of many workspaces: one at a time in a workspace, and a few in all.

    How many, each workspace's `jobs_at_once` says for itself.
    """

    def __init__(
        self,
        account: Account,
        *,
        tell: Callable[[RunnerEvent], None],
        times: Times | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.problem = ""  # with the list of workspaces
        self._account, self._told = account, tell
        self._times = times or Times()
        self._clock = clock or Clock()
        self._watched: dict[Path, _Watched] = {}
        self._begun: dict[Path, float] = {}  # when what is at work was begun
        self._ended: SimpleQueue[tuple[Path, _Looked]] = SimpleQueue()
        self._soon: SimpleQueue[Path] = SimpleQueue()
        self._scheduler = schedule.Scheduler()
        self._woken = threading.Event()
        self._stop = Stop()
        self.seen = self._now()  # its last sign of life
        self._steady = self._clock.steady()
        self._pause_until = self._steady + PAUSE

    async def run(self) -> None:
        try:
            await asyncio.to_thread(self.work)
        finally:
            self.stop()

    def work(self) -> None:
        self._read_workspaces()
        while not self._stop.is_told:
            self._steady = self._clock.steady()
            ahead = self._scheduler.idle_seconds
            if ahead is None or ahead > _LIST_SECONDS:  # `schedule` uses the time of day, which may step back
                self._scheduler.clear()
                self._scheduler.every(_LIST_SECONDS).seconds.do(self._read_workspaces)
            self._scheduler.run_pending()
            self._take_in()
            self._begin()
            self._clock.wait(self._woken, TICK)
            self._woken.clear()
        last = time.monotonic() + FINISH + HANGS
        while self._begun and time.monotonic() < last:
            self._take_in()
            self._woken.wait(TICK)
            self._woken.clear()
            if self._stop.is_over:
                last = min(last, time.monotonic() + HANGS)

    def look_soon(self, root: Path) -> None:
        self._soon.put(root)
        self._woken.set()

    def stop(self) -> None:
        """Start nothing more; running jobs have a minute, and none after a second call."""
        self._stop.tell(0 if self._stop.is_told else FINISH)
        self._woken.set()

    @property
    def at_work(self) -> int:
        return len(self._begun)

    @property
    def count(self) -> int:
        return len(self._watched)

    @property
    def aside(self) -> Mapping[str, str]:
        """Return why some workspaces are left alone for now."""
        problems = {}
        for root, watched in self._watched.items():
            if watched.last.problem:
                problems[str(root)] = watched.last.problem
        return problems

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.wall(), UTC)

    def _read_workspaces(self) -> None:
        roots, problem = self._account.workspaces()
        before = self._watched
        self._watched = {root: before.get(root) or _Watched(root, self._times) for root in roots}
        for root in sorted(self._watched.keys() - before.keys()):
            self._told(RunnerEvent("workspace", "is looked after from now on.", root))
        for root in sorted(before.keys() - self._watched.keys()):
            self._told(RunnerEvent("workspace", "is looked after no more.", root))
        if problem != self.problem:
            self.problem = problem
            self._told(RunnerEvent("registry", problem or "The list of workspaces can be read again."))
        self.seen = self._now()

    def _take_in(self) -> None:
        while not self._ended.empty():
            root, looked = self._ended.get()
            self._begun.pop(root, None)
            if root in self._watched:
                for kind, text in self._watched[root].take(looked, self._steady):
                    self._told(RunnerEvent(kind, text, root))
        while not self._soon.empty():
            workspace = self._soon.get()
            if workspace not in self._watched:
                self._read_workspaces()
            if workspace in self._watched:
                self._watched[workspace].is_asked = True

    def _begin(self) -> None:
        """Start looks that are due, if there is room: first on request, then by the longest wait."""
        steady = self._steady
        is_pausing = steady < self._pause_until
        many = len(self._watched)
        idle = [each for root, each in self._watched.items() if root not in self._begun]
        for each in sorted(idle, key=lambda each: (not each.is_asked, each.look_by)):
            # jobs that take long do not count
            at_work = sum(self._steady - begun < PATIENCE for begun in self._begun.values())
            if at_work >= each.last.at_once or len(self._begun) >= MOST_AT_WORK:
                continue
            if not each.is_due(steady, many):
                continue
            self._begun[each.root] = steady
            each.is_asked = False
            each.look_by = steady + max(self._times.period, many / LOOKS)
            each.rest = steady + TICK
            sees_files = steady >= each.files_by
            if sees_files:
                each.files_by = steady + self._times.period
            threading.Thread(target=self._look, args=(each, is_pausing, sees_files), daemon=True).start()

    def _look(self, each: _Watched, is_pausing: bool, sees_files: bool) -> None:
        try:
            looked = self._looked(each, is_pausing, sees_files)
        except (ClawgitError, OSError) as error:
            looked = _Looked(problem=str(error) or type(error).__name__)
        except Exception as error:  # noqa: BLE001 - the boundary around one workspace of many
            looked = _Looked(problem=self._account.bug(error))
        self._ended.put((each.root, looked))
        self._woken.set()

    def _looked(self, each: _Watched, is_pausing: bool, sees_files: bool) -> _Looked:
        root = each.root
        history, runner = self._account.open_workspace(root)
        files = each.last.files
        is_kept = False
        if sees_files:
            files = stamp_below(root)
            is_kept = files == each.last.files and self._begun[root] >= each.keep_by
        if is_kept:
            self._account.keep(root)
        own, folder = history.git_folder, history.folder
        places = (
            *(own / "HEAD", own / "logs/HEAD", folder / "refs/heads", folder / "packed-refs"),
            *(history.state / "paused", history.state / UNREACHABLE, *message_files(history)),
        )
        signs = signs_at(places)
        jobs = runner.jobs
        if is_pausing:
            jobs = tuple(job for job in jobs if job.setting is None)

        def report(note: SlotNote) -> None:
            self._told(RunnerEvent("job", root=root, note=note))

        ran = run_due_jobs(history, runner._replace(jobs=jobs, told=report, stop=self._stop))
        at_once = history.settings.jobs_at_once
        return _Looked("", ran.waits, ran.is_left, files, is_kept, places, signs, at_once)


def signs_at(places: tuple[Path, ...]) -> tuple[object, ...]:
    """Return stamps that change with a new message or commit: time and size of each file, None if it is empty."""
    signs: list[tuple[int, int] | None] = []
    for path in places:
        sign = None
        with suppress(OSError):
            status = os.stat(path)  # noqa: PTH116 - half of what Path.stat takes, for thousands of files
            if status.st_size:
                sign = status.st_mtime_ns, status.st_size
        signs.append(sign)
    return tuple(signs)


def stamp_below(root: Path) -> Stamp:
    """Return a stamp that differs after each written, added or removed file: count, a sum."""
    count, total = 0, 0
    for entry in islice(_files_below(str(root)), MOST_FILES):
        try:
            state = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        count += 1
        total ^= hash((entry.path, state.st_mtime_ns, state.st_size, state.st_ino))
    return count, total


def _files_below(folder: str) -> Iterator[os.DirEntry[str]]:
    entries: list[os.DirEntry[str]] = []
    with suppress(OSError):
        entries += os.scandir(folder)
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            yield entry
        elif entry.name not in _NOT_WATCHED:
            yield from _files_below(entry.path)
