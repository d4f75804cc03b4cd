"""P2: kill -9 at any moment loses nothing that was acknowledged, and never turns an agent's text into another's.

Mutants that these tests caught: no recovery (all three tests), no intent reference (all three), files before the
intent (an agent's lines committed as unknown), half-written objects left for ever.
"""

from __future__ import annotations

import random
import re
import time

import pytest

AGENT = "agent-wrote"
HUMAN = "human-wrote"
NOT_AGENTS = {"", "operator", "unknown", "host"}
INTENT = ".git/refs/clawgit/intent/main"


def agents_lines(round_number: int) -> list[str]:
    return [f"- {AGENT} {round_number}-{number}" for number in range(1000)]


def wait(room, chance: random.Random, at_most: float) -> None:
    """Wait for any moment, most times for one in the midst of a change, whose intent is there."""
    time.sleep(chance.uniform(0, at_most))
    until = time.monotonic() + (0.5 if chance.random() < 0.75 else 0)
    while time.monotonic() < until and not (room.root / INTENT).exists():
        pass


@pytest.mark.smoke
def test_kill_9_in_a_loop_of_changes_loses_no_acknowledged_one(room, start, work, sound, full_length):
    chance = random.Random(2)
    acknowledged = []
    for round_number in range(300 if full_length else 6):
        worker = start(work.append, room.root, "memory/learned.md", agents_lines(round_number))
        worker.go()
        wait(room, chance, 0.05)
        worker.kill()
        acknowledged += worker.said()
        sound.age_leftovers(room.root)  # forks share libgit2's random names; hours pass between real crashes

        following = start(work.append, room.root, "memory/learned.md", [f"- next after {round_number}"])
        following.go()
        said = following.said()

        assert [type(one) for one in said] == [str], f"round {round_number}: {said}"
        acknowledged += said
        sound.fsck(room.root)
    assert set(acknowledged) <= set(sound.commits(room.root))
    assert len(set(acknowledged)) == len(acknowledged)
    lines = [line.split(" <!--")[0] for line in room.shown("memory/learned.md").splitlines()]
    assert len(set(lines) - {""}) == len([line for line in lines if line]), "a line was written twice"
    sound.age_leftovers(room.root)
    room.append("memory/learned.md", "- last")
    sound.check(room.root)


def added_by(room, since: str) -> list[tuple[str, str]]:
    """Return (actor, line) for every line that a commit after ``since`` added, as git shows it."""
    mark = "actor="
    actor = "%(trailers:key=Clawgit-Actor,valueonly,separator=)"
    log = room.git("log", "-p", "--no-renames", "--no-color", f"--format={mark}{actor}", f"{since}..HEAD")
    found = []
    who = ""
    for line in log.splitlines():
        if line.startswith(mark):
            who = line.removeprefix(mark)
        elif line.startswith("+") and not line.startswith("+++"):
            found.append((who, line[1:]))
    return found


@pytest.mark.parametrize("twice", [False, True], ids=["killed once", "killed again in recovery"])
def test_a_killed_agents_text_is_never_committed_as_anybody_elses(
    room, start, work, sound, forked, full_length, twice
):
    chance = random.Random(7)
    room.change({"memory/learned.md": f"# Learned\n\n- {AGENT} first\n", "memory/day.md": "# Day\n"})
    since = room.head()
    rounds = 75 if full_length else 3
    for round_number in range(rounds):
        worker = start(work.mixed, room.root, AGENT, round_number)
        worker.go()
        wait(room, chance, 0.06)
        worker.kill()
        if round_number % 3 == 0:
            with (room.root / "memory/learned.md").open("a") as file:
                file.write(f"- {HUMAN} {round_number}\n")
        if twice:
            again = start(work.keep, room.root)
            again.go()
            time.sleep(chance.uniform(0, 0.02))
            again.kill()

        kept = forked(room.root, "keep")
        wrote = forked(
            room.root,
            "memory",
            "add",
            f"{AGENT} after {round_number}",
            "--to",
            "memory/learned.md",
            CLAWGIT_ACTOR="memory-miner",
        )

        assert (kept.returncode, wrote.returncode) == (0, 0), kept.stderr + wrote.stderr
        sound.fsck(room.root)
        assert sound.git(room.root, "status", "--porcelain") == ""
    added = added_by(room, since)
    assert [(who, line) for who, line in added if who in NOT_AGENTS and AGENT in line] == []
    theirs = sorted((who, re.sub(r" <!--.*", "", line)) for who, line in added if HUMAN in line)
    assert theirs == sorted(("unknown", f"- {HUMAN} {number}") for number in range(0, rounds, 3))
    sound.age_leftovers(room.root)
    room.append("memory/learned.md", "- last")
    sound.check(room.root)
