"""What an old note still weighs. Mutants seen to fail here: a half-life that is a mean life, ages below zero."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from tests_folder import TESTS

from clawgit.memory.entries.tiers import date_of
from clawgit.recall.ranking.results import decay_weight
from clawgit.workspace.settings.settings import Settings

VECTORS = json.loads((TESTS / "vectors" / "decay.json").read_text("utf-8"))


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_the_weight_of_an_age(case: dict[str, Any]) -> None:
    weight = decay_weight(case["age_days"], case["half_life_days"])
    assert weight == pytest.approx(case["weight"], abs=1e-6)


@pytest.mark.parametrize("case", VECTORS["seed_table"], ids=lambda case: case["label"])
def test_the_table_of_the_source(case: dict[str, Any]) -> None:
    assert decay_weight(case["age_days"], 23) == pytest.approx(case["seed_weight"], abs=case["tolerance"])


@pytest.mark.parametrize("case", VECTORS["degenerate"], ids=lambda case: str(case["half_life_days"]))
def test_without_a_half_life_nothing_decays(case: dict[str, Any]) -> None:
    assert decay_weight(case["age_days"], case["half_life_days"]) == case["weight"]


def test_the_future_weighs_as_much_as_today() -> None:
    assert decay_weight(-500, 30) == 1.0


@pytest.mark.parametrize("case", VECTORS["rank_cases"], ids=lambda case: case["id"])
def test_the_order_of_dated_files(case: dict[str, Any]) -> None:
    today = datetime.fromisoformat(case["now"]).date()

    def weighed(result: dict[str, Any]) -> float:
        on = date_of(result["path"])
        age = 0 if on is None else (today - on).days
        return float(result["score"] * decay_weight(age, case["half_life_days"] or 0))

    assert [each["path"] for each in sorted(case["results"], key=weighed, reverse=True)] == case[
        "expect_paths"
    ]


def test_decay_is_off_by_default_and_has_its_half_life() -> None:
    wanted = VECTORS["defaults"]

    assert Settings().temporal_decay_enabled is wanted["enabled"]
    assert Settings().temporal_decay_half_life_days == wanted["half_life_days"]
