"""When a line of a note was written is no part of what it says."""

from __future__ import annotations

import pytest

from clawgit.memory.entries.statements import parted
from clawgit.memory.promotable_parts import parts_of


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("14:05 Called Ann.", "Called Ann."),
        ("14:05 - called Ann.", "called Ann."),
        ("[9:30] called Ann. #event", "called Ann."),
        ("14:05:30: called Ann.", "called Ann."),
        ("2026-03-19: 9:30 is the standup.", "9:30 is the standup."),
        ("9:30 is the standup.", "9:30 is the standup."),
        ("14:05 회의", "14:05 회의"),
        ("25:99 Called Ann.", "25:99 Called Ann."),
        ("The call is at 14:05.", "The call is at 14:05."),
    ],
)
def test_a_time_before_a_statement_is_set_apart(text: str, statement: str) -> None:
    """Mutant: any time at the beginning, so that a statement about a time loses it."""
    found = parted(text)

    assert found.statement == statement
    assert found.saying(found.statement) == text


@pytest.mark.parametrize(
    ("heading", "title"),
    [("09:30", ""), ("09:30 Standup", "Standup"), ("[09:30] Standup", "Standup"), ("At 9:30", "At 9:30")],
)
def test_a_time_is_no_title(heading: str, title: str) -> None:
    note = f"# 2026-03-19\n\n## {heading}\n\n- Postgres it is.\n".encode()

    assert [part.title for part in parts_of(note)] == [title]
