"""Lines keep their own ends, and nothing but \\r\\n, \\n and \\r ends one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.markdown.lines import line_end, split_lines, without_end


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        pytest.param(b"", [], id="nothing"),
        pytest.param(b"a", [b"a"], id="no end"),
        pytest.param(b"a\nb\r\nc\rd", [b"a\n", b"b\r\n", b"c\r", b"d"], id="all three ends"),
        pytest.param(b"\n\r\n\r", [b"\n", b"\r\n", b"\r"], id="blank lines"),
        pytest.param(b"\r\r\n", [b"\r", b"\r\n"], id="CR before CRLF"),
        pytest.param(
            "a\x0bb\x0cc\x1cd\x85e\u2028f".encode(), ["a\x0bb\x0cc\x1cd\x85e\u2028f".encode()], id="no others"
        ),
    ],
)
def test_lines_are_split_at_line_ends_only(data: bytes, lines: list[bytes]) -> None:
    assert split_lines(data) == lines


@given(st.binary() | st.text("\r\n a\u2028\x0b").map(str.encode))
def test_lines_joined_are_the_text_again(data: bytes) -> None:
    assert b"".join(split_lines(data)) == data


@given(st.text("\r\nab").map(str.encode))
def test_a_line_without_its_end_holds_no_end(data: bytes) -> None:
    assert all(not set(without_end(line)) & set(b"\r\n") for line in split_lines(data))


@pytest.mark.parametrize(
    ("data", "end"),
    [
        pytest.param(b"", b"\n", id="nothing"),
        pytest.param(b"a", b"\n", id="no end"),
        pytest.param(b"a\r\nb\r\nc\n", b"\r\n", id="mostly CRLF"),
        pytest.param(b"a\rb\r", b"\r", id="CR"),
        pytest.param(b"a\r\nb\n", b"\n", id="a tie"),
    ],
)
def test_the_line_end_is_the_one_mostly_used(data: bytes, end: bytes) -> None:
    assert line_end(data) == end
