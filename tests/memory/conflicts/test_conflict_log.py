"""CONFLICTS.md: written so that it reads the same, and leaves everything else as it stands."""

from __future__ import annotations

import pytest

from clawgit.memory.conflict_log import (
    Contradiction,
    Outcome,
    Party,
    as_logged,
    read_conflicts,
    with_conflict,
    with_superseded_marks,
)
from clawgit.memory.entries.entries import read_entries

A = Party("aaaaaa", "The port is 8443.", "2026-03-18", "operator")
B = Party("bbbbbb", "The port is 9443.", "2026-03-22", "host")
CONFLICT = Contradiction(
    "k1a2b3", "2026-03-22 07:00", A, B, "8443 / 9443", "less than 30 days apart", Outcome.OPEN
)
HEAD = b"# CONFLICTS\n\n<!-- How each case was decided. -->\n"


def bare(conflict: Contradiction) -> Contradiction:
    return conflict._replace(first=0, last=0)


@pytest.mark.parametrize("before", [b"", HEAD, HEAD.replace(b"\n", b"\r\n"), b"my notes, no line end"])
def test_what_was_written_reads_the_same(before: bytes) -> None:
    data = with_conflict(before, CONFLICT)

    assert data.startswith(before)
    assert [bare(each) for each in read_conflicts(data)] == [CONFLICT]


def test_an_answer_takes_the_place_of_the_question_and_leaves_the_rest() -> None:
    other = CONFLICT._replace(conflict_id="zzzzzz")
    data = with_conflict(with_conflict(HEAD, CONFLICT), other) + b"\nA note of mine.\n"
    answered = CONFLICT._replace(outcome=Outcome.B, rule="you decided", reason="Measured.")

    new = with_conflict(data, answered)

    assert [bare(each) for each in read_conflicts(new)] == [answered, other]
    assert new.endswith(b"\nA note of mine.\n")
    assert with_conflict(new, CONFLICT) == data


@pytest.mark.parametrize(
    "text",
    [
        "a\n## 2026-03-22 <!-- k:ffffff -->\n- outcome: b holds",
        "it is --> so <!-- k:1 -->",
        "- outcome: a holds",
    ],
)
def test_no_statement_can_write_a_conflict_of_its_own(text: str) -> None:
    hostile = CONFLICT._replace(a=A._replace(statement=as_logged(text)))

    (found,) = read_conflicts(with_conflict(HEAD, hostile))

    assert bare(found) == hostile
    assert found.outcome is Outcome.OPEN


MEMORY = (
    b"# MEMORY\n\n- 2026-03-18: The port is 8443. #knowledge <!-- m:aaaaaa -->\n"
    b"  <!-- was: The port is 80. -->\n- The port is 9443. <!-- m:bbbbbb -->\n- no id\n"
)


def test_a_mark_changes_no_word_and_goes_without_a_trace() -> None:
    marked = with_superseded_marks(MEMORY, {"aaaaaa": "k1a2b3"})

    assert b"8443. #knowledge <!-- m:aaaaaa --> <!-- superseded: k:k1a2b3 -->\n" in marked
    assert [each[:3] for each in read_entries(marked)] == [each[:3] for each in read_entries(MEMORY)]
    assert with_superseded_marks(marked, {"aaaaaa": "k1a2b3"}) == marked
    assert with_superseded_marks(marked, {}) == MEMORY
