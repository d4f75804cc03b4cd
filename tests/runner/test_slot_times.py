"""When jobs are due: by the wall clock of the workspace's zone, each date once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from rounds import some
from tests_folder import TESTS

from clawgit.runner.jobs import Timetable
from clawgit.workspace.settings.setting_types import SlotSpec, parse_slot

if TYPE_CHECKING:
    from collections.abc import Iterator

VECTORS = json.loads((TESTS / "vectors/config_schedule.json").read_text("utf-8"))


def slots_of(spec: SlotSpec, zone: str) -> Timetable:
    return Timetable(spec, ZoneInfo(zone), timedelta(hours=36))


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_the_next_time_of_the_vectors(case: dict[str, Any]) -> None:
    table = slots_of(parse_slot(case["spec"]), case["tz"])

    found = table.begins(table.next(datetime.fromisoformat(case["now"])))

    assert found == datetime.fromisoformat(case["next_run"])


def local(text: str, zone: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


@pytest.mark.parametrize(
    ("day", "zone", "begins"),
    [
        pytest.param("2026-03-29", "Europe/Oslo", "2026-03-29T01:30+00:00", id="not there: moved to 03:30"),
        pytest.param("2026-10-25", "Europe/Oslo", "2026-10-25T00:30+00:00", id="there twice: the first"),
        pytest.param("2026-03-08", "America/New_York", "2026-03-08T07:30+00:00", id="New York in spring"),
        pytest.param("2026-11-01", "America/New_York", "2026-11-01T07:30+00:00", id="New York in autumn"),
        pytest.param(
            "2026-04-05", "Pacific/Chatham", "2026-04-04T12:45+00:00", id="there twice, at a quarter"
        ),
    ],
)
def test_a_slot_begins_on_a_day_on_which_the_clocks_change(day: str, zone: str, begins: str) -> None:
    """Mutants: fold 1; a time that the day does not have is left out."""
    at = slots_of(SlotSpec(None, 2, 30), zone).begins(date.fromisoformat(day))

    assert at == datetime.fromisoformat(begins)


ZONES = (
    *("Europe/Oslo", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "Africa/Casablanca"),
    *(
        "America/Santiago",
        "Asia/Beirut",
        "Atlantic/Azores",
        "Pacific/Chatham",
        "America/Havana",
        "Asia/Tehran",
    ),
)


def changes(zone: ZoneInfo) -> Iterator[date]:
    """Yield the dates of 2026 to 2028 on which the offset changes; one of winter where none does."""
    day, last, found = datetime(2026, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC), False
    while day < last:
        after = day + timedelta(days=1)
        if day.astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset():
            found = True
            yield day.astimezone(zone).date()
        day = after
    if not found:
        yield date(2026, 1, 15)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", some(ZONES, each=4))
def test_each_date_has_its_slot_once_and_in_order_across_every_change_of_the_clocks(name: str) -> None:
    """Looked at every half hour over four days, for a job at each half hour of the day."""
    zone = ZoneInfo(name)
    for day in changes(zone):
        begin = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(days=2)
        for half_hour in range(48):
            spec = SlotSpec(None, half_hour // 2, 30 * (half_hour % 2))
            looks = (begin + timedelta(minutes=30 * each) for each in range(4 * 48))
            slots = [slot for slot, _ in groupby(map(slots_of(spec, name).last, looks))]

            assert slots == [slots[0] + timedelta(days=each) for each in range(len(slots))]
            assert len(slots) > 3


def test_the_next_slot_is_behind_the_last_one_and_to_come() -> None:
    table = slots_of(parse_slot("Sunday 03:00"), "Europe/Oslo")
    now = local("2026-03-25T12:00", "Europe/Oslo")

    assert table.last(now) == date(2026, 3, 22)
    assert table.next(now) == date(2026, 3, 29)


def test_slots_between_two_dates_are_those_of_the_weekday_and_the_newest_of_many() -> None:
    weekly, daily = (slots_of(parse_slot(each), "UTC") for each in ("Sunday 03:00", "03:00"))
    begin, end = date(2026, 3, 1), date(2026, 3, 22)

    assert weekly.between(begin, end) == [date(2026, 3, 8), date(2026, 3, 15)]
    assert daily.between(date(2025, 3, 1), end) == [end - timedelta(each) for each in range(60, 0, -1)]


def test_without_a_zone_the_machine_says_when_a_day_begins() -> None:
    """Mutant: the offset of now is taken for that of every day."""
    code = (
        "from datetime import date, timedelta\n"
        "from clawgit.runner.jobs import Timetable\n"
        "from clawgit.workspace.settings.setting_types import SlotSpec\n"
        "for day in (date(2026, 1, 5), date(2026, 3, 29), date(2026, 7, 5), date(2026, 10, 25)):\n"
        "    print(Timetable(SlotSpec(None, 2, 30), None, timedelta()).begins(day).strftime('%H:%M'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        capture_output=True,
        check=True,
        env={**os.environ, "TZ": "Europe/Oslo"},
        text=True,
    )

    assert done.stdout.split() == ["01:30", "01:30", "00:30", "00:30"]


def test_a_slot_that_has_begun_stays_begun_where_the_clocks_go_back_over_midnight() -> None:
    """Mutant: the search begins with today. In 2010 St John's went from 00:01 back to 23:01 of the day before."""
    midnight = slots_of(SlotSpec(None, 0, 0), "America/St_Johns")
    again = datetime(2010, 11, 6, 23, 30, tzinfo=midnight.zone, fold=1)

    assert midnight.last(again) == date(2010, 11, 7)
