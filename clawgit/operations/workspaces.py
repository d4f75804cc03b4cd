"""Which workspaces a search asks, and their answers in one list."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from clawgit.errors import ClawgitError, UsageError
from clawgit.operations.wiring.vector_wiring import reason_told
from clawgit.recall.search_results import Hits, WorkspaceHits, likeliest, merged
from clawgit.workspace.user import workspace_registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.history.git.repository import History
    from clawgit.operations.caller import Caller


Answer = TypeVar("Answer")


def asked_workspaces(caller: Caller, agent: str | None, *, everywhere: bool) -> dict[Path, str]:
    """Return the workspaces to ask by folder, with their names, empty for this one: this and the shared one, the one named, or all."""
    registry = workspace_registry.read_registry(caller.registry_file)
    if agent is not None and everywhere:
        raise UsageError("--agent and --all-agents ask for different things.", hint="Give one of them.")
    if agent is not None:
        return {registry.named(agent).root: agent}
    if registry.problem:
        caller.say(registry.problem)
    if everywhere:
        workspaces = {each.root: each.name for each in registry.workspaces.values()}
        try:
            here = caller.root()
        except ClawgitError:
            if not workspaces:
                raise
            return workspaces
        workspaces.pop(Path(os.path.realpath(here)), None)
        return {here: "", **workspaces}
    here, shared = caller.root(), registry.shared
    if shared is None or shared == registry.at(here):
        return {here: ""}
    return {here: "", shared.root: shared.name}


def ask_all(
    caller: Caller, workspaces: dict[Path, str], ask: Callable[[History, str], Answer]
) -> tuple[list[Answer], list[str]]:
    """Return the answer of each workspace, and why others were not searched."""
    answers: list[Answer] = []
    missed: list[str] = []
    failed: ClawgitError | None = None
    for root, agent in workspaces.items():
        try:
            answers.append(ask(caller.history(root), agent))
        except ClawgitError as error:
            if not agent:
                raise
            failed = failed or error
            missed.append(f"{agent} was not searched: {error}")
    if not answers and failed is not None:
        raise failed
    return answers, missed


def one_answer(answers: list[WorkspaceHits], missed: list[str]) -> Hits:
    """Return the best of all answers; reasons of other workspaces become notes."""
    notes = [*missed, *(note for each in answers for note in each.found.notes)]
    notes += [reason_told(each.found.by, each.agent) for each in answers[1:]]
    results = tuple(result._replace(agent=agent) for agent, result in merged(answers))
    notes = list(dict.fromkeys(filter(None, notes)))
    return answers[0].found._replace(results=results, notes=tuple(notes), probability=likeliest(answers))


def open_shared(caller: Caller) -> History:
    """Open the shared memory for writing; only its orchestrator may."""
    registry = workspace_registry.read_registry(caller.registry_file)
    shared, here = registry.shared, registry.at(caller.root())
    if shared is None:
        hint = "`clawgit workspaces add NAME PATH --shared --orchestrator NAME` names one."
        raise workspace_registry.RegistryError(registry.problem or "There is no shared memory.", hint=hint)
    if here is None or here.name != shared.orchestrator:
        way_out = f"Every workspace searches it; you yourself can write with `clawgit -w {shared.root}`."
        raise workspace_registry.only_the_orchestrator(shared, way_out)
    return caller.history(shared.root)
