"""`clawgit trust`: the operator's word on settings that guard, reach out or run something."""

from __future__ import annotations

from typing import Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.config import setting_name


@click.command("trust", cls=Command)
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--revoke", is_flag=True, help="Trust the KEYs' values no longer.")
@click.pass_obj
def trust_command(app: App, keys: tuple[str, ...], revoke: bool) -> None:
    """Trust the values that CONFIG.md has for KEYs; without KEY, list what waits.

    What you trust is kept in your own configuration folder, where the agent's files do not reach.

    \b
    Examples:
      clawgit trust
      clawgit trust recall_external_handler
      clawgit trust --revoke recall_external_handler
    """
    history = app.history()
    if keys:
        app.only_operator("trust a setting")
    for key in keys:
        _revoke(app, key) if revoke else _trust(app, key)
    app.history()
    waiting = {} if app.in_force is None else dict(app.in_force.waiting)
    app.report(
        {"workspace": str(history.root), "waiting": {key: _plain(value) for key, value in waiting.items()}},
        lambda: (
            [f"{key}: {value!r} waits for `clawgit trust {key}`" for key, value in waiting.items()]
            or ["Nothing waits to be trusted."]
        ),
    )


def _trust(app: App, key: str) -> None:
    from clawgit.workspace.trust import trust_value

    name = setting_name(key)
    assert app.in_force is not None
    value = app.in_force.waiting.get(name, getattr(app.in_force.settings, name))
    trust_value(app.trust_file, app.root(), name, value)
    app.say(f"Trusted: {name} = {value!r}.")


def _revoke(app: App, key: str) -> None:
    from clawgit.workspace.trust import revoke

    gone = revoke(app.trust_file, app.root(), setting_name(key))
    app.say(f"{key} is no longer trusted." if gone else f"{key} was not trusted.")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
