"""Which statement somebody means: by some of its words, its id, its place, or the commit that brought it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, UsageError
from clawgit.history.states.revisions import RevisionError, find_revision
from clawgit.history.undo.forgetting import find_brought, find_entry, find_lines, find_place
from clawgit.operations.paths import line_named, looks_like_commit, workspace_path
from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.undo.forgetting import Line, Meant


def find_statement(history: History, what: str, now: datetime) -> Meant:
    """Return the lines that somebody may mean by words, an id (`m:…`), a place (`PATH:LINE`) or a commit."""
    if what.startswith("x:"):
        raise UsageError(f"{what} is a correction.", hint=f"`clawgit undo {what}` withdraws it.")
    if what.startswith(MESSAGE):
        raise UsageError(
            f"{what} is a message, and messages stay.",
            hint=f"`clawgit undo --source {what}` takes back what rests on it.",
        )
    if what.startswith("m:"):
        return find_entry(history, what)
    place = line_named(what)
    if place is not None:
        return find_place(history, workspace_path(history.root, place[0]), place[1])
    commit_id = commit_named(history, what, now)
    if commit_id is not None:
        return find_brought(history, commit_id)
    return find_lines(history, what)


def commit_named(history: History, what: str, now: datetime) -> str | None:
    """Return the commit that ``what`` is the id of, or the beginning of it; None for anything else."""
    if looks_like_commit(what):
        with suppress(RevisionError):
            return find_revision(history, what, now).commit.commit_id
    return None


def is_place(history: History, what: str, now: datetime) -> bool:
    """Say whether somebody names a place or a commit, and neither words nor an id."""
    return line_named(what) is not None or commit_named(history, what, now) is not None


def one_statement(history: History, what: str, now: datetime) -> Line:
    """Return the only statement that is surely meant.

    Raises:
        ClawgitError: Several may be, or one that is only like the words; they are named.
    """
    meant = find_statement(history, what, now)
    if len(meant.lines) == 1 and meant.is_sure:
        return meant.lines[0]
    named = []
    for line in meant.lines[:5]:
        named.append(f'{line.mark or line.place} "{line.statement.words}"')
    raise ClawgitError(f"{what} may mean: {', '.join(named)}.", hint="Name it by its id or place.")
