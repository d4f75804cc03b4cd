"""`git gc --prune=now` beside writers: it takes what no reference named when it looked.

Mutants that these tests caught: nobody looks whether what was written is still there, before the branch moves or
after; an intent of which a part is gone stops every command; nothing keeps the pack of a change while it is made;
one failed writing ends the looking, in silence; half a pack has a name that `git prune` takes away.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from threading import Timer
from typing import TYPE_CHECKING

import pytest

from clawgit.history.git.lock import WorkspaceBusyError, pruning_process

if TYPE_CHECKING:
    from pathlib import Path

DAY = "memory/2026-03-18.md"
OP = "op-under-test"
BEFORE_THE_INTENT = ("openat", "intent/main.lock")
HALF_A_PACK = ("rename", "objects/pack")
AFTER_THE_BRANCH = ("rename", "refs/heads/main")


@pytest.fixture
def append_stopped(room, stopped, start, work):
    room.change({DAY: "- one\n"}, actor="operator")
    room.set_packs_apart()
    return partial(stopped, lambda root: start(work.append, root, DAY, ["- two"], OP), room.root)


def new_packs(room) -> list[Path]:
    return sorted(
        (room.root / ".git/objects/pack").glob("clawgit-change-*.pack"),
        key=lambda path: path.stat().st_mtime_ns,
    )


def take_away(room) -> None:
    """Remove the newest pack, as whoever had looked before it was kept."""
    pack = new_packs(room)[-1]
    for path in (pack, pack.with_suffix(".idx"), pack.with_suffix(".keep")):
        path.unlink()


@pytest.mark.parametrize(
    "words", [("gc", "-q", "--prune=now"), ("repack", "-a", "-d", "-q"), ("prune", "--expire=now")]
)
def test_git_takes_nothing_that_is_about_to_be_named(words, room, append_stopped, sound):
    pack = []

    def run() -> None:
        pack.extend(new_packs(room)[-1:])
        room.git(*words)
        assert pack[0].exists()

    (said,) = append_stopped((BEFORE_THE_INTENT, run))

    assert said == room.head()
    assert not pack[0].with_suffix(".keep").exists()
    sound.check(room.root)


def test_what_was_taken_before_anything_named_it_is_written_again(room, append_stopped, sound):
    (said,) = append_stopped((BEFORE_THE_INTENT, lambda: take_away(room)))

    assert said == room.head()
    assert sound.times(room.root, OP) == 1
    sound.git(room.root, "rev-list", "--objects", "HEAD")
    sound.check(room.root)


def test_a_branch_never_names_what_was_taken_before_anything_named_it(room, append_stopped, sound):
    """Mutant: nobody looks before the branch moves, and for a moment it names a commit that is gone."""
    whole = []

    def look() -> None:
        whole.append(room.git("rev-list", "--objects", "main"))

    (said,) = append_stopped((BEFORE_THE_INTENT, lambda: take_away(room)), (AFTER_THE_BRANCH, look))

    assert said == room.head()
    assert whole
    sound.check(room.root)


def test_what_a_gc_takes_that_had_looked_before_is_written_again_before_it_is_acknowledged(
    room, append_stopped, sound
):
    """It goes on when the branch has moved already, not knowing of that."""
    (said,) = append_stopped((AFTER_THE_BRANCH, lambda: take_away(room)))

    assert said == room.head()
    sound.git(room.root, "rev-list", "--objects", "HEAD")
    sound.check(room.root)


@pytest.fixture
def unwritable(room):
    """Return a way to take the newest pack away and let no other be written, and one to let it be written again."""
    packs, aside = room.root / ".git/objects/pack", room.root / ".git/objects/aside"

    def begin() -> None:
        take_away(room)
        packs.rename(aside)
        packs.touch()

    def end() -> None:
        packs.unlink()
        aside.rename(packs)

    return begin, end


def test_what_cannot_be_written_again_at_once_is_written_as_soon_as_it_can(
    room, append_stopped, unwritable, sound
):
    begin, end = unwritable
    later = Timer(0.3, end)

    def take_for_a_while() -> None:
        begin()
        later.start()

    (said,) = append_stopped((AFTER_THE_BRANCH, take_for_a_while))
    later.join()

    assert said == room.head()
    sound.git(room.root, "rev-list", "--objects", "HEAD")
    sound.check(room.root)


def test_what_cannot_be_written_again_at_all_is_not_acknowledged(
    room, stopped, start, work, unwritable, forked, sound
):
    """The words stay in the file; git's log of the branch goes on naming the commit that is gone."""
    room.change({DAY: "- one\n"}, actor="operator")
    room.set_packs_apart()
    begin, end = unwritable
    before = room.head()

    (said,) = stopped(
        lambda root: start(work.append, root, DAY, ["- two"], OP, 0), room.root, (AFTER_THE_BRANCH, begin)
    )
    end()

    assert said.expected
    assert said.kind == "UnsettledError"
    assert room.head() == before
    assert forked(room.root, "keep").returncode == 0
    assert "- two" in sound.git(room.root, "show", f"HEAD:{DAY}")
    sound.git(room.root, "rev-list", "--objects", "HEAD")


@pytest.mark.smoke
def test_git_prunes_no_half_of_a_pack(room, append_stopped, sound):
    (said,) = append_stopped((HALF_A_PACK, lambda: room.git("prune", "--expire=now")))

    assert said == room.head()
    assert sound.times(room.root, OP) == 1
    sound.check(room.root)


@pytest.mark.parametrize("gone", ["commit", "tree", "blob"])
def test_an_intent_of_which_a_part_was_pruned_stops_no_command(
    gone, room, tracer, start, work, durable_calls, forked, sound, tmp_path
):
    room.change({DAY: "- one\n"}, actor="operator")
    rehearsal = tmp_path / "rehearsal"
    subprocess.run(["cp", "-a", room.root, rehearsal], check=True)
    tracer.run(start(work.append, rehearsal, DAY, ["- two"], OP))
    calls = durable_calls(tracer.log, rehearsal)
    call = next(call for call in calls if call.name == "link" and "index.lock" in call.line)
    killed = start(work.append, room.root, DAY, ["- two"], OP)
    assert tracer.inject(killed, call.name, call.number, "signal=SIGKILL") == []
    intent = "refs/clawgit/intent/main"
    room.unpack()
    name = room.git(
        "rev-parse", {"commit": "", "tree": "^{tree}", "blob": f":{DAY}"}[gone].join((intent, ""))
    )
    (room.root / ".git/objects" / name[:2] / name[2:]).unlink()

    for words in (("memory", "add", "Something else.", "--to", DAY), ("keep",)):
        done = forked(room.root, *words)
        assert done.returncode == 0, done.stderr

    assert sound.times(room.root, OP) == 0
    sound.check(room.root)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the command of another process")
def test_a_gc_that_prunes_at_once_is_waited_for_and_named(room, forked):
    """It is stood in for by a program of that command line which waits to be told."""
    assert forked(room.root, "config", "set", "lock_wait_seconds", "0").returncode == 0
    script = "import sys; sys.stdin.read()"
    gc = subprocess.Popen([sys.executable, "-c", script, "gc", "--prune=now"], stdin=subprocess.PIPE)
    pid_file = room.root / ".git/gc.pid"
    pid_file.write_text(f"{gc.pid} {os.uname().nodename}")
    try:
        before = room.head()
        done = forked(room.root, "memory", "add", "x", "--to", DAY)
        assert done.returncode == WorkspaceBusyError.exit_code
        assert f"process {gc.pid}" in done.stderr
        assert room.head() == before
    finally:
        gc.communicate()
    assert pruning_process(room.root / ".git") == ""
    assert forked(room.root, "memory", "add", "x", "--to", DAY).returncode == 0


def test_writers_beside_a_gc_that_prunes_at_once_lose_nothing(room, start, work, sound, full_length):
    count = 60 if full_length else 4
    lines = [[f"- line {number} of writer {writer}" for number in range(count)] for writer in range(2)]
    workers = [start(work.append, room.root, f"memory/{at}.md", each) for at, each in enumerate(lines)]
    for worker in workers:
        worker.go()
    while any(worker.process.exitcode is None for worker in workers):
        subprocess.run(["git", "gc", "-q", "--prune=now"], cwd=room.root, capture_output=True, check=False)
    made = [said for worker in workers for said in worker.said(300)]

    names = [said for said in made if isinstance(said, str)]
    assert all(said.expected for said in made if not isinstance(said, str)), made
    assert set(names) <= set(sound.commits(room.root))
    sound.git(room.root, "rev-list", "--objects", "HEAD")
    sound.fsck(room.root)
