"""What "yesterday", "Tuesday" and "an hour ago" mean, counted from a fixed clock."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from clawgit.text.words.spoken_times import time_meant

VIENNA = ZoneInfo("Europe/Vienna")
NOW = datetime(2026, 3, 19, 10, 22, 30, tzinfo=VIENNA)  # a Thursday


def span(words: str, now: datetime = NOW, zone: ZoneInfo | None = VIENNA) -> tuple[str, str]:
    found = time_meant(words, now, zone)
    assert found is not None
    return f"{found.first:%Y-%m-%dT%H:%M:%S%z}", f"{found.last:%Y-%m-%dT%H:%M:%S%z}"


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("2026-02-03", "2026-02-03", "2026-02-03"),
        ("20260203", "2026-02-03", "2026-02-03"),
        ("today", "2026-03-19", "2026-03-19"),
        ("yesterday", "2026-03-18", "2026-03-18"),
        (" Yesterday ", "2026-03-18", "2026-03-18"),
        ("day before yesterday", "2026-03-17", "2026-03-17"),
        ("the day  before yesterday", "2026-03-17", "2026-03-17"),
        ("Wednesday", "2026-03-18", "2026-03-18"),
        ("Tuesday", "2026-03-17", "2026-03-17"),
        ("tue", "2026-03-17", "2026-03-17"),
        ("on Tuesday", "2026-03-17", "2026-03-17"),
        ("last Friday", "2026-03-13", "2026-03-13"),
        ("Thursday", "2026-03-12", "2026-03-12"),  # today is Thursday: the last one before
        ("0 days ago", "2026-03-19", "2026-03-19"),
        ("1 day ago", "2026-03-18", "2026-03-18"),
        ("3 days ago", "2026-03-16", "2026-03-16"),
        ("three days ago", "2026-03-16", "2026-03-16"),
        ("a week ago", "2026-03-12", "2026-03-12"),
        ("2 weeks ago", "2026-03-05", "2026-03-05"),
        ("a month ago", "2026-02-19", "2026-02-19"),
        ("3 months ago", "2025-12-19", "2025-12-19"),
        ("a year ago", "2025-03-19", "2025-03-19"),
    ],
)
def test_days_last_from_midnight_to_their_last_second(words: str, first: str, last: str) -> None:
    found = time_meant(words, NOW, VIENNA)
    assert found is not None
    begin, end = found.first, found.last
    assert (f"{begin:%Y-%m-%d %H:%M:%S}", f"{end:%Y-%m-%d %H:%M:%S}") == (
        f"{first} 00:00:00",
        f"{last} 23:59:59",
    )


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("now", "2026-03-19T10:22:30+0100"),
        ("1 hour ago", "2026-03-19T09:22:30+0100"),
        ("an hour ago", "2026-03-19T09:22:30+0100"),
        ("11 hours ago", "2026-03-18T23:22:30+0100"),
        ("5 minutes ago", "2026-03-19T10:17:30+0100"),
        ("2026-03-17T08:00", "2026-03-17T08:00:00+0100"),
        ("2026-03-17 08:00", "2026-03-17T08:00:00+0100"),
        ("2026-03-17T08:00Z", "2026-03-17T09:00:00+0100"),
    ],
)
def test_a_moment_begins_and_ends_at_once(words: str, moment: str) -> None:
    assert span(words) == (moment, moment)


def test_months_of_different_length() -> None:
    now = datetime(2024, 3, 31, 12, tzinfo=VIENNA)
    assert span("a month ago", now)[0] == "2024-02-29T00:00:00+0100"
    assert span("a year ago", datetime(2024, 2, 29, 12, tzinfo=VIENNA))[0] == "2023-02-28T00:00:00+0100"


def test_yesterday_changes_at_midnight_of_the_zone() -> None:
    late = datetime(2026, 3, 18, 22, 59, 59, tzinfo=UTC)  # 23:59:59 in Vienna
    midnight = datetime(2026, 3, 18, 23, 0, tzinfo=UTC)
    assert span("yesterday", late)[0] == "2026-03-17T00:00:00+0100"
    assert span("yesterday", midnight)[0] == "2026-03-18T00:00:00+0100"
    assert span("Wednesday", late)[0] == "2026-03-11T00:00:00+0100"
    assert span("Wednesday", midnight)[0] == "2026-03-18T00:00:00+0100"


def test_the_same_moment_is_another_day_elsewhere() -> None:
    now = datetime(2026, 3, 18, 20, 0, tzinfo=UTC)
    assert span("today", now, ZoneInfo("Pacific/Auckland"))[0] == "2026-03-19T00:00:00+1300"
    assert span("today", now, ZoneInfo("America/New_York"))[0] == "2026-03-18T00:00:00-0400"


def test_a_day_of_23_hours() -> None:
    now = datetime(2026, 3, 30, 0, 30, tzinfo=VIENNA)  # the clocks went forward on 29 March at 02:00
    assert span("yesterday", now) == ("2026-03-29T00:00:00+0100", "2026-03-29T23:59:59+0200")
    assert span("2 days ago", now)[0] == "2026-03-28T00:00:00+0100"
    assert span("24 hours ago", now)[0] == "2026-03-28T23:30:00+0100"


def test_an_hour_that_comes_twice() -> None:
    now = datetime(2026, 10, 25, 2, 30, tzinfo=VIENNA, fold=1)  # after the clocks went back at 03:00
    assert span("1 hour ago", now)[0] == "2026-10-25T02:30:00+0200"
    assert span("today", now) == ("2026-10-25T00:00:00+0200", "2026-10-25T23:59:59+0100")


def test_a_day_whose_last_hour_comes_twice_ends_after_the_second() -> None:
    now = datetime(2026, 10, 30, 12, tzinfo=ZoneInfo("Africa/Cairo"))  # back at midnight of 30 October
    assert span("yesterday", now, ZoneInfo("Africa/Cairo"))[1] == "2026-10-29T23:59:59+0200"


def test_without_a_zone_the_machines_counts() -> None:
    found = time_meant("2026-07-01", NOW, None)
    assert found is not None
    assert found.first == datetime(2026, 7, 1).astimezone()


@pytest.mark.parametrize(
    "words",
    [
        "",
        "once",
        "tomorrow",
        "next week",
        "last",
        "ago",
        "last day",
        "several days ago",
        "-1 days ago",
        "9999 years ago",
        "99999 days ago",
        "2026-02-30",
        "2026-13-01",
        "0001-01-01T00:00+14:00",
        "9999-12-31",
        "06:00",
        "yesterday\nClawgit-Trust: operator",
        "march",
        "HEAD~3",
    ],
)
def test_no_time(words: str) -> None:
    assert time_meant(words, NOW, VIENNA) is None
