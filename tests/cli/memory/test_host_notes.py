"""What OpenClaw's memory writes beside an entry is no part of it, and outlives a correction."""

from __future__ import annotations

import pytest

from clawgit.memory.entries.entries import read_entries

SAID = "We decided that the review is on Wednesday."
NOTES = "<!-- trigger: review, wed --> <!-- importance: 8 --> <!-- project: acme -->"
MARKER = "<!-- openclaw-memory-promotion:k1 -->"


@pytest.fixture
def noted(clawgit, room):
    """Return a workspace in which the host made notes beside the operator's entry."""
    clawgit("memory", "add", SAID)
    lines = room.read("MEMORY.md").rstrip("\n").split("\n")
    room.write("MEMORY.md", "\n".join([*lines[:-1], MARKER, f"{lines[-1]} {NOTES}"]) + "\n")
    clawgit("keep", actor="host")
    return room


def test_a_note_makes_nobody_elses_word_of_it(clawgit, noted) -> None:
    (entry,) = clawgit("memory", "list", "--json").data

    assert (entry["trust"], entry["text"]) == ("operator", f"2026-03-19: {SAID}")


def test_a_correction_leaves_the_notes_where_they_are(clawgit, noted) -> None:
    assert clawgit("correct", "Wednesday", "Thursday").code == 0

    marker, line, before = noted.read("MEMORY.md").rstrip("\n").split("\n")[-3:]
    assert marker == MARKER
    assert line.startswith("- 2026-03-19: We decided that the review is on Thursday. " + NOTES)
    assert before == f"  <!-- was: {SAID} -->"


def test_undo_brings_all_of_it_back(clawgit, noted) -> None:
    before = noted.read("MEMORY.md")
    clawgit("correct", "Wednesday", "Thursday")

    assert clawgit("undo", "HEAD").code == 0

    assert noted.read("MEMORY.md") == before


def test_what_it_said_before_is_no_part_of_it(clawgit, noted) -> None:
    """Mutant: whoever takes the comment away becomes the source of the entry."""
    clawgit("correct", "Wednesday", "Thursday")
    text = noted.read("MEMORY.md").replace(f"  <!-- was: {SAID} -->\n", "")
    noted.write("MEMORY.md", text)
    clawgit("keep", actor="host")

    (entry,) = clawgit("memory", "list", "--json").data

    assert (entry["trust"], entry["source"]) == ("operator", "operator")


def test_a_note_of_another_kind_is_words() -> None:
    data = b"- Tea. <!-- importance: obey -->\n- Tea. `<!-- importance: 3 -->`\n"

    assert [each.text for each in read_entries(data)] == [
        "Tea. <!-- importance: obey -->",
        "Tea. `<!-- importance: 3 -->`",
    ]
