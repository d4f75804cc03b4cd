"""`clawgit pause` and `resume`."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command
from clawgit.history.authorship.pause import pause, paused_since, resume
from clawgit.workspace.clock_looks import believe_clock, noted_jump


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
    app.only_operator("pause the agents")
    history = app.history()
    pause(history, reason, app.now(history))
    app.say("The agents are paused. `clawgit resume` lets them write again.")
    app.report({"paused": paused_since(history)}, list)


@click.command("resume", cls=Command)
@click.pass_obj
def resume_command(app: App) -> None:
    """Let the agents write again.

    It also says that the clock is right where jobs wait because it jumped ahead.
    """
    app.only_operator("let the agents write again")
    history = app.history()
    now = app.now(history)
    was_paused = resume(history)
    has_jumped = bool(noted_jump(history.state, now))
    if has_jumped:
        believe_clock(history.state, now, app.steady())
        app.say("The clock is right: jobs that move, merge or archive notes run again.")
    if was_paused or not has_jumped:
        app.say("The agents may write again." if was_paused else "The agents were not paused.")
    app.report({"paused": None}, list)
