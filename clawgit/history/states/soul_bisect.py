"""`soul bisect`: the first change after which something is otherwise than before, in few looks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.reading.git_log import git_output
from clawgit.history.reading.reachability import read_first_parents

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange


_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")


class Question(NamedTuple):
    """What is asked of a commit, the files that the answer rests on (none: all), and the answer before any commit.

    ``word``: the answer is another only after a change of lines with this word in them.
    """

    holds: Callable[[str], bool]
    paths: tuple[str, ...] = ()
    at_first: bool = False
    word: str = ""


class Flip(NamedTuple):
    """A change after which the answer is another, and the new answer."""

    change: LoggedChange
    holds: bool


class Bisected(NamedTuple):
    """The changes found, oldest first; the answers at both ends, out of how many changes, and how many were looked at."""

    flips: tuple[Flip, ...]
    start: bool
    end: bool
    changes: int
    looks: int


def bisect(history: History, question: Question, since: Commit | None, *, every: bool) -> Bisected:
    """Look for a change of the answer along the branch's first parents, from ``since`` or the beginning.

    Where the answer changed more than once, one such change is found; with ``every`` all are. Where both ends agree
    nothing is found without ``every``, unless a look costs no more than reading a named file.

    Raises:
        ClawgitError: git could not read the history.
    """
    first = None if since is None else since.commit_id
    changes = read_first_parents(history, *question.paths, since=first)
    start = question.at_first if first is None else question.holds(first)
    asked = _Asked(question.holds, changes)
    end = asked.at(len(changes) - 1) if changes else start
    if every or (question.paths and start == end):
        flips = _all(asked, start, _with_word(history, question))
    else:
        flips = [] if start == end else [_one(asked, start)]
    return Bisected(tuple(flips), start, end, len(changes), len(asked.known))


class _Asked:
    """The answers after each change; each is asked once."""

    def __init__(self, holds: Callable[[str], bool], changes: Sequence[LoggedChange]) -> None:
        self.changes = changes
        self.known: dict[int, bool] = {}
        self._holds = holds

    def at(self, place: int) -> bool:
        if place not in self.known:
            self.known[place] = self._holds(self.changes[place].commit_id)
        return self.known[place]


def _one(asked: _Asked, start: bool) -> Flip:
    before, after = -1, len(asked.changes) - 1
    while after - before > 1:
        middle = (before + after) // 2
        if asked.at(middle) == start:
            before = middle
        else:
            after = middle
    return Flip(asked.changes[after], not start)


def _all(asked: _Asked, start: bool, worth: frozenset[str] | None) -> list[Flip]:
    flips, last = [], start
    for place, change in enumerate(asked.changes):
        if (worth is None or change.commit_id in worth) and asked.at(place) != last:
            last = not last
            flips.append(Flip(change, last))
    return flips


def _with_word(history: History, question: Question) -> frozenset[str] | None:
    """Return the commits that change lines with the question's word; None where git cannot tell."""
    word, tip = question.word, history.tip().commit_id
    if not word or tip is None or not word.isascii() or not word.isprintable():
        return None
    pattern = _SPECIAL.sub(r"[\g<0>]", word).replace("[^]", "\\^").replace("[\\]", "\\\\")
    asked = ("log", "--format=%H", "--first-parent", "--diff-merges=first-parent", "-E", "-i", "-G", pattern)
    return frozenset(git_output(history, *asked, tip, "--", *question.paths).decode().split())
