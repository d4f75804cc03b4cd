"""`git log` as values: one commit is one `LoggedChange`, read by the git program over the clean view."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import HOST, OPERATOR, actor_of, is_signature_of, rests_on_message
from clawgit.history.authorship.vouching import authorship
from clawgit.history.git.git_program import run_git
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.trailers import REVERTS, Trailers, parse_trailers, true_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clawgit.history.git.repository import History

SOUL_FILES = ("SOUL.md", "IDENTITY.md")
LOG_SECONDS = 600
_FILES = ("--raw", "--no-abbrev", "--no-renames", "--no-ext-diff")
# With these, a change has its files; of a merge, those that read as in none of its parents …
WITH_FILES = (*_FILES, "--diff-merges=combined")
# … or a merge is listed once for each parent that it differs from, with the files that differ.
WITH_FILES_BY_PARENT = (*_FILES, "--diff-merges=separate")
_FORMAT = "--format=%H%x00%P%x00%aI%x00%ct%x00%an <%ae>%x00%cn <%ce>%x00%B"
_FIELDS = 7
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


class LoggedChange(NamedTuple):
    """One commit as `git log` tells it; ``at`` is the author's date as git writes it, or the time in `Clawgit-At`."""

    commit_id: str
    parent_ids: tuple[str, ...]
    at: str
    committed_at: int
    author: str
    committer: str
    message: str
    trailers: Trailers
    files: tuple[FileStep, ...] = ()
    unvouched: bool = False

    @property
    def op(self) -> str | None:
        """Return the change's op, None for a commit that clawgit did not make or that is signed as clawgit never does."""
        named = self.trailers.first("Clawgit-Actor")
        return self.trailers.first("Clawgit-Op") if is_signature_of(named, self.author) else None

    @property
    def actor(self) -> str:
        """Return who made it."""
        return actor_of(self.trailers, self.author, unvouched=self.unvouched)

    @property
    def signed(self) -> str:
        """Return who made it, as it is shown: an operator who acted in a host's process, *unattended*."""
        marked = self.actor == OPERATOR and self.trailers.first("Clawgit-Unattended") is not None
        return f"{self.actor}, unattended" if marked else self.actor

    @property
    def is_original(self) -> bool:
        """Say whether it is as it was made: a rebase, a pick or an amend leaves the author and changes the committer."""
        return self.author == self.committer and int(self.moment.timestamp()) == self.committed_at

    @property
    def summary(self) -> str:
        """Return the subject."""
        return self.message.split("\n", 1)[0]

    @property
    def reason(self) -> str:
        """Return what the body quotes, on one line."""
        return " ".join(line[2:] for line in self.message.split("\n")[1:] if line.startswith("> "))

    @property
    def evidence(self) -> tuple[str, ...]:
        """Return what the change says that it rests on."""
        return self.trailers.all("Clawgit-Evidence")

    @property
    def by_message(self) -> bool:
        """Say whether clawgit made it for a host, after a look at the message of the operator's that it names."""
        is_hosts = self.author == self.committer and is_signature_of(HOST, self.author)
        is_whole = self.is_original and rests_on_message(self.trailers)
        return is_hosts and is_whole and not self.unvouched

    @property
    def snapshot(self) -> str | None:
        """Return the name that the change gives to the state of the soul, if it does."""
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
            found = datetime.fromisoformat(self.at)
        except ValueError:
            return _BEFORE_DATES
        return found if found.year in _YEARS else _BEFORE_DATES


def read_changes(history: History, *arguments: str, paths: Sequence[str] = ()) -> Iterator[LoggedChange]:
    """Yield the commits that `git log` lists, in its order; ``arguments`` are its options and the tips.

    With ``paths``, only commits that git takes for having changed them, and only these as files.
    """
    if all(argument.startswith(("-", "^")) for argument in arguments):
        return
    limited, unvouched = ("--", *paths) if paths else (), authorship(history).unvouched
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
        changed = _change(fields, tuple(step for step in steps if step.new not in step.olds))
        yield changed._replace(unvouched=changed.commit_id in unvouched)


def read_log(
    history: History,
    paths: Sequence[str] = SOUL_FILES,
    *,
    limit: int | None = None,
    since: datetime | None = None,
) -> list[LoggedChange]:
    """Return the branch's commits that changed ``paths``, newest first.

    What a merge left out is listed too: it happened. ``since`` is by the author's date, which a rebase leaves as it is.
    """
    tip = history.tip().commit_id
    if tip is None:
        return []
    own = (
        change
        for change in read_changes(history, "--full-history", tip, paths=paths)
        if (since is None or change.moment >= since)
        and (len(change.parent_ids) < 2 or _is_own(history, change, paths))
    )
    return list(islice(own, limit))


def read_named(
    history: History, commit_ids: Iterable[str], *, with_files: bool = False
) -> dict[str, LoggedChange]:
    """Return commit → change for each of ``commit_ids``; one process for many of them."""
    wanted = list(dict.fromkeys(commit_ids))
    found = {}
    for start in range(0, len(wanted), _AT_ONCE):
        names = wanted[start : start + _AT_ONCE]
        for change in read_changes(
            history, "--no-walk=unsorted", *(WITH_FILES if with_files else ()), *names
        ):
            found[change.commit_id] = change
    return found


def git_output(history: History, *arguments: str, stdin: bytes = b"") -> bytes:
    """Return what git says."""
    done = run_git(history, *arguments, stdin=stdin, seconds=LOG_SECONDS)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise ClawgitError(
            f"git could not read the history: {said}", hint="`clawgit doctor` looks for damage."
        )
    return done.stdout


def _is_own(history: History, change: LoggedChange, paths: Sequence[str]) -> bool:
    """Say whether a merge made the files read as in none of its parents."""
    here, *theirs = (history.tree_of(name) for name in (change.commit_id, *change.parent_ids))
    return all(any(here.entry(path) != tree.entry(path) for path in paths) for tree in theirs)


def _change(fields: Sequence[str], files: tuple[FileStep, ...]) -> LoggedChange:
    commit_id, parents, at, committed_at, author, committer, message = fields
    parent_ids = tuple(parents.split())
    trailers = parse_trailers(message)
    dated = LoggedChange(
        commit_id, parent_ids, at, int(committed_at), author, committer, message, trailers, files
    )
    moment = true_time(trailers, int(dated.moment.timestamp()))
    if moment is None:
        return dated
    committed = int(moment.timestamp()) if dated.is_original else dated.committed_at
    return dated._replace(at=moment.isoformat(timespec="seconds"), committed_at=committed)


def _step(said: str, path: str) -> FileStep:
    """Read `:100644 100644 OLD NEW M`; a merge's has a colon, a mode and an id for each parent."""
    words = said.lstrip("\n:").split()
    parents = len(said.strip("\n")) - len(said.lstrip("\n:"))
    modes, ids = words[: parents + 1], words[parents + 1 : 2 * parents + 2]
    *olds, new = (_blob(*pair) for pair in zip(modes, ids, strict=True))
    return FileStep(path, tuple(olds), new)


def _blob(mode: str, object_id: str) -> str | None:
    return object_id if mode.startswith(_FILE_MODE) else None
