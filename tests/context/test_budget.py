"""Who gets how much room: the given cases, and what holds for any needs and budgets."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_folder import TESTS

from clawgit.context.budget import flow_on, share_out

VECTORS = json.loads((TESTS / "vectors/assembler_budget.json").read_text("utf-8"))
AMOUNTS = st.lists(st.integers(0, 3000), min_size=8, max_size=8)


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_room_is_shared_out_as_the_vectors_say(case) -> None:
    needs, budgets = list(case["need"].values()), list(case["budget"].values())

    granted = share_out(needs, budgets, case["total"])

    if case["hard"]:
        assert granted == list(case["expect_literal"].values())
    assert all(has >= least for has, least in zip(granted, case["expect_literal"].values(), strict=True))


def test_the_default_budgets_are_those_of_the_vectors() -> None:
    assert sum(each["default"] for each in VECTORS["slots"]) == 6000


@given(AMOUNTS, AMOUNTS, st.integers(-5, 12_000))
def test_nothing_is_over_the_total_and_nothing_is_cut_for_what_is_lower(needs, budgets, total) -> None:
    """Mutants: take from the highest below first; let what is left flow from the bottom up."""
    granted = share_out(needs, budgets, total)

    assert sum(granted) <= max(0, total)
    assert all(0 <= has <= need for has, need in zip(granted, needs, strict=True))
    for high, need in enumerate(needs):
        if granted[high] < need:  # then no lower one has more than its own budget
            assert all(has <= own for has, own in zip(granted[high + 1 :], budgets[high + 1 :], strict=True))
        if need > budgets[high] and granted[high] < need:
            assert not any(granted[high + 1 :])


@given(AMOUNTS, AMOUNTS, st.integers(0, 12_000))
def test_what_stays_within_its_budget_is_cut_only_for_what_is_higher(needs, budgets, total) -> None:
    granted = share_out(needs, budgets, max(total, sum(budgets)))

    for low, (need, budget) in enumerate(zip(needs, budgets, strict=True)):
        if need <= budget and granted[low] < need:
            assert any(above > own for above, own in zip(needs[:low], budgets[:low], strict=True))


def test_room_that_is_not_needed_goes_to_the_highest_that_needs_it() -> None:
    assert flow_on([10, 50, 50], [40, 20, 20]) == [10, 50, 20]
    assert flow_on([0, 50, 50], [0, 20, 20], spare=40) == [0, 50, 30]
