"""The recall validator: what one message of the operator's corrects, asks or notes; read by a model or by rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, Self

from clawgit.agents.door.authorised_edits import (
    Authority,
    EditOutcome,
    EvidenceEdit,
    authorised,
    linked_instead,
    noted,
)
from clawgit.agents.door.correction_plans import Prover, plan_of, with_added
from clawgit.agents.door.exchanged_lines import file_beside_memory
from clawgit.agents.door.linkable import AT_HAND, remembered
from clawgit.agents.door.meant_entries import heard_in, lines_contradicted, offered, origins_of
from clawgit.agents.door.second_reader import read_again
from clawgit.agents.linking import new_links
from clawgit.agents.models.model import Asker, Material, one_list
from clawgit.agents.run_agent import Agent, Item, Planned, answer_to, may_come_to_something, run_at_once
from clawgit.agents.takings_back import CorrectedLine, takings_back
from clawgit.capture.messages.message import ChatMessage, is_his, talk_before
from clawgit.capture.messages.open_messages import open_messages
from clawgit.errors import ClawgitError
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.trust_lookup import corrections_held, open_trusts
from clawgit.memory.corrections.corrected_entries import correction_pieces
from clawgit.memory.corrections.correction_log import Correction, Status, read_corrections, replace_correction
from clawgit.memory.corrections.write_correction import HIGH, EntryInFile, Verdict, write_down
from clawgit.memory.entries.entries import Entry
from clawgit.memory.entries.statements import (
    above_cells,
    row_saying,
    row_statements,
    says_changed,
    sentences_of,
    without_day,
)
from clawgit.memory.entries.tiers import USER_FILE
from clawgit.memory.provenance.readings import is_verbatim, value_exchanged
from clawgit.memory.trust import OPERATOR, UNDERSTOOD
from clawgit.plan import MESSAGE, Edit, Evidence, Plan
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.correct_by_hand import Exchanged, one_value_changed
from clawgit.understanding.evidence.check_edit import ProposedEdit
from clawgit.understanding.evidence.own_sentences import denies, own_sentences, own_text
from clawgit.understanding.evidence.says_beyond import Heard, names_a_subject
from clawgit.understanding.facts.same_statement import Relation, relation
from clawgit.understanding.forms.user_words import OTHER
from clawgit.understanding.patterns.own_words import own_words
from clawgit.workspace.records.records import Records, RunNote, RunOutcome
from clawgit.workspace.settings.settings import REVIEW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from clawgit.agents.door.meant_entries import EntryCandidate
    from clawgit.agents.run_agent import Agents, Means, RunReport
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.review.keep import KeepOutcome
    from clawgit.memory.corrections.write_correction import MemoryFiles, WrittenDown

TURNS = 4  # of the agent's, and of both sides
MOST_ENTRIES = 10
MOST_EDITS = 6
LONGEST_TURN = 2000  # characters of earlier turns
_SCHEMA = one_list(
    "corrections",
    MOST_EDITS,
    {
        "entry": {"type": "string", "maxLength": 200},
        "statement": {"type": "string", "minLength": 4, "maxLength": 400},
        "quote": {"type": "string", "minLength": 2, "maxLength": 400},
    },
)
_TASK = (
    "The last message of the material is User's, the operator's; what stands before it was said before it, by both sides. "
    "The entries are what memory says now. List which entries that last message corrects: for each the entry's id, the whole "
    "statement that it should make from now on, and the words of the last message that say so. An empty list is a good answer: "
    "most messages correct nothing.\n"
    "Each correction is checked by itself. The quote points at words of the last message, letter by letter; their whole "
    "sentences go with the correction to whoever reads it later. They say that something is so: no question, condition, wish, "
    "joke or report of somebody else's words. Every value, name or `not` that changes stands in that message; what it is about "
    "is the entry. Keep the entry's subject, its language and all that was not corrected. What holds once (today, this week) "
    "corrects nothing."
)
NAME = "recall-validator"
NOT_HIS = "These are not the operator's own words, so they correct nothing."
AT_ONCE = 1000  # messages
_LONG_NUMBER = lazy_pattern(r"\d{4}")
PROOFS_AT_ONCE = 20  # about a second
_OUTCOMES = {
    Status.APPLIED: RunOutcome.APPLIED,
    Status.UNDERSTOOD: RunOutcome.APPLIED,
    Status.OPEN: RunOutcome.ASKS,
    Status.LINKED: RunOutcome.LINKED,
    Status.LOGGED: RunOutcome.NOTED,
}
_NAMELESS = lazy_pattern(rf"(?i)(?:{'|'.join(sorted(OTHER))}|its?|es)\b")
_ORDER = (RunOutcome.APPLIED, RunOutcome.ASKS, RunOutcome.LINKED, RunOutcome.NOTED)


def _turn(message: ChatMessage) -> Material:
    who = "Agent, the agent itself" if message.role == "assistant" else "User"
    if message.role != "assistant" and message.trust != "operator":
        who = "somebody else, not the operator"
    return Material(f"chat:{message.chat_id}", who, message.text[:LONGEST_TURN])


@dataclass(frozen=True)
class RecallValidator(Agent):
    """The agent for one message, with a model's ``edits``; ``is_settled``: what the model left is no correction unless plain."""

    message: ChatMessage
    prover: Prover
    store: MessageStore
    edits: tuple[EvidenceEdit, ...] = ()
    is_settled: bool = False
    plans: list[tuple[WrittenDown, ...]] = field(default_factory=list)
    name = NAME
    trust = OPERATOR

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        """Yield the agent for each waiting message in time order, then the agents for corrections not proven yet."""
        with open_messages(history, now) as store:
            prover = Prover(history, now, None if means.rehearses else means.vectors())
            messages = sorted(store.to_validate(AT_ONCE), key=lambda message: message.sent_at)
            yield from takings_back(history, store, now)
            agents = [cls(each, prover, store) for each in messages]
            for done, agent in enumerate(agents):
                means.tell(done, len(agents))
                yield agent
            cursor = int(records.agent_cursors.of(NAME) or 0)
            later = sorted(store.since(cursor, AT_ONCE)[0], key=lambda message: message.sent_at)
            for message in later:
                if message.signal.validator is None:
                    agent = cls(message, prover, store)
                    if agent.corrects_plainly():
                        yield agent
            yield from new_links(history, store, records, now, rehearses=means.rehearses)
            if not means.rehearses:
                yield from _reproofs(history, prover)

    @property
    def input_id(self) -> str:
        return f"{MESSAGE}{self.message.chat_id}"

    label = input_id

    @cached_property
    def turns(self) -> list[ChatMessage]:
        """Return the turns of both sides before it in the same session."""
        spoken = talk_before(self.store, self.message)
        agents = [at for at, each in enumerate(spoken) if each.role == "assistant"][-TURNS:]
        return spoken[min([len(spoken) - TURNS, *agents[:1]]) :]

    @property
    def told(self) -> str:
        """Return the sender's own sentences, one a line, without quoted, pasted or forwarded text."""
        return "\n".join(own_sentences(self.message.text))

    @property
    def before(self) -> list[str]:
        """Return the agent's turns before it, latest first."""
        return [own_words(each.text) for each in reversed(self.turns) if each.role == "assistant"][:TURNS]

    @property
    def is_his(self) -> bool:
        return is_his(self.message) and bool(self.told)

    @property
    def asks(self) -> bool:
        return self.is_his and may_come_to_something(self.prover.history, self)

    def ask(self, asker: Asker) -> Self:
        """Return the agent with a model's corrections; without a usable answer, rules read the message."""
        history = self.prover.history
        entries = offered(history, self.told, self.before, self.prover.now, most=MOST_ENTRIES)
        if not entries:
            return self
        named = {
            f"m:{each.entry_id}" if each.entry_id else f"{each.path}:{each.line}": each for each in entries
        }
        material = [Material(name, "memory", each.statement) for name, each in named.items()]
        material += map(_turn, self.turns)
        origin = "User, the operator: the message to judge"
        material.append(Material(self.input_id, origin, own_text(self.message.text)))
        answer = answer_to(asker, history, NAME, _TASK, material, _SCHEMA)["corrections"]
        edits = []
        for row in answer:
            entry = named.get(row["entry"]) or named.get(f"m:{row['entry']}")
            if entry is not None:
                name = entry.entry_id or entry.statement
                statement = folded(row["statement"])
                edits.append(EvidenceEdit(name, statement, self.message.chat_id, folded(row["quote"])))
        is_settled = len(edits) == len(answer)
        near = list(map(attrgetter("statement"), entries))
        edits = read_again(asker, edits, near, self._authority())
        return replace(self, edits=tuple(edits), tokens=asker.spent, is_settled=is_settled)

    def plan(self, tree: Tree) -> Planned:
        """Return what the message corrects, asks or notes; a message without result leaves no trace."""
        work = _Work(tree, remembered(tree), left_out=list(self.notes))
        if self.is_his:
            self._judge(work)
        else:
            work.left_out.append(NOT_HIS)
        self.plans.append(tuple(work.written))
        left_out = tuple(filter(None, work.left_out))
        if not work.written:
            return Planned(None, left_out)
        items = tuple(map(_item, work.written))
        outcome = min(map(attrgetter("outcome"), items), key=_ORDER.index)
        quotes = dict.fromkeys(map(attrgetter("correction.trigger"), work.written))
        plan = plan_of(work.written, (Evidence(self.input_id, " ".join(quotes)),))
        return Planned(plan, left_out, items, outcome)

    def _judge(self, work: _Work) -> None:
        """Apply a model's reading if there is one (`no correction` is final), else rules, for one plain value."""
        for edit in sorted(self.edits, key=lambda edit: not self._outcome(edit, work.memory).is_right):
            self._try(edit, work)
        is_read = self.is_settled and (bool(work.written) or not self.edits)
        if not is_read:
            for change in self._changes(work.memory):
                self._try(_edit_of(change, self.message), work)
            if not work.written:
                self._set_turn_right(work)
        for edit in work.refused:
            written = linked_instead(edit, work.memory, self._authority())
            if written is not None and not work.has(written.correction):
                work.add(written)

    def _set_turn_right(self, work: _Work) -> None:
        """Remember a sentence that repeats the agent's turn with one other value, if no entry has either."""
        if not self.before:
            return
        authority = self._authority()
        claims = []
        for sentence in sentences_of(self.before[0]):
            claims.append(EntryInFile("", Entry(None, sentence, None, 0, 1, 1)))
        spoken = authority.spoken(self.message)
        changes = one_value_changed(spoken, claims)
        if len(changes) != 1:
            return
        old_words, right = changes[0].held.parts.statement, changes[0].statement
        proposal = ProposedEdit("", right, changes[0].quote)
        if authority.ground(proposal, self.message).level != OPERATOR:
            return
        statements = (each.parts.statement for each in work.memory.entries())
        if any(relation(statement, right) is Relation.SAME for statement in statements):
            return
        added, data = with_added(work.tree, right, spoken.on, self.input_id)
        memory = replace(work.memory, now={**work.memory.now, added.path: data})
        note = noted(authority, self.message, self.input_id, proposal)
        verdict = Verdict(Status.APPLIED, old_words, right, right=(added,))
        work.add(self.prover.proven(write_down(verdict, note, memory, self.input_id)))

    def corrects_plainly(self) -> bool:
        """Say whether rules may correct on the operator's word alone; without a signal of triage, only what it sets against the old words, or denies and says nothing else, or that is so *now*."""
        message = self.message
        is_flagged = message.signal.validator is not None or says_changed(message.text)
        if not self.is_his or message.signal.veto or not (is_flagged or denies(message.text)):
            return False
        tree = self.prover.history.tip().tree
        memory = remembered(tree)
        changes = self._changes(memory)
        for each in changes:
            if self._outcome(_edit_of(each, message), memory).status is not Status.APPLIED:
                return False
            if not is_flagged and not (each.is_contrast or each.says_no_more()):
                return False
        return bool(changes)

    def _changes(self, memory: MemoryFiles) -> list[Exchanged]:
        """Return the entries with exactly one value plainly changed, else the one line; none if a sentence is ambiguous."""
        entries = memory.entries_below_headings()
        changes = self._meant(entries)
        if not changes:
            lines = self._lines(entries)
            for change in self._meant(list(lines)):
                if change.is_all_but_value():
                    changes += _of_line(change, lines[change.held])
            if len(changes) > 1:
                return []
        return changes

    def _lines(self, entries: Sequence[EntryInFile]) -> dict[EntryInFile, EntryCandidate]:
        """Return contradicted lines that are no entries in the form of entries: a table row cell by cell, the operator's prose by sentences, but for one like `He starts at 5.` behind another."""
        history, now = self.prover.history, self.prover.now
        statements = map(attrgetter("parts.statement"), entries)
        lines = {}
        heard = heard_in(self.message.text, now)
        for each in lines_contradicted(history, heard, statements, now, has_notes=True):
            if each.path != USER_FILE:
                parts = row_statements(each.statement)
                trusts = set(map(attrgetter("trust"), origins_of(history, each.path, each.line)))
                if parts == [each.statement] and trusts and trusts <= {OPERATOR, UNDERSTOOD}:
                    sentences = sentences_of(each.statement)
                    parts = [*sentences[:1], *filterfalse(_NAMELESS.match, sentences[1:])]
                for statement, about in zip(parts, above_cells(each.about, parts), strict=True):
                    lines[_held(each, statement, about)] = each
        return lines

    def _meant(self, entries: Sequence[EntryInFile]) -> list[Exchanged]:
        authority, message = self._authority(), self.message
        meant = []
        statements: dict[str, set[str]] = {}  # by the sentence that means them
        for each in one_value_changed(authority.spoken(message), entries):
            is_of_it = each.is_contrast or not self._is_of_another_talk(each)
            if is_of_it and authority.is_meant(message, each.held, each.quote):
                meant.append(each)
                statements.setdefault(each.quote, set()).add(each.held.parts.statement)
        return [each for each in meant if len(statements[each.quote]) == 1]

    def _is_of_another_talk(self, change: Exchanged) -> bool:
        """Say whether the message and preceding turns have another subject, and share only the old value with the entry."""
        statement = change.held.parts.statement
        values = value_exchanged(statement, change.statement)
        if values is None or _LONG_NUMBER.search(values[0].text):  # a long number is a name by itself
            return False
        message = self.message
        before = []
        for each in self.turns[-2:]:
            if message.sent_at - each.sent_at <= AT_HAND:
                before.append(own_words(each.text))
        spoken = self._authority().spoken(message)
        heard = Heard(spoken.text, " ".join(before), "", spoken.on)
        return names_a_subject(heard, statement.replace(values[0].text, "", 1))

    def _try(self, edit: EvidenceEdit, work: _Work) -> None:
        """Correct an entry or ask, as the message authorises; once per entry."""
        outcome = self._outcome(edit, work.memory)
        if outcome.written is not None and not work.has(outcome.written.correction):
            work.add(self.prover.proven(outcome.written))
        elif outcome.objection is not None:
            work.left_out.append(outcome.objection.says)
            if outcome.known is None:
                work.refused.append(edit)

    def _outcome(self, edit: EvidenceEdit, memory: MemoryFiles) -> EditOutcome:
        return authorised(edit, memory, self._authority(), self.input_id)

    def _authority(self) -> Authority:
        return Authority(self.prover.history, self.store, self.prover.now)

    def after(self, note: RunNote) -> str:
        """Keep the queries of proven corrections; tell the operator's program of a failure that memory has nothing about."""
        history = self.prover.history
        if note.commit_id and self.plans:
            for written in self.plans[-1]:
                self.prover.keep(written.correction, written.before)
        if note.outcome is not RunOutcome.NOTHING or self.message.signal.validator != HIGH:
            return ""
        if not self.plans or not self.is_his:
            return ""
        for correction in standing_corrections(history.tip().tree).values():
            if self.input_id in correction.evidence:
                return ""
        from clawgit.agents.external_handler import tell_handler

        turn = "".join(self.before[:1])
        return tell_handler(history, {"id": self.input_id, "text": self.message.text, "said": turn})

    def settle(self, records: Records, report: RunReport, now: datetime) -> None:
        names, run_id = [self.message.chat_id], report.note.run_id
        self.store.mark_validated(names, run_id)
        made = self.plans[-1] if self.plans and report.note.commit_id else ()
        if any(each.correction.holds and is_verbatim(self.told, each.correction.trigger) for each in made):
            self.store.mark_mined(names, run_id)  # it says nothing else


@dataclass
class _Work:
    tree: Tree
    memory: MemoryFiles
    written: list[WrittenDown] = field(default_factory=list)
    about: set[str] = field(default_factory=set)
    left_out: list[str] = field(default_factory=list)
    refused: list[EvidenceEdit] = field(default_factory=list)  # linked instead

    def has(self, correction: Correction) -> bool:
        return _about(correction) in self.about

    def add(self, written: WrittenDown) -> None:
        self.memory = self.memory.having(written)
        self.written.append(written)
        self.about.add(_about(written.correction))
        self.left_out += written.notes


def correct_at_once(
    history: History,
    store: MessageStore,
    message: ChatMessage,
    now: datetime,
    tell: Callable[[KeepOutcome], None],
) -> tuple[CorrectedLine, ...]:
    """Correct what a message plainly changes, unless a policy forbids it; with a correcting model, only one-sentence messages.

    ``tell`` gets what was committed first.
    """
    if history.settings.memory_policy == REVIEW:
        return ()
    agent = RecallValidator(message, Prover(history, now), store)
    is_left_to_model = bool(history.settings.model) and len(own_sentences(message.text)) > 1
    if not is_left_to_model and may_come_to_something(history, agent) and agent.corrects_plainly():
        run_at_once(agent, history, now, tell)
    return _made(history, message)


def _made(history: History, message: ChatMessage) -> tuple[CorrectedLine, ...]:
    """Return what is corrected on the ground of a message, by this command or by the service before."""
    tree = history.tip().tree
    made = []
    for correction_id, each in standing_corrections(tree).items():
        if not each.holds or f"{MESSAGE}{message.chat_id}" not in each.evidence:
            continue
        for entry in remembered(tree).entries():
            if entry.entry.entry_id in each.corrects:
                was = each.said
                is_of_note = bool(without_day(was)[1])
                if is_of_note and f"was: {was}".encode() not in (tree.read(entry.path) or b""):
                    was = ""  # the line is new: the day's note stays
                made.append(CorrectedLine(each.correct, was, entry.path, f"x:{correction_id}"))
        if not each.corrects:
            for place in file_beside_memory(tree, each.correct):
                made.append(CorrectedLine(each.correct, each.said, place.path, f"x:{correction_id}"))
    return tuple(made)


def _held(line: EntryCandidate, statement: str, about: str) -> EntryInFile:
    """Return a statement of a line in the form of an entry."""
    entry = Entry(None, statement, None, line.line - 1, line.line, line.line)
    return EntryInFile(line.path, entry, about, is_line=True)


def _of_line(change: Exchanged, line: EntryCandidate) -> list[Exchanged]:
    """Return a change of a cell or a sentence as the change of its whole line."""
    old = change.held.parts.statement
    if old == line.statement:
        return [change]
    whole = row_saying(line.statement, old, change.statement)
    if line.statement.count(old) == 1:
        whole = line.statement.replace(old, change.statement)
    if not whole:
        return []
    return [Exchanged(_held(line, line.statement, line.about), whole, change.quote)]


def _edit_of(change: Exchanged, message: ChatMessage) -> EvidenceEdit:
    name = change.held.entry.entry_id or change.held.parts.statement
    edit = EvidenceEdit(name, change.statement, message.chat_id, change.quote)
    if change.held.is_line:
        edit = edit._replace(line=change.held)
    return edit


def _about(correction: Correction) -> str:
    return correction.said or correction.proposed


def _item(written: WrittenDown) -> Item:
    correction = written.correction
    entry_ids = (*correction.corrects, *correction.may_correct)
    entry = f"m:{entry_ids[0]}" if entry_ids else ""
    new = correction.proposed or correction.correct
    if correction.status is Status.LINKED:
        new = correction.trigger
    return Item(_OUTCOMES[correction.status], f"x:{correction.correction_id}", entry, correction.said, new)


@dataclass(frozen=True)
class Reproof(Agent):
    """The agent that notes that one correction now ranks first."""

    correction: Correction
    prover: Prover
    trust: str = ""  # trust of the correction; a proof does not change it
    name = NAME
    lets_others_go_on = True

    @property
    def input_id(self) -> str:
        return f"proof x:{self.correction.correction_id}"

    def plan(self, tree: Tree) -> Planned:
        path, name = self.correction.path, f"x:{self.correction.correction_id}"
        old = tree.read(path)
        if old is None:
            raise ClawgitError(f"{path} is not there any more.")
        for each in read_corrections(old):
            if each.holds and each.correction_id == self.correction.correction_id:
                edit = Edit(path, replace_correction(old, each._replace(re_embedded=True)))
                return Planned(Plan(f"correction proven: {name}", (edit,), evidence=(Evidence(name),)))
        return Planned(left_out=(f"{name} is no longer there.",))

    def after(self, note: RunNote) -> str:
        if note.outcome is RunOutcome.APPLIED:
            self.prover.keep(self.correction._replace(re_embedded=True))
        return ""


def unproven(history: History, tree: Tree) -> list[Correction]:
    """Return the corrections in force not known to rank first, latest first, up to one round's number."""
    corrections = corrections_held(history, tree).values()
    missing = [each for each in corrections if each.holds and not each.re_embedded]
    return sorted(missing, key=lambda each: each.at)[-PROOFS_AT_ONCE:]


def _reproofs(history: History, prover: Prover) -> Iterator[Reproof]:
    tree = history.tip().tree
    with open_trusts(history) as trusts:
        agents = []
        for correction in unproven(history, tree):
            pieces = correction_pieces(tree.read(correction.path) or b"", correction.path)
            words = next(piece.words for piece, each in pieces.items() if each.first == correction.first)
            agents.append(Reproof(correction, prover, trusts.of_correction(words)))
    for agent in agents:
        if prover.stands(agent.correction):
            yield agent
