"""The operator's yes or no to pending items; each answer is a change of its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, ExitCode, UsageError
from clawgit.operations.changes import say_change
from clawgit.operations.paths import user_path
from clawgit.operations.status import list_pending
from clawgit.pending.queue import ApproveRequest, Pending, PendingKind, View, find_pending, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clawgit.history.apply_plan import Recorded
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.operations.caller import Caller
    from clawgit.pending.answers import AnswerOutcome, Desk


def pending_item(caller: Caller, item_id: str) -> Pending:
    return find_pending(_view(caller, caller.history()), item_id)


def approve_pending(caller: Caller, request: ApproveRequest) -> list[AnswerOutcome] | Recorded:
    """Say yes to items; return the earlier change if the op was applied before."""
    from clawgit.history.apply_plan import repeated
    from clawgit.history.guards.check import overriding
    from clawgit.pending.answers import alike, approve

    caller.only_operator("approve what is pending", hint="`clawgit pending` shows what a yes would do.")
    if (request.words or request.only) and len(request.names) != 1:
        raise UsageError("Other words and pieces are for one item.", hint="Name one ID.")
    history = caller.history()
    intent = overriding(caller.intent(history), request.override, request.reason)
    intent = approving(caller, history, intent, request.key)
    before = repeated(history, intent)
    if before is not None:
        say_change(caller, before, "")
        return before
    view = _view(caller, history)
    items = list(map(partial(find_pending, view), request.names))
    if request.like:
        first = find_pending(view, request.like)
        for each in alike(first, list_pending(caller)):
            if each not in items:
                items.append(each)
    return _answer_each(caller, intent, items, "yes", lambda desk, item: approve(desk, item, request))


def reject_pending(
    caller: Caller,
    names: Sequence[str],
    reason: str = "",
    key: str | None = None,
    *,
    may_delete: Callable[[str], bool] | None = None,
) -> list[AnswerOutcome]:
    """Say no to items; ``may_delete`` is asked before a quarantined change is deleted for good."""
    from clawgit.pending.answers import reject

    caller.only_operator("reject what is pending", hint="`clawgit pending` shows what a no would do.")
    history = caller.history()
    intent = caller.intent(history)
    if any(kind_of(name) is PendingKind.CONFLICT for name in names):  # a no says that both hold
        intent = approving(caller, history, intent, key)
    view = _view(caller, history)
    items = list(map(partial(find_pending, view), names))
    for item in items:
        if may_delete is None or item.kind is not PendingKind.QUARANTINE:
            continue
        if not may_delete(f"Delete {item.item_id} ({item.text})?"):
            raise ClawgitError(f"{item.item_id} stays.", hint="Say --yes to delete it.")
    return _answer_each(caller, intent, items, "no", lambda desk, item: reject(desk, item, reason))


def approving(caller: Caller, history: History, intent: Intent, key: str | None) -> Intent:
    """Return the intent of an approval; it is signed with a touched key where the setting `approvals` says so."""
    if history.settings.approvals != "present" and key is None:
        return intent
    from clawgit.history.authorship.approval_level import ALLOWED, signer_with, touched

    if history.settings.approvals != "present":
        return intent._replace(sign=signer_with(user_path(key or "")))
    if intent.unattended:
        raise ClawgitError(
            f"approvals is present, and this runs in your agent's process ({intent.unattended} is set).",
            hint="Approve in a terminal of your own.",
        )
    if key is None:
        sentence = "approvals is present: an approval counts only with a touched key."
        raise ClawgitError(sentence, hint="`--sign KEY` with a security key of allowed_signers.")
    signer = touched(signer_with(user_path(key)), caller.trust_file.parent / ALLOWED)
    return intent._replace(sign=signer)


def _view(caller: Caller, history: History) -> View:
    return View(history, caller.now(history), caller.held_settings)


def _answer_each(
    caller: Caller,
    intent: Intent,
    items: Sequence[Pending],
    word: str,
    answer: Callable[[Desk, Pending], AnswerOutcome],
) -> list[AnswerOutcome]:
    """Answer the items one after the other; one of several that is refused does not stop the others."""
    from clawgit.agents.door.exchanged_lines import same_told
    from clawgit.pending.answers import AnswerOutcome, Desk, later_intent

    history = caller.opened
    assert history is not None
    answers = []
    for number, item in enumerate(items):
        own = intent if number == 0 else later_intent(intent)
        desk = Desk(history, own, caller.trust_file, caller.held_settings, caller.steady())
        try:
            answered = answer(desk, item)
        except ClawgitError as error:
            if len(items) == 1:
                raise
            caller.say(f"{item.item_id}: {error}")
            caller.exit_code = ExitCode.REFUSED
            answers.append(AnswerOutcome(item, error.message, word=word, is_refused=True))
            continue
        if answered.recorded is None:
            caller.say(answered.says)
        else:
            say_change(caller, answered.recorded, answered.says)
        caller.say_each([*answered.notes, *same_told(answered.same)])
        answers.append(answered._replace(word=word))
    if any(item.kind is PendingKind.QUARANTINE for item in items):
        caller.note_tip(history)
    return answers
