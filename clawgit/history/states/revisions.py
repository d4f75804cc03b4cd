"""What a person means by a revision: a commit's name as git takes it, or a day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.refs import BRANCHES
from clawgit.history.states.snapshots import find_snapshot, is_gits_own
from clawgit.workspace.safe_files import check_path

if TYPE_CHECKING:
    from datetime import tzinfo

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

_FIRST, _LAST = 1, 9999  # years: in another zone their first and last days have no date


class RevisionError(ClawgitError):
    """No commit is meant by that word."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit, and whether it was meant by a day (then it is the last one of that day or before).

    ``otherwise``: the word is a snapshot's name, and how to name the other thing that it could mean.
    """

    commit: Commit
    by_date: bool = False
    otherwise: str = ""


def find_revision(history: History, word: str, zone: tzinfo | None) -> Revision:
    """Return the commit that ``word`` names: a snapshot by its name, a day (its end, in ``zone``), or git's own names.

    A snapshot's name goes before a day or a branch of the same name.

    Raises:
        RevisionError: There is no such commit, or nothing is as old as that day.
    """
    plain = _by_git(history, word) if is_gits_own(word) else None
    if plain is not None:
        return Revision(plain)
    moment = moment_meant(word, zone)
    snapshot = find_snapshot(history, word)
    if snapshot is not None:
        return Revision(snapshot, otherwise=_otherwise(history, word, moment))
    if moment is not None:
        return Revision(_at(history, word, moment), by_date=True)
    found = _by_git(history, word)
    if found is None:
        raise RevisionError(
            f"There is no commit or snapshot {word}.",
            hint="Name one that `clawgit soul log` shows, or a day such as 2026-03-19.",
        )
    return Revision(found)


def text_at(history: History, revision: Revision, path: str) -> bytes:
    """Return the file's bytes as that commit has them.

    Raises:
        RevisionError: There was no such file then.
    """
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


def moment_meant(word: str, zone: tzinfo | None) -> datetime | None:
    """Return the time that ``word`` names, for a day its end; None if it names none."""
    try:
        day = date.fromisoformat(word)
    except ValueError:
        day = None
    if day is not None and not _FIRST < day.year < _LAST:
        return None
    if day is not None:
        return datetime.combine(day + timedelta(days=1), time(), zone) - timedelta(seconds=1)
    try:
        moment = datetime.fromisoformat(word)
    except ValueError:
        return None
    if not _FIRST < moment.year < _LAST:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _by_git(history: History, word: str) -> Commit | None:
    try:
        found = history.repo.revparse_single(word).peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError):
        return None
    return history.objects.commit(str(found.id))
