"""The short way to one more item against the parser's way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.memory.entries.entries import appended_items, ends_in_item, read_entries
from clawgit.memory.provenance.stamps import _stamped, stamp

PIECES = st.sampled_from(
    [
        *["- one\n", "- two <!-- m:aaa111 -->\n", "# Heading\n", "\n", "text\n", "  - nested\n", "  more\n"],
        *[
            "```\n",
            "~~~\n",
            "<div>\n",
            "<!-- open\n",
            "-->\n",
            "---\n",
            "* star\n",
            "1. first\n",
            "> quoted\n",
        ],
        *[
            "    code\n",
            "\t- tab\n",
            "- \n",
            "- [link]: x\n",
            "===\n",
            "- a\r\n",
            "- <!-- x -->\n",
            "<!-- x -->\n",
        ],
    ]
)
TEXTS = st.lists(PIECES, max_size=8).map("".join).map(str.encode)
TAILS = st.lists(st.sampled_from(["- new\n", "- other\n", "- one\n"]), min_size=1, max_size=3).map("".join)


@pytest.mark.rest
@settings(max_examples=400)
@given(old=TEXTS, tail=TAILS)
def test_what_is_told_without_parsing_is_what_the_parser_says(old: bytes, tail: str) -> None:
    new = old + tail.encode()
    if appended_items(old, new) is None:
        return

    before, after = read_entries(old), read_entries(new)

    assert [entry.text for entry in after[: len(before)]] == [entry.text for entry in before]
    assert len(after) - len(before) == tail.count("\n")
    assert stamp(old, new, "msg:1") == _stamped(old, new, lambda _: "msg:1", ())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text\n",
        "- a",
        "- a\n\n",
        "```\n- a\n",
        "---\nx: 1\n- a\n",
        "<div>\n- a\n",
        "<!-- open\n- a\n",
        "  - a\n",
        "* a\n",
    ],
)
def test_the_unusual_is_left_to_the_parser(text: str) -> None:
    assert not ends_in_item(text.encode())


@pytest.mark.parametrize(
    "text", ["- a\n", "# H\n\n- a <!-- m:aaa111 -->\n- b\n", "<!-- a note -->\n\n- a\r\n"]
)
def test_the_usual_is_told_at_once(text: str) -> None:
    assert ends_in_item(text.encode())
