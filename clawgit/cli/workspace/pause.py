"""`clawgit pause` and `resume`."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command


@click.command("pause", cls=Command)
@click.argument("reason", required=False, default="")
@click.pass_obj
def pause_command(app: App, reason: str) -> None:
    """Stop the agents from writing.

    You and the host can still write. `clawgit resume` ends the pause.

    \b
    Example:
      clawgit pause "Reviewing what the miner did."
    """
    from clawgit.history.authorship.pause import pause, paused_since

    app.only_operator("pause the agents")
    history = app.history()
    pause(history, reason, app.now(history))
    app.say("The agents are paused. `clawgit resume` lets them write again.")
    app.report({"paused": paused_since(history)}, list)


@click.command("resume", cls=Command)
@click.pass_obj
def resume_command(app: App) -> None:
    """Let the agents write again."""
    from clawgit.history.authorship.pause import resume

    app.only_operator("let the agents write again")
    was_paused = resume(app.history())
    app.say("The agents may write again." if was_paused else "The agents were not paused.")
    app.report({"paused": None}, list)
