"""A `git commit` that read the staging before an agent's change and locked it only afterwards.

git does so without looking again: it puts what it read back over the agent's refresh, says that HEAD moved, and the
next commit would take the agent's lines out. Mutants seen to fail here: a staging that is older than the last commit
is taken for the operator's; every earlier version counts as one that clawgit replaced.
"""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from running_service import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STOPPED = "stopped by SIGSTOP"
DAY = "memory/2026-03-18.md"
NOTES = "notes.md"
GIT = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
COMMIT = [*GIT, "commit", "--quiet", "-m", "Ada's own commit"]


class LateCommit:
    """A commit of what is staged that has read the staging and stops before it locks it."""

    def __init__(self, room, log: Path, place: tuple[str, int]) -> None:
        stop = f"inject={place[0]}:signal=SIGSTOP:when={place[1]}"
        words = ["strace", "-o", log, "-e", f"trace={place[0]}", "-e", stop, *COMMIT]
        self.strace = subprocess.Popen(words, cwd=room.root, stderr=subprocess.DEVNULL)
        until(lambda: self.strace.poll() is not None or (log.exists() and STOPPED in log.read_text()))
        assert self.strace.poll() is None, "it ended before it stopped"
        listed = subprocess.run(["pgrep", "-P", str(self.strace.pid)], capture_output=True, check=True)
        self.git = int(listed.stdout)

    def go_on(self) -> int:
        os.kill(self.git, signal.SIGCONT)
        return self.strace.wait()

    def kill(self) -> None:
        if self.strace.poll() is None:
            os.kill(self.git, signal.SIGKILL)
            self.strace.wait()


@pytest.fixture
def late_commit(room, tracer, tmp_path) -> Iterator[Callable[[], LateCommit]]:
    """Return a way to start one; which call comes last before the lock is found in a rehearsal on a copy."""
    started: list[LateCommit] = []

    def start() -> LateCommit:
        rehearsal = tmp_path / "rehearsal"
        subprocess.run(["cp", "-a", room.root, rehearsal], check=True)
        log = tracer.folder / "rehearsal"
        subprocess.run(["strace", "-o", log, *COMMIT], cwd=rehearsal, check=True)
        lines = log.read_text().splitlines()
        calls = [line.partition("(")[0] for line in lines]
        locks = next(number for number, line in enumerate(lines) if "index.lock" in line)
        assert any('.git/index"' in line for line in lines[:locks]), "git reads under the lock now"
        last = calls[locks - 1]
        started.append(LateCommit(room, tracer.folder / "real", (last, calls[:locks].count(last))))
        return started[-1]

    yield start
    for each in started:
        each.kill()


def test_what_it_puts_back_takes_no_line_out(room, late_commit, sound):
    room.append(DAY, "- first")
    room.write(NOTES, "Ada wrote this.\n")
    room.git("add", NOTES)

    late = late_commit()
    room.append(DAY, "- second")
    room.append(DAY, "- third")
    assert late.go_on() != 0, "git noticed nothing"
    assert DAY in room.git("diff", "--cached", "--name-only"), "nothing was put back"

    room.append(DAY, "- fourth")
    assert room.git("diff", "--cached", "--name-only") == NOTES
    subprocess.run(COMMIT, cwd=room.root, check=True)
    assert room.shown(DAY).split() == ["-", "first", "-", "second", "-", "third", "-", "fourth"]
    sound.check(room.root)


@pytest.mark.smoke
def test_an_earlier_state_that_a_person_staged_again_stays_staged(room):
    for text in ("one\n", "one\ntwo\n"):
        room.write(DAY, text)
        room.git("add", DAY)
        room.git("commit", "-m", text)
    room.git("restore", "--staged", "--source=HEAD~1", DAY)
    room.append(DAY, "- three")
    assert room.git("show", f":{DAY}") == "one"
    assert Path(room.root, DAY).read_text() == "one\ntwo\n- three\n"
