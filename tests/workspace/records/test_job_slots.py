"""Of a year of slots, those are read that say how a job stands."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from clawgit.runner.jobs import Timetable, due_now
from clawgit.workspace.records.record_tables import SlotNote, SlotState
from clawgit.workspace.records.records import open_records
from clawgit.workspace.settings.setting_types import parse_slot

NOW = datetime(2026, 3, 20, 10, 0, tzinfo=UTC)
NIGHTLY = Timetable(parse_slot("02:30"), UTC, timedelta(hours=36))


def slot(days: int, state: SlotState = SlotState.DONE, attempt: int = 1, job: str = "job") -> SlotNote:
    at = datetime(2026, 3, 20, 2, 30, tzinfo=UTC) + timedelta(days=days)
    return SlotNote(job, at.date(), state, at, at, attempt, at, "applied", "", "tip")


CASES = [
    pytest.param([], id="never seen"),
    pytest.param([slot(-each) for each in range(400)], id="a year"),
    pytest.param([slot(-each) for each in range(-30, 30)], id="the clock was a month ahead"),
    pytest.param([slot(-each) for each in range(-30, 0)] + [slot(-40)], id="ahead, and nothing lately"),
    pytest.param([slot(-1), slot(0, SlotState.FAILED, 2)], id="one failed"),
    pytest.param(
        [*(slot(-each, SlotState.SKIPPED) for each in range(1, 50)), slot(-50)], id="fifty were skipped"
    ),
    pytest.param(
        [slot(-2, SlotState.BEFORE), slot(-1, SlotState.FAILED, 3)], id="given up after the first sight"
    ),
]


@pytest.mark.parametrize("notes", CASES)
def test_what_is_due_by_the_newest_slots_is_due_by_all_of_them(tmp_path, notes) -> None:
    """Mutants: slots of a clock that was ahead count as the last good ones; what failed since is left out."""
    with open_records(tmp_path / "records.db", NOW) as records:
        records.job_slots.note(*notes, slot(0, job="other"))
        newest, every = records.job_slots.newest(["job"], NOW)["job"], records.job_slots.of("job", most=1000)

    for zone in (timedelta(hours=-12), timedelta(0), timedelta(hours=14)):
        assert due_now(NIGHTLY, NOW + zone, newest) == due_now(NIGHTLY, NOW + zone, every)
    assert list(newest) == list(every)[: len(newest)]


def test_of_a_year_of_slots_a_few_are_read(tmp_path) -> None:
    with open_records(tmp_path / "records.db", NOW) as records:
        records.job_slots.note(*(slot(-each) for each in range(365)))
        found = records.job_slots.newest(["job", "unknown"], NOW)

    assert [len(each) for each in found.values()] == [5, 0]
    assert min(found["job"]) == date(2026, 3, 16)
