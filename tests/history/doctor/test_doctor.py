"""What doctor finds it names, and what it mends it brings back; nothing else changes.

Mutants seen to fail here: a copy is written without its name being checked; a damaged file is not put back where no copy was
found; git's log is not asked for a lost branch; a reference of clawgit's that leads nowhere stays.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from rounds import some

from clawgit.errors import ClawgitError
from clawgit.history.doctor.doctor import examine
from clawgit.history.git.repository import open_history
from clawgit.history.guards.quarantine import list_quarantine
from clawgit.history.hooks.install import install_hooks, shim_text
from clawgit.history.reconcile import reconcile

if TYPE_CHECKING:
    from pathlib import Path

CUTS = {
    "cut": lambda data: data[: len(data) // 2],
    "emptied": lambda _: b"",
    "garbled": lambda data: bytes(len(data)),
    "gone": None,
}


def place(room, name: str) -> Path:
    room.unpack()
    object_id = room.git("rev-parse", name)
    return room.root / ".git/objects" / object_id[:2] / object_id[2:]


def damage(path: Path, how: str) -> None:
    path.chmod(0o644)
    if CUTS[how] is None:
        path.unlink()
    else:
        path.write_bytes(CUTS[how](path.read_bytes()))


def found(room, *, fix: bool = False, check: str = "objects"):
    return [item for item in examine(open_history(room.root), fix=fix) if item.check == check]


def fsck(room) -> int:
    return subprocess.run(
        ["git", "fsck", "--full"], cwd=room.root, capture_output=True, check=False
    ).returncode


@pytest.mark.sampled(5)
@pytest.mark.parametrize("how", some(CUTS, each=2))
@pytest.mark.parametrize("name", ["HEAD^{tree}", "HEAD:memory", "HEAD:memory/a.md"])
def test_a_damaged_object_is_named_and_brought_back(room, name, how) -> None:
    room.change({"memory/a.md": "a\n"})
    object_id, path = room.git("rev-parse", name), place(room, name)
    damage(path, how)

    (complaint,) = found(room)
    assert object_id in complaint.what
    assert "--fix" in complaint.way_out
    assert [item.mended for item in found(room, fix=True)] == [True]

    assert found(room) == []
    assert fsck(room) == 0
    room.change({"memory/b.md": "b\n"})


def test_a_lost_text_is_named_by_its_file(room) -> None:
    room.change({"memory/a.md": "a\n"})
    damage(place(room, "HEAD:memory/a.md"), "gone")

    assert "(memory/a.md)" in found(room)[0].what


@pytest.mark.parametrize("how", CUTS)
def test_without_a_copy_everything_stays_as_it_is(room, how) -> None:
    made = room.change({"memory/a.md": "a\n"}).commit_id
    room.change({"memory/b.md": "b\n"})
    path = place(room, made)
    damage(path, how)
    before = path.read_bytes() if path.exists() else None

    (complaint,) = found(room, fix=True)

    assert made in complaint.what
    assert "No copy of it was found" in complaint.way_out
    assert "git fetch --refetch" in complaint.way_out
    assert (path.read_bytes() if path.exists() else None) == before


def test_a_remote_on_this_machine_has_a_copy(room, tmp_path) -> None:
    made = room.change({"memory/a.md": "a\n"}).commit_id
    room.git("clone", "-q", "--no-hardlinks", "--bare", ".", str(tmp_path / "backup.git"))
    room.git("remote", "add", "backup", str(tmp_path / "backup.git"))
    damage(place(room, made), "cut")

    assert [item.mended for item in found(room, fix=True)] == [True]
    assert fsck(room) == 0


def test_a_damaged_file_before_a_sound_pack_is_only_in_the_way(room) -> None:
    made = room.change({"memory/a.md": "a\n"}).commit_id
    loose = place(room, made).read_bytes()
    room.git("gc", "-q")
    place(room, made).parent.mkdir(exist_ok=True)
    place(room, made).write_bytes(loose[:20])

    assert [item.mended for item in found(room, fix=True)] == [True]
    assert (room.root / ".git/clawgit/damaged-objects" / made).read_bytes() == loose[:20]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", CUTS)
def test_the_index_of_a_pack_is_made_anew(room, how) -> None:
    room.git("gc", "-q")
    (index,) = (room.root / ".git/objects/pack").glob("*.idx")
    damage(index, how)

    assert any(item.mended for item in found(room, fix=True))
    assert found(room) == []
    assert fsck(room) == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", CUTS)
def test_the_index_of_a_changes_pack_is_made_anew(room, how, forked) -> None:
    """In another process, since this one has that index in its memory."""
    room.change({"memory/a.md": "a\n"})
    folder = room.root / ".git/objects/pack"
    index = max(folder.glob("clawgit-change-*.idx"), key=lambda path: path.stat().st_mtime_ns)
    whole = index.read_bytes()
    index.rename(index.with_suffix(".before"))
    if how != "gone":
        index.write_bytes(CUTS[how](whole))

    forked(room.root, "doctor", "--fix")

    assert index.read_bytes() == whole
    assert fsck(room) == 0


def test_a_file_of_another_text_is_no_copy(room) -> None:
    room.change({"memory/a.md": "a\n"})
    damage(place(room, "HEAD:memory/a.md"), "cut")
    room.write("memory/a.md", "a, edited\n")

    (complaint,) = found(room, fix=True)

    assert not complaint.mended
    assert room.read("memory/a.md") == "a, edited\n"


# --- references ---


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["", "0" * 40 + "\n", "garbage\n"])
@pytest.mark.parametrize("name", ["HEAD", "refs/heads/main"])
def test_a_garbled_head_or_branch_is_put_back_from_gits_log(room, name, text) -> None:
    room.write("notes.md", "x\n")
    room.git("add", "notes.md")
    room.git("commit", "-q", "-m", "the last one")
    tip = room.head()
    (room.root / ".git" / name).write_text(text)

    assert found(room, check="references")
    found(room, fix=True, check="references")

    assert room.head() == tip
    assert room.git("symbolic-ref", "HEAD") == "refs/heads/main"
    assert found(room, check="references") == []


def test_a_branch_that_went_between_check_and_mend_is_not_written(room) -> None:
    """Mutant: where there is no file to keep aside, an empty one is kept and the branch is written."""
    branch = room.root / ".git/refs/heads/main"
    branch.write_text("garbage\n")
    complaint = next(each for each in found(room, check="references") if "main is" in each.what)
    branch.unlink()

    with pytest.raises(ClawgitError, match="cannot be read"):
        complaint.mend()

    assert not branch.exists()


@pytest.mark.parametrize("text", ["", "1" * 40 + "\n", "garbage\n"])
def test_a_reference_of_clawgits_that_leads_nowhere_is_taken_out_of_the_way(room, text) -> None:
    path = room.root / ".git/refs/clawgit/rescue/lost"
    path.parent.mkdir(parents=True)
    path.write_text(text)

    assert "refs/clawgit/rescue/lost leads to nothing" in found(room, check="references")[0].what
    found(room, fix=True, check="references")

    assert not path.exists()
    assert (room.root / ".git/clawgit/lost-refs/refs-clawgit-rescue-lost").read_text() == text
    assert found(room, check="references") == []


def test_a_packed_reference_of_clawgits_that_leads_nowhere_goes_too(room) -> None:
    """Mutant: only references that are files of their own are looked at."""
    name = "refs/clawgit/quarantine/q-lost"
    room.git("update-ref", name, "HEAD")
    room.git("pack-refs", "--all")
    packed = room.root / ".git/packed-refs"
    packed.write_text(packed.read_text().replace(f"{room.head()} {name}", f"{'1' * 40} {name}"))

    found(room, fix=True, check="references")

    assert found(room, check="references") == []
    assert list_quarantine(open_history(room.root)) == []
    assert (room.root / ".git/clawgit/lost-refs" / name.replace("/", "-")).read_text() == "1" * 40 + "\n"
    assert room.git("symbolic-ref", "HEAD") == "refs/heads/main"


def _detach(room) -> None:
    room.git("checkout", "-q", "--detach")


def _stop_in_a_rebase(room) -> None:
    room.change({"memory/a.md": "a\n"})
    room.git("rebase", "-q", "--exec", "false", "HEAD~1", check=False)


@pytest.mark.parametrize("stop", [_detach, _stop_in_a_rebase])
def test_a_head_on_no_branch_is_said_once_with_gits_way_out(room, stop) -> None:
    """Mutant: whatever is wrong with HEAD, an old tip is to be put back."""
    stop(room)

    (complaint,) = examine(open_history(room.root), fix=False)

    assert "`git switch BRANCH`" in complaint.way_out or "Finish it or abort it" in complaint.way_out


# --- stores and what is rendered ---


@pytest.mark.parametrize("name", ["records.db", "messages.db"])
def test_damaged_records_are_named_and_left_alone(room, now, name) -> None:
    reconcile(room.history, now, seconds=1)
    path = room.root / ".git/clawgit" / name
    path.with_name(f"{name}-wal").unlink(missing_ok=True)  # it holds all that is in a young store
    path.write_bytes(b"garbage " * 1000)
    path.chmod(0o600)

    (complaint,) = found(room, fix=True, check="records")

    assert name in complaint.what
    assert "backup --restore" in complaint.way_out
    assert path.read_bytes() == b"garbage " * 1000


def test_records_that_others_can_read_are_closed(room, now) -> None:
    reconcile(room.history, now, seconds=1)
    path = room.root / ".git/clawgit/records.db"
    path.chmod(0o644)

    assert str(path) in found(room, check="permissions")[0].what
    found(room, fix=True, check="permissions")

    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", [".", "SOUL.md", "memory", ".git", ".git/config"])
def test_what_others_can_write_is_closed(room, name) -> None:
    """Mutant: only the folder itself is looked at."""
    path = room.root / name
    mode = path.stat().st_mode & 0o777
    path.chmod(mode | 0o022)
    (room.root / "link").symlink_to("/nowhere")

    (complaint,) = found(room, fix=True, check="permissions")

    assert (str(path.resolve()) in complaint.what, complaint.mended) == (True, True)
    assert path.stat().st_mode & 0o777 == mode & ~0o022
    assert found(room, check="permissions") == []


def _delete(hook: Path) -> None:
    hook.unlink()


def _make_unexecutable(hook: Path) -> None:
    hook.chmod(0o644)


def _replace(hook: Path) -> None:
    hook.write_text("#!/bin/sh\nexit 0\n")


@pytest.mark.parametrize(("harm", "mended"), [(_delete, True), (_make_unexecutable, True), (_replace, False)])
def test_hooks_are_put_back_where_nothing_of_anybody_elses_stands(room, harm, mended) -> None:
    """Mutants: nothing is put back; another program's hook is put aside unasked."""
    install_hooks(room.history, sys.executable)
    hook = room.root / ".git/hooks/pre-commit"
    harm(hook)
    there = hook.read_bytes() if hook.exists() else b""

    (complaint,) = found(room, fix=True, check="hooks")

    assert complaint.mended is mended
    assert hook.read_bytes() == (shim_text() if mended else there)
    assert (found(room, check="hooks") == []) is mended


def test_hooks_that_others_can_write_are_closed(room) -> None:
    from clawgit.history.hooks.install import install_hooks  # noqa: PLC0415 - only here

    install_hooks(room.history, "/usr/bin/python3")
    hook = room.root / ".git/hooks/pre-commit"
    hook.chmod(0o777)

    found(room, fix=True, check="permissions")

    assert hook.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    "lock", ["index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "refs/heads/side.lock"]
)
def test_an_old_lock_of_gits_goes_and_a_young_one_stays(room, lock) -> None:
    path = room.root / ".git" / lock
    path.touch()
    (young,) = found(room, fix=True, check="locks")
    assert "somebody may be at work" in young.way_out

    os.utime(path, (1, 1))
    found(room, fix=True, check="locks")

    assert not path.exists()


def test_corrections_that_a_merge_put_together_are_named_by_their_places(room) -> None:
    """Mutant: doctor says that everything is in order."""
    head = "## 2026-03-01 10:22 <!-- x:{} re-embedded:true -->\n"
    fields = "- correct: 30.\n- correct: 28.\n- status: applied\n"
    room.write("CORRECTIONS.md", f"# CORRECTIONS\n\n{head.format('1aaa')}{head.format('2bbb')}\n{fields}")

    (complaint,) = found(room, check="corrections")
    assert complaint.what.startswith("CORRECTIONS.md:3, CORRECTIONS.md:4: ")
