"""`clawgit config` and `trust`: showing and changing settings, and the operator's trust in those that guard."""

from __future__ import annotations

from typing import Any

import click

from clawgit.capture.messages.open_messages import has_messages
from clawgit.cli.app import App, command, commit_lines, picked
from clawgit.cli.lazy_group import NamingGroup
from clawgit.cli.pending import sign_option
from clawgit.errors import ExitCode, UsageError
from clawgit.history.authorship.actors import MINE, edits_are_his
from clawgit.history.doctor.risky_git_config import strange_things
from clawgit.history.hooks.install import not_run
from clawgit.history.operator_records import set_setting
from clawgit.operations.changes import say_kept
from clawgit.operations.decisions import approving
from clawgit.understanding.triage.custom_patterns import read_patterns
from clawgit.workspace.safe_files import data_of, read_file
from clawgit.workspace.settings.config_file import COMMON, known_setting, read_config
from clawgit.workspace.settings.settings import SETTINGS, Problem, values_of
from clawgit.workspace.settings.strict_yaml import write_value
from clawgit.workspace.user.trusted_settings import revoke, trust_known, trust_value


@click.group("config", cls=NamingGroup, meant={"get": "config show", "list": "config show"})
def config_group() -> None:
    """Show, check and change settings."""


@command("show", config_group)
@click.argument("key", required=False)
@click.option(
    "--all", "shows_all", is_flag=True, help="Also those that few need and that have their defaults."
)
def show_command(app: App, key: str | None, *, shows_all: bool) -> None:
    """Show settings, their values and their origin.

    Says of each value whether it is in force or pending. With --json, all settings are listed.

    \b
    Examples:
      clawgit config show
      clawgit config show --all
    """
    history = app.history()
    in_force = app.in_force
    assert in_force is not None
    values = values_of(in_force.settings)
    rows = []
    for name in [known_setting(key).name] if key else in_force.origins:
        origin = picked(in_force.origins[name], "state commit=commit_id")
        row = {"key": name, "value": values[name], **origin, "waiting": in_force.waiting.get(name)}
        if name == "edits_here":
            row["no_effect"] = values[name] == MINE and not edits_are_his(history)
        rows.append(row)
    if key:
        app.report(rows[0], lambda: [_line(rows[0])])
    else:
        app.report(rows, lambda: _grouped(rows, shows_all=shows_all))


def _grouped(rows: list[dict[str, Any]], *, shows_all: bool) -> list[str]:
    shown = rows
    if not shows_all:
        shown = [row for row in rows if row["key"] in COMMON or row["state"] != "default"]
    width = max(len(row["key"]) for row in shown)
    lines: list[str] = []
    section = ""
    for row in shown:
        here = SETTINGS[row["key"]].section
        if here != section:
            lines += ["", here] if lines else [here]
            section = here
        lines.append(f"  {_line(row, width)}")
    left = len(rows) - len(shown)
    if left:
        lines += ["", f"{left} more have their defaults: `clawgit config show --all`."]
    return lines


def _line(row: dict[str, Any], width: int = 0) -> str:
    origin = "in force" if row["state"] == "waiting" else row["state"]
    if row["commit"]:
        origin += f" since {row['commit'][:12]}"
    if row["state"] == "waiting":
        origin += f"; {write_value(row['waiting'], '')} is pending, `clawgit approve {row['key']}`"
    if row.get("no_effect"):
        origin = "no effect while an agent is connected, or where another account may write"
    return f"{row['key']:<{width}}  {write_value(row['value'], '')}  ({origin})"


@command("check", config_group)
def check_command(app: App) -> None:
    """Check CONFIG.md for mistakes.

    Exits with 4 if it finds one.

    \b
    Example:
      clawgit config check
    """
    history = app.history()
    content = read_file(history.root, "CONFIG.md", at_most=history.settings.max_file_bytes)
    reading = read_config((data_of(content) or b"").decode("utf-8", "replace"))
    items = reading.values.get("heartbeat_custom_patterns")
    problems = list(reading.problems)
    for each in read_patterns(items if isinstance(items, tuple) else ()):
        if each.problem:
            says = f"/{each.pattern}/ is not run: {each.problem}."
            problems.append(Problem("CONFIG.md", 0, "heartbeat_custom_patterns", says, "warning"))
    errors = any(problem.severity == "error" for problem in problems)
    app.exit_code = ExitCode.CONFIGURATION if errors else ExitCode.DONE
    app.report(problems, lambda: [str(problem) for problem in problems] or ["CONFIG.md is fine."])


@command("set", config_group)
@click.argument("key")
@click.argument("value")
def set_command(app: App, key: str, value: str) -> None:
    """Set KEY to VALUE in CONFIG.md.

    The rest of the file stays as it is.

    \b
    Examples:
      clawgit config set soul_policy review
      clawgit config set cron_compactor_weekly "Saturday 04:00"
    """
    history = app.history()
    done = set_setting(history, key, value, app.intent(history))
    remarks = tuple(finding for finding in done.kept.remarks if finding.rule != "settings-waiting")
    say_kept(app, done.kept._replace(remarks=remarks))  # whether it waits is said below
    _say_set(app, key, done.outcome)
    app.report(picked(done, "outcome commit=commit_id op"), lambda: commit_lines(done.commit_id))


def _say_set(app: App, key: str, outcome: str) -> None:
    if outcome == "repeated":
        app.say("That op was applied before; nothing was set.")
        return
    waiting = app.held_settings
    if outcome == "nothing":
        if app.actor != "operator" or key not in waiting:
            app.say(f"{key} has that value already.")
            return
        trust_value(app.trust_file, app.root(), key, waiting[key])  # the operator has just asked for it
    history = app.history()
    if key in app.held_settings:
        app.say(f"{key} is set, but not in force: it needs `clawgit approve {key}`.")
        return
    app.say(f"{key} is set.")
    if key == "operator_ids" and has_messages(history):
        app.say(
            "Messages that are here already stay as they were stored."
            " `clawgit chat import --as operator --sender SENDER FILE` makes those in a transcript of your host yours"
            " (`clawgit chat export` writes one)."
        )


@command("trust")
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--revoke", "revoked", is_flag=True, help="Trust the KEYs' values no longer.")
@click.option(
    "--repository", is_flag=True, help="Trust what .git/config and the hooks can run, as they are now."
)
@sign_option
def trust_command(app: App, keys: tuple[str, ...], revoked: bool, repository: bool, key: str | None) -> None:
    """Trust the values of settings in CONFIG.md.

    Without KEY, list the values that are pending; `clawgit approve KEY` brings such a value into force.

    What you trust is kept in your own configuration folder, where the agent's files do not reach.

    \b
    Examples:
      clawgit trust
      clawgit trust --revoke recall_external_handler
      clawgit trust --repository
    """
    history = app.history()
    names = [known_setting(name).name for name in keys]
    if names or repository:
        app.only_operator("trust a setting")
    assert app.in_force is not None
    waiting_names = " ".join(name for name in names if name in app.in_force.waiting)
    if waiting_names and not revoked:
        raise UsageError(
            f"Everything that needs your decision is one queue now: `clawgit approve {waiting_names}`."
        )
    if (names or repository) and not revoked:
        # trust makes no commit, so the touch for `approvals` is asked for here
        intent = approving(app, history, app.intent(history), key)
        if history.settings.approvals == "present" and intent.sign is not None:
            intent.sign(f"clawgit trust {' '.join(keys)} in {history.root}\n".encode())
    if repository:  # what `doctor` finds strange; a change of any of it is found strange again
        strange = [] if revoked else strange_things(history)
        trust_known(app.trust_file.parent, history.folder, (thing.digest for thing in strange))
        for thing in strange:
            app.say(f"Trusted: the {thing.kind} {thing.name}.")
        app.say_each(not_run(thing.name for thing in strange if thing.kind == "hook"))
    for name in names:
        if revoked:
            gone = revoke(app.trust_file, history.root, name)
            app.say(f"{name} is no longer trusted." if gone else f"{name} was not trusted.")
        else:
            value = getattr(app.in_force.settings, name)
            trust_value(app.trust_file, history.root, name, value)
            app.say(f"Trusted: {name} = {value!r}.")
    app.history()
    waiting = app.held_settings
    lines = [f"{key}: {value!r} needs `clawgit approve {key}`" for key, value in waiting.items()]
    data = {"workspace": history.root, "waiting": waiting}
    app.report(data, lambda: lines or ["No value needs your trust."])
