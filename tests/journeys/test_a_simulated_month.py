"""Some days of the simulated year, lived in this process: what was planted is kept, found, warded off and undone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day

import pytest

from benchmarks.year.lived_year import Life
from benchmarks.year.memory_checks import (
    Lived,
    contradictions_false,
    corrections_kept,
    expired_tasks,
    lessons,
    lines_answer_why,
    lines_of_memory,
    nothing_twice,
    poison,
    removed_lines,
)
from benchmarks.year.planted_year import planted_year
from benchmarks.year.undo_checks import undo_checks

SEED, DAYS, RUNS = 4, 10, 4
SOONER = "compaction_age_days: 3\ncorrection_archive_days: 3\n"
CHECKS = (
    corrections_kept, poison, expired_tasks, lines_of_memory, contradictions_false, lessons, nothing_twice,
    lines_answer_why, removed_lines,
)  # fmt: skip


@pytest.mark.rest
def test_days_with_a_crash_leave_memory_as_a_careful_person_would_have_kept_it(own_home, tmp_path) -> None:
    """Mutants: a host's word goes to MEMORY.md; a correction is archived and forgotten; an undo leaves something."""
    year, life = planted_year(SEED, DAYS), Life(tmp_path, SEED, SOONER)

    life.live(year)

    end = datetime.combine(year.days[-1].on + timedelta(days=1), time_of_day(23), UTC)
    lived = Lived(year, life, end)
    checks = [*(check(lived) for check in CHECKS), *undo_checks(lived, SEED, RUNS)]
    assert [each for each in checks if not each.holds] == []
    assert life.tally["crashes"] == 1
    assert [name for name in life.tally if name.endswith(": failed")] == []
