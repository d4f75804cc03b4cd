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
from clawgit.errors import ExitCode
from clawgit.history.authorship.actors import HOST, RUNNER, UNKNOWN
from clawgit.history.authorship.host_signs import ACTOR_VARIABLE
from clawgit.history.review.keep import keep
from clawgit.operations.caller import bug_report
from clawgit.runner.resident_runner import Account, ResidentRunner, RunnerEvent
from clawgit.service.caretaker import Care, ReconcileOutcome
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
    problem = ""

    def workspaces() -> list[Path]:
        nonlocal problem
        registered = read_registry(registry)
        problem = registered.problem
        if not problem:
            registered_roots[:] = [each.root for each in registered.workspaces.values()]
        return list(dict.fromkeys([*registered_roots, *given]))

    def list_problem() -> str:
        if problem:
            return f"{problem} Until then those that were known are looked after."
        return ""

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
        care=Care(workspaces, list_problem, lambda root: reconcile_quiet(root, environment)),
        runner=lambda tell: resident_runner(App(environment), workspaces, tell),
        connection=connected,
        http_port=http_port,
        page=served_by(environment, registry, given),
        worker=WORKER,
    )


def resident_runner(
    app: App, workspaces: Callable[[], Sequence[Path]], tell: Callable[[Event], None]
) -> ResidentRunner:
    """Return the runner of those workspaces; remarks at opening one are reported once."""
    context = click.Context(cli, info_name="service", obj=app)
    notices: set[tuple[Path, str]] = set()

    def report(event: RunnerEvent) -> None:
        begins = event.note is not None and event.note.state is SlotState.BEFORE
        if begins or event.kind in ("start", "stop"):
            return  # the service says so of itself; of a job's first look nothing came
        text = slot_line(event.note) if event.note is not None else event.text
        tell(Event(f"runner-{event.kind}", text, "" if event.root is None else str(event.root)))

    class Quiet(App):
        """An `App` whose remarks become events, each once."""

        def say(self, text: str) -> None:
            root = Path(self.workspace or "")
            if len(notices) > MOST_NOTICES:
                notices.clear()
            if (root, text) not in notices:
                notices.add((root, text))
                report(RunnerEvent("notice", text, root))

    def open_workspace(root: Path) -> tuple[History, Runner]:
        own = Quiet(app.environment, app.words)
        own.take(workspace=str(root))
        with context.scope(cleanup=False):
            history = own.history(root)
        return history, runner_for(own, history)

    return ResidentRunner(Account(workspaces, open_workspace, bug_report), tell=report)


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


def reconcile_quiet(root: Path, environment: Mapping[str, str]) -> ReconcileOutcome:
    """Keep the edits of a quiet workspace, catch up with its history, and check CONFIG.md."""
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
    return ReconcileOutcome(outcome.paths, tuple(dict.fromkeys([*notes, *caller.notes])))


def main(waiting: int) -> None:
    """Be the command process that replaces the service's fork; its pipe is open."""
    os.set_inheritable(waiting, False)
    folder = Path(service_folder(os.environ))
    warm_up(folder, service_methods.plain_environment(os.environ))
    be_worker(folder, waiting, run_here)


if __name__ == "__main__":
    main(int(sys.argv[1]))
