"""The actor of a change, and the name under which git records it.

While a host is connected, only a commit that a hook of ours or clawgit itself vouched for counts as what it claims.
`connect` and `disconnect` are commits. A commit between them must carry a word (`Clawgit-Vouched`) that fits its files
and its parent. What an amend, a pick or a rebase leaves of it counts only in a copy of a known commit (`rewritten.py`).
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from itertools import chain, islice
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError, ConfigurationError, UsageError
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.objects import FOLLOWED, Commit, DamagedObjectError
from clawgit.history.git.refs import PAST, remembered_tips
from clawgit.plan import MESSAGE
from clawgit.text.safety.control_characters import one_line
from clawgit.workspace.layout import AGENT_NAMES
from clawgit.workspace.safe_files import FileContent, is_shared, rewrite_record, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.memory.provenance.pieces import Origin
    from clawgit.text.trailers import Trailers


OPERATOR = "operator"
HOST = "host"
UNKNOWN = "unknown"
RUNNER = "runner"  # ends expired sessions; has no more rights than an unknown actor
PROPOSED = "proposed"  # whose words an approved edit has
ACTORS = (OPERATOR, HOST, UNKNOWN, RUNNER, *AGENT_NAMES)
CLAWGIT_HOST = "@clawgit.invalid"
NO_NAME = ("operator", "operator@localhost")
VOUCHED = "Clawgit-Vouched"
OP = "Clawgit-Op"  # as in text/trailers.py, which most commands do without
COMMITTER = "Clawgit-Committer"  # git's name of who runs clawgit, in a change that rests on a message, or by a host or an unknown author
CONNECTED_NOTE = "connected"  # a file beside the history that tells the hooks that a host is connected
VOUCHING = "vouching.json"  # the cache of an `Authorship`
_SILENT = "silent-past"
_LENGTH = 20
WHOSE = {  # actor or trust → its name on a screen
    OPERATOR: "you",
    "understood": "you, as understood",
    HOST: "your agent",
    "external": "from outside",
    UNKNOWN: "an unknown author",
    PROPOSED: "proposed, with your yes",
}
JOBS = "jobs"  # a person's word for all of them
_CALLED = {"you": OPERATOR, "me": OPERATOR, "agent": HOST}
AS_THEY_ARE: Mapping[str, str] = MappingProxyType({})  # names of actors for a program
_NO_FILES = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def in_words(actor: str) -> str:
    """Return the screen name of an actor: you, your agent, an unknown author, or a job."""
    return WHOSE.get(actor, f"the {actor}")


def in_third_person(actor: str) -> str:
    """Return an actor's name for the operator and for a host."""
    return WHOSE[UNKNOWN] if actor == UNKNOWN else f"the {actor}"


def check_actor(name: str) -> str:
    if name not in ACTORS:
        hint = f"Unset CLAWGIT_ACTOR, or name one: {', '.join(ACTORS)}."
        raise ConfigurationError(f"{name!r} is not an actor.", hint=hint)
    return name


def actors_called(name: str) -> tuple[str, ...]:
    """Return the actors that a word of a person means: an actor's name, `you`, `agent`, or `jobs`."""
    if name == JOBS:
        return (*AGENT_NAMES, RUNNER)
    actor = _CALLED.get(name, name)
    if actor not in ACTORS:
        hint = f"Name one: you, agent, {JOBS}, {', '.join(ACTORS)}."
        raise UsageError(f"{name!r} is not an actor.", hint=hint)
    return (actor,)


def actor_of(trailers: Trailers, author: str, *, unvouched: bool = False) -> str:
    """Return who made a commit, from its trailers and its author's address.

    Without an actor it is the operator's, but unknown with an address of clawgit's own; anybody may claim to be a host.
    One that was not vouched for while a host was connected can claim no other actor (see `vouching`).
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
    """Say whether a commit has clawgit's form; a rebase, an amend or a pick breaks it."""
    actor = commit.trailers.first("Clawgit-Actor")
    if not commit.one_hand or commit.trailers.problems or commit.trailers.first("Clawgit-Trust") is None:
        return False
    return is_signature_of(actor, commit.author)


def rests_on_message(trailers: Trailers) -> bool:
    """Say whether a change of clawgit's names messages, and only these, as its evidence."""
    evidence = trailers.all("Clawgit-Evidence")
    is_whole = not trailers.problems and trailers.first("Clawgit-Op") is not None
    return is_whole and bool(evidence) and all(item.startswith(MESSAGE) for item in evidence)


def trust_of(actor: str) -> str:
    """Return the highest trust that an actor's own words can claim."""
    if actor == OPERATOR:
        return OPERATOR
    return HOST


def based_on(trust: str, actor: str) -> str:
    """Return the level of trust, or `unknown` for words of an unknown author, which count as the host's."""
    if actor == UNKNOWN and trust == HOST:
        return UNKNOWN
    return trust


class Author(NamedTuple):
    """The name and address of a commit; ``borrowed`` if git knows none for the operator."""

    name: str
    email: str
    borrowed: bool = False

    def signature(self, now: datetime, *, not_before: int = 0) -> pygit2.Signature:
        """Return git's signature at ``now``, never before the parent commit."""
        offset = now.utcoffset()
        minutes = 0 if offset is None else int(offset.total_seconds() // 60)
        return pygit2.Signature(self.name, self.email, max(int(now.timestamp()), not_before), minutes)


def author_of(history: History, actor: str) -> Author:
    """Return the operator's git identity, or the actor's own name for any other actor."""
    if actor != OPERATOR:
        return Author(actor, actor + CLAWGIT_HOST)
    name = _clean(history.configured("user.name"))
    email = _clean(history.configured("user.email"))
    if name:
        return Author(name, email or NO_NAME[1])
    return Author(NO_NAME[0], email or NO_NAME[1], borrowed=True)


def person_here(history: History) -> str:
    """Return `name <address>` of the operator that git knows here, empty if it knows none."""
    own = author_of(history, OPERATOR)
    if own.borrowed:
        return ""
    return f"{own.name} <{own.email}>"


def unnamed_lines(history: History) -> tuple[str, ...]:
    """Return what follows from git knowing no name for the operator here, and the way out; nothing if it knows one."""
    author = author_of(history, OPERATOR)
    if not author.borrowed:
        return ()
    return (
        f'git knows no user.name, so your commits are by {author.name} <{author.email}>, as are those of each such clone: "you" to all. `git config --global user.name "Your Name"` and `git config --global user.email ADDRESS` change that for later ones; earlier commits with that address are yours then, too.',
    )


def other_person(own: Author, commit: Commit) -> str:
    """Return a commit's author or the person it was made for, unless the operator here, also before git knew a name.

    It is as easy to forge as git's author.
    """
    author = commit.author
    if CLAWGIT_HOST in author and COMMITTER in commit.message:
        author = commit.trailers.first(COMMITTER) or author
    return _other_than(own.email, author)


@lru_cache(maxsize=64)  # thousands of commits have few authors
def _other_than(email: str, author: str) -> str:
    name, _, address = author.rpartition(" <")
    is_own = address.rstrip(">").casefold() == email.casefold()
    if is_own or name == NO_NAME[0] or CLAWGIT_HOST in author:
        return ""
    return one_line(name)


def other_people(history: History, tip: str | None) -> Counter[str]:
    """Return the number of commits that count as the operator's by each person who is not the operator that git knows here."""
    own = author_of(history, OPERATOR)
    people: Counter[str] = Counter()
    with suppress(DamagedObjectError):  # those that can be read are named
        for commit in history.objects.walk(filter(None, [tip])):
            name = other_person(own, commit)
            if name and actor_of(commit.trailers, commit.author) == OPERATOR:
                people[name] += 1
    if own.borrowed and len(people) == 1:  # that is the operator, most likely
        return Counter()
    return people


def by_person(history: History, commit_id: str, whose: str = "") -> str:
    """Return `with_person` for a commit; without words only the name, if another person made it."""
    return with_person(whose, other_person(author_of(history, OPERATOR), history.objects.commit(commit_id)))


def said_by(history: History, origin: Origin | None, whose: str = "") -> str:
    """Return the same for words of an agent, or that count as the operator's, by who said them or said yes to them."""
    if origin is None or (
        origin.trust not in (OPERATOR, "understood") and (origin.actor, origin.trust) != (HOST, HOST)
    ):
        return whose
    return by_person(history, origin.said_in or origin.commit_id, whose)


def with_person(whose: str, person: str) -> str:
    """Return whose something is, in words, with the other person who committed it, if any: that name takes the place of `you` and `your`."""
    you, _, rest = whose.partition(WHOSE[OPERATOR])
    if not person:
        return whose
    if "your " in whose.casefold():
        return whose.replace("your ", f"{person}'s ", 1).replace("Your ", f"{person}'s ", 1)
    if not you and not rest[:1].isalpha():
        return person + rest
    return f"{whose}, committed by {person}"


def _clean(text: str) -> str:
    """Return ``text`` without what git trims from a name (libgit2 refuses a name that is nothing else)."""
    return re.sub(r"[<>]", "", one_line(text)).strip(" .,:;\"'\\")


def vouched_word(parent_id: str | None, tree_id: str | None) -> str:
    """Return the word that fits only a commit with these files on this (first) parent."""
    return sha256(f"{parent_id or ''} {tree_id or _NO_FILES}".encode()).hexdigest()[:_LENGTH]


def is_vouched(commit: Commit) -> bool:
    word = commit.trailers.first(VOUCHED) if VOUCHED in commit.message else None
    return word == vouched_word(commit.first_parent, commit.tree_id)


class Connected(NamedTuple):
    """A period in which a host was connected: its two commits, and the tips beside each."""

    host: str
    since: str
    before: tuple[str, ...] = ()
    until: str = ""
    beside: tuple[str, ...] = ()


class Authorship(NamedTuple):
    """When hosts were connected, as ``tips`` say; of that time the unvouched commits, and the copies of known ones."""

    tips: tuple[str, ...] = ()
    times: tuple[Connected, ...] = ()
    unvouched: frozenset[str] = frozenset()
    rewritten: frozenset[str] = frozenset()

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(time.host for time in self.times if not time.until)

    @property
    def era(self) -> str:
        """Return a key that changes with each connection and its end, for caches of what old commits mean."""
        return " ".join(sorted(time.since + time.until for time in self.times))

    def actor(self, commit: Commit) -> str:
        return actor_of(commit.trailers, commit.author, unvouched=commit.commit_id in self.unvouched)


CONNECTED, DISCONNECTED, BESIDE = "Clawgit-Connected", "Clawgit-Disconnected", "Clawgit-Beside"
_MARK = "^Clawgit-(Disc|C)onnected: "
MINE = "mine"


def authorship(history: History) -> Authorship:
    """Return who made the commits of this branch and of pinned tips; if commits are lost, the last reading holds."""
    remembered = _read(history)
    try:
        # the branch, what was left out of it, and what may be left out by now
        named = {history.tip().commit_id, *history.refs(PAST).values(), *remembered_tips(history).values()}
        tips = tuple(sorted(name for name in named if name is not None))
    except ClawgitError:
        return remembered or Authorship()
    if remembered is not None and remembered.tips == tips:
        return remembered
    try:
        renewed = _renewed(history, remembered, tips)
    except ClawgitError:
        if remembered is None:
            return Authorship(tips)
        return remembered._replace(tips=remembered.tips or tips)
    record = renewed._asdict()
    record |= {"unvouched": sorted(renewed.unvouched), "rewritten": sorted(renewed.rewritten)}
    with suppress(OSError):  # on a full disk the next reader reads the same again
        data = json.dumps(record).encode()
        if renewed.times:
            write_file(history.state, VOUCHING, FileContent(data), fsync=False)
        else:  # on every change: a reader repairs half a record itself, without the lock
            rewrite_record(history.state, VOUCHING, data)
        note = history.state / CONNECTED_NOTE  # tells the hooks whether to vouch
        if renewed.hosts and not note.exists():
            write_file(history.state, CONNECTED_NOTE, FileContent(b""), fsync=False)
        elif not renewed.hosts:
            note.unlink(missing_ok=True)
    return renewed


def actor_in(history: History, commit: Commit) -> str:
    return authorship(history).actor(commit)


def connected_hosts(history: History) -> tuple[str, ...]:
    return authorship(history).hosts


def edits_are_his(history: History) -> bool:
    """Say whether `edits_here` makes edits in the folder the operator's: no host is connected, and no other account writes here."""
    if history.settings.edits_here != MINE or is_shared(history.root.stat()):
        return False
    return not (history.state / CONNECTED_NOTE).exists() and not connected_hosts(history)


def _read(history: History) -> Authorship | None:
    with (
        suppress(OSError, ValueError, TypeError, KeyError, AttributeError),
        open(os.path.join(history.state, VOUCHING), "rb") as file,  # noqa: PTH118, PTH123 - on every start
    ):
        return _read_authorship(file.read())
    return None


@lru_cache(maxsize=8)
def _read_authorship(data: bytes) -> Authorship:
    record = json.loads(data)
    times = []
    for host, since, before, until, beside in record["times"]:
        times.append(Connected(host, since, tuple(before), until, tuple(beside)))
    names = map(frozenset, (record["unvouched"], record["rewritten"]))
    return Authorship(tuple(record["tips"]), tuple(times), *names)


def _renewed(history: History, earlier: Authorship | None, tips: Sequence[str]) -> Authorship:
    """Return the reading of the tips, continued from the earlier one where that is enough."""
    old = earlier or Authorship()
    here = filter(history.objects.has_commit, tips)
    before = {*old.tips, *chain.from_iterable(map(attrgetter("before"), old.times))}
    new = list(islice(history.objects.walk(here, before), FOLLOWED + 1))
    # after a merge or a reset, the walk passes what was read, down to much older commits
    is_all = len(new) <= FOLLOWED and all(len(commit.parent_ids) == 1 for commit in new)
    marked = list(filter(_is_mark, new))
    if not is_all:
        marked = _marked(history, tips, old.tips)
    if not marked and not old.times:
        return Authorship(tuple(tips))
    if marked or not is_all:
        return _read_whole(history, tips)
    unvouched = old.unvouched
    if old.hosts:
        claiming = list(filter(_says_too_much, new))
        # a tip that a rewriting left shows what an unvouched commit is a copy of
        is_left = bool({*tips} - {*old.tips, history.tip().commit_id or ""}) and bool(unvouched)
        if is_left or any(map(_may_be_copy, claiming)):
            return _read_whole(history, tips)
        unvouched |= set(map(attrgetter("commit_id"), claiming))
    return Authorship(tuple(tips), old.times, unvouched, old.rewritten)


def _read_whole(history: History, tips: Sequence[str]) -> Authorship:
    times = _times(_marked(history, tips, ()), history)
    unvouched: set[str] = set()
    copies: frozenset[str] = frozenset()
    for time in times:
        ends = [time.until, *time.beside] if time.until else tips
        names = _reached(history, ends, [time.since, *time.before])
        if time.until:
            # a commit made beside the end, without knowing of it, keeps its author after a merge
            names |= _descendants(history, tips, time.since) - _descendants(history, tips, time.until)
        for name in names:
            if _says_too_much(history.objects.commit(name)):
                unvouched.add(name)
    if any(map(_may_be_copy, map(history.objects.commit, unvouched))):
        from clawgit.history.authorship.rewritten import rewritten_among

        here = filter(history.objects.has_commit, tips)
        copies = rewritten_among(history, unvouched, here, silent_past(history))
    return Authorship(tuple(tips), times, frozenset(unvouched - copies), copies)


def _times(marked: Sequence[Commit], history: History) -> tuple[Connected, ...]:
    """Return the periods of connection; a host's end closes all periods of that name that it descends from."""
    times = []
    for mark in marked:
        if (host := mark.trailers.first(CONNECTED)) is not None:
            times.append(Connected(host, mark.commit_id, mark.trailers.all(BESIDE)))
    for mark in marked:
        host = mark.trailers.first(DISCONNECTED)
        if host is None:
            continue
        beside = mark.trailers.all(BESIDE)
        reached = _reached(history, [mark.commit_id, *beside], [])
        for at, time in enumerate(times):
            if time.host == host and not time.until and time.since in reached:
                times[at] = time._replace(until=mark.commit_id, beside=beside)
    return tuple(times)


def _marked(history: History, tips: Sequence[str], known_tips: Sequence[str]) -> list[Commit]:
    options = ("log", "--reverse", "--date-order", "--format=%H", "-E", f"--grep={_MARK}")
    options_given = (*options, *silent_past(history))
    commits = map(history.objects.commit, _between(history, options_given, tips, known_tips))
    return list(filter(_is_mark, commits))


def _is_mark(commit: Commit) -> bool:
    if CONNECTED not in commit.message and DISCONNECTED not in commit.message:
        return False
    is_operators = commit.trailers.first("Clawgit-Actor") == OPERATOR
    return is_operators and commit.trailers.first("Clawgit-Op") is not None and is_vouched(commit)


def _says_too_much(commit: Commit) -> bool:
    """Say whether a commit that was not vouched for claims more than anybody may: an actor, or the operator's word."""
    actor = actor_of(commit.trailers, commit.author)
    is_modest = actor == UNKNOWN or (actor == HOST and not rests_on_message(commit.trailers))
    return not is_modest and not is_vouched(commit)


def _may_be_copy(commit: Commit) -> bool:
    return VOUCHED in commit.message or OP in commit.message


def _reached(history: History, tips: Iterable[str], without: Iterable[str]) -> set[str]:
    """Return the commits that ``tips`` reach and ``without`` do not; a missing commit reaches nothing."""
    return set(_between(history, ("rev-list",), tips, without))


def _descendants(history: History, tips: Sequence[str], name: str) -> set[str]:
    """Return a commit and its descendants among what ``tips`` reach; none if it is lost."""
    if not history.objects.has_commit(name):
        return set()
    return {name, *_between(history, ("rev-list", "--ancestry-path"), tips, [name])}


def _between(
    history: History, arguments: Sequence[str], tips: Iterable[str], without: Iterable[str]
) -> list[str]:
    here = list(filter(history.objects.has_commit, tips))
    if not here:
        return []
    bounds = map("^{}".format, filter(history.objects.has_commit, without))
    return named_by_git(history, *arguments, *here, *bounds)


def note_silent_past(history: History) -> None:
    """Note the tip if no message up to it has a word of clawgit's, so that searches for such words start after it."""
    tip = history.tip().commit_id
    if tip is None or history.objects.is_cut_off:
        return
    words = ("--regexp-ignore-case", "--extended-regexp", "--grep=clawgit-|memory-compactor")
    if not named_by_git(history, "rev-list", "--max-count=1", *words, tip):
        write_file(history.state, _SILENT, FileContent(tip.encode()), fsync=False)


def silent_past(history: History) -> list[str]:
    """Return git's `^COMMIT` for the history without a word of clawgit's, empty if none is noted."""
    with suppress(OSError):
        name = (history.state / _SILENT).read_text("ascii", "replace")
        if history.objects.has_commit(name):
            return [f"^{name}"]
    return []


def named_by_git(history: History, *arguments: str) -> list[str]:
    from clawgit.history.git.git_program import git_output  # most commands do not need it

    return git_output(history, *arguments).decode().split()


def tips_beside(history: History) -> tuple[str, ...]:
    """Return the tips beside this branch: they were made before the moment that is about to be recorded."""
    tip = history.tip().commit_id
    named = set(remembered_tips(history).values())
    for prefix in ("refs/heads/", "refs/remotes/", PAST):
        named.update(history.refs(prefix).values())
    others = list(filter(history.objects.has_commit, sorted(named - {tip})))
    if not others:
        return ()
    elsewhere = _reached(history, others, [] if tip is None else [tip])
    return tuple(filter(elsewhere.__contains__, others))
