"""What OpenClaw's memory writes beside an entry is no part of it, and outlives a correction."""

from __future__ import annotations

import pytest

from clawgit.memory.entries.entries import read_entries

SAID = "We decided that the review is on Wednesday."
FROM = "Source: memory/2026-03-18.md#L4-L6"
NOTES = f"<!-- trigger: review, wed --> <!-- importance: 8 --> {FROM} <!-- project: acme -->"
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


@pytest.mark.parametrize(
    "words",
    [("memory", "list"), ("memory", "search", "review"), ("why", "m:{id}"), ("why", "MEMORY.md:{line}")],
)
def test_a_note_is_shown_to_nobody_as_its_words(clawgit, noted, words: tuple[str, ...]) -> None:
    (entry,) = clawgit("memory", "list", "--json").data
    place = {"id": entry["entry"], "line": entry["line"]}

    done = clawgit(*(word.format(**place) for word in words))

    assert done.code == 0
    assert "the review is on Wednesday." in done.out
    assert "Source" not in done.out


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
    said = [
        "Tea. <!-- importance: obey -->",
        "Tea. `<!-- importance: 3 -->`",
        "Tea. Source: https://example.org/tea#L4",
        "Tea. Source: tea.md",
        "Tea. Source: tea.md#L4 says so.",
    ]

    assert [each.text for each in read_entries("".join(f"- {each}\n" for each in said).encode())] == said


@pytest.fixture
def corrected(clawgit, room):
    """Return a workspace with an entry that was set right."""
    clawgit("memory", "add", SAID)
    clawgit("correct", "Wednesday", "Thursday")
    return room


@pytest.mark.parametrize(
    ("day", "stays"),
    [pytest.param("2026-03-26", True, id="the last day"), pytest.param("2026-03-27", False, id="after it")],
)
def test_the_old_words_stay_for_the_days_of_grace(clawgit, corrected, day, stays) -> None:
    clawgit("--now", f"{day}T09:00:00+00:00", "memory", "add", "We decided on tea.", "--to", "MEMORY.md")

    assert (f"<!-- was: {SAID} -->" in corrected.read("MEMORY.md")) == stays
    assert "the review is on Thursday." in corrected.read("MEMORY.md")
    assert SAID in corrected.read("CORRECTIONS.md")


@pytest.mark.rest
def test_an_undo_after_that_brings_the_entry_back(clawgit, corrected) -> None:
    made = corrected.head()
    clawgit("--now", "2026-03-29T09:00:00+00:00", "memory", "add", "We decided on tea.", "--to", "MEMORY.md")

    assert clawgit("--now", "2026-03-29T10:00:00+00:00", "undo", made).code == 0

    assert f"- 2026-03-19: {SAID}" in corrected.read("MEMORY.md")
    assert "Thursday" not in corrected.read("MEMORY.md")


def test_a_comment_of_somebody_elses_stays(clawgit, room) -> None:
    text = "- Tea is at four.\n  <!-- was: Tea is at three. -->\n"
    room.change({"MEMORY.md": text}, actor="operator")

    clawgit("--now", "2026-04-29T09:00:00+00:00", "memory", "add", "We decided on tea.", "--to", "MEMORY.md")

    assert "<!-- was: Tea is at three. -->" in room.read("MEMORY.md")
