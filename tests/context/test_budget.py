"""Who gets how much room: the given cases, and what holds for any needs and budgets."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_folder import TESTS

from clawgit.context.assemble_context import share_out

VECTORS = json.loads((TESTS / "vectors/assembler_budget.json").read_text("utf-8"))
AMOUNTS = st.lists(st.integers(0, 3000), min_size=8, max_size=8)


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_room_is_shared_out_as_the_vectors_say(case) -> None:
    needs = list(case["need"].values())

    granted = share_out(needs, case["total"], [0] * len(needs))

    if case["hard"]:
        assert granted == list(case["expect_literal"].values())
    assert all(has >= least for has, least in zip(granted, case["expect_literal"].values(), strict=True))


def test_the_default_budgets_are_those_of_the_vectors() -> None:
    assert sum(each["default"] for each in VECTORS["slots"]) == 6000


@given(AMOUNTS, st.integers(-5, 25_000))
def test_nothing_is_over_the_total_and_nothing_is_cut_for_what_is_lower(needs, total) -> None:
    """Mutants: the lowest first; what is left over is kept."""
    granted = share_out(needs, total, [0] * len(needs))

    assert sum(granted) == min(max(0, total), sum(needs))
    for high, need in enumerate(needs):
        if granted[high] < need:
            assert not any(granted[high + 1 :])


@given(AMOUNTS, AMOUNTS)
def test_what_flows_on_is_taken_from_nobody_who_needs_it(needs, held) -> None:
    granted = share_out(needs, sum(held), held)

    assert sum(granted) == min(sum(held), sum(needs))
    assert all(has >= min(need, own) for has, need, own in zip(granted, needs, held, strict=True))


def test_room_that_is_not_needed_goes_to_the_highest_that_needs_it() -> None:
    assert share_out([10, 50, 50], 80, [40, 20, 20]) == [10, 50, 20]


def test_a_floor_is_what_a_lower_slot_keeps_of_its_need() -> None:
    assert share_out([100, 30, 50], 100, [0, 0, 40]) == [60, 0, 40]
    assert share_out([100, 30, 10], 100, [0, 0, 40]) == [90, 0, 10]
