"""`clawgit runner`: the jobs at their times."""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from clawgit.cli.agents import runner_output
from clawgit.cli.agents.job_start import runner_for
from clawgit.cli.app import App, command
from clawgit.cli.lazy_group import NamingGroup
from clawgit.cli.terminal import is_terminal
from clawgit.cli.workspace.backup import backup_data, backup_lines
from clawgit.errors import ClawgitError, ExitCode
from clawgit.history.git.refs import PROPOSALS
from clawgit.history.workspace_status import RecordsStatus, records_status
from clawgit.operations.caller import bug_report
from clawgit.operations.status import read_service
from clawgit.runner import installation
from clawgit.runner.run_due_jobs import JobsOutcome, RunnerStatus, read_runner_status, run_due_jobs
from clawgit.workspace.records.record_tables import SlotNote, SlotState
from clawgit.workspace.records.records import RECORDS, open_records
from clawgit.workspace.user.user_file import user_config_dir
from clawgit.workspace.user.workspace_registry import read_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import tzinfo

    from clawgit.history.git.repository import History

SYSTEMD, LAUNCHD, CRON = "systemd", "launchd", "cron"
_IS_SYSTEMD = Path("/run/systemd/system")
_NEXT = {
    SYSTEMD: (
        "`systemctl --user daemon-reload && systemctl --user enable --now clawgit.service` starts it.",
        "`loginctl enable-linger` lets it run while you are not logged in.",
    ),
    LAUNCHD: ("`launchctl load -w ~/Library/LaunchAgents/org.clawgit.service.plist` starts it.",),
}
_END = {
    "clawgit.service": "`systemctl --user daemon-reload && systemctl --user stop clawgit.service` ends it now.",
    "org.clawgit.service.plist": "`launchctl remove org.clawgit.service` ends it now.",
}
_REGISTERS = "`clawgit workspaces add NAME .` registers the one in this folder."
_PROGRAM = (sys.executable, "-P", "-m", "clawgit")
_KIND = click.Choice((SYSTEMD, LAUNCHD, CRON))


@command("install")
@click.option("--with", "kind", type=_KIND, help="What starts it; the default is what this machine has.")
@click.option("--http", "port", type=click.IntRange(1, 65535), metavar="PORT", help="Serve HTTP there, too.")
@click.option("--dry-run", is_flag=True, help="Show what would be written; change nothing.")
def install_command(app: App, kind: str | None, port: int | None, dry_run: bool) -> None:
    """Let the machine start the service.

    It is a unit of systemd of yours, or an agent of launchd; with cron, it prints the line for your crontab that does the jobs every
    five minutes. Nothing is started: what is said at the end starts it. The workspaces are those that
    `clawgit workspaces add` named.

    \b
    Examples:
      clawgit runner install --dry-run
      clawgit runner install --with cron
    """
    app.only_operator("install the runner")
    chosen = kind or _kind_here()
    once = [*_PROGRAM, "runner", "once", "--all"]
    if chosen == CRON:
        line = installation.crontab_line(once)
        app.report({"crontab": line}, lambda: [line])
        app.say(
            "Add this line yourself: `crontab -e`. Edits want another one, with `clawgit -w FOLDER keep`."
        )
        with suppress(ClawgitError):  # in no workspace
            if read_registry(app.registry_file).at(app.root()) is None:
                app.say(f"This workspace is not registered, so the line does nothing in it. {_REGISTERS}")
        return
    config = user_config_dir(app.environment, Path.home()).parent
    up = [*_PROGRAM, "up", *(["--http", str(port)] if port else [])]
    unit = installation.service_unit(chosen, up, config, Path.home())
    if dry_run:
        installation.refuse_foreign([unit.path])
        lines = [f"{unit.path}:", *unit.text.splitlines(), ""]
        app.report({"files": {str(unit.path): unit.text}}, lambda: lines)
        return
    if installation.install_unit(unit):
        app.report({"files": [str(unit.path)]}, lambda: [f"Wrote {unit.path}"])
    else:
        app.report({"files": []}, lambda: ["It is installed already."])
    app.say_each(_NEXT[chosen])


@command("uninstall")
@click.option("--dry-run", is_flag=True, help="Say what would be removed; change nothing.")
def uninstall_command(app: App, dry_run: bool) -> None:
    """Remove what `runner install` wrote.

    It refuses a file that was edited since.

    \b
    Examples:
      clawgit runner uninstall --dry-run
      clawgit runner uninstall
    """
    app.only_operator("uninstall the runner")
    verb = "Would remove"
    config = user_config_dir(app.environment, Path.home()).parent
    gone = [path for path in installation.unit_paths(config, Path.home()) if path.exists()]
    installation.refuse_foreign(gone)
    if not dry_run:
        verb = "Removed"
        installation.uninstall_units(gone)
    lines = [f"{verb} {each}" for each in gone] or ["The runner was not installed."]
    app.report({"removed": gone, "dry_run": dry_run}, lambda: lines)
    for path in gone:
        if path.name in _END and not dry_run:
            app.say(_END[path.name])


def _kind_here() -> str:
    if sys.platform == "darwin":
        return LAUNCHD
    if _IS_SYSTEMD.is_dir():
        return SYSTEMD
    if shutil.which("crontab"):
        return CRON
    sentence = "This machine has neither systemd nor crontab, so nothing can be installed."
    raise ClawgitError(sentence, hint="Have something call `clawgit runner once --all` every few minutes.")


class WorkspaceAnswer(NamedTuple):
    """The result for one workspace, or the problem with it."""

    root: Path
    what: Any = None
    problem: str = ""
    zone: tzinfo | None = None


@click.group("runner", cls=NamingGroup)
def runner_group() -> None:
    """Run the agents' jobs at their times."""


runner_group.add_command(install_command)
runner_group.add_command(uninstall_command)


@command("start", runner_group)
def start_command(app: App) -> None:
    """Run the service, as `clawgit up` does.

    \b
    Examples:
      clawgit runner start
      clawgit -w ~/agent runner start
    """
    from clawgit.cli.service.up import up_command

    click.get_current_context().invoke(up_command, path=None, port=None)


@command("once", runner_group)
@click.option("--all", "every", is_flag=True, help="In every workspace that is registered.")
def once_command(app: App, every: bool) -> None:
    """Do the jobs that are due, and exit.

    For a timer or cron that calls it every few minutes.

    A job runs once for its date, whatever is moved or killed. One that fails is tried three times, after 1 and 5 minutes.
    After a downtime the newest date of each job runs, within `max_lateness_hours`.

    \b
    Examples:
      clawgit runner once
      clawgit runner once --all --json
    """

    def done(own: App, history: History) -> JobsOutcome:
        return run_due_jobs(history, runner_for(own, history)._replace(told=_say_begun))

    answers = for_each(app, _roots(app, every=every), done)
    rows = []
    lines = []
    for each in answers:
        slots = []
        waits = ""
        if each.what:
            slots = [runner_output.slot_data(note) for note in each.what.notes]
            whose = ""
            if every:
                whose = f"{each.root}: "
            lines += [whose + line for line in runner_output.slot_lines(each.what.notes)]
            waits = each.what.waits
        rows.append({"workspace": each.root, "slots": slots, "waits": waits, "problem": each.problem})
        for text in filter(None, (each.problem, waits)):
            app.say(f"{each.root}: {text}")
    if answers and not lines and not any(each.problem for each in answers):
        lines.append("There was nothing to do.")
    app.report(rows, lambda: lines)
    if answers and all(each.problem for each in answers):
        app.exit_code = ExitCode.REFUSED


def _say_begun(note: SlotNote) -> None:
    if note.state is SlotState.STARTED and is_terminal(sys.stderr):
        click.echo(f"{note.job} …", err=True)


def _roots(app: App, *, every: bool) -> list[Path]:
    if not every:
        return [app.root()]
    registry = read_registry(app.registry_file)
    if registry.problem:
        app.say(registry.problem)
    roots = [each.root for each in registry.workspaces.values() if not each.is_shared]
    if not roots:
        app.say(f"No workspace is registered, so nothing is done. {_REGISTERS}")
        app.exit_code = ExitCode.REFUSED
    return roots


def for_each(app: App, roots: Sequence[Path], work: Callable[[App, History], Any]) -> list[WorkspaceAnswer]:
    """Do the same in each workspace; an unreadable workspace or a bug does not stop the others."""
    answers = []
    for root in roots:
        own = App(app.environment, app.words)
        own.take(workspace=str(root), now=app.now_text, rehearse=app.rehearse)
        try:
            history = own.history(root)
            answer = WorkspaceAnswer(root, work(own, history), zone=own.now(history).tzinfo)
        except (ClawgitError, OSError) as error:
            answer = WorkspaceAnswer(root, problem=str(error))
        except Exception as error:  # noqa: BLE001 - the boundary around one workspace of many
            app.met_bug = True
            answer = WorkspaceAnswer(root, problem=bug_report(error))
        answers.append(answer)
    return answers


@command("status", runner_group)
@click.option("--all", "every", is_flag=True, help="Of every workspace that is registered.")
def status_command(app: App, every: bool) -> None:
    """Show each job's last run and next time.

    Names failures and pending work. Exits with 1 if a job needs a person.

    A person is needed where a job failed three times or is late by more than two of its intervals, where a workspace cannot
    be read, where `--all` finds none, or where `clawgit up` is there and does not go on.

    \b
    Examples:
      clawgit runner status
      clawgit runner status --all --json
    """
    _, service = read_service(app)
    if service is not None and not service.process:  # it is just about to say so
        service = None
    now = app.now()
    answers = for_each(app, _roots(app, every=every), _standing)
    needs_person = any(each.problem or each.what[0].troubles for each in answers)
    if needs_person or runner_output.has_stopped(service, now):
        app.exit_code = ExitCode.REFUSED
    rows = []
    lines = runner_output.resident_lines(service, now)
    for each in answers:
        row = {"workspace": each.root, "problem": each.problem}
        lines.append(str(each.root))
        if each.what is None:
            lines.append(f"! {each.problem}")
        else:
            status, records, proposals = each.what
            row |= runner_output.runner_data(status) | {"proposals": proposals, **backup_data(records)}
            lines += [*runner_output.runner_lines(status, each.zone), *backup_lines(records)]
        rows.append(row | {"resident": runner_output.resident_status(service, now)})
    app.report(rows, lambda: lines)


def _standing(app: App, history: History) -> tuple[RunnerStatus, RecordsStatus, int]:
    now = app.now(history)
    with open_records(history.state / RECORDS, now) as records:
        status = records_status(records, now)
    is_registered = read_registry(app.registry_file).at(history.root) is not None
    jobs = read_runner_status(history, now, is_registered=is_registered)
    return jobs, status, len(history.refs(PROPOSALS))
