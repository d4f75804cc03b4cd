"""The soul over time: how it moved away from a baseline, by day and by change; and `soul export`, each text as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.git.repository import storage_errors
from clawgit.history.reading.git_log import read_first_parents
from clawgit.history.states.revisions import RevisionError, newest_snapshot
from clawgit.history.views.change_logs import ToldHistory, local, named, text_of
from clawgit.identity.principles import drift_between, read_principles
from clawgit.workspace.safe_files import FileContent, read_file, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from pathlib import Path

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.history.views.change_logs import SoulCopy
    from clawgit.identity.principles import Drift, PrincipleDrift

SOUL = "SOUL.md"


class DriftDay(NamedTuple):
    """The distance from the baseline at the end of a day on which the soul changed, and by whose changes."""

    day: date
    distance: float
    changes: int
    actors: tuple[str, ...]


class SoulDrift(NamedTuple):
    """The way from the baseline to the tip; ``by`` has the change behind each differing principle, None if unknown, ``texts`` both ends."""

    baseline: Commit
    now: Drift
    days: tuple[DriftDay, ...]
    by: tuple[LoggedChange | None, ...]
    texts: tuple[bytes, bytes] = (b"", b"")


def _find_baseline(history: History) -> Commit:
    """Return what drift is measured from unless somebody says: the newest snapshot, else the first SOUL.md."""
    snapshot = newest_snapshot(history)
    if snapshot is not None:
        return snapshot
    first = next((change for change in read_first_parents(history, SOUL) if change.files[0].new), None)
    if first is None:
        raise RevisionError("There is no SOUL.md in the history yet.", hint="`clawgit keep` commits it.")
    return history.objects.commit(first.commit_id)


def read_drift(history: History, baseline: Commit | None, *, most_days: int = 0) -> SoulDrift:
    """Compare SOUL.md after every change since ``baseline``, on ``most_days`` at most, with what it was."""
    baseline = baseline or _find_baseline(history)
    changes = read_first_parents(history, SOUL, since=baseline.commit_id)
    start = _text(history, baseline.commit_id)
    end = start
    by_day: dict[date, list[LoggedChange]] = {}
    for change in changes:
        by_day.setdefault(local(change.moment, history.settings).date(), []).append(change)
    if changes:
        end = _text(history, changes[-1].commit_id)
    now = drift_between(start, end)
    days = []
    step = -(-len(by_day) // most_days) if most_days else 1
    for day in list(by_day)[::-1][:: max(1, step)][::-1]:
        distance = drift_between(start, _text(history, by_day[day][-1].commit_id)).distance
        actors = dict.fromkeys(change.actor for change in by_day[day])
        days.append(DriftDay(day, distance, len(by_day[day]), tuple(actors)))
    return SoulDrift(baseline, now, tuple(days), _introduced(history, changes, now.principles), (start, end))


def _introduced(
    history: History, changes: Sequence[LoggedChange], differing: Sequence[PrincipleDrift]
) -> tuple[LoggedChange | None, ...]:
    since: dict[int, LoggedChange] = {}
    waiting = set(range(len(differing)))
    for change in reversed(changes):
        principles = {each.words for each in read_principles(_text(history, change.commit_id))}
        for number in sorted(waiting):
            old, new = differing[number].old, differing[number].new
            is_there = new is not None and new.words in principles
            is_gone = new is None and old is not None and old.words not in principles
            if is_there or is_gone:
                since[number] = change
            else:
                waiting.remove(number)
        if not waiting:
            break
    return tuple(since.get(number) for number in range(len(differing)))


def drift_alarm(history: History) -> str:
    """Return a sentence where the committed SOUL.md is farther from its baseline than `drift_alarm` allows, else ""."""
    limit, tip = history.settings.drift_alarm, history.tip().commit_id
    if not limit or not _text(history, tip):
        return ""
    baseline = _find_baseline(history)
    share = round(100 * drift_between(_text(history, baseline.commit_id), _text(history, tip)).distance)
    if share <= limit:
        return ""
    return f"{share}% of SOUL.md differs from {baseline.commit_id[:12]} ({baseline.subject}); the alarm is at {limit}%."


def _text(history: History, commit_id: str | None) -> bytes:
    return history.tree_of(commit_id).read(SOUL) or b""


def export_soul(history: History, folder: Path, since: date | None, until: date | None) -> list[str]:
    """Write every change (`2026-03-19T1022-what.md`) and snapshot (`2026-03-19-name.md`) of those days; return the names.

    A file that says so already stays; where another has such a name, nothing is written.
    """
    told = ToldHistory(history)

    def chosen(copies: Iterable[SoulCopy]) -> list[SoulCopy]:
        days = ((local(copy.at, history.settings).date(), copy) for copy in copies)
        return [copy for day, copy in days if (since or day) <= day <= (until or day)]

    copies = named(history, chosen(told.soul_changes()), "%Y-%m-%dT%H%M") | named(
        history, chosen(told.snapshots())
    )
    texts = {name: text_of(history, copy) for name, copy in sorted(copies.items())}
    if folder.resolve().is_relative_to(history.folder.resolve()) or (folder.exists() and not folder.is_dir()):
        raise ClawgitError(f"{folder} is no folder for copies of the soul.", hint="Give another folder.")
    with storage_errors(folder if folder.exists() else history.root):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        present = {name: read_file(folder, name) for name in texts}
        for name, found in present.items():
            if found is not None and found.data != texts[name]:
                raise ClawgitError(
                    f"{folder / name} exists and reads otherwise, so nothing was written.",
                    hint="Move it away, or give another folder.",
                )
        for name, text in texts.items():
            if present[name] is None:
                write_file(folder, name, FileContent(text))
    return list(texts)
