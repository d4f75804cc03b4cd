"""An edit that the operator's own message carries: corrected in memory and ledger at the level it gives, or asked as an open item.

Rules, models, hosts and answers go through here: nobody's edit rests on the operator's words without it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.correction_plans import TIME, entry_meant
from clawgit.capture.messages.message_store import talk_before
from clawgit.capture.sessions.taken_back import taken_back_by
from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.git.trees import entry_files
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.fold_update import present_fold
from clawgit.history.provenance.why import present_words
from clawgit.memory.corrections.correction_log import LEDGER, Correction, Status
from clawgit.memory.corrections.write_correction import (
    LOW,
    MEDIUM,
    Verdict,
    WrittenDown,
    added_to_ledger,
    changed_words,
    is_askable,
    open_item,
    shortened,
    write_down,
)
from clawgit.memory.entries.entries import new_entry_id, read_entries
from clawgit.memory.entries.statements import parted, sentences_of
from clawgit.memory.entries.tiers import CORE, USER_FILE, Tier
from clawgit.memory.provenance.pieces import ENTRY, piece_of
from clawgit.memory.trust import EXTERNAL, HOST, OPERATOR, UNDERSTOOD
from clawgit.memory.undo.text_units import line_statements
from clawgit.plan import MESSAGE, Evidence
from clawgit.recall.index.places import Limits
from clawgit.recall.index.searched_files import is_beside_memory
from clawgit.recall.search import search
from clawgit.recall.search_results import Wanted
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import holds_a_secret, redact
from clawgit.text.words.terms import index_terms
from clawgit.understanding.evidence.check_edit import Ground, Proposal, Spoken, ground_of, unfit
from clawgit.understanding.evidence.own_sentences import own_sentences
from clawgit.understanding.evidence.said_words import lacking, read
from clawgit.understanding.evidence.says_beyond import (
    Heard,
    contradicted_words,
    given_way,
    says_beyond,
    shared_words,
    telling_sentences,
    words_shared,
)
from clawgit.understanding.evidence.taking_back import only_takes_back, still_said
from clawgit.understanding.facts.keepable_sentences import is_only_of_behaviour
from clawgit.understanding.forms.numbered_answers import answers_in
from clawgit.understanding.forms.user_words import as_remembered
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.memory.corrections.write_correction import Held, Remembered
    from clawgit.memory.undo.text_units import Statement
    from clawgit.recall.search_results import Result

NOT_TO_BE_KEPT = "The operator asks that this message not be remembered, or it is a command to the agent."
TURNS_BEFORE = 4  # of the agent's that are looked at
AT_HAND = timedelta(minutes=30)  # in which a turn answers another


class EvidenceEdit(NamedTuple):
    """What an entry (its id, or its words) shall say because of a message, and the words that say so; without a message the operator is asked."""

    entry_id: str
    statement: str
    chat_id: str
    quote: str = ""
    doubt: str = ""
    is_confirmed: bool = False


class Outcome(NamedTuple):
    """What becomes of an edit: ``written`` sets it right, or asks where there is an objection; None: nothing is to be done."""

    objection: Ground | None = None
    written: WrittenDown | None = None
    known: Correction | None = None

    @property
    def is_right(self) -> bool:
        return self.objection is None and self.written is not None

    @property
    def status(self) -> Status | None:
        return None if self.written is None else self.written.correction.status


@dataclass(frozen=True, slots=True)
class Authority:
    """What is known of messages and of the history behind the entries."""

    history: History
    store: MessageStore
    now: datetime

    def ground(self, proposal: Proposal, message: ChatMessage | None) -> Ground:
        if message is None:
            return Ground("", says="There is no such message.")
        if not is_his(message):
            return Ground("", says=f"The message is not the operator's own: it counts as {message.trust}.")
        if message.signal.veto:
            return Ground("", says=NOT_TO_BE_KEPT)
        if taken_back_by(self.store, message) is not None:
            return Ground("", says="The operator took that message back.")
        return ground_of(proposal, self.spoken(message))

    def spoken(self, message: ChatMessage) -> Spoken:
        return Spoken(message.text, message.sent_at.astimezone(self.now.tzinfo).date())

    def is_meant(self, message: ChatMessage, held: Held, quote: str) -> bool:
        """Say whether an entry is the one that his sentences, the message, or the agent's turn before it are about."""
        before = turns_before(self.store, message, most=1)
        own = " ".join(own_sentences(message.text))
        together = " ".join((own, *before))
        for query in dict.fromkeys((quote, own, together, *before)):
            found = candidates(self.history, query, (), self.now)
            best = [each for each in found if each.score == found[0].score]
            if any(each.statement == held.parts.statement for each in best):
                return True
        return False

    def is_later(self, message: ChatMessage, held: Held) -> bool:
        """Say whether a message came no earlier than the present words of an entry, and every correction of them."""
        entry_id = held.entry.entry_id or ""
        words = present_words(self.history, piece_of(held.entry).words, entry_id)
        told = self._sent(words.messages) or [words.at]  # the store forgets messages, the history does not
        for known in standing_corrections(self.history.tip().tree).values():
            if known.holds and entry_id and entry_id in known.corrects:
                told += self._sent(known.evidence) or [self._written(known)]
        return all(at <= message.sent_at for at in told)

    def is_of_others(self, held: Held) -> bool:
        """Say whether the present words of an entry are the host's, or from outside."""
        with present_fold(self.history) as fold:
            origin = fold.origin(ENTRY + piece_of(held.entry).words)
        return origin is not None and origin.trust in (HOST, EXTERNAL) and origin.actor != UNKNOWN

    def _sent(self, cited: tuple[str, ...]) -> list[datetime]:
        found = (self.store.get(each.removeprefix(MESSAGE)) for each in cited)
        return [message.sent_at for message in found if message is not None]

    def _written(self, known: Correction) -> datetime:
        try:
            return datetime.strptime(known.at, TIME).replace(tzinfo=self.now.tzinfo)
        except ValueError:
            return self.now + timedelta(days=1)


def authorised(edit: EvidenceEdit, memory: Remembered, authority: Authority, evidence: str = "") -> Outcome:
    """Return what becomes of an edit: the entry corrected where the message carries it, else a question, asked once."""
    held = entry_meant(edit.entry_id, memory)
    if held is None:
        return Outcome(Ground("", says=f"There is no entry {edit.entry_id}."))
    cited = MESSAGE + edit.chat_id.removeprefix(MESSAGE) if edit.chat_id else ""
    case = _Case(edit, held, cited, memory, authority, evidence or cited)
    known = case.known()
    if known is not None and known.status is not Status.OPEN and not case.is_beside(known):
        return Outcome(_again(known), known=known)
    ground = case.ground()
    objection = ground
    if ground.level:
        written = case.set_right(known, ground)
        if written.correction.status in (Status.APPLIED, Status.UNDERSTOOD):
            return Outcome(None, written)
        says = "; ".join(written.notes) or "The entry cannot be changed in its place."
        objection = Ground("", ground.quote, says, is_question=True)
    if known is not None:
        return Outcome(_again(known), known=known)
    return Outcome(objection, case.asked() if objection.is_question else None)


def linked_instead(edit: EvidenceEdit, memory: Remembered, authority: Authority) -> WrittenDown | None:
    """Return the ledger with his words beside the entry that a refused edit names; None where they say nothing of it, or were decided on."""
    held = entry_meant(edit.entry_id, memory)
    message = authority.store.get(edit.chat_id.removeprefix(MESSAGE))
    stated = "" if held is None or message is None else stated_by(authority.store, message)
    if held is None or message is None or not stated:
        return None
    statement = held.parts.statement
    on = authority.spoken(message).on
    is_a_word = len(words(stated)) < 2 and not read(stated, on).values  # `fyi`
    if is_a_word or not says_beyond(stated, statement, on) or not authority.is_later(message, held):
        return None
    entry_id = held.entry.entry_id
    for known in standing_corrections(authority.history.tip().tree).values():
        is_about = known.said == shortened(statement) or entry_id in (*known.corrects, *known.may_correct)
        if is_about and MESSAGE + message.chat_id in known.evidence:
            return None
    item = link_item(message, entry_id, statement, authority.now, memory.taken)
    return WrittenDown(item, dict(memory.now) | {LEDGER: added_to_ledger(memory.ledger, item)})


def link_item(
    message: ChatMessage,
    entry_id: str | None,
    statement: str,
    now: datetime,
    taken: Collection[str],
    *,
    is_plain: bool = True,
) -> Correction:
    """Return what the ledger says of a message beside a statement."""
    quote = folded(" ".join(own_sentences(message.text)))
    cited = MESSAGE + message.chat_id
    return Correction(
        new_entry_id(f"{quote}\0{statement}", cited, taken),
        message.sent_at.astimezone(now.tzinfo).strftime(TIME),
        shortened(quote),
        (message.signal.validator or MEDIUM) if is_plain else LOW,
        said=shortened(statement),
        status=Status.LINKED,
        may_correct=(entry_id,) if entry_id else (),
        evidence=(cited,),
    )


def stated_by(store: MessageStore, message: ChatMessage) -> str:
    """Return what a message of the operator's says that may go beside a line, empty for one that must not."""
    if not is_his(message) or message.signal.veto or answers_in(message.text):
        return ""
    if not still_said(own_sentences(message.text)) or only_takes_back(message.text):
        return ""
    if holds_a_secret(message.text):
        return ""
    if taken_back_by(store, message) is not None:
        return ""
    return " ".join(telling_sentences(message.text))


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
        """Return the correction that this message made of the entry, or one that proposes the same; what he declined he alone proposes again."""
        entry_id, old = self.held.entry.entry_id, shortened(self.held.parts.statement)
        found = []
        for known in standing_corrections(self.authority.history.tip().tree).values():
            if known.status is Status.LINKED:
                continue
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
        proposal = Proposal(self.held.parts.statement, known.proposed)
        return self.authority.ground(proposal, self.message).level not in (OPERATOR, UNDERSTOOD)

    def ground(self) -> Ground:
        if says := unfit(self.edit.statement):
            return Ground("", says=says)
        if not self.cited:
            is_new = _plain(self.held.parts.statement) != _plain(self.statement)
            says = "No message of his says so." if is_new else f"{_called(self.held)} says so already."
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
        elif not self.edit.is_confirmed and not self.authority.is_meant(message, self.held, ground.quote):
            says, may_be_confirmed = f"The message is not plainly about {_called(self.held)}.", True
        if says:
            return Ground("", ground.quote, says, True, may_be_confirmed)
        if ground.level == OPERATOR and self._keeps_values_of_others(message):
            return Ground(UNDERSTOOD, ground.quote)
        return ground

    def _keeps_values_of_others(self, message: ChatMessage) -> bool:
        """Say whether the entry keeps a value that others brought and he does not say: in his name it would be his."""
        if not self.authority.is_of_others(self.held):
            return False
        spoken = self.authority.spoken(message)
        stated = read(self.statement, spoken.on)
        unsaid = lacking(stated, read(spoken.text, spoken.on))
        return any(value.shown in unsaid for value in stated.values)

    def set_right(self, known: Correction | None, ground: Ground) -> WrittenDown:
        memory, note = self.memory, self._note()
        if known is not None and known.status is Status.OPEN and self.cited in known.evidence:
            note = note._replace(correction_id=known.correction_id, path=known.path)
            ledger = self.authority.history.tip().tree.read(known.path) or b""
            memory = replace(memory, ledger=memory.now.get(known.path, ledger))
        wrong = ((self.held, self.statement),)
        old = self.held.parts.statement
        status = Status.APPLIED if ground.level == OPERATOR else Status.UNDERSTOOD
        verdict = Verdict(status, old, changed_words(old, self.statement), wrong)
        return write_down(verdict, note, memory, self.evidence)

    def asked(self) -> WrittenDown | None:
        note = self._note()
        if self.cited and not is_askable(self.held.parts.statement, self.statement, note.trigger):
            return None
        return open_item(note, self.held, self.statement, self.memory, self.evidence)

    def _note(self) -> Correction:
        return noted(self.authority, self.message, self.cited, self._proposal())

    def _proposal(self) -> Proposal:
        return Proposal(self.held.parts.statement, self.statement, self.edit.quote)


def noted(authority: Authority, message: ChatMessage | None, cited: str, proposal: Proposal) -> Correction:
    """Return what the ledger says of a message: the operator's own words of it, nobody else's."""
    note = Correction("", authority.now.strftime(TIME), evidence=(cited,) if cited else ())
    if message is None or not is_his(message):
        return note
    told = ground_of(proposal, authority.spoken(message)).quote
    said_at = min(message.sent_at, authority.now).astimezone(authority.now.tzinfo)
    note = note._replace(at=said_at.strftime(TIME))  # not when it was read
    trigger, sure = shortened(folded(told)), message.signal.validator or ""
    said = shortened(_answered(told, turns_before(authority.store, message, most=1)))
    return note._replace(trigger=trigger, trigger_confidence=sure, said=said)


def _answered(told: str, before: tuple[str, ...]) -> str:
    """Return the sentence of the agent's turn right before that has most of the operator's words."""
    terms = set(index_terms(told).split())
    sentences = sentences_of(before[0]) if before else ()
    return max(sentences, key=lambda each: len(terms & set(index_terms(each).split())), default="")


def is_his(message: ChatMessage) -> bool:
    """Say whether a message is the operator's own: brought by himself or by a connection of his."""
    return message.trust == OPERATOR and message.role == "user" and message.is_operator


def turns_before(store: MessageStore, message: ChatMessage, most: int = TURNS_BEFORE) -> tuple[str, ...]:
    """Return what the agent said last before a message in the same conversation, the latest first."""
    said = [each.text for each in talk_before(store, message) if each.role == "assistant"]
    return tuple(said[::-1][:most])


def turn_before(store: MessageStore, message: ChatMessage) -> tuple[Evidence, ...]:
    """Return what the agent said last before a message, as evidence."""
    turns = [each for each in talk_before(store, message) if each.role == "assistant"]
    return tuple(Evidence(MESSAGE + each.chat_id, redact(own_words(each.text))) for each in turns[-1:])


def _plain(statement: str) -> str:
    return statement.casefold().rstrip(" .!。")


def _again(known: Correction) -> Ground:
    name = f"x:{known.correction_id}"
    if known.status is Status.OPEN:
        return Ground("", says=f"{name} asks the operator about that already.")
    if known.status is Status.WITHDRAWN:
        return Ground("", says=f"The operator took that back ({name}).")
    return Ground("", says=f"That message has changed the entry already ({name}).")


def _called(held: Held) -> str:
    return f"m:{held.entry.entry_id}" if held.entry.entry_id else "The entry"


LONGEST = 400  # characters of a text that is searched for
_FOUND = 30  # lines for each text
MOST_BESIDE_ONE = 4  # telling words of a message that shares one of them alone
MOST_LINES = 500  # of USER.md that are compared
_NUMBER = re.compile(r"\d")
_SMALL_NUMBER = re.compile(r"\d{1,2}")
_NOTES = Limits(tier=Tier.T2.value)
_ENTRIES = Limits(tier=Tier.T1.value)  # the notes of days say the same again and again


class Candidate(NamedTuple):
    """An entry that may be meant, where it is (lines count from 1), and how well it fits; an id may be missing."""

    entry_id: str
    statement: str
    path: str
    line: int
    score: float


def candidates(
    history: History, text: str, before: Sequence[str], now: datetime, *, most: int = 10
) -> list[Candidate]:
    """Return the entries of core memory and of memory/ that answer a text or what was said before it, the best first."""
    tree = history.tip().tree
    entries = {path: read_entries(tree.read(path) or b"") for path in entry_files(tree)}
    found: dict[tuple[str, int], Candidate] = {}
    for query in filter(None, (each[:LONGEST].strip() for each in (text, *before[:1]))):
        results = search(history, Wanted(query, _FOUND, 0.0, _ENTRIES), now).results
        places = [(result.score, *place) for result in results for place in _places(result)]
        near = [
            Candidate(entry.entry_id or "", parted(entry.text).statement, path, entry.first + 1, score)
            for score, path, first, last in places
            for entry in entries.get(path, ())
            if first <= entry.first + 1 <= last or entry.first < first <= entry.last
        ]
        for each in _meant(query, near):
            known = found.get((each.path, each.line), each)
            found[each.path, each.line] = max(known, each, key=lambda candidate: candidate.score)
    return sorted(found.values(), key=lambda each: (-each.score, each.path, each.line))[:most]


def meant_by(
    history: History, said: str, before: Sequence[str], now: datetime, *, most: int
) -> list[Candidate]:
    """Return the entries that share a word with a message; else a line of a note that does; else what was said before is about."""
    own = own_words(said)
    found = candidates(history, own, before, now, most=most)
    meant = []
    for each in found:
        if not is_only_of_behaviour(said, each.statement):
            meant.append(each)
    beside = line_contradicted(history, heard_in(said, now), [each.statement for each in meant], now)
    if beside is not None:
        return [beside]
    nearest = _nearest(own, meant) or _nearest(own, _noted(history, own, now))[:1]
    return nearest or _nearest(" ".join(before), meant)


def placed(history: History, statement: str, path: str = "") -> Iterator[Candidate]:
    """Yield the entries that say a statement, or the line of a file beside memory that does."""
    tree = history.tip().tree
    if path:
        for line in line_statements(tree.read(path) or b"", path):
            if parted(line.words).statement == statement:
                yield Candidate("", statement, path, line.first + 1, 1.0)
        return
    for name in entry_files(tree):
        for entry in read_entries(tree.read(name) or b""):
            if parted(entry.text).statement == statement:
                yield Candidate(entry.entry_id or "", statement, name, entry.first + 1, 1.0)


def _noted(history: History, text: str, now: datetime) -> Iterator[Candidate]:
    """Yield the lines of notes that a search finds, the best passage first."""
    tree = history.tip().tree
    for result in search(history, Wanted(text[:LONGEST], _FOUND, limits=_NOTES), now).results:
        lines = (tree.read(result.path) or b"").decode("utf-8", "replace").splitlines()
        for at, line in enumerate(lines[result.first - 1 : result.last], result.first):
            statement = parted(line.strip().lstrip("-*• ")).statement
            yield Candidate("", statement, result.path, at, result.score)


def heard_in(text: str, now: datetime) -> Heard:
    """Return what a message tells by itself."""
    return Heard(" ".join(telling_sentences(text)), "", "", now.date())


def line_contradicted(
    history: History, heard: Heard, entries: Iterable[str], now: datetime, *, is_flagged: bool = True
) -> Candidate | None:
    """Return the line of USER.md, or of a file beside memory, that a message says otherwise, where no entry has as many words of it."""
    most = 0
    for each in entries:
        most = max(most, shared_words(each, heard.said))
    nearest = None
    text = heard.said
    if given_way(heard)[1]:  # `no, the 28th` is about what was said before
        text = f"{heard.said} {heard.before}"
    for line in _lines_beside(history, text, now):
        shared = contradicted_words(heard, line.statement, is_flagged=is_flagged)
        if not shared and line.path != USER_FILE:  # a file about somebody names him in its name alone
            shared = contradicted_words(
                heard, f"{title_of(line.path)} {line.statement}", is_flagged=is_flagged
            )
        if shared and line.path == USER_FILE:
            shared += 1  # he tells of himself: another's phone is not meant
        if shared > most:
            nearest, most = line, shared
    return nearest


def title_of(path: str) -> str:
    """Return the name of a file as words."""
    return re.sub(r"[-_]+", " ", path.rpartition("/")[2].partition(".")[0])


def _is_copy(statements: list[Statement], memory: list[Statement]) -> bool:
    """Return whether more than half of a file's statements stand in MEMORY.md."""
    remembered = set(map(attrgetter("words"), memory))
    copied = sum(map(remembered.__contains__, map(attrgetter("words"), statements)))
    return 2 * copied > len(statements)


def _lines_beside(history: History, text: str, now: datetime) -> Iterator[Candidate]:
    """Yield the lines of USER.md for a text in which he tells of himself, and those of files beside memory that a search finds.

    Of a copy of MEMORY.md nothing is meant.
    """
    tree = history.tip().tree
    wanted = Wanted(text[:LONGEST].strip(), _FOUND, 0.0, _ENTRIES)
    if not wanted.query:
        return
    passages = []
    if as_remembered(text) != folded(text):
        passages.append((USER_FILE, 1, MOST_LINES, 0.0))
    for result in search(history, wanted, now).results:
        if is_beside_memory(result.path):
            passages.append((result.path, result.first, result.last, result.score))
    memory = line_statements(tree.read(CORE) or b"", CORE)
    for path, first, last, score in passages:
        statements = line_statements(tree.read(path) or b"", path)
        if _is_copy(statements, memory):
            continue
        for statement in statements:
            if first <= statement.first + 1 <= last:
                words = parted(statement.words).statement
                yield Candidate("", words, path, statement.first + 1, score)


def _sharing(text: str, near: Iterable[Candidate]) -> list[Candidate]:
    about = subject(text)
    # `14 pages` is not about `shelf 14`; what says numbers alone is about these
    telling = set(filterfalse(_SMALL_NUMBER.fullmatch, about)) or about
    return [each for each in near if telling & subject(each.statement)]


def _nearest(text: str, near: Iterable[Candidate]) -> list[Candidate]:
    """Return the entries that share most words with a text; one word of many, or of several entries, means none."""
    sharing: dict[int, list[Candidate]] = {}
    for each in _sharing(text, near):
        shared = shared_words(each.statement, text)
        if shared or _NUMBER.search(" ".join(subject(text) & subject(each.statement))):
            sharing.setdefault(shared, []).append(each)
    most = max(sharing, default=0)
    nearest = sharing.get(most, [])
    is_one_of_many = len(words_shared(text, text)) > MOST_BESIDE_ONE
    if most > 1 or (len(nearest) == 1 and not is_one_of_many):
        return nearest
    return []


def offered(
    history: History, text: str, before: Sequence[str], now: datetime, *, most: int
) -> list[Candidate]:
    """Return the entries that a model is shown with a text: those that answer it, then others while there is room."""
    found = candidates(history, text, before, now, most=most)
    places = {(each.path, each.line) for each in found}
    tree = history.tip().tree
    others = [
        Candidate(entry.entry_id or "", parted(entry.text).statement, path, entry.first + 1, 0.0)
        for path in entry_files(tree)
        for entry in read_entries(tree.read(path) or b"")
    ]
    return [*found, *(each for each in others if (each.path, each.line) not in places)][:most]


def _meant(query: str, near: list[Candidate]) -> list[Candidate]:
    """Return what shares a word with the query, not what is only beside it; all, where nothing shares one."""
    return _sharing(query, near) or near


def _places(result: Result) -> Iterator[tuple[str, int, int]]:
    yield result.path, result.first, result.last
    yield from ((old.path, old.first, old.last) for old in result.instead_of)
