"""Who makes a change, and under whose name git records it."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ConfigurationError
from clawgit.history.git import libgit2 as pygit2
from clawgit.plan import MESSAGE
from clawgit.text.safety.control_characters import one_line
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.text.trailers import Trailers

OPERATOR = "operator"
HOST = "host"
UNKNOWN = "unknown"
RUNNER = "runner"  # ends sessions whose time is over; may do no more than somebody unknown
ACTORS = (OPERATOR, HOST, UNKNOWN, RUNNER, *AGENT_NAMES)
CLAWGIT_HOST = "@clawgit.invalid"
NO_NAME = ("operator", "operator@localhost")
VOUCHED = "Clawgit-Vouched"
CONNECTED_NOTE = "connected"  # a file beside the history, for the hooks: a host is connected
VOUCHING, VOUCHING_FORMAT = "vouching.json", 2  # the cache of an `Authorship`
_LENGTH = 20
WHOSE = {  # how a screen names who did something, or whose words it is
    OPERATOR: "you",
    "understood": "you, as understood",
    HOST: "your agent",
    "external": "from outside",
    UNKNOWN: "an unknown author",
}
AS_THEY_ARE: Mapping[str, str] = MappingProxyType({})  # what a program reads
_NO_FILES = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def in_words(actor: str) -> str:
    """Return how a screen names who did something: you, your agent, an unknown author, or a job."""
    return WHOSE.get(actor, f"the {actor}")


def check_actor(name: str) -> str:
    """Return ``name`` if somebody of that name can make a change."""
    if name not in ACTORS:
        raise ConfigurationError(
            f"{name!r} is not an actor.", hint=f"Unset CLAWGIT_ACTOR, or name one: {', '.join(ACTORS)}."
        )
    return name


def actor_of(trailers: Trailers, author: str, *, unvouched: bool = False) -> str:
    """Return who made a commit, from its trailers and its author's address.

    Without an actor it is the operator's, but with an address of clawgit's own nobody's that is known; anybody may say that it is a host's.
    One for which nobody vouched while a host was connected says nothing else (see `vouching`).
    """
    named = trailers.first("Clawgit-Actor")
    if unvouched and named != HOST:
        return UNKNOWN
    if named in (None, OPERATOR):
        if CLAWGIT_HOST in author:
            return UNKNOWN
        return OPERATOR
    if named == HOST or is_signature_of(named, author):
        return named
    return UNKNOWN


def is_signature_of(actor: str | None, author: str) -> bool:
    if actor == OPERATOR:
        return CLAWGIT_HOST not in author
    return actor in ACTORS and author == f"{actor} <{actor}{CLAWGIT_HOST}>"


def is_as_written(commit: Commit) -> bool:
    """Say whether a commit has the form in which clawgit writes one; what a rebase, an amend or a pick made of it has not."""
    actor = commit.trailers.first("Clawgit-Actor")
    if not commit.one_hand or commit.trailers.problems or commit.trailers.first("Clawgit-Trust") is None:
        return False
    return is_signature_of(actor, commit.author)


def rests_on_message(trailers: Trailers) -> bool:
    """Say whether a change names messages alone as its evidence, and who made it at which request."""
    evidence = trailers.all("Clawgit-Evidence")
    is_whole = not trailers.problems and trailers.first("Clawgit-Op") is not None
    return is_whole and bool(evidence) and all(item.startswith(MESSAGE) for item in evidence)


def trust_of(actor: str) -> str:
    """Return the most that an actor's own words can rest on."""
    if actor == OPERATOR:
        return OPERATOR
    return HOST


class Author(NamedTuple):
    """The name and address a commit carries; ``borrowed`` where git knows none for the operator."""

    name: str
    email: str
    borrowed: bool = False

    def signature(self, now: datetime, *, not_before: int = 0) -> pygit2.Signature:
        """Return git's form of it at ``now``, never before the parent commit."""
        offset = now.utcoffset()
        minutes = 0 if offset is None else int(offset.total_seconds() // 60)
        return pygit2.Signature(self.name, self.email, max(int(now.timestamp()), not_before), minutes)


def author_of(history: History, actor: str) -> Author:
    """Return the operator's git identity, or the actor's own name for everybody else."""
    if actor != OPERATOR:
        return Author(actor, actor + CLAWGIT_HOST)
    name = _clean(history.configured("user.name"))
    email = _clean(history.configured("user.email"))
    if name:
        return Author(name, email or NO_NAME[1])
    return Author(NO_NAME[0], email or NO_NAME[1], borrowed=True)


def other_person(own: Author, author: str) -> str:
    """Return the name of a commit's author (`name <address>`) where he is not the operator that git knows here, nor clawgit's."""
    name, _, address = author.rpartition(" <")
    is_own = address.rstrip(">").casefold() == own.email.casefold()
    if own.borrowed or is_own or CLAWGIT_HOST in author:
        return ""
    return one_line(name)


def _clean(text: str) -> str:
    """Return ``text`` without what git cuts off the ends of a name (libgit2 refuses a name that is nothing else)."""
    return re.sub(r"[<>]", "", one_line(text)).strip(" .,:;\"'\\")


def vouched_word(parent_id: str | None, tree_id: str | None) -> str:
    """Return the word that fits a commit with these files upon this (first) parent, and no other."""
    from hashlib import sha256

    return sha256(f"{parent_id or ''} {tree_id or _NO_FILES}".encode()).hexdigest()[:_LENGTH]


def is_vouched(commit: Commit) -> bool:
    word = commit.trailers.first(VOUCHED) if VOUCHED in commit.message else None
    return word == vouched_word(next(iter(commit.parent_ids), None), commit.tree_id)


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
        return tuple(time.host for time in self.times if not time.until)

    @property
    def era(self) -> str:
        """Return what tells one reading of old commits from another: a connection, or the end of one, that was not known before."""
        return " ".join(sorted(time.since + time.until for time in self.times))

    def actor(self, commit: Commit) -> str:
        return actor_of(commit.trailers, commit.author, unvouched=commit.commit_id in self.unvouched)
