"""What an undo would lose: words that it did not bring, and words that it owes."""

from __future__ import annotations

import pytest

from clawgit.memory.undo.unit_steps import TextStep, lost_lines

OLD, NEW = b"- Tea at four. <!-- m:aa1111 -->\n", b"- Tea at five. <!-- m:aa1111 -->\n"


@pytest.mark.parametrize(
    ("before", "made", "present", "result", "lost"),
    [
        pytest.param(b"", OLD, OLD, b"", [], id="what it brought goes"),
        pytest.param(OLD, b"", b"", OLD, [], id="what it took out comes back"),
        pytest.param(OLD, NEW, NEW, OLD, [], id="its rewording goes for the old words"),
        pytest.param(OLD, NEW, NEW, b"", [b"Tea at four."], id="its rewording goes for nothing"),
        pytest.param(OLD, NEW, b"", b"", [], id="the rewording is gone already"),
        pytest.param(OLD, NEW, b"- Lunch.\n" + NEW, OLD, [b"Lunch."], id="a later line goes too"),
        pytest.param(
            OLD + b"- Lunch.\n",
            NEW + b"- Dinner.\n",
            NEW + b"- Dinner.\n",
            OLD + b"- Dinner.\n",
            [],
            id="a part",
        ),
        pytest.param(
            OLD + b"- Lunch.\n",
            NEW + b"- Dinner.\n",
            NEW + b"- Dinner.\n",
            b"- Dinner.\n",
            [b"Tea at four.", b"Lunch."],
            id="a part for nothing",
        ),
        pytest.param(OLD, NEW, NEW, b"* Tea at four.\n", [], id="another marker and no id"),
        pytest.param(b"a\0b", b"c\0d", b"c\0d", b"", [], id="no text at all"),
        pytest.param(b"## Old\n", b"## New\n", b"## New\n", b"", [], id="a heading"),
    ],
)
def test_lost_lines(before: bytes, made: bytes, present: bytes, result: bytes, lost: list[bytes]) -> None:
    assert lost_lines([TextStep(before, made)], [present], [result]) == lost
