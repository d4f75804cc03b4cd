"""A search tells the operator's own words with what was read from them, and a reading pushes nothing of his away."""

from __future__ import annotations

import pytest
from readings_made import NEW, OLD, WITH_LINK, WITH_QUOTE, correct, line, link, write

from clawgit.memory.corrections.correction_log import Status
from clawgit.recall.search import search, search_tree
from clawgit.recall.search_results import Result, Wanted

NOTE = "memory/2026-02-18.md"
ASKED = "where are board meetings"


@pytest.fixture
def march(room):
    room.now = room.now.replace(day=8)
    return room


def found(room, **wanted) -> tuple[Result, ...]:
    return search(room.history, Wanted(ASKED, **wanted), room.now).results


def test_a_reading_and_its_correction_come_with_his_words(march) -> None:
    correct(march)

    assert {(each.path, each.trust, each.beside) for each in found(march)} == {
        ("MEMORY.md", "understood", (WITH_QUOTE,)),
        ("CORRECTIONS.md", "understood", (WITH_QUOTE,)),
    }
    tree = march.history.tip().tree
    earlier = search_tree(march.history, tree, Wanted(ASKED), march.now).results
    assert {each.beside for each in earlier} == {(WITH_QUOTE,)}


def test_what_is_beside_a_line_counts_in_the_budget(march) -> None:
    correct(march)

    (first,) = found(march, tokens=40)

    assert first.tokens > 40 / 2


def test_a_line_that_he_seems_to_contradict_comes_with_what_he_said(march) -> None:
    write(march, line(OLD), actor="operator")
    link(march)

    assert found(march)[0].beside == (WITH_LINK,)


@pytest.mark.parametrize(
    ("status", "quote", "stays"),
    [
        pytest.param(Status.UNDERSTOOD, "we go to Basel with the board", True, id="a reading"),
        pytest.param(Status.APPLIED, "Not in Zurich, in Basel.", False, id="his own word"),
    ],
)
def test_only_his_own_correction_stands_in_for_lines_with_the_old_value(
    march, status, quote, stays: bool
) -> None:
    """Mutant: an understood correction outdates by value."""
    write(march, f"# 2026-02-18\n\n- {OLD}\n", actor="operator", path=NOTE)
    correct(march, quote, status=status)

    assert (NOTE in [each.path for each in found(march)]) is stays


def test_a_reading_and_what_the_entry_says_since_by_his_hand_stand_beside_each_other(march) -> None:
    """Mutant: a reading stands in for the operator's newer line."""
    correct(march)
    write(march, line("Board meetings are in Bern."), actor="operator")

    said = "\n".join(each.snippet for each in found(march))

    assert NEW in said
    assert "Board meetings are in Bern." in said
