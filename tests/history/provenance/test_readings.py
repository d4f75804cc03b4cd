"""What others wrote on the operator's message: his own where it is verbatim or one value that he names, else understood."""

from __future__ import annotations

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.intent import Intent
from clawgit.history.authorship.op_lookup import new_op
from clawgit.history.provenance.correction_files import read_known_corrections
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.provenance.fold_update import renewed_fold
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.memory.corrections.correction_log import Correction, Status, add_correction
from clawgit.plan import Edit, Evidence, Plan

OLD = "Board meetings are in Zurich."
NEW = "Board meetings are in Basel."
ENTRY = "- {} <!-- m:aaa111 -->\n"


def write(
    room, text: str, quote: str, *, actor="memory-miner", trust="operator", trailers=(), more=()
) -> None:
    edits = (Edit("MEMORY.md", text.encode()), *more)
    evidence = (Evidence("chat:a", quote),) if actor != "operator" else ()
    intent = Intent(new_op(), actor, room.now, trust=trust, by_message=actor == "host")
    apply_plan(room.history, lambda _: Plan("a change", edits, evidence=evidence, trailers=trailers), intent)


def states(room) -> dict[str, tuple[str, int]]:
    return {
        each.entry.text: (each.trust, each.confidence) for each in list_states(room.history, room.now.date())
    }


@pytest.mark.parametrize("actor", ["memory-miner", "host"])
def test_a_line_in_other_words_than_his_is_understood(room, actor: str) -> None:
    """Mutant: whatever claims to rest on his message is his."""
    write(room, f"- {NEW}\n- It costs 4k.\n", "It costs 4k. This year the board is in Basel.", actor=actor)

    assert states(room) == {NEW: ("understood", 80), "It costs 4k.": ("operator", 95)}


def test_a_value_that_he_names_is_his_in_a_line_that_was(room) -> None:
    write(room, ENTRY.format(OLD), "", actor="operator")
    write(room, ENTRY.format(NEW), "No, not in Zurich, in Basel.")

    assert states(room) == {NEW: ("operator", 95)}


@pytest.mark.parametrize(
    ("trust", "counts"),
    [
        pytest.param("understood", "understood", id="claimed as a reading"),
        pytest.param("host", "host", id="claimed as the host's"),
        pytest.param("better", "external", id="claimed as nothing that there is"),
    ],
)
def test_who_claims_less_gets_no_more(room, trust: str, counts: str) -> None:
    write(room, f"- {NEW}\n", NEW, trust=trust)

    assert states(room)[NEW][0] == counts


def test_a_rewording_of_a_reading_is_a_reading(room) -> None:
    write(room, ENTRY.format("Board meetings are in Bern."), "It's in Bern this year.")
    write(room, ENTRY.format(NEW), "No, not in Bern, in Basel.")

    assert states(room)[NEW][0] == "understood"


def test_a_yes_of_the_operator_s_makes_it_his(room) -> None:
    write(room, ENTRY.format(NEW), "It's in Basel this year.")
    intent = Intent(new_op(), "operator", room.now)
    plan = Plan("yes", trailers=(("Clawgit-Claims", "m:aaa111"),))
    apply_plan(room.history, lambda _: plan, intent)

    (state,) = list_states(room.history, room.now.date())

    assert (state.trust, state.source) == ("operator", "operator")


def corrected(room, trigger: str, correct: str = NEW, *, status=Status.APPLIED) -> Correction:
    """Let the validator correct the entry, and then note that it proved that."""
    write(room, ENTRY.format(OLD), "", actor="operator")
    item = Correction(
        "4f1c", "2026-03-08 10:00", trigger, "high", OLD, correct, ("aaa111",), status, evidence=("chat:a",)
    )
    ledger = Edit("CORRECTIONS.md", add_correction(b"", item))
    write(room, ENTRY.format(correct), trigger, actor="recall-validator", more=(ledger,))
    proven = Edit("CORRECTIONS.md", add_correction(b"", item._replace(re_embedded=True)))
    plan = Plan("proven", (proven,), evidence=(Evidence("x:4f1c"),))
    apply_plan(room.history, lambda _: plan, Intent(new_op(), "recall-validator", room.now, trust="operator"))
    with open_trusts(room.history) as trusts:
        return trusts.corrections(room.history.tip().tree)["4f1c"]


@pytest.mark.parametrize(
    ("trigger", "status", "confidence"),
    [
        pytest.param("isn't in Zurich this year, it's in Basel", Status.APPLIED, 100, id="his value"),
        pytest.param("the board goes to basel now", Status.UNDERSTOOD, 80, id="a reading"),
    ],
)
def test_a_correction_holds_as_what_it_rests_on(room, trigger: str, status: Status, confidence: int) -> None:
    held = corrected(room, trigger)

    assert (held.status, held.holds) == (status, True)
    assert states(room)[NEW][1] == confidence
    with renewed_fold(room.history) as store:
        (known,) = read_known_corrections(room.history, store)
    assert (known.counts, known.correction.status) == (True, status)
