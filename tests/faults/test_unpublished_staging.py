"""A disk that fails at the one call that gives git the new staging, when the branch has moved already.

Mutants that these tests caught: the file that says whose the lock is goes before the next lock is taken; a second
change is begun on top of a first that is not settled.
"""

from __future__ import annotations

import subprocess

import pytest

from clawgit.history.git.leftovers import Staging
from clawgit.history.git.lock import WorkspaceBusyError
from clawgit.history.transaction.staging import follow

DAY = "memory/2026-03-18.md"
OP = "op-under-test"


@pytest.fixture
def failed(room, tracer, start, work, durable_calls, tmp_path):
    """Return a way to append a line while the staging cannot be published, and to hear what was said."""

    def run(fault: str) -> object:
        rehearsal = tmp_path / "rehearsal"
        subprocess.run(["cp", "-a", room.root, rehearsal], check=True)
        tracer.run(start(work.append, rehearsal, DAY, ["- two"], OP))
        calls = durable_calls(tracer.log, rehearsal)
        call = next(c for c in calls if c.name.startswith("rename") and '.git/index"' in c.line)
        (said,) = tracer.inject(
            start(work.append, room.root, DAY, ["- two"], OP), call.name, call.number, fault
        )
        assert "INJECTED" in tracer.log.read_text()
        return said

    room.change({DAY: "- one\n"}, actor="operator")
    return run


@pytest.mark.smoke
@pytest.mark.parametrize("fault", ["error=ENOSPC", "error=EIO"])
def test_the_change_stands_and_the_next_command_cleans_up(fault, failed, room, sound, forked):
    assert failed(fault) == room.head()
    lock = room.root / ".git/index.lock"
    assert lock.exists(), "a commit of the old staging would take the line out again"
    assert str(lock) in forked(room.root, "status").stdout

    done = forked(room.root, "memory", "add", "afterwards", "--to", DAY)

    assert done.returncode == 0, done.stderr
    assert sound.times(room.root, OP) == 1
    sound.check(room.root)
    room.git("commit", "--allow-empty", "-qm", "hers")
    assert "afterwards" in room.shown(DAY)


@pytest.mark.parametrize("fault", ["error=ENOSPC", "error=EIO"])
def test_a_command_of_two_changes_stops_after_the_first(fault, failed, room, sound, forked):
    """The edit that was kept first is made; the change itself comes with the next command."""
    room.write(DAY, "- one\n- by hand\n")

    said = failed(fault)

    assert said.kind == "UnsettledError"
    assert room.shown(DAY) == "- one\n- by hand\n"
    done = forked(room.root, "memory", "add", "afterwards", "--to", DAY)
    assert done.returncode == 0, done.stderr
    assert "- by hand\n" in room.shown(DAY)
    assert sound.times(room.root, OP) == 0
    sound.check(room.root)


@pytest.mark.parametrize("command", [("memory", "add", "two", "--to", DAY), ("keep",)])
def test_a_command_says_what_is_left_undone_and_the_way_out(
    command, room, tracer, start, work, durable_calls, forked, tmp_path, capfd
):
    forked(room.root, "memory", "add", "one", "--to", DAY)  # what is noted once is noted then
    room.write("MEMORY.md", "- by hand\n")
    rehearsal = tmp_path / "rehearsal"
    subprocess.run(["cp", "-a", room.root, rehearsal], check=True)
    tracer.run(start(work.command, rehearsal, command))
    calls = durable_calls(tracer.log, rehearsal)
    call = next(c for c in calls if c.name.startswith("rename") and '.git/index"' in c.line)

    said = tracer.inject(start(work.command, room.root, command), call.name, call.number, "error=EIO")

    told = capfd.readouterr().err
    assert "INJECTED" in tracer.log.read_text()
    assert said == [0]
    assert "committed" in told
    assert str(room.root / ".git/index.lock") in told
    assert "`clawgit keep`" in told


def test_whoever_takes_the_lock_without_recovering_leaves_it_known_as_ours(failed, room, sound, forked):
    assert failed("error=EIO") == room.head()
    tree = room.history.tip().tree

    with room.history.locked(), pytest.raises(WorkspaceBusyError, match="interrupted change"):
        follow(room.history, tree, tree, ())

    assert Staging.of(room.history).is_ours()
    assert forked(room.root, "keep").returncode == 0
    sound.check(room.root)
