"""Answers of several workspaces in one list.

Mutants that these tests caught: the first workspace's results all first, what was shown for want of better kept beside good results,
the whole budget for guesses of two workspaces.
"""

from __future__ import annotations

import pytest

from clawgit.recall.search_results import CHARACTERS, GUESS_TOKENS, Hits, Query, Result, WorkspaceHits, merged


def answered(agent: str, *scores: float, most: int = 4) -> WorkspaceHits:
    results = tuple(
        Result(f"{agent}-{number}.md", 1, 1, score, "", "memory", "T1") for number, score in enumerate(scores)
    )
    return WorkspaceHits(agent, Hits(results), Query("?", most, 0.35))


@pytest.mark.parametrize(
    ("answers", "order"),
    [
        pytest.param([answered("a", 0.9, 0.5), answered("b", 0.7)], ["a-0", "b-0", "a-1"], id="by score"),
        pytest.param([answered("a", 0.5), answered("b", 0.5)], ["a-0", "b-0"], id="of equals the first"),
        pytest.param([answered("a"), answered("b", 0.5)], ["b-0"], id="one has nothing"),
        pytest.param(
            [answered("a", 1, 1, 1, 1), answered("b", 0.9)], ["a-0", "a-1", "a-2", "a-3"], id="so many"
        ),
        pytest.param(
            [answered("a", 0.9, most=1), answered("b", 1.0, 1.0)], ["b-0"], id="as many as the first"
        ),
        pytest.param([answered("a", 0.1), answered("b", 0.2)], ["b-0", "a-0"], id="nobody has better"),
        pytest.param([], [], id="nobody"),
    ],
)
def test_the_best_of_all_come_first(answers, order):
    assert [result.path.removesuffix(".md") for _, result in merged(answers)] == order
    assert all(result.path.startswith(agent) for agent, result in merged(answers))


@pytest.mark.parametrize(("likely", "shown"), [(0.4, 5), (0.41, 8)], ids=["low", "medium"])
def test_guesses_of_several_cost_no_more_than_those_of_one(likely: float, shown: int) -> None:
    text = "x" * (GUESS_TOKENS * CHARACTERS // 5 - 1)
    wanted = Query("?", 20, 0.2, tokens=1000, guesses=True)
    answers = []
    for agent in ("a", "b"):
        results = tuple(Result(f"{agent}-{n}.md", 1, 1, 0.1, text, "memory", "T1") for n in range(4))
        answers.append(WorkspaceHits(agent, Hits(results, probability=likely), wanted))

    assert len(merged(answers)) == shown
