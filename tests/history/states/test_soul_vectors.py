"""The cases for the soul of the vectors, by what guards them here: small additions flow, all else waits or is refused."""

from __future__ import annotations

import json

import pytest
from tests_folder import TESTS

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.guards.check import GuardError
from clawgit.plan import Edit, Evidence, Plan

VECTORS = json.loads((TESTS / "vectors/recall_and_soul.json").read_text("utf-8"))
SOUL = "# Soul\n\n" + "".join(f"- Principle number {number} of mine.\n" for number in range(20))
CORRECTED = SOUL + "- Never mail before noon, as Ada corrected.\n"


@pytest.fixture
def keeper(room):
    """Return a function that proposes SOUL.md as the soul keeper does, on the operator's words."""
    room.change({"SOUL.md": SOUL})
    by_correction = Plan(
        "soul: noon",
        (Edit("SOUL.md", CORRECTED.encode()),),
        evidence=(Evidence("chat:1", "noon"),),
        trailers=(("Clawgit-Basis", "correction"),),
    )
    made = Intent(new_op(), "soul-keeper", room.now, trust="operator")
    apply_plan(room.history, lambda _: by_correction, made)

    def propose(text: str):
        intent = Intent(new_op(), "soul-keeper", room.now, trust="operator")
        plan = Plan(
            "soul: sharpen", (Edit("SOUL.md", text.encode()),), evidence=(Evidence("chat:1", "noon"),)
        )
        return apply_plan(room.history, lambda _: plan, intent)

    return propose


def sk3(room, keeper) -> None:
    with pytest.raises(GuardError) as refused:
        keeper(CORRECTED + "- One more principle.\n" * 400)
    assert "soul-budget" in {finding.rule for finding in refused.value.findings}


def sk4(room, keeper) -> None:
    with pytest.raises(GuardError) as refused:
        keeper(SOUL)
    assert {finding.rule for finding in refused.value.findings} == {"soul-rewrite"}
    newer = CORRECTED.replace("Never mail", "Mail")
    assert keeper(newer).outcome == "proposed"


def sk5(room, keeper) -> None:
    with pytest.raises(GuardError) as refused:
        keeper("# Soul\n\n- All of it is new.\n" * 3)
    assert "soul-rewrite" in {finding.rule for finding in refused.value.findings}


HANDLED = {"SK3": sk3, "SK4": sk4, "SK5": sk5}
ELSEWHERE = "SK6"  # test_sk6_rollback in tests/cli/test_restore.py


def test_no_case_is_left_out() -> None:
    assert {each["id"] for each in VECTORS["soul_keeper_cases"]} == {*HANDLED, ELSEWHERE}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", HANDLED)
def test_what_is_more_than_a_small_addition_leaves_the_soul_as_it_is(room, keeper, case: str) -> None:
    before, head = room.read("SOUL.md"), room.head()

    HANDLED[case](room, keeper)

    assert (room.read("SOUL.md"), room.head()) == (before, head)
