"""Committing edits that others made in the files, and claiming commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ExitCode, UsageError
from clawgit.history.authorship import actors
from clawgit.history.authorship.commit_messages import KEEP_OP
from clawgit.history.guards.check import overriding
from clawgit.history.operator_records import claim_commits, may_act_as
from clawgit.history.review.keep import KeepOutcome, edit_lines, keep, may_be_his
from clawgit.history.review.working_tree_edits import IN_USE, all_edits, hold_back
from clawgit.identity.soul_policy import name_in
from clawgit.operations.changes import NAMED, finding_lines, held_lines, held_news, say_kept
from clawgit.text.safety.control_characters import few
from clawgit.workspace.layout import IDENTITY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clawgit.history.apply_plan import Recorded
    from clawgit.history.git.repository import History
    from clawgit.operations.caller import Caller

LINES_SHOWN = 12


def keep_edits(
    caller: Caller,
    reason: str = "",
    *,
    author: str | None = None,
    overridden: Sequence[str] = (),
    asks: Callable[[str], bool] | None = None,
) -> KeepOutcome:
    """Commit the edits of the working tree as their author's; ``overridden`` guards hold nothing back.

    ``asks`` asks the person at a terminal whether the edits are theirs, where a host is connected.
    """
    history = caller.history()
    if asks is not None and author is None and caller.types_himself:
        _ask_whose(caller, history, asks)
    is_host = caller.actor == actors.HOST
    actor = author or (actors.HOST if is_host else actors.UNKNOWN)
    may_act_as(caller.actor, actor)
    intent = overriding(caller.intent(history, kind="keep", actor=actor), tuple(overridden), reason)
    outcome = keep(history, intent, reason=reason, of_turn=is_host)
    caller.note_tip(history)
    left_out = held_news(caller, outcome.held)
    if not outcome.commits and not is_host:
        left_out = list(outcome.held)
    findings = (*left_out, *outcome.remarks)
    lines = finding_lines(findings)
    if len(lines) > 1 or outcome.commits:  # the way out is told in full where that is the answer
        lines = held_lines(findings)
    caller.say_each(lines)
    caller.say_each(outcome.recovered)
    if any(finding.rule == IN_USE for finding in outcome.held):
        caller.exit_code = ExitCode.BUSY
    caller.say_each(_sentences(history, actor, outcome) or _nothing(history, actor))
    if outcome.staged:
        staged = few(outcome.staged, NAMED)
        caller.say(f"{staged}: something of it is staged, so it is left to your `git commit`.")
    return outcome


def _ask_whose(caller: Caller, history: History, asks: Callable[[str], bool]) -> None:
    """Show the edits that can be committed; a yes makes exactly these texts the operator's."""
    if history.settings.edits_here != actors.MINE or actors.edits_are_his(history):
        return
    tip = history.tip()
    shown = {}
    his = caller.intent(history, kind="keep", actor=actors.OPERATOR)
    for edit in hold_back(history, tip, all_edits(history, tip).edits, his).edits:
        if may_be_his(edit.path):
            shown[edit.path] = edit.content
            caller.say_each(edit_lines(tip.tree, edit, LINES_SHOWN))
    if shown and asks("Your agent is connected, so it may have written this. Is all of it yours?"):
        history.is_his_edit = lambda _, path, content: path in shown and shown[path] == content


def _sentences(history: History, actor: str, outcome: KeepOutcome) -> list[str]:
    sentences = []
    if outcome.yours:
        sentences.append(f"Committed, written by you: {', '.join(outcome.yours)}.")
    others = [path for path in outcome.paths if path not in outcome.yours]
    if others and actor != actors.UNKNOWN:
        sentences.append(f"Committed, written by {actors.in_words(actor)}: {', '.join(others)}.")
    elif others:
        commits = [history.objects.commit(commit_id) for commit_id in outcome.commits]
        unknown = filter(lambda each: actors.actor_in(history, each) == actors.UNKNOWN, commits)
        named = " ".join(each.commit_id[:12] for each in unknown)
        way = f"If you wrote it: clawgit keep --as operator {named}"
        sentences.append(f"Committed with an unknown author: {', '.join(others)}. {way}")
        if history.settings.edits_here == actors.MINE and not all(map(may_be_his, others)):
            sentences.append("`edits_here` does not reach settings, the soul and prompts.")
        elif history.settings.edits_here != actors.MINE and not actors.connected_hosts(history):
            sentences.append(
                "All that is edited here is yours? `clawgit config set edits_here mine` says so once,"
                " also of what your agent writes, until you connect it."
            )
    return sentences


def _nothing(history: History, actor: str) -> list[str]:
    sentences = ["There was nothing to keep."]
    tip = history.tip().commit_id
    if tip and actor == actors.OPERATOR:
        commit = history.objects.commit(tip)
        is_kept = (commit.trailers.first("Clawgit-Op") or "").startswith(KEEP_OP)
        if is_kept and actors.actor_in(history, commit) == actors.UNKNOWN:
            sentences.append(f"To claim the last commit: `clawgit keep --as operator {tip[:12]}`.")
    return sentences


def claim(caller: Caller, commits: Sequence[str], author: str | None) -> Recorded:
    if author != "operator":
        raise UsageError("Only the operator claims commits.", hint="Say `--as operator`.")
    may_act_as(caller.actor, author)
    history = caller.history()
    done = claim_commits(history, tuple(commits), caller.intent(history))
    say_kept(caller, done.kept)
    caller.say(f"Claimed as yours: {', '.join(commits)}.")
    agent = name_in(history.tip().tree.read(IDENTITY) or b"")
    if agent:
        caller.say(f"What a label gives to your agent (`{agent}:`) stays its own.")
    return done
