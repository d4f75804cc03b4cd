"""When a clock is believed: time that passed, asleep or switched off, is no jump.

Mutants seen to fail here: the steady clock is not asked; a restart counts as no time; a look is noted while the clock is in
doubt; the first minutes after a start are noted.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from clawgit.workspace.clock_looks import (
    Steady,
    believe_clock,
    clock_jump,
    may_delete,
    note_clock,
    noted_jump,
)

LOOK = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
DAY = 86_400.0
BEFORE = Steady("first", 5000.0)


@pytest.mark.parametrize(
    ("ahead", "steady", "jumps"),
    [
        pytest.param(timedelta(days=6), Steady("first", 5000 + 6 * DAY), False, id="on or asleep for days"),
        pytest.param(timedelta(days=90), Steady("first", 5000 + 90 * DAY), False, id="on for months"),
        pytest.param(timedelta(hours=23), Steady("first", 5060.0), False, id="less than a day ahead"),
        pytest.param(timedelta(days=2), Steady("first", 5060.0), True, id="two days in a minute"),
        pytest.param(timedelta(days=365), Steady("first", 5060.0), True, id="a year in a minute"),
        pytest.param(timedelta(days=20), Steady("second", 900.0), False, id="off for three weeks"),
        pytest.param(timedelta(days=365), Steady("second", 900.0), True, id="a year over a restart"),
        pytest.param(timedelta(days=20), None, False, id="three weeks, no steady clock"),
        pytest.param(timedelta(days=40), None, True, id="more than a month, no steady clock"),
        pytest.param(timedelta(days=-400), Steady("first", 5060.0), False, id="back"),
    ],
)
def test_a_jump_is_told_from_time_that_passed(
    tmp_path, ahead: timedelta, steady: Steady, jumps: bool
) -> None:
    note_clock(tmp_path, LOOK, BEFORE)

    assert bool(clock_jump(tmp_path, LOOK + ahead, steady)) is jumps


def test_where_nobody_looked_before_nothing_jumped(tmp_path) -> None:
    assert note_clock(tmp_path, LOOK, BEFORE) == ""


def test_the_doubt_lasts_until_the_clock_is_back_or_called_right(tmp_path) -> None:
    wrong = LOOK + timedelta(days=365)
    note_clock(tmp_path, LOOK, BEFORE)

    sentences = [note_clock(tmp_path, wrong + timedelta(hours=n), Steady("first", 5060.0)) for n in range(3)]

    assert all(sentences)
    assert noted_jump(tmp_path, wrong)
    assert not may_delete(tmp_path, wrong)
    assert not noted_jump(tmp_path, LOOK + timedelta(minutes=2))
    assert not note_clock(tmp_path, LOOK + timedelta(minutes=2), Steady("first", 5120.0))
    assert note_clock(tmp_path, wrong, Steady("first", 5180.0))
    believe_clock(tmp_path, wrong, Steady("first", 5240.0))
    assert not note_clock(tmp_path, wrong + timedelta(minutes=1), Steady("first", 5300.0))


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(datetime(1970, 1, 1, 0, 1, tzinfo=UTC), id="a machine without a clock"),
        pytest.param(LOOK + timedelta(minutes=1), id="one that goes on from where it was switched off"),
    ],
)
def test_a_machine_that_learns_the_time_after_its_start_is_in_no_doubt(tmp_path, wrong: datetime) -> None:
    note_clock(tmp_path, LOOK, BEFORE)
    note_clock(tmp_path, wrong, Steady("second", 30.0))

    assert note_clock(tmp_path, LOOK + timedelta(days=4), Steady("second", 60.0)) == ""


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"at": "2026-03-19", "boot": "", "steady": 0, "jump": ""}']
)
def test_a_record_that_cannot_be_read_counts_as_none(tmp_path, text: str) -> None:
    (tmp_path / "clock.json").write_text(text)

    assert clock_jump(tmp_path, LOOK + timedelta(days=365), BEFORE) == ""
    assert may_delete(tmp_path, LOOK)
