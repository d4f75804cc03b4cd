"""P4: git's lock files heal when a killed clawgit left them, and are waited for and named when they are another's.

Mutants that these tests caught: an empty branch lock always taken for another's (as libgit2 leaves it for most of a
move), any branch lock beside an intent taken for ours, any `index.lock` taken for ours (3 tests), none (7 tests),
locks below refs/clawgit/ left where they are (4 tests).
"""

from __future__ import annotations

import json
import os
import subprocess
import time

import pytest

from clawgit.history.git.leftovers import Staging
from clawgit.history.transaction.staging import hold_staging

KILL = "signal=SIGKILL"
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


@pytest.mark.smoke
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

    done = forked(room.root, "memory", "add", "after the crash", "--to", "MEMORY.md")

    assert done.returncode == 0, done.stderr
    sound.age_leftovers(room.root)
    assert forked(room.root, "keep").returncode == 0
    sound.check(room.root)
    assert sound.times(room.root, OP) in (0, 1)
    assert room.shown("MEMORY.md").count("after the crash") == 1


@pytest.mark.parametrize(
    "words",
    [pytest.param(("undo", "{}"), id="undo"), pytest.param(("soul", "revert", "{}"), id="soul revert")],
)
def test_what_takes_a_change_back_recovers_too_where_it_was_made_before(
    words, room, tracer, start, work, sound, forked
):
    """Killed once the branch had moved: said again with the same op, the command has only that left to do."""
    room.change({"SOUL.md": room.read("SOUL.md") + "- Be brief.\n"}, actor="operator")
    command = (*(word.format(room.head()) for word in words), "--reason", "No.", "--op", OP)
    staging = str(room.root / ".git/clawgit/staging")  # renamed to the index last of all
    renamed = ("-P", staging, "-e", "trace=rename", "-e", f"inject=rename:{KILL}:when=1")
    assert tracer.run(start(work.command, room.root, command), *renamed) == []
    lock = room.root / ".git/index.lock"
    assert lock.exists()
    assert str(lock) in forked(room.root, "status").stdout

    done = forked(room.root, *command)

    assert done.returncode == 0, done.stderr
    assert "was applied before" in done.stderr
    assert not lock.exists()
    assert sound.times(room.root, OP) == 1
    assert forked(room.root, "status", "--json").returncode == 0
    sound.check(room.root)


def test_a_lock_that_is_left_when_nothing_waits_any_more_is_named_all_the_same(room, kill_at, sound, forked):
    kill_at("unlink", "index.lock")
    assert sound.git(room.root, "for-each-ref", "refs/clawgit/intent") == ""
    lock = room.root / ".git/index.lock"

    said = forked(room.root, "status").stdout
    found = forked(room.root, "doctor").stdout

    assert f"{lock} was left by an interrupted change" in said
    assert str(lock) in found
    assert forked(room.root, "doctor", "--fix").returncode in (0, 1)
    sound.check(room.root)
    assert str(lock) not in forked(room.root, "status").stdout


def test_a_lock_of_a_change_that_is_being_made_is_not_named(room, forked):
    with room.history.locked():
        held = hold_staging(room.history)
        said = forked(room.root, "status", "--json").stdout
        held.release()

    assert json.loads(said)["locks"] == []


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
def test_a_lock_that_has_been_there_for_a_minute_is_named(lock, room, forked):
    held = room.root / lock
    held.touch()
    os.utime(held, (time.time() - 75, time.time() - 75))

    assert f"{held} has been there for 7" in forked(room.root, "status").stdout


@pytest.mark.parametrize("left", [False, True], ids=["alone", "beside an interrupted change"])
def test_a_lock_of_another_program_is_no_leftover_of_ours(left, room, kill_at, forked, sound):
    """Mutant: whatever was left of a change, the lock is taken for a part of it."""
    assert forked(room.root, "config", "set", "lock_wait_seconds", "0").returncode == 0
    if left:
        kill_at("rename", "refs/heads/main")
        (room.root / ".git/index.lock").unlink()
    else:
        Staging.of(room.history).ours.touch()
    held = room.root / ".git/index.lock"
    held.write_text("somebody's")

    assert forked(room.root, "keep").returncode == (5 if left else 0)
    assert forked(room.root, "memory", "add", "must wait", "--to", "MEMORY.md").returncode == 5

    assert held.read_text() == "somebody's"
    held.unlink()
    assert forked(room.root, "keep").returncode == 0
    sound.check(room.root)


@pytest.mark.smoke
@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
@pytest.mark.parametrize("content", [b"", b"f" * 40 + b"\n"], ids=["empty", "filled"])
def test_a_lock_that_somebody_holds_is_named_and_left(lock, content, room, sound, forked):
    room.git("config", "user.name", "Ada")
    assert forked(room.root, "config", "set", "lock_wait_seconds", "1").returncode == 0
    held = room.root / lock
    held.write_bytes(content)
    os.utime(held, (time.time() - AGE, time.time() - AGE))
    before = (room.head(), room.read("MEMORY.md"), held.stat())

    done = forked(room.root, "memory", "add", "must wait", "--to", "MEMORY.md")

    assert done.returncode == 5
    assert str(held) in done.stderr
    assert "for 70" in done.stderr, "its age is not named"
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
