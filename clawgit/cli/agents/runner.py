"""`clawgit runner`: the jobs at their times."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from clawgit.cli.app import App, Command
from clawgit.cli.crash_report import bug_report
from clawgit.errors import ClawgitError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import tzinfo
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.runner.run_due_jobs import Ran, Runner
    from clawgit.workspace.records.job_slots import SlotNote

MORE_SECONDS = 30  # that a job whose runner was killed has before it ends by itself


class Found(NamedTuple):
    """What was found out about one workspace, or why nothing was."""

    root: Path
    what: Any = None
    problem: str = ""
    zone: tzinfo | None = None


@click.group("runner")
def runner_group() -> None:
    """Do the agents' jobs at their times, and say how they went."""


@runner_group.command("once", cls=Command)
@click.option("--all", "every", is_flag=True, help="In every workspace that is registered.")
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=2, show_default=True, help="Most workspaces at work at once."
)
@click.pass_obj
def once_command(app: App, every: bool, jobs: int) -> None:
    """Do what is due now, and exit: for a timer or cron that calls it every few minutes.

    Each job is a process of its own with limits on time, memory and output. A slot is a job's date: it runs once,
    whatever is moved or killed. One that fails is tried three times, after 1 and 5 minutes. After a downtime the newest
    slot of each job runs and the older ones are noted as skipped; nothing runs later than `max_lateness_hours`.

    \b
    Examples:
      clawgit runner once
      clawgit runner once --all --json
    """
    found = for_each(app, _roots(app, every=every), _done, jobs=jobs)
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
    app: App, roots: Sequence[Path], work: Callable[[App, History], Any], *, jobs: int = 1
) -> list[Found]:
    """Do the same in each workspace; one that cannot be read, or a bug met there, hurts no other."""
    context = click.get_current_context()

    def one(root: Path) -> Found:
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

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        return list(pool.map(one, roots))


def _done(app: App, history: History) -> Ran:
    from clawgit.runner.run_due_jobs import run_due_jobs

    return run_due_jobs(history, runner_for(app, history))


def runner_for(app: App, history: History) -> Runner:
    """Return what does the jobs of a workspace: each is this program, as the agent that it is for."""
    from clawgit.cli.agents.job_start import job_arguments
    from clawgit.history.authorship.actors import UNKNOWN
    from clawgit.history.authorship.host_signs import ACTOR_VARIABLE
    from clawgit.runner.job_process import Limits
    from clawgit.runner.run_due_jobs import Runner
    from clawgit.workspace.layout import AGENT_NAMES

    limits = Limits()
    most = limits.seconds + limits.grace + MORE_SECONDS

    def start(job: str, words: Sequence[str], held: int) -> tuple[Sequence[str], Mapping[str, str]]:
        environment = {**os.environ, **app.environment}
        environment[ACTOR_VARIABLE] = job if job in AGENT_NAMES else UNKNOWN
        told = app.now_text or environment.get("CLAWGIT_NOW")
        environment |= {"CLAWGIT_NOW": told} if told else {}
        environment |= {"CLAWGIT_REHEARSE": "1"} if app.rehearse else {}
        return [*job_arguments(held, most), "-w", str(history.root), *words], environment

    return Runner(lambda: app.now(history), start, limits)


def slot_data(note: SlotNote) -> dict[str, Any]:
    """Return a slot as other programs read it."""
    return {
        "job": note.job,
        "slot": note.day.isoformat(),
        "state": note.state.value,
        "attempt": note.attempt,
        "due": note.due.isoformat(),
        "started": note.started.isoformat(),
        "ended": None if note.ended is None else note.ended.isoformat(),
        "outcome": note.outcome,
        "reason": note.reason,
    }


def _ran_data(each: Found) -> dict[str, Any]:
    notes, waits = each.what or ((), "")
    return {
        "workspace": str(each.root),
        "slots": [slot_data(note) for note in notes],
        "waits": waits,
        "problem": each.problem,
    }


def _ran_lines(each: Found) -> list[str]:
    notes = each.what.notes if each.what else ()
    return [f"{each.root}: {slot_line(note)}" for note in notes]


def slot_line(note: SlotNote) -> str:
    """Return a slot on one line."""
    tried = f", attempt {note.attempt}" if note.attempt > 1 else ""
    outcome = note.outcome or note.state.value
    return f"{note.job} {note.day}: {outcome}{tried}" + (f" ({note.reason})" if note.reason else "")


def _troubles(each: Found) -> list[str]:
    waits = each.what.waits if each.what else ""
    return [f"{each.root}: {text}" for text in (each.problem, waits) if text]
