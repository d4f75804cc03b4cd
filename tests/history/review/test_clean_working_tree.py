"""Seen without libgit2: that nothing is edited. Whatever else may be the case is left to libgit2, which sees it."""

from __future__ import annotations

import os

import pytest

from clawgit.history.git.repository import open_history
from clawgit.history.hooks.install import ATTRIBUTES
from clawgit.history.review.working_tree_edits import all_edits
from clawgit.history.workspace_status import is_clean


def seen_as_clean(room) -> bool:
    history = open_history(room.root)
    return is_clean(history, history.tip())


@pytest.fixture
def kept(room):
    """Return a workspace in which everything is committed."""
    room.keep("operator")
    return room


def test_what_clawgit_or_git_committed_is_clean(kept) -> None:
    assert seen_as_clean(kept)

    kept.write("MEMORY.md", "Tea.\n")
    kept.git("add", "MEMORY.md")
    kept.git("commit", "--quiet", "--no-verify", "-m", "tea")

    assert seen_as_clean(kept)


def test_a_file_that_was_written_again_as_it_was_is_clean(kept) -> None:
    """Mutant: dates decide."""
    os.utime(kept.root / "MEMORY.md", ns=(1, 1))

    assert seen_as_clean(kept)


def test_rendered_files_are_left_out_by_name(kept) -> None:
    kept.write("CHANGELOG.md", "rendered\n")
    kept.write("SOUL_HISTORY/2026-03-19.md", "rendered\n")

    assert seen_as_clean(kept)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda room: room.write("MEMORY.md", "Other.\n"), id="edited"),
        pytest.param(lambda room: room.write("new.md", "New.\n"), id="new"),
        pytest.param(lambda room: room.write("memory/deep/new.md", "New.\n"), id="new, deep down"),
        pytest.param(lambda room: (room.root / "MEMORY.md").unlink(), id="gone"),
        pytest.param(lambda room: (room.root / "MEMORY.md").chmod(0o755), id="executable"),
        pytest.param(
            lambda room: (room.write("new.md", "New.\n"), room.git("add", "new.md")), id="staged as it stands"
        ),
        pytest.param(
            lambda room: (
                (room.root / "MEMORY.md").unlink(),
                (room.root / "MEMORY.md").symlink_to("SOUL.md"),
            ),
            id="a link in its place",
        ),
    ],
)
def test_what_libgit2_sees_is_never_clean(kept, change) -> None:
    change(kept)
    history = open_history(kept.root)
    found = all_edits(history, history.tip())

    assert found.edits or found.problems or found.staged
    assert not seen_as_clean(kept)


def test_an_edit_that_keeps_size_and_dates_is_seen_right_after_a_commit(kept) -> None:
    """Mutant: a date at which the staging was written, too, is believed."""
    path = kept.root / "MEMORY.md"
    kept.write("MEMORY.md", "Tea is good.\n")
    kept.git("commit", "--quiet", "--no-verify", "-am", "tea")
    seen = path.stat()
    path.write_text("Tea is gone.\n")
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    os.utime(kept.root / ".git/index", ns=(seen.st_mtime_ns, seen.st_mtime_ns))

    assert not seen_as_clean(kept)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda room: room.write("left.pyc~", "x"), id="left out by a pattern"),
        pytest.param(lambda room: room.git("rm", "--quiet", "--cached", "MEMORY.md"), id="staged as gone"),
        pytest.param(lambda room: room.git("init", "--quiet", "inner"), id="another repository inside"),
        pytest.param(lambda room: room.git("update-index", "--assume-unchanged", "MEMORY.md"), id="flagged"),
        pytest.param(lambda room: room.git("update-index", "--split-index"), id="split"),
        pytest.param(
            lambda room: (room.root / ".git/info/attributes").write_text("* text\n"), id="attributes"
        ),
        pytest.param(lambda room: (room.root / ".git/index").write_bytes(b"DIRC"), id="damaged"),
        pytest.param(lambda room: (room.root / ".git/index").unlink(), id="without a staging"),
    ],
)
def test_what_is_not_plain_to_see_is_left_to_libgit2(kept, change) -> None:
    change(kept)

    assert not seen_as_clean(kept)


def test_the_attributes_of_clawgits_own_merge_driver_change_nothing(kept) -> None:
    """Mutant: any attributes are left to libgit2, and each status of a workspace with hooks loads it."""
    (kept.root / ".git/info/attributes").write_bytes(ATTRIBUTES)

    assert seen_as_clean(kept)


def test_an_index_of_another_version_is_read_alike(kept) -> None:
    kept.git("update-index", "--index-version", "4")

    assert seen_as_clean(kept)


def test_a_rule_that_brings_a_file_back_leaves_it_to_libgit2(kept) -> None:
    kept.write(".gitignore", "/CHANGELOG.md\n!/CHANGELOG.md\n")
    kept.keep("operator")
    kept.write("CHANGELOG.md", "rendered\n")

    assert not seen_as_clean(kept)
