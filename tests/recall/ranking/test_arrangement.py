"""The list as it is shown.

Mutants seen to fail here: words of ASCII only in the comparison, lambda not clamped, files not mixed, hits joined
that answer much worse, groups without an end.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_folder import TESTS

from clawgit.recall.index.places import over_days
from clawgit.recall.ranking.results import (
    Hit,
    by_shown_score,
    diversified,
    joined,
    snippet_of,
    spread_by_file,
)
from clawgit.text.words.terms import index_terms

VECTORS = json.loads((TESTS / "vectors" / "hybrid_mmr.json").read_text("utf-8"))


def hit(key: int, order: float, path: str = "a.md", line: int = 0) -> Hit:
    at = line or 10 * key + 1
    return Hit(key, path, at, at, order, 0.5, size=100)


@pytest.mark.parametrize("case", VECTORS["mmr_cases"], ids=lambda case: case["id"])
def test_near_duplicates_fall_behind(case: dict[str, Any]) -> None:
    hits = [
        Hit(int(item["id"]), "a.md", at, at, item["score"], 0.5, index_terms(item["content"]))
        for at, item in enumerate(case["items"])
    ]
    wanted = case["config"]

    ordered = diversified(hits, wanted["lambda"]) if wanted["enabled"] else hits

    assert [str(each.key) for each in ordered] == case["expect_order"]


def test_of_hits_that_tie_those_of_other_files_come_before_the_fourth_of_one() -> None:
    hits = [hit(n, 9.0) for n in range(5)] + [hit(5, 9.0, "b.md"), hit(6, 2.0, "b.md")]
    assert [each.key for each in spread_by_file(hits, 3)] == [0, 1, 2, 5, 3, 4, 6]


def test_hits_that_answer_much_better_stay_before_those_of_other_files() -> None:
    hits = [hit(n, 9.0) for n in range(5)] + [hit(5, 8.0, "b.md")]
    assert [each.key for each in spread_by_file(hits, 3)] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("hits", "groups"),
    [
        pytest.param([(1, 9, "a", 5), (2, 8, "a", 6)], [[1, 2]], id="the next line"),
        pytest.param([(1, 9, "a", 5), (2, 8, "a", 4)], [[2, 1]], id="the line before, in the file's order"),
        pytest.param([(1, 9, "a", 5), (2, 8, "a", 7)], [[1], [2]], id="a line between"),
        pytest.param([(1, 9, "a", 5), (2, 8, "b", 6)], [[1], [2]], id="another file"),
        pytest.param([(1, 9, "a", 5), (2, 2, "a", 6)], [[1], [2]], id="much worse"),
        pytest.param([(1, 9, "a", 5), (2, 5, "a", 6)], [[1, 2]], id="half as well"),
        pytest.param(
            [(1, 9, "a", 5), (2, 9, "b", 1), (3, 9, "a", 6)], [[1, 3], [2]], id="at the place of the best"
        ),
        pytest.param(
            [(n, 9, "a", n) for n in (1, 2, 3, 4, 5)], [[1, 2, 3, 4], [5]], id="400 characters at most"
        ),
        pytest.param(
            [(1, 9, "a", 5), (2, 8, "b", 1), (3, 7, "a", 7), (4, 6, "a", 6)],
            [[1, 4, 3], [2]],
            id="two that meet, at the place of the better",
        ),
        pytest.param(
            [(1, 9, "a", 7), (2, 8, "b", 1), (3, 7, "a", 5), (4, 6, "a", 6)],
            [[3, 4, 1], [2]],
            id="two that meet, the better behind",
        ),
        pytest.param(
            [(1, 9, "a", 5), (2, 9, "a", 6), (3, 9, "a", 8), (4, 9, "a", 9), (5, 9, "a", 7)],
            [[1, 2, 5], [3, 4]],
            id="two that meet and are too long together",
        ),
        pytest.param([], [], id="nothing"),
    ],
)
def test_adjacent_hits_are_joined(hits: list[tuple[int, float, str, int]], groups: list[list[int]]) -> None:
    found = joined([hit(key, order, path, line) for key, order, path, line in hits])
    assert [[each.key for each in group] for group in found] == groups


@pytest.mark.parametrize(
    ("hits", "groups"),
    [
        pytest.param([(1, 9, "a", 5), (2, 5, "a", 6)], [[1], [2]], id="half as well"),
        pytest.param([(n, 9, "a", n) for n in (1, 2, 3, 4)], [[1, 2, 3], [4]], id="three at most"),
        pytest.param([(1, 9, "a", 5), (2, 9, "a", 7), (3, 9, "a", 6)], [[1, 3, 2]], id="two that meet"),
        pytest.param([(1, 9, "a", 5), (2, 6, "a", 7), (3, 9, "a", 6)], [[1, 3], [2]], id="two unlike"),
    ],
)
def test_turns_and_entries_are_joined_later_than_lines_of_a_note(
    hits: list[tuple[int, float, str, int]], groups: list[list[int]]
) -> None:
    found = joined([hit(key, order, path, line)._replace(is_whole=True) for key, order, path, line in hits])

    assert [[each.key for each in group] for group in found] == groups


HITS = st.lists(
    st.tuples(st.integers(0, 40), st.floats(-5, 50), st.sampled_from("ab")), unique_by=lambda h: h[0]
)


@given(HITS, st.floats(-1, 2))
def test_nothing_is_lost_or_shown_twice(listed: list[tuple[int, float, str]], trade: float) -> None:
    hits = [hit(key, order, path, key + 1) for key, order, path in listed]
    keys = sorted(each.key for each in hits)

    assert sorted(each.key for each in diversified(hits, trade)) == keys
    assert sorted(each.key for each in spread_by_file(hits, 3)) == keys
    assert sorted(each.key for group in joined(hits) for each in group) == keys


@pytest.mark.parametrize(
    ("ranked", "shown"),
    [
        pytest.param(["a 0.5", "b 1.0", "c 0.7"], ["a 1.0", "b 1.0", "c 0.7"], id="the rank stays"),
        pytest.param(["a 1.0", "X 1.5", "c 0.7"], ["X 1.5", "a 1.0", "c 0.7"], id="a correction leads"),
        pytest.param(["a 1.0", "X 0.6", "c 0.7"], ["a 1.0", "X 0.7", "c 0.7"], id="and never sinks"),
        pytest.param(["a 0.5", "X 0.3"], ["a 0.5", "X 0.3"], id="nor leads what answers better"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_hits_stand_in_the_order_of_the_score_that_is_shown(ranked: list[str], shown: list[str]) -> None:
    """Mutants: a correction raises what is ranked above it, or goes by its rank alone."""
    found = by_shown_score(ranked, lambda each: float(each[2:]), lambda each: each.startswith("X"))
    assert [f"{each[0]} {score}" for score, each in found] == shown


@pytest.mark.parametrize(
    ("ranked", "most", "chosen"),
    [
        pytest.param("3a 3b 3c 2a 1a", 4, "3a 2a 1a 3b", id="each day once before one twice"),
        pytest.param("6a 5a 4a 3a 2a 1a", 3, "6a 4a 2a", id="days far apart where there are too many"),
        pytest.param("2a 1a", 9, "2a 1a", id="no more than there are"),
    ],
)
def test_what_is_asked_of_days_is_spread_over_them(ranked: str, most: int, chosen: str) -> None:
    assert " ".join(over_days(ranked.split(), lambda each: each[0], most)) == chosen


def test_the_lines_of_a_snippet_have_their_numbers_in_the_file_also_where_its_begin_is_cut_off() -> None:
    data = f"# Day\n\n{'Soup and bread. ' * 60}\n<!-- a\nb -->\nQuinces.\n\nPears.\n".encode()

    assert snippet_of(data, 5, 8, ()) == ("b -->\nQuinces.\nPears.", (5, 6, 8))
    snippet, numbers = snippet_of(data, 1, 8, ("quince", "pear"))
    assert (snippet.startswith("…"), snippet.split("\n")[1:], numbers) == (
        True,
        ["Quinces.", "Pears."],
        (3, 6, 8),
    )
