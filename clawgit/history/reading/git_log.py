"""`git log` as values: a commit is a `LoggedChange`, read by the git program over the clean view.

Also the lines that each commit added and removed, and the changes that many commits made or reach.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from functools import reduce
from itertools import islice
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship import actors
from clawgit.history.git.git_program import git_output, git_tokens
from clawgit.history.git.objects import TRUE_TIME, Commit, git_seconds
from clawgit.history.git.refs import PAST
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.markdown.lines import split_lines
from clawgit.text.trailers import REVERTS, true_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clawgit.history.git.repository import History


SOUL_FILES = ("SOUL.md", "IDENTITY.md")
_FILES = ("--raw", "--no-abbrev", "--no-renames", "--no-ext-diff")
# With these, a change has its files; a merge those that differ from all its parents.
WITH_FILES = (*_FILES, "--diff-merges=combined")
_FORMAT = "--format=%H%x00%T%x00%P%x00%aI%x00%ct%x00%an <%ae> %at%x00%cn <%ce> %ct%x00%B"
_FIELDS = 8
_DATE = 4  # the field of the committer's date
_ID = lazy_bytes_pattern(rb"[0-9a-f]")
_GIT_REVERTS = lazy_pattern(r"^This reverts commit [0-9a-f]{7,40}\b", re.MULTILINE)
_FILE_MODE = "100"
_AT_ONCE = 500
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
_YEARS = range(1000, 9000)


class FileStep(NamedTuple):
    """One file's blobs in a commit's parents and in the commit; None for no (regular) file."""

    path: str
    olds: tuple[str | None, ...]
    new: str | None


_HEARING = ("memory-miner", "recall-validator")  # the agents that keep a message's content at once
_BESIDE = ("linked: ", "correction open: ")


class LoggedChange(Commit):
    """A commit of `git log`, with its files if requested; ``unvouched`` as in `Authorship`.

    ``at`` is the author's date as git writes it, or the time in `Clawgit-At`.
    """

    at: str = ""
    files: tuple[FileStep, ...] = ()
    unvouched: bool = False
    committed_by: str = ""  # by `other_person`
    left_out: bool = False  # only a pinned earlier tip has it

    @property
    def op(self) -> str | None:
        """Return the op, None for a commit that clawgit did not make or that has another signature."""
        if not actors.is_signature_of(self.trailers.first("Clawgit-Actor"), self.author):
            return None
        return self.trailers.first("Clawgit-Op")

    @property
    def actor(self) -> str:
        return actors.actor_of(self.trailers, self.author, unvouched=self.unvouched)

    def signed_by(self, names: Mapping[str, str]) -> str:
        """Return the displayed actor, by ``names``; an operator who acted in a host's process is *unattended*."""
        actor = actors.with_person(names.get(self.actor, self.actor), self.committed_by)
        if self.actor == actors.OPERATOR and self.trailers.first("Clawgit-Unattended") is not None:
            return f"{actor}, unattended"
        return actor

    @property
    def way_back(self) -> str:
        """Return the command that takes it back; a merge is not one change, and is shown."""
        verb = "git show" if len(self.parent_ids) > 1 else "clawgit undo"
        return f"{verb} {self.commit_id[:12]}"

    @property
    def reason(self) -> str:
        return " ".join(self.body)

    @property
    def by_message(self) -> bool:
        """Say whether clawgit made it for a host, after it checked the operator's message that it names."""
        is_hosts = self.one_hand and actors.is_signature_of(actors.HOST, self.author)
        return is_hosts and actors.rests_on_message(self.trailers) and not self.unvouched

    @property
    def is_his_word(self) -> bool:
        """Say whether it keeps the operator's own words: made at once for a message, not in a job's slot."""
        trailers = self.trailers
        is_in_slot = trailers.first("Clawgit-Slot") is not None
        is_his = self.actor in _HEARING and trailers.first("Clawgit-Trust") == actors.OPERATOR
        return is_his and not is_in_slot and actors.rests_on_message(trailers)

    @property
    def is_beside(self) -> bool:
        """Say whether it leaves the lines as they are: words beside one, or a question."""
        return self.subject.startswith(_BESIDE)

    @property
    def snapshot(self) -> str | None:
        return self.trailers.first("Clawgit-Snapshot")

    @property
    def takes_back(self) -> bool:
        """Say whether it reverts others, as `undo`, `soul revert` and `git revert` write it."""
        by_clawgit = self.trailers.first(REVERTS) is not None
        return by_clawgit or _GIT_REVERTS.search(self.message) is not None

    @property
    def moment(self) -> datetime:
        return moment_of(self.at)


def moment_of(at: str) -> datetime:
    """Return an author's date; one outside of the calendar is the beginning of time."""
    with suppress(ValueError):
        moment = datetime.fromisoformat(at)
        if moment.year in _YEARS:
            return moment
    return NEVER


class ToldCommit(NamedTuple):
    """Git's raw output for a commit; of most commits of a repository of code no more is parsed."""

    fields: tuple[bytes, ...]
    files: tuple[tuple[bytes, bytes], ...]  # of each git's status and its path

    @property
    def message(self) -> bytes:
        return self.fields[-1]

    @property
    def git_date(self) -> int:
        return git_seconds(self.fields[_DATE].decode())


class ChangeMaker:
    """Makes `LoggedChange`s of git's output."""

    def __init__(self, history: History) -> None:
        self._authors = actors.authorship(history)
        self._own = actors.author_of(history, actors.OPERATOR)

    def change(self, commit: ToldCommit) -> LoggedChange:
        steps = (_step(status.decode(), os.fsdecode(path)) for status, path in commit.files)
        fields = b"\0".join(commit.fields).decode("utf-8", "replace").split("\0")
        commit_id, tree_id, parents, at, git_date, author, committer, message = fields
        name, _, made = author.rpartition(" ")
        is_one_hand = author == committer or commit_id in self._authors.rewritten
        about = (name, git_seconds(git_date), message, is_one_hand, git_seconds(made))
        change = LoggedChange(commit_id, tree_id, tuple(parents.split()), *about)
        change.at = at
        if TRUE_TIME in message:
            moment = true_time(change.trailers, int(change.moment.timestamp()))
            if moment is not None:
                change.at = moment.isoformat(timespec="seconds")
        change.files = tuple(step for step in steps if step.new not in step.olds)
        change.unvouched = change.commit_id in self._authors.unvouched
        change.committed_by = actors.other_person(self._own, change)
        return change


def read_changes(history: History, *arguments: str, paths: Sequence[str] = ()) -> Iterator[LoggedChange]:
    """Yield the commits that `git log` lists; ``arguments`` are its options and the tips."""
    yield from map(ChangeMaker(history).change, read_told(history, *arguments, paths=paths))


def read_told(history: History, *arguments: str, paths: Sequence[str] = ()) -> Iterator[ToldCommit]:
    if all(argument.startswith(("-", "^")) for argument in arguments):
        return
    limited = ("--", *paths) if paths else ()
    tokens = git_tokens(history, "log", "-z", _FORMAT, *arguments, *limited)
    token: bytes | None = next(tokens, None)
    while token:
        fields = (token, *islice(tokens, _FIELDS - 1))
        files = []
        token = next(tokens, None)
        while token is not None and not _ID.match(token):
            if token:  # an empty token precedes a merge's files
                files.append((token, next(tokens)))
            token = next(tokens, None)
        yield ToldCommit(fields, tuple(files))


def read_log(
    history: History,
    paths: Sequence[str] = SOUL_FILES,
    *,
    limit: int | None = None,
    since: datetime | None = None,
) -> list[LoggedChange]:
    """Return the branch's commits that changed ``paths``, newest first, also those a merge left out; ``since``: author's date."""
    tip = history.tip().commit_id
    if tip is None:
        return []
    own: list[LoggedChange] = []
    for change in read_changes(history, "--full-history", tip, paths=paths):
        if limit is not None and len(own) >= limit:
            break
        is_own = len(change.parent_ids) < 2
        if not is_own:  # a merge that differs from all its parents
            here, *theirs = map(history.tree_of, (change.commit_id, *change.parent_ids))
            is_own = all(any(here.entry(path) != tree.entry(path) for path in paths) for tree in theirs)
        if is_own and (since is None or change.moment >= since):
            own.append(change)
    return own


def read_named(
    history: History, commit_ids: Iterable[str], *, with_files: bool = False
) -> dict[str, LoggedChange]:
    """Return commit → change for ``commit_ids``, by one process for many."""
    names = list(dict.fromkeys(commit_ids))
    options = ("--no-walk=unsorted", *(WITH_FILES if with_files else ()))
    commits = {}
    for start in range(0, len(names), _AT_ONCE):
        for change in read_changes(history, *options, *names[start : start + _AT_ONCE]):
            commits[change.commit_id] = change
    return commits


def _step(status: str, path: str) -> FileStep:
    """Read `:100644 100644 OLD NEW M`; a merge has a colon, a mode and an id for each parent."""
    words = status.lstrip("\n:").split()
    parents = len(status.strip("\n")) - len(status.lstrip("\n:"))
    modes, ids = words[: parents + 1], words[parents + 1 : 2 * parents + 2]
    pairs = zip(modes, ids, strict=True)
    *olds, new = (object_id if mode.startswith(_FILE_MODE) else None for mode, object_id in pairs)
    return FileStep(path, tuple(olds), new)


def renamed_since(history: History, commit_id: str, tree_id: str | None) -> dict[str, str]:
    """Return old path → new path of files that a later state has under another name."""
    options = ("-r", "-z", "-M", "--diff-filter=R", "--name-status", commit_id, tree_id or "")
    # `R100`, the old and the new name for each file, all ended by zero bytes
    names = list(map(os.fsdecode, git_output(history, "diff-tree", *options).split(b"\0")))
    return dict(zip(names[1::3], names[2::3], strict=False))


# Finds commits that views show without a change of the soul; a superset, matched on any line.
MARKED = "clawgit-(loss|snapshot)|memory-compactor"
OLDEST_FIRST = ("--topo-order", "--reverse")


def read_reached(history: History, *options: str, paths: Sequence[str] = ()) -> list[LoggedChange]:
    """Return the commits that `git log` lists with ``options`` (with ``paths``, those that changed them), oldest first.

    First those only on pinned earlier tips, which are ``left_out`` of the branch.
    """
    branch, past = tips(history)
    arguments = (*OLDEST_FIRST, *options, *((*WITH_FILES, "--full-history") if paths else ()))
    only_past = (*past, *(f"^{name}" for name in branch)) if past else ()
    left_out = list(read_changes(history, *arguments, *only_past, paths=paths))
    for change in left_out:
        change.left_out = True
    return [*left_out, *read_changes(history, *arguments, *branch, paths=paths)]


def read_first_parents(history: History, *paths: str, since: str | None = None) -> tuple[LoggedChange, ...]:
    """Return the commits that changed ``paths`` along the branch's first parents, oldest first, after ``since``."""
    options = (*OLDEST_FIRST, *WITH_FILES, "--first-parent", "--diff-merges=first-parent")
    after = () if since is None else (f"^{since}",)
    return tuple(read_changes(history, *options, *tips(history)[0], *after, paths=paths))


def tips(history: History) -> tuple[list[str], list[str]]:
    """Return the branch's tip (none before its first commit), and the pinned earlier ones, sorted."""
    tip = history.tip().commit_id
    return [] if tip is None else [tip], sorted(history.refs(PAST).values())


class ChangedLine(NamedTuple):
    """A line that a commit added or removed, without its end; its file, and its number (from 1) there."""

    is_added: bool
    path: str
    number: int
    raw: bytes


_PATCHES = (
    *("-p", "-U0", "--full-history", "--format=%x00%H"),
    *("--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", "--text"),
)
_SIDES = (b"--- a/", b"+++ b/")
_HUNK = lazy_bytes_pattern(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def read_lines(history: History, *arguments: str) -> Iterator[tuple[str, list[ChangedLine]]]:
    """Yield the commits that `git log` lists and the lines that each changed; a path that git quotes is empty."""
    output = git_output(history, "-c", "core.quotePath=false", "log", *_PATCHES, *arguments)
    lines = iter(output.split(b"\n"))
    commit_id, path = "", ""
    changed: list[ChangedLine] = []
    for line in lines:
        if line.startswith(b"\0"):
            if changed:
                yield commit_id, changed
            commit_id, changed = line[1:].decode(), []
        elif line.startswith(b"diff --git "):
            path = ""
        elif line.startswith(_SIDES):
            path = os.fsdecode(line[len(_SIDES[0]) :].removesuffix(b"\t"))
        elif header := _HUNK.match(line):
            changed += _lines_of_hunk(lines, path, header.groups())
    if changed:
        yield commit_id, changed


def _lines_of_hunk(
    lines: Iterator[bytes], path: str, header: Sequence[bytes | None]
) -> Iterator[ChangedLine]:
    old, old_count, new, new_count = (int(number or 1) for number in header)
    left = old_count + new_count
    while left:
        line = next(lines)
        if line.startswith(b"-"):
            yield ChangedLine(False, path, old, line[1:])
            old += 1
            left -= 1
        elif line.startswith(b"+"):
            yield ChangedLine(True, path, new, line[1:])
            new += 1
            left -= 1


class FileLines(NamedTuple):
    """The lines that a file gained and lost, wherever they were."""

    path: str
    came: tuple[bytes, ...]
    left: tuple[bytes, ...]

    @property
    def said(self) -> bytes:
        """Return bytes that are equal for equal changes."""
        return b"\0".join((self.path.encode(), b"+", *self.came, b"-", *self.left))


def file_changes(history: History, logged: LoggedChange) -> tuple[FileLines, ...]:
    """Return what ``logged`` changed; of a merge, lines that no parent had or that all of them lost."""
    return tuple(filter(None, (_file_change(history, step) for step in logged.files)))


def _file_change(history: History, step: FileStep) -> FileLines | None:
    olds = [b"" if old is None else history.objects.blob(old) for old in step.olds]
    new = b"" if step.new is None else history.objects.blob(step.new)
    here = Counter(split_lines(new))
    before = [Counter(split_lines(old)) for old in olds]
    came = reduce(and_, (here - old for old in before))
    left = reduce(and_, (old - here for old in before))
    if len(olds) > 1 and not came and not left:
        return None
    return FileLines(step.path, tuple(sorted(came.elements())), tuple(sorted(left.elements())))
