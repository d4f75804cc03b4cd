"""New entries go below a heading of clawgit's own where somebody divided the file into sections."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.memory.entries.entries import EntryError, read_entries
from clawgit.memory.entries.own_section import add_remembered, append_remembered, grown_note

OWN = "## Remembered\n\n- new\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", "- new\n", id="empty file"),
        pytest.param("# MEMORY\n", "# MEMORY\n\n- new\n", id="a title is no section"),
        pytest.param("# MEMORY\n\n- a\n", "# MEMORY\n\n- a\n- new\n", id="a list below the title"),
        pytest.param("# M\n\n## People\n\n- Bob\n", f"# M\n\n## People\n\n- Bob\n\n{OWN}", id="somebody's section"),
        pytest.param("## People\n- Bob", f"## People\n- Bob\n\n{OWN}", id="no title, no line end"),
        pytest.param("# A\n\na\n\n# B\n\nb\n", "# A\n\na\n\n# B\n\nb\n\n# Remembered\n\n- new\n", id="titles"),
        pytest.param("People\n------\n- Bob\n", f"People\n------\n- Bob\n\n{OWN}", id="underlined"),
        pytest.param("## A\r\n- b\r\n", "## A\r\n- b\r\n\r\n## Remembered\r\n\r\n- new\r\n", id="its line ends"),
        pytest.param("## A\n\nx\n\n## Remembered\n\n- a\n", "## A\n\nx\n\n## Remembered\n\n- a\n- new\n", id="own"),
        pytest.param(
            "## Remembered\n- a\n### B\nb\n", "## Remembered\n- a\n- new\n\n### B\nb\n", id="a section below it"
        ),
        pytest.param(
            "## Remembered\n\n- a\n\n## B\n\nb\n", "## Remembered\n\n- a\n- new\n\n## B\n\nb\n", id="own, not last"
        ),
    ],
)  # fmt: skip
def test_an_entry_goes_below_no_heading_of_somebody_elses(before: str, after: str) -> None:
    """Mutants: the end of the file; a second heading of that name; text moved or lost."""
    assert add_remembered(before.encode(), "new") == after.encode()


def test_a_note_that_only_grows_gets_the_heading_at_its_end() -> None:
    before = b"# Thursday\n\n## Remembered\n\n- a\n\n## 09:30 Standup\n\n- b\n"

    after = append_remembered(before, "new")

    assert after == before + b"\n## Remembered\n\n- new\n"
    assert append_remembered(after, "more") == after + b"- more\n"


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("- new", "\n## Remembered\n\n- new\n"),
        ("## 10:00\n- new", "\n## 10:00\n- new\n"),
        ("- b", ""),
    ],
    ids=["lines", "a section", "there already"],
)
def test_what_grows_a_note_is_no_part_of_the_section_above(text: str, added: str) -> None:
    before = "# Day\n\n## 09:30\n\n- b\n"

    assert grown_note(before.encode(), text) == (before + added).encode()


PARTS = st.lists(
    st.sampled_from(["- a", "  - b", "", "text", "# H", "## S", "### T", "## Remembered", "==", "--", "```", "> # q"])
)  # fmt: skip


@given(PARTS, st.sampled_from(["\n", "\r\n", "\r"]))
def test_nothing_of_the_text_is_lost_and_no_second_heading_comes(parts: list[str], end: str) -> None:
    data = end.join(parts).encode()
    try:
        once = add_remembered(data, "new")
        twice = add_remembered(once, "more")
    except EntryError:
        return

    assert [entry.text for entry in read_entries(twice) if entry.text in ("new", "more")] == ["new", "more"]
    assert once.count(b"Remembered") == twice.count(b"Remembered")
    kept = iter(once.splitlines())
    assert all(line in kept for line in data.splitlines() if line.strip())
