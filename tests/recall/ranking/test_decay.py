"""What an old note still weighs. Mutants seen to fail here: a half-life that is a mean life, ages below zero."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests_folder import TESTS

from clawgit.recall.ranking.decay import decay_weight

VECTORS = json.loads((TESTS / "vectors" / "decay.json").read_text("utf-8"))


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_the_weight_of_an_age(case: dict[str, Any]) -> None:
    weight = decay_weight(case["age_days"], case["half_life_days"])
    assert weight == pytest.approx(case["weight"], rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("case", VECTORS["seed_table"], ids=lambda case: case["label"])
def test_the_table_of_the_source(case: dict[str, Any]) -> None:
    assert decay_weight(case["age_days"], 23) == pytest.approx(case["seed_weight"], abs=case["tolerance"])


@pytest.mark.parametrize("case", VECTORS["degenerate"], ids=lambda case: str(case["half_life_days"]))
def test_without_a_half_life_nothing_decays(case: dict[str, Any]) -> None:
    assert decay_weight(case["age_days"], case["half_life_days"]) == case["weight"]


def test_the_future_weighs_as_much_as_today() -> None:
    assert decay_weight(-500, 30) == 1.0
