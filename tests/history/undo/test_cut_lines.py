"""The lines that a commit cut off come back into the text as it is now: a pure function of the texts."""

from __future__ import annotations

import pytest

from clawgit.history.undo.cut_lines import with_cut_lines
from clawgit.memory.entries.entries import lines_saying

TABLE = "| what | when |\n|---|---|\n"


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
            f"- a\n- b\n\n{TABLE}| old | 1 |\n",
            "- a\n",
            "- a\n\n| who | what |\n|---|---|\n| Ada | x |\n",
            f"- a\n- b\n\n| who | what |\n|---|---|\n| Ada | x |\n\n{TABLE}| old | 1 |\n",
            id="behind a table that came since",
        ),
        pytest.param(
            "- a\n\n```\nssh old\n```\n\n- b\n",
            "- a\n",
            "- a\n\n```\nssh new\n```\n",
            "- a\n\n```\nssh new\n```\n\n```\nssh old\n```\n\n- b\n",
            id="behind code that came since",
        ),
        pytest.param(
            f"{TABLE}| one | 1 |\n| two | 2 |\n| three | 3 |\n",
            f"{TABLE}| one | 1 |\n| three | 3 |\n",
            f"{TABLE}| one | 1 |\n| new | 0 |\n| three | 3 |\n",
            f"{TABLE}| one | 1 |\n| new | 0 |\n| two | 2 |\n| three | 3 |\n",
            id="a row into its own table",
        ),
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
    """Mutants: all that is missing comes back; an entry comes twice; two lines become one; a row of one table is put into another."""
    gone = lines_saying([before.encode()]) - lines_saying([present.encode()])

    text = with_cut_lines(before.encode(), after.encode(), present.encode(), gone, {"7k2x9d"})

    assert text.decode() == expected
