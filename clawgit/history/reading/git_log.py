"""`git log` as values: one commit is one `LoggedChange`, read by the git program over the clean view; and what many commits did, or reach."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import (
    HOST,
    OPERATOR,
    actor_of,
    author_of,
    is_signature_of,
    other_person,
    rests_on_message,
)
from clawgit.history.authorship.vouching import authorship
from clawgit.history.git.git_program import git_output
from clawgit.history.git.objects import TRUE_TIME, Commit, TreeEntry, git_seconds
from clawgit.history.git.refs import PAST
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.trailers import REVERTS, true_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Pair


SOUL_FILES = ("SOUL.md", "IDENTITY.md")
_FILES = ("--raw", "--no-abbrev", "--no-renames", "--no-ext-diff")
# With these, a change has its files; of a merge, those that read as in none of its parents …
WITH_FILES = (*_FILES, "--diff-merges=combined")
# … or a merge is listed once for each parent that it differs from, with the files that differ.
WITH_FILES_BY_PARENT = (*_FILES, "--diff-merges=separate")
_FORMAT = "--format=%H%x00%T%x00%P%x00%aI%x00%ct%x00%an <%ae> %at%x00%cn <%ce> %ct%x00%B"
_FIELDS = 8
_ID = lazy_bytes_pattern(rb"[0-9a-f]")
_GIT_REVERTS = lazy_pattern(r"^This reverts commit [0-9a-f]{7,40}\b", re.MULTILINE)
_FILE_MODE = "100"
_AT_ONCE = 500
_BEFORE_DATES = datetime(1970, 1, 1, tzinfo=UTC)
_YEARS = range(1000, 9000)


class FileStep(NamedTuple):
    """One file's blobs in a commit's parents and in the commit; None where there is no (regular) file."""

    path: str
    olds: tuple[str | None, ...]
    new: str | None


class LoggedChange(Commit):
    """A commit as `git log` tells it: with its files where they were asked for, and whether anybody vouched for it.

    ``at`` is the author's date as git writes it, or the time in `Clawgit-At`.
    """

    at: str = ""
    files: tuple[FileStep, ...] = ()
    unvouched: bool = False
    committed_by: str = ""  # the name of its author, where git knows the operator by another address

    @property
    def op(self) -> str | None:
        """Return the change's op, None for a commit that clawgit did not make or that is signed as clawgit never does."""
        if not is_signature_of(self.trailers.first("Clawgit-Actor"), self.author):
            return None
        return self.trailers.first("Clawgit-Op")

    @property
    def actor(self) -> str:
        return actor_of(self.trailers, self.author, unvouched=self.unvouched)

    def signed_by(self, names: Mapping[str, str]) -> str:
        """Return who made it, as it is shown, by ``names`` of actors: an operator who acted in a host's process, *unattended*."""
        actor = names.get(self.actor, self.actor)
        if self.committed_by:
            actor += f", committed by {self.committed_by}"
        if self.actor == OPERATOR and self.trailers.first("Clawgit-Unattended") is not None:
            return f"{actor}, unattended"
        return actor

    @property
    def reason(self) -> str:
        return " ".join(line[2:] for line in self.message.split("\n")[1:] if line.startswith("> "))

    @property
    def by_message(self) -> bool:
        """Say whether clawgit made it for a host, after a look at the message of the operator's that it names."""
        is_hosts = self.one_hand and is_signature_of(HOST, self.author)
        return is_hosts and rests_on_message(self.trailers) and not self.unvouched

    @property
    def snapshot(self) -> str | None:
        return self.trailers.first("Clawgit-Snapshot")

    @property
    def takes_back(self) -> bool:
        """Say whether it takes others back, as `undo`, `soul revert` and `git revert` write it."""
        by_clawgit = self.trailers.first(REVERTS) is not None
        return by_clawgit or _GIT_REVERTS.search(self.message) is not None

    @property
    def moment(self) -> datetime:
        """Return the author's date; one that no calendar has counts as the beginning of time."""
        try:
            moment = datetime.fromisoformat(self.at)
        except ValueError:
            return _BEFORE_DATES
        if moment.year not in _YEARS:
            return _BEFORE_DATES
        return moment


def read_changes(history: History, *arguments: str, paths: Sequence[str] = ()) -> Iterator[LoggedChange]:
    """Yield the commits that `git log` lists; ``arguments`` are its options and the tips."""
    if all(argument.startswith(("-", "^")) for argument in arguments):
        return
    limited, unvouched = ("--", *paths) if paths else (), authorship(history).unvouched
    own = author_of(history, OPERATOR)
    tokens = git_output(history, "log", "-z", _FORMAT, *arguments, *limited).split(b"\0")
    at = 0
    while at + _FIELDS < len(tokens):
        fields = [token.decode("utf-8", "replace") for token in tokens[at : at + _FIELDS]]
        at += _FIELDS
        steps = []
        while at < len(tokens) and not _ID.match(tokens[at]):
            if tokens[at]:  # before a merge's files stands one empty token more
                steps.append(_step(tokens[at].decode(), os.fsdecode(tokens[at + 1])))
            at += 2 if tokens[at] else 1
        change = _change(fields)
        change.files = tuple(step for step in steps if step.new not in step.olds)
        change.unvouched = change.commit_id in unvouched
        change.committed_by = other_person(own, change.author)
        yield change


def read_log(
    history: History,
    paths: Sequence[str] = SOUL_FILES,
    *,
    limit: int | None = None,
    since: datetime | None = None,
) -> list[LoggedChange]:
    """Return the branch's commits that changed ``paths``, newest first, what a merge left out too; ``since`` is by the author's date."""
    tip = history.tip().commit_id
    if tip is None:
        return []
    own: list[LoggedChange] = []
    for change in read_changes(history, "--full-history", tip, paths=paths):
        if limit is not None and len(own) >= limit:
            break
        is_own = len(change.parent_ids) < 2 or _is_own(history, change, paths)
        if is_own and (since is None or change.moment >= since):
            own.append(change)
    return own


def read_named(
    history: History, commit_ids: Iterable[str], *, with_files: bool = False
) -> dict[str, LoggedChange]:
    """Return commit → change for each of ``commit_ids``; one process for many of them."""
    wanted = list(dict.fromkeys(commit_ids))
    asked = ("--no-walk=unsorted", *(WITH_FILES if with_files else ()))
    found = {}
    for start in range(0, len(wanted), _AT_ONCE):
        for change in read_changes(history, *asked, *wanted[start : start + _AT_ONCE]):
            found[change.commit_id] = change
    return found


def _is_own(history: History, change: LoggedChange, paths: Sequence[str]) -> bool:
    """Say whether a merge made the files read as in none of its parents."""
    here, *theirs = (history.tree_of(name) for name in (change.commit_id, *change.parent_ids))
    return all(any(here.entry(path) != tree.entry(path) for path in paths) for tree in theirs)


def _change(fields: Sequence[str]) -> LoggedChange:
    commit_id, tree_id, parents, at, git_date, author, committer, message = fields
    name, _, _ = author.rpartition(" ")
    is_one_hand = author == committer
    change = LoggedChange(
        commit_id, tree_id, tuple(parents.split()), name, git_seconds(git_date), message, is_one_hand
    )
    change.at = at
    if TRUE_TIME in message:
        moment = true_time(change.trailers, int(change.moment.timestamp()))
        if moment is not None:
            change.at = moment.isoformat(timespec="seconds")
    return change


def _step(said: str, path: str) -> FileStep:
    """Read `:100644 100644 OLD NEW M`; a merge's has a colon, a mode and an id for each parent."""
    words = said.lstrip("\n:").split()
    parents = len(said.strip("\n")) - len(said.lstrip("\n:"))
    modes, ids = words[: parents + 1], words[parents + 1 : 2 * parents + 2]
    blobs: list[str | None] = []
    for mode, object_id in zip(modes, ids, strict=True):
        blobs.append(object_id if mode.startswith(_FILE_MODE) else None)
    return FileStep(path, tuple(blobs[:-1]), blobs[-1])


_RAW = ("-r", "--raw", "--no-renames", "--no-abbrev", "-z")
_NAME_ONLY = "--format=%x00%H"
_OPTIONS = ("--topo-order", "--reverse", "-z", "-M", "--diff-filter=R", "--name-status", "--no-color")


def read_steps(history: History, commits: Iterable[Commit]) -> dict[str, dict[str, Pair]]:
    """Return commit → path → what was there before it and after it; for merges and first commits nothing."""
    steps: dict[str, dict[str, Pair]] = {commit.commit_id: {} for commit in commits}
    names = "".join(f"{name}\n" for name in steps).encode()
    fields = iter(git_output(history, "diff-tree", "--stdin", *_RAW, stdin=names).split(b"\0"))
    commit_id = ""
    for field in fields:
        if field.startswith(b":"):
            old_mode, new_mode, old, new, _ = field[1:].split(b" ")
            pair = (_entry(old_mode, old), _entry(new_mode, new))
            steps[commit_id][os.fsdecode(next(fields))] = pair
        elif field:
            commit_id = field.decode()
    return steps


def _entry(mode: bytes, object_id: bytes) -> TreeEntry | None:
    if not mode.strip(b"0"):
        return None
    return TreeEntry(object_id.decode(), int(mode, 8))


class Renames:
    """Follows files from a commit to the tip."""

    def __init__(self, history: History, commits: Sequence[Commit]) -> None:
        self._history = history
        self._since = [f"^{parent}" for commit in commits[-1:] for parent in commit.parent_ids]
        self._steps: list[tuple[int, str, str]] | None = None
        self._order: dict[str, int] = {}

    def follow(self, path: str, commit_id: str) -> str | None:
        """Return where the file stands that ``commit_id`` had at ``path``, None if no commit since renamed it."""
        if self._steps is None:
            self._steps = self._read()
        at = path
        for order, old, new in self._steps:
            if old == at and order > self._order.get(commit_id, -1):
                at = new
        if at == path:
            return None
        return at

    def _read(self) -> list[tuple[int, str, str]]:
        tip = self._history.tip().commit_id or ""
        names = git_output(self._history, "rev-list", "--topo-order", "--reverse", tip, *self._since, "--")
        self._order = {name: at for at, name in enumerate(names.decode().split())}
        renames = git_output(self._history, "log", *_OPTIONS, _NAME_ONLY, tip, *self._since, "--")
        # `ID`, then `R100`, the old and the new name for each file, all ended by zero bytes
        steps = []
        order = -1
        fields = iter(renames.split(b"\0"))
        for field in fields:
            if field.lstrip(b"\n").startswith(b"R"):
                old = os.fsdecode(next(fields))
                steps.append((order, old, os.fsdecode(next(fields))))
            elif field:
                order = self._order[field.decode()]
        return steps


# What makes a commit one for the views although it touches no file of the soul; a superset, found on any line.
MARKED = "clawgit-(loss|snapshot)|memory-compactor"
OLDEST_FIRST = ("--topo-order", "--reverse")


class Reached(NamedTuple):
    """Changes that the branch reaches, and those that only pinned earlier tips do; each oldest first."""

    branch: tuple[LoggedChange, ...]
    past: tuple[LoggedChange, ...]


def read_reached(history: History, *options: str, paths: Sequence[str] = ()) -> Reached:
    """Return the commits that `git log` lists with ``options``; with ``paths``, those that changed them."""
    branch, past = tips(history)
    asked = (*OLDEST_FIRST, *options, *((*WITH_FILES, "--full-history") if paths else ()))
    only_past = (*past, *(f"^{name}" for name in branch)) if past else ()
    return Reached(
        tuple(read_changes(history, *asked, *branch, paths=paths)),
        tuple(read_changes(history, *asked, *only_past, paths=paths)),
    )


def read_first_parents(history: History, *paths: str, since: str | None = None) -> tuple[LoggedChange, ...]:
    """Return the commits that changed ``paths`` along the branch's first parents, oldest first, after ``since``."""
    options = (*OLDEST_FIRST, *WITH_FILES, "--first-parent", "--diff-merges=first-parent")
    after = () if since is None else (f"^{since}",)
    return tuple(read_changes(history, *options, *tips(history)[0], *after, paths=paths))


def tips(history: History) -> tuple[list[str], list[str]]:
    """Return the branch's tip (none before its first commit), and the pinned earlier ones in their order."""
    tip = history.tip().commit_id
    return [] if tip is None else [tip], sorted(history.refs(PAST).values())
