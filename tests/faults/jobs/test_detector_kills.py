"""The conflict detector killed at any moment: the next run finishes its work, and no conflict is logged twice."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from datetime import timedelta

from clawgit.agents.conflict_detector.detection_round import detect
from clawgit.memory.conflicts.conflict_log import Outcome, read_conflicts


def test_a_detector_that_is_killed_at_any_moment_logs_each_conflict_once(room, full_length) -> None:
    """Mutants: the cursor is noted before the change is made; a pair of the log is compared again."""
    chance = random.Random(5)
    rounds = 20 if full_length else 5
    for number in range(rounds):
        room.append("MEMORY.md", f"- Gate {number} opens at 08:30. #knowledge", actor="operator")
        room.now += timedelta(days=40)
        room.append("MEMORY.md", f"- Gate {number} opens at 09:45. #knowledge", actor="operator")
        now = (room.now + timedelta(hours=1)).isoformat()
        command = (sys.executable, "-P", "-m", "clawgit", "-w", str(room.root), "--rehearse", "--now", now)
        running = subprocess.Popen(
            (*command, "run", "conflict-detector"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(chance.random() * 1.5)
        running.kill()
        running.wait()
        room.now += timedelta(hours=2)

        detect(room.history, room.now)

        found = read_conflicts((room.root / "CONFLICTS.md").read_bytes())
        assert [each.outcome for each in found] == [Outcome.B] * (number + 1)
        assert room.read("MEMORY.md").count("superseded: k:") == number + 1
        assert detect(room.history, room.now) == []
    assert room.git("status", "--porcelain") == ""
    room.git("fsck", "--full", "--strict", "--no-dangling")
