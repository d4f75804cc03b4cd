"""How sure an entry of the miner's is, through the fold over real commits."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.plan import Edit, Evidence, Plan

LINE = b'# MEMORY\n\n- 2026-03-19: User: "I prefer tea." #knowledge <!-- m:aaa111 -->\n'


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("trust", "mentions", "days", "confidence"),
    [
        pytest.param("operator", [], 0, 95, id="the operator said it"),
        pytest.param("understood", [], 0, 80, id="a reading of what he said"),
        pytest.param("understood", [], 60, 70, id="a reading, two months later"),
        pytest.param("host", [], 0, 60, id="inferred"),
        pytest.param("external", [], 0, 60, id="read somewhere"),
        pytest.param("operator", [], 30, 90, id="a month"),
        pytest.param("host", [], 180, 30, id="on the line"),
        pytest.param("host", [], 3650, 20, id="never under the floor"),
        pytest.param("operator", [1, 2], 2, 100, id="capped"),
        pytest.param("host", [10], 39, 65, id="the days start again"),
        pytest.param("host", [90], 90, 50, id="decay first"),
        pytest.param("host", [3650], 3650, 25, id="from the floor"),
    ],
)
def test_confidence_follows_trust_mentions_and_time(
    room, trust: str, mentions, days: int, confidence: int
) -> None:
    """Mutant: an agent's change rests on the host's word at most."""
    evidence = (Evidence("chat:a", "I prefer tea."),)
    apply_plan(
        room.history,
        lambda _: Plan("mine", (Edit("MEMORY.md", LINE),), evidence=evidence),
        Intent(new_op(), "memory-miner", room.now, trust=trust),
    )
    for day in mentions:
        apply_plan(
            room.history,
            lambda _: Plan("said again", trailers=(("Clawgit-Mention", "m:aaa111 chat:b"),)),
            Intent(new_op(), "memory-miner", room.now + timedelta(days=day), trust="operator"),
        )

    (state,) = list_states(room.history, (room.now + timedelta(days=days)).date())

    assert (state.trust, state.confidence) == (trust, confidence)


def test_without_evidence_an_agents_words_are_a_hosts(room) -> None:
    """Mutant: the trust that a commit claims is believed whatever it names."""
    room.write("MEMORY.md", LINE.decode())
    message = "mine\n\nClawgit-Op: op-x\nClawgit-Actor: memory-miner\nClawgit-Trust: operator"
    author = "memory-miner <memory-miner@clawgit.invalid>"
    room.git("add", "-A")
    room.git("commit", "-q", f"--author={author}", "-m", message)

    (state,) = list_states(room.history, room.now.date())

    assert state.trust == "host"
