"""A second word, an order to remember and a statement, each by the thing that it names."""

from __future__ import annotations

import pytest

NEXT_DAY = {"CLAWGIT_NOW": "2026-03-20T10:30:00+00:00", "CLAWGIT_REHEARSE": "1"}


def test_a_second_word_is_known_by_no_line_about_another_thing(clawgit, room) -> None:
    room.change({"MEMORY.md": "# M\n\n- The fair opens on the 4th of June.\n"}, actor="operator")
    clawgit("chat", "add", "Rent is due on the 3rd.")

    told = clawgit("chat", "add", "sorry, wrong, the 4th was right").out
    known = clawgit("chat", "add", "no, the fair opens on the 4th of June").out

    assert "Known:" not in told
    assert "Known: MEMORY.md:3" in known


@pytest.mark.parametrize(
    ("order", "is_kept"),
    [
        ("Remember that the gallery is closed on Sundays", True),
        ("Remember that we are closed on Tuesdays now, not on Mondays", False),
    ],
)
def test_an_order_about_another_thing_is_kept_beside_a_line_that_shares_one_word(
    clawgit, room, order: str, is_kept: bool
) -> None:
    clawgit("chat", "add", "Remember that we are closed on Mondays")

    told = clawgit("chat", "add", order).out

    assert ("Remembered:" in told) == is_kept
    assert "Your words now stand beside" not in told
    if is_kept:
        clawgit("run", "recall-validator", environment=NEXT_DAY)
        assert "closed on Mondays" in room.read("MEMORY.md")


@pytest.mark.parametrize(
    ("text", "is_offered"),
    [
        ("btw nora can't eat walnuts either", True),
        ("unohda tiedot norasta", False),
        ("now it is tenmoku, not celadon", False),
        ("lunch was nice", False),
    ],
)
def test_a_sentence_that_names_its_topic_is_offered_to_be_remembered(
    clawgit, text: str, is_offered: bool
) -> None:
    told = clawgit("chat", "add", text).out

    assert ("clawgit remember" in told) == is_offered


@pytest.mark.parametrize(
    "again",
    [
        "ah no scusa, era giusto il 15",
        "no, andava bene il 15",
        "não, estava certo 15",
    ],
)
def test_a_value_called_right_in_another_language_is_the_earlier_one(clawgit, room, again: str) -> None:
    """Seen: the visit stayed on the 22nd, and the 15th stood beside the van, which was corrected before."""
    lines = "# Memory\n\n- Il furgone è in revisione il 12 dicembre.\n- The visit is on 15 January.\n"
    room.change({"MEMORY.md": lines}, actor="operator")
    clawgit("chat", "add", "anzi no, la revisione del furgone è il 14 dicembre, non il 12")
    clawgit("chat", "add", "The visit is on 22 January, not 15 January")

    told = clawgit("chat", "add", again).out

    assert '"The visit is on 22 January." → "The visit is on 15 January."' in told
