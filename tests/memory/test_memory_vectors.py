"""The vectors' cases for confidence and for near-duplicates, by the rules that decide here."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

import pytest
from tests_folder import TESTS

from clawgit.memory.entry_states import (
    CORRECTED,
    INFERRED,
    OPERATOR_SAID,
    ConfidencePolicy,
    confidence_steps,
)
from clawgit.understanding.facts.same_statement import Relation, Statements, relation

FOLDER = TESTS / "vectors"
CONFIDENCE = json.loads((FOLDER / "confidence.json").read_text("utf-8"))
OVERLAP = json.loads((FOLDER / "dedupe_overlap.json").read_text("utf-8"))
BASES = {"operator_statement": OPERATOR_SAID, "operator_correction": CORRECTED, "inferred": INFERRED}
DAY = date(2026, 1, 1)


def confidence(base: str, on: int, *mentions: int) -> float:
    days = [DAY + timedelta(days=day) for day in mentions]
    steps = confidence_steps(BASES[base], DAY, days, DAY + timedelta(days=on), ConfidencePolicy())
    return steps[-1].confidence / 100


def test_the_parameters_are_those_of_the_vectors() -> None:
    policy, told = ConfidencePolicy(), CONFIDENCE["parameters"]

    assert {name: value / 100 for name, value in BASES.items()} == {name: told[name] for name in BASES}
    assert (policy.boost, policy.amount, policy.floor) == tuple(
        round(100 * told[name]) for name in ("boost_per_mention", "decay_amount", "floor")
    )
    assert policy.interval_days == told["decay_interval_days"]


@pytest.mark.parametrize("case", CONFIDENCE["cases"], ids=lambda case: case["id"])
def test_confidence_of_the_vectors(case: dict[str, Any]) -> None:
    base, mentions, found = case["base"], [], None
    for event in case["events"]:
        if event["kind"] == "mention":
            mentions.append(event["day"])
        elif event["kind"] == "correction":
            base, mentions = "operator_correction", []
        else:
            found = confidence(base, event["day"], *mentions)

    assert found == case["expect"]


@pytest.mark.parametrize("case", CONFIDENCE["idempotence_cases"], ids=lambda case: case["id"])
def test_looking_changes_nothing(case: dict[str, Any]) -> None:
    for day in range(min(0, case["days"]), case["days"]):
        confidence(case["base"], day)

    assert {confidence(case["base"], case["days"]) for _ in range(case.get("times", 1))} == {case["expect"]}


@pytest.mark.parametrize("case", CONFIDENCE["threshold_cases"], ids=lambda case: case["id"])
def test_the_line_of_thirty_is_met_exactly(case: dict[str, Any]) -> None:
    found = confidence(case["base"], case["days"])

    assert (found, found < 0.3) == (case["confidence"], case["below_0_3"])


@pytest.mark.parametrize("case", OVERLAP["cases"], ids=lambda case: case["id"])
def test_near_duplicates_of_the_vectors(case: dict[str, Any]) -> None:
    """Where the four measures do not agree, words alone do not decide: either way is the same from both sides."""
    a, b = case["a"], case["b"]
    found = [relation(a, b), relation(b, a)]
    listed = [how for _, how in Statements([a]).like(b)]

    if case["expect_merge"] is not None:
        assert [each is Relation.SAME for each in found] == [case["expect_merge"]] * 2
        assert (Relation.SAME in listed) is case["expect_merge"]
    assert found[0] is found[1]
