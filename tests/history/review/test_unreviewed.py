"""What nobody has reviewed is the same in a long history, of which git names the few commits that matter."""

from __future__ import annotations

import subprocess

import pytest

from clawgit.history.authorship.intent import Intent
from clawgit.history.git.objects import FOLLOWED
from clawgit.history.git.repository import open_history
from clawgit.history.operator_records import claim_commits, record_connected
from clawgit.history.review.unreviewed import NOTE, unreviewed_commits

OF_CLAWGIT = ("-c", "user.name=X", "-c", "user.email=x@clawgit.invalid")


def added(room, message: str, *options: str) -> str:
    room.write("SOUL.md", f"# Soul\n\n- {message}.\n")
    room.git(*options, "commit", "-qam", message)
    return str(room.git("rev-parse", "HEAD"))


def others_added(room) -> tuple[str, ...]:
    """Let others change the soul in each way that shows who they are, and the operator claim one of the changes."""
    by_trailer = added(room, "Shout\n\nclawgit-actor: HOST")
    by_address = added(room, "Whisper", *OF_CLAWGIT)
    claimed = added(room, "Sing", *OF_CLAWGIT)
    claim_commits(room.history, (claimed,), Intent("op-claim", "operator", room.now))
    record_connected(room.history, "mcp", Intent("op-connect", "operator", room.now))
    return by_trailer, by_address, added(room, "Hum")


def grown(room, merged: str = "") -> None:
    """Put more commits on the branch than are read one by one."""
    parts = []
    for number in range(FOLLOWED + 5):
        above = "" if number else f"from refs/heads/main^0\n{merged}"
        parts.append(
            f"commit refs/heads/main\ncommitter A <a@b.c> {1790000000 + number} +0000\ndata 1\nx\n{above}"
            f"M 100644 inline notes/{number}.txt\ndata 1\nx\n"
        )
    stream = "".join(parts)
    subprocess.run(["git", "fast-import", "--quiet"], cwd=room.root, input=stream, check=True, text=True)
    room.git("reset", "-q", "--hard")


def read_anew(room) -> tuple[str, ...]:
    (room.history.state / NOTE).unlink(missing_ok=True)
    return unreviewed_commits(open_history(room.root))


@pytest.mark.rest
@pytest.mark.parametrize("merged", ["", "merge refs/heads/main~2\n"], ids=["straight", "with a merge"])
def test_a_long_history_has_the_same_that_is_unreviewed(room, merged: str) -> None:
    """Mutants: git is asked for trailers alone, or as they are usually written; what no hook looked at is the operator's."""
    theirs = others_added(room)
    assert read_anew(room) == theirs

    grown(room, merged)

    assert read_anew(room) == theirs


@pytest.mark.rest
def test_where_git_cannot_read_the_past_what_can_be_read_of_it_is_unreviewed(room) -> None:
    """Mutants: git's failure is an error; what git said until then counts as the whole past."""
    first = room.git("rev-list", "--max-parents=0", "HEAD")
    room.change({"memory/a.md": "- Tea.\n"})
    theirs = others_added(room)
    assert read_anew(room) == theirs
    grown(room)
    room.lose(first)

    assert read_anew(room) == theirs
