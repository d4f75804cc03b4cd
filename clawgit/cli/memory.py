"""`clawgit memory`: what is remembered."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command
from clawgit.cli.said import say_kept

TAGS = ("event", "knowledge", "skill", "decision")


@click.group("memory")
def memory_group() -> None:
    """Add to what is remembered."""


@memory_group.command("add", cls=Command)
@click.argument("text")
@click.option("--tag", type=click.Choice(TAGS), help="The entry's one primary tag.")
@click.option("--to", "path", metavar="PATH", help="The file; MEMORY.md, or memory/learned.md for a host.")
@click.pass_obj
def add_command(app: App, text: str, tag: str | None, path: str | None) -> None:
    """Remember TEXT as one entry, committed at once.

    \b
    Examples:
      clawgit memory add "Chose REST over GraphQL for the Acme API." --tag decision
      clawgit memory add "Standup moved to 9:30." --to memory/2026-03-19.md
    """
    from clawgit.history.remember import remember

    history = app.history()
    done = remember(history, text, app.intent(history), tag=tag, path=path)
    say_kept(app, done.recorded.kept)
    if done.recorded.outcome == "nothing":
        app.say(f"{done.path} has this already: {done.line}")
    elif done.recorded.outcome == "repeated":
        app.say(f"The op {done.recorded.op} was applied before.")
    else:
        app.say(f"Remembered in {done.path}: {done.line}")
    app.report(
        {
            "outcome": done.recorded.outcome,
            "op": done.recorded.op,
            "commit": done.recorded.commit_id,
            "path": done.path,
            "entry": done.entry_id,
        },
        lambda: [done.recorded.commit_id] if done.recorded.commit_id else [],
    )
