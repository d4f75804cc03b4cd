"""The changes of a connection in the workspace: git's hooks, and commits that record it."""

from __future__ import annotations

import sys
from operator import itemgetter
from typing import TYPE_CHECKING

from clawgit.cli.app import picked
from clawgit.cli.workspace.hooks import trust_hooks
from clawgit.clients.connect import TITLES, HostFileChange
from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import MINE
from clawgit.history.hooks import install
from clawgit.history.operator_records import record_connected
from clawgit.operations.host_ledger import HostLedger, read_host_ledger
from clawgit.workspace.user import connections

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clawgit.cli.app import App

NO_HOOKS = (
    "git's hooks are not installed, so every `git commit` here counts as unknown until you say "
    "`clawgit keep --as operator COMMIT`; `clawgit hooks install` ends that."
)

NOT_MINE = "`edits_here: mine` has no effect while your agent is connected: claim an edit of yours with `clawgit keep` at a terminal, or `clawgit keep --as operator`."


def refuse_other(root: Path, there: connections.Connection | None) -> None:
    if there is not None and there.workspace != root:
        sentence = f"{TITLES[there.host]} uses {there.workspace}."
        raise ClawgitError(sentence, hint=f"`clawgit disconnect {there.name}` ends that first.")


def say_changes(app: App, changes: Sequence[HostFileChange], *, dry_run: bool) -> None:
    """Name the changed files; in a rehearsal, also their new lines."""
    word, say = "Changed", app.say
    if dry_run:
        word, say = "Would change", app.say_plan
    for change in changes:
        if change.is_one:
            gone = "  (the file goes: nothing else is in it)" if change.new is None else ""
            made = "  (a new file)" if change.old is None else ""
            say(f"{word} {change.file}{made}{gone}")
            if dry_run:
                for line in change.lines:
                    say(f"  {line}")
    if changes and not any(change.is_one for change in changes):
        say("Your agent's files are as they should be; nothing was changed in them.")


def report(app: App, host: str, changes: Sequence[HostFileChange], *, dry_run: bool, **more: object) -> None:
    made = [picked(each, "file lines") for each in changes if each.is_one]
    files = list(map(itemgetter("file"), made))
    app.report({"host": host, "files": files, "changes": made, "dry_run": dry_run, **more})


def say_left_out(app: App, root: Path, *, leaving: bool = False) -> None:
    ledger = read_host_ledger(app, app.unconfigured(root))
    way_out = ledger.way_out
    if leaving:
        way_out = HostLedger().way_out
    for sentence in ledger.sentences:
        app.say(f"{sentence} {way_out}")


def join(app: App, connection: connections.Connection, *, hooks: bool) -> None:
    """Record the connection in the workspace, and install git's hooks, which tell the host's commits from the operator's."""
    history = app.history(connection.workspace)
    record_connected(history, connection.name, app.intent(history))
    if history.settings.edits_here == MINE:
        app.say(NOT_MINE)
    if not hooks:
        app.say(NO_HOOKS)
        return
    try:
        done = install.install_hooks(history, sys.executable, by_connect=True)
    except install.HooksPathError as error:
        app.say(f"{error} {NO_HOOKS}")
        return
    trust_hooks(app, history)
    app.say_each(done.notes)
    if done.done:
        app.say(f"Installed git's hooks in {done.done[0].parent}: they tell your agent's commits from yours.")


def say_hooks(app: App, root: Path) -> None:
    app.say_plan(f"Would install git's hooks in {root}; --no-hooks leaves them out.")


def part(app: App, connection: connections.Connection) -> None:
    """Record the disconnection; git's hooks go with the last connection, if `connect` installed them."""
    try:
        history = app.history(connection.workspace)
        record_connected(history, connection.name, app.intent(history), leaves=True)
    except ClawgitError as error:
        app.say(f"The history of {connection.workspace} does not say that {connection.name} left: {error}")
        return
    every = connections.read_connections(connections.connections_folder(app.registry_file.parent))
    is_last = all(each.workspace != connection.workspace or each.name == connection.name for each in every)
    if is_last and install.were_brought_by_connect(history):
        app.say_each(install.uninstall_hooks(history).notes)
        app.say(f"Took git's hooks out of {connection.workspace}.")
