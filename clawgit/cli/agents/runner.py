"""`clawgit runner`: the jobs at their times."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from clawgit.cli.agents.job_start import runner_for
from clawgit.cli.agents.runner_install import install_command, uninstall_command
from clawgit.cli.agents.runner_output import slot_data, slot_lines
from clawgit.cli.agents.runner_start import jobs_option, start_command
from clawgit.cli.app import App, Command
from clawgit.client import LOCK, service_folder
from clawgit.errors import ClawgitError, ExitCode
from clawgit.operations.crash_report import bug_report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import tzinfo

    from clawgit.cli.agents.kept_basis import Basis
    from clawgit.history.backup.records_status import RecordsStatus
    from clawgit.history.git.repository import History
    from clawgit.runner.run_due_jobs import Ran
    from clawgit.runner.runner_status import RunnerStatus


class Found(NamedTuple):
    """What was found out about one workspace, or why nothing was."""

    root: Path
    what: Any = None
    problem: str = ""
    zone: tzinfo | None = None


@click.group("runner")
def runner_group() -> None:
    """Run the agents' jobs at their times."""


runner_group.add_command(start_command)
runner_group.add_command(install_command)
runner_group.add_command(uninstall_command)


@runner_group.command("once", cls=Command)
@click.option("--all", "every", is_flag=True, help="In every workspace that is registered.")
@jobs_option
@click.pass_obj
def once_command(app: App, every: bool, jobs: int | None) -> None:
    """Do the jobs that are due, and exit.

    For a timer or cron that calls it every few minutes.

    Each job is a process of its own with limits on time, memory and output. A slot is a job's date: it runs once,
    whatever is moved or killed. One that fails is tried three times, after 1 and 5 minutes. After a downtime the newest
    slot of each job runs and the older ones are noted as skipped; nothing runs later than `max_lateness_hours`.

    \b
    Examples:
      clawgit runner once
      clawgit runner once --all --json
    """
    from clawgit.runner.job_process import MOST_AT_WORK, Places

    places = Places()

    def done(own: App, history: History) -> Ran:
        with places.one(jobs or history.settings.jobs_at_once):
            return _done(own, history)

    found = for_each(app, _roots(app, every=every), done, at_once=MOST_AT_WORK)
    for each in found:
        for line in _troubles(each):
            app.say(line)
    app.report(
        [_ran_data(each) for each in found],
        lambda: [line for each in found for line in _ran_lines(each)] or ["Nothing was due."],
    )


def _roots(app: App, *, every: bool) -> list[Path]:
    """Return this workspace, or all that are registered; agents do not write to the shared one."""
    if not every:
        return [app.root()]
    from clawgit.workspace.user.workspace_registry import read_registry

    registry = read_registry(app.registry_file)
    if registry.problem:
        app.say(registry.problem)
    return [each.root for each in registry.workspaces.values() if not each.is_shared]


def for_each(
    app: App,
    roots: Sequence[Path],
    work: Callable[[App, History], Any],
    *,
    at_once: int = 1,
    known: Callable[[Path], Found | None] = lambda _root: None,
) -> list[Found]:
    """Do the same in each workspace; one that cannot be read, or a bug met there, hurts no other.

    Where what it would come to is ``known``, nothing is opened.
    """
    from clawgit.runner.job_process import MOST_AT_WORK, Places

    context = click.get_current_context()
    places = Places()

    def one(root: Path) -> Found:
        with places.one(at_once):
            return found(root)

    def found(root: Path) -> Found:
        own = App(app.environment, app.words)
        own.take(workspace=str(root), now=app.now_text, rehearse=app.rehearse)
        try:
            with context.scope(cleanup=False):
                history = own.history(root)
                return Found(root, work(own, history), zone=own.now(history).tzinfo)
        except (ClawgitError, OSError) as error:
            return Found(root, problem=str(error))
        except Exception as error:  # noqa: BLE001 - the boundary around one workspace of many
            app.met_bug = True
            return Found(root, problem=bug_report(error))

    before = list(map(known, roots))  # threads that hand on their place take longer than these looks
    with ThreadPoolExecutor(max_workers=MOST_AT_WORK) as pool:
        rest = pool.map(one, [root for root, each in zip(roots, before, strict=True) if each is None])
        return [each or next(rest) for each in before]


def _done(app: App, history: History) -> Ran:
    from clawgit.runner.run_due_jobs import run_due_jobs

    return run_due_jobs(history, runner_for(app, history))


@runner_group.command("status", cls=Command)
@click.option("--all", "every", is_flag=True, help="Of every workspace that is registered.")
@click.pass_obj
def status_command(app: App, every: bool) -> None:
    """Show each job's last run and next time.

    Names failures and pending work. Exits with 1 if a job needs a person.

    A person is needed where a job failed three times or is late by more than two of its intervals, where a workspace cannot
    be read, or where `up` or `runner start` is there and does not go on.

    \b
    Examples:
      clawgit runner status
      clawgit runner status --all --json
    """
    from clawgit.cli.agents.runner_output import resident_lines, resident_status
    from clawgit.runner.resident_note import NAME, read_resident

    resident = read_resident(app.registry_file.with_name(NAME))
    now = app.now()
    service = service_process(app.environment)
    is_service = resident is not None and resident.pid == service
    found = for_each(app, _roots(app, every=every), _standing, known=_kept_standing(app))
    if any(each.problem or each.what.status.troubles for each in found) or (resident and resident.hangs(now)):
        app.exit_code = ExitCode.REFUSED
    app.report(
        [{**_standing_data(each), "resident": resident_status(resident, now)} for each in found],
        lambda: [
            *resident_lines(resident, now, is_service=is_service),
            *([line for each in found for line in _standing_lines(each)] or ["No workspace is registered."]),
        ],
    )


def service_process(environment: Mapping[str, str]) -> int:
    """Return the process of the service, 0 where none runs."""
    folder = service_folder(environment)
    if not folder or not Path(folder, LOCK).exists():
        return 0
    from clawgit.operations.standing import read_standing

    standing = read_standing(Path(folder))
    return 0 if standing is None else standing.process


class Standing(NamedTuple):
    """How a workspace's jobs stand, and what else waits there."""

    status: RunnerStatus
    records: RecordsStatus
    proposals: int


def _standing(app: App, history: History) -> Standing:
    from clawgit.cli.agents.kept_basis import keep_basis, read_basis, stamps_of

    now, trust = app.now(history), app.trust_file
    stamps = stamps_of(history.root, history.branch(), trust) if history.is_ordinary else []
    basis = read_basis(history, now)
    if stamps and _goes_by_clock(app) and not app.has_spoken:
        keep_basis(history, trust, basis, stamps)
    return _standing_by(basis, history.state, now)


def _kept_standing(app: App) -> Callable[[Path], Found | None]:
    """Return what finds out how the jobs of a workspace stand without opening it, where nothing has changed there."""
    from clawgit.cli.agents.kept_basis import STATE, kept_basis

    trust, is_now = app.trust_file, _goes_by_clock(app)

    def known(root: Path) -> Found | None:
        now = datetime.now(UTC)
        basis = kept_basis(root, trust, now) if is_now else None
        if basis is None:
            return None
        now = now.astimezone(basis.settings.time_zone)
        return Found(root, _standing_by(basis, root / STATE, now), zone=now.tzinfo)

    return known


def _goes_by_clock(app: App) -> bool:
    """Say whether the time is the clock's, and not that of a rehearsal."""
    return not (app.now_text or app.environment.get("CLAWGIT_NOW"))


def _standing_by(basis: Basis, state: Path, now: datetime) -> Standing:
    from clawgit.runner.runner_status import runner_status

    status = runner_status(basis.settings, basis.slots, state, now)
    return Standing(status, basis.records, basis.proposals)


def _standing_data(each: Found) -> dict[str, Any]:
    from clawgit.cli.agents.runner_output import runner_data
    from clawgit.cli.workspace.backup import backup_data

    data = {"workspace": str(each.root), "problem": each.problem}
    if each.what is None:
        return data
    more = {"proposals": each.what.proposals, **backup_data(each.what.records)}
    return data | runner_data(each.what.status) | more


def _standing_lines(each: Found) -> list[str]:
    from clawgit.cli.agents.runner_output import runner_lines
    from clawgit.cli.workspace.backup import backup_lines

    if each.what is None:
        return [str(each.root), f"! {each.problem}"]
    waiting = [f"? {each.what.proposals} proposal(s) need your approval (`clawgit status`)."]
    return [
        str(each.root),
        *runner_lines(each.what.status, each.zone),
        *(waiting if each.what.proposals else []),
        *backup_lines(each.what.records),
    ]


def _ran_data(each: Found) -> dict[str, Any]:
    return {
        "workspace": str(each.root),
        "slots": [slot_data(note) for note in each.what.notes] if each.what else [],
        "waits": each.what.waits if each.what else "",
        "problem": each.problem,
    }


def _ran_lines(each: Found) -> list[str]:
    notes = each.what.notes if each.what else ()
    return [f"{each.root}: {line}" for line in slot_lines(notes)]


def _troubles(each: Found) -> list[str]:
    waits = each.what.waits if each.what else ""
    return [f"{each.root}: {text}" for text in (each.problem, waits) if text]
