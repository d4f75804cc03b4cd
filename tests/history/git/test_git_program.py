"""The view through which git reads a workspace's objects is made whole, whatever was left in its place."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.history.git.git_program import git_tokens, run_git, view_folder
from clawgit.history.reading.git_log import WITH_FILES, read_changes

OPEN_FILES = Path("/proc/self/fd")


def test_a_view_that_a_killed_process_left_half_made_is_made_again(room) -> None:
    """Mutant: the view is made in its place."""
    view = view_folder()
    (view / "HEAD").rename(view / "HEAD.lock")

    done = run_git(room.history, "cat-file", "-t", room.head())

    assert done.stdout == b"commit\n"
    assert not (view / "HEAD.lock").exists()
    assert [path for path in view.parent.iterdir() if path.name.startswith("view")] == [view]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("_again", range(8))
def test_of_processes_that_make_the_view_at_once_one_is_first_and_its_view_stays(_again: int) -> None:
    """Seen: each took away the one before, under a git that worked in there. Mutant: whoever comes later makes it again."""
    begin, release = os.pipe()
    seen, tell = os.pipe()
    children = []
    for _ in range(8):
        child = os.fork()
        if not child:
            os.close(release)
            os.read(begin, 1)  # ends with the writer's end: all at once
            os.write(tell, b"%d\n" % (view_folder() / "HEAD").stat().st_ino)
            os._exit(0)
        children.append(child)
    os.close(release)
    for child in children:
        os.waitpid(child, 0)
    os.close(tell)

    with os.fdopen(seen) as lines:
        views = lines.read().split()

    assert len(views) == len(children)
    assert set(views) == {f"{(view_folder() / 'HEAD').stat().st_ino}"}


def test_who_wants_no_more_of_the_history_ends_git(room) -> None:
    """Mutants: all is read first; git is left running."""
    room.change({"note.md": "one\n"})
    open_before = len(list(OPEN_FILES.iterdir()))

    with closing(git_tokens(room.history, "log", "-z", "--format=%H", room.head())) as tokens:
        first = next(tokens)

    assert first.decode() == room.head()
    assert len(list(OPEN_FILES.iterdir())) == open_before


def test_a_history_that_git_cannot_read_to_its_end_is_told(room) -> None:
    """Mutant: what git said until then counts as all of it."""
    for number in range(9):
        room.git("commit", "-q", "--allow-empty", "-m", str(number))
    lost = room.git("rev-parse", "HEAD~5").strip()
    (room.history.folder / "objects" / lost[:2] / lost[2:]).unlink()

    with pytest.raises(ClawgitError, match="git could not read the history"):
        list(read_changes(room.history, room.head()))


def test_a_log_that_is_longer_than_a_pipe_is_read_to_its_end(room) -> None:
    """Mutant: what is cut between two reads is lost."""
    for number in range(60):
        words = "".join(f"{number} {line}\n" for line in range(120))
        room.git("commit", "-q", "--allow-empty", "-m", f"{number}\n\n{words}")
    room.change({"é.md": "end\n"})

    changes = list(read_changes(room.history, *WITH_FILES, room.head()))

    assert [change.subject for change in changes[1:61]] == [str(number) for number in reversed(range(60))]
    assert changes[0].files[0].path == "é.md"
    assert all(change.message.rstrip().endswith("119") for change in changes[1:61])
