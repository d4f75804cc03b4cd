"""Ids come from what is said, so that replaying gives the same bytes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.memory.entries.entries import is_made_from, new_entry_id


def test_the_same_statement_and_evidence_give_the_same_id() -> None:
    assert (
        new_entry_id("Ada likes  tea", "msg:1", ())
        == new_entry_id("Ada likes\ntea ", "msg:1", ())
        == "3an0td"
    )


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [("Ada likes coffee", "msg:1"), ("Ada likes tea", "msg:2"), ("Ada likes tea\0msg:1", "")],
)
def test_another_statement_or_evidence_gives_another_id(statement: str, evidence: str) -> None:
    assert new_entry_id(statement, evidence, ()) != new_entry_id("Ada likes tea", "msg:1", ())


def test_a_taken_id_is_lengthened() -> None:
    taken: list[str] = []
    for _ in range(60):
        taken.append(new_entry_id("a", "b", taken))
    assert [len(entry_id) for entry_id in taken] == [*range(6, 49), *range(6, 23)]
    assert all(longer.startswith(shorter) for shorter, longer in pairwise(taken[:43]))


def test_an_id_tells_of_what_it_was_made_also_where_it_is_long() -> None:
    """Mutants: any beginning of a hash is an id; a short id fits by chance."""
    short = new_entry_id("Ada likes tea", "msg:1", ())
    long = new_entry_id("Ada likes tea", "msg:1", {short})

    assert is_made_from(short, "Ada likes\ttea", "msg:1")
    assert is_made_from(long, "Ada likes tea", "msg:1")
    assert not is_made_from(short, "Ada likes tea", "msg:2")
    assert not is_made_from(short, "Ada likes coffee", "msg:1")
    assert not is_made_from(short[:5], "Ada likes tea", "msg:1")


@pytest.mark.rest
@given(st.text(st.characters(exclude_categories=())), st.text())
def test_an_id_has_no_letters_that_are_mistaken(statement: str, evidence: str) -> None:
    assert set(new_entry_id(statement, evidence, ())) <= set("0123456789abcdefghjkmnpqrstvwxyz")
