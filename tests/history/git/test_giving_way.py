"""Writers in a line let a person's git go first, for a moment; nobody else waits for anything.

Mutants that these tests caught: nobody gives way, everybody does, without a bound, a change of ours hides the person.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace

import pytest

from clawgit.history.authorship.own_commits import OWN
from clawgit.history.git.giving_way import QUIET_SECONDS, give_way, note_person

PATIENCE = 20.0
LONG, SHORT = 30.0, 0.2


@pytest.fixture
def places(tmp_path):
    """Return a staging that git wrote just now, and clawgit's folder, in which a change was noted before that."""
    index = tmp_path / "index"
    (tmp_path / OWN).write_text("")
    os.utime(tmp_path / OWN, (time.time() - 60, time.time() - 60))
    index.write_bytes(b"")
    return index, tmp_path


def waited(index, state, at_most: float) -> float:
    begun = time.monotonic()
    give_way(index, state, at_most=at_most)
    return time.monotonic() - begun


def older(path, seconds: float) -> None:
    when = path.stat().st_mtime - seconds
    os.utime(path, (when, when))


def test_way_is_given_until_git_has_been_quiet_for_a_moment(places) -> None:
    assert 0.5 * QUIET_SECONDS < waited(*places, LONG) < 0.5 * LONG


def test_way_is_given_no_longer_than_told(places) -> None:
    assert SHORT <= waited(*places, SHORT) < QUIET_SECONDS


def test_what_git_wrote_long_ago_or_before_a_change_of_ours_holds_nobody_up(places) -> None:
    index, state = places

    (state / OWN).touch()
    after_ours = waited(index, state, LONG)
    older(state / OWN, 120)
    older(index, 60)

    assert max(after_ours, waited(index, state, LONG)) < SHORT


def test_a_person_is_not_forgotten_when_a_change_of_ours_writes_over_the_staging(places) -> None:
    index, state = places

    note_person(index, state)
    (state / OWN).touch()

    assert waited(index, state, SHORT) >= SHORT


def test_a_clock_that_was_set_back_holds_nobody_up(places) -> None:
    index, state = places
    older(index, -3600)

    assert waited(index, state, LONG) < SHORT


@pytest.mark.parametrize("others", [False, True])
def test_only_who_stood_in_line_gives_way(room, others: bool) -> None:
    """A person who stages without end holds up the second writer, for a part of the time that it would wait at all."""
    room.history.settings = replace(room.history.settings, lock_wait_seconds=int(PATIENCE))
    room.append("memory/learned.md", "- one")
    stop = threading.Event()

    def stage() -> None:
        while not stop.wait(0.01):
            os.utime(room.root / ".git/index")

    os.utime(room.root / ".git/index")
    person = threading.Thread(target=stage)
    person.start()
    try:
        took = _in_line(room) if others else _alone(room)
    finally:
        stop.set()
        person.join()

    assert (took >= 0.1 * PATIENCE) is others
    assert took < PATIENCE / 2


def _alone(room) -> float:
    begun = time.monotonic()
    room.append("memory/learned.md", "- two")
    return time.monotonic() - begun


def _in_line(room) -> float:
    before = room.history.locked()
    before.__enter__()
    second = threading.Timer(0.2, before.__exit__, (None, None, None))
    second.start()
    took = _alone(room)
    second.join()
    return took


def test_a_long_line_comes_to_its_turn_while_a_person_stages_without_end(room) -> None:
    """Mutant: each of them gives way for a tenth of the whole time, and the eleventh finds the workspace busy."""
    room.history.settings = replace(room.history.settings, lock_wait_seconds=2)
    index, writers = room.root / ".git/index", 14
    stop, done = threading.Event(), []

    def stage() -> None:
        while not stop.wait(0.01):
            os.utime(index)

    def write() -> None:
        with room.history.locked():
            done.append(threading.get_ident())

    os.utime(index)
    person = threading.Thread(target=stage)
    line = [threading.Thread(target=write) for _ in range(writers)]
    with room.history.locked():
        for each in (person, *line):
            each.start()
        time.sleep(0.1)
    for each in line:
        each.join()
    stop.set()
    person.join()

    assert len(done) == writers
