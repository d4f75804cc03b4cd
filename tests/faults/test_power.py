"""P8: what is acknowledged is on the disk, in an order in which power may fail at any moment.

A real loss of power is not tried; the order of the system calls is what the disk is promised.

Mutants that these tests caught: libgit2 not told to sync, told always, or told too late for its references; no sync
of a file, of its folder, of a new folder, of a removed file's folder; the branch moved before the files, the intent
after them; an emptied index not noticed (4 tests); the records merged at the end of each command.
"""

from __future__ import annotations

import re

import pytest

OP = "op-under-test"
FILES = {
    "memory/learned.md": "- one\n- two\n",
    "memory/new/note.md": "- new\n- gone soon\n",
    "memory/old.md": None,
}
OF_EVERY_CHANGE = {
    ".git/objects/pack/NAME.pack",
    ".git/objects/pack/NAME.idx",
    ".git/refs/clawgit/intent/main",
    ".git/refs/heads/main",
    ".git/index",
}
QUOTED = re.compile(r'"([^"]*)"')
OPENED = re.compile(r"\w+\(\d+<([^>]*)>")
IN_FOLDER = re.compile(r'(?:AT_FDCWD|\d+)<([^>]*)>, "([^"]*)"')


def paths_of(call) -> list[str]:
    """Return the paths that a call names, folder handles resolved."""
    found = IN_FOLDER.findall(call.line)
    if found:
        return [name if name.startswith("/") else f"{folder}/{name}" for folder, name in found]
    return QUOTED.findall(call.line)


@pytest.fixture
def traced(room, tracer, start, work, durable_calls):
    """Return the calls of one change of three files, paths below the workspace."""

    def trace():
        said = tracer.run(start(work.change, room.root, FILES, OP))
        assert [type(one) for one in said] == [str]
        return durable_calls(tracer.log, room.root)

    room.change({"memory/old.md": "- gone soon\n"})
    return trace


def synced(calls, path) -> bool:
    return any(call.name == "fsync" and OPENED.match(call.line)[1] == path for call in calls)


def placed(calls):
    """Yield (index, from, to) of each link or rename that gives something its final name."""
    for index, call in enumerate(calls):
        if call.name in ("rename", "renameat", "renameat2", "link", "linkat"):
            source, target = paths_of(call)
            yield index, source, target


def synced_kinds(room, calls) -> set[str]:
    """Return what got a name, having seen that each was on the disk before and its folder after."""
    kinds = set()
    for index, source, target in placed(calls):
        path = target.removeprefix(f"{room.root}/")
        # A lock yet empty; notes that can be lost.
        if path == ".git/index.lock" or path.endswith(".json"):
            continue
        before, after = calls[:index], calls[index:]
        assert synced(before, source), f"{path} got its name before its bytes were on the disk"
        if path != ".git/index":  # the one of before takes no word out of commit or file
            assert synced(after, target.rpartition("/")[0]), f"the folder of {path} was not synced"
        kinds.add(re.sub(r"clawgit-change-[0-9a-f]{40}", "NAME", path))
    return kinds


def test_everything_is_synced_before_it_gets_its_name_and_its_folder_after(room, traced):
    calls = traced()
    assert synced_kinds(room, calls) == {*OF_EVERY_CHANGE, "memory/learned.md", "memory/new/note.md"}


def test_the_program_syncs_too_having_read_the_settings_first(
    room, tracer, start, work, durable_calls, program
):
    assert (
        program(room.root, "status").returncode == 0
    )  # makes the records, which SQLite syncs in its own way
    tracer.run(start(work.by_program, room.root, "on the disk"))
    calls = durable_calls(tracer.log, room.root)
    assert synced_kinds(room, calls) == {*OF_EVERY_CHANGE, "MEMORY.md"}


@pytest.mark.smoke
def test_remembering_syncs_ten_times(room, tracer, start, work, program):
    """The pack, its index, their folder; the intent, the file and the branch, each with its folder; the staging."""
    assert program(room.root, "memory", "add", "Before.").returncode == 0

    tracer.run(start(work.by_program, room.root, "on the disk"))

    assert len(re.findall(r"\b(?:fsync|fdatasync|sync|syncfs)\(", tracer.log.read_text())) == 10


def test_objects_then_intent_then_files_then_branch_then_staging_then_no_intent_then_no_lock(room, traced):
    calls = traced()
    steps = []
    for call in calls:
        step = step_of(call, f"{room.root}/")
        if step and steps[-1:] != [step]:
            steps.append(step)
    assert steps == ["objects", "intent", "files", "branch", "staging", "no intent", "no lock"]


def step_of(call, root) -> str | None:
    if call.name in ("unlink", "unlinkat"):
        path = paths_of(call)[0].removeprefix(root)
        gone = {"memory/old.md": "files", ".git/index.lock": "no lock"}
        return {**gone, ".git/refs/clawgit/intent/main": "no intent"}.get(path)
    if not call.name.startswith(("rename", "link")):
        return None
    path = paths_of(call)[1].removeprefix(root)
    if path.startswith(".git/objects/"):
        return "objects"
    steps = {
        ".git/refs/clawgit/intent/main": "intent",
        ".git/refs/heads/main": "branch",
        ".git/index": "staging",
    }
    return steps.get(path, None if path.startswith(".git/") else "files")


def test_the_folder_of_a_removed_and_of_a_new_file_is_synced(room, traced):
    calls = traced()
    removed = next(i for i, call in enumerate(calls) if call.name == "unlinkat" and '"old.md"' in call.line)
    made = next(i for i, call in enumerate(calls) if call.name == "mkdirat" and '"new"' in call.line)
    assert synced(calls[removed:], f"{room.root}/memory")
    assert synced(calls[made : made + 2], f"{room.root}/memory")


def test_a_folder_is_synced_once_for_all_its_files(room, tracer, start, work, durable_calls):
    """Mutants: once for each of them; never."""
    tracer.run(start(work.change, room.root, {f"memory/{name}.md": "- x\n" for name in "abc"}, OP))
    calls = durable_calls(tracer.log, room.root)
    folder = f"{room.root}/memory"
    last = max(index for index, _, target in placed(calls) if target.startswith(folder))

    synced_at = [
        index
        for index, call in enumerate(calls)
        if call.name == "fsync" and OPENED.match(call.line)[1] == folder
    ]

    assert len(synced_at) == 1
    assert synced_at[0] > last


def test_without_the_setting_nothing_is_synced(room, tracer, start, work, program):
    assert program(room.root, "config", "set", "fsync", "false").returncode == 0

    tracer.run(start(work.by_program, room.root, "no waiting for the disk"))

    called = tracer.log.read_text()
    assert "refs/heads/main.lock" in called
    assert "fsync" not in called
    assert "fdatasync" not in called


@pytest.mark.parametrize("damage", ["truncated", "removed"])
@pytest.mark.parametrize("command", ["keep", "memory add"])
def test_a_staging_that_is_gone_is_made_anew_by_the_next_command(damage, command, room, sound, program):
    room.append("memory/learned.md", "- one")
    index = room.root / ".git/index"
    if damage == "truncated":
        index.write_bytes(b"")
    else:
        index.unlink()

    done = program(room.root, *command.split(), *(["more"] if command == "memory add" else []))

    assert done.returncode == 0, done.stderr
    assert "git's index" in done.stderr
    sound.check(room.root)
    room.write("MEMORY.md", room.read("MEMORY.md") + "- by hand\n")
    room.git("commit", "-a", "-m", "mine")
    assert room.git("show", "--stat", "--format=", "HEAD").startswith("MEMORY.md")
    assert "1 file changed" in room.git("show", "--stat", "--format=", "HEAD")
