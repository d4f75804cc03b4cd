"""The estimate of what a text costs in a prompt."""

from __future__ import annotations

import pytest

from clawgit.text.words.tokens import count_pieces

ENTRY = "- 2026-01-20: Chose REST over GraphQL for the Acme API. #decision"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("a short word", 3, id="words of up to seven letters"),
        pytest.param("understanding", 3, id="a long word: 1 + 6/4, rounded up"),
        pytest.param("2026", 2, id="three digits a piece"),
        pytest.param("!!!", 2, id="two marks a piece"),
        pytest.param("a\n\n\nb", 3, id="line ends together"),
        pytest.param("a    b", 3, id="a gap"),
        pytest.param("我们选择了数据库", 9, id="Chinese: 1.1 a character"),
        pytest.param("데이터베이스", 8, id="Hangul: 1.3 a character"),
        pytest.param("Привет", 4, id="other letters: 0.6"),
        pytest.param("────────", 2, id="box drawing"),
        pytest.param("🙂🙂", 4, id="emoji"),
        pytest.param(ENTRY, 20, id="an entry"),
        pytest.param(ENTRY + " <!-- m:7k2x9d -->", 32, id="an entry with its mark"),
    ],
)
def test_a_text_costs_its_pieces(text: str, tokens: int) -> None:
    assert count_pieces(text) == tokens


def test_lines_apart_never_cost_less_than_together() -> None:
    lines = ["# A\n", "\n", "- one, two\n", "  three 12\n", "数据库 é\n", "end"]

    assert count_pieces("".join(lines)) <= sum(map(count_pieces, lines))
