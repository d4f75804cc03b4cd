"""What `memory_policy` holds, and what it leaves to everybody.

Mutants seen to fail here: a dated note is held; a link in the ledger is held; a correction there is not; *explicit*
lets the host's word pass.
"""

from __future__ import annotations

import pytest

from clawgit.history.guards.finding import Severity
from clawgit.plan import Evidence, Plan
from clawgit.workspace.settings.settings import Settings

LINE = "- The rent is due on the 1st.\n"
HIS = {"trust": "operator", "plan": Plan("mine: rent", evidence=(Evidence("chat:1", "Remember: …"),))}
READ = {**HIS, "trust": "understood"}


def ledger(status: str) -> str:
    return (
        "# CORRECTIONS\n\n## 2026-03-01 10:22 <!-- x:aaa111 re-embedded:false -->\n\n- trigger: It is due on the 2nd.\n"
        f"- said: The rent is due on the 1st.\n- correct: The rent is due on the 2nd.\n- status: {status}\n"
    )


@pytest.mark.parametrize("actor", ["host", "unknown", "runner", "memory-miner", "organizer", "compactor"])
@pytest.mark.parametrize("path", ["MEMORY.md", "memory/learned.md", "memory/people/ada.md"])
def test_review_asks_about_every_change_of_memory(look, actor: str, path: str) -> None:
    found = look({}, {path: LINE}, actor, settings=Settings(memory_policy="review"))

    assert [(each.rule, each.severity) for each in found] == [("memory-policy", Severity.PROPOSE)]


@pytest.mark.parametrize(
    ("policy", "actor", "intent", "rules"),
    [
        pytest.param("free", "host", {}, [], id="free"),
        pytest.param("review", "operator", {}, [], id="the operator's own"),
        pytest.param("review", "memory-miner", HIS, ["memory-policy"], id="his words, reviewed"),
        pytest.param("review", "host", {"memory_is_open": True}, [], id="judged before"),
        pytest.param("explicit", "memory-miner", HIS, [], id="his words"),
        pytest.param("explicit", "recall-validator", READ, [], id="a reading of them"),
        pytest.param("explicit", "memory-miner", {}, ["memory-policy"], id="the agent's own word"),
        pytest.param("explicit", "host", {}, ["memory-policy"], id="the host's word"),
        pytest.param("explicit", "unknown", {}, ["memory-policy"], id="nobody known"),
    ],
)
def test_who_may_write_memory(look, policy, actor, intent, rules) -> None:
    assert (
        look.rules({}, {"MEMORY.md": LINE}, actor, settings=Settings(memory_policy=policy), **intent) == rules
    )


@pytest.mark.parametrize(
    "path",
    ["memory/2026-03-19.md", "memory/2026-03-19-api.md", "memory/INDEX.md", "notes/plan.md", "CONFLICTS.md"],
)
def test_notes_of_a_day_and_other_files_are_never_held(look, path: str) -> None:
    assert look.rules({}, {path: LINE}, "host", settings=Settings(memory_policy="review")) == []


@pytest.mark.parametrize(
    ("status", "rules"),
    [("open", []), ("linked", []), ("applied", ["memory-policy"]), ("understood", ["memory-policy"])],
)
def test_of_the_ledger_a_correction_in_force_is_held_and_no_question_or_link(look, status, rules) -> None:
    review = Settings(memory_policy="review")
    found = look.rules({}, {"CORRECTIONS.md": ledger(status)}, "recall-validator", settings=review, **HIS)

    assert found == rules


def test_a_line_that_goes_is_held_too(look) -> None:
    review = Settings(memory_policy="review")

    found = look.rules({"MEMORY.md": LINE}, {"MEMORY.md": None}, "host", settings=review)

    assert found == ["memory-policy", "loss"]
