"""Where texts are cut; tests/memory/test_pieces.py checks the parts against the parser."""

from __future__ import annotations

import pytest

from clawgit.text.markdown.safe_cuts import differing, find_cuts


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
    cuts = find_cuts(text.encode())

    assert cuts is not None
    assert [part.decode() for part in cuts.parts(0, len(text))] == parts


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
    assert find_cuts(text.encode()) is None


def test_two_versions_differ_from_cut_to_cut() -> None:
    old, new = (find_cuts(text) for text in (b"- a\n- b\n  more\n- c\n", b"- a\n- b\n  less\n- c\n"))

    assert old is not None
    assert new is not None
    assert differing(old, new) == ((4, 15), (4, 15))


def test_an_edit_in_a_long_text_is_a_few_lines_wide() -> None:
    line = b"- a fact of many words <!-- m:aaaaaa -->\n"
    half = line * 10_000
    old, new = find_cuts(half + half), find_cuts(half + b"- new\n" + half)

    assert old is not None
    assert new is not None
    first, last = differing(old, new)[1]
    assert first == len(half)
    assert last - first <= 2 * len(line)
