"""`clawgit help`: a topic of docs/concepts.md, or a command, explained."""

from __future__ import annotations

import re
from difflib import get_close_matches

import click

from clawgit.cli.app import App, command
from clawgit.cli.lazy_group import LazyGroup
from clawgit.errors import UsageError


@command("help")
@click.argument("words", nargs=-1, metavar="[TOPIC|COMMAND]")
def help_command(app: App, words: tuple[str, ...]) -> None:
    """Explain a topic or a command.

    Without TOPIC, list the topics. `all` lists all commands.

    \b
    Examples:
      clawgit help
      clawgit help all
      clawgit help taking-back
      clawgit help memory search
    """
    root = click.get_current_context().find_root()
    if words == ("all",) and isinstance(root.command, LazyGroup):
        formatter = root.make_formatter()
        root.command.write_sections(formatter, {**root.command.sections, **root.command.others})
        app.report(list(root.command.table), lambda: formatter.getvalue().strip("\n").split("\n"))
        return
    found = _command(root, words)
    if found is not None:
        app.print(found)
        return
    topics = read_topics()
    if not words:
        app.report(
            list(topics), lambda: ["Topics of `clawgit help TOPIC`:", *(f"  {name}" for name in topics)]
        )
        return
    name = "-".join(words).lower()
    if name not in topics:
        near = get_close_matches(name, topics, n=1)
        raise UsageError(
            f"There is no topic {name!r}.",
            hint=f"Did you mean {near[0]!r}?" if near else "`clawgit help` lists the topics.",
        )
    app.report({"topic": name, "text": topics[name]}, lambda: topics[name].split("\n"))


def read_topics() -> dict[str, str]:
    """Return the sections of docs/concepts.md by the name that the command line knows them by."""
    from clawgit.workspace.layout import data_folder

    text = (data_folder("docs") / "concepts.md").read_text("utf-8")
    text = re.sub(r"<!-- /?\w+ -->\n", "", text)
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    return {
        re.sub("[^a-z]+", "-", section.partition("\n")[0].lower()).strip("-"): section.strip()
        for section in sections
    }


def _command(root: click.Context, words: tuple[str, ...]) -> str | None:
    command: click.Command | None = root.command
    context = root
    for word in words:
        if not isinstance(command, click.Group):
            return None
        command = command.get_command(context, word)
        if command is None:
            return None
        context = click.Context(command, info_name=word, parent=context)
    if words and command:
        return context.get_help()
    return None
