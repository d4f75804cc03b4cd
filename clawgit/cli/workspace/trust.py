"""`clawgit trust`: the operator's word on settings that guard, reach out or run something."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command
from clawgit.cli.pending import sign_option
from clawgit.cli.workspace.config import setting_name
from clawgit.errors import UsageError
from clawgit.history.doctor.risky_git_config import strange_things
from clawgit.operations.decisions import approving
from clawgit.workspace.user.trusted_settings import revoke, trust_known, trust_value


@click.command("trust", cls=Command)
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--revoke", "revoked", is_flag=True, help="Trust the KEYs' values no longer.")
@click.option(
    "--repository", is_flag=True, help="Trust what .git/config and the hooks can run, as they are now."
)
@sign_option
@click.pass_obj
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
    assert app.in_force is not None
    names = [setting_name(name) for name in keys]
    if names or repository:
        app.only_operator("trust a setting")
    if (names or repository) and not revoked:
        held = [name for name in names if name in app.in_force.waiting]
        if held:
            raise UsageError(
                f"Everything that needs your decision is one queue now: `clawgit approve {' '.join(held)}`."
            )
        # trust makes no commit, so a touch is asked for here, where `approvals` says so
        intent = approving(app, history, app.intent(history), key)
        if history.settings.approvals == "present" and intent.sign is not None:
            intent.sign(f"clawgit trust {' '.join(keys)} in {history.root}\n".encode())
    if repository:  # what `doctor` finds strange; a change of any of it is found strange again
        strange = [] if revoked else strange_things(history)
        trust_known(app.trust_file.parent, history.folder, (thing.digest for thing in strange))
        for thing in strange:
            app.say(f"Trusted: the {thing.kind} {thing.name}.")
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
