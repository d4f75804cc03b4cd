"""The same op is applied once; a commit that only claims it, or carries it along, does not count."""

from __future__ import annotations

import subprocess

import pytest

from clawgit.errors import ClawgitError
from clawgit.history.authorship.commit_messages import find_op
from clawgit.history.git.objects import FOLLOWED
from clawgit.history.git.repository import open_history

WHOLE = "Clawgit-Op: op-7\nClawgit-Actor: host\nClawgit-Trust: host"
AS_HOST = ("-c", "user.name=host", "-c", "user.email=host@clawgit.invalid")


def commit_by_hand(
    room, message: str, *, config: tuple[str, ...] = (), options: tuple[str, ...] = ()
) -> None:
    room.git(*config, "commit", "-q", "--allow-empty", *options, "-m", "by hand", "-m", message)


@pytest.mark.parametrize(
    ("message", "how"),
    [
        pytest.param("Clawgit-Op: op-7", {}, id="the op alone"),
        pytest.param("Clawgit-Op: op-7\nClawgit-Trust: operator", {}, id="nobody is named"),
        pytest.param("Clawgit-Op: op-7\nClawgit-Actor: operator", {}, id="on whose word is not said"),
        pytest.param(WHOLE, {}, id="the host's words under Ada's name"),
        pytest.param(
            WHOLE,
            {"options": ("--author=host <host@clawgit.invalid>",)},
            id="the host's name, committed by Ada",
        ),
        pytest.param(
            WHOLE.replace("host", "operator"), {"config": AS_HOST}, id="the operator's words by the host"
        ),
        pytest.param(
            WHOLE.replace("host", "somebody"),
            {"config": tuple(word.replace("host", "somebody") for word in AS_HOST)},
            id="an actor that there is not",
        ),
        pytest.param(WHOLE + "\nClawgit-Op: op-1", {"config": AS_HOST}, id="two ops"),
        pytest.param(WHOLE + "\nClawgit-Actor: operator", {"config": AS_HOST}, id="two actors"),
        pytest.param("--- a/file\n\n" + WHOLE, {"config": AS_HOST}, id="libgit2 reads no trailer there"),
        pytest.param("He said:\n" + WHOLE, {"config": AS_HOST}, id="quoted in prose"),
    ],
)
def test_a_commit_by_hand_with_an_op_is_not_that_change(room, message, how) -> None:
    """Mutants: without the look at author, committer, the named actor or the other readers, some case counts."""
    commit_by_hand(room, message, **how)

    assert room.append("memory/a.md", "one", op="op-7").outcome == "applied"
    assert room.append("memory/a.md", "one", op="op-7").outcome == "repeated"


def test_a_commit_in_the_very_form_counts(room) -> None:
    """Without this the table above could pass for the wrong reason."""
    commit_by_hand(room, WHOLE, config=AS_HOST)

    assert room.append("memory/a.md", "one", op="op-7").outcome == "repeated"


@pytest.mark.parametrize("actor", ["operator", "host", "memory-miner"])
def test_what_clawgit_wrote_is_known_again_after_a_rebase_an_amend_and_a_pick(room, actor: str) -> None:
    """Mutant: without the pinned first forms the op is applied again."""
    made = room.append("memory/a.md", "one", op="op-7", actor=actor).commit_id
    room.git("commit", "-q", "--amend", "-m", "amended", "-m", "Clawgit-Op: op-7")
    room.git("reset", "-q", "--hard", "HEAD~1")
    room.git("cherry-pick", "-x", made)
    room.history = open_history(room.root)

    again = room.append("memory/a.md", "one", op="op-7", actor=actor)

    assert again.outcome == "repeated"
    assert again.commit_id == made
    assert room.read("memory/a.md") == "one\n"


def test_an_op_of_a_deleted_branch_is_not_known(room) -> None:
    room.append("memory/a.md", "one", op="op-1")
    room.git("checkout", "-q", "-b", "aside")
    commit_by_hand(room, WHOLE.replace("op-7", "op-aside"), config=AS_HOST)
    assert find_op(open_history(room.root), "op-aside") is not None
    room.git("checkout", "-q", "-")
    room.git("branch", "-q", "-D", "aside")

    assert find_op(open_history(room.root), "op-aside") is None
    assert find_op(open_history(room.root), "op-1") is not None


def test_an_op_is_known_behind_more_commits_than_are_read_without_git(room) -> None:
    """Mutants: of a long history only its end is read; nothing of it."""
    made = room.append("memory/a.md", "one", op="op-7").commit_id
    commit = "commit refs/heads/main\ncommitter Ada <ada@example.org> 1773915800 +0000\ndata 1\nx\n"
    first = f"{commit}from {made}\n"
    subprocess.run(
        ["git", "fast-import", "--quiet"],
        cwd=room.root,
        input=first + FOLLOWED * commit,
        check=True,
        text=True,
    )

    again = open_history(room.root)

    assert find_op(again, "op-7") == made
    assert find_op(again, "op-8") is None


def test_an_op_is_looked_for_by_git_where_a_commit_is_lost(room) -> None:
    """Mutant: what cannot be read has no op, so that it is applied again."""
    room.append("memory/a.md", "one", op="op-7")
    room.append("memory/a.md", "two", op="op-8")
    room.lose(room.git("rev-parse", "HEAD~1"))

    with pytest.raises(ClawgitError):
        find_op(open_history(room.root), "op-9")
