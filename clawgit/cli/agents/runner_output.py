"""How `runner status` and `status` say how the jobs stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.cli.agents.slot_output import slot_data, slot_line

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from clawgit.runner.runner_status import JobStatus, RunnerStatus


def runner_data(status: RunnerStatus) -> dict[str, Any]:
    """Return how the jobs stand, as other programs read it."""
    return {
        "seen": status.is_seen,
        "at_work": status.is_at_work,
        "jobs": [_job_data(job) for job in status.jobs],
        "clock_ahead": [slot_data(note) for note in status.ahead],
        "troubles": status.troubles,
    }


def _job_data(job: JobStatus) -> dict[str, Any]:
    return {
        "job": job.job,
        "last": None if job.last is None else slot_data(job.last),
        "next": None if job.next is None else job.next.isoformat(),
        "late_seconds": int(job.late.total_seconds()),
        "failures": job.failures,
        "next_try": None if job.next_try is None else job.next_try.isoformat(),
        "trouble": job.trouble,
    }


def runner_lines(status: RunnerStatus, zone: tzinfo | None) -> list[str]:
    """Return what `runner status` says about one workspace."""
    if not status.is_seen:
        return [
            "  The runner was never here: `clawgit runner once` does what is due, `runner install` calls it."
        ]
    lines = [f"! {trouble}" for trouble in status.troubles]
    if status.is_at_work:
        lines.append("  A runner is at work.")
    if status.ahead:
        lines.append(
            f"  {len(status.ahead)} slot(s) are noted for a time to come: the clock was ahead, or is behind now."
            " They do not run again on their dates."
        )
    for job in status.jobs:
        lines.append(f"  {_job_line(job, zone)}")
    return lines


def _job_line(job: JobStatus, zone: tzinfo | None) -> str:
    last = "not run yet" if job.last is None else slot_line(job.last).removeprefix(f"{job.job} ")
    parts = [f"{job.job}: {last}"]
    if job.next_try is not None:
        parts.append(f"next try {_at(job.next_try, zone)}")
    if job.late:
        parts.append(f"late by {job.late.days} d {job.late.seconds // 3600} h")
    parts.append("whenever messages wait" if job.next is None else f"next {_at(job.next, zone)}")
    return "; ".join(parts)


def trouble_lines(status: RunnerStatus) -> list[str]:
    """Return what `status` says where a person is needed."""
    return [f"! {trouble} (`clawgit runner status`)" for trouble in status.troubles]


def next_job_lines(status: RunnerStatus, zone: tzinfo | None) -> list[str]:
    """Return what `status` says about the next job."""
    job = status.next_job
    return [] if job is None or job.next is None else [f"  next job: {job.job} at {_at(job.next, zone)}"]


def _at(moment: datetime, zone: tzinfo | None) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"
