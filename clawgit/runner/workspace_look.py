"""One workspace as the resident runner sees it: once a minute, and where something arrived, it does there what is due."""

from __future__ import annotations

import os
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clawgit.capture.messages.open_messages import UNREACHABLE, message_files, workspace_id
from clawgit.errors import ClawgitError
from clawgit.runner.run_due_jobs import run_due_jobs
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.runner.run_due_jobs import Runner

PERIOD = 60.0  # seconds after which a workspace is asked what is due; more where there are more than 300
LOOKS = 5  # workspaces that are asked in a second at most, where nothing arrives
POLLS = 400  # workspaces whose signs are read in a second
SHORTEST, LONGEST = 1.0, 300.0  # seconds between two looks at what is pending and does not go
LONGEST_DEAF = 10.0  # seconds in which no sign counts then: each look may leave one
FIRST_RETRY, LAST_RETRY = 60.0, 3600.0  # seconds until a workspace that could not be looked at is tried again
SPREAD_EACH = timedelta(seconds=90)
MOST_SPREAD = timedelta(minutes=30)

Signs = tuple[tuple[int, int] | None, ...]


class OpenWorkspace(Protocol):
    """What opens a workspace for one look, with the settings in force and all that git did meanwhile."""

    def __call__(self, root: Path) -> tuple[History, Runner]:
        """Return its history, with its clock and how its jobs are started."""


class Visit(NamedTuple):
    """How a look is done: ``many`` workspaces share the time; while it pauses, only what arrived is dealt with."""

    open_workspace: OpenWorkspace
    as_here: Callable[[Path, Runner], Runner]
    bug: Callable[[Exception], str]
    many: int
    is_pausing: bool


class Looked(NamedTuple):
    """What a look came to: what was wrong, what waits and why, and what shows that something came.

    ``is_left``: a queue that was worked off still has input. ``at_once`` is how many workspaces may be at work when this
    one's jobs begin, itself among them.
    """

    problem: str = ""
    waits: str = ""
    is_left: bool = False
    places: tuple[Path, ...] = ()
    signs: Signs = ()
    at_once: int = Settings().jobs_at_once


class Watched:
    """When a workspace is to be looked at: at once, every minute, and where a sign of it changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._is_asked = True
        self._last = Looked()
        self._brake = 0.0
        self._failures = 0
        # on the steady clock: the next look without a reason, until when no sign is one, the next poll
        self._look_by = self._deaf = self._poll_at = 0.0

    def ask(self) -> None:
        """Have it looked at at once."""
        self._is_asked = True

    def begin(self, steady: float, pause_until: float, many: int) -> None:
        """Note that a look begins; the next one is due when the pause ends, where there is one."""
        self._is_asked = False
        if steady < pause_until:
            self._look_by = pause_until
        else:
            self._look_by = steady + max(PERIOD, many / LOOKS)

    @property
    def at_once(self) -> int:
        """Return how many workspaces may be at work when this one's jobs begin, itself among them."""
        return self._last.at_once

    @property
    def order(self) -> tuple[bool, float]:
        """Return what those that are due are sorted by: what was asked for first, then the longest wait."""
        return not self._is_asked, self._look_by

    def is_due(self, steady: float, many: int) -> bool:
        """Say whether it is time for a look."""
        if self._is_asked or steady >= self._look_by:
            return True
        return steady >= self._deaf and self._has_sign(steady, many)

    def take(self, looked: Looked, steady: float) -> list[tuple[str, str]]:
        """Take over what a look came to; return what is new of it: a kind of event, and its text."""
        before = self._last
        if looked.problem:
            self._failures += 1
            again = steady + min(LAST_RETRY, FIRST_RETRY * 2 ** min(self._failures - 1, 10))
            self._deaf = self._look_by = again
            self._last = before._replace(problem=looked.problem)
            if before.problem == looked.problem:
                return []
            return [("problem", looked.problem)]
        self._last = looked
        self._failures = 0
        if looked.is_left:
            self._brake = min(LONGEST, max(SHORTEST, 2 * self._brake))
            self._look_by = steady + self._brake
            self._deaf = steady + min(LONGEST_DEAF, self._brake)
        else:
            self._brake = 0.0
        events = []
        if before.problem:
            events.append(("back", "It is looked after again."))
        if looked.waits and looked.waits != before.waits:
            events.append(("notice", looked.waits))
        return events

    def _has_sign(self, steady: float, many: int) -> bool:
        if steady < self._poll_at:
            return False
        self._poll_at = steady + many / POLLS
        return signs_at(self._last.places) != self._last.signs


def look_at(root: Path, visit: Visit) -> Looked:
    """Do what is due in a workspace, and return when it is to be looked at again; nothing in it ever raises."""
    try:
        return _looked(root, visit)
    except (ClawgitError, OSError) as error:
        return Looked(problem=str(error))
    except Exception as error:  # noqa: BLE001 - the boundary around one workspace of many
        return Looked(problem=visit.bug(error))


def _looked(root: Path, visit: Visit) -> Looked:
    history, runner = visit.open_workspace(root)
    places = _places(history)
    signs = signs_at(places)
    runner = visit.as_here(root, runner)._replace(spread=spread_of(workspace_id(history), visit.many))
    queues = tuple(job for job in runner.jobs if job.setting is None)
    ran = run_due_jobs(history, runner._replace(jobs=queues) if visit.is_pausing else runner)
    return Looked("", ran.waits, ran.is_left, places, signs, history.settings.jobs_at_once)


def spread_of(workspace: str, many: int) -> timedelta:
    """Return what the slots of a workspace begin later by, always the same among so many; nothing where it is alone."""
    window = min(MOST_SPREAD, SPREAD_EACH * (many - 1))
    share = int.from_bytes(sha256(workspace.encode()).digest()[:4]) / 2**32
    return timedelta(seconds=int(share * window.total_seconds()))


def signs_at(places: tuple[Path, ...]) -> Signs:
    """Return what changes where a message or a commit comes: of each file the time and the size, None where it is empty."""
    return tuple(map(_sign, places))


def _sign(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - half of what Path.stat takes, for thousands of files
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size) if status.st_size else None


def _places(history: History) -> tuple[Path, ...]:
    own, folder = history.git_folder, history.folder
    return (
        *(own / "HEAD", own / "logs/HEAD", folder / "refs/heads", folder / "packed-refs"),
        *(history.state / "paused", history.state / UNREACHABLE, *message_files(history)),
    )
