"""`clawgit doctor`."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.capture.messages.message import MessageQuery, is_his
from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.cli.app import App, change_data, command, commit_lines, picked
from clawgit.cli.terminal import progress
from clawgit.cli.workspace.status import adopted_lines, arrival_line
from clawgit.client import service_folder
from clawgit.clients.connect import OPENCLAW, put_aside, wrong_with
from clawgit.clients.openclaw import job_left
from clawgit.errors import ClawgitError, Complaint, ExitCode, UsageError
from clawgit.history.authorship.actors import connected_hosts
from clawgit.history.doctor.doctor import examine
from clawgit.history.reconcile import accept_commit
from clawgit.history.review.arrivals import read_arrivals
from clawgit.history.workspace_status import read_status
from clawgit.operations.caller import AT_LENGTH
from clawgit.operations.changes import finding_lines, say_change
from clawgit.operations.host_ledger import lift_demoted, preview_lines, read_host_ledger
from clawgit.operations.status import adopted_files, read_standing
from clawgit.operations.wiring.model_wiring import about_models
from clawgit.operations.wiring.open_settings import bring_into_force
from clawgit.operations.wiring.vector_wiring import enhanced_vectors
from clawgit.recall.vector_search import missing_for_vectors
from clawgit.workspace.user.connections import connections_folder, read_connections
from clawgit.workspace.user.openclaw_ledger import Demoted, openclaw_state
from clawgit.workspace.user.trusted_settings import read_known

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from clawgit.history.git.repository import History

LAST_MESSAGES = 20
FEW_MESSAGES = 3  # a stranger or two may write to an agent before its operator does


@command("doctor")
@click.option("--fix", is_flag=True, help="Repair what can be repaired without losing anything.")
@click.option("--yes", is_flag=True, help="With --fix: have OpenClaw show files again that it leaves out.")
@click.option("--accept", metavar="COMMIT", help="What was found in COMMIT is meant so; needs --reason.")
@click.option("--reason", default="", help="Why COMMIT is meant so; goes into the history.")
def doctor_command(app: App, fix: bool, yes: bool, accept: str | None, reason: str) -> None:
    """Find problems and say how to fix them.

    Exits with 1 if it finds one.

    \b
    Examples:
      clawgit doctor
      clawgit doctor --fix
      clawgit doctor --fix --yes
      clawgit doctor --accept 1a2b3c4 --reason "The markers are a quotation."
    """
    if accept is not None:
        app.only_operator("accept what was found")
        if not reason.strip():
            raise UsageError("Why is it meant so?", hint="Say it with --reason.")
        history = app.history()
        done = accept_commit(history, accept, reason, app.intent(history))
        say_change(app, done, f"Accepted: what was found in {accept}.")
        app.report(change_data(done), lambda: commit_lines(done.commit_id))
        return
    problems = _examine(app, fix=fix)
    problems = [*problems, *_about_ledger(app, fix=fix, yes=yes)]
    all_well = "Everything is in order."
    with suppress(ClawgitError, OSError):  # what is damaged is among the problems
        history = app.history()
        status = read_status(history, app.now(history))
        app.say_each(adopted_lines(adopted_files(history, status.unclaimed)))
        findings = status.held
        for line in finding_lines(findings, len(findings)):
            app.say(line)
            all_well = "Nothing is wrong. What is left out of commits is named above."
    lines = []
    for item in problems:
        if not item.mended:
            app.exit_code = ExitCode.REFUSED
        lines.append(f"{'mended' if item.mended else 'wrong '}  {item.what} {item.way_out}")
    app.report([picked(item, "what way_out mended check") for item in problems], lambda: lines or [all_well])


def _examine(app: App, *, fix: bool) -> list[Complaint]:
    history = app.unconfigured()
    trusted = read_known(app.trust_file.parent, history.folder)
    try:
        bring_into_force(history, app.trust_file)
        app.catch_up(history, seconds=AT_LENGTH)
    except (ClawgitError, OSError) as error:
        app.say(f"The settings in force could not be read: {error}")
    arrivals = read_arrivals(history)
    with progress("Examining") as tell:
        problems = list(examine(history, fix=fix, trusted=trusted, tell=tell))
        vectors = None
        with suppress(ClawgitError):
            vectors = enhanced_vectors(app, app.history())
        if vectors is not None:
            problems += missing_for_vectors(vectors)
        with suppress(ClawgitError):
            opened = app.history()
            try:
                problems += _about_senders(opened, app.now(opened))
            except ClawgitError as error:
                if opened.settings.messages_url:  # what is wrong with the own file is among the others
                    problems.append(Complaint("messages", error.message, error.hint))
        problems += about_models(app)
        problems += [Complaint("arrivals", arrival_line(item), "") for item in arrivals.lasting]
        problems += _about_connections(app, history)
        folder = service_folder(app.environment)
        standing = read_standing(Path(folder)) if folder else None
        if standing is not None and standing.worker:
            way_out = "If this stays: `clawgit logs`, then `clawgit down` and `up`."
            problems.append(Complaint("service", standing.worker, way_out))
    return problems


def _about_senders(history: History, now: datetime) -> Iterator[Complaint]:
    """Yield a complaint if none of the last user messages counts as the operator's, and `operator_ids` is empty."""
    if not has_messages(history):
        return
    with open_messages(history, now) as store:
        sent = store.log(MessageQuery(role="user", limit=LAST_MESSAGES))
    if history.settings.operator_ids or len(sent) < FEW_MESSAGES or any(is_his(each) for each in sent):
        return
    channel = sent[-1].channel
    sender = sent[-1].sender or "SENDER"
    yield Complaint(
        "messages",
        f"None of the last {len(sent)} messages counts as yours, so none is kept or corrects anything.",
        f"If you wrote them: `clawgit config set operator_ids {channel}:{sender}`; Claude Code and Codex say it"
        " themselves where a person types (docs/hosts.md).",
    )


def _about_connections(app: App, history: History) -> Iterator[Complaint]:
    folder = connections_folder(app.registry_file.parent)
    mine = [each for each in read_connections(folder) if each.workspace == history.root]
    if not mine:
        return
    state = Path(service_folder(app.environment) or os.devnull)
    for what, way_out in put_aside(state, openclaw_state(app.environment, Path.home())):
        yield Complaint("undelivered", what, way_out)
    hosts = connected_hosts(history)
    for each in mine:
        wrong = wrong_with(folder, each)
        if each.name not in hosts:
            sentence = f"The history does not say that {each.name} is connected, so its own `git commit` may count as yours."
            wrong.append((sentence, f"`clawgit connect {each.host}` puts it right."))
        if each.host == OPENCLAW:
            wrong += job_left(app.environment, Path.home())
        for what, way_out in wrong:
            yield Complaint(f"connection {each.name}", what, way_out)


def _about_ledger(app: App, *, fix: bool, yes: bool) -> list[Complaint]:
    """Return the memory files that OpenClaw leaves out of its prompt; with ``fix`` and a yes it shows them again."""
    history = app.unconfigured()
    ledger = read_host_ledger(app, history)
    if fix and ledger.demoted and _may_lift(app, history, ledger.demoted, yes=yes):
        mended = []
        for path in lift_demoted(app, ledger.demoted):
            mended.append(Complaint("ledger", f"OpenClaw shows {path} to your agent again.", "", mended=True))
        return mended
    problems = []
    if ledger.problem:
        problems.append(Complaint("ledger", ledger.problem, "Try again when its Gateway has ended."))
    for sentence in ledger.sentences:
        if ledger.is_replaced:
            app.say(f"{sentence} {ledger.way_out}")
        else:
            problems.append(Complaint("ledger", sentence, ledger.way_out))
    return problems


def _may_lift(app: App, history: History, demoted: Sequence[Demoted], *, yes: bool) -> bool:
    app.say("These files would be taken out of OpenClaw's ledger, so that it shows them to your agent again:")
    for each in demoted:
        app.say_each(preview_lines(history, each, app.now(history)))
    if not yes and not app.asks("Have OpenClaw show them again?"):
        app.say("Nothing was changed in OpenClaw. `clawgit doctor --fix --yes` does it.")
        return False
    app.only_operator("have OpenClaw show files again")
    return True
