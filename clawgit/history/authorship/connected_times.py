"""What history says of connected hosts: when they were, and which commits nobody vouched for then. Values alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import actor_of

if TYPE_CHECKING:
    from clawgit.history.git.objects import Commit

CACHE, FORMAT = "vouching.json", 1


class Connected(NamedTuple):
    """One time in which a host was connected: from a commit to a commit, with the tips that were beside each."""

    host: str
    since: str
    before: tuple[str, ...] = ()
    until: str = ""
    beside: tuple[str, ...] = ()


class Authorship(NamedTuple):
    """What the tips in ``tips`` say: when hosts were connected, and which commits nobody vouched for in that time."""

    tips: tuple[str, ...] = ()
    times: tuple[Connected, ...] = ()
    unvouched: frozenset[str] = frozenset()

    @property
    def hosts(self) -> tuple[str, ...]:
        """Return the hosts that are connected now."""
        return tuple(time.host for time in self.times if not time.until)

    @property
    def era(self) -> str:
        """Return what tells one reading of old commits from another: a connection that was not known before."""
        return " ".join(sorted(time.since for time in self.times))

    def actor(self, commit: Commit) -> str:
        """Return who made a commit."""
        return actor_of(commit.trailers, commit.author, unvouched=commit.commit_id in self.unvouched)
