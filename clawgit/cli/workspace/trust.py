"""`clawgit trust`: the operator's word on settings that guard, reach out or run something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clawgit.cli.app import App, Command
from clawgit.cli.pending import sign_option
from clawgit.cli.workspace.config import setting_name
from clawgit.errors import UsageError
from clawgit.history.doctor.risky_git_config import strange_things
from clawgit.operations.decisions import approving
from clawgit.workspace.user.trusted_settings import revoke, trust_known, trust_value

if TYPE_CHECKING:
    from clawgit.history.git.repository import History


@click.command("trust", cls=Command)
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--revoke", is_flag=True, help="Trust the KEYs' values no longer.")
@click.option(
    "--repository", is_flag=True, help="Trust what .git/config and the hooks can run, as they are now."
)
@sign_option
@click.pass_obj
def trust_command(app: App, keys: tuple[str, ...], revoke: bool, repository: bool, key: str | None) -> None:
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
    if keys or repository:
        app.only_operator("trust a setting")
        if not revoke:
            _refuse_held(app, keys)
            _prove_presence(app, history, key, f"trust {' '.join(keys)}")
    if repository:
        _trust_repository(app, history, revoke=revoke)
    for name in keys:
        _revoke(app, name) if revoke else _trust(app, name)
    app.history()
    waiting = {} if app.in_force is None else dict(app.in_force.waiting)
    app.report(
        {
            "workspace": str(history.root),
            "waiting": {
                key: (list(value) if isinstance(value, tuple) else value) for key, value in waiting.items()
            },
        },
        lambda: (
            [f"{key}: {value!r} needs `clawgit approve {key}`" for key, value in waiting.items()]
            or ["No value needs your trust."]
        ),
    )


def _refuse_held(app: App, keys: tuple[str, ...]) -> None:
    held = [
        name for name in map(setting_name, keys) if app.in_force is not None and name in app.in_force.waiting
    ]
    if held:
        raise UsageError(
            f"Everything that needs your decision is one queue now: `clawgit approve {' '.join(held)}`."
        )


def _prove_presence(app: App, history: History, key: str | None, what: str) -> None:
    """Ask for a touch before something is trusted, where `approvals` says so: trust makes no commit."""
    intent = approving(app, history, app.intent(history), key)
    if history.settings.approvals == "present" and intent.sign is not None:
        intent.sign(f"clawgit {what} in {history.root}\n".encode())


def _trust_repository(app: App, history: History, *, revoke: bool) -> None:
    """Vouch for all that `doctor` finds strange; a change of any of it is found strange again."""
    found = [] if revoke else strange_things(history)
    trust_known(app.trust_file.parent, history.folder, (thing.digest for thing in found))
    for thing in found:
        app.say(f"Trusted: the {thing.kind} {thing.name}.")


def _trust(app: App, key: str) -> None:
    name = setting_name(key)
    assert app.in_force is not None
    value = app.in_force.waiting.get(name, getattr(app.in_force.settings, name))
    trust_value(app.trust_file, app.root(), name, value)
    app.say(f"Trusted: {name} = {value!r}.")


def _revoke(app: App, key: str) -> None:
    gone = revoke(app.trust_file, app.root(), setting_name(key))
    app.say(f"{key} is no longer trusted." if gone else f"{key} was not trusted.")
