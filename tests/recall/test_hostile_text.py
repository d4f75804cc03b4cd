"""No text that a host can write takes long to read: a megabyte must not hold up every search of an hour.

Each is read in a second; where the work grows with the square of its length, it takes as long as a test may take.
"""

from __future__ import annotations

import pytest

from clawgit.memory.entries.entries import appended_items
from clawgit.recall.index.line_units import read_units, without_comments
from clawgit.recall.ranking.results import snippet_of

HOSTILE = {
    "comments that never end": "<!-- " * 500_000,
    "one comment that ends behind many begins": "- a\n- " + "<!-- " * 500_000 + "-->\n",
    "ends between backticks": "<!-- -->`" * 400_000,
    "a table's rule that is none": "a | b\n|-" + " " * 1_000_000 + "x\n",
    "tags that never end": "<div>\n" + "<a " * 500_000,
    "quotes in quotes": "> " * 500_000,
    "items in items": "- " * 500_000,
    "colons": ": " * 500_000,
}


@pytest.mark.sampled(9)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_every_text_is_read(text: str) -> None:
    """Mutants: comments found by one pattern from begin to end; a rule matched as a whole."""
    data = text.encode()
    read_units(data, "memory/a.md")
    snippet_of(data, 1, 1, ())
    appended_items(b"- a\n" + data + b"\n- b\n", b"- a\n" + data + b"\n- b\n- c\n")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <!-- b --> c", "a  c"),
        ("a <!-- b\nc --> d", "a \n d"),
        ("<!--> a <!---> b", " a  b"),
        ("`<!-- b -->` c", "`<!-- b -->` c"),
        ("<!-- a -->` b --> c", " c"),
        ("a <!-- b", "a <!-- b"),
        ("<!-- a --><!-- b --> c <!-- d", " c <!-- d"),
        ("`<!-- <!-- a --> b", "`<!--  b"),
    ],
)
def test_comments_go_and_examples_stay(text: str, left: str) -> None:
    assert without_comments(text) == left
