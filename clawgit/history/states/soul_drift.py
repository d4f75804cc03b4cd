"""How the soul moved away from a baseline: by day, and by the changes that moved it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.reading.reachability import read_first_parents
from clawgit.history.states.revisions import RevisionError
from clawgit.history.states.snapshots import newest_snapshot
from clawgit.history.views.view_entries import local
from clawgit.identity.drift import drift_between
from clawgit.identity.principles import read_principles

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.identity.drift import Drift, PrincipleDrift

SOUL = "SOUL.md"


class DriftDay(NamedTuple):
    """The distance from the baseline at the end of a day on which the soul changed, and by whose changes."""

    day: date
    distance: float
    changes: int
    actors: tuple[str, ...]


class SoulDrift(NamedTuple):
    """The way from the baseline to the tip; ``by`` has the change behind each differing principle, None if unknown."""

    baseline: Commit
    now: Drift
    days: tuple[DriftDay, ...]
    by: tuple[LoggedChange | None, ...]


class _Version(NamedTuple):
    change: LoggedChange
    text: bytes


def find_baseline(history: History) -> Commit:
    """Return what drift is measured from unless somebody says: the newest snapshot, else the first SOUL.md.

    Raises:
        RevisionError: There was never a SOUL.md.
    """
    snapshot = newest_snapshot(history)
    if snapshot is not None:
        return snapshot
    first = next((change for change in read_first_parents(history, SOUL) if change.files[0].new), None)
    if first is None:
        raise RevisionError("There is no SOUL.md in the history yet.", hint="`clawgit keep` commits it.")
    return history.objects.commit(first.commit_id)


def read_drift(history: History, baseline: Commit) -> SoulDrift:
    """Compare SOUL.md after every change since ``baseline`` with what it was there.

    Raises:
        ClawgitError: git could not read the history.
    """
    old = _text(history, baseline.commit_id)
    changed = read_first_parents(history, SOUL, since=baseline.commit_id)
    versions = [_Version(change, _text(history, change.commit_id)) for change in changed]
    now = drift_between(old, versions[-1].text if versions else old)
    return SoulDrift(
        baseline, now, tuple(_days(history, old, versions)), _introduced(old, versions, now.principles)
    )


def drift_alarm(history: History) -> str:
    """Return a sentence where the committed SOUL.md is farther from its baseline than `drift_alarm` allows, else ""."""
    limit, tip = history.settings.drift_alarm, history.tip().commit_id
    if not limit or not _text(history, tip):
        return ""
    baseline = find_baseline(history)
    share = round(100 * drift_between(_text(history, baseline.commit_id), _text(history, tip)).distance)
    if share <= limit:
        return ""
    return f"{share}% of SOUL.md differs from {baseline.commit_id[:12]} ({baseline.subject}); the alarm is at {limit}%."


def _days(history: History, old: bytes, versions: Sequence[_Version]) -> list[DriftDay]:
    by_day: dict[date, list[_Version]] = {}
    for version in versions:
        by_day.setdefault(local(version.change.moment, history.settings).date(), []).append(version)
    return [
        DriftDay(
            day,
            drift_between(old, found[-1].text).distance,
            len(found),
            tuple(dict.fromkeys(version.change.actor for version in found)),
        )
        for day, found in by_day.items()
    ]


def _introduced(
    old: bytes, versions: Sequence[_Version], drifted: Sequence[PrincipleDrift]
) -> tuple[LoggedChange | None, ...]:
    """Return for each differing principle the change since when it reads so, or since when it is gone."""
    spoken = [
        {each.words for each in read_principles(text)} for text in (old, *(each.text for each in versions))
    ]
    found = []
    for each in drifted:
        principle = each.new or each.old
        assert principle is not None
        here = each.new is not None
        at = len(spoken) - 1
        while at > 0 and (principle.words in spoken[at - 1]) == here:
            at -= 1
        found.append(versions[at - 1].change if at > 0 else None)
    return tuple(found)


def _text(history: History, commit_id: str | None) -> bytes:
    return history.tree_of(commit_id).read(SOUL) or b""
