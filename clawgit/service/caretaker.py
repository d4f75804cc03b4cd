"""Looking after workspaces: keeping edits when it is quiet, catching up, and leaving a broken one alone for a while."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.service.service_log import Event
from clawgit.service.workspace_watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from clawgit.service.request_desk import RequestDesk
    from clawgit.service.workspace_watch import Times


class Reconciled(NamedTuple):
    """What was found in a workspace that was reconciled: the paths that were kept, and sentences for a person."""

    kept: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Care(NamedTuple):
    """Which workspaces there are, what is wrong with the list of them, and how one is reconciled."""

    workspaces: Callable[[], Sequence[Path]]
    problem: Callable[[], str]
    reconcile: Callable[[Path], Reconciled]


class Caretaker:
    """Looks after all workspaces, one after the other."""

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
        """Return the workspaces that are left alone for now, with the reason of each."""
        return {str(root): watch.aside for root, watch in self._watches.items() if watch.aside}

    @property
    def count(self) -> int:
        """Return how many workspaces are looked after."""
        return len(self._watches)

    async def stay(self) -> None:
        """Look at every workspace again and again."""
        while True:
            roots = await self._desk.in_upkeep(self._care.workspaces)
            self._note_roots(roots)
            self._note_problem(self._care.problem())
            for watch in await self._desk.in_upkeep(self._due):
                await self._reconcile_one(watch)
            await asyncio.sleep(self._times.look)

    def _note_roots(self, roots: Sequence[Path]) -> None:
        for root in roots:
            if root not in self._watches:
                self._watches[root] = Watch(root, self._times)
                self._tell(Event("workspace", "is looked after from now on.", str(root)))
        for root in [root for root in self._watches if root not in roots]:
            del self._watches[root]
            self._tell(Event("workspace", "is looked after no more.", str(root)))

    def _note_problem(self, problem: str) -> None:
        if problem != self.problem:
            self.problem = problem
            self._tell(Event("registry", problem or "The list of workspaces can be read again."))

    def _due(self) -> list[Watch]:
        watches = list(self._watches.values())
        return [watch for watch in watches if watch.is_due(len(watches))]

    async def _reconcile_one(self, watch: Watch) -> None:
        async with self._desk.writing(watch.root):
            try:
                found = await self._desk.in_upkeep(self._care.reconcile, watch.root)
            except (ClawgitError, OSError) as error:
                self._set_aside(watch, str(error))
                return
            except Exception as error:  # noqa: BLE001 - the boundary around one workspace of many
                self._set_aside(watch, f"This is a bug in clawgit ({type(error).__name__}: {error}).")
                return
        if watch.aside:
            self._tell(Event("back", "can be looked after again.", str(watch.root)))
        watch.done()
        self._say_found(watch.root, found)

    def _set_aside(self, watch: Watch, reason: str) -> None:
        if watch.failed(reason):
            self._tell(Event("aside", f"is left alone for now: {reason}", str(watch.root)))

    def _say_found(self, root: Path, found: Reconciled) -> None:
        if found.kept:
            text = f"edits by an unknown author were committed: {', '.join(found.kept)}."
            self._tell(Event("kept", text, str(root)))
        new = [note for note in found.notes if note not in self._noted.get(root, ())]
        self._noted[root] = found.notes
        for note in new:
            self._tell(Event("note", note, str(root)))
