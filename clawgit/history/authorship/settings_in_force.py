"""The settings and the agents' prompts in force, from their history and the operator's trust."""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit import __version__
from clawgit.errors import ClawgitError
from clawgit.history.authorship import actors
from clawgit.history.git.objects import Commit, DamagedObjectError
from clawgit.workspace.layout import CONFIG, read_template
from clawgit.workspace.safe_files import FileContent, write_file
from clawgit.workspace.settings.settings import DEFAULTS, SETTINGS, ConfigVersion, InForce, settings_in_force

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clawgit.history.git.repository import History
    from clawgit.workspace.settings.setting_types import Value

LATEST = 300  # commits read here; git finds the few older ones that matter, in 0.3 s
_ALONG = ("rev-list", "--first-parent")
CLAIMS = "Clawgit-Claims"
_CLAIMING = ("--fixed-strings", "--regexp-ignore-case", f"--grep={CLAIMS}")


class _Step(NamedTuple):
    """One commit that changed CONFIG.md, along first parents."""

    commit_id: str
    actor: str
    blob_id: str | None
    before: str | None = None
    sides: tuple[str | None, ...] = ()  # the file in a merge's other parents

    @property
    def texts(self) -> set[str]:
        """Return the blobs of CONFIG.md that are needed to read the commit."""
        texts = {self.blob_id, *self.sides}
        if self.sides:
            texts.add(self.before)
        return set(filter(None, texts))


class _Past(NamedTuple):
    """The history of CONFIG.md up to ``tip``, newest first; a claim is a commit and the commit that it claims."""

    tip: str | None = None
    steps: tuple[_Step, ...] = ()
    claims: frozenset[tuple[str, str]] = frozenset()
    readings: Mapping[str, _Reading] = {}

    def reading(self, blob_id: str | None) -> _Reading:
        return self.readings.get(blob_id or "", _Reading())

    def claimed(self, unvouched: frozenset[str]) -> frozenset[str]:
        return frozenset(commit_id for by, commit_id in self.claims if by not in unvouched)


class _Reading(NamedTuple):
    """The values in one text of CONFIG.md, and the settings with an unusable value."""

    values: Mapping[str, Value] = {}
    unread: frozenset[str] = frozenset()


def read_settings(history: History, trusted: Callable[[str, Value], bool]) -> InForce:
    return read_settings_at(history, history.tip().commit_id, trusted)


def read_settings_at(
    history: History, commit_id: str | None, trusted: Callable[[str, Value], bool]
) -> InForce:
    """Return the settings in force for the history that ends in ``commit_id``, on a branch or not."""
    past = _past(history, commit_id)
    unvouched = actors.authorship(history).unvouched
    claims = past.claimed(unvouched)
    versions = []
    for step in past.steps:
        is_vouched = step.actor == actors.OPERATOR and step.commit_id not in unvouched
        versions += _versions(past, step, is_vouched or step.commit_id in claims)
    return settings_in_force(versions, trusted)


def claimed_commits(history: History) -> frozenset[str]:
    return _past(history, history.tip().commit_id).claimed(actors.authorship(history).unvouched)


def _versions(past: _Past, step: _Step, by_operator: bool) -> list[ConfigVersion]:
    """Return a commit's versions of the settings; values that a merge brought are a version below, not the operator's."""
    reading, before, *sides = map(past.reading, (step.blob_id, step.before, *step.sides))
    own = ConfigVersion(step.commit_id, by_operator, reading.values, reading.unread)
    if not step.sides:
        return [own]
    values = dict(before.values)
    for key, default in DEFAULTS.items():
        value = reading.values.get(key, default)
        is_brought = any(side.values.get(key, default) == value for side in sides)
        if is_brought and value != before.values.get(key, default):
            values[key] = value
    return [own, ConfigVersion(step.commit_id, by_operator=False, values=values)]


def _past(history: History, tip: str | None) -> _Past:
    """Return the history of CONFIG.md up to ``tip``, read on from the last tip."""
    remembered = _Past()
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
        remembered = _read_past((history.state / "config-history.json").read_text("utf-8"))
    if remembered.tip == tip:
        return remembered
    steps, claims, at = _walked(history, tip, remembered.tip)
    if at is not None:
        last = remembered.steps[0].blob_id if remembered.steps else None
        blob_id = last if at == remembered.tip else _blob(history, at)
        if blob_id != last:
            steps.append(_Step(at, actors.UNKNOWN, blob_id, last))
        steps.extend(remembered.steps)
        claims.update(remembered.claims)
    readings = {}
    for blob_id in set(chain.from_iterable(map(attrgetter("texts"), steps))):
        if blob_id in remembered.readings:
            readings[blob_id] = remembered.readings[blob_id]
        else:
            from clawgit.workspace.settings.config_file import read_config

            config = read_config(history.objects.blob(blob_id).decode("utf-8", "replace"))
            readings[blob_id] = _Reading(config.values, config.unread)
    past = _Past(tip, tuple(steps), frozenset(claims), readings)
    record = past._asdict() | {"claims": sorted(past.claims), "read_by": _reader()}
    record["readings"] = {name: (each.values, sorted(each.unread)) for name, each in past.readings.items()}
    with suppress(OSError):  # on a full disk the next reader walks again
        data = json.dumps(record).encode()
        write_file(history.state, "config-history.json", FileContent(data), fsync=False)
    return past


def _walked(
    history: History, tip: str | None, until: str | None
) -> tuple[list[_Step], set[tuple[str, str]], str | None]:
    """Return the steps and claims, newest first, down to ``until`` or an unreadable commit, and where that is."""
    steps: list[_Step] = []
    claims: set[tuple[str, str]] = set()
    at, count = tip, 0
    while at is not None and at != until:
        older = _older(history, at) if count == LATEST else None
        if older is not None:
            return steps + older[0], claims | older[1], None
        commit = history.objects.commit(at)
        try:
            step = _step(history, commit)
        except DamagedObjectError as error:
            history.objects.unread = error.message
            break
        claims.update(_claims(history, commit, step.actor))
        if history.objects.begins_at(at):
            break
        if step.blob_id != step.before:
            steps.append(step)
        at = commit.first_parent
        count += 1
    return steps, claims, at


def _older(history: History, tip: str) -> tuple[list[_Step], set[tuple[str, str]]] | None:
    """Return the steps and claims among the commits that git finds; None if it cannot, or some are missing."""
    if history.objects.is_cut_off:
        return None
    try:
        changing = actors.named_by_git(history, *_ALONG, tip, "--", CONFIG)
        claiming = actors.named_by_git(history, *_ALONG, *_CLAIMING, tip, *actors.silent_past(history))
        older = [_step(history, commit) for commit in map(history.objects.commit, changing)]
        commits = list(map(history.objects.commit, claiming))
    except ClawgitError:
        return None
    claims: set[tuple[str, str]] = set()
    for each in commits:
        claims.update(_claims(history, each, actors.actor_of(each.trailers, each.author)))
    return [step for step in older if step.blob_id != step.before], claims


def _step(history: History, commit: Commit) -> _Step:
    parents = [_blob(history, name) for name in commit.parent_ids]
    before, *sides = parents or [None]
    actor = actors.actor_of(commit.trailers, commit.author)
    return _Step(commit.commit_id, actor, _blob(history, commit.commit_id), before, tuple(sides))


def _claims(history: History, commit: Commit, actor: str) -> list[tuple[str, str]]:
    if actor != actors.OPERATOR or not commit.trailers.all(CLAIMS):
        return []
    from clawgit.history.authorship.rewritten import claimed_in

    return [(commit.commit_id, name) for name in claimed_in(history, commit)]


def _blob(history: History, commit_id: str, path: str = CONFIG) -> str | None:
    entry = history.tree_of(commit_id).entry(path)
    if entry is None:
        return None
    return entry.object_id


@lru_cache(maxsize=8)
def _read_past(text: str) -> _Past:
    record = json.loads(text)
    steps = []
    for commit_id, actor, blob_id, before, sides in record["steps"]:
        steps.append(_Step(commit_id, actor, blob_id, before, tuple(sides)))
    readings = {}
    for blob_id, (values, unread) in record["readings"].items():
        for key, value in values.items():
            if isinstance(value, list):
                values[key] = tuple(map(str, value))
        readings[blob_id] = _Reading(values, frozenset(unread))
    if record["read_by"] == _reader() and all(step.texts <= readings.keys() for step in steps):
        claims = frozenset((by, commit_id) for by, commit_id in record["claims"])
        return _Past(record["tip"], tuple(steps), claims, readings)
    return _Past()


def _reader() -> str:
    """Return a key for one way of reading CONFIG.md: the version, and the values that each setting takes."""
    accepts = [(name, setting.default, setting.accepts) for name, setting in SETTINGS.items()]
    return f"2 {__version__} {zlib.crc32(repr(accepts).encode()):08x}"


def prompt_in_force(history: History, agent: str) -> str:
    """Return `agents/AGENT/SOUL.md` as the operator last committed or claimed it, else the packaged text."""
    path = f"agents/{agent}/SOUL.md"
    packaged = read_template(path).decode()
    tip = history.tip().commit_id
    if tip is None:
        return packaged
    claims = claimed_commits(history)
    authors = actors.authorship(history)
    for commit in map(history.objects.commit, actors.named_by_git(history, *_ALONG, tip, "--", path)):
        blob, *before = (_blob(history, name, path) for name in (commit.commit_id, *commit.parent_ids))
        brought = blob in before[1:]  # a merge took it over: the other side has its author
        by_operator = authors.actor(commit) == actors.OPERATOR and not brought
        if by_operator or commit.commit_id in claims:
            if blob is None:
                return packaged
            return history.objects.blob(blob).decode("utf-8", "replace")
    return packaged
