"""A staging that a late `git commit` put back (tests/faults/test_late_commits.py) is mended before it is committed.

Mutants seen to fail here: nothing is mended; what stands in the folder is not looked at.
"""

from __future__ import annotations

import pytest

DAY = "memory/2026-03-18.md"


@pytest.fixture
def overtaken(room, hooked):
    """Return the workspace with something staged, and the staging of before clawgit's latest two changes put back."""
    room.append(DAY, "- first")
    hooked.stage("notes.md", "Ada wrote this.\n")
    index = room.root / ".git/index"
    read_too_early = index.read_bytes()
    room.append(DAY, "- second")
    room.append(DAY, "- third")
    index.write_bytes(read_too_early)
    return hooked


@pytest.mark.rest
def test_a_commit_takes_no_line_out_and_says_what_was_mended(overtaken):
    done = overtaken.git("commit", "-m", "notes")
    assert done.returncode == 0, done.stderr
    assert f"{DAY} was staged as it was before clawgit's latest change" in done.stderr
    assert overtaken.must("show", "--format=", "--name-only", "HEAD") == "notes.md"
    assert overtaken.must("status", "--porcelain") == ""


def test_a_file_that_went_back_in_the_folder_too_is_meant_so(overtaken):
    overtaken.must("checkout", "HEAD~2", "--", DAY)
    done = overtaken.git("commit", "-m", "back to the first")
    assert done.returncode == 0, done.stderr
    assert "was staged" not in done.stderr
    assert overtaken.must("show", f"HEAD:{DAY}") == "- first"


def test_a_commit_of_all_that_stands_in_the_folder_needs_no_mending(overtaken):
    overtaken.append("notes.md", "More.\n")
    done = overtaken.git("commit", "-a", "-m", "notes")
    assert done.returncode == 0, done.stderr
    assert "was staged" not in done.stderr
    assert overtaken.must("show", f"HEAD:{DAY}") == "- first\n- second\n- third"
