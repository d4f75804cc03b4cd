"""What is kept of how a workspace's jobs stand counts only while nothing has changed there."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from clawgit.cli.agents.kept_basis import STATE, keep_basis, kept_basis, read_basis, stamps_of
from clawgit.runner.runner_status import runner_status
from clawgit.workspace.records.job_slots import SlotNote, SlotState
from clawgit.workspace.records.records import RECORDS, BackupNote, open_records

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.cli.agents.kept_basis import Basis

DAY = timedelta(days=1)


def soon(seconds: float = 10) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds)


def note(room, at: datetime, job: str = "memory-miner") -> None:
    with open_records(room.history.state / RECORDS, at) as records:
        records.job_slots.note(SlotNote(job, at.date(), SlotState.DONE, at, at, 1, at, "applied", "", "tip"))


def keep(room, trust: Path, now: datetime) -> Basis:
    stamps = stamps_of(room.root, room.history.branch(), trust)
    basis = read_basis(room.history, now)
    keep_basis(room.history, trust, basis, stamps)
    return basis


@pytest.fixture
def kept(room, tmp_path) -> Path:
    """Keep how the jobs of a workspace stand that has a setting, a slot and a backup; return where its trust store is."""
    now = soon() - DAY
    note(room, now)
    with open_records(room.history.state / RECORDS, now) as records:
        records.note_backup(BackupNote(now, "/away/a.backup", 7))
    room.history.settings = room.history.settings._replace(timezone="Asia/Tokyo", cron_memory_miner="05:00")
    keep(room, tmp_path / "trust.json", soon())
    return tmp_path / "trust.json"


def test_what_was_kept_says_the_same_as_the_workspace(kept, room) -> None:
    """Mutants: a setting, the slots or the backup are not kept."""
    now = soon(11)
    fresh, found = read_basis(room.history, now), kept_basis(room.root, kept, now)

    assert found == fresh
    assert runner_status(found.settings, found.slots, room.root / STATE, now) == runner_status(
        fresh.settings, fresh.slots, room.history.state, now
    )


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda room: note(room, soon(), "digest"), id="a slot"),
        pytest.param(lambda room: room.git("commit", "-q", "--allow-empty", "-m", "x"), id="a commit"),
        pytest.param(lambda room: room.git("checkout", "-q", "-b", "other"), id="another branch"),
        pytest.param(
            lambda room: room.git("update-ref", "refs/clawgit/proposals/p", "HEAD"), id="a proposal"
        ),
        pytest.param(lambda room: room.git("pack-refs", "--all"), id="references are packed"),
        pytest.param(lambda room: (room.root / ".git/HEAD").unlink(), id="HEAD is gone"),
        pytest.param(lambda room: (room.history.state / RECORDS).chmod(0o644), id="another mode"),
        pytest.param(lambda room: (room.history.state / "standing.json").write_text("{"), id="damaged"),
        pytest.param(lambda room: (room.root.parent / "trust.json").write_text("{}"), id="what is trusted"),
        pytest.param(lambda room: room.root.rename(room.root.with_name("away")), id="the workspace is gone"),
    ],
)
def test_after_a_change_nothing_that_was_kept_counts(kept, room, change) -> None:
    """Mutant for each: its file is not looked at."""
    change(room)

    assert kept_basis(room.root, kept, soon(11)) is None


def test_what_changed_a_moment_ago_is_not_kept(room, tmp_path) -> None:
    """Mutant: a second change in the same tick of the file system's clock would never be seen."""
    note(room, soon(-60))
    keep(room, tmp_path / "trust.json", datetime.now(UTC))

    assert kept_basis(room.root, tmp_path / "trust.json", soon(11)) is None


def test_what_changes_while_it_is_read_is_not_kept(room, tmp_path) -> None:
    trust = tmp_path / "trust.json"
    stamps = stamps_of(room.root, room.history.branch(), trust)
    basis = read_basis(room.history, soon())
    note(room, soon())
    keep_basis(room.history, trust, basis, stamps)

    assert kept_basis(room.root, trust, soon(11)) is None


def test_what_was_kept_while_the_clock_was_ahead_does_not_count(kept, room) -> None:
    assert kept_basis(room.root, kept, datetime.now(UTC)) is None


def test_the_status_of_a_quiet_workspace_is_told_without_opening_it(clawgit, room) -> None:
    """Mutants: nothing is kept; what was kept is told in other words."""
    with open_records(room.history.state / RECORDS, soon(-60)) as records:
        records.note_backup(BackupNote(soon(-60), "/away/a.backup", 7))
    now = {"CLAWGIT_NOW": ""}
    first = clawgit("runner", "status", "--json", environment=now).data
    for _ in range(600):  # nothing is kept before the workspace was quiet for two seconds
        if (room.history.state / "standing.json").exists():
            break
        time.sleep(0.1)
        clawgit("runner", "status", "--json", environment=now)
    (room.root / ".git/objects/pack").rename(
        room.root / ".git/objects/away"
    )  # the last commit cannot be read
    told = clawgit("runner", "status", "--json", environment=now)

    def lasting(each):
        jobs = [{**job, "late_seconds": 0} for job in each["jobs"]]
        return {**each, "backup": each["backup"]["path"], "jobs": jobs}

    assert (told.code, told.err) == (0, "")
    assert list(map(lasting, told.data)) == list(map(lasting, first))
    assert clawgit("status").code != 0
