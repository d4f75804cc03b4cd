"""Writers in a line let a person's git go first, for a moment; nobody else waits for anything.

Mutants that these tests caught: nobody gives way, everybody does, without a bound, a change of ours hides the person,
a git that ended or takes long counts as one that commits.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from clawgit.history.authorship.commit_messages import OWN
from clawgit.history.git import giving_way, lock, repository
from clawgit.history.git.giving_way import (
    COMMIT_SECONDS,
    QUIET_SECONDS,
    SIGNAL,
    TIMES_BEGUN_AGAIN,
    Courtesy,
    is_committing,
    note_person,
)

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 20.0
LONG, SHORT = 30.0, 0.2


@dataclass
class Clock:
    """Time that passes only while somebody gives way; ``meanwhile`` is what happens after each look."""

    now: int = field(default_factory=time.time_ns)
    begun: int = 0
    looks: int = 0
    meanwhile: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        self.begun = self.now

    @property
    def passed(self) -> float:
        return (self.now - self.begun) / 1e9

    def time_ns(self) -> int:
        return self.now

    def time(self) -> float:
        return self.now / 1e9

    def monotonic(self) -> float:
        return self.now / 1e9

    def sleep(self, seconds: float) -> None:
        self.looks += 1
        self.now += int(seconds * 1e9)
        self.meanwhile()


@pytest.fixture
def clock(monkeypatch) -> Clock:
    """Return the clock of whoever gives way; how busy the machine is does not move it."""
    clock = Clock()
    monkeypatch.setattr(giving_way, "time", clock)
    monkeypatch.setattr(repository, "time", clock)
    return clock


@pytest.fixture
def places(tmp_path, clock):
    """Return a staging that git wrote just now, and clawgit's folder, in which a change was noted before that."""
    index = tmp_path / "index"
    for path, age in ((index, 0), (tmp_path / OWN, 60)):
        path.write_bytes(b"")
        os.utime(path, ns=(clock.now, clock.now - age * 10**9))
    return index, tmp_path


def waited(clock, index, state, at_most: float) -> float:
    before = clock.passed
    courtesy = Courtesy(index, state)
    courtesy.renew(at_most / giving_way.FOR_WAITING, stood_in_line=True)
    courtesy.wait()
    return clock.passed - before


def written(path, clock, ago: float = 0) -> None:
    os.utime(path, ns=(clock.now, clock.now - int(ago * 1e9)))


def test_way_is_given_until_git_has_been_quiet_for_a_moment(places, clock) -> None:
    assert QUIET_SECONDS <= waited(clock, *places, LONG) < 1.1 * QUIET_SECONDS


def test_way_is_given_no_longer_than_told(places, clock) -> None:
    assert SHORT <= waited(clock, *places, SHORT) < 1.1 * SHORT


def test_what_git_wrote_long_ago_or_before_a_change_of_ours_holds_nobody_up(places, clock) -> None:
    index, state = places

    written(state / OWN, clock)
    after_ours = waited(clock, index, state, LONG)
    written(state / OWN, clock, 120)
    written(index, clock, 60)

    assert (after_ours, waited(clock, index, state, LONG)) == (0, 0)


def test_a_person_is_not_forgotten_when_a_change_of_ours_writes_over_the_staging(places, clock) -> None:
    index, state = places

    note_person(index, state)
    written(state / OWN, clock)

    assert waited(clock, index, state, SHORT) >= SHORT


def test_a_clock_that_was_set_back_holds_nobody_up(places, clock) -> None:
    index, state = places
    written(index, clock, -3600)

    assert waited(clock, index, state, LONG) == 0


class Line(Clock):
    """The same time, seen by those who stand in line: they look again and again, and none of it passes by that."""

    def __init__(self, clock: Clock, look: Callable[[], None]) -> None:
        super().__init__()
        self.clock, self.look = clock, look

    def monotonic(self) -> float:
        return self.clock.monotonic()

    def sleep(self, seconds: float) -> None:
        self.look()
        time.sleep(0.001)


@pytest.fixture
def staging(room, clock) -> None:
    """Let a person stage without end."""
    index = room.root / ".git/index"
    room.append("memory/learned.md", "- one")
    clock.meanwhile = lambda: written(index, clock)
    clock.now = clock.begun = time.time_ns()
    clock.meanwhile()


@pytest.mark.parametrize("others", [False, True])
def test_only_who_stood_in_line_gives_way(room, clock, staging, monkeypatch, others: bool) -> None:
    """A person who stages without end holds up the second writer, for a part of the time that it would wait at all."""
    room.history.settings = room.history.settings._replace(lock_wait_seconds=int(PATIENCE))

    with ExitStack() as before:
        if others:
            before.enter_context(room.history.locked())
            monkeypatch.setattr(lock, "time", Line(clock, before.close))
        room.append("memory/learned.md", "- two")

    assert (clock.passed >= 0.1 * PATIENCE) is others
    assert clock.passed < PATIENCE / 2


def test_a_long_line_comes_to_its_turn_while_a_person_stages_without_end(
    room, clock, staging, monkeypatch
) -> None:
    """Mutant: each of them gives way for a tenth of the whole time, and the eleventh finds the workspace busy."""
    room.history.settings = room.history.settings._replace(lock_wait_seconds=2)
    writers, waiting, done = 14, set(), []
    all_wait = threading.Event()

    def look() -> None:
        waiting.add(threading.get_ident())
        if len(waiting) == writers:
            all_wait.set()

    def write() -> None:
        with room.history.locked():
            room.history.courtesy.wait()
            done.append(threading.get_ident())

    monkeypatch.setattr(lock, "time", Line(clock, look))
    line = [threading.Thread(target=write) for _ in range(writers)]
    with room.history.locked():
        for each in line:
            each.start()
        assert all_wait.wait(60)
    for each in line:
        each.join()

    assert len(done) == writers
    assert 1 < clock.passed < 2


# --- commits, as the hooks tell of them ---


@pytest.fixture
def processes():
    """Return processes by name: one that runs, one that ended, and one whose end its parent has not looked at."""
    begun = {name: subprocess.Popen(["sleep", "600"]) for name in ("running", "ended", "killed")}
    for name in ("ended", "killed"):
        begun[name].kill()
    begun["ended"].wait()
    os.waitid(os.P_PID, begun["killed"].pid, os.WEXITED | os.WNOWAIT)
    yield {name: str(process.pid) for name, process in begun.items()}
    begun["running"].kill()
    for process in begun.values():
        process.wait()


@pytest.mark.parametrize(
    ("said", "ago", "commits"),
    [
        pytest.param("{running}\n", 0, True, id="a process that runs"),
        pytest.param("{running}\n", COMMIT_SECONDS / 2, True, id="for a while"),
        pytest.param("{running}\n", 2 * COMMIT_SECONDS, False, id="an editor that stays open"),
        pytest.param("{running}\n", -3600, False, id="a clock that was set back"),
        pytest.param("{ended}\n", 0, False, id="it ended"),
        pytest.param("{killed}\n", 0, False, id="it was killed, and its parent sleeps"),
        pytest.param("\n", 0, False, id="done"),
        pytest.param("", 0, False, id="emptied"),
        pytest.param("pre-commit\n", 0, False, id="no number"),
        pytest.param("9" * 30, 0, False, id="a number that is no process"),
        pytest.param(None, 0, False, id="no hooks"),
    ],
)
def test_which_signal_says_that_somebody_commits(tmp_path, processes, said, ago, commits) -> None:
    if said is not None:
        (tmp_path / SIGNAL).write_text(said.format(**processes))
        moment = time.time() - ago
        os.utime(tmp_path / SIGNAL, (moment, moment))

    assert is_committing(tmp_path) is commits


def test_a_change_begins_again_only_some_times_for_commits_without_end(places, processes) -> None:
    index, state = places
    (state / SIGNAL).write_text(processes["running"])
    os.utime(state / SIGNAL, (time.time() - 1, time.time() - 1))
    courtesy = Courtesy(index, state)
    courtesy.renew(LONG, stood_in_line=False)

    assert [courtesy.is_due() for _ in range(TIMES_BEGUN_AGAIN + 2)] == [True] * TIMES_BEGUN_AGAIN + [
        False
    ] * 2
