"""The operator's answers in chat (`1 yes 2 no`), directly after a turn of the agent that quotes clawgit's lines.

Questions about memory only. A reply that does not fit answers nothing: the question stays open.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.capture.messages.message import ChatMessage, is_his, talk_before
from clawgit.context.wanted_context import MAIN, scope_of
from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.pending.answers import Desk, approve, reject
from clawgit.pending.day_questions import FORGOTTEN, shown_since
from clawgit.pending.queue import ApproveRequest, Pending, PendingKind, View, read_kind
from clawgit.plan import MESSAGE, Evidence
from clawgit.understanding.forms.numbered_answers import answers_in, begins_as_answer, how_to_answer, lines_in
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.record_tables import ShownNote

LATEST: Final = timedelta(days=1)  # between question and answer
IN_CHAT: Final = "chat"  # instead of the sign that marks an act as unattended
_UNCLEAR: Final = "The turn before the answer asks or numbers something else too, so it is not clear what was answered. Nothing was changed."
_HOW: Final = "That answers nothing, and nothing was changed. Only these words alone do: {how}."
_FEW: Final = 20  # letters of a reply that answers nothing


class ChatAnswer(NamedTuple):
    """The result for one question; ``outcome`` is `done` or `refused`."""

    question: str
    word: str
    outcome: str
    says: str


def answer_in_chat(
    history: History, store: MessageStore, message: ChatMessage, now: datetime, trust_file: Path
) -> list[ChatAnswer]:
    """Apply the answers of a private message to the questions in the agent's turn before it."""
    own = own_words(message.text).strip()
    answers = answers_in(own)
    is_alone = scope_of(message.session) == MAIN
    if (
        not (answers or begins_as_answer(own))
        or not is_his(message)
        or not is_alone
        or history.settings.approvals == "present"
    ):
        return []
    turn = list(takewhile(lambda each: each.role == "assistant", reversed(talk_before(store, message))))
    if not turn or message.sent_at - turn[0].sent_at > LATEST:
        return []
    lately = shown_since(history, now, now.date() - FORGOTTEN)
    notes = {note.line: note for note in lately if note.in_talk}
    lines, asks_more = lines_in("\n".join(each.text for each in reversed(turn)), notes)
    shown = {notes[line].number: notes[line] for line in lines}
    if not lines or (asks_more and not answers):
        return []
    made = []
    if not answers:
        for number, note in sorted(shown.items()):
            says = _HOW.format(how=how_to_answer(number))
            made.append(ChatAnswer(note.question, own[:_FEW], "refused", says))
        return made
    if asks_more or len(shown) < len(lines) or not answers.keys() <= shown.keys():
        for number in filter(answers.__contains__, shown):
            made.append(ChatAnswer(shown[number].question, _word(answers[number]), "refused", _UNCLEAR))
        return made
    pending = {item.item_id: item for item in read_kind(View(history, now, {}), PendingKind.QUESTION)}
    evidence = (Evidence(MESSAGE + message.chat_id, message.text),)
    for number, yes in answers.items():
        intent = Intent(new_op("op"), OPERATOR, now, unattended=IN_CHAT)
        desk = Desk(history, intent, trust_file, {}, evidence=evidence)
        made.append(_answered(desk, shown[number], pending, is_yes=yes))
    return made


def _answered(desk: Desk, note: ShownNote, pending: Mapping[str, Pending], *, is_yes: bool) -> ChatAnswer:
    item = pending.get(note.question)
    word = _word(is_yes)
    if item is None or f"{note.number} {item.change}?" != note.line:
        why = f"{note.question} is not asked any more, or asks something else by now. Nothing was changed."
        return ChatAnswer(note.question, word, "refused", why)
    try:
        answered = approve(desk, item, ApproveRequest()) if is_yes else reject(desk, item, "")
    except ClawgitError as error:
        return ChatAnswer(note.question, word, "refused", f"{error.message} {note.question} stays.")
    return ChatAnswer(note.question, word, "done", answered.says)


def _word(answer: object) -> str:
    if answer:
        return "yes"
    return "no"
