"""A search tells the operator's own words with what was read from them, and a reading pushes nothing of his away."""

from __future__ import annotations

import pytest
from readings_made import NEW, OLD, WITH_LINK, WITH_QUOTE, correct, line, link, write

from clawgit.memory.corrections.correction_log import Status
from clawgit.recall.model_lines import hit_line
from clawgit.recall.search import search, search_tree
from clawgit.recall.search_results import Query, Result

NOTE = "memory/2026-02-18.md"
ASKED = "where are board meetings"


@pytest.fixture
def march(room):
    room.now = room.now.replace(day=8)
    return room


def found(room, **wanted) -> tuple[Result, ...]:
    return search(room.history, Query(ASKED, **wanted), room.now).results


def test_a_reading_and_its_correction_come_with_his_words(march) -> None:
    correct(march)

    assert {(each.path, each.trust, each.told) for each in found(march)} == {
        ("MEMORY.md", "understood", (WITH_QUOTE,)),
        ("CORRECTIONS.md", "understood", (WITH_QUOTE,)),
    }
    tree = march.history.tip().tree
    earlier = search_tree(march.history, tree, Query(ASKED), march.now).results
    assert {each.told for each in earlier} == {(WITH_QUOTE,)}


def test_what_is_beside_a_line_counts_in_the_budget(march) -> None:
    correct(march)

    (first,) = found(march, tokens=40)

    assert first.tokens > 40 / 2


def test_a_line_that_he_seems_to_contradict_comes_with_what_he_said(march) -> None:
    write(march, line(OLD), actor="operator")
    link(march)

    assert found(march)[0].told == (WITH_LINK,)


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


def test_of_several_lines_that_are_shown_as_one_hit_each_has_its_own_words_behind_it(march) -> None:
    """Seen: what he said of one line, behind the next ones. Mutant: at the end."""
    others = [line(f"Board meetings are on day {n}.", f"{n}bb222") for n in range(2, 5)]
    text = "".join([others[0], line(OLD), *others[1:]])
    write(march, text, actor="operator")
    link(march)
    (hit,) = [each for each in found(march) if OLD in each.snippet]

    assert hit.snippet.count("\n") > 0
    assert f"{OLD} ({WITH_LINK})" in hit_line(hit)
    assert hit_line(hit).count("(") == 1
