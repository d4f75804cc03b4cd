"""The view through which git reads a workspace's objects is made whole, whatever was left in its place."""

from __future__ import annotations

from clawgit.history.git.git_program import run_git, view_folder


def test_a_view_that_a_killed_process_left_half_made_is_made_again(room) -> None:
    """Mutant: the view is made in its place."""
    view = view_folder()
    (view / "HEAD").rename(view / "HEAD.lock")

    done = run_git(room.history, "cat-file", "-t", room.head())

    assert done.stdout == b"commit\n"
    assert not (view / "HEAD.lock").exists()
    assert [path for path in view.parent.iterdir() if path.name.startswith("view")] == [view]
