"""States of the soul: snapshots, finding a state by word, comparing and restoring states, drift, and `soul export`."""

from __future__ import annotations

import re
from contextlib import suppress
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import APPLIED, REPEATED, Recorded, apply_plan
from clawgit.history.authorship.actors import OPERATOR, authorship
from clawgit.history.authorship.commit_messages import find_op
from clawgit.history.authorship.intent import INIT_OP, Intent
from clawgit.history.git.git_program import git_output
from clawgit.history.git.objects import Commit, DamagedObjectError
from clawgit.history.git.repository import History, storage_errors
from clawgit.history.guards.check import opened
from clawgit.history.provenance.correction_files import (
    keep_in_ledgers,
    refuse_withdrawal,
    withdrawal_trailers,
)
from clawgit.history.reading.git_log import SOUL_FILES, LoggedChange, read_first_parents, tips
from clawgit.history.review.keep import KeepOutcome, after_changes, keep_as_one, keep_op
from clawgit.history.review.working_tree_edits import edits_of, refuse_in_use
from clawgit.history.transaction.transaction import recover, until_settled
from clawgit.history.transaction.working_tree import (
    SettledFiles,
    WorkFiles,
    changed_files,
    content_of,
    kind_of,
)
from clawgit.history.views import all_copies, local, text_of
from clawgit.identity.principles import Drift, PrincipleDrift, drift_between, read_principles
from clawgit.plan import Plan
from clawgit.text.comparing.word_diff import word_diff
from clawgit.text.markdown.lines import split_lines
from clawgit.text.markdown.section_diff import LineChange, SectionChange, section_diff
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact_lines
from clawgit.text.words.spoken_times import EXAMPLES, time_meant
from clawgit.workspace.records.records import RECORDS, open_records
from clawgit.workspace.records.sqlite_files import RecordsError
from clawgit.workspace.safe_files import FileContent, check_path, data_of, read_file, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date, datetime
    from pathlib import Path

    from clawgit.history.git.trees import Tree


SNAPSHOT = "Clawgit-Snapshot"
_GITS_OWN = re.compile(r"HEAD(?:[~^@].*)?|[0-9a-f]{40}")


def take_snapshot(history: History, name: str, intent: Intent) -> Recorded:
    """Commit the operator's edits of the soul under ``name``; without edits, name the present state."""
    if not folded(name):
        raise ClawgitError("A snapshot needs a name.", hint='Such as -m "before the holidays".')
    if is_gits_own(folded(name)):
        raise ClawgitError(f"{name} is what git calls commits by.", hint="Choose another name.")
    plan = Plan(f"soul: {folded(name)}", trailers=((SNAPSHOT, folded(name)),))
    intent = opened(history, intent, name)

    def commit_edits() -> str | None:
        tip = history.tip()
        edits = edits_of(history, tip, SOUL_FILES, SettledFiles(history))
        refuse_in_use(edits)
        if not edits.edits and not edits.problems:
            return None
        return keep_as_one(history, tip, edits, intent, plan)

    with history.locked():
        recovered = KeepOutcome(recovered=tuple(recover(history)))
        done = None
        if intent.given:
            done = find_op(history, intent.op) or find_op(history, keep_op(intent.op))
        commit_id = done or until_settled(history, commit_edits)
        if commit_id is not None:
            recovered |= after_changes(history, intent.now)
    if commit_id is None:
        return apply_plan(history, lambda _: plan, intent)
    return Recorded(REPEATED if done else APPLIED, intent.op, commit_id, recovered)


def is_gits_own(word: str) -> bool:
    """Say whether a word cannot name a snapshot, since commands and scripts name commits by it."""
    return _GITS_OWN.fullmatch(word) is not None


def _snapshots(history: History) -> Iterator[Commit]:
    """Yield the operator's snapshots: the branch's, then those of earlier tips, newest first."""
    authors = authorship(history)
    search = ("log", "--format=%H", "--regexp-ignore-case", f"--grep=^{SNAPSHOT}:")
    for names in filter(None, tips(history)):
        for name in git_output(history, *search, *names, "--").decode().split():
            commit = history.objects.commit(name)
            if commit.trailers.first(SNAPSHOT) is not None and authors.actor(commit) == OPERATOR:
                yield commit


def restore_soul(
    history: History, earlier: Commit, paths: Sequence[str], reason: str, intent: Intent
) -> Recorded:
    """Restore ``paths`` as in ``earlier``; later changes stay in the history."""
    then = history.tree_of(earlier.commit_id)
    texts = {path: _text_then(then, earlier, path) for path in paths}

    def plan(tree: Tree) -> Plan:
        files = WorkFiles(tree)
        for path, text in texts.items():
            files.put(path, text)
        withdrawn, _ = keep_in_ledgers(files, ())
        refuse_withdrawal(withdrawn, intent)
        summary = f"soul: restore {', '.join(paths)} as of {earlier.commit_id[:12]}"
        trailers = tuple(withdrawal_trailers(withdrawn))
        return Plan(summary, changed_files(files.contents), reason, trailers=trailers, verbatim=True)

    return apply_plan(history, plan, opened(history, intent, reason))


def _text_then(tree: Tree, earlier: Commit, path: str) -> FileContent:
    entry = tree.entry(check_path(path))
    text = content_of(tree, path)
    if text is not None:
        return text
    if entry is None:
        raise ClawgitError(f"There was no {path} in {earlier.commit_id[:12]}.", hint="Name a later state.")
    sentence = f"{path} was {kind_of(entry)} in {earlier.commit_id[:12]}; clawgit writes plain files only."
    hint = f"`git restore --source {earlier.commit_id[:12]} {quote(path)}` puts it back, then commit it yourself."
    raise ClawgitError(sentence, hint=hint)


class RevisionError(ClawgitError):
    """No commit has this name."""


class Revision(NamedTuple):
    """A commit, and the time that its name meant."""

    commit: Commit
    until: datetime | None = None


def find_revision(history: History, word: str, now: datetime) -> Revision:
    """Return the commit that ``word`` names: a snapshot, the end of a day, or one of git's own names."""
    plain = history.commit_named(word) if is_gits_own(word) else None
    if plain is not None:
        return Revision(plain)
    span = time_meant(word, now, history.settings.time_zone)
    moment = None if span is None else span.last
    for snapshot in _snapshots(history):
        if snapshot.trailers.first(SNAPSHOT) == folded(word):
            return Revision(snapshot)
    if moment is not None:
        for commit in history.objects.first_parents(history.tip().commit_id):
            if commit.committed_at <= moment.timestamp():
                return Revision(commit, until=moment)
        hint = "`clawgit soul log` shows where it begins."
        raise RevisionError(f"The history does not reach back to {word}.", hint=hint)
    named = history.commit_named(word)
    if named is None:
        sentence = f"There is no commit or snapshot {word}."
        raise RevisionError(sentence, hint=f"Name one that `clawgit soul log` shows, or a time: {EXAMPLES}.")
    return Revision(named)


def text_at(history: History, revision: Revision, path: str) -> bytes:
    data = history.tree_of(revision.commit.commit_id).read(check_path(path))
    if data is None:
        raise RevisionError(f"There was no {path} in {revision.commit.commit_id[:12]}.")
    return data


class StateAt(NamedTuple):
    """The commit of the workspace at a moment; ``seen``: known from records, not only from commit dates."""

    commit: Commit
    seen: bool


def as_of(history: History, moment: datetime, now: datetime) -> StateAt:
    """Return the state of the workspace at ``moment``.

    It is the newest commit not after ``moment`` on the first parents of the first tip seen later, but not before the last
    tip seen earlier: a wrong clock or a later reset of the branch does not matter.
    """
    before = after = None  # the tips last seen up to the moment, and first after it
    with suppress(RecordsError), open_records(history.state / RECORDS, now) as records:
        before, after = records.tips_around(moment, now)
    for start in (after, history.tip().commit_id):
        try:
            for commit in history.objects.first_parents(start):
                if commit.commit_id == before or commit.committed_at <= moment.timestamp():
                    return StateAt(_not_behind(history, commit, before), before is not None)
        except DamagedObjectError:
            if start != after:
                raise
    sentence = f"The history does not reach back to {moment:%Y-%m-%d %H:%M}."
    raise RevisionError(sentence, hint="`git log --reverse` shows where it begins.")


def commit_at(history: History, moment: datetime, now: datetime) -> str | None:
    """Return the commit of the workspace then, or the one that made it a workspace later; None before its history."""
    for commit in history.objects.first_parents(history.tip().commit_id):
        if commit.committed_at <= moment.timestamp():
            break
        if (commit.trailers.first("Clawgit-Op") or "").startswith(INIT_OP):
            return commit.commit_id
    with suppress(RevisionError):
        return as_of(history, moment, now).commit.commit_id
    return None


def _not_behind(history: History, commit: Commit, before: str | None) -> Commit:
    """Return ``commit``, or the earlier seen tip if that is further: the branch was reset later."""
    with suppress(DamagedObjectError):  # an unpinned tip is deleted in time
        for ancestor in history.objects.first_parents(before):
            if ancestor.commit_id == commit.commit_id:
                return history.objects.commit(before or commit.commit_id)
            if ancestor.committed_at < commit.committed_at:
                break
    return commit


class FileDiff(NamedTuple):
    """One file's changes between two states; ``made`` or ``gone`` if only one of them has it."""

    path: str
    sections: tuple[SectionChange, ...]
    made: bool = False
    gone: bool = False


def compare(
    history: History, old: Revision, new: Revision | None, paths: Iterable[str]
) -> Iterator[FileDiff]:
    """Yield the differences in ``paths`` from ``old`` to ``new``; None is the working tree."""
    for path in paths:
        before = history.tree_of(old.commit.commit_id).read(check_path(path))
        if new is None:
            after = data_of(read_file(history.root, path, at_most=history.settings.max_file_bytes))
        else:
            after = history.tree_of(new.commit.commit_id).read(path)
        if before != after:
            yield compare_texts(path, before, after)


def compare_texts(path: str, before: bytes | None, after: bytes | None) -> FileDiff:
    """Return the differences between two texts of a file for display: secrets are masked. None for no file."""
    changes = section_diff(before or b"", after or b"")
    old, new = (_masked_lines(text or b"") for text in (before, after))
    if old or new:
        sections: list[SectionChange] = []
        for section in changes:
            lines = tuple(_masked(change, old, new) for change in section.changes)
            sections.append(SectionChange(section.section, lines))
        changes = tuple(sections)
    return FileDiff(path, changes, made=before is None, gone=after is None)


def _masked_lines(data: bytes) -> dict[int, str]:
    """Return number → masked line for lines that hold a part of a secret, such as each line of a key."""
    lines = data.decode("utf-8", "surrogateescape")
    masked = redact_lines(lines)
    if masked == lines:
        return {}
    pairs = zip(split_lines(data), split_lines(masked.encode("utf-8", "surrogateescape")), strict=False)
    changed: dict[int, str] = {}
    for number, (line, without) in enumerate(pairs, 1):
        if line != without:
            changed[number] = without.decode("utf-8", "surrogateescape").rstrip("\r\n")
    return changed


def _masked(change: LineChange, old: Mapping[int, str], new: Mapping[int, str]) -> LineChange:
    if change.old_line not in old and change.new_line not in new:
        return change
    was = old.get(change.old_line or 0, change.old)
    now = new.get(change.new_line or 0, change.new)
    pieces = word_diff(was, now) if change.pieces else ()
    return change._replace(old=was, new=now, pieces=pieces)


SOUL = "SOUL.md"


class DriftDay(NamedTuple):
    """The distance from the baseline at the end of a day that changed the soul, and the authors of its changes."""

    day: date
    distance: float
    changes: int
    actors: tuple[str, ...]


class SoulDrift(NamedTuple):
    """Drift from the baseline to the tip; ``by`` has the change behind each differing principle, None if unknown."""

    baseline: Commit
    now: Drift
    days: tuple[DriftDay, ...]
    by: tuple[LoggedChange | None, ...]


def _find_baseline(history: History) -> Commit:
    """Return the default baseline of drift: the newest snapshot, else the first SOUL.md."""
    snapshot = next(_snapshots(history), None)
    if snapshot is not None:
        return snapshot
    first = next((change for change in read_first_parents(history, SOUL) if change.files[0].new), None)
    if first is None:
        raise RevisionError("There is no SOUL.md in the history yet.", hint="`clawgit keep` commits it.")
    return history.objects.commit(first.commit_id)


def read_drift(history: History, baseline: Commit | None, *, most_days: int = 0) -> SoulDrift:
    """Compare SOUL.md with the baseline at the end of days that changed it: of all, or of ``most_days`` spread over them."""
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
    return SoulDrift(baseline, now, tuple(days), _introduced(history, changes, now.principles))


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
    return tuple(map(since.get, range(len(differing))))


def drift_alarm(history: History) -> str:
    """Return a sentence if the committed SOUL.md is farther from its baseline than `drift_alarm` allows, else ""."""
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


def export_soul(history: History, folder: Path) -> list[str]:
    """Write changes (`2026-03-19T1022-what.md`) and snapshots (`2026-03-19-name.md`); return the names.

    An equal file stays; if a file has another text, nothing is written.
    """
    texts = {name: text_of(history, copy) for name, copy in sorted(all_copies(history).items())}
    if folder.resolve().is_relative_to(history.folder.resolve()) or (folder.exists() and not folder.is_dir()):
        raise ClawgitError(f"{folder} is no folder for copies of the soul.", hint="Give another folder.")
    with storage_errors(folder if folder.exists() else history.root):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        present = {name: read_file(folder, name) for name in texts}
        for name, present_file in present.items():
            if present_file is not None and present_file.data != texts[name]:
                sentence = f"{folder / name} exists and reads otherwise, so nothing was written."
                raise ClawgitError(sentence, hint="Move it away, or give another folder.")
        for name, text in texts.items():
            if present[name] is None:
                write_file(folder, name, FileContent(text))
    return list(texts)
