"""`clawgit hooks`: git's own hooks, which check a plain `git commit` before it is made."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from clawgit.cli.app import App, command, picked
from clawgit.cli.lazy_group import NamingGroup
from clawgit.errors import ExitCode
from clawgit.history.authorship.actors import unnamed_lines
from clawgit.history.doctor.risky_git_config import strange_things
from clawgit.history.hooks import install
from clawgit.workspace.user.trusted_settings import read_known, trust_known

if TYPE_CHECKING:
    from clawgit.history.git.repository import History


@click.group("hooks", cls=NamingGroup)
def hooks_group() -> None:
    """Install or remove clawgit's git hooks."""


@command("install", hooks_group)
def install_command(app: App) -> None:
    """Let git call clawgit on commit, merge and push.

    Hooks that are already there still run.

    A hook of yours is renamed to NAME.before-clawgit and run first, with the same arguments. Where clawgit cannot
    run, git goes on without it.

    \b
    Example:
      clawgit hooks install
    """
    app.only_operator("install hooks")
    history = app.unconfigured()
    done = install.install_hooks(history, sys.executable)
    app.say_each(unnamed_lines(history))
    trust_hooks(app, history)
    _report_change(app, done, "installed", "They are installed already.")


def trust_hooks(app: App, history: History) -> None:
    """Vouch for the Python and the existing hooks: who installs beside them wants them to run."""
    folder = app.trust_file.parent
    trusted = read_known(folder, history.folder)
    new = {thing.digest for thing in strange_things(history) if thing.kind != "setting"}
    trust_known(folder, history.folder, trusted | new)


@command("uninstall", hooks_group)
def uninstall_command(app: App) -> None:
    """Remove clawgit's hooks.

    Hooks that were there before are restored.

    \b
    Example:
      clawgit hooks uninstall
    """
    app.only_operator("take hooks away")
    done = install.uninstall_hooks(app.unconfigured())
    _report_change(app, done, "taken away", "There were none.")


def _report_change(app: App, done: install.HooksChanged, what: str, nothing: str) -> None:
    app.say_each(done.notes)
    lines = [f"{what}: {path}" for path in done.done] or [nothing]
    app.report(picked(done, "hooks=done notes"), lambda: lines)


@command("status", hooks_group)
def status_command(app: App) -> None:
    """Check that the hooks are installed and work.

    Exits with 1 if something is wrong with them.

    \b
    Example:
      clawgit hooks status
    """
    history = app.unconfigured()
    state = install.read_hooks_state(history)
    problems = list(state.problems)
    trusted = read_known(app.trust_file.parent, history.folder)  # what a copied folder names is not started
    is_trusted = all(thing.kind != "program" for thing in strange_things(history, trusted))
    if state.installed and not problems and is_trusted and not install.is_runnable(history):
        problems.append("The Python that clawgit's hooks run does not find clawgit, so they check nothing.")
    app.exit_code = ExitCode.REFUSED if problems else ExitCode.DONE
    data = picked(state, "installed folder") | {"hooks": dict(state.hooks), "problems": problems}
    lines = [f"{len(state.hooks)} hooks are in place in {state.folder}."]
    if problems:
        lines = [*(f"! {problem}" for problem in problems), "`clawgit hooks install` mends it."]
    elif not state.installed:
        lines = [
            "No hooks are installed, so a plain `git commit` is looked at afterwards (`clawgit hooks install`)."
        ]
    app.report(data, lambda: lines)


@hooks_group.command("run", context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def run_command(app: App, name: str, arguments: tuple[str, ...]) -> None:
    """Do what git calls the hook NAME for.

    For hook managers of your own. Exit 1 means: refused.

    \b
    Example:
      clawgit hooks run pre-commit
    """
    from clawgit.cli.workspace.hook_run import run_hook

    app.exit_code = run_hook([name, *arguments])
