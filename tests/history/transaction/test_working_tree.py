"""Files on their way from one state to another: what somebody else did to them meanwhile stays."""

from __future__ import annotations

import sys
from contextlib import ExitStack

import pytest

from clawgit.history.transaction.working_tree import FileMove, put_files
from clawgit.workspace.safe_files import FileContent, FileInUseError

STAND = [("a.md", b"- one\n"), ("b.md", b"- two\n")]


def test_a_mode_that_nobody_of_ours_gave_stays(room) -> None:
    """Mutant: the target's mode is taken whatever the file's is."""
    room.write("tool.sh", "old\n")
    (room.root / "tool.sh").chmod(0o755)

    put_files(room.history, [FileMove("tool.sh", (FileContent(b"old\n"),), FileContent(b"new\n"))])

    assert room.read("tool.sh") == "new\n"
    assert (room.root / "tool.sh").stat().st_mode & 0o100


def test_a_mode_of_ours_follows(room) -> None:
    room.write("tool.sh", "old\n")
    (room.root / "tool.sh").chmod(0o755)

    known = (FileContent(b"old\n", executable=True),)
    put_files(room.history, [FileMove("tool.sh", known, FileContent(b"old\n"))])

    assert not (room.root / "tool.sh").stat().st_mode & 0o111


def test_what_an_editor_saves_between_the_look_and_the_replacing_stays(room) -> None:
    """Mutants: the file is replaced without a second look; the second look's text is not merged."""
    room.write("a.md", "- one\n")
    old, new = FileContent(b"- one\n"), FileContent(b"- one\n- the agent's\n")

    def ways():
        yield FileMove("a.md", (old,), new)
        room.write("a.md", "- hers\n- one\n")  # the first file has been looked at, and none replaced
        yield FileMove("b.md", (None,), FileContent(b"b\n"))

    put_files(room.history, ways())

    assert room.read("a.md") == "- hers\n- one\n- the agent's\n"
    assert room.read("b.md") == "b\n"
    assert list(room.root.glob(".clawgit-new-*")) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who has a file open for writing")
def test_a_file_that_somebody_opened_for_writing_meanwhile_is_not_replaced(room) -> None:
    """Those before it are named: they are the ones to bring back."""
    room.write("a.md", "- one\n")
    room.write("b.md", "- two\n")
    begun: list[str] = []
    files = [FileMove(name, (FileContent(text),), FileContent(b"new\n")) for name, text in STAND]

    with ExitStack() as opened:

        def ways():
            yield from files
            opened.enter_context((room.root / "b.md").open("a"))

        with pytest.raises(FileInUseError, match=r"b\.md"):
            put_files(room.history, ways(), begun=begun)

    assert (begun, room.read("a.md"), room.read("b.md")) == (["a.md"], "new\n", "- two\n")
    assert list(room.root.glob(".clawgit-new-*")) == []
