"""P3: a change that is killed or failed at any of its system calls is made once or not at all.

One change (a file appended to, one created in a new folder, one removed) makes about 110 calls that create, fill,
sync, name or remove something. Each is tried with SIGKILL, EIO and ENOSPC; then the same op is made again.

Mutants that these tests caught: no recovery (all ten tests), no intent reference (7 tests), the op not looked up
before it is made again (all ten), no way back after an error (EIO, ENOSPC), the staging's lock kept after an error,
half-written files not removed by recovery (12 of 90 kills, before git's files were synced), half-written objects
left for ever (26 of 90), an empty branch lock taken for another's (5 of 90), an error of the clean-up shown as a
failure although the branch had moved (4 of 92, EIO and ENOSPC alike), the intent written before the way back begins
(1 of 114 each), an error after the branch moved not checked against the branch (full length only).
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

OP = "op-under-test"
OLD = {"memory/learned.md": "# Learned\n\n- one\n", "memory/old.md": "- gone soon\n"}
NEW = {
    "memory/learned.md": "# Learned\n\n- one\n- two\n",
    "memory/new/note.md": "- new\n- gone soon\n",  # no agent drops text
    "memory/old.md": None,
}
STAGED = "A  draft.md"
SAMPLE = 28
ONCE = {"killed": "signal=SIGKILL", "EIO": "error=EIO", "ENOSPC": "error=ENOSPC"}
FOR_GOOD = {"the disk is full": "error=ENOSPC", "the disk is dead": "error=EIO"}


@dataclass
class Scene:
    """A workspace in which the operator has staged a draft, and as many copies of it as there are faults."""

    original: Path
    folder: Path
    copies: int = 0

    def copy(self, of: Path | None = None) -> Path:
        self.copies += 1
        root = self.folder / f"copy-{self.copies}"
        # Hard links stay hard links: that is how clawgit knows a lock of its own.
        subprocess.run(["cp", "-a", of or self.original, root], check=True)
        return root


@pytest.fixture
def scene(room, tmp_path) -> Scene:
    room.change(OLD)
    room.write("draft.md", "mine\n")
    room.git("add", "draft.md")
    room.set_packs_apart()
    return Scene(room.root, tmp_path)


@pytest.fixture
def trial(tracer, start, work, sound, durable_calls, scene):
    """Return the steps that every trial is made of."""

    class Trial:
        def calls(self, of=None):
            """Return the calls that one change makes."""
            root = scene.copy(of)
            said = tracer.run(start(work.change, root, NEW, OP))
            assert [type(one) for one in said] == [str]
            return durable_calls(tracer.log, root)

        def fail(self, root, call, fault, *, and_after=False):
            """Make the change with a fault at ``call``; return the commit it acknowledged, and its error."""
            number = f"{call.number}+" if and_after else call.number
            said = tracer.inject(start(work.change, root, NEW, OP), call.name, number, fault)
            text = tracer.log.read_text()
            assert "INJECTED" in text or "killed by SIGKILL" in text, f"{call.line} did not come again"
            errors = [one for one in said if not isinstance(one, str)]
            assert all(error.expected for error in errors), errors
            return next((one for one in said if isinstance(one, str)), None), errors

        def look(self, root, acknowledged):
            """Compare what was said with what git has."""
            sound.fsck(root)
            if acknowledged is not None:
                assert acknowledged in sound.commits(root)

        def again(self, root):
            """Make the same op once more, unaided."""
            sound.age_leftovers(root)
            worker = start(work.change, root, NEW, OP)
            worker.go()
            assert [type(one) for one in worker.said()] == [str]
            assert sound.times(root, OP) == 1
            text = sound.git(root, "show", "HEAD:memory/learned.md", "HEAD:memory/new/note.md")
            assert [text.count(line) for line in ("- one", "- two", "- new")] == [1, 1, 1]
            assert not (root / "memory/old.md").exists()
            sound.check(root, STAGED)
            shutil.rmtree(root)

    return Trial()


@pytest.mark.smoke
@pytest.mark.parametrize("fault", ONCE)
def test_a_fault_at_any_call_leaves_the_change_made_once_or_not_at_all(
    fault, trial, scene, sound, full_length
):
    step = 1 if full_length else SAMPLE
    for call in trial.calls()[list(ONCE).index(fault) :: step]:
        root = scene.copy()
        before = sound.commits(root)

        acknowledged, errors = trial.fail(root, call, ONCE[fault])

        trial.look(root, acknowledged)
        if errors:
            assert sound.commits(root) == before, f"{call}: refused, yet made"
            assert sound.git(root, "status", "--porcelain").strip() == STAGED, call
            assert [name for name in sound.leftovers(root) if "tmp_object" not in name] == [], call
        trial.again(root)


@pytest.mark.parametrize("fault", FOR_GOOD)
def test_a_disk_that_fails_from_some_call_on_loses_nothing(fault, trial, scene, sound, full_length):
    step = 1 if full_length else SAMPLE
    calls = [call for call in trial.calls() if call.name in ("write", "fsync", "openat")]
    for call in calls[list(FOR_GOOD).index(fault) :: step]:
        root = scene.copy()
        before = sound.commits(root)

        acknowledged, errors = trial.fail(root, call, FOR_GOOD[fault], and_after=True)

        trial.look(root, acknowledged)
        if errors:
            assert sound.commits(root) == before, f"{call}: refused, yet made"
        if errors and errors[0].kind != "UnsettledError":
            assert sound.git(root, "for-each-ref", "refs/clawgit/intent") == "", (
                f"{call}: refused, yet to come"
            )
        trial.again(root)


@pytest.mark.parametrize(
    ("name", "on"),
    [
        pytest.param("renameat", '"learned.md"', id="before the first file"),
        pytest.param("renameat", '"note.md"', id="between two files"),
        pytest.param("rename", "refs/heads/main", id="before the branch moves"),
        pytest.param("rename", "clawgit/staging", id="before the staging is published"),
    ],
)
def test_a_recovery_that_is_killed_is_taken_up_by_the_next(
    name, on, trial, scene, tracer, start, work, sound, durable_calls, full_length
):
    """Mutant: an intent whose branch has not moved yet is dropped, not finished; the op is missing then."""
    call = next(call for call in trial.calls() if call.name.startswith(name) and on in call.line)
    crashed = scene.copy()
    assert trial.fail(crashed, call, ONCE["killed"]) == (None, [])
    mended = scene.copy(crashed)
    tracer.run(start(work.change, mended, NEW, OP))
    sound.check(mended, STAGED)
    finished = scene.copy(crashed)
    keeper = start(work.keep, finished)
    keeper.go()
    assert len(keeper.said()[0]) == 1, "nothing was said about the recovery"
    assert sound.times(finished, OP) == 1
    for again in durable_calls(tracer.log, mended)[:: 1 if full_length else SAMPLE]:
        root = scene.copy(crashed)

        said = tracer.inject(start(work.change, root, NEW, OP), again.name, again.number, ONCE["killed"])

        assert said == [], f"{again.line} did not come again"
        trial.look(root, None)
        trial.again(root)


def test_the_program_run_again_with_the_same_op_makes_it_once(
    trial, scene, tracer, start, work, sound, program, full_length
):
    for call in trial.calls()[5 :: 8 if full_length else 40]:
        root = scene.copy()
        said = tracer.inject(
            start(work.remember, root, "Ada likes tea.", OP), call.name, call.number, ONCE["killed"]
        )
        sound.age_leftovers(root)

        done = program(root, "memory", "add", "Ada likes tea.", "--op", OP)

        assert done.returncode == 0, done.stderr
        assert sound.times(root, OP) == 1
        assert [name[:12] for name in said] in ([], [done.stdout.strip()])
        assert sound.git(root, "show", "HEAD:MEMORY.md").count("Ada likes tea.") == 1
        sound.check(root, STAGED)
