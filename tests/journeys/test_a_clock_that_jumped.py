"""A clock that jumps a year ahead and is put right: nothing is archived, no slot is lost, and times are the true ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = (
    pytest.mark.rest
)  # beside tests/runner and tests/workspace, which have the same promises for each part

SUNDAY, WRONG = "2026-04-05T12:00+00:00", "2027-04-04T12:00+00:00"
MOVERS = {"memory-compactor", "organizer", "decay-engine", "vector-hygiene"}


@pytest.fixture
def said(forked, room) -> Callable[..., Any]:
    """Return what a command says in JSON at a time that is rehearsed."""

    def ask(now: str, *words: str) -> Any:
        done = forked(room.root, "--rehearse", "--now", now, *words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


@pytest.fixture
def jumped(said, room, lived_once) -> Callable[..., Any]:
    """Return the same in a workspace with a note of the day, at whose last look the clock was a year ahead."""

    def life() -> None:
        room.write("CONFIG.md", "```yaml\ntimezone: UTC\n```\n")
        room.keep("operator")
        said("2026-03-29T12:00+00:00", "runner", "once")
        said("2026-04-01T08:00+00:00", "memory", "add", "Ada bought 12 apples.", "--tag", "event")
        said("2026-04-01T08:01+00:00", "runner", "once")
        said(WRONG, "runner", "once")

    lived_once("jumped", life)
    return said


def last_of(said: Callable[..., Any], now: str, job: str) -> dict[str, Any]:
    jobs = {each["job"]: each for each in said(now, "status")["runner"]["jobs"]}
    return jobs[job]["last"]


def test_nothing_is_archived_by_it_until_somebody_says_that_it_is_right(jumped, room) -> None:
    assert (room.root / "memory/2026-04-01.md").exists()
    assert not MOVERS & {run["agent"] for run in jumped(WRONG, "runs") if run["at"] > "2027"}
    assert "days ahead" in jumped(WRONG, "status")["runner"]["clock_jump"]
    assert "`clawgit approve clock`" in json.dumps(jumped(WRONG, "digest"))

    jumped("2027-04-04T12:01+00:00", "approve", "clock")
    jumped("2027-04-04T12:02+00:00", "runner", "once")

    assert not (room.root / "memory/2026-04-01.md").exists()
    assert jumped(WRONG, "status")["runner"]["clock_jump"] == ""


def test_a_host_cannot_call_it_right(jumped, forked, room) -> None:
    done = forked(room.root, "--rehearse", "--now", WRONG, "approve", "clock", CLAWGIT_ACTOR="host")

    assert done.returncode == 1
    assert jumped(WRONG, "status")["runner"]["clock_jump"]


def test_its_weekly_jobs_run_when_it_is_back(jumped) -> None:
    jumped(SUNDAY, "runner", "once")
    jumped("2026-04-12T12:00+00:00", "runner", "once")

    for job in ("memory-compactor", "decay-engine", "vector-hygiene"):
        last = last_of(jumped, "2026-04-12T12:01+00:00", job)
        assert (last["slot"], last["state"]) == ("2026-04-12", "done"), job
    assert jumped("2026-04-12T12:01+00:00", "status")["runner"]["clock_jump"] == ""


def test_a_slot_that_was_skipped_while_it_was_ahead_is_skipped_anew_where_it_is_late(jumped) -> None:
    jumped("2026-04-05T12:00+00:00", "runner", "once")

    last = last_of(jumped, "2026-04-05T12:01+00:00", "promotion-review")
    assert (last["slot"], last["state"]) == ("2026-04-03", "skipped")
    assert last["started"].startswith("2026-04-05")


def test_a_job_does_not_count_runs_of_a_time_to_come_as_its_own(jumped) -> None:
    jumped("2027-04-04T12:01+00:00", "approve", "clock")
    jumped("2027-04-04T12:02+00:00", "runner", "once")
    jumped(SUNDAY, "runner", "once")

    assert last_of(jumped, "2026-04-05T12:01+00:00", "memory-compactor")["outcome"] == "nothing"


def test_commits_after_the_return_carry_the_true_time(jumped, forked, room) -> None:
    jumped(WRONG, "memory", "add", "Ada moved to Rome.")
    jumped("2026-04-02T09:00+00:00", "memory", "add", "Ben sold 7 pears.")
    room.write("SOUL.md", "Be brief.\n")
    jumped("2026-04-03T09:00+00:00", "keep", "--as", "operator")

    now = "2026-04-04T09:00+00:00"
    assert (
        "2026-04-02 09:00" in forked(room.root, "--rehearse", "--now", now, "why", "Ben sold 7 pears.").stdout
    )
    (newest, *_) = jumped(now, "soul", "log")
    assert newest["at"].startswith("2026-04-03T09:00")
    assert "## 2026-04-03" in room.read("CHANGELOG.md")
    assert "pears" in json.dumps(jumped(now, "memory", "search", "pears", "--as-of", "2026-04-02T10:00"))
    assert "pears" not in json.dumps(jumped(now, "memory", "search", "pears", "--as-of", "2026-04-01T10:00"))


def test_a_copy_that_git_made_of_such_a_commit_keeps_its_true_time(jumped, room) -> None:
    jumped(WRONG, "memory", "add", "Ada moved to Rome.")
    room.write("SOUL.md", "Be brief.\n")
    jumped("2026-04-03T09:00+00:00", "keep", "--as", "operator")
    room.git("commit", "-q", "--amend", "--no-edit", "--no-verify")

    (newest, *_) = jumped("2026-04-04T09:00+00:00", "soul", "log")
    assert newest["at"].startswith("2026-04-03T09:00")


def test_messages_are_not_deleted_by_it(said, room) -> None:
    room.write("CONFIG.md", "```yaml\ntimezone: UTC\nmessage_retention_days: 60\n```\n")
    room.keep("operator")
    said("2026-04-01T08:00+00:00", "chat", "add", "The keys are with Ben.", "--id", "1")
    said("2026-04-01T08:01+00:00", "runner", "once")

    said(WRONG, "chat", "add", "Who has the keys?", "--id", "2")
    assert "Ben" in json.dumps(said("2026-04-02T08:00+00:00", "chat", "log"))

    said(WRONG, "runner", "once")
    said(WRONG, "approve", "clock")
    said(WRONG, "chat", "add", "Who has them?", "--id", "3")
    assert "Ben" not in json.dumps(said("2026-04-02T08:00+00:00", "chat", "log"))
