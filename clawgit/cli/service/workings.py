"""The parts of the service from the command line: commands, methods, and work in a workspace."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from clawgit.cli.agents.job_start import runner_for
from clawgit.cli.agents.runner_output import slot_line
from clawgit.cli.app import App
from clawgit.cli.chat.triage_start import start_triage
from clawgit.cli.main import cli, run
from clawgit.cli.service import methods as service_methods
from clawgit.cli.service.host_events import BEGIN, EVENT, HostEvents
from clawgit.cli.service.page_operations import served_by
from clawgit.client import service_folder
from clawgit.errors import ClawgitError, ExitCode
from clawgit.history.authorship.actors import HOST, RUNNER, UNKNOWN
from clawgit.history.authorship.host_signs import ACTOR_VARIABLE
from clawgit.history.review.keep import keep
from clawgit.operations.caller import bug_report
from clawgit.runner.resident_runner import Account, ResidentRunner, RunnerEvent, Times
from clawgit.service.command_server import be_worker
from clawgit.service.daemon import Workings
from clawgit.service.requests import Method
from clawgit.service.service_log import Event
from clawgit.workspace.records.record_tables import SlotState
from clawgit.workspace.safe_files import read_file
from clawgit.workspace.settings.config_file import read_config
from clawgit.workspace.user.connections import Connection, connection_of, connections_folder
from clawgit.workspace.user.workspace_registry import read_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.runner.run_due_jobs import Runner


MOST_NOTICES = 10_000  # remembered, so that each is reported once
WORKER = (sys.executable, "-P", "-m", __name__)
_WARM, _VALIDATOR, _MINER = "warm-", "recall-validator", "memory-miner"
_WARMING = (  # each loads what commands like it need
    ("init",),
    ("chat", "add", "Don't forget: rent is due on the 1st."),
    ("chat", "add", "No, rent is due on the 2nd.", "--json"),
    ("memory", "add", "Rent is due on the 1st."),
    ("memory", "search", "when is rent due", "--json"),
    ("memory", "search", "rnet"),
    ("memory", "get", "MEMORY.md"),
    ("context", "--query", "when is rent due", "--json"),
    ("triage", "Don't forget: rent is due on the 1st."),
    ("triage", "--json", "No, it's Thursday."),
    ("status",),
    ("status", "--json"),
    ("run", _VALIDATOR),
    ("run", _MINER),
)


def service_workings(app: App, given: Sequence[Path], http_port: int | None) -> Workings:
    """Return the parts of this account's service; ``given`` are further workspaces beside the registered ones."""
    environment = service_methods.plain_environment(app.environment)
    registry = app.registry_file
    connections = connections_folder(registry.parent)
    state = Path(service_folder(app.environment))
    answered = service_methods.methods(environment)
    registered_roots: list[Path] = []  # as the registry had them when it was read well last

    def workspaces() -> tuple[list[Path], str]:
        registered = read_registry(registry)
        problem = registered.problem
        if problem:
            problem += " Until then those that were known are looked after."
        else:
            registered_roots[:] = [each.root for each in registered.workspaces.values()]
        return list(dict.fromkeys([*registered_roots, *given])), problem

    def connected(token: str) -> Connection | None:
        return connection_of(connections, token)

    events = HostEvents(
        answered, service_methods.context_for_hooks(environment), connections, state, connected
    )
    of_hosts = {EVENT: Method(events.answer, writes=True), BEGIN: Method(events.begin)}
    for name in ("memory.add", "correct", "propose"):
        of_hosts[name] = answered[name]._replace(answer=events.in_turn(answered[name].answer))
    return Workings(
        run=run_here,
        methods={**answered, **of_hosts},
        workspace=partial(service_methods.find_workspace_named, registry),
        warm_up=lambda folder: warm_up(folder, environment),
        runner=partial(resident_runner, App(environment), workspaces),
        connection=connected,
        http_port=http_port,
        page=served_by(environment, registry, given),
        worker=WORKER,
    )


class _Reports:
    """The runner's events for the service's log; the same remark about a workspace is reported once."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self._tell = tell
        self._remarks: set[RunnerEvent] = set()

    def report(self, event: RunnerEvent) -> None:
        kind, text = event.kind, event.text
        if event.note is not None:
            if event.note.state is SlotState.BEFORE:
                return  # of a job's first look nothing came
            text = slot_line(event.note)
        if kind in ("job", "notice"):
            kind = f"runner-{kind}"
        self._tell(Event(kind, text, "" if event.root is None else str(event.root)))

    def remark(self, remark: RunnerEvent) -> None:
        if len(self._remarks) > MOST_NOTICES:
            self._remarks.clear()
        if remark not in self._remarks:
            self._remarks.add(remark)
            self.report(remark)


class _Quiet(App):
    """An `App` whose remarks are reported."""

    def __init__(self, app: App, root: Path, reports: _Reports) -> None:
        super().__init__(app.environment, app.words)
        self.take(workspace=str(root))
        self._root, self._reports = root, reports

    def say(self, text: str) -> None:
        self._reports.remark(RunnerEvent("notice", text, self._root))


def resident_runner(
    app: App,
    workspaces: Callable[[], tuple[Sequence[Path], str]],
    tell: Callable[[Event], None],
    times: Times | None = None,
) -> ResidentRunner:
    context = click.Context(cli, info_name="service", obj=app)
    reports = _Reports(tell)

    def open_workspace(root: Path) -> tuple[History, Runner]:
        own = _Quiet(app, root, reports)
        with context.scope(cleanup=False):
            history = own.history(root)
        return history, runner_for(own, history)

    def keep_quiet(root: Path) -> None:
        paths: tuple[str, ...] = ()
        try:
            paths, notes = reconcile_quiet(root, app.environment)
        except ClawgitError as error:
            notes = [str(error)]
        if paths:
            text = f"edits by an unknown author were committed: {', '.join(paths)}."
            reports.report(RunnerEvent("kept", text, root))
        for note in notes:
            reports.remark(RunnerEvent("note", note, root))

    return ResidentRunner(
        Account(workspaces, open_workspace, keep_quiet, bug_report), tell=reports.report, times=times
    )


def run_here(words: Sequence[str], environment: Mapping[str, str]) -> int:
    status = start_triage(words, environment) if "triage" in words else None
    if status is None:
        return run(words, dict(environment))
    return status


def warm_up(folder: Path, environment: Mapping[str, str]) -> None:
    """Do each command once in a temporary workspace: the modules that it loads are loaded for all."""
    for left in folder.glob(f"{_WARM}*"):  # of a service that was ended while it did this
        shutil.rmtree(left, ignore_errors=True)
    with (
        TemporaryDirectory(dir=folder, prefix=_WARM) as room,
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
    ):
        own = {**environment, "CLAWGIT_WORKSPACE": str(Path(room) / "workspace")}
        with redirect_stdout(nowhere), redirect_stderr(nowhere):
            for words in _WARMING:
                actor = words[-1] if words[0] == "run" else HOST
                if run_here(words, {**own, ACTOR_VARIABLE: actor}) == ExitCode.INTERRUPTED:
                    raise KeyboardInterrupt


def reconcile_quiet(root: Path, environment: Mapping[str, str]) -> tuple[tuple[str, ...], list[str]]:
    """Keep the edits of a quiet workspace, catch up with its history, and check CONFIG.md; return the paths and remarks."""
    caller = service_methods.caller_for(environment, RUNNER, workspace=str(root), holder="service")
    history = caller.history(root)
    outcome = keep(history, caller.intent(history, kind="keep", actor=UNKNOWN))
    caller.note_tip(history)
    caller.settle()
    config = read_file(root, "CONFIG.md", at_most=history.settings.max_file_bytes)
    notes = []
    for problem in read_config("" if config is None else config.data.decode("utf-8", "replace")).errors:
        notes.append(f"{problem} The last good value stays in force.")
    for finding in outcome.held:
        notes.append(f"{finding.sentence} {finding.way_out}")
    return outcome.paths, [*notes, *caller.notes]


def main(waiting: int) -> None:
    """Be the command process that replaces the service's fork; its pipe is open."""
    os.set_inheritable(waiting, False)
    folder = Path(service_folder(os.environ))
    warm_up(folder, service_methods.plain_environment(os.environ))
    be_worker(folder, waiting, run_here)


if __name__ == "__main__":
    main(int(sys.argv[1]))
