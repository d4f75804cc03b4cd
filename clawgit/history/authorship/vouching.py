"""Who made a commit while a host is connected: only one that a hook of ours, or clawgit itself, vouched for is what it says.

`connect` and `disconnect` are commits. One between them has to carry a word (`Clawgit-Vouched`) that fits its files and its
parent, so an amend, a pick or a rebase does not take it along.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship import actors
from clawgit.history.git.refs import PAST, remembered_tips
from clawgit.workspace.safe_files import FileContent, is_shared, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

CONNECTED, DISCONNECTED, BESIDE = "Clawgit-Connected", "Clawgit-Disconnected", "Clawgit-Beside"
FOLLOWED = 64  # commits that are read here: starting git takes as long as reading many more
_MARK = "^Clawgit-(Disc|C)onnected: "
MINE = "mine"


def authorship(history: History) -> actors.Authorship:
    """Return who made the commits of this branch, and of what was left out of it; where commits are lost, what was read before holds."""
    known = _read(history)
    try:
        # the branch, what was left out of it, and what may be left out by now
        named = {history.tip().commit_id, *history.refs(PAST).values(), *remembered_tips(history).values()}
        tips = tuple(sorted(name for name in named if name is not None))
    except ClawgitError:
        return known or actors.Authorship()
    if known is not None and known.tips == tips:
        return known
    try:
        renewed = _renewed(history, known, tips)
    except ClawgitError:
        return known or actors.Authorship(tips)
    record = renewed._asdict() | {"format": actors.VOUCHING_FORMAT, "unvouched": sorted(renewed.unvouched)}
    with suppress(OSError):  # without room the next reader reads the same again
        write_file(history.state, actors.VOUCHING, FileContent(json.dumps(record).encode()), fsync=False)
        note = history.state / actors.CONNECTED_NOTE  # by it the hooks vouch, or not
        if renewed.hosts and not note.exists():
            write_file(history.state, actors.CONNECTED_NOTE, FileContent(b""), fsync=False)
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
    return not (history.state / actors.CONNECTED_NOTE).exists() and not connected_hosts(history)


def _read(history: History) -> actors.Authorship | None:
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        with open(os.path.join(history.state, actors.VOUCHING), encoding="utf-8") as file:  # noqa: PTH118, PTH123 - on every start
            record = json.load(file)
        if record["format"] != actors.VOUCHING_FORMAT:
            return None
        times = []
        for host, since, before, until, beside in record["times"]:
            times.append(actors.Connected(host, since, tuple(before), until, tuple(beside)))
        return actors.Authorship(tuple(record["tips"]), tuple(times), frozenset(record["unvouched"]))
    return None


def _renewed(history: History, known: actors.Authorship | None, tips: Sequence[str]) -> actors.Authorship:
    """Return what the tips say, read on from what is known where that is enough."""
    old = actors.Authorship() if known is None else known
    here = [name for name in tips if history.objects.has_commit(name)]
    before = {*old.tips, *(name for time in old.times for name in time.before)}
    new = list(islice(history.objects.walk(here, before), FOLLOWED + 1))
    # where branches met or the branch went back, the walk goes past what was read, down to commits of long before
    is_all = len(new) <= FOLLOWED and all(len(commit.parent_ids) == 1 for commit in new)
    marked = [commit for commit in new if _is_mark(commit)]
    if not is_all:
        marked = _marked(history, tips, old.tips)
    if not marked and not old.times:
        return actors.Authorship(tuple(tips))
    if marked or not is_all:
        return _read_whole(history, tips)
    unvouched = old.unvouched
    if old.hosts:
        unvouched |= {commit.commit_id for commit in new if _says_too_much(commit)}
    return actors.Authorship(tuple(tips), old.times, unvouched)


def _read_whole(history: History, tips: Sequence[str]) -> actors.Authorship:
    times = _times(_marked(history, tips, ()), history)
    unvouched: set[str] = set()
    for time in times:
        ends = [time.until, *time.beside] if time.until else tips
        names = _reached(history, ends, [time.since, *time.before])
        if time.until:
            # what was made beside the end, without knowing of it, keeps its author when the two meet
            names |= _descendants(history, tips, time.since) - _descendants(history, tips, time.until)
        for name in names:
            if _says_too_much(history.objects.commit(name)):
                unvouched.add(name)
    return actors.Authorship(tuple(tips), times, frozenset(unvouched))


def _times(marked: Sequence[Commit], history: History) -> tuple[actors.Connected, ...]:
    """Return the times in which hosts were connected; a host's end ends all of that name that it knew of."""
    times = []
    for mark in marked:
        if (host := mark.trailers.first(CONNECTED)) is not None:
            times.append(actors.Connected(host, mark.commit_id, mark.trailers.all(BESIDE)))
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


def _marked(history: History, tips: Sequence[str], known: Sequence[str]) -> list[Commit]:
    options = ("log", "--reverse", "--date-order", "--format=%H", "-E", f"--grep={_MARK}")
    commits = map(history.objects.commit, _between(history, options, tips, known))
    return [commit for commit in commits if _is_mark(commit)]


def _is_mark(commit: Commit) -> bool:
    if CONNECTED not in commit.message and DISCONNECTED not in commit.message:
        return False
    is_operators = commit.trailers.first("Clawgit-Actor") == actors.OPERATOR
    return is_operators and commit.trailers.first("Clawgit-Op") is not None and actors.is_vouched(commit)


def _says_too_much(commit: Commit) -> bool:
    """Say whether a commit says more than anybody may say who was not looked at: whose it is, or whose word it rests on."""
    actor = actors.actor_of(commit.trailers, commit.author)
    is_modest = actor == actors.UNKNOWN or (
        actor == actors.HOST and not actors.rests_on_message(commit.trailers)
    )
    return not is_modest and not actors.is_vouched(commit)


def _reached(history: History, tips: Iterable[str], without: Iterable[str]) -> set[str]:
    """Return the commits that ``tips`` reach and ``without`` do not; what is not here any more reaches nothing."""
    return set(_between(history, ("rev-list",), tips, without))


def _descendants(history: History, tips: Sequence[str], name: str) -> set[str]:
    """Return what ``tips`` reach that grew out of a commit, with it; a lost one has none that are known."""
    if not history.objects.has_commit(name):
        return set()
    return {name, *_between(history, ("rev-list", "--ancestry-path"), tips, [name])}


def _between(
    history: History, asked: Sequence[str], tips: Iterable[str], without: Iterable[str]
) -> list[str]:
    here = [name for name in tips if history.objects.has_commit(name)]
    if not here:
        return []
    known = [f"^{name}" for name in without if history.objects.has_commit(name)]
    return named_by_git(history, *asked, *here, *known)


def named_by_git(history: History, *asked: str) -> list[str]:
    from clawgit.history.git.git_program import git_output  # most commands find nothing new

    return git_output(history, *asked).decode().split()


def tips_beside(history: History) -> tuple[str, ...]:
    """Return the tips of what is here and not on this branch: made before the moment that is about to be recorded."""
    tip = history.tip().commit_id
    named = set(remembered_tips(history).values())
    for prefix in ("refs/heads/", "refs/remotes/", PAST):
        named.update(history.refs(prefix).values())
    others = [name for name in sorted(named - {tip}) if history.objects.has_commit(name)]
    if not others:
        return ()
    elsewhere = _reached(history, others, [] if tip is None else [tip])
    return tuple(name for name in others if name in elsewhere)
