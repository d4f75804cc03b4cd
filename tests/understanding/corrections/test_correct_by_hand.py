"""What an entry says once somebody has named what was wrong and what is right."""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.verdicts import Held
from clawgit.memory.entries.entries import read_entries
from clawgit.understanding.corrections.correct_by_hand import named

ENTRIES = [
    Held("MEMORY.md", entry) for entry in read_entries(b"- The review is on Wednesday. <!-- m:7k2x9d -->\n")
]


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ("Wednesday", "Thursday", "The review is on Thursday."),
        ("The review is on Wednesday.", "The review is on Thursday.", "The review is on Thursday."),
        ("m:7k2x9d", "The review is on Thursday.", "The review is on Thursday."),
        ("Wednesday", "The review is on Thursday.", "The review is on Thursday."),
    ],
    ids=["a word", "the statement", "the id", "a sentence for a word of it"],
)
def test_what_an_entry_says_then(wrong: str, right: str, says: str) -> None:
    assert named(wrong, right, ENTRIES, None).wrong == ((ENTRIES[0], says),)
