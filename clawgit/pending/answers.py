"""The operator's yes or no to an item of the queue: makes the change, or says why it cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.agents.contradictions import entry_texts, find_conflict, marked_files, standing, standing_in
from clawgit.agents.door.correction_plans import Made, accept, confirm_reading, correct, drop, reading_called
from clawgit.agents.first_rearrangement import allow_first, needs_yes, refuse_first
from clawgit.errors import ClawgitError, UsageError
from clawgit.history import decisions
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.guards.check import opened
from clawgit.history.guards.quarantine import drop_quarantined
from clawgit.history.operator_records import set_setting
from clawgit.history.provenance.correction_files import withdrawal
from clawgit.history.provenance.trust_lookup import conflicts_known
from clawgit.history.reconcile import accept_commit
from clawgit.history.review.proposals import reject_proposal, settle_proposal
from clawgit.history.states import take_snapshot
from clawgit.history.undo.undo import find_reverting, find_undoing, undo
from clawgit.memory.conflict_log import Outcome, with_conflict
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.memory.entries.statements import own_words_of
from clawgit.memory.entries.tiers import CONFLICTS
from clawgit.memory.trust import HOST
from clawgit.pending.queue import HIS_WORD, ApproveRequest, Pending, PendingKind
from clawgit.plan import Edit, Evidence, Plan
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.correct_by_hand import CorrectError, is_whole, no_longer_said
from clawgit.understanding.corrections.ready_commands import line_of_yes, remember_command
from clawgit.workspace.clock_looks import Steady, believe_clock
from clawgit.workspace.user.trusted_settings import trust_value

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.agents.door.exchanged_lines import SameLine
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.workspace.settings.setting_types import Value

BOTH: Final = "both"
_KEPT: Final = {"a": Outcome.A, "b": Outcome.B, BOTH: Outcome.BOTH}
_BY_OPERATOR: Final = "you decided"
_TOGETHER: Final = (PendingKind.QUESTION, PendingKind.CLOCK)
_ENDS: Final = (".", "!", "。", "！")
_WORDED: Final = (
    PendingKind.PROPOSAL,
    PendingKind.QUESTION,
    PendingKind.CONFLICT,
    PendingKind.ADDITION,
    PendingKind.READING,
)


class Desk(NamedTuple):
    """Where an answer is given, by whom, when, and in which message."""

    history: History
    intent: Intent
    trust_file: Path
    held: Mapping[str, Value]
    steady: Steady | None = None
    evidence: tuple[Evidence, ...] = ()


class AnswerOutcome(NamedTuple):
    """The result of an answer; ``word`` is "yes" or "no"."""

    item: Pending
    says: str
    recorded: Recorded | None = None
    notes: tuple[str, ...] = ()
    word: str = ""
    is_refused: bool = False
    same: Sequence[SameLine] = ()  # lines that still have the old words


def alike(item: Pending, items: list[Pending]) -> list[Pending]:
    """Return the items that `--all-like` approves with ``item``."""
    if item.kind not in _TOGETHER:
        hint = "--all-like is for questions."
        raise UsageError(f"{item.item_id} is a {item.kind.value}: these are decided one by one.", hint=hint)
    return [each for each in items if (each.kind, each.actor) == (item.kind, item.actor) and each.takes_a_yes]


def approve(desk: Desk, item: Pending, yes: ApproveRequest) -> AnswerOutcome:
    """Approve an item and all that are worded like it."""
    is_choice = yes.words.lower() in _KEPT
    takes_no_choice = is_choice and item.kind not in (PendingKind.CONFLICT, PendingKind.QUESTION)
    if yes.words and (item.kind not in _WORDED or takes_no_choice):
        what = "other words"
        if is_choice:
            what = f"`{yes.words}`"
        hint = f"`clawgit pending show {item.item_id}` says more."
        raise UsageError(f"A {item.kind.value} takes no {what}.", hint=hint)
    approving, _ = _ANSWERS[item.kind]
    return approving(desk, item, yes)


def reject(desk: Desk, item: Pending, reason: str) -> AnswerOutcome:
    _, rejecting = _ANSWERS[item.kind]
    return rejecting(desk, item, reason)


def later_intent(intent: Intent) -> Intent:
    """Return the intent under a new op, for one more change."""
    return intent._replace(op=new_op("op"), given=False)


def _approve_proposal(desk: Desk, item: Pending, yes: ApproveRequest) -> AnswerOutcome:
    history, name = desk.history, item.item_id
    done = decisions.approve_proposal(history, name, desk.intent, yes.only, _as_line(yes.words))
    says = "Approved in your words"
    lines = []
    if not yes.words:
        says = "Approved"
        for each in item.pieces:
            if not yes.only or each.number in yes.only:
                lines += each.numbered_lines
        if item.why:
            lines.append(f"  why: {item.why}")
    left = ""
    if 0 < len(yes.only) < len(item.pieces):
        left = " The other pieces stay pending."
    answered = AnswerOutcome(item, f"{says}: {name}.{left}", done, tuple(lines))
    if not yes.only:
        for other in item.also:
            settle_proposal(history, decisions.find_proposed(history, other).proposal, {})
    return answered


def _as_line(words: str) -> str:
    return folded(words).lstrip("-*# ")


def _reject_proposal(desk: Desk, item: Pending, reason: str) -> AnswerOutcome:
    reject_proposal(desk.history, item.item_id, reason, desk.intent)
    for name in item.also:
        reject_proposal(desk.history, name, reason, later_intent(desk.intent))
    return AnswerOutcome(item, f"Rejected: {item.item_id}. The same edit is not proposed again.")


def _let_stay(desk: Desk, item: Pending, yes: ApproveRequest) -> AnswerOutcome:
    commit = desk.history.objects.commit(item.commit_id)
    if yes.words:
        line = _as_line(yes.words)
        done = decisions.reword_unreviewed(desk.history, commit, line, desk.intent)
        return AnswerOutcome(item, f'Approved in your words: {item.item_id}, "{line}".', done)
    done = decisions.approve_unreviewed(desk.history, commit, desk.intent)
    says = f"Approved: {item.item_id}. Nothing in the files changed."
    return AnswerOutcome(item, says, done, tuple(map("     {}".format, item.diff)))


def _take_back(desk: Desk, item: Pending, reason: str) -> AnswerOutcome:
    commit = desk.history.objects.commit(item.commit_id)
    undoing = find_reverting(desk.history, commit)
    if undoing.taken.contents or undoing.taken.conflicts:
        done = undo(desk.history, undoing, reason, desk.intent)
    else:  # nothing of it is there by now
        done = decisions.approve_unreviewed(desk.history, commit, desk.intent)
    return AnswerOutcome(item, f"Taken back: {item.item_id}.", done)


def _undo_reading(desk: Desk, item: Pending, reason: str) -> AnswerOutcome:
    history = desk.history
    _, correction = reading_called(history, history.tip().tree, item.item_id)
    name = item.item_id
    if correction is not None:
        name = f"x:{correction.correction_id}"
    done = undo(history, find_undoing(history, name), reason, desk.intent)
    return AnswerOutcome(item, f"Taken back: {name}.", done)


def _confirm(desk: Desk, item: Pending, yes: ApproveRequest) -> AnswerOutcome:
    if yes.words:
        entry = next(iter(item.entries), item.item_id)
        made = correct(desk.history, entry, yes.words, desk.intent, entry=entry)
        return _of_made(item, made, correction_words(made.correction))
    done = confirm_reading(desk.history, item.item_id, desk.intent, yes.reason)
    says = item.yes.replace(HIS_WORD, f"{item.item_id} is your own word now.")
    return AnswerOutcome(item, says, done)


def _apply(desk: Desk, item: Pending, yes: ApproveRequest) -> AnswerOutcome:
    intent = opened(desk.history, desk.intent, yes.reason) if yes.reason else desk.intent
    done = decisions.apply_quarantined(desk.history, item.item_id, intent)
    return AnswerOutcome(item, f"Applied: {item.item_id}.", done)


def _delete(desk: Desk, item: Pending, _reason: str) -> AnswerOutcome:
    drop_quarantined(desk.history, item.item_id)
    return AnswerOutcome(item, f"Dropped: {item.item_id}.")


def _answer_question(desk: Desk, item: Pending, yes: ApproveRequest) -> AnswerOutcome:
    history, name = desk.history, item.item_id
    intent = desk.intent
    if item.rivals:
        entry = item.entries[0]
        made = correct(history, entry, yes.words or item.rivals[-1].correct, intent, entry=entry)
        _drop(desk._replace(intent=later_intent(intent)), item, yes.reason)
        return _of_made(item, made, correction_words(made.correction))
    if yes.like:
        intent = intent._replace(trust=HOST)
    if yes.words.lower() == BOTH:
        made = drop(history, name, intent, both=True)
        says = ""
        if made.correction:
            question = made.correction
            line = question.proposed or line_of_yes(question.said, question.trigger, question.turn)
            says = f'Remembered: "{line}"; "{question.said}" stays.'
    elif yes.words:
        made = _in_his_words(desk, item, yes)
        says = correction_words(made.correction)
    else:
        made = accept(history, name, intent, desk.evidence)
        says = correction_words(made.correction)
    for other in item.also:
        drop(history, other, later_intent(desk.intent), evidence=desk.evidence)
    return _of_made(item, made, says)


def _of_made(item: Pending, made: Made, says: str) -> AnswerOutcome:
    return AnswerOutcome(item, says, made.recorded, made.notes, same=made.same)


def _in_his_words(desk: Desk, item: Pending, yes: ApproveRequest) -> Made:
    """Correct the statement of a question; whole sentences that name no entry correct the question's own entry."""
    history, name, words = desk.history, item.item_id, yes.words
    try:
        return correct(history, name, words, desk.intent, entry=yes.entry)
    except CorrectError:
        is_line = is_whole(words) and words.rstrip().endswith(_ENDS)
        if yes.entry is not None or len(item.entries) != 1 or not is_line:
            raise
    return correct(history, name, words, desk.intent, entry=item.entries[0])


def _drop(desk: Desk, item: Pending, reason: str) -> AnswerOutcome:
    if item.rivals:
        done = apply_plan(desk.history, lambda tree: withdrawal(tree, item.rivals, reason), desk.intent)
        return AnswerOutcome(item, f"{item.item_id}: the line stays as it is.", done)
    made = drop(desk.history, item.item_id, desk.intent, reason=reason, evidence=desk.evidence)
    for name in item.also:
        drop(desk.history, name, later_intent(desk.intent), reason=reason, evidence=desk.evidence)
    says = correction_words(made.correction)
    if item.is_link and made.correction is not None:
        remembered = remember_command(made.correction.trigger)
        if remembered:
            says += f" To keep your sentence: {remembered}"
    return _of_made(item, made, says)


def correction_words(correction: Correction | None) -> str:
    if correction is None:
        return ""
    entries = ", ".join(map("m:{}".format, correction.corrects))
    if correction.status is Status.WITHDRAWN:
        return f"x:{correction.correction_id} is dropped; memory stays as it is."
    if correction.status is Status.APPLIED:
        done = f"Corrected {entries}".rstrip()
    elif not entries:
        done = "No entry said otherwise; recorded"
    else:  # an entry that cannot be edited is linked and left as it is
        done = f"{entries} stays, and is overridden by this"
    change = f'"{correction.correct}"'
    if correction.said:
        change = f'"{correction.said}" → {change}'
    says = f"{done} (correction x:{correction.correction_id}): {change} To have it back: clawgit undo x:{correction.correction_id}"
    dropped: list[str] = []
    is_cut = "…" in (correction.said[-1:], correction.correct[-1:])
    if correction.status is Status.APPLIED and not is_cut:
        dropped = no_longer_said(own_words_of(correction.said), own_words_of(correction.correct))
    if dropped:
        says = f"No longer said: {'; '.join(dropped)}.\n{says}"
    return says


def _name_side(desk: Desk, item: Pending, yes: ApproveRequest) -> AnswerOutcome:
    outcome = _KEPT.get(yes.words.lower())
    if outcome is None:
        hint = f"`clawgit approve {item.item_id} A`, `B` or `both`."
        raise UsageError(f"{item.item_id} asks which entry holds. {item.text}", hint=hint)
    return _resolve(desk, item, outcome, yes.reason)


def _resolve(desk: Desk, item: Pending, outcome: Outcome, reason: str) -> AnswerOutcome:
    """Let one of two entries hold, or both; the pair is not asked about again."""
    conflict = find_conflict(desk.history, item.item_id)
    resolved = conflict._replace(rule=_BY_OPERATOR, outcome=outcome, reason=reason)

    def plan(tree: Tree) -> Plan:
        conflicts = conflicts_known(desk.history, tree)
        others = [each for each in conflicts if each.conflict_id != resolved.conflict_id]
        files = entry_texts(tree)
        if not standing([resolved], standing_in(files)):
            says = "is over: one of its entries is gone, or reads otherwise by now."
            hint = "`clawgit why m:{}` and `clawgit why m:{}` say more."
            hint = hint.format(resolved.a.entry_id, resolved.b.entry_id)
            raise ClawgitError(f"k:{resolved.conflict_id} {says}", hint=hint)
        texts = marked_files(files, [*others, resolved])
        texts[CONFLICTS] = with_conflict(tree.read(CONFLICTS) or b"", resolved)
        edits = tuple(Edit(path, data) for path, data in texts.items() if data != (tree.read(path) or b""))
        return Plan(f"conflict k:{resolved.conflict_id}: {outcome.value}", edits, reason=reason)

    done = apply_plan(desk.history, plan, desk.intent)
    if resolved.winner is None:
        return AnswerOutcome(item, f"{item.item_id}: both entries hold.", done)
    says = f'{item.item_id}: m:{resolved.winner.entry_id} holds: "{resolved.winner.statement}" The other one is marked, and comes after it.'
    return AnswerOutcome(item, says, done)


def _trust(desk: Desk, item: Pending, _yes: ApproveRequest) -> AnswerOutcome:
    history, key = desk.history, item.item_id
    if history.settings.approvals == "present" and desk.intent.sign is not None:
        desk.intent.sign(f"clawgit trust {key} in {history.root}\n".encode())
    if key not in desk.held:
        hint = "`clawgit pending` lists what is pending."
        raise ClawgitError(f"{key} has no value that needs your yes.", hint=hint)
    plan = Plan(f"config: {key} approved", trailers=decisions.reviewed_by(history, key, desk.intent))
    done = apply_plan(history, lambda _: plan, desk.intent)
    trust_value(desk.trust_file, history.root, key, desk.held[key])
    return AnswerOutcome(item, f"Trusted: {key}.", done)


def _put_back(desk: Desk, item: Pending, _reason: str) -> AnswerOutcome:
    key = item.item_id
    value = getattr(desk.history.settings, key)
    if isinstance(value, tuple):
        raise ClawgitError(f"{key} has several values.", hint="Edit CONFIG.md and commit it.")
    written = str(value).lower() if isinstance(value, bool) else str(value)
    done = set_setting(desk.history, key, written, desk.intent)
    return AnswerOutcome(item, f"CONFIG.md says {key}: {written} again.", done)


def _let_go(desk: Desk, item: Pending, yes: ApproveRequest) -> AnswerOutcome:
    done = accept_commit(desk.history, item.commit_id, yes.reason or "it was cut on purpose", desk.intent)
    return AnswerOutcome(item, f"{item.item_id}: the text stays out; it stays in the history.", done)


def _bring_back(desk: Desk, item: Pending, reason: str) -> AnswerOutcome:
    done, sentence = decisions.bring_lines_back(desk.history, item.commit_id, reason, desk.intent)
    undo = f"`clawgit undo {item.commit_id[:12]}` takes the whole edit back"
    return AnswerOutcome(item, f"{item.item_id}: {sentence}; what came since stays. {undo}.", done)


def _believe_clock(desk: Desk, item: Pending, _yes: ApproveRequest) -> AnswerOutcome:
    believe_clock(desk.history.state, desk.intent.now, desk.steady)
    return AnswerOutcome(item, "The clock is right: jobs that move, merge or archive notes run again.")


def _new_baseline(desk: Desk, item: Pending, _yes: ApproveRequest) -> AnswerOutcome:
    name = f"approved {desk.intent.now:%Y-%m-%d %H:%M}"
    return AnswerOutcome(item, f"Snapshot: {name}.", take_snapshot(desk.history, name, desk.intent))


def _let_tidy(desk: Desk, item: Pending, _yes: ApproveRequest) -> AnswerOutcome:
    if not needs_yes(desk.history, item.actor):
        return AnswerOutcome(item, f"The {item.actor} may tidy this folder already.")
    done = allow_first(desk.history, item.actor, desk.intent)
    words = f"The {item.actor} may tidy this folder from its next run on (now: `clawgit run {item.actor}`), with what there is to move by then."
    return AnswerOutcome(item, words, done)


def _let_lie(desk: Desk, item: Pending, _reason: str) -> AnswerOutcome:
    done = refuse_first(desk.history, item.actor, desk.intent)
    words = f"The {item.actor} moves nothing, makes no file, and does not ask again."
    words += f" `clawgit run {item.actor} --dry-run` shows it any time, `clawgit approve {item.item_id}` allows it."
    return AnswerOutcome(item, words, done)


def _changes_nothing(_desk: Desk, item: Pending, _reason: str) -> AnswerOutcome:
    raise ClawgitError(f"A no changes nothing here: {item.text}", hint=item.no)


_Approves = Callable[[Desk, Pending, ApproveRequest], AnswerOutcome]
_Rejects = Callable[[Desk, Pending, str], AnswerOutcome]
_ANSWERS: Final[dict[PendingKind, tuple[_Approves, _Rejects]]] = {
    PendingKind.LOSS: (_let_go, _bring_back),
    PendingKind.CLOCK: (_believe_clock, _changes_nothing),
    PendingKind.SETTING: (_trust, _put_back),
    PendingKind.DRIFT: (_new_baseline, _changes_nothing),
    PendingKind.CONFLICT: (_name_side, lambda desk, item, reason: _resolve(desk, item, Outcome.BOTH, reason)),
    PendingKind.QUESTION: (_answer_question, _drop),
    PendingKind.PROPOSAL: (_approve_proposal, _reject_proposal),
    PendingKind.ADDITION: (_let_stay, _take_back),
    PendingKind.QUARANTINE: (_apply, _delete),
    PendingKind.READING: (_confirm, _undo_reading),
    PendingKind.REARRANGEMENT: (_let_tidy, _let_lie),
}
