"""The runner that stays: it looks after all workspaces of an account until it is stopped.

    runner = ResidentRunner(Account(workspaces, open_workspace, note), told=print)
    await runner.run()

``told`` hears of what happens, on any thread. `run` may be awaited on an event loop: the work is done on threads of its own,
so that a folder that hangs holds up nothing else. `work` is the same without a loop. `look_soon` and `stop` may be called from
any thread, and from a signal's handler.
"""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

import schedule

from clawgit.runner.job_process import MOST_AT_WORK, PATIENCE, Stop
from clawgit.runner.resident_note import Jump, ResidentNote, only_resident, write_resident
from clawgit.runner.workspace_look import Looked, Visit, Watched, look_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from clawgit.runner.run_due_jobs import Runner
    from clawgit.runner.workspace_look import OpenWorkspace
    from clawgit.workspace.records.job_slots import SlotNote

TICK = 0.5  # seconds; as long as a message may wait to be seen
PAUSE = 60.0  # seconds after a start, a sleep or a clock jump, until network and hosts are there
FINISH = 60.0  # seconds that jobs have when the runner is stopped
HANGS = 20.0  # seconds more until they are given up
NOTICED = 30.0  # seconds by which a clock may be corrected, without being called moved
_MINUTE = 60
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Account(NamedTuple):
    """Whose workspaces they are: which there are (asked again and again), how one is opened for a look, where the note goes.

    ``bug`` returns what to say of an error that nobody foresaw.
    """

    workspaces: Callable[[], Sequence[Path]]
    open_workspace: OpenWorkspace
    note: Path
    bug: Callable[[Exception], str] = repr


class RunnerEvent(NamedTuple):
    """Something that happened, and where.

    ``kind``: `start` and `stop` of the runner, `job` with its slot, `problem` of a workspace that is set aside, `back` where
    that is over, `notice`, `clock` where it was moved or the machine slept.
    """

    kind: str
    text: str = ""
    root: Path | None = None
    note: SlotNote | None = None


class Reading(NamedTuple):
    """The seconds that three clocks show: that of the day, one that never steps, and one that stops while the machine sleeps."""

    wall: float
    steady: float
    awake: float


def read_clocks() -> Reading:
    """Return what the machine's clocks show."""
    return Reading(time.time(), time.clock_gettime(_STEADY), time.monotonic())


def jump_between(before: Reading, now: Reading) -> Jump:
    """Return by how much the clock was moved, and how long the machine slept."""
    passed = now.steady - before.steady
    stepped = now.wall - before.wall - passed
    slept = passed - (now.awake - before.awake)
    return Jump(
        datetime.fromtimestamp(now.wall, UTC),
        stepped if abs(stepped) > NOTICED else 0.0,
        slept if slept > NOTICED else 0.0,
    )


class Clock(NamedTuple):
    """How the runner reads the time and waits for it; rehearsals have their own."""

    read: Callable[[], Reading] = read_clocks
    wait: Callable[[threading.Event, float], object] = threading.Event.wait


class ResidentRunner:
    """Does the jobs of many workspaces at their times: never two of one workspace, and a few of all at once.

    How many, ``jobs_at_once`` says for all, else the setting of each workspace for itself.
    """

    def __init__(
        self,
        account: Account,
        *,
        told: Callable[[RunnerEvent], None],
        jobs_at_once: int | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._account, self._told, self._at_once = account, told, jobs_at_once
        self._clock = clock or Clock()
        self._watched: dict[Path, Watched] = {}
        self._begun: dict[Path, float] = {}  # when what is at work was begun
        self._ended: SimpleQueue[tuple[Path, Looked]] = SimpleQueue()
        self._soon: SimpleQueue[Path | None] = SimpleQueue()
        self._scheduler = schedule.Scheduler()
        self._woken = threading.Event()
        self._stop = Stop()
        self._reading = self._clock.read()
        self._pause_until = self._reading.steady + PAUSE

    async def run(self) -> None:
        """Look after the workspaces until `stop`; where the task is cancelled, too.

        Raises:
            RunnerIsThereError: Another process looks after them.
        """
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
        """Look after the workspaces until `stop`.

        Raises:
            RunnerIsThereError: Another process looks after them.
        """
        with only_resident(self._account.note, self._now()) as note:
            self._note = note
            self._read_workspaces()
            self._told(RunnerEvent("start", f"{len(self._watched)} workspace(s) are looked after."))
            while not self._stop.is_told:
                self._watch_clock()
                self._run_tick()
                self._take_in()
                self._begin()
                self._clock.wait(self._woken, TICK)
                self._woken.clear()
            self._finish()
            self._told(RunnerEvent("stop", "The runner has ended."))

    def look_soon(self, root: Path) -> None:
        """Look at a workspace at once: something arrived there."""
        self._soon.put(root)
        self._woken.set()

    def look_at_all(self) -> None:
        """Read again which workspaces there are, and look at each at once: settings changed."""
        self._soon.put(None)
        self._woken.set()

    def stop(self) -> None:
        """Begin nothing more; what works has a minute to end, and none where this is called again."""
        self._stop.tell(0 if self._stop.is_told else FINISH)
        self._woken.set()

    @property
    def at_work(self) -> int:
        """Return how many workspaces are at work or looked at."""
        return len(self._begun)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.read().wall, UTC)

    def _read_workspaces(self) -> None:
        there = dict.fromkeys(self._account.workspaces())
        for gone in self._watched.keys() - there.keys():
            del self._watched[gone]
        for root in there.keys() - self._watched.keys():
            self._watched[root] = Watched(root)

    def _run_tick(self) -> None:
        """Once a minute read the registry and leave a sign of life; `schedule` goes by the time of day, which may step back."""
        ahead = self._scheduler.idle_seconds
        if ahead is None or ahead > _MINUTE:
            self._scheduler.clear()
            self._scheduler.every(_MINUTE).seconds.do(self._tick)
        self._scheduler.run_pending()

    def _tick(self) -> None:
        self._read_workspaces()
        self._write(self._note._replace(seen=self._now()))

    def _write(self, note: ResidentNote) -> None:
        self._note = note
        with suppress(OSError):  # the disk is full: a later one may be written
            write_resident(self._account.note, note)

    def _watch_clock(self) -> None:
        before = self._reading
        self._reading = self._clock.read()
        jump = jump_between(before, self._reading)
        if jump.sentence:
            self._pause_until = self._reading.steady + PAUSE
            self._write(self._note.with_jump(jump))
            self._told(RunnerEvent("clock", jump.sentence))

    def _take_in(self) -> None:
        """Take in what looks came to, and what is to be looked at soon."""
        with suppress(Empty):
            while True:
                root, looked = self._ended.get_nowait()
                self._begun.pop(root, None)
                if root in self._watched:
                    for kind, text in self._watched[root].take(looked, self._reading.steady):
                        self._told(RunnerEvent(kind, text, root))
        with suppress(Empty):
            while True:
                self._ask(self._soon.get_nowait())

    def _ask(self, root: Path | None) -> None:
        if root not in self._watched:
            self._read_workspaces()
        for each in self._watched.values():
            if root in (None, each.root):
                each.ask()

    def _begin(self) -> None:
        """Begin to look where it is time, as far as there is room: first where something arrived."""
        steady = self._reading.steady
        many = len(self._watched)
        waiting = (each for root, each in self._watched.items() if root not in self._begun)
        busy = self._at_work()
        due = [each for each in waiting if busy < self._most(each) and each.is_due(steady, many)]
        visit = Visit(
            self._account.open_workspace,
            self._as_here,
            self._account.bug,
            many,
            steady < self._pause_until,
        )
        for each in sorted(due, key=lambda each: each.order):
            if self._at_work() < self._most(each) and len(self._begun) < MOST_AT_WORK:
                self._begun[each.root] = steady
                each.begin(steady, self._pause_until, many)
                threading.Thread(target=self._look, args=(each.root, visit), daemon=True).start()

    def _at_work(self) -> int:
        """Return how many hold a place: what works for long has given its place away."""
        return sum(self._reading.steady - begun < PATIENCE for begun in self._begun.values())

    def _most(self, each: Watched) -> int:
        return self._at_once or each.at_once

    def _as_here(self, root: Path, runner: Runner) -> Runner:
        def told(note: SlotNote) -> None:
            self._told(RunnerEvent("job", root=root, note=note))

        return runner._replace(told=told, stop=self._stop)

    def _look(self, root: Path, visit: Visit) -> None:
        self._ended.put((root, look_at(root, visit)))
        self._woken.set()

    def _finish(self) -> None:
        """Wait for what works; for a folder that hangs not for ever."""
        last = time.monotonic() + FINISH + HANGS
        while self._begun and time.monotonic() < last:
            self._take_in()
            self._woken.wait(TICK)
            self._woken.clear()
            if self._stop.is_over:
                last = min(last, time.monotonic() + HANGS)
