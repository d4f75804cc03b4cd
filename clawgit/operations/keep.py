"""Committing what others wrote into the files, and claiming commits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ExitCode, UsageError
from clawgit.history.authorship.actors import HOST, UNKNOWN, in_words
from clawgit.history.guards.check import overriding
from clawgit.history.operator_records import claim_commits, may_act_as
from clawgit.history.review.keep import Kept, keep
from clawgit.history.review.working_tree_edits import IN_USE
from clawgit.operations.changes import say_kept

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.apply_plan import Recorded
    from clawgit.operations.caller import Caller


class KeepRequest(NamedTuple):
    """One sentence that goes into the commit."""

    reason: str = ""


def keep_edits(
    caller: Caller, request: KeepRequest, *, author: str | None = None, overridden: Sequence[str] = ()
) -> Kept:
    """Commit the edits of the working tree as their author's; ``overridden`` guards let through what they hold back."""
    history = caller.history()
    is_host = caller.actor == HOST
    actor = author or (HOST if is_host else UNKNOWN)
    may_act_as(caller.actor, actor)
    intent = overriding(caller.intent(history, kind="keep", actor=actor), tuple(overridden), request.reason)
    kept = keep(history, intent, reason=request.reason, of_turn=is_host)
    caller.note_tip(history)
    for finding in (*kept.held, *kept.remarks):
        caller.say(f"{finding.sentence} {finding.way_out}")
    for sentence in kept.recovered:
        caller.say(sentence)
    if any(finding.rule == IN_USE for finding in kept.held):
        caller.exit_code = ExitCode.BUSY
    caller.say(_sentence(actor, kept) if kept.paths else "There was nothing to keep.")
    return kept


def _sentence(actor: str, kept: Kept) -> str:
    paths = ", ".join(kept.paths)
    if actor != UNKNOWN:
        return f"Committed, written by {in_words(actor)}: {paths}."
    claimed = " ".join(commit[:12] for commit in kept.commits)
    return f"Committed with an unknown author: {paths}. If you wrote it: clawgit keep --as operator {claimed}"


def claim(caller: Caller, commits: Sequence[str], author: str | None) -> Recorded:
    """Claim commits of an unknown author as the operator's."""
    if author != "operator":
        raise UsageError("Only the operator claims commits.", hint="Say `--as operator`.")
    may_act_as(caller.actor, author)
    history = caller.history()
    done = claim_commits(history, tuple(commits), caller.intent(history))
    say_kept(caller, done.kept)
    caller.say(f"Claimed as yours: {', '.join(commits)}.")
    return done
