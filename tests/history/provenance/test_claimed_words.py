"""The operator takes words for his own as he moves them: those words, and only by his own change."""

from __future__ import annotations

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.guards.check import GuardError
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.provenance.fold_store import open_fold
from clawgit.plan import Edit, Plan

NOTE, CORE = "memory/2026-03-19.md", "MEMORY.md"
CLAIM = (("Clawgit-Claims", "words"),)


def trusts(room) -> dict[str, str]:
    return {state.entry.text: state.trust for state in list_states(room.history, room.now.date())}


def moved(room, actor: str) -> None:
    """Move a line of the host's note to MEMORY.md, and claim it."""
    edits = (Edit(NOTE, b"- soup\n"), Edit(CORE, b"# MEMORY\n\n- rotate the keys\n"))
    apply_plan(
        room.history, lambda _: Plan("promote", edits, trailers=CLAIM), Intent(new_op(), actor, room.now)
    )


@pytest.fixture
def noted(room):
    room.change({CORE: "# MEMORY\n"}, actor="operator")
    room.change({NOTE: "- rotate the keys\n- soup\n"}, actor="host")
    return room


def test_the_words_that_the_operator_moves_count_as_his_and_others_of_the_note_do_not(noted) -> None:
    moved(noted, "operator")
    noted.change({"memory/soups.md": "- soup\n"}, actor="operator")

    assert trusts(noted) == {"rotate the keys": "operator", "soup": "host"}
    (state,) = [each for each in list_states(noted.history, noted.now.date()) if each.path == CORE]
    assert state.commit_id == noted.git("rev-parse", "HEAD~2")  # who brought them first, and when, stays


def test_a_fold_made_anew_says_the_same(noted) -> None:
    trusts(noted)  # folded up to here, and then a step further
    moved(noted, "operator")
    before = trusts(noted)
    with open_fold(noted.history.state) as store:
        store.clear()

    assert trusts(noted) == before


@pytest.mark.parametrize("actor", ["host", "unknown", "memory-miner"])
def test_nobody_else_claims_words(noted, actor: str) -> None:
    with pytest.raises(GuardError):
        moved(noted, actor)


@pytest.mark.parametrize(
    "author",
    [
        pytest.param("host <host@clawgit.invalid>", id="as the host"),
        pytest.param("operator <operator@clawgit.invalid>", id="as an operator that clawgit signs"),
    ],
)
def test_a_commit_that_is_not_the_operator_s_claims_nothing(noted, author: str) -> None:
    noted.write(CORE, "# MEMORY\n\n- rotate the keys\n")
    noted.git("add", CORE)
    noted.git(
        "commit",
        "-q",
        "--no-verify",
        f"--author={author}",
        "-m",
        "x\n\nClawgit-Actor: host\nClawgit-Claims: words",
    )

    assert trusts(noted)["rotate the keys"] != "operator"
