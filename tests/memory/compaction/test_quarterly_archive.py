"""Archives of quarters: which note belongs to which, and what counts as archived."""

from __future__ import annotations

import json
from datetime import date, datetime

import pytest
from tests_folder import TESTS

from clawgit.memory.entries.entries import EntryError
from clawgit.memory.notes import (
    OldNote,
    archive_path,
    grown_archive,
    is_archived,
    old_notes,
    section_of,
)
from clawgit.text.markdown.block_structure import blocks

VECTORS = json.loads((TESTS / "vectors" / "compaction_quarterly.json").read_text("utf-8"))
LATER = date(2027, 1, 1)
NOTE = OldNote("memory/2025-11-05.md", date(2025, 11, 5))
OTHER = OldNote("memory/2025-11-06-api.md", date(2025, 11, 6))


@pytest.mark.parametrize("case", VECTORS["grouping_cases"], ids=lambda case: case["id"])
def test_quarters_of_the_vectors(case: dict) -> None:
    (note,) = old_notes([f"memory/{case['filename']}"], LATER, 90)

    assert archive_path(note) == f"memory/archive/{case['quarter']}.md"


@pytest.mark.parametrize(
    "case", [*VECTORS["not_dated_cases"], *VECTORS["invalid_date_cases"]], ids=lambda case: case["filename"]
)
def test_undated_files_of_the_vectors(case: dict) -> None:
    assert old_notes([f"memory/{case['filename']}"], LATER, 90) == []


@pytest.mark.parametrize("case", VECTORS["age_cases"], ids=lambda case: f"{case['age_days']}-{case['now']}")
def test_ages_of_the_vectors(case: dict) -> None:
    """A note of exactly 90 days is old enough, at whatever hour."""
    on = datetime.fromisoformat(case["now"]).date()

    found = old_notes([f"memory/{case['file']}.md"], on, 90 - 1)

    assert bool(found) is (case["required"] if case["required"] is not None else True)


def test_an_archive_holds_each_note_whole_and_takes_it_once() -> None:
    texts = [(NOTE, b"# 2025-11-05\n\nmet Noor\n"), (OTHER, "# API\r\n\r\n决定使用REST\r\n".encode())]

    data = grown_archive(b"", "2025-Q4", texts)

    assert all(text in data for _, text in texts)
    assert data.count(b"# 2025-11-05\n") == 1
    assert b"# 2025-11-06-api\r\n" in data
    assert all(is_archived(note, text, data) for note, text in texts)
    assert grown_archive(data, "2025-Q4", texts) == data


def test_a_note_that_was_edited_since_is_not_archived() -> None:
    data = grown_archive(b"", "2025-Q4", [(NOTE, b"one\n")])

    assert not is_archived(NOTE, b"one\ntwo\n", data)
    assert not is_archived(NOTE, b"on\n", data)
    assert is_archived(NOTE, b"one\ntwo\n", grown_archive(data, "2025-Q4", [(NOTE, b"one\ntwo\n")]))


def test_a_mark_or_a_part_of_a_line_does_not_count_as_the_note() -> None:
    section = section_of(NOTE, b"daily\n")

    assert not is_archived(NOTE, b"daily\n", b"someone quotes `# 2025-11-05` in prose\n")
    assert not is_archived(NOTE, b"daily\n", b"x" + section)


def test_what_stands_in_an_archive_already_stays() -> None:
    own = b"# Archive\n\nhand-written note"

    grown = grown_archive(own, "2025-Q4", [(NOTE, b"met Noor")])

    assert grown == own + b"\n\n# 2025-11-05\n\nmet Noor\n"


def test_a_note_that_ends_in_open_code_takes_no_other_in() -> None:
    texts = [(NOTE, b"# 2025-11-05\n\n```\nopen\n"), (OTHER, b"plain\n")]

    data = grown_archive(b"", "2025-Q4", texts)

    assert [block.content for block in blocks(data) if block.kind == "h1"][-1] == "2025-11-06-api"
    assert all(is_archived(note, text, data) for note, text in texts)
    assert grown_archive(data, "2025-Q4", texts) == data


def test_an_archive_that_ends_in_open_code_is_refused() -> None:
    with pytest.raises(EntryError):
        grown_archive(b"```\nopen\n", "2025-Q4", [(NOTE, b"x\n")])
