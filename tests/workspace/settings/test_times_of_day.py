from __future__ import annotations

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.workspace.settings.setting_types import (
    SessionReset,
    SlotSpec,
    parse_session_reset,
    parse_slot,
    parse_time_of_day,
)


@pytest.mark.parametrize(
    ("text", "spec", "normal"),
    [
        pytest.param("02:30", SlotSpec(None, 2, 30), "02:30", id="every day"),
        pytest.param("2:30", SlotSpec(None, 2, 30), "02:30", id="one digit"),
        pytest.param("16:30", SlotSpec(None, 16, 30), "16:30", id="what YAML would take for a number"),
        pytest.param("Sunday 03:00", SlotSpec(6, 3, 0), "Sunday 03:00", id="a weekday"),
        pytest.param("fri 18:00", SlotSpec(4, 18, 0), "Friday 18:00", id="a short weekday"),
        pytest.param("0 18 * * 5", SlotSpec(4, 18, 0), "Friday 18:00", id="cron, weekly"),
        pytest.param("30 2 * * *", SlotSpec(None, 2, 30), "02:30", id="cron, daily"),
        pytest.param("5 4 * * 0", SlotSpec(6, 4, 5), "Sunday 04:05", id="cron, Sunday is 0"),
        pytest.param("5 4 * * 7", SlotSpec(6, 4, 5), "Sunday 04:05", id="cron, Sunday is 7"),
        pytest.param("5 4 * * MON", SlotSpec(0, 4, 5), "Monday 04:05", id="cron, named day"),
    ],
)
def test_a_slot_is_read_and_has_one_normal_form(text: str, spec: SlotSpec, normal: str) -> None:
    assert (parse_slot(text), str(parse_slot(text))) == (spec, normal)


def test_a_job_that_is_off_is_never_due() -> None:
    assert [parse_slot(text) for text in ("off", " OFF ")] == [None, None]
    assert parse_slot("02:30") == SlotSpec(None, 2, 30)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "24:00",
        "12:60",
        "2:3",
        "noon",
        "Someday 03:00",
        "03:00 Sunday",
        "990",
        "0 24 * * *",
        "0 18 1 * *",
        "*",
    ],
)
def test_what_is_no_slot_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\."):
        parse_slot(text)


@given(st.text(max_size=30))
def test_any_text_is_a_slot_or_a_value_error(text: str) -> None:
    try:
        spec = parse_slot(text)
    except ValueError:
        return
    assert parse_slot(str(spec)) == spec


def test_a_time_of_day_is_a_wall_clock_time() -> None:
    assert parse_time_of_day(" 04:05 ") == time(4, 5)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("never", SessionReset(), id="never"),
        pytest.param("daily 4:00", SessionReset(time(4), None), id="daily"),
        pytest.param("daily 00:00", SessionReset(time(0), None), id="at midnight"),
        pytest.param("idle 90", SessionReset(None, 90), id="idle"),
        pytest.param("daily 04:00 idle 90", SessionReset(time(4), 90), id="both"),
    ],
)
def test_a_session_reset_is_read_and_written_back(text: str, expected: SessionReset) -> None:
    assert parse_session_reset(text) == expected
    assert parse_session_reset(str(expected)) == expected


@pytest.mark.parametrize(
    "text", ["", "daily", "idle", "idle 0", "idle -3", "daily 25:00", "weekly", "idle 5 daily 04:00"]
)
def test_what_is_no_session_reset_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\."):
        parse_session_reset(text)
