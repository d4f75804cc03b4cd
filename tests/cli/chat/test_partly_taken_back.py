"""What he took back of a message by forgetting or undoing what it made, and no more, is marked in searches, notes and prompts."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.rest

BOTH = "Remember that the plumber is Paco. Dinner is maybe at eight."


@pytest.fixture
def entry(clawgit) -> str:
    (kept,) = clawgit("chat", "add", BOTH, "--json").data["remembered"]
    return str(kept["undo"])


@pytest.mark.parametrize("command", ["forget", "undo"])
def test_a_sentence_that_went_is_a_gap_and_the_others_are_told(clawgit, entry, command) -> None:
    """Mutants: all of the message is marked; none of it is."""
    clawgit(command, entry, *["--yes"] * (command == "forget"))

    found = clawgit("search", "dinner").out

    assert "[taken back] Dinner is maybe at eight." in found
    assert "Paco" not in clawgit("search", "plumber Paco dinner").out.partition("\n")[2]
    assert "you took this back" not in found


def test_of_two_lines_of_a_message_the_other_is_not_marked(clawgit) -> None:
    """Mutant: a message is whole while any line of it stands."""
    lines = clawgit("chat", "add", "Remember that the plumber is Paco. Also the wifi is Mar-Azul.", "--json")
    clawgit("forget", lines.data["remembered"][0]["undo"], "--yes")

    found = clawgit("search", "wifi", "--source", "chat").out

    assert "[taken back] Also the wifi is Mar-Azul." in found


def test_what_says_no_more_is_marked_as_before(clawgit) -> None:
    """Mutant: thanks are something that is left."""
    (kept,) = clawgit("chat", "add", "Remember that the plumber is Paco. Thanks!", "--json").data[
        "remembered"
    ]
    clawgit("forget", kept["undo"], "--yes")

    assert "(you took this back)" in clawgit("search", "plumber").out


def test_what_is_brought_back_is_no_gap(clawgit, room, entry) -> None:
    """Mutant: what was taken back once stays so."""
    clawgit("undo", entry)
    clawgit("undo", room.head()[:12])

    assert "[taken back]" not in clawgit("search", "dinner").out


def test_the_note_of_the_talk_has_the_gap(clawgit, room, entry) -> None:
    """Mutants: the message is left out of the note; it is in it as it was."""
    clawgit("forget", entry, "--yes")
    clawgit("session", "end")

    (note,) = (room.root / "memory").glob("2026-*.md")

    assert "user: [taken back] Dinner is maybe at eight." in note.read_text("utf-8")


@pytest.mark.parametrize("by", ["name", "commit"])
@pytest.mark.parametrize("is_noted", [pytest.param(False, id="in chat"), pytest.param(True, id="in a note")])
def test_words_of_a_correction_that_was_undone_are_not_beside_the_line(clawgit, room, by, is_noted) -> None:
    """Mutants: only entries that left count; a note that was written before tells the words."""
    clawgit("remember", "The staging port is 8080.")
    (made,) = clawgit("chat", "add", "No, the staging port is 9090, not 8080.", "--json").data["corrected"]
    commit = room.head()[:12]
    if is_noted:
        clawgit("session", "end")
    clawgit("undo", made["undo"] if by == "name" else commit)

    found = clawgit("search", "staging port").out

    assert "The staging port is 8080." in found
    assert "you said on" not in found
    assert "(you took this back)" in found


def test_a_link_that_was_undone_takes_no_words_back(clawgit) -> None:
    """Mutant: whoever takes a link back takes back what he said."""
    clawgit("remember", "The staging port is 8080.")
    clawgit("chat", "add", "The staging port has moved, ask Bob.")
    clawgit("run", "recall-validator")
    (link,) = clawgit("corrections", "--json").data
    assert link["status"] == "linked"
    clawgit("undo", f"x:{link['id'].removeprefix('x:')}")

    assert "you took this back" not in clawgit("search", "staging port moved").out
