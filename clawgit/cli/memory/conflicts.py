"""`clawgit conflicts`: entries that contradict each other, how each case was decided, and what is pending for the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.agents.contradictions import find_conflict
from clawgit.cli.app import App, Command, picked
from clawgit.cli.memory.entry_output import conflict_data
from clawgit.history.provenance.statement_changes import whose_entry
from clawgit.operations.corrections import ConflictsRequest, list_conflicts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.repository import History
    from clawgit.memory.conflict_log import Contradiction


@click.group("conflicts")
def conflicts_group() -> None:
    """List entries that contradict each other."""


@conflicts_group.command("list", cls=Command)
@click.option("--all", "all_of_them", is_flag=True, help="Those that are decided, too.")
@click.pass_obj
def list_command(app: App, all_of_them: bool) -> None:
    """List the conflicts that need your decision.

    With --all, list all conflicts, newest first. `clawgit approve k:ID A|B|both` decides.

    \b
    Examples:
      clawgit conflicts list
      clawgit conflicts list --all --json
    """
    found = list_conflicts(app, ConflictsRequest(all_of_them))
    app.report(
        conflicts_data(found), lambda: _lines(app.history(), found) or ["No conflict needs your decision."]
    )


@conflicts_group.command("show", cls=Command)
@click.argument("conflict", metavar="ID")
@click.pass_obj
def show_command(app: App, conflict: str) -> None:
    """Show both entries of a conflict.

    Shows what each is based on, and what was decided.

    \b
    Example:
      clawgit conflicts show k:4f1c2a
    """
    history = app.history()
    found = find_conflict(history, conflict)
    lines = _lines(history, [found])
    for name, text in picked(found, "differs rule reason").items():
        if text:
            lines.append(f"    {name}: {text}")
    lines += [f"    `clawgit why m:{party.entry_id}`" for party in (found.a, found.b)]
    app.report(conflict_data(found), lambda: lines)


def conflicts_data(conflicts: Iterable[Contradiction]) -> list[dict[str, Any]]:
    return list(map(conflict_data, conflicts))


def _lines(history: History, conflicts: Iterable[Contradiction]) -> list[str]:
    lines = []
    for conflict in conflicts:
        lines.append(f"k:{conflict.conflict_id}  {conflict.at}  {conflict.outcome.value}")
        for name, party in (("A", conflict.a), ("B", conflict.b)):
            whose = whose_entry(history, party.entry_id)
            lines.append(f"    {name}: {party.statement}  (m:{party.entry_id}, {party.on}, {whose})")
    return lines
