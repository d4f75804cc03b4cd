"""The settings that hold: CONFIG.md as its history and the operator's trust allow it.

What each text of CONFIG.md says is remembered by its blob's id: loading what reads YAML takes longer than a search.
"""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from clawgit import __version__
from clawgit.history.authorship.actors import OPERATOR, UNKNOWN, actor_of
from clawgit.history.authorship.vouching import authorship
from clawgit.history.git.objects import DamagedObjectError
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.safe_files import FileContent, write_file
from clawgit.workspace.settings.setting_authority import ConfigVersion, InForce, settings_in_force
from clawgit.workspace.settings.settings import DEFAULTS, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.workspace.settings.setting_types import Value


class _Step(NamedTuple):
    """One commit in which CONFIG.md changed, along first parents."""

    commit_id: str
    actor: str
    blob_id: str | None
    before: str | None = None
    sides: tuple[str | None, ...] = ()  # what the other parents of a merge had

    @property
    def texts(self) -> set[str]:
        """Return the texts of CONFIG.md that say what the commit made of it."""
        return {text for text in (self.blob_id, *((self.before, *self.sides) if self.sides else ())) if text}


class _Past(NamedTuple):
    """What the history of CONFIG.md says up to ``tip``, newest first; each claim is a commit and the one that it claims."""

    tip: str | None = None
    steps: tuple[_Step, ...] = ()
    claims: frozenset[tuple[str, str]] = frozenset()
    readings: Mapping[str, _Reading] = {}

    def claimed(self, unvouched: frozenset[str]) -> frozenset[str]:
        return frozenset(commit_id for by, commit_id in self.claims if by not in unvouched)


class _Reading(NamedTuple):
    """The values that one text of CONFIG.md has, and the settings of which it says something unusable."""

    values: Mapping[str, Value] = {}
    unread: frozenset[str] = frozenset()


def read_settings(history: History, trusted: Callable[[str, Value], bool]) -> InForce:
    """Return the settings in force at the tip, and what is pending for the operator."""
    return read_settings_at(history, history.tip().commit_id, trusted)


def read_settings_at(
    history: History, commit_id: str | None, trusted: Callable[[str, Value], bool]
) -> InForce:
    """Return the same for the history that ends in ``commit_id``, on a branch or not."""
    past = _past(history, commit_id)
    unvouched = authorship(history).unvouched
    claims = past.claimed(unvouched)
    his = frozenset(
        step.commit_id
        for step in past.steps
        if step.commit_id in claims or (step.actor == OPERATOR and step.commit_id not in unvouched)
    )
    versions = [each for step in past.steps for each in _versions(past, step, step.commit_id in his)]
    return settings_in_force(versions, trusted)


def claimed_commits(history: History) -> frozenset[str]:
    """Return the commits that the operator claimed as theirs, along first parents."""
    return _past(history, history.tip().commit_id).claimed(authorship(history).unvouched)


def _versions(past: _Past, step: _Step, by_operator: bool) -> list[ConfigVersion]:
    """Return what a commit made of the settings; of a merge's, what it only brought along is nobody's word.

    Such a value counts as a version below the merge, so whoever merged has not changed it there.
    """
    reading = _reading(past, step.blob_id)
    own = ConfigVersion(step.commit_id, by_operator, reading.values, reading.unread)
    if not step.sides:
        return [own]
    before = _reading(past, step.before).values
    sides = [_reading(past, side).values for side in step.sides]
    brought = {
        key: reading.values.get(key, DEFAULTS[key])
        for key in DEFAULTS
        if any(side.get(key, DEFAULTS[key]) == reading.values.get(key, DEFAULTS[key]) for side in sides)
        and reading.values.get(key, DEFAULTS[key]) != before.get(key, DEFAULTS[key])
    }
    return [own, ConfigVersion(step.commit_id, by_operator=False, values={**before, **brought})]


def _reading(past: _Past, blob_id: str | None) -> _Reading:
    return _Reading() if blob_id is None else past.readings[blob_id]


def _past(history: History, tip: str | None) -> _Past:
    """Return the history of CONFIG.md up to ``tip``, read from the last tip looked at onwards.

    Where the history ends before that one, what was known last goes on to hold; what changed in between is nobody's word.
    """
    known = _remembered(history)
    if known.tip == tip:
        return known
    steps: list[_Step] = []
    claims: set[tuple[str, str]] = set()
    blob_id, at = None, tip
    while at is not None and at != known.tip:
        commit = history.objects.commit(at)
        blob_id = _blob(history, commit)
        try:
            before, *sides = [_blob(history, history.objects.commit(name)) for name in commit.parent_ids] or [
                None
            ]
        except DamagedObjectError as error:
            history.objects.unread = error.message
            break
        actor = actor_of(commit.trailers, commit.author)
        if actor == OPERATOR:
            claims.update((at, name) for name in commit.trailers.all("Clawgit-Claims"))
        if history.objects.begins_at(at):
            break
        if blob_id != before:
            steps.append(_Step(at, actor, blob_id, before, tuple(sides)))
        at = commit.parent_ids[0] if commit.parent_ids else None
    if at is not None:
        if at != known.tip and blob_id != _last_text(known):
            steps.append(_Step(at, UNKNOWN, blob_id, _last_text(known)))
        steps.extend(known.steps)
        claims.update(known.claims)
    past = _Past(tip, tuple(steps), frozenset(claims), _readings(history, known, steps))
    _remember(history, past)
    return past


def _last_text(known: _Past) -> str | None:
    return known.steps[0].blob_id if known.steps else None


def _readings(history: History, known: _Past, steps: list[_Step]) -> dict[str, _Reading]:
    """Return what each text of CONFIG.md says that ``steps`` name; read are those that are not known."""
    named = {blob_id for step in steps for blob_id in step.texts}
    found = {blob_id: known.readings[blob_id] for blob_id in named if blob_id in known.readings}
    for blob_id in named - found.keys():
        from clawgit.workspace.settings.config_file import read_config

        reading = read_config(history.objects.blob(blob_id).decode("utf-8", "replace"))
        found[blob_id] = _Reading(reading.values, reading.unread)
    return found


def _blob(history: History, commit: Commit) -> str | None:
    entry = history.tree_of(commit.commit_id).entry(CONFIG)
    return None if entry is None else entry.object_id


def _remembered(history: History) -> _Past:
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
        found = json.loads((history.state / "config-history.json").read_text("utf-8"))
        steps = tuple(
            _Step(commit_id, actor, blob_id, before, tuple(sides))
            for commit_id, actor, blob_id, before, sides in found["steps"]
        )
        readings = {
            blob_id: _Reading({key: _value(value) for key, value in values.items()}, frozenset(unread))
            for blob_id, (values, unread) in found["readings"].items()
        }
        if found["read_by"] == _reader() and all(step.texts <= readings.keys() for step in steps):
            claims = frozenset((by, commit_id) for by, commit_id in found["claims"])
            return _Past(found["tip"], steps, claims, readings)
    return _Past()


def _value(said: Any) -> Value:
    return tuple(map(str, said)) if isinstance(said, list) else cast("Value", said)


def _reader() -> str:
    """Return what tells one way of reading CONFIG.md from another: the version, and what each setting takes."""
    accepts = [(name, setting.default, setting.accepts) for name, setting in SETTINGS.items()]
    return f"2 {__version__} {zlib.crc32(repr(accepts).encode()):08x}"


def _remember(history: History, past: _Past) -> None:
    """Write the cache beside the history; without room for it the next reader walks again."""
    said = json.dumps(
        {
            "tip": past.tip,
            "steps": past.steps,
            "claims": sorted(past.claims),
            "read_by": _reader(),
            "readings": {
                blob_id: (reading.values, sorted(reading.unread))
                for blob_id, reading in past.readings.items()
            },
        }
    )
    with suppress(OSError):
        write_file(history.state, "config-history.json", FileContent(said.encode()), fsync=False)
