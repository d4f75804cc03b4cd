"""An edit that the operator's own message authorises: corrected in memory and ledger, or asked as an open item.

Rules, models, hosts and answers go through here: nobody's edit counts as the operator's words without it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.correction_plans import TIME
from clawgit.capture.messages.message_store import Asked
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.why import present_words
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.memory.corrections.write_correction import (
    Verdict,
    changed_words,
    open_item,
    shortened,
    write_down,
)
from clawgit.memory.entries.statements import parted
from clawgit.memory.provenance.pieces import piece_of
from clawgit.memory.trust import OPERATOR
from clawgit.plan import MESSAGE
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.judge_message import is_sensible
from clawgit.understanding.evidence.check_edit import (
    Objection,
    Proposal,
    Spoken,
    objection_to,
    said_by_himself,
    unfit,
)

if TYPE_CHECKING:
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.memory.corrections.write_correction import Held, Remembered, WrittenDown


NOT_TO_BE_KEPT = "The operator asks that this message not be remembered, or it is a command to the agent."
TURNS_BEFORE = 4  # of the agent's that are looked at
_LOOKED_BACK = 60  # messages of a conversation
_MARK = "m:"


class EvidenceEdit(NamedTuple):
    """What an entry (its id, or its words where it has none) is to say, because of a message, and the words that say so.

    ``doubt``: why it is to be asked though the message carries it.
    """

    entry_id: str
    statement: str
    chat_id: str
    quote: str = ""
    doubt: str = ""


class Outcome(NamedTuple):
    """What becomes of an edit: ``written`` sets it right, or asks where there is an objection; None: nothing is to be done."""

    objection: Objection | None = None
    written: WrittenDown | None = None
    known: Correction | None = None

    @property
    def is_right(self) -> bool:
        """Say whether memory changes."""
        return self.objection is None and self.written is not None


@dataclass(frozen=True, slots=True)
class Authority:
    """What is known of messages and of the history behind the entries; ``asks_always``: whatever is in the way is asked."""

    history: History
    store: MessageStore
    now: datetime
    asks_always: bool = False

    def objection(self, proposal: Proposal, message: ChatMessage | None) -> Objection | None:
        """Return why a message does not carry an edit or an addition, None where it does."""
        if message is None:
            return Objection("There is no such message.", is_question=False)
        if not is_his(message):
            return Objection(
                f"The message is not the operator's own: it counts as {message.trust}.", is_question=False
            )
        if message.signal.veto:
            return Objection(NOT_TO_BE_KEPT, is_question=False)
        return objection_to(proposal, self.spoken(message))

    def spoken(self, message: ChatMessage) -> Spoken:
        """Return a message with the agent's turns before it, of the day on which it was sent here."""
        on = message.sent_at.astimezone(self.now.tzinfo).date()
        return Spoken(message.text, turns_before(self.store, message), on)

    def is_later(self, message: ChatMessage, held: Held) -> bool:
        """Say whether a message came no earlier than the present words of an entry, and every correction of them."""
        entry_id = held.entry.entry_id or ""
        words = present_words(self.history, piece_of(held.entry).words, entry_id)
        told = self._sent(words.messages) or [words.at]  # the store forgets messages, the history does not
        for known in standing_corrections(self.history.tip().tree).values():
            if known.holds and entry_id and entry_id in known.corrects:
                told += self._sent(known.evidence) or [self._written(known)]
        return all(at <= message.sent_at for at in told)

    def _sent(self, cited: tuple[str, ...]) -> list[datetime]:
        found = (self.store.get(each.removeprefix(MESSAGE)) for each in cited)
        return [message.sent_at for message in found if message is not None]

    def _written(self, known: Correction) -> datetime:
        try:
            return datetime.strptime(known.at, TIME).replace(tzinfo=self.now.tzinfo)
        except ValueError:
            return self.now + timedelta(days=1)


def authorised(edit: EvidenceEdit, memory: Remembered, authority: Authority, evidence: str = "") -> Outcome:
    """Return what becomes of an edit: the entry corrected where the message carries it, else a question, asked once.

    ``evidence`` is what new ids are made of; the message, where nothing is said.
    """
    held = entry_meant(edit.entry_id, memory)
    if held is None:
        return Outcome(Objection(f"There is no entry {edit.entry_id}.", is_question=False))
    cited = MESSAGE + edit.chat_id.removeprefix(MESSAGE)
    case = _Case(edit, held, cited, memory, authority, evidence or cited)
    known = case.known()
    if known is not None and known.status is not Status.OPEN and not case.is_beside(known):
        return Outcome(_again(known), known=known)
    objection = case.objection()
    if objection is None:
        written = case.set_right(known)
        if written.correction.status is Status.APPLIED:
            return Outcome(None, written)
        objection = Objection("; ".join(written.notes) or "The entry cannot be changed in its place.")
    if known is not None:
        return Outcome(_again(known), known=known)
    is_asked = bool(case.statement) and (objection.is_question or authority.asks_always)
    is_asked = is_asked and is_sensible(held.parts.statement, case.statement)
    return Outcome(objection, case.asked() if is_asked else None)


@dataclass(frozen=True, slots=True)
class _Case:
    edit: EvidenceEdit
    held: Held
    cited: str
    memory: Remembered
    authority: Authority
    evidence: str

    @property
    def message(self) -> ChatMessage | None:
        return self.authority.store.get(self.cited.removeprefix(MESSAGE))

    @property
    def statement(self) -> str:
        return parted(folded(self.edit.statement)).statement

    def known(self) -> Correction | None:
        """Return the correction that this message made of the entry or asked about it, or one that proposes the same.

        A proposal that he declined is made again by a message of his own only.
        """
        entry_id, old = self.held.entry.entry_id, shortened(self.held.parts.statement)
        found = []
        for known in standing_corrections(self.authority.history.tip().tree).values():
            is_about = entry_id in (*known.corrects, *known.may_correct) if entry_id else known.said == old
            is_asked = _plain(known.proposed) == _plain(shortened(self.statement)) and (
                known.status is Status.OPEN or self.message is None or not is_his(self.message)
            )
            if is_about and (self.cited in known.evidence or is_asked):
                found.append(known)
        return min(found, key=self.is_beside, default=None)

    def is_beside(self, known: Correction) -> bool:
        """Say whether he declined a proposal that his message never carried: what it does say stands."""
        if known.status is not Status.WITHDRAWN or known.proposed in ("", shortened(self.statement)):
            return False
        proposal = Proposal(self.held.parts.statement, known.proposed, "")
        return self.authority.objection(proposal, self.message) is not None

    def objection(self) -> Objection | None:
        if says := unfit(self.edit.statement):
            return Objection(says, is_question=False)
        message, old = self.message, self.held.parts.statement
        others = tuple(each.parts.statement for each in self.memory.entries())
        found = self.authority.objection(Proposal(old, self.statement, self.edit.quote, others), message)
        if found is None and message is not None and not self.authority.is_later(message, self.held):
            found = Objection(f"{_called(self.held)} was said or corrected after that message.")
        return found or (Objection(self.edit.doubt) if self.edit.doubt else None)

    def set_right(self, known: Correction | None) -> WrittenDown:
        memory, note = self.memory, self._note()
        if known is not None and known.status is Status.OPEN and self.cited in known.evidence:
            note = note._replace(correction_id=known.correction_id, path=known.path)
            ledger = self.authority.history.tip().tree.read(known.path) or b""
            memory = replace(memory, ledger=memory.now.get(known.path, ledger))
        wrong = ((self.held, self.statement),)
        old = self.held.parts.statement
        verdict = Verdict(Status.APPLIED, old, changed_words(old, self.statement), wrong)
        return write_down(verdict, note, memory, self.evidence)

    def asked(self) -> WrittenDown:
        return open_item(self._note(), self.held, self.statement, self.memory, self.evidence)

    def _note(self) -> Correction:
        return noted(self.authority, self.message, self.cited, Proposal("", self.statement, self.edit.quote))


def noted(authority: Authority, message: ChatMessage | None, cited: str, proposal: Proposal) -> Correction:
    """Return what the ledger says of a message: the operator's own words of it, nobody else's."""
    note = Correction("", authority.now.strftime(TIME), evidence=(cited,))
    if message is None or not is_his(message):
        return note
    told = said_by_himself(proposal, authority.spoken(message))
    trigger, sure = shortened(folded(told)), message.signal.validator or ""
    return note._replace(trigger=trigger, trigger_confidence=sure)


def is_his(message: ChatMessage) -> bool:
    """Say whether a message is the operator's own: brought by himself or by a connection of his."""
    return message.trust == OPERATOR and message.role == "user" and message.is_operator


def entry_meant(name: str, memory: Remembered) -> Held | None:
    """Return the entry with that id (`m:…`, or without the mark), or the only one that says just that."""
    entries = memory.entries()
    wanted = name.removeprefix(_MARK)
    by_id = next((held for held in entries if wanted and held.entry.entry_id == wanted), None)
    same = [held for held in entries if held.parts.statement == parted(folded(name)).statement]
    return by_id or (same[0] if len(same) == 1 else None)


def turns_before(store: MessageStore, message: ChatMessage, most: int = TURNS_BEFORE) -> tuple[str, ...]:
    """Return what the agent said last before a message in the same conversation, the latest first."""
    asked = Asked(
        message.channel,
        message.conversation,
        message.session or None,
        until=message.sent_at + timedelta(milliseconds=1),
        limit=_LOOKED_BACK,
    )
    found = store.log(asked)
    at = next((at for at, each in enumerate(found) if each.chat_id == message.chat_id), len(found))
    return tuple(each.text for each in reversed(found[:at]) if each.role == "assistant")[:most]


def _plain(statement: str) -> str:
    return statement.casefold().rstrip(" .!。")


def _again(known: Correction) -> Objection:
    name = f"x:{known.correction_id}"
    if known.status is Status.OPEN:
        return Objection(f"{name} asks the operator about that already.", is_question=False)
    if known.status is Status.WITHDRAWN:
        return Objection(f"The operator took that back ({name}).", is_question=False)
    return Objection(f"That message has changed the entry already ({name}).", is_question=False)


def _called(held: Held) -> str:
    return f"m:{held.entry.entry_id}" if held.entry.entry_id else "The entry"
