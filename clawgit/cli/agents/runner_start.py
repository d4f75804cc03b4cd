"""`clawgit runner start`: the resident runner in the foreground."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.agents.job_start import runner_for
from clawgit.cli.agents.runner_output import slot_data, slot_line
from clawgit.cli.app import App, Command, plain
from clawgit.errors import UsageError
from clawgit.operations.caller import bug_report
from clawgit.runner.resident_note import NAME
from clawgit.runner.resident_runner import Account, ResidentRunner, RunnerEvent
from clawgit.text.safety.control_characters import shown
from clawgit.text.safety.secrets import redact
from clawgit.workspace.user.workspace_registry import read_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from clawgit.history.git.repository import History
    from clawgit.runner.run_due_jobs import Runner

MOST_SAID = 10_000  # notices that are remembered, so that none is told at each look


jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Most workspaces at work at once; else each one's `jobs_at_once`.",
)


@click.command("start", cls=Command)
@jobs_option
@click.pass_obj
def start_command(app: App, jobs: int | None) -> None:
    """Do each job at its time until stopped.

    For each registered workspace, or only for that of -w.

    A line says what happens. The validator begins within a second of a message. After a start the other jobs wait
    a minute. One that works for longer than a minute gives its place to others. ^C or SIGTERM ends it: jobs at work have a minute, what did
    not end is done at the next start, and a second signal ends them at once. SIGHUP looks at every workspace now.

    \b
    Examples:
      clawgit runner start
      clawgit runner start -w ~/agent --json
    """
    if app.now_text or app.environment.get("CLAWGIT_NOW"):
        raise UsageError(
            "`runner start` goes by the clock, so it takes no time.",
            hint="`runner once --now TIME` rehearses.",
        )
    only = None if app.workspace is None else app.root()
    told = _told(app)
    runner = ResidentRunner(account_of(app, only, told), told=told, jobs_at_once=jobs)
    _heed_signals(runner)
    runner.work()


def account_of(app: App, only: Path | None, told: Callable[[RunnerEvent], None]) -> Account:
    """Return the user's workspaces, or ``only`` one, as a resident runner opens them; what opening one says is told once."""
    context = click.get_current_context()
    said: set[tuple[Path | None, str]] = set()

    class Quiet(App):
        """A run of the command line that says things as events, each once."""

        def say(self, text: str) -> None:
            at = None if self.workspace is None else Path(self.workspace)
            if len(said) > MOST_SAID:
                said.clear()
            if (at, text) not in said:
                said.add((at, text))
                told(RunnerEvent("notice", text, at))

    def open_workspace(root: Path) -> tuple[History, Runner]:
        own = Quiet(app.environment, app.words)
        own.take(workspace=str(root))
        with context.scope(cleanup=False):
            history = own.history(root)
        return history, runner_for(own, history)

    def workspaces() -> Sequence[Path]:
        if only is not None:
            return [only]
        registry = read_registry(app.registry_file)
        if registry.problem:
            quiet.say(registry.problem)
        else:
            known[:] = [each.root for each in registry.workspaces.values() if not each.is_shared]
        return known

    known: list[Path] = []  # as the registry had it when it was read well last
    quiet = Quiet(app.environment)
    return Account(workspaces, open_workspace, app.registry_file.with_name(NAME), bug_report)


def event_line(event: RunnerEvent) -> str:
    """Return an event on one line."""
    text = slot_line(event.note) if event.note is not None else event.text
    return f"{event.root}: {text}" if event.root is not None else text


def event_data(event: RunnerEvent) -> dict[str, Any]:
    slot = None if event.note is None else slot_data(event.note)
    return {"event": event.kind, "workspace": event.root, "text": event.text, "slot": slot}


def _told(app: App) -> Callable[[RunnerEvent], None]:
    def told(event: RunnerEvent) -> None:
        at = app.now()
        if app.as_json:
            click.echo(json.dumps({"at": at.isoformat(timespec="seconds"), **plain(event_data(event))}))
        else:
            click.echo(f"{at:%H:%M:%S} {shown(redact(event_line(event)), keep_newlines=False)}")

    return told


def _heed_signals(runner: ResidentRunner) -> None:
    def stop(_: int, __: FrameType | None) -> None:
        runner.stop()

    def look(_: int, __: FrameType | None) -> None:
        runner.look_at_all()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    signal.signal(signal.SIGHUP, look)
