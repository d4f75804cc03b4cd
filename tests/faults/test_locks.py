"""P4: git's lock files heal when a killed clawgit left them, and are waited for and named when they are another's.

Mutants that these tests caught: an empty branch lock always taken for another's (as libgit2 leaves it for most of a
move), any branch lock beside an intent taken for ours, any `index.lock` taken for ours (3 tests), none (7 tests),
locks below refs/clawgit/ left where they are (4 tests).
"""

from __future__ import annotations

import os
import subprocess
import time

import pytest

KILL = "signal=SIGKILL"
HANGS = 60  # seconds; 2 on an idle machine
AGE = 700_000  # seconds: some more of them read alike
OP = "op-under-test"
LOCKS = {
    "index.lock": ".git/index.lock",
    "main.lock": ".git/refs/heads/main.lock",
}


@pytest.fixture
def kill_at(room, tracer, start, work, durable_calls, tmp_path):
    """Return a way to kill a real change at the first call that fits, as found in a rehearsal on a copy."""

    def kill(name: str, *parts: str) -> None:
        rehearsal = tmp_path / "rehearsal"
        subprocess.run(["cp", "-a", room.root, rehearsal], check=True)
        files = {"memory/learned.md": "- one\n- two\n"}
        tracer.run(start(work.change, rehearsal, files, OP))
        calls = durable_calls(tracer.log, rehearsal)
        call = next(c for c in calls if c.name.startswith(name) and all(part in c.line for part in parts))
        said = tracer.inject(start(work.change, room.root, files, OP), call.name, call.number, KILL)
        assert said == []

    return kill


@pytest.mark.parametrize(
    ("name", "parts", "lock", "size"),
    [
        pytest.param("write", ["clawgit/staging>"], ".git/index.lock", 0, id="index.lock, empty"),
        pytest.param("rename", ["clawgit/staging"], ".git/index.lock", None, id="index.lock, filled"),
        pytest.param(
            "unlink", ["index.lock"], ".git/index.lock", None, id="index.lock, of a staging in place"
        ),
        pytest.param(
            "openat", ["logs/refs/heads/main"], ".git/refs/heads/main.lock", 0, id="main.lock, empty"
        ),
        pytest.param(
            "fsync", ["refs/heads/main.lock"], ".git/refs/heads/main.lock", 41, id="main.lock, filled"
        ),
        pytest.param(
            "fsync",
            ["intent/main.lock"],
            ".git/refs/clawgit/intent/main.lock",
            None,
            id="our own reference's",
        ),
    ],
)
def test_a_lock_that_a_killed_clawgit_left_is_gone_with_the_next_command(
    name, parts, lock, size, room, kill_at, sound, forked
):
    kill_at(name, *parts)
    left = room.root / lock
    assert left.exists(), sound.leftovers(room.root)
    assert size is None or left.stat().st_size == size

    began = time.monotonic()
    done = forked(room.root, "memory", "add", "after the crash", "--to", "MEMORY.md")
    took = time.monotonic() - began

    assert done.returncode == 0, done.stderr
    assert took <= HANGS
    sound.age_leftovers(room.root)
    assert forked(room.root, "keep").returncode == 0
    sound.check(room.root)
    assert sound.times(room.root, OP) in (0, 1)
    assert room.shown("MEMORY.md").count("after the crash") == 1


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
@pytest.mark.parametrize("content", [b"", b"f" * 40 + b"\n"], ids=["empty", "filled"])
def test_a_lock_that_somebody_holds_is_waited_for_then_named_and_left(lock, content, room, sound, forked):
    room.git("config", "user.name", "Ada")
    assert forked(room.root, "config", "set", "lock_wait_seconds", "1").returncode == 0
    held = room.root / lock
    held.write_bytes(content)
    os.utime(held, (time.time() - AGE, time.time() - AGE))
    before = (room.head(), room.read("MEMORY.md"), held.stat())

    began = time.monotonic()
    done = forked(room.root, "memory", "add", "must wait", "--to", "MEMORY.md")
    took = time.monotonic() - began

    assert done.returncode == 5
    assert str(held) in done.stderr
    assert "for 70" in done.stderr, "its age is not named"
    assert 1 <= took < 1 + HANGS
    after = held.stat()
    assert (room.head(), room.read("MEMORY.md")) == before[:2]
    assert (held.read_bytes(), after.st_ino, after.st_mtime_ns) == (
        content,
        before[2].st_ino,
        before[2].st_mtime_ns,
    )
    held.unlink()
    sound.check(room.root)
    assert forked(room.root, "memory", "add", "must wait", "--to", "MEMORY.md").returncode == 0


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
def test_a_lock_that_is_given_back_in_time_is_only_waited_for(lock, room, sound, start, work):
    held = room.root / lock
    held.touch()
    worker = start(work.change, room.root, {"memory/learned.md": "- one\n"}, OP)
    worker.go()
    time.sleep(0.3)
    assert sound.times(room.root, OP) == 0

    held.unlink()

    assert [type(one) for one in worker.said()] == [str]
    sound.check(room.root)


def test_a_foreign_lock_beside_an_interrupted_change_is_left_alone(room, kill_at, sound, forked):
    assert forked(room.root, "config", "set", "lock_wait_seconds", "1").returncode == 0
    kill_at("openat", "refs/heads/main.lock")
    held = room.root / ".git/refs/heads/main.lock"
    held.write_text("f" * 40 + "\n")

    done = forked(room.root, "keep")

    assert done.returncode == 5
    assert held.read_text() == "f" * 40 + "\n"
    assert sound.times(room.root, OP) == 0
    held.unlink()
    assert forked(room.root, "keep").returncode == 0
    assert sound.times(room.root, OP) == 1
    sound.check(room.root)


def test_a_second_clawgit_waits_for_the_first_and_then_says_who_holds_the_workspace(room, sound, forked):
    assert forked(room.root, "config", "set", "lock_wait_seconds", "1").returncode == 0
    before = room.head()
    with room.history.locked():
        done = forked(room.root, "memory", "add", "must wait", "--to", "MEMORY.md")

    assert done.returncode == 5
    assert f"process {os.getpid()} clawgit" in done.stderr
    assert room.head() == before
    sound.check(room.root)


@pytest.mark.parametrize("name", ["intent/main", "past/0123456789abcdef", "proposals/p-0123456789"])
def test_a_lock_beside_a_reference_of_ours_is_always_a_leftover(name, room, sound, forked):
    lock = room.root / ".git/refs/clawgit" / f"{name}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()

    assert forked(room.root, "memory", "add", "goes on", "--to", "MEMORY.md").returncode == 0

    sound.check(room.root)
