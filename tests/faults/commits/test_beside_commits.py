"""Changes beside somebody's `git commit`: it fails where HEAD moves while it runs, so no writer moves it meanwhile.

Mutants seen to fail here: no writer waits; a change that has begun goes on; the script leaves no signal; the signal
is not emptied after the commit.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from patient_git import git_as_ada
from running_service import until

from clawgit.history.git.giving_way import SIGNAL
from clawgit.history.git.repository import open_history
from clawgit.history.hooks.install import install_hooks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LEARNED = "memory/learned.md"
LINE = "The agent learned this."
EDITOR = """#!/bin/sh
echo "Ada's note" >"$1"
: >"$ROOM/.git/open"
while [ -d "$ROOM/.git" ] && [ ! -e "$ROOM/.git/go-on" ]; do sleep 0.01; done
"""


class SlowCommit:
    """A `git commit` whose editor is open until it is told to go on."""

    def __init__(self, root: Path, *options: str) -> None:
        self.root = root
        editor = root / ".git/editor"
        editor.write_text(EDITOR)
        editor.chmod(0o755)
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        self.process = subprocess.Popen(
            ["git", *who, "commit", *options],
            cwd=root,
            env={**os.environ, "GIT_EDITOR": str(editor), "ROOM": str(root)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        until(lambda: (root / ".git/open").exists() or self.process.poll() is not None)
        assert self.process.poll() is None, self.process.stderr

    def go_on(self) -> tuple[int, str]:
        (self.root / ".git/go-on").touch()
        _, said = self.process.communicate()
        return self.process.returncode, said


@pytest.fixture
def hooked(room):
    """Return the workspace with hooks, in which Ada has staged something."""
    install_hooks(room.history, sys.executable)
    room.append(LEARNED, "- first")
    room.write("notes.md", "Ada's note.\n")
    room.git("add", "notes.md")
    return room


@pytest.fixture
def slow_commit(hooked) -> Iterator[Callable[..., SlowCommit]]:
    begun: list[SlowCommit] = []

    def begin(*options: str) -> SlowCommit:
        begun.append(SlowCommit(hooked.root, *options))
        return begun[-1]

    yield begin
    for each in begun:
        each.process.kill()
        each.process.wait()
        each.process.stderr.close()


@pytest.fixture
def fresh(hooked) -> Iterator[None]:
    """Keep the signal young however busy the machine is."""
    over = threading.Event()

    def freshen() -> None:
        while not over.wait(0.05):
            with suppress(FileNotFoundError):
                os.utime(hooked.root / ".git/clawgit" / SIGNAL)

    thread = threading.Thread(target=freshen)
    thread.start()
    yield
    over.set()
    thread.join()


def subjects(room) -> list[str]:
    return room.git("log", "--format=%s", "-2").splitlines()


@pytest.mark.parametrize("options", [(), ("--no-verify",), ("--amend",)], ids=" ".join)
def test_a_writer_that_comes_during_a_commit_waits_until_that_is_done(
    options, hooked, fresh, slow_commit, start, work, sound
):
    """The editor is let go only once the writer holds the workspace; without waiting it would be done before git is."""
    commit = slow_commit(*options)
    writer = start(work.append, hooked.root, LEARNED, [f"- {LINE}"])
    writer.go()
    until((hooked.root / ".git/clawgit/lock").read_bytes)
    until(lambda: str(writer.pid) in (hooked.root / ".git/clawgit/lock").read_text())

    assert commit.go_on() == (0, "")
    assert len(writer.said()) == 1
    assert subjects(hooked) == [f"test: - {LINE}", "Ada's note"]
    sound.check(hooked.root)


def test_a_change_that_has_begun_lets_a_commit_pass_that_began_meanwhile(
    hooked, fresh, slow_commit, start, work, stopped, sound
):
    """The change is stopped when its intent names it; then Ada's editor opens, and closes when the intent is gone."""
    commits = []

    def begin(root):
        return start(work.append, root, LEARNED, [f"- {LINE}"])

    def open_editor() -> None:
        commits.append(slow_commit())
        threading.Thread(target=close_editor).start()

    def close_editor() -> None:
        until(lambda: hooked.git("for-each-ref", "refs/clawgit/intent") == "")
        (hooked.root / ".git/go-on").touch()

    said = stopped(begin, hooked.root, (("link", "refs/clawgit/intent"), open_editor))

    assert commits[0].go_on() == (0, "")
    assert len(said) == 1
    assert subjects(hooked) == [f"test: - {LINE}", "Ada's note"]
    sound.check(hooked.root)


def test_a_writer_does_not_wait_for_an_editor_that_stays_open(hooked, slow_commit):
    slow_commit()
    os.utime(hooked.root / ".git/clawgit" / SIGNAL, (0, 0))

    hooked.append(LEARNED, f"- {LINE}")

    assert LINE in hooked.shown(LEARNED)


@pytest.mark.smoke
@pytest.mark.parametrize("end", ["killed", "refused"])
def test_a_commit_that_was_not_made_holds_nobody_up(end, hooked, slow_commit, fresh):
    if end == "killed":
        commit = slow_commit()
        commit.process.kill()
        commit.process.wait()
    else:
        hooked.write("notes.md", "<<<<<<< ours\n- tea\n=======\n- coffee\n>>>>>>> theirs\n")
        hooked.git("add", "notes.md")
        assert git_as_ada(hooked.root, "commit", "-m", "bad").returncode == 1

    hooked.append(LEARNED, f"- {LINE}")

    assert LINE in hooked.shown(LEARNED)


@pytest.mark.long
@pytest.mark.parametrize("options", [("notes.md",), ()], ids=["add and commit", "commit -a"])
def test_fifty_commits_beside_eight_writers(options, hooked, start, work, sound):
    """Of 50, one try each, few fail: how many depends on the machine, so only what must not happen is asserted here."""
    writers = [
        start(work.append, hooked.root, f"memory/{number}.md", [f"- {line}" for line in range(400)])
        for number in range(8)
    ]
    hooked.git("commit", "--quiet", "-m", "first")
    for writer in writers:
        writer.go()
    outcomes: Counter[str] = Counter()
    for number in range(50):
        with (hooked.root / "notes.md").open("a") as notes:
            notes.write(f"note {number}\n")
        while options and git_as_ada(hooked.root, "add", *options).returncode != 0:
            time.sleep(0.02)
        done = git_as_ada(hooked.root, "commit", "-q", "-m", f"note {number}", *(() if options else ("-a",)))
        outcomes["made" if done.returncode == 0 else _reason(done.stderr)] += 1
        time.sleep(random.uniform(0, 0.5))
    for writer in writers:
        writer.kill()

    assert outcomes["made"] > 25, (outcomes, os.getloadavg())
    assert "note 0" in open_history(hooked.root).tip().tree.read("notes.md").decode()
    sound.fsck(hooked.root)


def _reason(said: str) -> str:
    return re.sub("[0-9a-f]{40}", "ID", said.splitlines()[0])
