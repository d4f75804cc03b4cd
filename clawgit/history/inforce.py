"""The settings that hold: CONFIG.md as its history and the operator's trust allow it."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.actors import OPERATOR
from clawgit.workspace.config import read_config
from clawgit.workspace.files import FileContent, write_file
from clawgit.workspace.inforce import ConfigVersion, InForce, settings_in_force
from clawgit.workspace.layout import CONFIG

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.history.objects import Commit
    from clawgit.history.repository import History
    from clawgit.workspace.setting import Value


@dataclass(frozen=True, slots=True)
class _Step:
    """One commit in which CONFIG.md changed, along first parents."""

    commit_id: str
    actor: str
    blob_id: str | None


@dataclass(frozen=True, slots=True)
class _Past:
    """What the history of CONFIG.md says up to ``tip``, newest first, and the commits claimed since."""

    tip: str | None = None
    steps: tuple[_Step, ...] = ()
    claims: frozenset[str] = frozenset()


def read_settings(history: History, trusted: Callable[[str, Value], bool]) -> InForce:
    """Return the settings in force at the tip, and what waits for the operator."""
    past = _past(history)
    return settings_in_force([_version(history, step, past.claims) for step in past.steps], trusted)


def _version(history: History, step: _Step, claims: frozenset[str]) -> ConfigVersion:
    reading = read_config(_text(history, step.blob_id))
    by_operator = step.actor == OPERATOR or step.commit_id in claims
    return ConfigVersion(step.commit_id, by_operator, reading.values, reading.unread)


def _text(history: History, blob_id: str | None) -> str:
    return "" if blob_id is None else history.objects.blob(blob_id).decode("utf-8", "replace")


def _past(history: History) -> _Past:
    """Return the history of CONFIG.md, read from the last tip looked at onwards."""
    tip = history.tip().commit_id
    known = _remembered(history)
    if known.tip == tip:
        return known
    steps: list[_Step] = []
    claims: set[str] = set()
    for commit in history.objects.first_parents(tip):
        if commit.commit_id == known.tip:
            steps.extend(known.steps)
            claims.update(known.claims)
            break
        if commit.trailers.first("Clawgit-Actor") in (None, OPERATOR):
            claims.update(commit.trailers.all("Clawgit-Claims"))
        blob_id = _blob(history, commit)
        parent = history.objects.commit(commit.parent_ids[0]) if commit.parent_ids else None
        if blob_id != (None if parent is None else _blob(history, parent)):
            actor = commit.trailers.first("Clawgit-Actor") or OPERATOR
            steps.append(_Step(commit.commit_id, actor, blob_id))
    past = _Past(tip, tuple(steps), frozenset(claims))
    _remember(history, past)
    return past


def _blob(history: History, commit: Commit) -> str | None:
    entry = history.tree_of(commit.commit_id).entry(CONFIG)
    return None if entry is None else entry.object_id


def _remembered(history: History) -> _Past:
    with suppress(OSError, ValueError, KeyError, TypeError):
        found = json.loads((history.state / "config-history.json").read_text("utf-8"))
        steps = tuple(_Step(*step) for step in found["steps"])
        return _Past(found["tip"], steps, frozenset(found["claims"]))
    return _Past()


def _remember(history: History, past: _Past) -> None:
    """Write the cache beside the history; without room for it the next reader walks again."""
    steps = [[step.commit_id, step.actor, step.blob_id] for step in past.steps]
    said = json.dumps({"tip": past.tip, "steps": steps, "claims": sorted(past.claims)})
    with suppress(OSError):
        write_file(history.state, "config-history.json", FileContent(said.encode()), fsync=False)
