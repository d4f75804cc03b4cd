"""Blocks carry what they say and what they stand in; an open end is noticed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.markdown.block_structure import Block, blocks, ends_open


def test_blocks_say_where_they_stand() -> None:
    assert blocks(b"---\na: 1\n---\n# H\n- x\n\n> q\n\n```py\nc\n```\n") == [
        Block("h1", 3, 4, (), (), "H"),
        Block("list_item", 4, 5, ("bullet_list",), ("H",), ""),
        Block("p", 4, 5, ("bullet_list", "list_item"), ("H",), "x"),
        Block("blockquote", 6, 7, (), ("H",), ""),
        Block("p", 6, 7, ("blockquote",), ("H",), "q"),
        Block("fence", 8, 11, (), ("H",), "py\nc\n"),
    ]


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        pytest.param(b"", False, id="nothing"),
        pytest.param(b"a", False, id="paragraph"),
        pytest.param(b"```\na\n```", False, id="closed fence"),
        pytest.param(b"a\n```\nb\n", True, id="open fence"),
        pytest.param(b"a\n~~~~\nb\n~~~", True, id="fence closed with too little"),
        pytest.param(b"- a\n  ```\n  b", False, id="fence in an item ends with it"),
        pytest.param(b"<!-- a\n\nb", True, id="open comment"),
        pytest.param(b"<!-- a -->", False, id="closed comment"),
        pytest.param(b"<script>\n", True, id="script"),
        pytest.param(b"<div>\n", False, id="a blank line ends other HTML"),
        pytest.param(b"---\na: 1\n", False, id="open front matter is none"),
    ],
)
def test_a_text_that_would_swallow_what_follows_ends_open(text: bytes, is_open: bool) -> None:
    assert ends_open(text) is is_open


@given(st.text("-*>#`~<!\n\r \tab1.:[]()\\=|").map(str.encode) | st.binary())
def test_any_bytes_have_blocks(text: bytes) -> None:
    assert all(block.first <= block.last for block in blocks(text))
