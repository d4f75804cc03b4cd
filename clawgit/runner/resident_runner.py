"""The resident runner: it looks after all workspaces of an account until it is stopped.

The caller gets events on any thread. `run` may be awaited on an event loop: the work has threads of its own, so that a
folder that hangs blocks nothing else. `work` is the same without a loop. `look_soon` and `stop` may be called from any
thread, and from a signal's handler.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

import schedule

from clawgit.capture.messages.open_messages import UNREACHABLE, message_files
from clawgit.errors import ClawgitError
from clawgit.runner.job_process import Stop
from clawgit.runner.run_due_jobs import Runner, run_due_jobs
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.workspace.records.record_tables import SlotNote


PATIENCE = 60.0  # seconds after which one that still works gives its place to others
MOST_AT_WORK = 32  # those included that gave their places away
TICK = 0.5  # seconds; as long as a message may wait to be seen
PERIOD = 60.0  # seconds after which a workspace is asked what is due; more where there are more than 300
LOOKS = 5  # workspaces that are asked in a second at most, where nothing arrives
POLLS = 400  # workspaces that are checked for signs in a second
PAUSE = 60.0  # seconds after a start, until network and hosts are there
FINISH = 60.0  # seconds that jobs have when the runner is stopped
HANGS = 20.0  # seconds more until they are given up
SHORTEST, LONGEST = 1.0, 300.0  # seconds between two looks at what is pending and does not go
LONGEST_DEAF = 10.0  # seconds in which no sign counts then: each look may leave one
FIRST_RETRY, LAST_RETRY = 60.0, 3600.0  # seconds until a workspace that could not be looked at is tried again
_MINUTE = 60
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Account(NamedTuple):
    """The workspaces of an account, listed again and again, and the function that opens one."""

    workspaces: Callable[[], Sequence[Path]]
    open_workspace: Callable[[Path], tuple[History, Runner]]
    bug: Callable[[Exception], str] = repr  # returns the text for an unexpected error


class RunnerEvent(NamedTuple):
    """An event, and its workspace.

    ``kind``: `start` and `stop` of the runner, `job` with its slot, `problem` of a workspace that is set aside, `back` when
    that is over, `notice`.
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
    places: tuple[Path, ...] = ()
    signs: tuple[object, ...] = ()
    at_once: int = Settings().jobs_at_once


class _Watched:
    """A workspace, and when to look at it: on request, every minute, and when a sign of it changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.is_asked = True
        self.last = _Looked()
        self.look_by = 0.0  # on the steady clock, as the next one
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
            self._failures += 1
            self.look_by = steady + min(LAST_RETRY, FIRST_RETRY * 2 ** min(self._failures - 1, 10))
            self._deaf = self.look_by
            self.last = before._replace(problem=looked.problem)
            if before.problem == looked.problem:
                return []
            return [("problem", looked.problem)]
        self.last = looked
        self._failures = 0
        if looked.is_left:
            self._brake = min(LONGEST, max(SHORTEST, 2 * self._brake))
            self.look_by = steady + self._brake
            self._deaf = steady + min(LONGEST_DEAF, self._brake)
        else:
            self._brake = 0.0
        events = []
        if before.problem:
            events.append(("back", "It is looked after again."))
        if looked.waits and looked.waits != before.waits:
            events.append(("notice", looked.waits))
        return events


class ResidentRunner:
    """Does the jobs of many workspaces at their times: one at a time in a workspace, and a few in all.

    How many, each workspace's `jobs_at_once` says for itself.
    """

    def __init__(
        self, account: Account, *, tell: Callable[[RunnerEvent], None], clock: Clock | None = None
    ) -> None:
        self._account, self._told = account, tell
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
        loop = asyncio.get_running_loop()
        done = asyncio.Event()
        failed: list[Exception] = []

        def work() -> None:
            try:
                self.work()
            except Exception as error:  # noqa: BLE001 - raised again where it is waited for
                failed.append(error)
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(done.set)

        threading.Thread(target=work, name="runner", daemon=True).start()
        try:
            await done.wait()
        finally:
            self.stop()
        for error in failed:
            raise error

    def work(self) -> None:
        self._read_workspaces()
        self._told(RunnerEvent("start", f"{len(self._watched)} workspace(s) are looked after."))
        while not self._stop.is_told:
            self._steady = self._clock.steady()
            ahead = self._scheduler.idle_seconds
            if ahead is None or ahead > _MINUTE:  # `schedule` uses the time of day, which may step back
                self._scheduler.clear()
                self._scheduler.every(_MINUTE).seconds.do(self._tick)
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
        self._told(RunnerEvent("stop", "The runner has ended."))

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

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.wall(), UTC)

    def _read_workspaces(self) -> None:
        there = dict.fromkeys(self._account.workspaces())
        self._watched = {root: self._watched.get(root) or _Watched(root) for root in there}

    def _tick(self) -> None:
        self._read_workspaces()
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
            each.look_by = self._pause_until if is_pausing else steady + max(PERIOD, many / LOOKS)
            each.rest = steady + TICK
            threading.Thread(target=self._look, args=(each.root, is_pausing), daemon=True).start()

    def _look(self, root: Path, is_pausing: bool) -> None:
        try:
            looked = self._looked(root, is_pausing)
        except (ClawgitError, OSError) as error:
            looked = _Looked(problem=str(error))
        except Exception as error:  # noqa: BLE001 - the boundary around one workspace of many
            looked = _Looked(problem=self._account.bug(error))
        self._ended.put((root, looked))
        self._woken.set()

    def _looked(self, root: Path, is_pausing: bool) -> _Looked:
        history, runner = self._account.open_workspace(root)
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
        return _Looked("", ran.waits, ran.is_left, places, signs, history.settings.jobs_at_once)


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
