"""Texts about jobs and their slots for `runner status`, `status` and `runner once`."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from clawgit.cli.app import picked
from clawgit.workspace.records.record_tables import SlotNote, SlotState
from clawgit.workspace.records.records import RunOutcome
from clawgit.workspace.settings.setting_types import OFF

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from clawgit.operations.status import ServiceState
    from clawgit.runner.run_due_jobs import JobStatus, RunnerStatus
    from clawgit.workspace.settings.settings import Settings

NOTHING = RunOutcome.NOTHING.value
SAYS_NOTHING = ("", "There was nothing to work on.", "There was nothing to change.")
SILENT = timedelta(minutes=10)  # without a sign of life, the runner of jobs has stopped
UNDRIVEN = " where `clawgit up` or a timer runs"


def slot_data(note: SlotNote) -> dict[str, Any]:
    return picked(note, "job slot=day state attempt due started ended outcome reason")


def slot_lines(notes: Sequence[SlotNote]) -> list[str]:
    """Return a line for each job that had something to do."""
    groups: dict[tuple[str, str], list[SlotNote]] = {}
    for note in notes:
        shared = f"{note.day}"
        if note.state is SlotState.SKIPPED:
            shared = note.reason
        if note.outcome != NOTHING or note.reason not in SAYS_NOTHING:
            groups.setdefault((note.job, shared), []).append(note)
    lines = []
    for group in groups.values():
        if len(group) > 1:
            days = sorted(note.day for note in group)
            lines.append(
                f"{group[0].job} {days[0]} to {days[-1]}: skipped {len(days)} times ({group[0].reason})"
            )
        else:
            lines.append(slot_line(group[0]))
    return lines


def slot_line(note: SlotNote) -> str:
    line = f"{note.job} {note.day}: {note.outcome or note.state.value}"
    if note.attempt > 1:
        line += f", attempt {note.attempt}"
    if note.reason:
        line += f" ({note.reason})"
    return line


def runner_data(status: RunnerStatus) -> dict[str, Any]:
    jobs = []
    for job in status.jobs:
        last = slot_data(job.last) if job.last is not None else None
        row = {"job": job.job, "last": last, "next": job.next, "late_seconds": int(job.late.total_seconds())}
        jobs.append(row | picked(job, "failures next_try trouble off=is_off"))
    return {
        **picked(status, "seen=is_seen at_work=is_at_work"),
        "jobs": jobs,
        "clock_ahead": [slot_data(note) for note in status.ahead],
        "troubles": status.troubles,
    }


def has_stopped(service: ServiceState | None, now: datetime) -> bool:
    """Say whether a service is there whose runner gives no sign of life."""
    if service is None or not service.jobs_seen:
        return False
    return now - datetime.fromisoformat(service.jobs_seen) > SILENT


def resident_status(service: ServiceState | None, now: datetime) -> dict[str, Any] | None:
    if service is None:
        return None
    about = picked(service, "pid=process since version seen=jobs_seen")
    return about | {"is_there": True, "hangs": has_stopped(service, now)}


def resident_lines(service: ServiceState | None, now: datetime) -> list[str]:
    if service is None:
        return []
    who = f"process {service.process}, since {_at(datetime.fromisoformat(service.since), now.tzinfo)}"
    if has_stopped(service, now):
        seen = _at(datetime.fromisoformat(service.jobs_seen), now.tzinfo)
        return [f"! `clawgit up` has stopped since {seen} ({who})."]
    return [f"`clawgit up` is at work ({who})."]


def runner_lines(status: RunnerStatus, zone: tzinfo | None) -> list[str]:
    if not status.is_seen and not status.troubles:
        return ["  The runner was never here: `clawgit up` stays, `runner once` does what is due."]
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
    last = "the runner has not run it yet"
    if job.last is not None:
        last = slot_line(job.last).removeprefix(f"{job.job} ")
    parts = [f"{job.job}: {last}"]
    if job.next_try is not None:
        parts.append(f"next try {_at(job.next_try, zone)}")
    if job.late:
        parts.append(f"late by {job.late.days} d {job.late.seconds // 3600} h")
    if job.is_off:
        parts.append("off")
    elif job.next is None:
        parts.append("whenever messages wait")
    else:
        parts.append(f"next {_at(job.next, zone)}")
    return "; ".join(parts)


def trouble_lines(status: RunnerStatus) -> list[str]:
    """Return the lines of `status` on jobs that need a person; jobs with the same trouble share a line."""
    jobs: dict[str, list[str]] = {}
    for trouble in status.troubles:
        job, _, what = trouble.partition(" ")
        jobs.setdefault(what, []).append(job)
    lines = []
    for what, names in jobs.items():
        trouble = f"{names[0]} {what}"
        if len(names) > 1:
            trouble = f"{', '.join(names)}: {what.removeprefix('is ')}"
        lines.append(f"! {trouble} (`clawgit runner status`)")
    return lines


def unread_line(count: int, settings: Settings, *, is_driven: bool) -> str:
    messages = "1 message is" if count == 1 else f"{count:,} messages are"
    when = f"at {settings.cron_memory_miner}"
    if settings.cron_memory_miner == OFF:
        when = "not by itself (`cron_memory_miner` is off)"
    elif not is_driven:
        when += UNDRIVEN
    return f"{messages} still to be read, {when}; now: `clawgit run memory-miner`"


def next_job_lines(status: RunnerStatus, zone: tzinfo | None, *, is_driven: bool) -> list[str]:
    job = status.next_job
    if job is None or job.next is None:
        return []
    when = _at(job.next, zone)
    if not is_driven:
        when += UNDRIVEN
    return [f"next job: {job.job} at {when}"]


def _at(moment: datetime, zone: tzinfo | None) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"
