"""Catches up with git's own commits: each command calls it, and a second call does nothing."""

from __future__ import annotations

import time
from contextlib import suppress
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.authorship.actors import OPERATOR, silent_past
from clawgit.history.authorship.commit_messages import own_commits
from clawgit.history.git.git_program import git_output, range_lines
from clawgit.history.git.lock import is_locked
from clawgit.history.git.refs import PAST, logs_grew, pin_lost_tips, remember_tip
from clawgit.history.git.repository import History, refuse_odd_state
from clawgit.history.guards.check import (
    MESSAGE,
    check,
    check_commit,
    check_cut,
    cut_short,
    intent_of,
    lets_through,
)
from clawgit.history.guards.conservation import RULE as LOSS
from clawgit.history.guards.contents import RULE as SECRET
from clawgit.history.guards.finding import Severity, severity_of
from clawgit.history.review.arrivals import (
    STALE_REWRITE,
    Arrival,
    Arrivals,
    arrival_of,
    read_arrivals,
    with_found,
    write_arrivals,
)
from clawgit.history.review.keep import dropped_unseen, find_stale_rewrites
from clawgit.history.transaction.staging import refuse_conflicts
from clawgit.history.views import refresh_views, views_lock
from clawgit.history.workspace_status import reconcile_tips
from clawgit.plan import Plan
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit

_ACCEPTS = lazy_pattern(r"[0-9a-f]{40}(?= )")


class Reconciled(NamedTuple):
    """The findings in commits that clawgit did not make, and sentences on what was done."""

    arrivals: Arrivals
    notes: tuple[str, ...] = ()


def reconcile(history: History, now: datetime, *, seconds: float) -> Reconciled:
    """Catch up with the tip for about ``seconds``; the rest is counted as unread.

    Does nothing during a merge and the like, or while another process holds the workspace; waits for a renewal of the
    views after git's commit.
    """
    recorded = read_arrivals(history)
    tip = None
    with suppress(ClawgitError):
        refuse_odd_state(history)
        refuse_conflicts(history)
        tip = history.tip().commit_id
    if tip is None or (recorded.tip == tip and not recorded.unread and not logs_grew(history)):
        return Reconciled(recorded)
    wait_seconds = seconds if is_locked(views_lock(history)) else 0
    with history.locked(wait_seconds=wait_seconds):
        arrivals = _looked_at(history, recorded, tip, time.monotonic() + seconds)
        # findings that the tip mended or lost from its history are dropped
        reached = set(filter(history.objects.has_commit, map(attrgetter("commit_id"), arrivals.found)))
        if reached:
            reached -= set(git_output(history, "rev-list", *reached, f"^{tip}").decode().split())
        kept_as = "History was rewritten; what it left out is kept as {}."
        notes = list(map(kept_as.format, pin_lost_tips(history)))
        stays: list[Arrival] = []
        for arrival in arrivals.found:
            if arrival.rule == SECRET and arrival.commit_id not in reached:
                stays += _pinned(history, arrival)
            is_open = arrival.commit_id in reached and (arrival.lasts or not arrival.told)
            if is_open and (arrival.accepted or _holds(history, arrival, tip)):
                stays.append(arrival)
        arrivals = arrivals._replace(found=tuple(stays))
        if recorded.tip == tip:
            write_arrivals(history, arrivals)
            return Reconciled(arrivals, tuple(notes))
        remember_tip(history, history.branch(), tip)
        notes += [f"{finding.sentence} {finding.way_out}" for finding in refresh_views(history, now)]
        write_arrivals(history, arrivals)
    reconcile_tips(history, now)
    return Reconciled(arrivals, tuple(notes))


def _pinned(history: History, secret: Arrival) -> Iterator[Arrival]:
    """Yield a secret that a rewrite took out of the branch, while a pinned earlier tip has it."""
    names = [
        name for name, tip in history.refs(PAST).items() if history.objects.contains(tip, secret.commit_id)
    ]
    if names and history.objects.has_commit(secret.commit_id):
        drop = " && ".join(f"git update-ref -d {name}" for name in names)
        way_out = f"The branch has it no more, what was kept of the rewrite has: `{drop} && git -c gc.reflogExpireUnreachable=now gc --prune=now` takes it out, and what else no branch, stash or reference has."
        is_told = secret.told and way_out == secret.way_out
        yield secret._replace(way_out=way_out, told=is_told, is_off_branch=True)


def mark_told(history: History, shown: Arrivals) -> None:
    """Note that these findings were shown; if that fails, they are new again."""
    keys = set(map(attrgetter("key"), shown.new))
    if not keys:
        return
    with suppress(ClawgitError), history.locked(wait_seconds=0):
        arrivals = read_arrivals(history)
        marked = [one._replace(told=one.told or one.key in keys) for one in arrivals.found]
        write_arrivals(history, arrivals._replace(found=tuple(marked)))


def accept_commit(history: History, name: str, reason: str, intent: Intent) -> Recorded:
    """Record that the operator accepts the findings in the commit ``name``; the tree is unchanged."""
    commit_ids = set(map(attrgetter("commit_id"), read_arrivals(history).open))
    commit_ids = set(filter(methodcaller("startswith", name), commit_ids))
    if not name or len(commit_ids) != 1:
        sentence = f"Nothing is open about a commit {name}."
        raise ClawgitError(sentence, hint="`clawgit doctor` lists what was found, with its commits.")
    (commit_id,) = commit_ids
    plan = Plan(f"accept: what was found in {commit_id[:12]}", trailers=(("Clawgit-Evidence", commit_id),))
    return apply_plan(history, lambda _: plan, intent._replace(override=f"{commit_id} {reason}"))


def _looked_at(history: History, arrivals: Arrivals, tip: str, deadline: float) -> Arrivals:
    """Check the unread commits, oldest first, until the deadline, but at least one."""
    examined = list(filter(history.objects.has_commit, arrivals.examined))
    if not examined:  # what was before the first commit that clawgit made here was taken over as it was
        options = ("--first-parent", "--grep=^Clawgit-Op: ", "--format=%H", *silent_past(history))
        examined = git_output(history, "log", *options, tip).decode().split()[-1:] or [tip]
    line = history.objects.line_from(tip, examined[0]) if len(examined) == 1 else None
    if line is not None:
        unread = list(map(attrgetter("commit_id"), reversed(line)))
    else:
        words = ("rev-list", "--topo-order", "--reverse", "--stdin")
        unread = git_output(history, *words, stdin=range_lines([tip], examined)).decode().split()
    own = own_commits(history)
    result, done = arrivals, 0
    for commit_id in unread:
        if done and time.monotonic() > deadline:
            break
        commit = history.objects.commit(commit_id)
        result = _taken(history, result, commit, is_own=commit_id in own)
        examined = [name for name in examined if name not in commit.parent_ids] + [commit_id]
        done += 1
    return result._replace(tip=tip, examined=tuple(examined), unread=len(unread) - done)


def _taken(history: History, arrivals: Arrivals, commit: Commit, *, is_own: bool) -> Arrivals:
    """Return ``arrivals`` with one commit's findings, and with those marked that the commit accepts."""
    intent = intent_of(history, commit)
    if intent.actor == OPERATOR and arrivals.found:
        from clawgit.history.authorship.rewritten import claimed_in  # noqa: PLC0415 - seldom: each command starts so

        accepts = _ACCEPTS.match(intent.override)
        claimed = claimed_in(history, commit)
        marked = []
        for each in arrivals.found:
            is_accepted = accepts is not None and each.commit_id == accepts[0]
            is_his = each.commit_id in claimed and severity_of(each.rule, OPERATOR) is Severity.PASS
            marked.append(each._replace(accepted=each.accepted or is_accepted or is_his))
        arrivals = arrivals._replace(found=tuple(marked))
    offers = (*cut_short(history, commit), *find_stale_rewrites(history, commit))
    if is_own:
        offered = (arrival_of(commit, intent.actor, each, accepted=False) for each in offers)
        return with_found(arrivals, offered)
    cut = set(map(attrgetter("where"), offers))
    findings = []
    for finding in (*check_commit(history, commit), *offers):
        if finding.rule != LOSS or finding.where not in cut:
            accepted = lets_through(history, commit, finding)
            findings.append(arrival_of(commit, intent.actor, finding, accepted=accepted))
    if len(commit.parent_ids) > 1:  # the other side's findings were noted with its own commits
        there = {(arrival.rule, arrival.path) for arrival in arrivals.found}
        findings = [arrival for arrival in findings if (arrival.rule, arrival.path) not in there]
    return with_found(arrivals, findings)


def _holds(history: History, arrival: Arrival, tip: str) -> bool:
    """Say whether the step from before the commit to the tip still has the finding."""
    if arrival.path in ("", MESSAGE):
        return True
    commit = history.objects.commit(arrival.commit_id)
    if arrival.rule == STALE_REWRITE:
        own = (each for each in dropped_unseen(history, commit) if each.path == arrival.path)
        return any(each.missing_in(history.tree_of(tip)) for each in own)
    base = history.tree_of(commit.first_parent)
    now = history.tree_of(tip)
    intent = intent_of(history, commit)
    if arrival.is_loss:  # text that moved since is not lost
        findings = check_cut(base, now, intent, history.settings)
    else:
        findings = check(base, now, intent, history.settings, only=(arrival.path,))
    return any((finding.rule, finding.path) == (arrival.rule, arrival.path) for finding in findings)
