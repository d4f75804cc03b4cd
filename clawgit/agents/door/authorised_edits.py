"""Edits on the ground of an operator's message: correct memory and ledger at the level it allows, or open a question.

Rules, models, hosts and answers all go through here.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.correction_plans import with_added
from clawgit.agents.door.exchanged_lines import file_beside_memory, line_exchanged, note_corrected
from clawgit.agents.door.linkable import answered_turn, entry_meant, link_item, stated_by
from clawgit.agents.door.meant_entries import candidates, is_said_before, origins_of
from clawgit.capture.messages.message import ChatMessage, is_his, talk_before
from clawgit.capture.sessions.taken_back import taken_back_by
from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.trust_lookup import open_trusts, present_fold
from clawgit.history.provenance.why import present_words
from clawgit.memory.corrections.correction_log import (
    LEDGER,
    Correction,
    Status,
    read_corrections,
    replace_correction,
)
from clawgit.memory.corrections.write_correction import (
    Verdict,
    WrittenDown,
    added_to_ledger,
    changed_words,
    is_askable,
    open_item,
    shortened,
    write_down,
)
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import USER_FILE, WRITTEN, day_of_note, time_in
from clawgit.memory.provenance.pieces import ENTRY, piece_of
from clawgit.memory.trust import EXTERNAL, HOST, OPERATOR, UNDERSTOOD
from clawgit.plan import MESSAGE, Evidence
from clawgit.text.comparing.similarity import words
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.understanding.evidence.check_edit import Ground, ProposedEdit, Spoken, ground_of, unfit
from clawgit.understanding.evidence.own_sentences import own_sentences
from clawgit.understanding.evidence.said_words import ANY_DAY, lacking, read
from clawgit.understanding.evidence.says_beyond import repeats_value, says_beyond, words_shared
from clawgit.understanding.forms.user_words import tells_of_himself, written_names
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.memory.corrections.write_correction import EntryInFile, MemoryFiles

NOT_TO_BE_KEPT = "The operator asks that this message not be remembered, or it is a command to the agent."
TURNS_BEFORE = 4  # of the agent's turns


class EvidenceEdit(NamedTuple):
    """The new text of an entry (by id or text) and the words of a message that say so; without a message it is a question."""

    entry_id: str
    statement: str
    chat_id: str
    quote: str = ""
    doubt: str = ""
    is_confirmed: bool = False
    line: EntryInFile | None = None  # a line of a file beside memory, instead of an entry


class EditOutcome(NamedTuple):
    """The result of an edit: ``written`` is a correction, or a question if there is an objection; None: nothing to do."""

    objection: Ground | None = None
    written: WrittenDown | None = None
    known: Correction | None = None

    @property
    def is_right(self) -> bool:
        return self.objection is None and self.written is not None

    @property
    def status(self) -> Status | None:
        return None if self.written is None else self.written.correction.status


class Authority(NamedTuple):
    """Reads messages and the history of entries to decide what a message authorises."""

    history: History
    store: MessageStore
    now: datetime

    def ground(self, proposal: ProposedEdit, message: ChatMessage | None) -> Ground:
        if message is None:
            return Ground("", says="There is no such message.")
        if says := self._carries_nothing(message):
            return Ground("", says=says)
        return ground_of(proposal, self.spoken(message))

    def _carries_nothing(self, message: ChatMessage) -> str:
        """Return why a message authorises nothing, whatever its text; empty if it may."""
        if not is_his(message):
            return f"The message is not the operator's own: it counts as {message.trust}."
        if message.signal.veto:
            return NOT_TO_BE_KEPT
        if taken_back_by(self.store, message) is not None:
            return "The operator took that message back."
        return ""

    def spoken(self, message: ChatMessage) -> Spoken:
        called: list[str] = []
        if tells_of_himself(message.text):
            called = written_names(self._said_of_him())
        on = message.sent_at.astimezone(self.now.tzinfo).date()
        return Spoken(message.text, on, " ".join(called))

    def _said_of_him(self) -> bytes:
        """Return the operator's own lines of USER.md: a name that a host writes there is not the operator's."""
        lines = []
        data = self.history.tip().tree.read(USER_FILE) or b""
        with open_trusts(self.history) as trusts:
            for number, line in enumerate(split_lines(data), 1):
                if trusts.of_lines(data, number, number) in (OPERATOR, UNDERSTOOD):
                    lines.append(line)
        return b"".join(lines)

    def is_meant(self, message: ChatMessage, target: EntryInFile, quote: str) -> bool:
        """Say whether the quote or the message is about the entry; if they share no word with it, read with the agent's turn before."""
        before = turns_before(self.store, message, most=1)
        own = " ".join(own_sentences(message.text))
        together = " ".join((own, *before))
        if target.is_line:
            return True  # found by the message's own words
        statement = target.parts.statement
        for query in dict.fromkeys((quote, own, together, *before)):
            hits = candidates(self.history, query, (), self.now)
            best = [each for each in hits if each.score == hits[0].score]
            is_by_itself = bool(before) and query in (quote, own) and not words_shared(statement, query)
            if is_by_itself and (len(best) > 1 or not repeats_value(query, statement, ANY_DAY)):
                continue  # `it's on Thursday` matches any entry with a day
            if any(each.statement == statement for each in best):
                return True
        return False

    def is_later(self, message: ChatMessage, target: EntryInFile) -> bool:
        """Say whether a message is no older than the entry's present words and all corrections of them."""
        if target.is_line:
            return is_said_before(self.history, target.path, target.entry.last, message.sent_at)
        entry_id = target.entry.entry_id or ""
        words = present_words(self.history, piece_of(target.entry).words, entry_id)
        times = self._sent(words.messages) or [words.at]  # the store forgets messages, the history does not
        for correction in standing_corrections(self.history.tip().tree).values():
            if correction.holds and entry_id and entry_id in correction.corrects:
                times += self._sent(correction.evidence) or [self._written(correction)]
        return all(at <= message.sent_at for at in times)

    def is_of_others(self, target: EntryInFile) -> bool:
        """Say whether the entry's present words come from the host or from outside."""
        if target.is_line:
            origins = origins_of(self.history, target.path, target.entry.last)
        else:
            with present_fold(self.history) as fold:
                origins = list(filter(None, [fold.origin(ENTRY + piece_of(target.entry).words)]))
        is_theirs = False
        for each in origins:
            is_theirs = is_theirs or (each.trust in (HOST, EXTERNAL) and each.actor != UNKNOWN)
        return is_theirs

    def _sent(self, cited: tuple[str, ...]) -> list[datetime]:
        messages = (self.store.get(each.removeprefix(MESSAGE)) for each in cited)
        return [message.sent_at for message in messages if message is not None]

    def _written(self, correction: Correction) -> datetime:
        return time_in(correction.at, self.now.tzinfo) or self.now + timedelta(days=1)


def authorised(
    edit: EvidenceEdit, memory: MemoryFiles, authority: Authority, evidence: str = ""
) -> EditOutcome:
    """Return the entry corrected if the message authorises it, else a question, asked only once."""
    target = edit.line or entry_meant(edit.entry_id, memory)
    if target is None:
        return EditOutcome(Ground("", says=f"There is no entry {edit.entry_id}."))
    cited = ""
    if edit.chat_id:
        cited = MESSAGE + edit.chat_id.removeprefix(MESSAGE)
    case = _Case(edit, target, cited, memory, authority, evidence or cited)
    correction = case.known()
    if correction is not None and correction.status is not Status.OPEN and not case.is_beside(correction):
        return EditOutcome(_again(correction), known=correction)
    ground = case.ground()
    objection = ground
    if edit.line is not None and ground.level != OPERATOR:
        return EditOutcome(objection)
    if ground.level:
        written = case.set_right(correction, ground)
        if written.correction.status in (Status.APPLIED, Status.UNDERSTOOD):
            return EditOutcome(None, written)
        says = "; ".join(written.notes) or "The entry cannot be changed in its place."
        objection = Ground("", ground.quote, says, is_question=edit.line is None)
    if correction is not None:
        return EditOutcome(_again(correction), known=correction)
    return EditOutcome(objection, case.asked() if objection.is_question else None)


def linked_instead(edit: EvidenceEdit, memory: MemoryFiles, authority: Authority) -> WrittenDown | None:
    """Return the ledger with the message linked to the entry of a refused edit; None if it adds nothing or was decided."""
    target = entry_meant(edit.entry_id, memory)
    message = authority.store.get(edit.chat_id.removeprefix(MESSAGE))
    stated = "" if target is None or message is None else stated_by(authority.store, message)
    if target is None or message is None or not stated:
        return None
    statement = target.parts.statement
    on = authority.spoken(message).on
    is_a_word = len(words(stated)) < 2 and not read(stated, on).values  # for example `fyi`
    if is_a_word or not says_beyond(stated, statement, on) or not authority.is_later(message, target):
        return None
    entry_id = target.entry.entry_id
    for correction in standing_corrections(authority.history.tip().tree).values():
        entry_ids = (*correction.corrects, *correction.may_correct)
        is_about = correction.said == shortened(statement) or entry_id in entry_ids
        if is_about and MESSAGE + message.chat_id in correction.evidence:
            if correction.status is Status.LINKED:
                return WrittenDown(correction, {})
            return None
    quote = folded(" ".join(own_sentences(message.text)))
    item = link_item(message, quote, entry_id, statement, authority.now, memory.taken)
    item = item._replace(turn=answered_turn(authority.store, message, f"{quote} {statement}"))
    ledger = added_to_ledger(_without_older(memory.ledger, target, item), item)
    return WrittenDown(item, dict(memory.now) | {LEDGER: ledger})


def _without_older(ledger: bytes, target: EntryInFile, newer: Correction) -> bytes:
    """Turn older open questions about the entry into links: a newer message is about it."""
    entry_id = target.entry.entry_id
    for correction in read_corrections(ledger):
        is_about = entry_id in correction.may_correct or correction.said == shortened(target.parts.statement)
        if correction.status is Status.OPEN and is_about and correction.trigger and correction.at <= newer.at:
            ledger = replace_correction(ledger, correction._replace(status=Status.LINKED, proposed=""))
    return ledger


class _Case(NamedTuple):
    edit: EvidenceEdit
    held: EntryInFile
    cited: str
    memory: MemoryFiles
    authority: Authority
    evidence: str

    @property
    def message(self) -> ChatMessage | None:
        return self.authority.store.get(self.cited.removeprefix(MESSAGE))

    @property
    def statement(self) -> str:
        return parted(folded(self.edit.statement)).statement

    def known(self) -> Correction | None:
        """Return the entry's correction by this message, or one with the same proposal; a declined one blocks all but the operator."""
        entry_id, old = self.held.entry.entry_id, shortened(self.held.parts.statement)
        corrections = []
        for correction in standing_corrections(self.authority.history.tip().tree).values():
            if correction.status is Status.LINKED:
                continue
            is_about = correction.said == old
            if entry_id:
                is_about = entry_id in (*correction.corrects, *correction.may_correct)
            is_same = _plain(correction.proposed) == _plain(shortened(self.statement))
            is_open = correction.status is Status.OPEN
            is_asked = is_same and (is_open or self.message is None or not is_his(self.message))
            if is_about and (self.cited in correction.evidence or is_asked):
                corrections.append(correction)
        return min(corrections, key=self.is_beside, default=None)

    def is_beside(self, correction: Correction) -> bool:
        """Say whether the operator declined a proposal that the message did not support; what it does support still counts."""
        is_other = correction.proposed not in ("", shortened(self.statement))
        if correction.status is not Status.WITHDRAWN or not is_other:
            return False
        proposal = ProposedEdit(self.held.parts.statement, correction.proposed)
        return self.authority.ground(proposal, self.message).level not in (OPERATOR, UNDERSTOOD)

    def ground(self) -> Ground:
        if says := unfit(self.edit.statement):
            return Ground("", says=says)
        if not self.cited:
            is_new = _plain(self.held.parts.statement) != _plain(self.statement)
            says = "No message of his was named." if is_new else f"{_called(self.held)} says so already."
            return Ground("", says=says, is_question=is_new)
        message = self.message
        ground = self.authority.ground(self._proposal(), message)
        if ground.may_be_confirmed and self.edit.is_confirmed:
            ground = Ground(UNDERSTOOD, ground.quote)
        if message is None or not ground.level:
            return ground
        says, may_be_confirmed = self.edit.doubt, False
        if not self.authority.is_later(message, self.held):
            says = f"{_called(self.held)} was said or corrected after that message."
        elif not self._is_about_it() and not self.authority.is_meant(message, self.held, ground.quote):
            says, may_be_confirmed = f"The message is not plainly about {_called(self.held)}.", True
        if says:
            return Ground("", ground.quote, says, True, may_be_confirmed)
        if ground.level == OPERATOR and self._keeps_values_of_others(message):
            return Ground(UNDERSTOOD, ground.quote)
        return ground

    def _is_about_it(self) -> bool:
        """Say whether a second reader confirmed the line, and it has a word of the entry: the reader is not asked which entry it replaces."""
        return self.edit.is_confirmed and bool(words_shared(self.held.parts.statement, self.statement))

    def _keeps_values_of_others(self, message: ChatMessage) -> bool:
        """Say whether the entry keeps a value from others that the operator does not say: the edit must not make it the operator's."""
        if not self.authority.is_of_others(self.held):
            return False
        spoken = self.authority.spoken(message)
        stated = read(self.statement, spoken.on)
        unsaid = lacking(stated, read(spoken.text, spoken.on))
        return any(value.shown in unsaid for value in stated.values)

    def set_right(self, correction: Correction | None, ground: Ground) -> WrittenDown:
        memory, note = self.memory, self._note()
        if correction is not None and correction.status is Status.OPEN and self.cited in correction.evidence:
            note = note._replace(correction_id=correction.correction_id, path=correction.path)
            ledger = self.authority.history.tip().tree.read(correction.path) or b""
            memory = replace(memory, ledger=memory.now.get(correction.path, ledger))
        wrong = ((self.held, self.statement),)
        old = self.held.parts.statement
        status = Status.APPLIED if ground.level == OPERATOR else Status.UNDERSTOOD
        verdict = Verdict(status, old, changed_words(old, self.statement), wrong)
        if self.edit.line is not None:
            return self._line_set_right(note, memory)
        return write_down(verdict, note, memory, self.evidence)

    def _line_set_right(self, note: Correction, memory: MemoryFiles) -> WrittenDown:
        """Correct a line beside memory in place, one of a day's note in memory; only note it where that fails or several files have it."""
        old = self.held.parts.statement
        verdict = Verdict(Status.LOGGED, old, self.statement)
        tree = self.authority.history.tip().tree
        if day_of_note(self.held.path) is not None:
            verdict = note_corrected(tree, memory, old, self.statement)
            if not verdict.wrong:
                added, text = with_added(tree, self.statement, self.authority.now.date(), self.evidence)
                verdict = verdict._replace(status=Status.APPLIED, right=(added,))
                memory = replace(memory, now={**memory.now, added.path: text})
            return write_down(verdict, note, memory, self.evidence)
        for place in file_beside_memory(tree, old):
            data = line_exchanged(tree, old, self.statement, place)
            if place.path == self.held.path and data is not None:
                verdict = verdict._replace(status=Status.APPLIED)
                memory = replace(memory, now={**memory.now, place.path: data})
        return write_down(verdict, note, memory, self.evidence)

    def asked(self) -> WrittenDown | None:
        note = self._note()
        if self.cited and not is_askable(self.held.parts.statement, self.statement, note.trigger):
            return None
        memory = self.memory
        if note.trigger:
            memory = replace(memory, ledger=_without_older(memory.ledger, self.held, note))
        return open_item(note, self.held, self.statement, memory, self.evidence)

    def _note(self) -> Correction:
        return noted(self.authority, self.message, self.cited, self._proposal())

    def _proposal(self) -> ProposedEdit:
        return ProposedEdit(self.held.parts.statement, self.statement, self.edit.quote, self.held.about)


def noted(
    authority: Authority, message: ChatMessage | None, cited: str, proposal: ProposedEdit
) -> Correction:
    """Return a ledger item with the operator's words of the message; without words for no message or another's."""
    note = Correction("", authority.now.strftime(WRITTEN), evidence=(cited,) if cited else ())
    if message is None or not is_his(message):
        return note
    quote = ground_of(proposal, authority.spoken(message)).quote
    said_at = min(message.sent_at, authority.now).astimezone(authority.now.tzinfo)
    note = note._replace(at=said_at.strftime(WRITTEN))  # the time of the message, not of reading it
    trigger, sure = shortened(folded(quote)), message.signal.validator or ""
    turn = answered_turn(authority.store, message, f"{quote} {proposal.old}")
    return note._replace(trigger=trigger, trigger_confidence=sure, said=turn, turn=turn)


def turns_before(store: MessageStore, message: ChatMessage, most: int = TURNS_BEFORE) -> tuple[str, ...]:
    """Return the agent's last turns before a message in its conversation, latest first."""
    turns = [each.text for each in talk_before(store, message) if each.role == "assistant"]
    return tuple(turns[::-1][:most])


def turn_before(store: MessageStore, message: ChatMessage) -> tuple[Evidence, ...]:
    """Return the agent's last turn before a message, as evidence."""
    turns = [each for each in talk_before(store, message) if each.role == "assistant"]
    return tuple(Evidence(MESSAGE + each.chat_id, redact(own_words(each.text))) for each in turns[-1:])


def _plain(statement: str) -> str:
    return statement.casefold().rstrip(" .!。")


def _again(correction: Correction) -> Ground:
    name = f"x:{correction.correction_id}"
    if correction.status is Status.OPEN:
        return Ground("", says=f"{name} asks the operator about that already.")
    if correction.status is Status.WITHDRAWN:
        return Ground("", says=f"The operator took that back ({name}).")
    says = f"That message has changed the entry already ({name})."
    return Ground("", says=f"{says} Without it as evidence, the operator is asked.")


def _called(target: EntryInFile) -> str:
    return f"m:{target.entry.entry_id}" if target.entry.entry_id else "The entry"
