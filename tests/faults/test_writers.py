"""P1: no acknowledged write is lost between processes.

Mutants that these tests caught: no kernel lock, no lock and no compare-and-swap, the tip read before the lock, the
plan made from an earlier tree than the one it is applied to (2 of 160 lines left, every commit there).
"""

from __future__ import annotations

import subprocess
import sys

import pytest

WRITERS = 8


def lines_of(writer: int, count: int) -> list[str]:
    return [f"- line {number} of writer {writer}" for number in range(count)]


def check_lines(room, sound, path, wanted, *, before) -> None:
    """Every line once in HEAD, one commit for each, in one straight line."""
    text = [line.split(" <!--")[0] for line in room.shown(path).splitlines()]
    assert sorted(line for line in text if " of writer " in line) == sorted(wanted)
    assert int(room.git("rev-list", "--count", "HEAD")) == before + len(wanted)
    assert room.git("rev-list", "--merges", "--count", "HEAD") == "0"
    sound.check(room.root)


@pytest.mark.smoke
def test_eight_writers_lose_no_line_between_them(room, start, work, sound, full_length):
    count = 200 if full_length else 12
    before = int(room.git("rev-list", "--count", "HEAD"))
    workers = [
        start(work.append, room.root, "memory/learned.md", lines_of(writer, count))
        for writer in range(WRITERS)
    ]
    for worker in workers:
        worker.go()
    said = [worker.said(300) for worker in workers]

    assert [worker.process.exitcode for worker in workers] == [0] * WRITERS
    assert len({commit for commits in said for commit in commits}) == WRITERS * count
    wanted = [line for writer in range(WRITERS) for line in lines_of(writer, count)]
    check_lines(room, sound, "memory/learned.md", wanted, before=before)


def test_eight_shells_that_remember_at_once_all_succeed(room, sound, full_length):
    count = 12 if full_length else 1
    before = int(room.git("rev-list", "--count", "HEAD"))
    script = 'root=$1; python=$2; shift 2; for text; do "$python" -m clawgit -w "$root" memory add --to MEMORY.md "$text" || exit; done'
    shells = [
        subprocess.Popen(
            ["/bin/sh", "-c", script, "sh", room.root, sys.executable, *statements],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for statements in ([line[2:] for line in lines_of(writer, count)] for writer in range(WRITERS))
    ]
    ended = [(shell.communicate(), shell.returncode) for shell in shells]

    assert [code for _, code in ended] == [0] * WRITERS, ended
    acknowledged = {commit for (out, _), _ in ended for commit in out.decode().split()}
    assert acknowledged <= {commit[:12] for commit in sound.commits(room.root)}
    assert len(acknowledged) == WRITERS * count
    text = room.shown("MEMORY.md")
    assert all(text.count(f": line {n} of writer {w}") == 1 for w in range(WRITERS) for n in range(count))
    assert int(room.git("rev-list", "--count", "HEAD")) == before + WRITERS * count
    assert room.git("rev-list", "--merges", "--count", "HEAD") == "0"
    sound.check(room.root)
