from __future__ import annotations

import pytest

from clawgit.text.tokens import count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("four", 1),
        ("fives", 2),
        ("我们关于API的决定", 8),
        ("비밀번호", 6),
        ("word " * 100, 125),
    ],
)
def test_han_counts_one_hangul_one_and_a_half_and_four_other_characters_one(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens
