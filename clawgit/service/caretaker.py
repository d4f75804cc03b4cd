"""Care for workspaces: keep edits when it is quiet, catch up, and leave a broken workspace alone for a while.

Stamps of files are compared, so no event is missed. The larger and the more the workspaces, the less often each is
looked at: looking takes at most a three-hundredth of a core. This counts the work of a look, not its time, so a busy
machine does not delay the next one.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.service.service_log import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from clawgit.service.request_desk import RequestDesk

_NOT_WATCHED = (".git", ".openclaw", "node_modules", ".venv")
_MOST_FILES = 50_000
_SHARE = 300

Stamp = tuple[int, int]


class Times(NamedTuple):
    """The intervals of the service, in seconds."""

    look: float = 1.0
    quiet: float = 30.0  # without an edit, before edits are kept
    reconcile: float = 300.0
    retry: float = 5.0  # of a workspace that was set aside, doubled each time
    longest_retry: float = 3600.0
    stale: float = 60.0
    finish: float = 90.0  # for what runs when the service is asked to end


class ServiceClock(NamedTuple):
    """Sources of time, in seconds: the steady clock, and the thread's work."""

    steady: Callable[[], float] = time.monotonic
    work: Callable[[], float] = time.thread_time


class Watch:
    """The state of one workspace: its stamp, since when it is quiet, why it was set aside."""

    def __init__(self, root: Path, times: Times, clock: ServiceClock | None = None) -> None:
        self.root = root
        self.aside = ""
        self._times = times
        self._clock = clock or ServiceClock()
        self._files: Stamp | None = None
        self._changed_at: float | None = None
        self._scan_at = 0.0
        self._reconcile_at = self._clock.steady() + times.reconcile
        self._retry_at = 0.0
        self._wait = times.retry

    def is_due(self, many: int = 1) -> bool:
        """Say whether the workspace, one of ``many``, is to be reconciled: quiet after an edit, not looked at for long, or due for a retry."""
        now = self._clock.steady()
        if self.aside:
            return now >= self._retry_at
        if now >= self._scan_at:
            before = self._clock.work()
            files = stamp_below(self.root)
            self._scan_at = now + max(self._times.look, (self._clock.work() - before) * _SHARE * many)
            if files != self._files:  # whatever a file's date says
                self._changed_at = now
            self._files = files
        if self._changed_at is not None and now - self._changed_at >= self._times.quiet:
            return True
        return now >= self._reconcile_at

    def done(self) -> None:
        """Note that the workspace is reconciled; what was written meanwhile may be an edit and is looked at again."""
        self.aside, self._wait = "", self._times.retry
        before = self._files
        self._files = stamp_below(self.root)
        now = self._clock.steady()
        self._changed_at = None if self._files == before else now
        self._reconcile_at = now + self._times.reconcile

    def failed(self, reason: str) -> bool:
        """Set the workspace aside, longer each time; say whether the reason is new."""
        is_new, self.aside = self.aside != reason, reason
        self._retry_at = self._clock.steady() + self._wait
        self._wait = min(self._wait * 2, self._times.longest_retry)
        return is_new


def stamp_below(root: Path) -> Stamp:
    """Return a stamp that differs after each written, added or removed file: count, a sum."""
    count, total = 0, 0
    for entry in islice(_files_below(str(root)), _MOST_FILES):
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


class ReconcileOutcome(NamedTuple):
    """The paths kept in a workspace, and sentences for a person."""

    kept: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Care(NamedTuple):
    """The workspaces, the problem with their list, and the function that reconciles one."""

    workspaces: Callable[[], Sequence[Path]]
    problem: Callable[[], str]
    reconcile: Callable[[Path], ReconcileOutcome]


class Caretaker:
    """Reconciles all workspaces, one after the other."""

    def __init__(self, care: Care, desk: RequestDesk, tell: Callable[[Event], None], times: Times) -> None:
        self.problem = ""
        self._care = care
        self._desk = desk
        self._tell = tell
        self._times = times
        self._watches: dict[Path, Watch] = {}
        self._noted: dict[Path, tuple[str, ...]] = {}

    @property
    def aside(self) -> Mapping[str, str]:
        return {str(root): watch.aside for root, watch in self._watches.items() if watch.aside}

    @property
    def count(self) -> int:
        return len(self._watches)

    async def stay(self) -> None:
        while True:
            roots = await self._desk.in_upkeep(self._care.workspaces)
            for root in roots:
                if root not in self._watches:
                    self._watches[root] = Watch(root, self._times)
                    self._tell(Event("workspace", "is looked after from now on.", str(root)))
            for root in [root for root in self._watches if root not in roots]:
                del self._watches[root]
                self._tell(Event("workspace", "is looked after no more.", str(root)))
            problem = self._care.problem()
            if problem != self.problem:
                self.problem = problem
                self._tell(Event("registry", problem or "The list of workspaces can be read again."))
            for watch in await self._desk.in_upkeep(self._due):
                await self._reconcile_one(watch)
            await asyncio.sleep(self._times.look)

    def _due(self) -> list[Watch]:
        watches = list(self._watches.values())
        return [watch for watch in watches if watch.is_due(len(watches))]

    async def _reconcile_one(self, watch: Watch) -> None:
        reason = ""
        reconciled = ReconcileOutcome()
        async with self._desk.writing(watch.root):
            try:
                reconciled = await self._desk.in_upkeep(self._care.reconcile, watch.root)
            except (ClawgitError, OSError) as error:
                reason = str(error) or type(error).__name__
            except Exception as error:  # noqa: BLE001 - the boundary around one workspace of many
                reason = f"This is a bug in clawgit ({type(error).__name__}: {error})."
        if reason:
            if watch.failed(reason):
                self._tell(Event("aside", f"is left alone for now: {reason}", str(watch.root)))
            return
        if watch.aside:
            self._tell(Event("back", "can be looked after again.", str(watch.root)))
        watch.done()
        if reconciled.kept:
            text = f"edits by an unknown author were committed: {', '.join(reconciled.kept)}."
            self._tell(Event("kept", text, str(watch.root)))
        new = [note for note in reconciled.notes if note not in self._noted.get(watch.root, ())]
        self._noted[watch.root] = reconciled.notes
        for note in new:
            self._tell(Event("note", note, str(watch.root)))
