"""What is written into a day's note comes below what stands there, once."""

from __future__ import annotations

import pytest

from clawgit.memory.entries.entries import EntryError
from clawgit.memory.entries.own_section import grown_note


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        pytest.param("", "- a", "- a\n", id="nothing yet"),
        pytest.param("# Day\n\n- a\n", "- b\n- c\n", "# Day\n\n- a\n\n- b\n- c\n", id="below"),
        pytest.param("words", "more", "words\n\nmore\n", id="no line end"),
        pytest.param("- a\n\n\n", "- b", "- a\n\n\n- b\n", id="blank lines stay"),
        pytest.param("- a\r\n", "b\nc", "- a\r\n\r\nb\r\nc\r\n", id="its line ends"),
        pytest.param("- a\n- b\n", "- b", "- a\n- b\n", id="there already"),
        pytest.param("- a\n\n- b\n", "\n- a\n\n- b\n\n", "- a\n\n- b\n", id="all of it is there"),
        pytest.param("- a\n- b\n", "- b\n- c", "- a\n- b\n\n- b\n- c\n", id="only a part is there"),
        pytest.param("# Day\n\n- a\n", "# Day\n\n- b", "# Day\n\n- a\n\n- b\n", id="its title is not repeated"),
        pytest.param("# Day\n", "# Day\n", "# Day\n", id="nothing but the title"),
        pytest.param("- a\n", " \n\n", "- a\n", id="nothing"),
    ],
)  # fmt: skip
def test_a_note_grows(before: str, text: str, after: str) -> None:
    """Mutants: the lines there are not looked at; the text replaces them."""
    assert grown_note(before.encode(), text) == after.encode()
    assert after.startswith(before)


@pytest.mark.parametrize(
    ("before", "text"), [("```\nopen\n", "- b"), ("- a\n", "```\nopen"), ("", "<!-- open")]
)
def test_what_is_left_open_is_refused(before: str, text: str) -> None:
    with pytest.raises(EntryError, match="ends inside an open code block"):
        grown_note(before.encode(), text)
