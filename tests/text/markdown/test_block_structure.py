"""List items are found where CommonMark sees them, at the lines that the bytes have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.markdown.block_structure import ListItem, front_matter_lines, list_items
from clawgit.text.markdown.lines import split_lines


def spans(text: bytes) -> list[tuple[int, int]]:
    return [(item.first, item.last) for item in list_items(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(b"", [], id="nothing"),
        pytest.param(
            b"- a\n* b\n+ c\n1. d\n2) e\n", [(n, n + 1) for n in range(5)], id="every kind of marker"
        ),
        pytest.param(b"- a\n  b\n\n  c\n\n\nd\n", [(0, 4)], id="paragraphs, blank lines trimmed"),
        pytest.param(b"- a\nlazy\n- b\n", [(0, 2), (2, 3)], id="lazy continuation"),
        pytest.param(b"- a\n  - b\n    c\n- d\n", [(0, 1), (1, 3), (3, 4)], id="nested on its own"),
        pytest.param(
            b"- a\n  - b\n\n  after\n", [(0, 1), (1, 2)], id="text after the nested list is left out"
        ),
        pytest.param(b"- - a\n", [(0, 1)], id="two markers, one item"),
        pytest.param(b"-\n- b\n", [(0, 1), (1, 2)], id="empty item"),
        pytest.param(b"```\n- a\n```\n- b\n", [(3, 4)], id="code"),
        pytest.param(b"```\n- a\n", [], id="open code"),
        pytest.param(b"    - a\n", [], id="indented code"),
        pytest.param(b"<!--\n- a\n-->\n- b\n", [(3, 4)], id="comment"),
        pytest.param(b"<div>\n- a\n</div>\n\n- b\n", [(4, 5)], id="HTML"),
        pytest.param(b"> - a\n\n- b\n", [(2, 3)], id="quotation"),
        pytest.param(b"---\nk:\n- a\n---\n- b\n", [(4, 5)], id="front matter"),
        pytest.param(b"---\n- a\n---\n- b\n", [(1, 2), (3, 4)], id="a rule is no front matter"),
        pytest.param(b"- a\r\n- b\r- c\n", [(0, 1), (1, 2), (2, 3)], id="mixed ends"),
        pytest.param("- a\x0b\x0c\x1c\u2028\x85b\0\n- c".encode(), [(0, 1), (1, 2)], id="what ends no line"),
        pytest.param(b"\xff\xfe\n- \xe2\n- b\n", [(1, 2), (2, 3)], id="not UTF-8"),
        pytest.param(b"\xef\xbb\xbf- a\n- b\n", [(0, 1), (1, 2)], id="byte order mark"),
        pytest.param(b"- - -\n***\n-a\n", [], id="rules and words"),
    ],
)
def test_list_items_have_the_lines_of_their_own_text(text: bytes, found: list[tuple[int, int]]) -> None:
    assert spans(text) == found


def test_an_item_says_where_its_text_stands_and_under_which_headings() -> None:
    text = b"# A `x`\n\n## B\n- - a\n  c\n\n# C\nD\n---\n 10)  b\n\n      p\n"
    assert list_items(text) == [
        ListItem(3, 5, text_last=5, indent=2, marker_width=2, section=("A `x`", "B")),
        ListItem(9, 12, text_last=10, indent=1, marker_width=5, section=("C", "D")),
    ]


def test_an_item_that_opens_with_code_has_no_opening_paragraph() -> None:
    assert [(item.first, item.text_last) for item in list_items(b"- ```\n  a\n  ```\n")] == [(0, 0)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(b"", 0, id="nothing"),
        pytest.param(b"---\na: 1\n---\nb\n", 3, id="a mapping"),
        pytest.param(b"---\r\na: 1\r\n--- \r\nb\r\n", 3, id="CRLF, trailing space"),
        pytest.param(b"\xef\xbb\xbf---\na: 1\n---\n", 3, id="byte order mark"),
        pytest.param(b"---\n# note\n\n'a b': 1\n---", 5, id="comment first, no last end"),
        pytest.param(b"---\n---\n", 2, id="empty"),
        pytest.param(b"---\na: 1\n", 0, id="never closed"),
        pytest.param(b"---\nProse here.\n---\n", 0, id="prose between rules"),
        pytest.param(b"\n---\na: 1\n---\n", 0, id="not at the top"),
        pytest.param(b"----\na: 1\n----\n", 0, id="longer rules"),
    ],
)
def test_front_matter_is_a_mapping_between_rules_at_the_top(text: bytes, lines: int) -> None:
    assert front_matter_lines(text) == lines


MARKDOWN = st.lists(
    st.sampled_from(
        [
            "- a",
            "* b",
            "  - c",
            "1. d",
            "-",
            "",
            "",
            "text",
            "# H",
            "```",
            "<!--",
            "-->",
            "> q",
            "---",
            "k: v",
            "    i",
            "\t- t",
        ]
    ).map(str.encode)
    | st.binary(max_size=8)
)


@given(MARKDOWN, st.sampled_from([b"\n", b"\r\n", b"\r"]))
def test_any_bytes_have_items_within_their_lines_each_line_in_one_at_most(
    parts: list[bytes], end: bytes
) -> None:
    text = end.join(parts)
    lines = split_lines(text)
    used = [number for item in list_items(text) for number in range(item.first, item.last)]
    assert len(used) == len(set(used))
    assert all(number < len(lines) for number in used)
    for item in list_items(text):
        marker = lines[item.first][item.indent : item.indent + item.marker_width]
        assert marker.rstrip(b" \t")[-1:] in {b"-", b"*", b"+", b".", b")"}
        assert item.first <= item.text_last <= item.last
