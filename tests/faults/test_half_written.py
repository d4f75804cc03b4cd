"""A host that truncates a file and fills it again, step by step, while clawgit commits and writes the same file.

Mutants that these tests caught: files are read as they stand, for `keep` and for a plan (the half is committed); a
file is replaced while somebody writes it (the other half is lost); what was cut short is taken for an edit at once.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from clawgit.history.transaction.working_tree import CLOCKS_APART

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAY = "memory/2026-03-18.md"
OP = "op-killed"
BEFORE = "".join(f"- Ada said thing number {number}.\n" for number in range(40))
WHOLE = BEFORE + "- And this at the end of the day.\n"
HALF = len(WHOLE) // 2 + 7  # in the middle of a line
ADD = ("memory", "add", "Something else.", "--to", DAY)
WRITER = """
import sys
path, half, mode = sys.argv[1], int(sys.argv[2]), sys.argv[3]
text = sys.stdin.buffer.readline().decode("unicode_escape").removesuffix("\\n").encode()
with open(path, mode) as file:
    file.write(text[:half])
    file.flush()
    print("half", flush=True)
    sys.stdin.buffer.readline()
    file.write(text[half:])
"""
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells who has a file open for writing"
)


class Host:
    """A program that writes one text in two steps, the second when it is told."""

    def __init__(self, path: Path, text: str, half: int, mode: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(half), mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(text.replace("\n", "\\n").encode() + b"\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == b"half\n"

    def go_on(self) -> None:
        self.process.communicate(b"\n")
        assert self.process.returncode == 0


@pytest.fixture
def host(room) -> Iterator:
    """Return a way to start the host's writing; what still waits in the end is ended."""
    room.change({DAY: BEFORE}, actor="operator")
    started: list[Host] = []

    def begin(text: str = WHOLE, half: int = HALF, mode: str = "wb") -> Host:
        started.append(Host(room.root / DAY, text, half, mode))
        return started[-1]

    yield begin
    for one in started:
        if one.process.returncode is None:
            one.process.kill()
            one.process.communicate()


def states(room) -> list[str]:
    """Return how the file read in every commit, the newest first."""
    return [room.shown(DAY, commit) for commit in room.git("log", "--format=%H", "--", DAY).split()]


def assert_no_line_is_torn(room) -> None:
    for state in states(room):
        lines = (line.split(" <!--")[0] for line in state.splitlines() if "Something else." not in line)
        assert {line for line in lines if line} <= set(WHOLE.splitlines())


@pytest.mark.parametrize("command", [("keep",), ADD], ids=["keep", "memory add"])
def test_a_file_that_a_host_goes_on_writing_is_left_alone_and_named(
    impatient, host, room, forked, sound, command
):
    before = room.head()
    writing = host()

    refused = forked(room.root, *command)

    assert refused.returncode == 5, refused.stderr
    assert DAY in refused.stderr
    assert room.head() == before
    assert room.read(DAY) == WHOLE[:HALF]
    writing.go_on()
    assert room.read(DAY) == WHOLE
    done = forked(room.root, *command)
    assert done.returncode == 0, done.stderr
    assert_no_line_is_torn(room)
    assert room.shown(DAY).startswith(WHOLE)
    sound.check(room.root)


@pytest.mark.parametrize("command", [("keep",), ADD], ids=["keep", "memory add"])
def test_a_host_that_comes_to_an_end_in_time_is_only_waited_for(host, room, sound, start, work, command):
    """The host goes on once clawgit has the workspace: from then on it waits for the host alone."""
    before = room.head()
    writing = host()
    worker = start(work.command, room.root, command)
    worker.go()
    held = room.root / ".git/clawgit/lock"
    while str(worker.pid) not in held.read_text():
        assert worker.process.is_alive()

    assert room.head() == before
    writing.go_on()

    assert worker.said() == [0]
    assert_no_line_is_torn(room)
    assert room.shown(DAY).startswith(WHOLE)
    sound.check(room.root)


def test_a_host_that_has_a_file_open_to_add_to_it_loses_nothing(impatient, host, room, forked, sound):
    """It has written nothing yet, so the file reads as in the last commit."""
    writing = host("- And this at the end of the day.\n", 0, "ab")

    assert forked(room.root, *ADD).returncode == 5
    writing.go_on()
    assert forked(room.root, *ADD).returncode == 0

    assert room.shown(DAY).startswith(WHOLE)
    assert "Something else." in room.shown(DAY)
    sound.check(room.root)


@pytest.mark.smoke
def test_other_files_are_kept_meanwhile(impatient, host, room, forked):
    writing = host()
    room.write("memory/beside.md", "beside\n")

    kept = forked(room.root, "keep")

    assert kept.returncode == 5
    assert room.shown("memory/beside.md") == "beside\n"
    assert room.shown(DAY) == BEFORE
    writing.go_on()
    assert forked(room.root, "keep").returncode == 0
    assert room.shown(DAY) == WHOLE


@pytest.fixture
def impatient(room, forked) -> None:
    """Let nobody wait for anybody."""
    assert forked(room.root, "config", "set", "lock_wait_seconds", "0").returncode == 0


@pytest.fixture
def interrupted(host, room, tracer, start, work, durable_calls, tmp_path) -> Host:
    """Return a host that writes the file of a change which was killed before the file was replaced."""
    files = {DAY: BEFORE + "- Something else.\n"}
    rehearsal = tmp_path / "rehearsal"
    subprocess.run(["cp", "-a", room.root, rehearsal], check=True)
    tracer.run(start(work.change, rehearsal, files, OP))
    calls = durable_calls(tracer.log, rehearsal)
    call = next(call for call in calls if call.name == "renameat" and "2026-03-18" in call.line)
    killed = start(work.change, room.root, files, OP)
    assert tracer.inject(killed, call.name, call.number, "signal=SIGKILL") == []
    return host()


def test_an_interrupted_change_is_not_finished_over_a_host_that_goes_on_writing(
    impatient, interrupted, room, forked, sound
):
    assert forked(room.root, "keep").returncode == 5
    assert room.read(DAY) == WHOLE[:HALF]
    interrupted.go_on()
    assert forked(room.root, "keep").returncode == 0

    assert sound.times(room.root, OP) == 1
    assert_no_line_is_torn(room)
    assert set(WHOLE.splitlines()) <= set(room.shown(DAY).splitlines())
    sound.check(room.root)


def test_an_interrupted_change_waits_for_a_host_that_comes_to_an_end(
    interrupted, room, tracer, start, work, sound
):
    """The host goes on once clawgit has found that it writes."""
    worker = start(work.command, room.root, ("keep",))
    strace = tracer.attach(worker, "-e", "trace=fcntl")
    worker.go()
    while not re.search(r"F_SETLEASE.*EAGAIN", tracer.log.read_text()):
        assert worker.process.is_alive()
    interrupted.go_on()

    assert worker.said() == [0]
    strace.wait()
    assert sound.times(room.root, OP) == 1
    assert_no_line_is_torn(room)
    sound.check(room.root)


def test_what_was_cut_short_just_now_is_no_edit_yet(impatient, host, room, forked):
    """A shell that writes a text with two commands has the file open in neither of the moments between them."""
    host(BEFORE[:HALF], HALF).go_on()
    soon, long_ago = time.time() + CLOCKS_APART - 1, time.time() - 3600
    os.utime(room.root / DAY, (soon, soon))

    assert forked(room.root, "keep").returncode == 5
    assert room.shown(DAY) == BEFORE

    os.utime(room.root / DAY, (long_ago, long_ago))
    assert forked(room.root, "keep").returncode == 0
    assert states(room) == [BEFORE[:HALF] + "\n", BEFORE]
