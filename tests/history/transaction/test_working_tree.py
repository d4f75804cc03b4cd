"""Files on their way from one state to another: what somebody else did to them meanwhile stays."""

from __future__ import annotations

from clawgit.history.transaction.working_tree import Move, put_files
from clawgit.workspace.safe_files import FileContent


def test_a_mode_that_nobody_of_ours_gave_stays(room) -> None:
    """Mutant: the target's mode is taken whatever the file's is."""
    room.write("tool.sh", "old\n")
    (room.root / "tool.sh").chmod(0o755)

    put_files(room.history, [Move("tool.sh", (FileContent(b"old\n"),), FileContent(b"new\n"))])

    assert room.read("tool.sh") == "new\n"
    assert (room.root / "tool.sh").stat().st_mode & 0o100


def test_a_mode_of_ours_follows(room) -> None:
    room.write("tool.sh", "old\n")
    (room.root / "tool.sh").chmod(0o755)

    known = (FileContent(b"old\n", executable=True),)
    put_files(room.history, [Move("tool.sh", known, FileContent(b"old\n"))])

    assert not (room.root / "tool.sh").stat().st_mode & 0o111
