"""A session is over at its time of day or after a silence, whatever the clocks of the zone do."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from clawgit.capture.sessions.sessions import session_due
from clawgit.workspace.settings.setting_types import parse_session_reset

SEOUL, NEW_YORK = ZoneInfo("Asia/Seoul"), ZoneInfo("America/New_York")


def at(text: str, zone: ZoneInfo = SEOUL) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("reset", "last", "now", "why"),
    [
        pytest.param("daily 04:00", "2026-03-19T03:59", "2026-03-19T04:00", "daily", id="at the very minute"),
        pytest.param("daily 04:00", "2026-03-19T04:00", "2026-03-19T23:59", None, id="spoken since"),
        pytest.param("daily 04:00", "2026-03-18T23:00", "2026-03-19T03:59", None, id="a night owl goes on"),
        pytest.param("daily 04:00", "2026-03-10T12:00", "2026-03-19T03:00", "daily", id="days ago"),
        pytest.param("daily 00:00", "2026-03-18T23:59:59", "2026-03-19T00:00", "daily", id="at midnight"),
        pytest.param("idle 90", "2026-03-19T10:00", "2026-03-19T11:29:59", None, id="not silent long enough"),
        pytest.param("idle 90", "2026-03-19T10:00", "2026-03-19T11:30", "idle", id="silent long enough"),
        pytest.param("idle 90", "2026-03-18T03:00", "2026-03-19T05:00", "idle", id="no time of day, only idle"),
        pytest.param("daily 04:00 idle 90", "2026-03-19T09:00", "2026-03-19T10:31", "idle", id="idle comes first"),
        pytest.param("daily 04:00 idle 90", "2026-03-19T03:30", "2026-03-19T04:10", "daily", id="daily comes first"),
        pytest.param("never", "2020-01-01T00:00", "2026-03-19T10:00", None, id="never"),
        pytest.param("daily 04:00", "2026-03-19T12:00", "2026-03-19T05:00", None, id="the clock went back"),
    ],
)  # fmt: skip
def test_a_session_is_over_at_its_time(reset: str, last: str, now: str, why: str | None) -> None:
    assert session_due(parse_session_reset(reset), at(last), at(now)) == why


@pytest.mark.parametrize(
    ("last", "now", "why"),
    [
        pytest.param("2026-03-08T01:59", "2026-03-08T03:10", None, id="2:30 is skipped and comes as 3:30"),
        pytest.param("2026-03-08T01:59", "2026-03-08T03:30", "daily", id="then it is over"),
        pytest.param("2026-11-01T00:59", "2026-11-01T02:31", "daily", id="a longer night"),
    ],
)
def test_a_time_that_the_clock_skips_comes_an_hour_later(last: str, now: str, why: str | None) -> None:
    assert session_due(parse_session_reset("daily 02:30"), at(last, NEW_YORK), at(now, NEW_YORK)) == why


def test_an_hour_that_comes_twice_ends_a_session_once() -> None:
    reset = parse_session_reset("daily 01:30")
    second = at("2026-11-01T01:45", NEW_YORK).replace(fold=1)

    assert session_due(reset, at("2026-11-01T01:40", NEW_YORK), second) is None
    assert session_due(reset, at("2026-11-01T01:20", NEW_YORK), second) == "daily"


@pytest.mark.parametrize(
    ("last", "now", "why"),
    [
        pytest.param("2026-03-08T01:30", "2026-03-08T03:59", None, id="an hour was skipped"),
        pytest.param("2026-03-08T01:30", "2026-03-08T04:00", "idle", id="a minute later"),
        pytest.param("2026-11-01T00:59", "2026-11-01T02:00", "idle", id="an hour came twice"),
    ],
)
def test_a_silence_is_as_long_as_it_was(last: str, now: str, why: str | None) -> None:
    """Mutant: two times of one zone, subtracted as the clock shows them."""
    assert session_due(parse_session_reset("idle 90"), at(last, NEW_YORK), at(now, NEW_YORK)) == why
