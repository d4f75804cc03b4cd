"""Ids are written where they stood, or at the end of the line."""

from __future__ import annotations

import pytest

from clawgit.memory.entries.entries import mark_of, with_mark, without_marks


@pytest.mark.parametrize(
    ("line", "entry_id", "rest"),
    [
        pytest.param(b"- a <!-- m:7k2x9d -->\n", "7k2x9d", b"- a\n", id="at the end"),
        pytest.param(b"- a<!--m:7k2x9d-->", "7k2x9d", b"- a", id="without spaces"),
        pytest.param(b"- a <!-- m:7k --> b\n", "7k", b"- a b\n", id="in the middle"),
        pytest.param(b"- a <!-- m:1a --> <!-- m:2b -->\n", "1a", b"- a\n", id="the first of two"),
        pytest.param(b"- `<!-- m:7k2x9d -->`\n", None, b"- `<!-- m:7k2x9d -->`\n", id="an example in code"),
        pytest.param(b"- a <!-- x:7k2x9d -->\n", None, b"- a <!-- x:7k2x9d -->\n", id="another kind of id"),
        pytest.param(b"- a <!-- m:7K -->\n", None, b"- a <!-- m:7K -->\n", id="capitals"),
    ],
)
def test_an_id_is_found_and_left_out(line: bytes, entry_id: str | None, rest: bytes) -> None:
    assert mark_of([line]) == entry_id
    assert without_marks(line) == rest


@pytest.mark.parametrize(
    ("lines", "marked"),
    [
        pytest.param([b"- a\n"], [b"- a <!-- m:zz -->\n"], id="appended"),
        pytest.param([b"- a  \r\n"], [b"- a <!-- m:zz -->\r\n"], id="before its own line end"),
        pytest.param([b"- a"], [b"- a <!-- m:zz -->"], id="no line end"),
        pytest.param([b"- a <!-- m:1a --> b\n"], [b"- a <!-- m:zz --> b\n"], id="in its old place"),
        pytest.param(
            [b"- a <!-- m:1a --> b <!-- m:2b -->\n"], [b"- a <!-- m:zz --> b\n"], id="instead of two"
        ),
    ],
)
def test_an_id_is_written(lines: list[bytes], marked: list[bytes]) -> None:
    assert with_mark(lines, 0, "zz") == marked
