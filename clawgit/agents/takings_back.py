"""Undoes what rests on a message that the operator takes back: at once in `chat add`, else by the next job."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.meant_entries import EntryCandidate, is_said_before, placed
from clawgit.agents.run_agent import Agent, Planned, may_come_to_something, run_at_once
from clawgit.capture.messages.forgotten_messages import WITHIN, named_anywhere, says, taken_back
from clawgit.capture.messages.message import ChatMessage, MessageQuery, is_his, talk_after, talk_before
from clawgit.capture.sessions.sessions import Session, message_line
from clawgit.capture.sessions.taken_back import (
    LOOKED_BACK,
    only_forgets,
    part_taken_back,
    set_right,
)
from clawgit.errors import ClawgitError
from clawgit.history.git.trees import entries_in
from clawgit.history.provenance.correction_files import CORRECTING, standing_corrections
from clawgit.history.provenance.entries_at_tip import read_cited
from clawgit.history.undo.forgetting import (
    LinesMeant,
    committed_at,
    find_entry,
    find_lines,
    from_the_end,
)
from clawgit.history.undo.take_back import take_back
from clawgit.history.undo.undo import (
    find_redoing,
    find_taking_back,
    find_undoing,
    paths_losing_words,
    undoing_plan,
)
from clawgit.history.undo.undo_targets import UndoError, stands_in
from clawgit.memory.corrections.correction_log import Correction, Status, read_corrections, replace_correction
from clawgit.memory.entries.statements import own_words_of, parted
from clawgit.memory.entries.tiers import date_of, is_correction_file
from clawgit.memory.notes import speaker_of, strangers_lines
from clawgit.memory.trust import OPERATOR
from clawgit.memory.undo.text_units import reworded
from clawgit.plan import MESSAGE, Edit, Evidence, Plan
from clawgit.text.comparing.subjects import telling
from clawgit.text.markdown.lines import split_lines
from clawgit.understanding.corrections.fitted_line import fitted_line
from clawgit.understanding.corrections.second_word import is_said_of_it, names_one_thing
from clawgit.understanding.evidence.orders_to_forget import (
    excepts_something,
    is_unwanted,
    only_asks_to_forget,
    said_to_forget,
    to_forget,
)
from clawgit.understanding.evidence.says_beyond import brings_its_own, is_bare, words_shared
from clawgit.understanding.evidence.taking_back import behind_opening, denies_older, is_of_before, takes_all
from clawgit.workspace.settings.settings import REVIEW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.review.keep import KeepOutcome
    from clawgit.history.undo.forgetting import StatementLine
    from clawgit.history.undo.undo import Undoing

MOST = 1000  # messages
IN_HISTORY = "Git's history keeps these words; LIMITS.md says how to remove them there by hand."
_MAY_BE_HIS = b"\nuser: "  # a session's note with the operator's lines


@dataclass(frozen=True)
class TakingBack(Agent):
    """The agent for one message that takes back another."""

    history: History
    taking: ChatMessage
    undoing: Undoing
    said: str  # the text taken back
    name = CORRECTING
    trust = OPERATOR
    lets_others_go_on = True

    @property
    def input_id(self) -> str:
        commits = " ".join(map(attrgetter("commit_id"), self.undoing.taking.commits))
        return f"{MESSAGE}{self.taking.chat_id} takes back {commits}"

    @property
    def losses(self) -> Mapping[str, str]:
        paths = paths_losing_words(self.history.tip().tree, self.undoing.taken.contents)
        return dict.fromkeys(paths, f"taken back: {self.undoing.taking.name}")

    @property
    def revives(self) -> bool:
        """Say whether a line would get older words back that the message denies, or that it only asks to forget."""
        plan = undoing_plan(self.undoing.taking, self.undoing.taken, "")
        on = self.taking.sent_at.date()
        for each in lines_back(self.history.tip().tree, plan, ""):
            if only_forgets(self.taking.text) or denies_older(self.taking.text, each.text, each.before, on):
                return True
        return False

    def plan(self, tree: Tree) -> Planned:
        taken = take_back(self.history, tree, self.undoing.taking)
        if taken.conflicts or taken.refusals:
            places = ", ".join(taken.conflicts) or "; ".join(taken.refusals)
            return Planned(left_out=(f"{self.undoing.taking.name} was changed again since: {places}.",))
        quote = "" if self.taking.signal.veto else self.taking.text
        evidence = (Evidence(MESSAGE + self.taking.chat_id, quote),)
        plan = undoing_plan(self.undoing.taking, taken, "The operator took it back.")
        says = []
        for each in lines_back(tree, plan, ""):
            says.append(f'{each.path} says "{each.text}" again')
        edits = tuple(_without_words(plan.edits, taken.withdrawn))
        return Planned(plan._replace(edits=edits, evidence=evidence), left_out=(*says, *taken.notes))


class CorrectedLine(NamedTuple):
    """A line that a message changed at once: before (empty if it is new), after, its file, and the argument for `clawgit undo`."""

    text: str
    before: str
    path: str
    undo: str


class TakenBack(NamedTuple):
    """The result of taking a message back: its text, the restored lines, the argument for `clawgit undo`, and what stays."""

    text: str
    lines: tuple[CorrectedLine, ...]
    undo: str
    notes: tuple[str, ...] = ()


def take_back_at_once(
    history: History, store: MessageStore, message: ChatMessage, tell: Callable[[KeepOutcome], None]
) -> TakenBack | None:
    """Undo what rests on the message that this one takes back; None if nothing does, or a policy forbids it.

    ``tell`` gets what was committed first.
    """
    if history.settings.memory_policy == REVIEW:
        return None
    agent = _taking_back(history, store, message)
    if agent is None or not may_come_to_something(history, agent):
        return None
    before = history.tip().tree
    report = run_at_once(agent, history, message.received_at, tell)
    plan, commit_id = report.planned.plan, report.note.commit_id
    if plan is None or not commit_id:
        return None
    lines = tuple(lines_back(before, plan, commit_id[:12]))
    taken = agent.undoing.taken
    stays = taken.notes
    if any(each.status is Status.LINKED for each in taken.withdrawn):
        stays = (*stays, IN_HISTORY)
    return TakenBack(agent.said, lines, commit_id[:12], stays)


def words_taken_back(
    history: History, store: MessageStore, taking: ChatMessage, message: ChatMessage
) -> tuple[str, bool]:
    """Return the words of an earlier message, or the one sentence of them, that another plainly takes back (else an empty text), and whether the next job undoes something that rests on them."""
    is_ground = _taking_back(history, store, taking) is not None
    if set_right(history, message) and not is_ground:
        return "", False  # the correction stays
    if takes_all(taking.text, message.text):
        return message.text, is_ground
    part = part_taken_back(history, taking, message)
    if part is None:
        return "", is_ground
    return part.trigger, is_ground


def _without_words(edits: Sequence[Edit], withdrawn: Sequence[Correction]) -> Iterator[Edit]:
    """Yield the edits; the archive gets no words of a link, which was nothing but what the operator takes back."""
    ids = {each.correction_id for each in withdrawn if each.status is Status.LINKED}
    for edit in edits:
        data = edit.data or b""
        for each in read_corrections(data) if is_correction_file(edit.path) else ():
            if each.correction_id in ids:
                data = replace_correction(data, each._replace(trigger="", turn=""))
        yield edit if edit.data is None else edit._replace(data=data)


def lines_back(tree: Tree, plan: Plan, undo: str) -> Iterator[CorrectedLine]:
    """Yield the lines that a plan restores to other words."""
    for edit in plan.edits:
        if is_correction_file(edit.path):
            continue
        for before, text in reworded(tree.read(edit.path), edit.data, edit.path):
            yield CorrectedLine(text, before, edit.path, undo)


def takings_back(history: History, store: MessageStore, now: datetime) -> Iterator[Agent]:
    """Yield agents for recent takings back that still have an effect."""
    query = MessageQuery(role="user", since=now - LOOKED_BACK, limit=MOST, vetoed=True)
    for taking in store.log(query):
        agent = _taking_back(history, store, taking)
        if agent is not None:
            yield agent


def order_to_forget(
    history: History, store: MessageStore, chat_id: str, line: StatementLine
) -> tuple[Evidence, ...]:
    """Return the message as ground for removing a line: it only orders that, and is the operator's last turn; else empty. Notes of talks are no other line."""
    message = store.get(chat_id.removeprefix(MESSAGE))
    if message is None:
        sentence = f"There is no message {chat_id}."
        raise ClawgitError(sentence, hint="Leave the evidence out: then he is asked.")
    unwanted = to_forget(message.text)
    is_plain = is_his(message) and only_asks_to_forget(message.text) and not excepts_something(message.text)
    if not unwanted or not is_plain or any(map(is_his, talk_after(store, message, None))):
        return ()
    if not is_said_before(history, line.path, line.statement.first + 1, message.sent_at):
        return ()
    with suppress(ClawgitError):
        meant = find_lines(history, unwanted)
        for each in meant.lines:
            if each.place != line.place and not speaker_of(each.statement.words):
                return ()
        if meant.is_sure and line.place in map(attrgetter("place"), meant.lines):
            return (Evidence(MESSAGE + message.chat_id, ""),)
    return ()


def turn_said_again(store: MessageStore, message: ChatMessage) -> ChatMessage | None:
    """Return the operator's turn right before a message that opens as a correction, or is only a value; None if what the agent said between may be meant."""
    is_second = behind_opening(message.text) or is_bare(message.text)
    if not is_his(message) or message.is_vetoed or not is_second:
        return None
    between = []
    for each in reversed(talk_before(store, message, vetoed=True)):
        if each.role != "user":
            between.append(each.text)
            continue
        is_at_hand = message.sent_at - each.sent_at <= WITHIN
        is_meant = not any(map(partial(brings_its_own, each.text), between))
        if is_his(each) and is_at_hand and is_meant and not each.is_vetoed:
            return each
        break
    return None


def _lines_of(history: History, turn: ChatMessage) -> list[EntryCandidate]:
    """Return the lines that a turn corrected, else those beside which it has another line ready, else those that it brought."""
    tree = history.tip().tree
    lines: list[CorrectedLine] = []
    linked = []
    for correction_id, each in standing_corrections(tree).items():
        if MESSAGE + turn.chat_id not in each.evidence or not each.said:
            continue
        if each.status is Status.LINKED:
            linked.append(CorrectedLine("", each.said, each.beside, ""))
        elif each.holds:
            with suppress(UndoError):
                undoing = find_undoing(history, f"x:{correction_id}")
                lines += lines_back(tree, undoing_plan(undoing.taking, undoing.taken, ""), "")
    return list(map(partial(_place_of, history), lines or linked or _brought_by(history, turn)))


def _brought_by(history: History, turn: ChatMessage) -> Iterator[CorrectedLine]:
    cited = read_cited(history).by_entry
    for path, entry in entries_in(history.tip().tree):
        if MESSAGE + turn.chat_id in cited.get(entry.entry_id or "", ()):
            yield CorrectedLine("", parted(entry.text).statement, path, "")


def line_said_again(history: History, store: MessageStore, message: ChatMessage) -> EntryCandidate | None:
    """Return the one line that the turn before corrected or brought, with the new value of a second word, or what it says otherwise; None if that may be about something else."""
    turn = turn_said_again(store, message)
    if turn is None:
        return None
    lines = _lines_of(history, turn)
    if len(lines) != 1 or not lines[0].path:
        return None  # several, or one that was corrected since
    statement = lines[0].statement
    line = fitted_line(statement, message.text)
    is_of_it = is_said_of_it(message.text, statement, message.sent_at.date())
    if not (line or is_of_it or names_one_thing(message.text)):
        return None
    if words_shared(statement, turn.text):
        return lines[0]._replace(new=line, turn=turn.text)
    return lines[0]._replace(new=line)


def _place_of(history: History, line: CorrectedLine) -> EntryCandidate:
    """Return the present place of a line; of an entry with its id."""
    for each in placed(history, line.before):
        if each.path == line.path:
            return each
    for each in placed(history, line.before, line.path):
        return each
    return EntryCandidate("", line.before, line.path, 1, 1.0)


def _taking_back(history: History, store: MessageStore, taking: ChatMessage) -> TakingBack | None:
    message = taken_back(store, taking)
    if message is None:
        return None
    try:
        if is_unwanted(message.text) or is_of_before(message.text):
            undoing = find_redoing(history, MESSAGE + message.chat_id)
        elif takes_all(taking.text, message.text):
            undoing = find_taking_back(history, MESSAGE + message.chat_id)
        else:
            part = part_taken_back(history, taking, message)
            if part is None:
                return None
            undoing = find_undoing(history, f"x:{part.correction_id}")
    except UndoError:
        return None
    agent = TakingBack(history, taking, undoing, message.text)
    if not undoing.taken.contents or agent.revives:
        return None
    return agent


def line_made_of(history: History, order: ChatMessage, messages: Sequence[ChatMessage]) -> LinesMeant | None:
    """Return the one line that an order to forget names, made of messages that it takes back alone, in their words still: he means it with them.

    Of what he said of a thing (`what I said about Ole`), all such lines.
    """
    unwanted = named_anywhere(order)
    is_all = bool(said_to_forget(order.text)) and only_asks_to_forget(order.text)
    if not (unwanted or is_all) or not messages:
        return None
    his_words = []
    taken = set()
    for message in messages:
        his_words.append(telling(message.text))
        taken.add(MESSAGE + message.chat_id)
    tree = history.tip().tree
    named: list[StatementLine] = []
    for entry_id, evidence in read_cited(history).by_entry.items():
        if evidence and evidence <= taken and stands_in(tree, f"m:{entry_id}"):
            lines = find_entry(history, f"m:{entry_id}").lines
            statement = own_words_of(lines[0].text)
            if any(map(telling(statement).issubset, his_words)) and (is_all or says(statement, unwanted)):
                named += lines
    if not named or not (is_all or len(named) == 1):
        return None
    return LinesMeant(tuple(named))


def note_lines_of(
    history: History, order: ChatMessage, messages: Sequence[ChatMessage]
) -> Sequence[StatementLine]:
    """Return the lines of session notes that have the messages, last of a file first so that numbers stay valid.

    A bare answer (`Noted.`) counts if it follows a line that goes.
    """
    lines = set()
    answers = set()
    unwanted = named_anywhere(order)
    for each in messages:
        session = Session(each.channel, each.conversation, each.session, ())
        line = message_line(each, session, frozenset()).encode()
        if each.role == "user" or says(each.text, unwanted):
            lines.add(line)
        else:
            answers.add(line)
    there: list[StatementLine] = []
    tree = history.tip().tree
    for path in filter(date_of, map(itemgetter(0), tree.files())):
        data = tree.read(path) or b""
        if _MAY_BE_HIS not in data or strangers_lines(data) is None:
            continue
        is_behind = False
        for number, ended in enumerate(split_lines(data), 1):
            line = ended.rstrip(b"\r\n")
            is_behind = line in lines or (is_behind and (not line or line in answers))
            if is_behind and line:
                there += committed_at(data, path, number)
    return from_the_end(there)
