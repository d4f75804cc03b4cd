"""Commits as the derived views read them: streams of `git log` over the clean view.

One op may be told by several commits (rebased, amended, picked again); a view shows each op once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.history.actors import ACTORS, OPERATOR, UNKNOWN
from clawgit.history.git_program import run_git
from clawgit.history.log import LOG_SECONDS, git_failed
from clawgit.history.refs import PAST
from clawgit.text.trailers import Trailers, parse_trailers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.history.repository import History

# What makes a commit one for the views although it touches no file of the soul; a superset, found on any line.
MARKED = "clawgit-(loss|snapshot)|memory-compactor"
_FORMAT = "--format=%x00%H%x00%aI%x00%B%x00"
_RAW = ("--raw", "--no-abbrev", "--no-renames", "--no-color", "--no-ext-diff")
_SUBMODULE = "160000"
_BEFORE_DATES = datetime(1970, 1, 1, tzinfo=UTC)
_YEARS = range(1000, 9000)


@dataclass(frozen=True, slots=True)
class FileStep:
    """One file's blobs in a commit's parents and in the commit; None where there is no file."""

    path: str
    olds: tuple[str | None, ...]
    new: str | None


@dataclass(frozen=True, slots=True)
class Telling:
    """One commit: what it says about a change, and the steps of the files that were asked for."""

    commit_id: str
    at: datetime
    message: str
    trailers: Trailers
    files: tuple[FileStep, ...]

    @property
    def op(self) -> str | None:
        """Return the change's op, None for a commit that clawgit did not make."""
        return self.trailers.first("Clawgit-Op")

    @property
    def actor(self) -> str:
        """Return who made it; a commit without trailers is the operator's."""
        actor = self.trailers.first("Clawgit-Actor")
        return OPERATOR if actor is None else actor if actor in ACTORS else UNKNOWN

    @property
    def summary(self) -> str:
        """Return the subject."""
        return self.message.split("\n", 1)[0]

    @property
    def reason(self) -> str:
        """Return what the body quotes, on one line."""
        return " ".join(line[2:] for line in self.message.split("\n")[1:] if line.startswith("> "))

    def key(self, *said: bytes) -> str:
        """Return the op, or a name made of what survives a rebase: author date, subject and ``said``."""
        if self.op is not None:
            return self.op
        told = (self.at.isoformat().encode(), self.summary.encode("utf-8", "surrogatepass"), *said)
        return "outside-" + sha256(b"\0".join(told)).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Tellings:
    """Those that the branch reaches, and those that only pinned earlier tips do; each oldest first."""

    branch: tuple[Telling, ...]
    past: tuple[Telling, ...]


def read_tellings(history: History, *options: str, paths: Sequence[str] = ()) -> Tellings:
    """Return the commits that `git log` lists with ``options``; with ``paths``, those that changed them.

    Of a merge, only files that read as in none of its parents are steps.

    Raises:
        ClawgitError: git could not read the history.
    """
    branch, past = tips(history)
    raw = (*_RAW, "--full-history", "--diff-merges=combined") if paths else ()
    return Tellings(
        tuple(_log(history, (*raw, *options, *branch), paths)),
        tuple(
            _log(history, (*raw, *options, *past, *(f"^{name}" for name in branch)), paths) if past else ()
        ),
    )


def read_line(history: History, path: str) -> tuple[Telling, ...]:
    """Return the commits that changed ``path`` along the branch's first parents, oldest first."""
    options = (*_RAW, "--first-parent", "--diff-merges=first-parent")
    return tuple(_log(history, (*options, *tips(history)[0]), (path,)))


def tips(history: History) -> tuple[list[str], list[str]]:
    """Return the branch's tip (none before its first commit), and the pinned earlier ones in their order."""
    tip = history.tip().commit_id
    return [] if tip is None else [tip], sorted(history.refs(PAST).values())


def log_lines(history: History, *arguments: str) -> bytes:
    """Return what `git log` says about commits, ancestors first.

    Raises:
        ClawgitError: git could not read the history.
    """
    done = run_git(history, "log", "--topo-order", "--reverse", *arguments, seconds=LOG_SECONDS)
    if done.returncode != 0:
        raise git_failed(done)
    return done.stdout


def _log(history: History, arguments: Sequence[str], paths: Sequence[str]) -> Iterator[Telling]:
    if not any(not argument.startswith(("-", "^")) for argument in arguments):
        return
    limited = ("--", *paths) if paths else ()
    fields = log_lines(history, _FORMAT, *arguments, *limited).decode("utf-8", "replace").split("\0")[1:]
    for start in range(0, len(fields) - 3, 4):
        commit_id, at, message, raw = fields[start : start + 4]
        steps = tuple(step for step in _steps(raw) if step.path in paths and step.new not in step.olds)
        yield Telling(commit_id, _moment(at), message, parse_trailers(message), steps)


def _moment(text: str) -> datetime:
    """Return a date as git writes it; one that no calendar has counts as the beginning of time."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return _BEFORE_DATES
    return found if found.year in _YEARS else _BEFORE_DATES


def _steps(raw: str) -> Iterator[FileStep]:
    """Read lines such as `:100644 100644 OLD NEW M<tab>PATH`; a merge's has a colon and an id for each parent."""
    for line in raw.split("\n"):
        said, tab, path = line.partition("\t")
        if tab and said.startswith(":"):
            parents = len(said) - len(said.lstrip(":"))
            words = said.lstrip(":").split()
            modes, ids = words[: parents + 1], words[parents + 1 : 2 * parents + 2]
            *olds, new = (_blob(*pair) for pair in zip(modes, ids, strict=True))
            yield FileStep(path, tuple(olds), new)


def _blob(mode: str, object_id: str) -> str | None:
    return None if mode == _SUBMODULE or not object_id.strip("0") else object_id
