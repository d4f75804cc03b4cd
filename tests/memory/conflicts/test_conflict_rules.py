"""Which of two entries that contradict each other holds; the order in which they are named makes no difference."""

from __future__ import annotations

import json
from datetime import date

import pytest
from tests_folder import TESTS

from clawgit.memory.conflict_log import ConflictClaim, Outcome, ruling
from clawgit.memory.entries.entries import Tag

VECTORS = json.loads((TESTS / "vectors/conflicts.json").read_text("utf-8"))
CASES = [case for case in VECTORS["cases"] if case["contradict"]]
SWAPPED = {Outcome.A: Outcome.B, Outcome.B: Outcome.A, Outcome.OPEN: Outcome.OPEN}


def claim(case) -> ConflictClaim:
    tags = {f"#{tag.value}": tag for tag in Tag}
    trust = "operator" if case["direct_conversation"] else "host"
    return ConflictClaim(
        date.fromisoformat(case["date"]), trust, tags.get(case["tag"]), case["operator_correction"]
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_vectors_hold_in_either_order(case) -> None:
    a, b = claim(case["a"]), claim(case["b"])
    wanted = {"a": Outcome.A, "b": Outcome.B, None: Outcome.OPEN}[case["expect"].get("winner")]

    assert ruling(a, b).outcome is wanted
    assert ruling(b, a).outcome is SWAPPED[wanted]


JANUARY, MARCH = date(2026, 1, 1), date(2026, 3, 1)
OLD = ConflictClaim(JANUARY, "operator", Tag.KNOWLEDGE)


@pytest.mark.parametrize(
    ("newer", "outcome"),
    [
        pytest.param(ConflictClaim(MARCH, "external", Tag.KNOWLEDGE), Outcome.OPEN, id="read somewhere"),
        pytest.param(ConflictClaim(MARCH, "host", Tag.KNOWLEDGE), Outcome.OPEN, id="the host's"),
        pytest.param(
            ConflictClaim(MARCH, "understood", Tag.KNOWLEDGE), Outcome.A, id="a reading of his words"
        ),
        pytest.param(ConflictClaim(MARCH, "operator", None), Outcome.OPEN, id="without a tag"),
        pytest.param(
            ConflictClaim(MARCH, "operator", Tag.KNOWLEDGE, dated=JANUARY),
            Outcome.OPEN,
            id="of an old day by its line",
        ),
        pytest.param(
            ConflictClaim(JANUARY, "operator", None, is_correction=True),
            Outcome.B,
            id="a correction of that day",
        ),
        pytest.param(
            ConflictClaim(MARCH, "operator", Tag.KNOWLEDGE, dated=MARCH),
            Outcome.B,
            id="newer by line and commit",
        ),
    ],
)
def test_only_the_operators_newer_word_takes_the_place_of_his_older_one(
    newer: ConflictClaim, outcome: Outcome
) -> None:
    assert ruling(OLD, newer).outcome is outcome
    assert ruling(newer, OLD).outcome is SWAPPED[outcome]


def test_of_two_readings_the_newer_one_holds() -> None:
    older, newer = (ConflictClaim(on, "understood", None) for on in (JANUARY, MARCH))

    assert ruling(older, newer).outcome is Outcome.B
    assert ruling(newer, older).outcome is Outcome.A
    assert ruling(newer, newer).outcome is Outcome.OPEN


def test_of_two_corrections_of_one_day_the_operator_decides() -> None:
    one = ConflictClaim(MARCH, "operator", None, is_correction=True)

    assert ruling(one, one).outcome is Outcome.OPEN
