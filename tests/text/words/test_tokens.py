"""The offline estimate of tokens."""

from __future__ import annotations

import pytest

from clawgit.text.words.tokens import count_tokens, fitting


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("a", 1, id="rounded up"),
        pytest.param("abcd efg", 2, id="four characters of Latin"),
        pytest.param("数据库选择", 5, id="one character of Chinese"),
        pytest.param("ダーク", 3, id="one character of kana"),
        pytest.param("결정", 3, id="one and a half of Hangul"),
        pytest.param("API设计", 3, id="mixed"),
    ],
)
def test_count_tokens(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens", "characters"),
    [("abcdefghi", 2, 8), ("数据库", 2, 2), ("a数据", 1, 1), ("", 3, 0), ("결정은", 3, 2), ("ab", 9, 2)],
)
def test_fitting(text: str, tokens: int, characters: int) -> None:
    assert fitting(text, tokens) == characters
