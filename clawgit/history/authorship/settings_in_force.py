"""The settings that hold: CONFIG.md as its history and the operator's trust allow it."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR, actor_of
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.safe_files import FileContent, write_file
from clawgit.workspace.settings.config_file import read_config
from clawgit.workspace.settings.setting_authority import ConfigVersion, InForce, settings_in_force
from clawgit.workspace.settings.settings import DEFAULTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.workspace.settings.setting_types import Value


@dataclass(frozen=True, slots=True)
class _Step:
    """One commit in which CONFIG.md changed, along first parents."""

    commit_id: str
    actor: str
    blob_id: str | None
    before: str | None = None
    sides: tuple[str | None, ...] = ()  # what the other parents of a merge had


@dataclass(frozen=True, slots=True)
class _Past:
    """What the history of CONFIG.md says up to ``tip``, newest first, and the commits claimed since."""

    tip: str | None = None
    steps: tuple[_Step, ...] = ()
    claims: frozenset[str] = frozenset()


def read_settings(history: History, trusted: Callable[[str, Value], bool]) -> InForce:
    """Return the settings in force at the tip, and what waits for the operator."""
    return read_settings_at(history, history.tip().commit_id, trusted)


def read_settings_at(
    history: History, commit_id: str | None, trusted: Callable[[str, Value], bool]
) -> InForce:
    """Return the same for the history that ends in ``commit_id``, on a branch or not."""
    past = _past(history, commit_id)
    versions = [each for step in past.steps for each in _versions(history, step, past.claims)]
    return settings_in_force(versions, trusted)


def claimed_commits(history: History) -> frozenset[str]:
    """Return the commits that the operator claimed as theirs, along first parents."""
    return _past(history, history.tip().commit_id).claims


def _versions(history: History, step: _Step, claims: frozenset[str]) -> list[ConfigVersion]:
    """Return what a commit made of the settings; of a merge's, what it only brought along is nobody's word.

    Such a value stands as a version below the merge, so whoever merged has not changed it there.
    """
    reading = read_config(_text(history, step.blob_id))
    by_operator = step.actor == OPERATOR or step.commit_id in claims
    own = ConfigVersion(step.commit_id, by_operator, reading.values, reading.unread)
    if not step.sides:
        return [own]
    before = read_config(_text(history, step.before)).values
    sides = [read_config(_text(history, side)).values for side in step.sides]
    brought = {
        key: reading.values.get(key, DEFAULTS[key])
        for key in DEFAULTS
        if any(side.get(key, DEFAULTS[key]) == reading.values.get(key, DEFAULTS[key]) for side in sides)
        and reading.values.get(key, DEFAULTS[key]) != before.get(key, DEFAULTS[key])
    }
    return [own, ConfigVersion(step.commit_id, by_operator=False, values={**before, **brought})]


def _text(history: History, blob_id: str | None) -> str:
    return "" if blob_id is None else history.objects.blob(blob_id).decode("utf-8", "replace")


def _past(history: History, tip: str | None) -> _Past:
    """Return the history of CONFIG.md up to ``tip``, read from the last tip looked at onwards."""
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
        actor = actor_of(commit.trailers, commit.author)
        if actor == OPERATOR:
            claims.update(commit.trailers.all("Clawgit-Claims"))
        blob_id = _blob(history, commit)
        before, *sides = [_blob(history, history.objects.commit(name)) for name in commit.parent_ids] or [
            None
        ]
        if blob_id != before:
            steps.append(_Step(commit.commit_id, actor, blob_id, before, tuple(sides)))
    past = _Past(tip, tuple(steps), frozenset(claims))
    _remember(history, past)
    return past


def _blob(history: History, commit: Commit) -> str | None:
    entry = history.tree_of(commit.commit_id).entry(CONFIG)
    return None if entry is None else entry.object_id


def _remembered(history: History) -> _Past:
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError):
        found = json.loads((history.state / "config-history.json").read_text("utf-8"))
        steps = tuple(_Step(step[0], step[1], step[2], step[3], tuple(step[4])) for step in found["steps"])
        return _Past(found["tip"], steps, frozenset(found["claims"]))
    return _Past()


def _remember(history: History, past: _Past) -> None:
    """Write the cache beside the history; without room for it the next reader walks again."""
    steps = [[step.commit_id, step.actor, step.blob_id, step.before, step.sides] for step in past.steps]
    said = json.dumps({"tip": past.tip, "steps": steps, "claims": sorted(past.claims)})
    with suppress(OSError):
        write_file(history.state, "config-history.json", FileContent(said.encode()), fsync=False)
