"""What a person means by a revision (a commit's name as git takes it, a day, a moment), and how two of them differ."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.intent import INIT_OP
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.git.refs import BRANCHES
from clawgit.history.states.snapshots import find_snapshot, is_gits_own
from clawgit.text.markdown.section_diff import SectionChange, section_diff
from clawgit.text.words.spoken_times import EXAMPLES, time_meant
from clawgit.workspace.records.records import RECORDS, open_records
from clawgit.workspace.records.sqlite_files import RecordsError
from clawgit.workspace.safe_files import check_path, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History


class RevisionError(ClawgitError):
    """No commit is meant by that word."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit, and the time by which it was meant (then it is the last one until then).

    ``otherwise``: the word is a snapshot's name, and how to name the other thing that it could mean.
    """

    commit: Commit
    until: datetime | None = None
    otherwise: str = ""


def find_revision(history: History, word: str, now: datetime) -> Revision:
    """Return the commit that ``word`` names: a snapshot by its name, a day (its end), or git's own names.

    A snapshot's name goes before a day or a branch of the same name.
    """
    plain = _by_git(history, word) if is_gits_own(word) else None
    if plain is not None:
        return Revision(plain)
    span = time_meant(word, now, history.settings.time_zone)
    moment = None if span is None else span.last
    snapshot = find_snapshot(history, word)
    if snapshot is not None:
        return Revision(snapshot, otherwise=_otherwise(history, word, moment))
    if moment is not None:
        return Revision(_at(history, word, moment), until=moment)
    found = _by_git(history, word)
    if found is None:
        raise RevisionError(
            f"There is no commit or snapshot {word}.",
            hint=f"Name one that `clawgit soul log` shows, or a time: {EXAMPLES}.",
        )
    return Revision(found)


def text_at(history: History, revision: Revision, path: str) -> bytes:
    """Return the file's bytes as that commit has them."""
    data = history.tree_of(revision.commit.commit_id).read(check_path(path))
    if data is None:
        raise RevisionError(f"There was no {path} in {revision.commit.commit_id[:12]}.")
    return data


def _at(history: History, word: str, moment: datetime) -> Commit:
    for commit in history.objects.first_parents(history.tip().commit_id):
        if commit.committed_at <= moment.timestamp():
            return commit
    raise RevisionError(
        f"The history does not reach back to {word}.", hint="`clawgit soul log` shows where it begins."
    )


def _otherwise(history: History, word: str, moment: datetime | None) -> str:
    """Return how to name what else a snapshot's name could mean."""
    if moment is not None:
        return f"for the day, write {moment:%Y-%m-%dT%H:%M:%S}"
    if history.target(BRANCHES + word) is not None:
        return f"for the branch, write {BRANCHES}{word}"
    other = _by_git(history, word)
    return "" if other is None else f"for the commit, write {other.commit_id}"


def _by_git(history: History, word: str) -> Commit | None:
    try:
        found = history.repo.revparse_single(word).peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError):
        return None
    return history.objects.commit(str(found.id))


@dataclass(frozen=True, slots=True)
class AsOf:
    """The commit at which the workspace stood; ``seen`` says whether records tell so, or only commit dates."""

    commit: Commit
    seen: bool


def as_of(history: History, moment: datetime, now: datetime) -> AsOf:
    """Return the state of the workspace at ``moment``.

    From the first tip that was seen after it (else the present one) back along first parents to the newest
    commit that is not younger, but never behind the last tip that was seen before: a clock that went wrong
    and a branch that was reset since change nothing about what was there.
    """
    before, after = _tips_around(history, moment, now)
    for start in (after, history.tip().commit_id):
        try:
            for commit in history.objects.first_parents(start):
                if commit.commit_id == before or commit.committed_at <= moment.timestamp():
                    return AsOf(_not_behind(history, commit, before), before is not None)
        except DamagedObjectError:
            if start != after:
                raise
    raise RevisionError(
        f"The history does not reach back to {moment:%Y-%m-%d %H:%M}.",
        hint="`git log --reverse` shows where it begins.",
    )


def commit_at(history: History, moment: datetime, now: datetime) -> str | None:
    """Return the commit at which the workspace stood then, or became one later; None before its history."""
    for commit in history.objects.first_parents(history.tip().commit_id):
        if commit.committed_at <= moment.timestamp():
            break
        if (commit.trailers.first("Clawgit-Op") or "").startswith(INIT_OP):
            return commit.commit_id
    with suppress(RevisionError):
        return as_of(history, moment, now).commit.commit_id
    return None


def _not_behind(history: History, commit: Commit, before: str | None) -> Commit:
    """Return ``commit``, or the tip that was seen before if that had gone further: the branch was reset later."""
    with suppress(DamagedObjectError):  # a tip that nobody pinned is gone by now
        for known in history.objects.first_parents(before):
            if known.commit_id == commit.commit_id:
                return history.objects.commit(before or commit.commit_id)
            if known.committed_at < commit.committed_at:
                break
    return commit


def _tips_around(history: History, moment: datetime, now: datetime) -> tuple[str | None, str | None]:
    """Return the last tip that was seen up to ``moment``, and the first one behind it; None where none was."""
    try:
        with open_records(history.state / RECORDS, now) as records:
            return records.tips_around(moment, now)
    except RecordsError:
        return None, None


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file's changes between two states; ``made`` or ``gone`` where it is in one of them only."""

    path: str
    sections: tuple[SectionChange, ...]
    made: bool = False
    gone: bool = False


def compare(
    history: History, old: Revision, new: Revision | None, paths: Iterable[str]
) -> Iterator[FileDiff]:
    """Yield what differs in ``paths`` from ``old`` to ``new``; None is the working tree."""
    for path in paths:
        before = history.tree_of(old.commit.commit_id).read(check_path(path))
        after = _present(history, path) if new is None else history.tree_of(new.commit.commit_id).read(path)
        if before != after:
            yield compare_texts(path, before, after)


def compare_texts(path: str, before: bytes | None, after: bytes | None) -> FileDiff:
    """Return what differs between two texts of a file; None is no file."""
    changes = section_diff(before or b"", after or b"")
    return FileDiff(path, changes, made=before is None, gone=after is None)


def _present(history: History, path: str) -> bytes | None:
    content = read_file(history.root, path, at_most=history.settings.max_file_bytes)
    return None if content is None else content.data
