"""The conflict detector killed at any moment: the next run finishes its work, and no conflict is logged twice."""

from __future__ import annotations

import multiprocessing
import random
import time
from datetime import timedelta

import pytest

from clawgit.agents.conflict_detector import ConflictDetector
from clawgit.history.git.repository import open_history
from clawgit.memory.conflict_log import Outcome, read_conflicts

FORK = multiprocessing.get_context("fork")


@pytest.mark.smoke
def test_a_detector_that_is_killed_at_any_moment_logs_each_conflict_once(room, full_length) -> None:
    """Mutants: the cursor is noted before the change is made; a pair of the log is compared again."""
    chance = random.Random(5)
    rounds = 20 if full_length else 5
    for number in range(rounds):
        room.append("MEMORY.md", f"- Gate {number} opens at 08:30. #knowledge", actor="operator")
        room.now += timedelta(days=40)
        room.append("MEMORY.md", f"- Gate {number} opens at 09:45. #knowledge", actor="operator")
        running = FORK.Process(
            target=ConflictDetector.run_round, args=(open_history(room.root), room.now + timedelta(hours=1))
        )
        running.start()
        time.sleep(chance.random() / 4)
        running.kill()
        running.join()
        room.now += timedelta(hours=2)

        ConflictDetector.run_round(room.history, room.now)

        found = read_conflicts((room.root / "CONFLICTS.md").read_bytes())
        assert [each.outcome for each in found] == [Outcome.B] * (number + 1)
        assert room.read("MEMORY.md").count("superseded: k:") == number + 1
        assert ConflictDetector.run_round(room.history, room.now) == []
    assert room.git("status", "--porcelain") == ""
    room.git("fsck", "--full", "--strict", "--no-dangling")
