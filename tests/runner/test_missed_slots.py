"""What is made up for after a downtime, what is tried again, and what a clock that jumps does."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from clawgit.runner.jobs import Due, Timetable, due_now
from clawgit.workspace.records.record_tables import SlotNote, SlotState
from clawgit.workspace.settings.setting_types import SlotSpec, parse_slot

if TYPE_CHECKING:
    from collections.abc import Iterator

NIGHTLY = Timetable(parse_slot("02:30"), UTC, timedelta(hours=36))
WEEKLY = Timetable(parse_slot("Sunday 03:00"), UTC, timedelta(hours=36))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def note(day: int, state: SlotState, attempt: int = 1, started: str = "") -> SlotNote:
    begins = NIGHTLY.begins(date(2026, 3, day))
    start = at(started) if started else begins
    return SlotNote("job", date(2026, 3, day), state, begins, start, attempt, ended=start)


def noted(*notes: SlotNote) -> dict[date, SlotNote]:
    return {each.day: each for each in notes}


def day(number: int) -> date:
    return date(2026, 3, number)


def test_a_job_that_was_never_seen_makes_up_for_nothing() -> None:
    assert due_now(NIGHTLY, at("2026-03-19T10:00"), {}) == Due(before=day(19))


def test_the_first_night_after_the_first_look_at_a_folder_is_due() -> None:
    """Mutant: whoever makes a workspace in the evening and lets a runner look in the morning has lost the night."""
    evening = at("2026-03-18T22:00")

    assert due_now(NIGHTLY, at("2026-03-19T10:00"), {}, evening) == Due(day(19), 1)
    assert due_now(NIGHTLY, at("2026-03-18T23:00"), {}, evening) == Due(before=day(18))


def test_the_slot_after_the_first_sight_runs() -> None:
    seen = noted(note(19, SlotState.BEFORE))

    assert due_now(NIGHTLY, at("2026-03-20T02:29"), seen) == Due()
    assert due_now(NIGHTLY, at("2026-03-20T02:30"), seen) == Due(day(20), 1)


def test_after_days_of_downtime_the_newest_slot_runs_and_the_older_ones_are_skipped() -> None:
    """Mutants: each missed slot runs; the older ones are forgotten."""
    due = due_now(NIGHTLY, at("2026-03-23T10:00"), noted(note(19, SlotState.DONE)))

    assert (due.day, due.attempt) == (day(23), 1)
    assert [each for each, _ in due.skipped] == [day(20), day(21), day(22)]


def test_what_was_skipped_at_a_time_to_come_is_forgotten() -> None:
    """Mutant: it counts, and a slot that is late is neither run nor noted."""
    ahead = note(22, SlotState.SKIPPED, started="2027-03-22T10:00")
    due = due_now(WEEKLY, at("2026-03-24T10:00"), noted(note(8, SlotState.DONE), ahead))

    assert [each for each, _ in due.skipped] == [day(15), day(22)]


def test_what_is_too_late_is_skipped_with_the_reason() -> None:
    due = due_now(WEEKLY, at("2026-03-24T10:00"), noted(note(8, SlotState.DONE)))

    assert due.day is None
    assert [each for each, _ in due.skipped] == [day(15), day(22)]
    assert due.skipped[-1][1] == "It could not run within 36 hours."


TOLD = NIGHTLY._replace(spec=parse_slot("07:30"), next_tells=True)


@pytest.mark.parametrize(
    ("spec", "now", "runs"),
    [
        pytest.param("07:30", "2026-03-20T09:00", True, id="the same morning"),
        pytest.param("07:30", "2026-03-20T23:59", True, id="still its day"),
        pytest.param("07:30", "2026-03-21T02:30", False, id="in the night: the morning tells it all"),
        pytest.param("23:45", "2026-03-21T00:05", True, id="just behind midnight"),
        pytest.param("23:45", "2026-03-21T11:00", True, id="nearer than the next one"),
        pytest.param("23:45", "2026-03-21T13:00", False, id="further away than the next one"),
        pytest.param("Friday 07:30", "2026-03-21T02:30", True, id="the next one is a week away"),
    ],
)
def test_a_late_message_is_left_out_where_the_next_one_is_near(spec: str, now: str, runs: bool) -> None:
    """Mutants: the night tells what the morning should; an evening in front of the machine is told nothing."""
    due = due_now(TOLD._replace(spec=parse_slot(spec)), at(now), noted(note(13, SlotState.DONE)))

    assert (due.day == day(20)) == runs
    assert (day(20) in dict(due.skipped)) != runs


def test_a_late_message_that_was_cut_off_is_left_out_as_well() -> None:
    """Mutant: it stays open, and the workspace is looked at all night."""
    cut = noted(note(20, SlotState.STARTED))

    assert due_now(TOLD, at("2026-03-20T09:00"), cut) == Due(day(20), 2)
    assert [each for each, _ in due_now(TOLD, at("2026-03-21T02:30"), cut).skipped] == [day(20)]


def test_what_was_skipped_as_too_late_is_not_noted_again() -> None:
    assert due_now(WEEKLY, at("2026-03-24T10:00"), noted(note(22, SlotState.SKIPPED))) == Due()


def test_of_a_downtime_of_years_the_last_months_are_noted() -> None:
    due = due_now(NIGHTLY, at("2029-03-19T10:00"), noted(note(19, SlotState.DONE)))

    assert due.day == date(2029, 3, 19)
    assert len(due.skipped) == 60


@pytest.mark.parametrize(
    ("state", "attempt", "now", "expected"),
    [
        pytest.param(SlotState.FAILED, 1, "02:30:59", Due(), id="a minute is waited"),
        pytest.param(SlotState.FAILED, 1, "02:31:00", Due(day(19), 2), id="then it is tried again"),
        pytest.param(SlotState.FAILED, 2, "02:34:59", Due(), id="five minutes are waited"),
        pytest.param(SlotState.FAILED, 2, "02:35:00", Due(day(19), 3), id="then it is tried a last time"),
        pytest.param(SlotState.FAILED, 3, "23:00:00", Due(), id="not a fourth time"),
        pytest.param(SlotState.STARTED, 1, "02:30:00", Due(day(19), 2), id="cut off: tried again at once"),
        pytest.param(SlotState.STARTED, 2, "02:34:59", Due(), id="cut off twice: after five minutes"),
        pytest.param(SlotState.STARTED, 3, "23:00:00", Due(), id="cut off three times: not again"),
        pytest.param(SlotState.DONE, 1, "23:00:00", Due(), id="done is done"),
    ],
)
def test_a_failed_slot_is_tried_three_times(state, attempt, now, expected) -> None:
    assert due_now(NIGHTLY, at(f"2026-03-19T{now}"), noted(note(19, state, attempt))) == expected


def test_the_next_slot_of_a_job_that_was_given_up_has_its_own_attempts() -> None:
    assert due_now(NIGHTLY, at("2026-03-20T02:30"), noted(note(19, SlotState.FAILED, 3))) == Due(day(20), 1)


@pytest.mark.parametrize(
    "back",
    [pytest.param(timedelta(days=1), id="a day"), pytest.param(timedelta(hours=1), id="an hour")],
)
def test_a_clock_that_steps_back_repeats_nothing_and_stops_nothing(back: timedelta) -> None:
    """Mutant: a slot runs whenever its time comes, done or not."""
    notes = noted(*(note(each, SlotState.DONE) for each in (17, 18, 19)))
    now = at("2026-03-19T03:00") - back
    ran = []
    for _ in range(4 * 24 * 12):
        due = due_now(NIGHTLY, now, notes)
        if due.day is not None:
            ran.append(due.day)
            notes[due.day] = note(due.day.day, SlotState.DONE)
        now += timedelta(minutes=5)

    assert ran == [day(each) for each in (20, 21, 22)]


FIVE = ("Europe/Oslo", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Atlantic/Azores")
CHANGES, HALF_HOURS = 6, 48  # forth and back in 2026, 2027 and 2028; of a day


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", FIVE)
def test_every_job_runs_once_for_each_date_across_every_change_of_the_clocks(name: str) -> None:
    """P18, with the clock stepping back by a day in between. Mutants: a time that the day does not have is left out; a day is one of UTC."""
    zone, cases = ZoneInfo(name), 0
    for change in clock_changes(zone):
        for half_hour in range(HALF_HOURS):
            at_time = SlotSpec(None, half_hour // 2, 30 * (half_hour % 2))
            table, cases = Timetable(at_time, zone, timedelta(hours=36)), cases + 1
            begin = change - timedelta(days=2)
            notes = {table.last(begin): note(1, SlotState.DONE)}
            ran = []
            for hour in (*range(72), *range(48, 96)):  # after three days, one day back
                due = due_now(table, begin + timedelta(hours=hour), notes)
                if due.day is not None:
                    ran.append(due.day)
                    notes[due.day] = note(1, SlotState.DONE)

            assert ran == list(
                dates_of(at_time, *(begin + timedelta(hours=hours) for hours in (0, 95)), zone)
            )

    assert cases == CHANGES * HALF_HOURS


def dates_of(spec: SlotSpec, begin: datetime, end: datetime, zone: ZoneInfo) -> Iterator[date]:
    """Yield the dates on which a clock on the wall shows the time behind ``begin``, and at ``end`` at the latest."""
    first, last = (each.astimezone(zone).replace(tzinfo=None) for each in (begin, end))
    day = first.date()
    while (shown := datetime(day.year, day.month, day.day, spec.hour, spec.minute)) <= last:
        if shown > first:
            yield day
        day += timedelta(days=1)


def clock_changes(zone: ZoneInfo) -> Iterator[datetime]:
    """Yield the hours of 2026 to 2028 before which the clocks change."""
    now, last = datetime(2026, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC)
    while now < last:
        after = now + timedelta(hours=1)
        if now.astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset():
            yield after
        now = after


def test_slots_that_were_skipped_while_the_clock_was_ahead_run_when_they_begin() -> None:
    """Mutant: what is noted ahead counts as the newest, and the job waits for the clock."""
    ahead = noted(
        note(19, SlotState.DONE),
        note(20, SlotState.SKIPPED),
        note(21, SlotState.SKIPPED),
        note(22, SlotState.DONE),
    )

    assert due_now(NIGHTLY, at("2026-03-20T02:30"), ahead).day == day(20)
    assert due_now(NIGHTLY, at("2026-03-22T02:30"), ahead) == Due()


def test_what_ran_while_the_clock_was_ahead_hides_nothing_that_was_missed() -> None:
    """Mutant: what is noted ahead counts as the last slot, and nothing was missed since."""
    ahead = noted(note(18, SlotState.DONE), note(25, SlotState.DONE))

    due = due_now(NIGHTLY, at("2026-03-21T10:00"), ahead)

    assert (due.day, [each for each, _ in due.skipped]) == (day(21), [day(19), day(20)])
    assert due_now(NIGHTLY, at("2026-03-17T10:00"), ahead) == Due(before=day(17))


def test_an_attempt_that_is_dated_ahead_is_not_waited_for() -> None:
    """Mutant: a slot that failed while the clock was a day ahead of now waits a day."""
    failed = noted(note(19, SlotState.FAILED, 1, started="2026-03-20T02:30"))

    assert due_now(NIGHTLY, at("2026-03-19T03:00"), failed) == Due(day(19), 2)


def test_a_moved_time_runs_a_job_once_for_a_date() -> None:
    """Mutant: a slot is an instant."""
    later = NIGHTLY._replace(spec=parse_slot("23:00"))

    assert due_now(later, at("2026-03-19T23:30"), noted(note(19, SlotState.DONE))) == Due()


def test_another_zone_runs_a_job_once_for_a_date() -> None:
    moved = NIGHTLY._replace(zone=ZoneInfo("Pacific/Auckland"))
    notes = noted(note(18, SlotState.DONE), note(19, SlotState.DONE))

    assert due_now(moved, at("2026-03-19T12:00"), notes) == Due()
    assert due_now(moved, at("2026-03-19T13:30"), notes) == Due(day(20), 1)
