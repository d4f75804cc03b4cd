"""What was found in commits that came without clawgit's checks: kept until it is mended or accepted.

A cache beside the history (arrivals.json). Without it the commits since clawgit began here are looked at again.
"""

from __future__ import annotations

import json
from contextlib import suppress
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


class Arrival(NamedTuple):
    """One finding in one commit; ``told`` once somebody has been shown it, ``accepted`` when the operator means it.

    ``stops``: a plan or a `git commit` of that actor's would have been stopped by it.
    """

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

    @property
    def lasts(self) -> bool:
        """Say whether it stays open until it is mended; what is about a commit as a whole is only told.

        So is a remark, unless entries are offered back with it.
        """
        return bool(self.path) and (self.stops or self.is_offer)

    @property
    def is_offer(self) -> bool:
        """Say whether entries that the commit dropped unread are offered back."""
        return self.rule == STALE_REWRITE


class Arrivals(NamedTuple):
    """How far the history was looked at, how many commits are still unread, and what was found."""

    tip: str | None = None
    examined: tuple[str, ...] = ()
    unread: int = 0
    found: tuple[Arrival, ...] = ()

    @property
    def open(self) -> tuple[Arrival, ...]:
        return tuple(arrival for arrival in self.found if not arrival.accepted)

    @property
    def lasting(self) -> tuple[Arrival, ...]:
        return tuple(arrival for arrival in self.open if arrival.lasts)

    @property
    def new(self) -> tuple[Arrival, ...]:
        return tuple(arrival for arrival in self.open if not arrival.told)


def arrival_of(commit: Commit, actor: str, finding: Finding, *, accepted: bool) -> Arrival:
    """Return a finding with the commit that it was made in."""
    rule, path, sentence, way_out, line, severity, *_ = finding.happened()
    about = (commit.commit_id, commit.subject, actor, rule, path, line, sentence, way_out)
    return Arrival(*about, accepted=accepted, stops=severity.stops)


def with_found(arrivals: Arrivals, more: Iterable[Arrival]) -> Arrivals:
    """Return ``arrivals`` with ``more``, each commit's finding once; the oldest are kept where there are too many."""
    known = {(one.commit_id, one.rule, one.path): one for one in arrivals.found}
    for one in more:
        known.setdefault((one.commit_id, one.rule, one.path), one)
    return arrivals._replace(found=tuple(known.values())[:MOST_KEPT])


def read_arrivals(history: History) -> Arrivals:
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        record = json.loads(history.own_record(ARRIVALS).read_text("utf-8"))
        arrivals = tuple(Arrival(**one) for one in record["found"])
        return Arrivals(record["tip"], tuple(map(str, record["examined"])), int(record["unread"]), arrivals)
    return Arrivals()


def nothing_arrived(history: History) -> bool:
    """Say whether all of the checked-out branch has been looked at, and git's logs, too; a RepositoryStateError where none is."""
    known = read_arrivals(history)
    if known.unread or known.tip is None or known.tip != history.target(history.branch()):
        return False
    return not logs_grew(history)


def write_arrivals(history: History, arrivals: Arrivals) -> None:
    record = arrivals._replace(examined=arrivals.examined[-MOST_EXAMINED:])._asdict()
    data = json.dumps(record | {"found": [one._asdict() for one in arrivals.found]}).encode()
    write_file(history.state, history.own_record(ARRIVALS).name, FileContent(data), fsync=False)
