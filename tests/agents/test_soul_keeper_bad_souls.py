"""The soul keeper before a SOUL.md of any kind: it adds to what it can read, says why it does not, and never fails."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.agents.soul_keeper import SoulKeeper, gather_material
from clawgit.capture.messages.incoming_message import rules_in_force, take_down
from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.messages.open_messages import open_messages
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.states import read_drift
from clawgit.history.undo.undo import find_undoing, undo

LONG = "# SOUL\n\n" + "".join(
    f"- Principle number {number} is one of many, many others.\n" for number in range(3_500)
)


@pytest.fixture
def ordered(room):
    """Return a workspace after its first conversation, in which an order was given twice."""
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("operator")
    with open_messages(room.history, room.now) as store:
        for number, text in enumerate(("Always answer in German.", "Always answer in German!")):
            at = room.now - timedelta(days=2 - number)
            heard = IncomingMessage(
                "user", text, message_id=str(number), sent_at=at, sender="ada", by_operator=True
            )
            store.add([take_down(heard, rules_in_force(room.history, room.now, "operator"), room.now)])
    return room


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("soul", "outcome"),
    [
        pytest.param("Be kind. Be brief.\nNever lie.", "applied", id="no headings"),
        pytest.param("# 灵魂\n\n- 说真话。\n- 简短。\n", "applied", id="Chinese"),
        pytest.param("---\nname: Mia\n---\n\n# SOUL\n\n- Be kind.\n", "applied", id="front matter"),
        pytest.param("# SOUL\r\n\r\n- Be kind.\r\n", "applied", id="CRLF"),
        pytest.param("", "applied", id="empty"),
        pytest.param(LONG, "proposed", id="200 KB"),
    ],
)
def test_a_soul_of_any_form_grows_by_one_line_or_is_left_alone(ordered, soul: str, outcome: str) -> None:
    (ordered.root / "SOUL.md").write_bytes(soul.encode())
    ordered.keep("operator")

    (report,) = SoulKeeper.run_round(ordered.history, ordered.now)

    after = (ordered.root / "SOUL.md").read_bytes().decode()
    assert report.note.outcome.value == outcome, report.note.reason
    assert [line for line in soul.splitlines() if line not in after.splitlines()] == []
    assert read_drift(ordered.history, None).now.distance <= 1
    if outcome == "applied":
        undoing = find_undoing(ordered.history, report.note.commit_id)
        undo(ordered.history, undoing, "", Intent(new_op(), "operator", ordered.now))
        assert (ordered.root / "SOUL.md").read_bytes().decode() == soul


@pytest.mark.parametrize("kept", [True, False], ids=["committed", "not committed"])
def test_a_deleted_soul_stays_deleted(ordered, kept: bool) -> None:
    (ordered.root / "SOUL.md").unlink()
    if kept:
        ordered.keep("operator")

    assert [each.note.outcome.value for each in SoulKeeper.run_round(ordered.history, ordered.now)] in (
        [],
        ["refused"],
    )
    assert SoulKeeper.rehearse_round(ordered.history, ordered.now) == [] or not kept
    assert not (ordered.root / "SOUL.md").exists()


def test_through_a_link_nothing_is_written(ordered, tmp_path) -> None:
    """Mutant: the file that the link names is written."""
    other = tmp_path / "other.md"
    other.write_text("# Mine\n")
    (ordered.root / "SOUL.md").unlink()
    (ordered.root / "SOUL.md").symlink_to(other)

    outcomes = [each.note.outcome.value for each in SoulKeeper.run_round(ordered.history, ordered.now)]

    assert "applied" not in outcomes
    assert other.read_text() == "# Mine\n"
    assert (ordered.root / "SOUL.md").is_symlink()


@pytest.mark.parametrize(
    ("status", "carries"), [("applied", "No, it is Basel."), ("understood", None), ("linked", None)]
)
def test_a_correction_carries_what_the_operator_said_and_a_reading_is_not_there(
    room, status, carries
) -> None:
    """Mutants: what the agent said stands for his word; a reading of his words does."""
    ledger = f"## 2026-03-18 10:00 <!-- x:4f1c re-embedded:true -->\n\n- trigger: No, it is Basel.\n- said: It is in Rome.\n- correct: It is in Basel.\n- status: {status}\n"
    ledger = ledger.replace("- correct: It is in Basel.\n", "") if status == "linked" else ledger
    room.change({"CORRECTIONS.md": ledger}, actor="operator")

    material = gather_material(room.history, room.now - timedelta(days=7), room.now, ())

    ground = material.grounds.get("x:4f1c")
    assert (ground and ground.carries) == carries
