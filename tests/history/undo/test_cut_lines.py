"""The lines that a commit cut off come back into the text as it is now: a pure function of the texts."""

from __future__ import annotations

import pytest

from clawgit.history.undo.cut_lines import with_cut_lines
from clawgit.memory.undo.unit_steps import lines_saying


@pytest.mark.parametrize(
    ("before", "after", "present", "expected"),
    [
        pytest.param("a\nb\nc\n", "a\n", "a\n", "a\nb\nc\n", id="as it was"),
        pytest.param("a\nb\nc\n", "a\nn\n", "a\nn\nl\n", "a\nn\nl\nb\nc\n", id="the old behind the new"),
        pytest.param("a\nb\nc\n", "a\nb\n", "a2\nb\n", "a2\nb\nc\n", id="what was reworded later stays so"),
        pytest.param("a\nb\nc\n", "a\nb\n", "b\n", "b\nc\n", id="what was taken out later stays out"),
        pytest.param(
            "a\nd\nb\nc\n", "a\nd\n", "c\na\nd\n", "c\na\nd\nb\n", id="what is back elsewhere comes once"
        ),
        pytest.param("a\nb", "a", "a", "a\nb", id="without an end of line"),
        pytest.param("a\r\nb\r\n", "a\r\n", "a", "a\r\nb\r\n", id="windows"),
        pytest.param("## H\n\na\n\n## I\n\nb\n", "", "", "## H\n\na\n\n## I\n\nb\n", id="headings"),
        pytest.param(
            "- one <!-- m:7k2x9d -->\n- b\n",
            "",
            "- first <!-- m:7k2x9d -->\n",
            "- first <!-- m:7k2x9d -->\n- b\n",
            id="an entry that reads otherwise by now",
        ),
    ],
)
def test_lines_that_were_cut_come_back_and_the_others_stay(
    before: str, after: str, present: str, expected: str
) -> None:
    """Mutants: all that is missing comes back; an entry comes twice; two lines become one."""
    gone = lines_saying([before.encode()]) - lines_saying([present.encode()])

    text = with_cut_lines(before.encode(), after.encode(), present.encode(), gone, {"7k2x9d"})

    assert text.decode() == expected
