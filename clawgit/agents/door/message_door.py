"""A host's access to memory: each request becomes a change that an operator's message authorises, or a question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.authorised_edits import (
    NOT_TO_BE_KEPT,
    Authority,
    EditOutcome,
    EvidenceEdit,
    authorised,
    linked_instead,
    noted,
    turn_before,
    turns_before,
)
from clawgit.agents.door.correction_plans import Prover, record, with_added
from clawgit.agents.door.linkable import corrected_since, remembered
from clawgit.agents.door.meant_entries import is_said_before, nearest_to, origins_of
from clawgit.agents.door.second_reader import NOT_CONFIRMED, confirmed, read_again, reading_of
from clawgit.capture.messages.message import ChatMessage, is_his
from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import APPLIED, NOTHING, Recorded
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.remember import Filed, remember
from clawgit.history.remember import RememberOutcome as Added
from clawgit.history.review.proposals import refuse_flood
from clawgit.history.undo.forgetting import lines_that_say
from clawgit.history.undo.undo_targets import Changes, ChangeSource
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.memory.corrections.write_correction import EntryInFile, Verdict, WrittenDown, write_down
from clawgit.memory.entries.statements import parted, sentences_of
from clawgit.memory.entries.tiers import CORE, LEARNED
from clawgit.memory.provenance.contrasts import exchanged
from clawgit.memory.trust import EXTERNAL, HOST, OPERATOR, UNDERSTOOD
from clawgit.plan import MESSAGE, Evidence
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import telling
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact_talk
from clawgit.understanding.corrections.correct_by_hand import CorrectError, UnsaidError, is_whole, named
from clawgit.understanding.corrections.ready_commands import in_shell
from clawgit.understanding.evidence.check_edit import Ground, ProposedEdit, unfit
from clawgit.understanding.evidence.own_sentences import own_text, without_quoted_words
from clawgit.understanding.evidence.said_words import is_light, lacking, read, spelled
from clawgit.understanding.evidence.says_beyond import is_bare, words_shared
from clawgit.understanding.facts.keepable_sentences import kept_in, leans_on_talk, ordered_in, quoted_in
from clawgit.understanding.facts.same_statement import Relation, Statements
from clawgit.understanding.facts.same_statement import relation as relation_of
from clawgit.understanding.forms.user_words import USER_NOUNS, as_remembered
from clawgit.workspace.settings.settings import EXPLICIT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from clawgit.agents.models.model import Asker
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.undo.forgetting import StatementLine

ASKS = "asks"
_BESIDE = {Status.OPEN: ASKS, Status.LINKED: Status.LINKED.value}  # where memory stays as it is
TELLING = 4  # characters of a value specific enough to recognise a statement


class CitedMessage(NamedTuple):
    """The message that authorises a change (`chat:ID`; none: ask the operator), and the quote from it."""

    message: str = ""
    quote: str = ""

    @property
    def chat_id(self) -> str:
        return self.message.strip().removeprefix(MESSAGE)


@dataclass(frozen=True, slots=True)
class Passed:
    """The result of a change by a message: made, or asked with the objection."""

    recorded: Recorded
    correction: Correction | None = None
    objection: Ground | None = None
    notes: tuple[str, ...] = ()
    added: Added | None = None

    @property
    def outcome(self) -> str:
        outcome = self.recorded.outcome
        if self.correction is None or outcome not in (APPLIED, NOTHING):
            return outcome
        return _BESIDE.get(self.correction.status, outcome)


def correct_by_message(old: str, new: str, cited: CitedMessage, entry: str | None, door: Door) -> Passed:
    """Correct an entry on the ground of an operator's message; if it does not authorise that, or in doubt, ask."""
    _refuse_unfit(new)
    refuse_vetoed(door.authority.history, new, door.intent)
    message = door.message(cited) if cited.message else None
    tree = door.authority.history.tip().tree
    _refuse_row(folded(old), folded(new), tree)
    entries = remembered(tree).entries()
    if message is not None:
        cited = cited._replace(message=message.chat_id)
        made_before = _made_before((old, new), entries, message, door)
        if made_before is not None:
            return made_before
    if entry is None and not _is_said(old, new, tree, entries, is_asked=message is None):
        bearer = corrected_since(_statement(old), remembered(tree), tree)
        if bearer is not None:
            return correct_by_message(name_of(bearer), new, cited, None, door)
        if message is None:
            return _ask_of_nearest(old, new, door)
        return _remember_correction(_statement(old), _statement(new), message, cited, door)
    outcomes = [EditOutcome()]
    target, statement = meant(old, new, entries, entry)
    edit = door.read_again(EvidenceEdit(name_of(target), statement, cited.chat_id, cited.quote), entries)

    def planned(tree: Tree) -> WrittenDown | None:
        memory = remembered(tree)
        target, statement = meant(old, new, memory.entries(), entry)
        now = edit._replace(entry_id=name_of(target), statement=statement)
        outcomes.append(authorised(now, memory, door.authority, door.intent.op))
        written = outcomes[-1].written
        if written is None and outcomes[-1].known is None:
            written = linked_instead(now, memory, door.authority)
            link = written and written.correction
            if link and not words_shared(f"{link.said} {statement}", link.trigger, link.turn):
                written = None  # the message is about something else
        if written is not None and written.correction.status is Status.OPEN:
            refuse_flood(door.authority.history, door.intent)
        return written

    intent = door.intent._replace(
        trust=OPERATOR if message is not None and is_his(message) else "", by_message=True
    )
    try:
        made = record(Prover(door.authority.history, door.authority.now), planned, intent)
    except CorrectError:
        if door.authority.history.tip().tree == tree:
            raise
        # the nightly reader and the host may correct the same entry at the same time: the second sees the first's change
        return correct_by_message(old, new, cited, entry, door)
    last = outcomes[-1]
    return Passed(made.recorded, made.correction or last.known, last.objection, made.notes)


def _made_before(
    change: tuple[str, str], entries: Sequence[EntryInFile], message: ChatMessage, door: Door
) -> Passed | None:
    """Return the earlier change if this message already made it and an entry still has it."""
    old, new = map(folded, change)
    statements = {entry.entry.entry_id: entry.parts.statement for entry in entries}
    for correction in standing_corrections(door.authority.history.tip().tree).values():
        if not correction.holds or MESSAGE + message.chat_id not in correction.evidence:
            continue
        right = correction.correct
        texts = (parted(new).statement, as_remembered(parted(new).statement))
        is_same = exchanged(correction.said, old, new) == right or any(
            _is_same(each, right) for each in texts
        )
        present = [statements.get(each, "") for each in correction.corrects]
        if is_same and any(right in each or _is_same(each, right) for each in present):
            return Passed(Recorded(APPLIED, door.intent.op), correction)
    return None


def _refuse_row(old: str, new: str, tree: Tree) -> None:
    """Refuse a table row: it makes no sense as an entry."""
    rows = lines_that_say(tree, old) if new.startswith("|") else []
    if rows:
        place = rows[0].place
        raise CorrectError(
            f"{place} is a row of a table, which you do not change here.",
            hint="Say what is right as one plain sentence, with the same message. The row itself is the operator's to change:"
            f" `clawgit correct {in_shell(place)} {in_shell(new)}`.",
        )


def _statement(text: str) -> str:
    return parted(folded(text)).statement


def _is_same(one: str, other: str) -> bool:
    return relation_of(one, other) is Relation.SAME


def _is_said(old: str, new: str, tree: Tree, entries: Sequence[EntryInFile], *, is_asked: bool) -> bool:
    try:
        return bool(named(old, new, entries, None).wrong)
    except CorrectError as error:
        may_be_near = is_asked and isinstance(error, UnsaidError)
        if not may_be_near and corrected_since(_statement(old), remembered(tree), tree) is None:
            raise
        return False


def _ask_of_nearest(old: str, new: str, door: Door) -> Passed:
    """Ask the operator about the entry nearest to words that no entry has; if none is near, about the new text."""
    history = door.authority.history
    if not is_whole(folded(new)):
        sentence = f"No entry says {folded(old)[:60]!r}."
        raise CorrectError(sentence, hint="Write all of what is right as one plain sentence.")
    near = nearest_to(history, folded(old), folded(new), door.authority.now)
    if near is not None:
        name = near.statement
        if near.entry_id:
            name = f"m:{near.entry_id}"
        return correct_by_message(name, new, CitedMessage(), None, door)
    added = remember(history, new, door.intent, Filed(LEARNED))
    notes = [f"No entry says {folded(old)[:60]!r}, so none was corrected."]
    if added.recorded.commit_id:
        notes.append(f"The operator's yes makes it his word: `clawgit approve m:{added.entry_id}`.")
    return Passed(added.recorded, notes=tuple(notes), added=added)


def _remember_correction(old: str, new: str, message: ChatMessage, cited: CitedMessage, door: Door) -> Passed:
    same = None
    for target, relation in door.like(new):
        if relation is Relation.SAME:
            same = target
            break
        if _says_as_well(target.parts.statement, old, new, door):
            return correct_by_message(name_of(target), new, cited, None, door)
    authority = door.authority
    turns = turns_before(authority.store, message)
    # a host's own claim of what is wrong does not count
    old_words = ""
    lines = lines_that_say(authority.history.tip().tree, old)
    if lines or any(old.rstrip(".。") in turn for turn in turns):
        old_words = old
    ground = door.ground_of_addition(new, message, cited)
    if ground.level not in (OPERATOR, UNDERSTOOD) and lines and _is_his_line(lines[0], message, door):
        ground = door.ground_of_addition(new, message, cited, of=old)
    if ground.level not in (OPERATOR, UNDERSTOOD):
        sentence = _sentence_left(ground.quote, message, door)
        if sentence and not lines:
            passed = add_by_message(sentence, cited._replace(quote=sentence), Filed(CORE), door)
            if passed.recorded.outcome != NOTHING:  # else memory has it
                note = f"Your line was not kept, but the operator's own sentence. {ground.says}"
                return replace(passed, notes=(*passed.notes, note))
        where = f"No entry says {old[:60]!r}"
        if lines:
            where = f"{lines[0].place} is no entry"
        hint = "Say all of what is right in the words of the message."
        raise CorrectError(f"{where}, and the message does not carry a new one. {ground.says}", hint=hint)
    evidence = MESSAGE + message.chat_id

    def planned(tree: Tree) -> WrittenDown:
        target, now = same, dict[str, bytes]()
        if target is None:
            target, data = with_added(tree, new, authority.spoken(message).on, evidence)
            now[target.path] = data
        status = Status.APPLIED if ground.level == OPERATOR else Status.UNDERSTOOD
        verdict = Verdict(status, old_words, new, right=(target,))
        note = noted(authority, message, evidence, ProposedEdit("", new, cited.quote))
        return write_down(verdict, note, replace(remembered(tree), now=now), door.intent.op)

    intent = door.intent._replace(trust=ground.level, by_message=True)
    made = record(Prover(authority.history, authority.now), planned, intent)
    return Passed(made.recorded, made.correction, notes=made.notes)


def _sentence_left(quote: str, message: ChatMessage, door: Door) -> str:
    """Return his own sentence behind a refused reading, where it says by itself what it is about."""
    for sentence in sentences_of(quote):
        if leans_on_talk(sentence) or is_bare(sentence):
            continue
        ground = door.authority.ground(ProposedEdit("", sentence, sentence), message)
        keepable = quoted_in(message.text, sentence)
        if keepable and not keepable[0].why_not and ground.level == OPERATOR:
            return sentence
    return ""


def _is_his_line(line: StatementLine, message: ChatMessage, door: Door) -> bool:
    """Say whether a line is the operator's, from before the message; then only the new words must be in the message."""
    number = line.statement.first + 1
    whose = set(map(attrgetter("trust"), origins_of(door.authority.history, line.path, number)))
    return whose == {OPERATOR} and is_said_before(door.authority.history, line.path, number, message.sent_at)


def add_by_message(text: str, cited: CitedMessage, filed: Filed, door: Door) -> Passed:
    """Remember a statement that no entry has: at the operator's level if the message says it, else at the host's."""
    _refuse_unfit(text)
    refuse_vetoed(door.authority.history, text, door.intent)
    message = door.message(cited)
    statement = folded(text)
    cited = cited._replace(message=message.chat_id)
    for target, relation in door.like(statement):
        if relation is Relation.SAME:
            note = f"{name_of(target)} says so already."
            return Passed(Recorded(NOTHING, door.intent.op), notes=(note,))
    ground = door.ground_of_addition(statement, message, cited)
    if ground.level == UNDERSTOOD and not message.signal.validator and _is_all_of(statement, ground.quote):
        whole = door.ground_of_addition(ground.quote, message, cited)
        if whole.level == OPERATOR:  # kept in the operator's words
            text = ground.quote
            ground = whole
    is_explicit = door.authority.history.settings.memory_policy == EXPLICIT
    if is_explicit and not ordered_in(message.text):
        ground = Ground(HOST, ground.quote, "He did not ask to remember it, and memory_policy is explicit.")
    is_his_word = ground.level in (OPERATOR, UNDERSTOOD)
    if not is_his_word and door.intent.actor == OPERATOR:
        raise ClawgitError(ground.says, hint="Leave --evidence out: your own word is enough.")
    path = filed.path
    if not path.startswith("memory/"):
        path = CORE if is_his_word else LEARNED
    intent, evidence = door.intent, filed.evidence
    if is_his_word:
        intent = door.intent._replace(trust=ground.level, by_message=True)
        evidence = (Evidence(MESSAGE + cited.chat_id, ground.quote),)
    elif ground.level == HOST:
        evidence = (
            Evidence(MESSAGE + cited.chat_id, ground.quote),
            *turn_before(door.authority.store, message),
        )
    elif _is_of_others(statement, message):
        intent = door.intent._replace(trust=EXTERNAL)
        evidence = (Evidence(MESSAGE + cited.chat_id, _of_others(statement, message)),)
    elif ground.quote and not kept_in(message.text):  # else a job keeps the sentence by itself
        evidence = (Evidence(MESSAGE + cited.chat_id, ground.quote),)
    on = door.authority.spoken(message).on
    added = remember(door.authority.history, text, intent, Filed(path, filed.tag, evidence, on))
    objection = None if is_his_word else ground
    return Passed(added.recorded, objection=objection, added=added)


def _is_of_others(statement: str, message: ChatMessage) -> bool:
    """Say whether words of a statement come from someone else: a stranger's message, or text pasted or quoted in it."""
    if not is_his(message):
        return message.trust == EXTERNAL
    stated = read(spelled(statement))
    own = without_quoted_words(own_text(message.text))
    lacked = set(lacking(stated, read(spelled(own))))
    lacked.difference_update(lacking(stated, read(spelled(message.text))))
    return not all(map(is_light, lacked))


def _of_others(statement: str, message: ChatMessage) -> str:
    """Return the sentences of a message about a statement that are not the operator's own, without secrets."""
    text = redact_talk(message.text)
    own = ""
    if is_his(message):
        own = without_quoted_words(own_text(text))
    foreign = []
    for sentence in sentences_of(text):
        if sentence not in own and words_shared(statement, sentence):
            foreign.append(sentence)
    return " ".join(foreign)


def _is_all_of(statement: str, sentence: str) -> bool:
    """Say whether a sentence is a statement verbatim, with only words like `please` around it."""
    stated = " ".join(words(statement)).casefold()
    before, middle, behind = " ".join(words(sentence)).casefold().partition(stated)
    return bool(middle) and not telling(before + behind)


def _says_as_well(statement: str, old: str, new: str, door: Door) -> bool:
    """Say whether a statement is ``old`` in other words: all that it has and ``new`` lacks is wrong in both."""
    here, was, now = (read(spelled(each), door.authority.now.date()) for each in (statement, old, new))
    wrong = {item for item in lacking(here, now) if not is_light(item)}
    return bool(wrong) and wrong.issubset(lacking(was, now))


def _refuse_unfit(statement: str) -> None:
    if says := unfit(statement):
        raise ClawgitError(says, hint="Write one plain sentence.")


@dataclass(frozen=True, slots=True)
class Door:
    """The actor, the knowledge of messages and history, and the second reader of a host's readings (None: no second reading)."""

    authority: Authority
    intent: Intent
    asker: Asker | None = None

    def message(self, cited: CitedMessage) -> ChatMessage:
        message = self.authority.store.get(cited.chat_id)
        if message is None:
            raise ClawgitError(
                f"There is no message {MESSAGE}{cited.chat_id}.",
                hint="Leave the evidence out: then the operator is asked. `clawgit chat log --json` shows the ids.",
            )
        if message.signal.veto:
            raise ClawgitError(NOT_TO_BE_KEPT, hint="Nothing was written; leave memory as it is.")
        return message

    def like(self, statement: str) -> list[tuple[EntryInFile, Relation]]:
        """Return the entries with the same content as a statement, then those that may contradict it."""
        entries = remembered(self.authority.history.tip().tree).entries()
        alike = Statements(map(attrgetter("parts.statement"), entries)).like(statement, by_overlap=False)
        return [(entries[number], relation) for number, relation in alike]

    def read_again(self, edit: EvidenceEdit, entries: Sequence[EntryInFile]) -> EvidenceEdit:
        if self.asker is None:
            return edit
        near = list(map(attrgetter("parts.statement"), entries))
        return read_again(self.asker, [edit], near, self.authority)[0]

    def ground_of_addition(
        self, statement: str, message: ChatMessage, cited: CitedMessage, of: str = ""
    ) -> Ground:
        """Return the ground of an addition or a replacement ``of`` a line: the host's level if the second reader does not confirm."""
        ground = self.authority.ground(ProposedEdit(of, statement, cited.quote), message)
        if ground.level in (OPERATOR, UNDERSTOOD):
            ground = self.unless_taken_out(ground, statement, cited)
        if ground.level != UNDERSTOOD or self.asker is None:
            return ground
        reading = reading_of(message, of, statement, (), self.authority)
        if all(confirmed(self.asker, [reading])):
            return ground
        return Ground(HOST, ground.quote, NOT_CONFIRMED)

    def unless_taken_out(self, ground: Ground, statement: str, cited: CitedMessage) -> Ground:
        """Lower the ground to the host's level if this message brought the same words before and they were removed."""
        source = ChangeSource(MESSAGE + cited.chat_id, frozenset({MESSAGE + cited.chat_id}))
        made = filterfalse(attrgetter("is_beside"), Changes(self.authority.history).all)
        if not any(statement in commit.subject and source.is_of(commit) for commit in made):
            return ground
        return Ground("", says="That message has brought these words already, and they were taken out.")


def meant(old: str, new: str, entries: Sequence[EntryInFile], entry: str | None) -> tuple[EntryInFile, str]:
    """Return the entry that is meant, and its new text."""
    verdict = named(old, new, entries, entry)
    if not verdict.wrong:
        hint = "Give the line as a search shows it; what is new, without a line for it, is added with the same message."
        raise CorrectError(f"No entry says {folded(old)[:60]!r}.", hint=hint)
    return verdict.wrong[0]


def name_of(target: EntryInFile) -> str:
    """Return an entry's id, or else its text."""
    return f"m:{target.entry.entry_id}" if target.entry.entry_id else target.parts.statement


def refuse_vetoed(history: History, statement: str, intent: Intent) -> None:
    """Refuse a statement that repeats a message of the last day marked as not to be remembered."""
    if intent.actor == OPERATOR or not has_messages(history):
        return
    with open_messages(history, intent.now) as store:
        vetoed = [message.text for message in store.vetoed() if message.role == "user"]
    if any(says_the_same(statement, text, intent.now.date()) for text in vetoed):
        sentence = "The operator asked that this not be remembered, so nothing was written."
        raise ClawgitError(sentence, hint="Leave it out of memory, notes and files.")


def says_the_same(statement: str, text: str, on: date) -> bool:
    """Say whether a statement has a telling value of a text, or most of its telling words from it, not numbers alone; half are enough about the operator, who is in both."""
    stated = read(spelled(statement), on)
    reading = read(spelled(text), on)
    stems = [item for item in stated.items if not is_light(item)]
    missing = [item for item in lacking(stated, reading) if not is_light(item)]
    for value in stated.values:
        is_word = value.shown.isalpha()  # much is on a Friday, or twice
        if value.shown not in missing and len(value.shown) >= TELLING and not is_word:
            return True
    is_of_him = not USER_NOUNS.isdisjoint(words(statement.lower().replace("'", " ")))
    is_about_it = bool(set(stems).difference(missing, map(attrgetter("shown"), stated.values)))
    return is_about_it and 2 * len(missing) < len(stems) + is_of_him
