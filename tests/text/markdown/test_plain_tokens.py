"""What is read without markdown-it has the tokens that markdown-it gives it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.text.markdown.block_structure import parsed_by_markdown_it, plain_tokens

ROOT = Path(__file__).parents[3]
LINES = ("", "# H", "- a", "para", "  in", "<!-- c -->")
SIGNS = "a1Z9-*+_#>`~=|<>[]()!.:;\\\"'& \t\x0b\x1c\x85\u00a0\u2028\u3000é中１"
BEGINNINGS = (
    "",
    "- ",
    "  ",
    "   ",
    "    ",
    "# ",
    "###### ",
    "####### ",
    "**",
    "- **",
    "1. ",
    "12) ",
    "> ",
    "<!--",
)
line = st.builds(str.__add__, st.sampled_from(BEGINNINGS), st.text(SIGNS, max_size=8))
plain_line = st.builds(
    "{}a{}9".format, st.sampled_from(("", "- ", "  ", "# ", "- **", "`", "<!--")), st.text(SIGNS, max_size=8)
)


def agree(text: str) -> bool:
    """Say whether ``text`` is left to markdown-it or read as by it."""
    found = plain_tokens(text)
    return found is None or (found, {}) == parsed_by_markdown_it(text)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("lines", range(6))
def test_every_order_of_plain_lines_has_the_same_tokens(lines: int) -> None:
    """Mutants: a list ends at a blank line; an item ends with its text; a text goes on after a heading."""
    texts = ["\n".join(order) + end for order in product(LINES, repeat=lines) for end in ("", "\n")]

    assert [text for text in texts if not agree(text)] == []


@pytest.mark.rest
@settings(max_examples=500)
@given(st.lists(st.one_of(line, plain_line, st.just("")), max_size=5).map("\n".join))
def test_any_signs_in_a_line_have_the_same_tokens_or_are_left(text: str) -> None:
    """Mutants: an item may be a link's definition; a numbered item is a text; white space may end a line."""
    assert agree(text)


@pytest.mark.parametrize("path", sorted(ROOT.glob("templates/**/*.md")) + sorted(ROOT.glob("*.md")), ids=str)
def test_each_text_of_ours_has_the_same_tokens_or_is_left(path: Path) -> None:
    assert agree(path.read_text("utf-8"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("- a\n  - b\n", id="nested"),
        pytest.param("1. a\n", id="numbered"),
        pytest.param("- [a]: b\n", id="a link's definition"),
        pytest.param("a\n===\n", id="an underlined heading"),
        pytest.param("a \n", id="white space at the end"),
        pytest.param("- a\n\n  b\n", id="an item of two paragraphs"),
        pytest.param("- a\r\n", id="another line end"),
        pytest.param("a\0\n", id="a sign that markdown-it replaces"),
        pytest.param("# a #\n", id="a closed heading"),
        pytest.param("<p>\n", id="HTML"),
        pytest.param("<!-- a\nb -->\n", id="a comment over two lines"),
        pytest.param("<!-- a -->", id="a comment without a line end"),
    ],
)
def test_what_is_more_than_plain_is_left(text: str) -> None:
    assert plain_tokens(text) is None


def test_a_day_note_and_a_memory_are_plain() -> None:
    text = "# Memory\n\nWhat lasts.\n\n## Facts\n\n- **Ada** prefers tea.\n- 2026-03-19: The box came\n  at noon.\n"

    assert plain_tokens(text) is not None
