"""Where texts are cut; tests/memory/test_pieces.py checks the parts against the parser."""

from __future__ import annotations

import pytest

from clawgit.text.markdown.block_structure import safe_parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param("- a\n- b\n", ["- a", "- b"], id="items"),
        pytest.param("# H\n\ntext\n- a\n", ["# H\n\ntext", "- a"], id="a heading and what is below it"),
        pytest.param(
            "- a\n  more\n\n  yet more\n- b", ["- a\n  more\n\n  yet more", "- b"], id="an item of many lines"
        ),
        pytest.param("- a\n  - b\n- c\n", ["- a\n  - b", "- c"], id="nested items stay with theirs"),
        pytest.param("```\n- a\n```\n- b\n", ["```\n- a\n```", "- b"], id="code"),
        pytest.param("~~~~\n~~~\n- a\n~~~~~\n- b\n", ["~~~~\n~~~\n- a\n~~~~~", "- b"], id="a longer fence"),
        pytest.param("```\n- a\n- b\n", ["```\n- a\n- b"], id="code that never ends"),
        pytest.param("<!-- x\n- a\n-->\n- b\n", ["<!-- x\n- a\n-->", "- b"], id="a comment"),
        pytest.param("---\na: b\n# c\n---\n- d\n", ["---\na: b\n# c\n---", "- d"], id="front matter"),
        pytest.param("- a\r\n- b\r\n", ["- a\r", "- b\r"], id="CRLF"),
        pytest.param("-a\n-\n-  b\n- c\n", ["-a\n-\n-  b", "- c"], id="what is no item for sure"),
    ],
)
def test_parts(text: str, parts: list[str]) -> None:
    assert safe_parts(text.encode()) == [part.encode() for part in parts]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<div>\n- a\n", id="HTML goes on to a blank line"),
        pytest.param("- a\n  ```\n- b\n", id="a fence that may or may not belong to the item"),
        pytest.param("``` a`b\n- a\n", id="a fence that is none"),
        pytest.param("- a\r- b\n", id="line ends that git does not count"),
        pytest.param("\ufeff- a\n- b\n", id="a byte order mark"),
    ],
)
def test_what_only_a_parser_can_tell_is_left_to_it(text: str) -> None:
    assert safe_parts(text.encode()) is None
