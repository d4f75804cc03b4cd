"""Findings in others' commits, and how far commits were checked.

They are kept (arrivals.json) until they are mended or accepted; without that file all commits since clawgit's
first one are checked again.
"""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.refs import logs_grew
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.guards.finding import Finding


ARRIVALS = "arrivals"
MOST_KEPT = 500
MOST_EXAMINED = 200
STALE_REWRITE = "stale-rewrite"
CUT_SHORT = "cut-short"  # as in guards/finding.py, which read-only commands do not load


class Arrival(NamedTuple):
    """One finding in one commit; ``told`` once shown, ``accepted`` by the operator, ``stops``: would stop that actor's commit."""

    commit_id: str
    subject: str
    actor: str
    rule: str
    path: str
    line: int | None
    sentence: str
    way_out: str
    told: bool = False
    accepted: bool = False
    stops: bool = True
    is_merge: bool = False
    is_off_branch: bool = False  # only a pinned earlier tip has it

    @property
    def key(self) -> tuple[str, str, str, int | None]:
        return self.commit_id, self.rule, self.path, self.line

    @property
    def lasts(self) -> bool:
        """Say whether it stays open until mended: it is about a file, and stops a change or is asked about. Others are shown once."""
        return bool(self.path) and (self.stops or self.is_loss)

    @property
    def is_loss(self) -> bool:
        """Say whether the commit dropped text that no other file has: the operator decides whether it comes back."""
        return self.rule in (STALE_REWRITE, CUT_SHORT)


class Arrivals(NamedTuple):
    """The last checked tip, the count of unread commits, and the findings."""

    tip: str | None = None
    examined: tuple[str, ...] = ()
    unread: int = 0
    found: tuple[Arrival, ...] = ()

    @property
    def open(self) -> tuple[Arrival, ...]:
        return tuple(filterfalse(attrgetter("accepted"), self.found))

    @property
    def lasting(self) -> tuple[Arrival, ...]:
        return tuple(filter(attrgetter("lasts"), self.open))

    @property
    def new(self) -> tuple[Arrival, ...]:
        return tuple(filterfalse(attrgetter("told"), self.open))


def arrival_of(commit: Commit, actor: str, finding: Finding, *, accepted: bool) -> Arrival:
    is_merge = len(commit.parent_ids) > 1
    rule, path, sentence, way_out, line, severity, *_ = finding.happened(commit.commit_id, is_merge=is_merge)
    about = (commit.commit_id, commit.subject, actor, rule, path, line, sentence, way_out)
    return Arrival(*about, accepted=accepted, stops=severity.stops, is_merge=is_merge)


def with_found(arrivals: Arrivals, more: Iterable[Arrival]) -> Arrivals:
    """Return ``arrivals`` with ``more``, without duplicates; if there are too many, the oldest are kept."""
    by_key: dict[tuple[str, str, str, int | None], Arrival] = {}
    for one in (*arrivals.found, *more):
        by_key.setdefault(one.key, one)
    return arrivals._replace(found=tuple(by_key.values())[:MOST_KEPT])


def read_arrivals(history: History) -> Arrivals:
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        record = json.loads(history.own_record(ARRIVALS).read_text("utf-8"))
        arrivals = tuple(Arrival(**one) for one in record["found"])
        return Arrivals(record["tip"], tuple(map(str, record["examined"])), int(record["unread"]), arrivals)
    return Arrivals()


def nothing_arrived(history: History) -> bool:
    """Say whether all of the branch and git's logs were checked; a RepositoryStateError off any branch."""
    arrivals = read_arrivals(history)
    if arrivals.unread or arrivals.tip is None or arrivals.tip != history.target(history.branch()):
        return False
    return not logs_grew(history)


def write_arrivals(history: History, arrivals: Arrivals) -> None:
    record = arrivals._replace(examined=arrivals.examined[-MOST_EXAMINED:])._asdict()
    data = json.dumps(record | {"found": [one._asdict() for one in arrivals.found]}).encode()
    write_file(history.state, history.own_record(ARRIVALS).name, FileContent(data), fsync=False)
