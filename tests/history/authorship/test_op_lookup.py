"""The same op is applied once; a commit that only claims it, or carries it along, does not count."""

from __future__ import annotations

import pytest

from clawgit.history.authorship.op_lookup import CACHE, MOST_UNKEPT, find_op
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


@pytest.fixture
def long_room(room, lived_once):
    """Return a room with more changes than each process reads for their ops."""

    def life() -> None:
        for number in range(MOST_UNKEPT + 3):
            room.append("memory/a.md", f"line {number}", op=f"op-{number}")

    return lived_once("long", life)


def test_ops_of_a_long_history_are_known_without_reading_it(long_room) -> None:
    """Mutant: without the cache, each process reads every commit."""
    history = open_history(long_room.root)

    assert find_op(history, "op-1") is not None
    assert len(history.op_memo.read) < MOST_UNKEPT


def test_an_op_of_a_deleted_branch_is_not_known_from_the_cache(long_room) -> None:
    """Mutant: without the look whether its tips are still reached, the op counts as done."""
    long_room.git("checkout", "-q", "-b", "aside")
    commit_by_hand(long_room, WHOLE.replace("op-7", "op-aside"), config=AS_HOST)
    (long_room.history.state / CACHE).unlink()
    assert find_op(open_history(long_room.root), "op-aside") is not None
    assert "op-aside" in (long_room.history.state / CACHE).read_text()
    long_room.git("checkout", "-q", "-")
    long_room.git("branch", "-q", "-D", "aside")

    assert find_op(open_history(long_room.root), "op-aside") is None
    assert find_op(open_history(long_room.root), "op-1") is not None


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"tips": 1, "ops": []}'])
def test_a_damaged_cache_of_ops_is_made_anew(long_room, kept: str) -> None:
    (long_room.history.state / CACHE).write_text(kept)
    history = open_history(long_room.root)

    assert find_op(history, "op-1") is not None
    assert find_op(open_history(long_room.root), "op-2") is not None
