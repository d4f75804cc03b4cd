"""Removing one line of memory: for the operator, and for a host that he asked."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import NOTHING, Recorded, propose_change, repeated
from clawgit.history.undo import forgetting
from clawgit.history.undo import undo as history_undo
from clawgit.memory.entries.tiers import LEARNED, holds_entries
from clawgit.memory.trust import HOST, OPERATOR
from clawgit.operations.changes import open_door, say_change, say_kept
from clawgit.operations.meant_statement import find_statement, one_statement
from clawgit.operations.undo import Undone, preview_lines, take_back

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clawgit.history.git.repository import History
    from clawgit.operations.caller import Caller
    from clawgit.plan import Evidence


class ForgetOutcome(NamedTuple):
    """The lines that may be meant; the change, if one was removed, and the lines that say the same and stay."""

    lines: Sequence[forgetting.StatementLine]
    recorded: Recorded | None = None
    same: Sequence[forgetting.StatementLine] = ()


def forget_line(
    caller: Caller, what: str, reason: str = "", *, may_forget: Callable[[], bool] | None = None
) -> ForgetOutcome:
    """Remove a line of memory, shown first; without ``may_forget`` to ask, only a line that is surely meant."""
    caller.only_operator("forget what memory says")
    history = caller.history()
    intent = caller.intent(history)
    before = repeated(history, intent)
    if before is not None:
        say_change(caller, before, "")
        return ForgetOutcome((), before)
    meant = find_statement(history, what.strip(), caller.now(history))
    if meant.note:
        caller.say(meant.note)
    line = meant.lines[0]
    several = len(meant.lines) > 1
    may_be_asked = may_forget is not None and forgetting.has_words(line, what)
    if several or not (meant.is_sure or may_be_asked):
        if several:
            caller.say("Nothing was removed: name one of these.")
        else:
            caller.say("Nothing was removed. Did you mean this? Name it.")
        return ForgetOutcome(meant.lines)
    undoing = forgetting.find_forgetting(history, line)
    caller.say(f"To forget: {_shown(line)}")
    caller.say_each(preview_lines(history, undoing))
    if may_forget is not None and not may_forget():
        raise ClawgitError("It stays, nothing was changed.", hint="Say --yes to remove it.")
    done = history_undo.undo(history, undoing, reason, intent)
    if done.outcome == NOTHING:
        say_kept(caller, done.kept)
        raise ClawgitError(
            "The line reads otherwise in the folder, so nothing was removed.", hint="Ask for it again."
        )
    say_change(caller, done, f"Forgotten: {_shown(line)}")
    return ForgetOutcome(meant.lines, done, forgetting.find_same(history, line))


def forget_for_host(caller: Caller, what: str, evidence: str = "") -> Recorded:
    """Remove the host's own line, or one that a message of the operator's asks to forget; others need the operator's yes."""
    from clawgit.agents.door.meant_entries import origins_of
    from clawgit.agents.takings_back import order_to_forget

    with open_door(caller) as door:
        history, intent = door.authority.history, door.intent
        before = repeated(history, intent)
        if before is not None:
            say_change(caller, before, "")
            return before
        line = one_statement(history, what.strip(), intent.now)
        undoing = forgetting.find_forgetting(history, line)
        taken = undoing.taken
        is_of_memory = holds_entries(line.path) or line.path.startswith("memory/")
        if not is_of_memory or taken.refusals or taken.conflicts:
            raise ClawgitError(f"{line.place} is not yours to change.", hint=f"Tell him: `{line.command}`.")
        whose = set(map(attrgetter("trust"), origins_of(history, line.path, line.statement.first + 1)))
        is_own = line.path == LEARNED and whose == {HOST}
        reason = "Your agent asks to remove it."
        proof: tuple[Evidence, ...] = ()
        if evidence and not is_own and history.settings.approvals != "present":
            proof = order_to_forget(history, door.authority.store, evidence, line)
        if proof:
            intent = intent._replace(trust=OPERATOR, by_message=True)
            done = history_undo.undo(history, undoing, "The operator asked to forget it.", intent, proof)
        elif is_own:
            done = history_undo.undo(history, undoing, reason, intent)
        else:
            plan = history_undo.undoing_plan(undoing.taking, taken, reason)
            done = propose_change(history, plan, taken.contents, intent)
    commit = (done.commit_id or "")[:12]
    say_change(caller, done, f"Forgotten: {_shown(line)} (`clawgit undo {commit}`)")
    return done


def show_forgetting(caller: Caller, what: str) -> Undone:
    """Preview `forget_line` for the only line that is surely meant."""
    caller.only_operator("forget what memory says")

    def found(history: History) -> history_undo.Undoing:
        line = one_statement(history, what.strip(), caller.now(history))
        return forgetting.find_forgetting(history, line)

    return take_back(caller, found, "", dry_run=True)


def _shown(line: forgetting.StatementLine) -> str:
    mark = ""
    if line.mark:
        mark = f" ({line.mark})"
    return f"{line.place}{mark}  {line.statement.words}"
