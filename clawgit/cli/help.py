"""`clawgit help`: explains one command, or lists all."""

from __future__ import annotations

import click

from clawgit.cli.app import App, command
from clawgit.cli.lazy_group import LazyGroup


@command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND]")
def help_command(app: App, words: tuple[str, ...]) -> None:
    """Explain a command, or list all.

    `all` lists all commands.

    \b
    Examples:
      clawgit help all
      clawgit help memory search
    """
    root = click.get_current_context().find_root()
    if words == ("all",) and isinstance(root.command, LazyGroup):
        formatter = root.make_formatter()
        root.command.write_sections(formatter, {**root.command.sections, **root.command.others})
        app.report(list(root.command.table), lambda: formatter.getvalue().strip("\n").split("\n"))
        return
    context = root
    for word in words:
        command = (
            context.command.get_command(context, word) if isinstance(context.command, click.Group) else None
        )
        if command is None:
            raise click.UsageError(f"No such command {' '.join(words)!r}.", root)
        context = click.Context(command, info_name=word, parent=context)
    app.print(context.get_help())
