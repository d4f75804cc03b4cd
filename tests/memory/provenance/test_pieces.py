from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.memory.provenance.pieces import (
    ENTRY,
    MOST_BYTES,
    PLAIN,
    QUOTED,
    Piece,
    Text,
    changed_pieces,
    line_pieces,
)

LINES = st.sampled_from(
    [
        *("- a", "- b <!-- m:aaa1 -->", "- c #event", "* d", "1. e", "1) f", "-g", "- ", "-"),
        *("  more", "    deep", "\ttab", "  - nested", "", "", "text", "text 2", "> q", "> - said", "\x0b"),
        *("# H", "## H2", "---", "===", "- # h", "- > x", "- - x", "- [ ] t", "- **b** c", "- 1. z", "|a|"),
        *("```", "```js", "``` a`b", "````", "  ```", "~~~", "~~~ ~", "- ```", "    ```"),
        *("<!-- c", "-->", "<!-- one -->", "<!--->", "  <!-- i -->", "- <!-- x", "<div>", "<https://x.y>"),
        *("key: v", "[a]: b", "\u00a0- z", "\ufeff- bom", "- \u00e9"),
    ]
)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])


@st.composite
def texts(draw: st.DrawFn, most: int = 12) -> bytes:
    """Return a Markdown text made of lines that open, close or swallow something."""
    lines = draw(st.lists(LINES, max_size=most))
    return draw(ENDS).join([*lines, *draw(st.sampled_from([[], [""], ["", ""]]))]).encode()


@st.composite
def edits(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Return a text before and after an edit: a line more, a line less, or lines at the end."""
    old = draw(texts())
    lines = old.split(b"\n")
    at = draw(st.integers(0, len(lines)))
    how = draw(st.sampled_from(["add", "drop", "append", "both"]))
    added = [line.encode() for line in draw(st.lists(LINES, min_size=1, max_size=3))]
    new = lines[: at - 1] + lines[at:] if how in ("drop", "both") and at else lines
    new = [*new[:at], *added, *new[at:]] if how == "add" else new
    return old, b"\n".join([*new, *added] if how in ("append", "both") else new)


def said(text: str) -> list[tuple[str, str]]:
    return [(piece.form, piece.words) for piece in dict.fromkeys(line_pieces(text.encode()).values())]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        pytest.param("- a  b <!-- m:aaa1 -->\n", [(ENTRY, "a b")], id="an entry"),
        pytest.param("- a\n  b\n\n  c\n", [(ENTRY, "a b c")], id="an entry's lines are one piece"),
        pytest.param("- a\n  - b\n", [(ENTRY, "a"), (ENTRY, "b")], id="a nested entry is its own"),
        pytest.param("1. a\n* b\n", [(ENTRY, "a"), (ENTRY, "b")], id="any list marker"),
        pytest.param(
            "# H\n\ntwo\nlines\n", [(PLAIN, "H"), (PLAIN, "two"), (PLAIN, "lines")], id="other lines"
        ),
        pytest.param("```\n- a\n```\n", [(QUOTED, "```"), (QUOTED, "a")], id="code"),
        pytest.param("text\n\n    - a\n", [(PLAIN, "text"), (QUOTED, "a")], id="indented code"),
        pytest.param("<!-- - a -->\n", [(QUOTED, "a")], id="a comment"),
        pytest.param("<!--\n- a\n-->\n", [(QUOTED, "a")], id="a comment of many lines"),
        pytest.param("> - a\n", [(QUOTED, "a")], id="a quotation"),
        pytest.param(
            "<div>\n- a\n</div>\n", [(QUOTED, "<div>"), (QUOTED, "a"), (QUOTED, "</div>")], id="HTML"
        ),
        pytest.param("- a\r- b\r", [(ENTRY, "a"), (ENTRY, "b")], id="CR only"),
        pytest.param("- # H\n", [(PLAIN, "H")], id="an item that is no entry"),
    ],
)
def test_what_a_text_says(text: str, pieces: list[tuple[str, str]]) -> None:
    assert said(text) == pieces


def test_bytes_that_are_no_text_are_the_same_marks_in_both_ways_of_reading() -> None:
    data = b"- a \xff\xfe b\n"

    assert set(Text(data).pieces) == set(line_pieces(data).values()) == {Piece("a \ufffd\ufffd b")}


@pytest.mark.rest
@settings(max_examples=300)
@given(data=texts())
def test_reading_in_parts_gives_what_the_parser_gives(data: bytes) -> None:
    """Mutants: an item whose text begins with `#` read by its looks; cuts inside code; both give other pieces."""
    assert set(Text(data).pieces) == set(line_pieces(data).values())


@pytest.mark.rest
@settings(max_examples=300)
@given(edit=edits())
def test_a_change_has_what_two_whole_readings_differ_in(edit: tuple[bytes, bytes]) -> None:
    old, new = (set(line_pieces(data).values()) for data in edit)

    added, removed = changed_pieces([Text(edit[0])], Text(edit[1]))

    assert new - old <= set(added) <= new
    assert old - new <= set(removed) <= old


def test_of_a_merge_only_what_no_parent_says_is_new() -> None:
    added, removed = changed_pieces([Text(b"- a\n- b\n"), Text(b"- a\n- c\n")], Text(b"- a\n- c\n- d\n"))

    assert ([piece.words for piece in added], [piece.words for piece in removed]) == (["d"], ["b"])


def test_what_is_too_large_to_be_looked_into_lends_no_authority() -> None:
    data = b"<div>\n\n" + b"- a\n" * (MOST_BYTES // 4)

    assert {piece.form for piece in Text(data).pieces} == {QUOTED}


@given(texts(), st.integers(1, 8), st.integers(0, 3))
def test_what_some_lines_say_is_what_they_say_in_the_whole(text: bytes, first: int, more: int) -> None:
    """Mutant: the part above is read as well, or an entry that goes on is not."""
    whole = line_pieces(text)

    found = Text(text).between(first, first + more)

    assert set(found) == {piece for at, piece in whole.items() if first <= at + 1 <= first + more}
