"""A `git commit` that read the staging before an agent's change and locked it only afterwards.

git does so without looking again: it puts what it read back over the agent's refresh, says that HEAD moved, and the
next commit would take the agent's lines out. Mutants seen to fail here: a staging that is older than the last commit
is taken for the operator's; every earlier version counts as one that clawgit replaced.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

DAY = "memory/2026-03-18.md"
NOTES = "notes.md"
GIT = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
COMMIT = [*GIT, "commit", "--quiet", "-m", "Ada's own commit"]


@pytest.fixture
def delayed_commit(room, tracer, tmp_path):
    """Return a way to start a commit of what is staged that waits between reading the staging and locking it."""

    def start() -> subprocess.Popen[bytes]:
        rehearsal = tmp_path / "rehearsal"
        subprocess.run(["cp", "-a", room.root, rehearsal], check=True)
        log = tracer.folder / "rehearsal"
        strace = ["strace", "-e", "trace=openat", "-o"]
        subprocess.run([*strace, log, *COMMIT], cwd=rehearsal, check=True)
        opened = log.read_text().splitlines()
        locks = next(number for number, call in enumerate(opened, 1) if "index.lock" in call)
        assert any('.git/index"' in call for call in opened[:locks]), "git reads under the lock now"
        wait = f"inject=openat:delay_enter=6s:when={locks}"
        real = tracer.folder / "real"
        waiting = subprocess.Popen(
            [*strace, real, "-e", wait, *COMMIT], cwd=room.root, stderr=subprocess.DEVNULL
        )
        while not real.exists() or real.read_text().count("\n") < locks - 1:
            assert waiting.poll() is None, "it ended before it waited"
        return waiting

    return start


def test_what_it_puts_back_takes_no_line_out(room, delayed_commit, sound):
    room.append(DAY, "- first")
    room.write(NOTES, "Ada wrote this.\n")
    room.git("add", NOTES)

    late = delayed_commit()
    room.append(DAY, "- second")
    room.append(DAY, "- third")
    assert late.poll() is None, "it did not wait"
    assert late.wait() != 0, "git noticed nothing"
    assert DAY in room.git("diff", "--cached", "--name-only"), "nothing was put back"

    room.append(DAY, "- fourth")
    assert room.git("diff", "--cached", "--name-only") == NOTES
    subprocess.run(COMMIT, cwd=room.root, check=True)
    assert room.shown(DAY).split() == ["-", "first", "-", "second", "-", "third", "-", "fourth"]
    sound.check(room.root)


def test_an_earlier_state_that_a_person_staged_again_stays_staged(room):
    for text in ("one\n", "one\ntwo\n"):
        room.write(DAY, text)
        room.git("add", DAY)
        room.git("commit", "-m", text)
    room.git("restore", "--staged", "--source=HEAD~1", DAY)
    room.append(DAY, "- three")
    assert room.git("show", f":{DAY}") == "one"
    assert Path(room.root, DAY).read_text() == "one\ntwo\n- three\n"
