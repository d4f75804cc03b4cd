"""Which texts may be half-written."""

from __future__ import annotations

import pytest

from clawgit.history.transaction.working_tree import is_cut_short

COMMITTED = b"- one\n- two\n- three\n"


@pytest.mark.parametrize(
    ("text", "is_short"),
    [
        pytest.param(b"", True, id="truncated"),
        pytest.param(b"- one\n- tw", True, id="the beginning"),
        pytest.param(b"- new\n- t", True, id="less than half, and other words"),
        pytest.param(b"- one\n- three\n", False, id="a line taken out of the middle"),
        pytest.param(COMMITTED, False, id="as it was"),
        pytest.param(COMMITTED + b"- four\n", False, id="more"),
    ],
)
def test_a_beginning_and_what_is_much_shorter_may_be_half_a_text(text: bytes, is_short: bool) -> None:
    assert is_cut_short(text, [COMMITTED, None]) is is_short


def test_a_text_that_is_known_is_whole_however_short_it_is() -> None:
    assert not is_cut_short(b"- one\n", [COMMITTED, b"- one\n"])
