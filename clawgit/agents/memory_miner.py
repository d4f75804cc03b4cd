"""The memory miner: turns messages into entries with evidence, and repetitions into mentions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import starmap
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, Self

from clawgit.agents.decay_engine import open_until
from clawgit.agents.door.authorised_edits import Authority, EvidenceEdit, turn_before
from clawgit.agents.door.correction_plans import Prover
from clawgit.agents.link_messages import link_to, links_of
from clawgit.agents.linking import Linking, ended_links
from clawgit.agents.mined_material import (
    Mined,
    Share,
    ask_miner,
    cited_as,
    reading_in,
    said_at,
    session_of,
    share_of,
    waits_for_validator,
)
from clawgit.agents.models.model import Asker, ModelError
from clawgit.agents.run_agent import Agent, Item, Planned, by_rules, digest_of, refuse_regressions
from clawgit.capture.messages.message import ChatMessage, is_his
from clawgit.capture.messages.open_messages import open_messages
from clawgit.capture.sessions.taken_back import taken_back_by
from clawgit.errors import ClawgitError
from clawgit.history.authorship.settings_in_force import prompt_in_force
from clawgit.history.git.repository import History, refuse_odd_state
from clawgit.history.git.trees import Tree, entries_in, ids_beside
from clawgit.history.provenance.correction_files import read_known_corrections, standing_corrections
from clawgit.history.provenance.entries_at_tip import HistoryCitations, read_cited
from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.trust_lookup import renew_fold
from clawgit.memory.corrections.correction_log import LEDGER, Correction, Status
from clawgit.memory.corrections.write_correction import LOW
from clawgit.memory.entries.entries import EntryError, Tag, entry_line, line_name, read_entries
from clawgit.memory.entries.own_section import add_remembered, core_file, grown_note, with_room
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CORE, LEARNED, LEARNED_BEFORE, LESSONS
from clawgit.memory.provenance.readings import is_verbatim
from clawgit.memory.provenance.stamps import stamp
from clawgit.memory.trust import HOST, OPERATOR
from clawgit.plan import MAX_QUOTE, MESSAGE, Edit, Evidence, Plan
from clawgit.recall.questions.question_dates import find_days
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.safety.secrets import redact
from clawgit.understanding.evidence.own_sentences import denied
from clawgit.understanding.evidence.says_beyond import is_bare
from clawgit.understanding.evidence.taking_back import behind_opening
from clawgit.understanding.facts.keepable_sentences import Keepable, ordered_in
from clawgit.understanding.facts.routing import day_path
from clawgit.understanding.facts.select_facts import (
    FactCandidate,
    FactSelection,
    PlannedEntry,
    gather,
    standing_of,
)
from clawgit.understanding.forms.sentence_forms import POINTING
from clawgit.understanding.forms.user_words import USER, as_remembered
from clawgit.workspace.records.records import RECORDS, Records, RunOutcome, open_records
from clawgit.workspace.settings.settings import EXPLICIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from clawgit.agents.run_agent import Agents, Means, RunReport
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.review.keep import KeepOutcome as KeptEdits

NAME = "memory-miner"
OTHERS = (LEARNED, LEARNED_BEFORE, LESSONS)  # rest on others: the operator's own statement is kept besides
AT_ONCE = 20_000  # messages
LEFT_FOR = timedelta(days=30)  # for which a message without result waits for a model
LEFT_AT_ONCE = 2_000


@dataclass(frozen=True)
class MemoryMiner(Agent):
    """The agent for the messages, or for findings in other words than the operator's; rules read unless ``found`` is given."""

    share: Share
    room: MiningRoom
    found: Mined | None = None
    is_of_others: bool = False  # the other share has cited this evidence already
    name = NAME

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        """Yield the agent for pending messages; those without result by rules wait for a model."""
        with open_messages(history, now) as store:
            has_model = means.askers() is not None
            room = MiningRoom(history, records, store, now, history.tip().tree)
            share = room.share(has_model=has_model)
            if share.read:
                yield cls(share, room)

    @property
    def trust(self) -> str:
        return self.share.trust

    label = trust

    @property
    def input_id(self) -> str:
        if not self.share.read:
            return ""
        how = ["model"] if self.share.asked else []
        return digest_of(*how, self.share.trust, *sorted(self.share.read))

    @property
    def asks(self) -> bool:
        return bool(self.share.asked)

    def ask(self, asker: Asker) -> Self:
        share, history = self.share, self.room.history
        authority = Authority(history, self.room.store, self.room.now)
        try:
            mined = ask_miner(asker, prompt_in_force(history, NAME), share, authority)
        except ModelError as error:
            notes = (by_rules(error), *share.left_out.values())
            is_spent = bool(error.reached or error.spent)
            return replace(self, found=Mined(share.candidates, notes, is_spent=is_spent), tokens=error.spent)
        return replace(self, found=mined, tokens=asker.spent)

    @property
    def result(self) -> Mined:
        return self.found or Mined(self.share.candidates, notes=tuple(self.share.left_out.values()))

    def plan(self, tree: Tree) -> Planned:
        result = self.result
        gone = frozenset[str]()
        if result.candidates and not self.is_of_others:
            gone = self.room.cited().every  # another run may have mined these messages
        left_out = list(result.notes)
        candidates: list[FactCandidate] = []
        for each in result.candidates:
            if each.evidence_id in gone or self._is_taken_back(each):
                continue
            if not self.room.deals_with(each):
                if self._may_keep(each):
                    candidates.append(each)
            elif each.is_ordered:
                why_not = "is in CORRECTIONS.md, so its order was not kept"
                left_out.append(f"{each.evidence_id} {why_not}: {each.quote}")
        planned = self._planned(tree, self._unobjected(tree, tuple(candidates)))
        return planned._replace(left_out=(*left_out, *planned.left_out))

    def _may_keep(self, candidate: FactCandidate) -> bool:
        """Say whether `memory_policy` lets a job keep it: under *explicit*, only orders of the operator."""
        if self.room.history.settings.memory_policy != EXPLICIT:
            return True
        return candidate.is_ordered or bool(ordered_in(candidate.quote))

    def _is_taken_back(self, candidate: FactCandidate) -> bool:
        if candidate.trust != OPERATOR:
            return False
        message = self.room.message(candidate.evidence_id)
        return message is not None and taken_back_by(self.room.store, message) is not None

    def _unobjected(self, tree: Tree, candidates: tuple[FactCandidate, ...]) -> tuple[FactCandidate, ...]:
        """Return the candidates that can be committed, found by halving down to single ones."""
        plan = self._planned(tree, candidates).plan
        if plan is None or not self._is_objected(plan, tree):
            return candidates
        if len(candidates) == 1:
            return ()
        half = len(candidates) // 2
        return (*self._unobjected(tree, candidates[:half]), *self._unobjected(tree, candidates[half:]))

    def _is_objected(self, plan: Plan, tree: Tree) -> bool:
        room = self.room
        try:
            refuse_regressions(room.history, room.records, room.now, plan, tree)
        except ClawgitError:
            return True
        return False

    def _planned(self, tree: Tree, candidates: tuple[FactCandidate, ...]) -> Planned:
        gathered = self._gathered(tree, candidates)
        written = _write(tree, core_file(tree.entry) if self.trust == OPERATOR else LEARNED, gathered.new)
        left_out = (*gathered.left_out, *gathered.conflicts, *written.left_out)
        if not (written.added or written.noted or gathered.mentions):
            return Planned(left_out=left_out)
        plan = _plan_of(tree, written, gathered, self.room.history.settings.memory_max_lines)
        if self.is_of_others:
            turns = list(plan.evidence)
            for _, each in written.added:
                message = self.room.message(each.evidence_id)
                if message is not None:  # with the agent's turn before it
                    turns += turn_before(self.room.store, message)
            plan = plan._replace(evidence=tuple(turns))
        return Planned(plan, left_out, items=_items(plan, written, gathered))

    def _gathered(self, tree: Tree, candidates: tuple[FactCandidate, ...]) -> FactSelection:
        """Return the new candidates; an equal statement of others does not block the operator's."""
        standing: list[PlannedEntry] = []
        others: list[PlannedEntry] = []
        for each in self.room.corrections:
            is_of_no_entry = each.status is Status.UNDERSTOOD and not each.corrects
            if each.correct and (each.status is Status.LOGGED or is_of_no_entry):
                standing.append(PlannedEntry(as_remembered(each.correct), each.at[:10]))
        for path, entry in entries_in(tree):  # of equals the last: the entry
            if self.trust == OPERATOR and path.startswith(OTHERS):
                others.append(standing_of(entry))
            else:
                standing.append(standing_of(entry))
        return gather(candidates, standing, self.room.corrections, self.room.sessions_of, others)

    def follow_ups(self, report: RunReport | None) -> Iterator[Agent]:
        room = self.room
        if report is None or report.is_new:
            yield from room.validators_of(self._gathered(room.before, self.result.candidates).superseded)
        others = self.result.others  # the host's words, beside the operator's
        if others:
            evidence = tuple(map(attrgetter("evidence_id"), others))
            yield MemoryMiner(Share(HOST, evidence, others), room, is_of_others=True)
        readings = self.result.readings
        if report is not None and (report.note.commit_id or readings):
            yield from room.read_too_early(self.share, readings)

    def settle(self, records: Records, report: RunReport, now: datetime) -> None:
        share, result = self.share, self.result
        left = frozenset[str]()
        if report.is_new and not result.is_answered:
            left = share.readable.difference(map(attrgetter("evidence_id"), result.candidates))
            if result.is_spent:
                left -= share.again
        read = set(share.read)
        store, run_id = self.room.store, report.note.run_id
        store.mark_mined((each.removeprefix(MESSAGE) for each in read - left), run_id)
        store.mark_read((each.removeprefix(MESSAGE) for each in left), run_id)


@dataclass(frozen=True)
class MiningRoom:
    """Shared input of the miners of a round; ``before`` is the state at the start of the present one."""

    history: History
    records: Records
    store: MessageStore
    now: datetime
    before: Tree
    _cited: dict[str, HistoryCitations] = field(default_factory=dict)  # by the tip

    def cited(self) -> HistoryCitations:
        tip = self.history.tip().commit_id or ""
        if tip not in self._cited:
            self._cited[tip] = read_cited(self.history)
        return self._cited[tip]

    def share(self, *, has_model: bool) -> Share:
        """Return the pending share; messages already cited in history are only marked as read."""
        messages = self.store.to_mine(AT_ONCE)
        if has_model:
            messages += self.store.left_by_rules(self.now - LEFT_FOR, LEFT_AT_ONCE)
        waiting = [each for each in messages if not waits_for_validator(each, self.now)]
        return share_of(waiting, self.cited().every, self.now.tzinfo, has_model=has_model)

    def message(self, evidence_id: str) -> ChatMessage | None:
        return self.store.get(evidence_id.removeprefix(MESSAGE))

    def deals_with(self, candidate: FactCandidate) -> bool:
        """Say whether this message corrected something on the same subject or with all of these words, or only points at something (`that`) it corrected; or stands beside a line of which it denies a word."""
        if not candidate.is_ordered and self._is_beside(candidate):
            return True
        corrected = self.cited().corrected.get(candidate.evidence_id, ())
        if not corrected:
            return False
        about = subject(candidate.statement) - subject(USER)
        if POINTING.search(candidate.quote) is not None:
            return True
        for each in self.corrections:
            is_of_it = each.holds and candidate.evidence_id in each.evidence
            is_all = is_verbatim(each.trigger, candidate.quote)
            if is_of_it and is_all and is_verbatim(candidate.statement, each.trigger):
                return True
        return any(2 * len(about & subject(each)) >= len(about) for each in corrected)

    def _is_beside(self, candidate: FactCandidate) -> bool:
        apart = subject(" ".join(denied(candidate.quote)))
        topic = subject(candidate.quote) - apart
        for each in standing_corrections(self.history.tip().tree).values():
            is_plain = each.status is Status.LINKED and each.trigger_confidence != LOW
            is_of_it = is_plain and candidate.evidence_id in each.evidence
            about = subject(each.said)
            if is_of_it and apart & about and topic & about:
                return True
        return False

    def validators_of(self, superseded: Iterable[tuple[PlannedEntry, FactCandidate]]) -> Iterator[Agent]:
        """Yield the validators for candidates that would replace entries: handled like any correction."""
        edits: dict[str, list[EvidenceEdit]] = {}
        for entry, candidate in superseded:
            edit = reading_in(candidate)._replace(entry_id=entry.entry_id or entry.statement)
            edits.setdefault(edit.chat_id, []).append(edit)
        for chat_id, of_message in edits.items():
            message = self.store.get(chat_id)
            if message is not None:
                yield self._validator(message, tuple(of_message))

    def read_too_early(self, share: Share, readings: Sequence[EvidenceEdit]) -> Iterator[Agent]:
        """Yield agents for messages read too early: before the entry they concern was in memory, or before a model read them."""
        messages = list(filter(None, map(self.message, share.read)))
        for message in messages:
            if is_his(message) and message.signal.validator and message.validated_in:
                yield self._validator(message)
        links = [*links_of(self.history, self.store, messages, self.now, readings)]
        linked = set(map(attrgetter("evidence_id"), links))
        for message in messages:  # `sorry, 13 June`, which names no line
            is_behind = behind_opening(message.text) or is_bare(message.text)
            if is_behind and cited_as(message) not in linked:
                from clawgit.agents.takings_back import line_said_again  # slow to import

                again = line_said_again(self.history, self.store, message)
                if again is not None:
                    links += link_to(self.store, message, again)
        ended = ended_links(self.history.tip().tree.read(LEDGER) or b"", readings, self.now.date())
        if links or ended:
            yield Linking(links=tuple(links), now=self.now, ended=ended)

    def _validator(self, message: ChatMessage, edits: tuple[EvidenceEdit, ...] = ()) -> Agent:
        from clawgit.agents.recall_validator import RecallValidator

        return RecallValidator(
            message, Prover(self.history, self.now), self.store, edits, is_settled=bool(edits)
        )

    def sessions_of(self, entry_id: str) -> frozenset[str]:
        messages = filter(None, map(self.message, self.cited().by_entry.get(entry_id, ())))
        return frozenset(session_of(each, self.now.tzinfo) for each in messages)

    @cached_property
    def corrections(self) -> tuple[Correction, ...]:
        with open_fold(self.history.state) as fold:
            renew_fold(self.history, fold)
            corrections = read_known_corrections(self.history, fold)
        return tuple(self._as_said(each.correction) for each in corrections if each.counts)

    def _as_said(self, correction: Correction) -> Correction:
        """Return a correction with the time of its message if known; the ledger has the time of a run."""
        message = self.message(correction.evidence[0]) if correction.evidence else None
        if message is None:
            return correction
        return correction._replace(at=said_at(message, self.now.tzinfo))


def held_back(history: History, now: datetime) -> int:
    """Return the number of messages left to the recall validator for now."""
    with open_messages(history, now) as store:
        return sum(waits_for_validator(each, now) for each in store.to_mine(AT_ONCE))


def _is_to_come(candidate: FactCandidate) -> bool:
    statement, on = candidate.statement, candidate.on
    days = find_days(statement, on).days
    names_a_weekday = any(value.kind is ValueKind.WEEKDAY for value in values_in(statement))
    if days is not None and days.last < on and not (days.any_year or names_a_weekday):
        return False
    until = open_until(statement, on)
    return until is not None and until > on


@dataclass
class _Written:
    path: str
    data: bytes  # of the file with the new entries, not stamped yet
    notes: dict[str, bytes] = field(default_factory=dict)  # of days with new statements
    added: list[tuple[str, FactCandidate]] = field(default_factory=list)  # each with its line
    noted: list[tuple[str, FactCandidate]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def _write(tree: Tree, path: str, new: Iterable[PlannedEntry]) -> _Written:
    written = _Written(path, tree.read(path) or b"")
    for standing in sorted(new, key=lambda each: each.day):
        candidate = standing.new
        assert candidate is not None
        try:
            line = entry_line(candidate.statement, on=candidate.on, tag=candidate.tag)
            if candidate.tag is Tag.EVENT and candidate.trust == OPERATOR and not _is_to_come(candidate):
                day = day_path(candidate.on)
                note = written.notes.get(day, tree.read(day)) or f"# {candidate.on.isoformat()}\n".encode()
                written.notes[day] = grown_note(note, f"- {line}")
                written.noted.append((line, candidate))
            else:
                written.data = add_remembered(written.data, line)
                written.added.append((line, candidate))
        except EntryError as error:
            written.left_out.append(f"{error.message} It was: {candidate.statement}")
    return written


def _plan_of(tree: Tree, written: _Written, gathered: FactSelection, most: int | None) -> Plan:
    rested = [*written.added, *written.noted]
    lines = {id(candidate): line for line, candidate in rested}
    again = [(lines[id(each.new)], other) for each, other in gathered.repeated if id(each.new) in lines]
    evidence = tuple(Evidence(each.evidence_id, redact(each.quote)) for _, each in (*rested, *again))
    trailers = []
    for entry, candidate in gathered.mentions:
        quote = redact(candidate.quote)[:MAX_QUOTE]
        trailers.append(("Clawgit-Mention", f'm:{entry.entry_id} {candidate.evidence_id} "{quote}"'))
    for line, candidate in (*written.noted, *again):
        trailers.append(("Clawgit-Line", line_name(line, candidate.evidence_id)))
    edits: list[Edit] = []
    if written.added:
        path = written.path
        own = {line: candidate.evidence_id for line, candidate in written.added}
        old = tree.read(path) or b""
        data = stamp(old, written.data, evidence[0].evidence_id, own=own, taken=ids_beside(tree, path))
        if path == LEARNED:
            moved = with_room(data, tree.read, LEARNED)
        else:
            moved = with_room(data, tree.read, CORE, most=most)
        edits = [Edit(path, moved.data), *starmap(Edit, moved.others.items())]
        # once its day has passed, an event that was not ordered has the lifetime of past events
        events = {line for line, each in written.added if each.tag is Tag.EVENT}
        for edit in edits:
            for standing in read_entries(edit.data or b""):
                if standing.text in events:
                    trailers.append(("Clawgit-Class", f"m:{standing.entry_id} tasks"))
    edits += starmap(Edit, written.notes.items())
    summary = f"mine: {len(gathered.mentions)} said again"
    if rested:
        first = parted(rested[0][0]).statement
        summary = f"mine: {first}"
        if len(rested) > 1:
            summary = f"mine: {len(rested)} memories, {first}"
    return Plan(summary, tuple(edits), evidence=evidence, trailers=tuple(trailers))


def _items(plan: Plan, written: _Written, gathered: FactSelection) -> tuple[Item, ...]:
    ids = {entry.text: entry.entry_id for edit in plan.edits for entry in read_entries(edit.data or b"")}
    lines = [(f"m:{ids.get(line)}", line) for line, _ in written.added]
    lines += [(day_path(candidate.on), line) for line, candidate in written.noted]
    lines += [(f"m:{entry.entry_id}", entry.statement + _AGAIN) for entry, _ in gathered.mentions]
    return tuple(Item(RunOutcome.APPLIED, "", name, "", line) for name, line in lines)


LEFT = "The memory-miner tries again at its time"
AFTER_VALIDATOR = "it may correct something, so the next jobs read it first, and correct or keep"
_IS_THERE = "memory has it already"
_AGAIN = " (said again)"
_SHORT = 12  # letters of a commit


class KeptSentence(NamedTuple):
    """A kept sentence, its file, and the argument for `clawgit undo`: the entry, or the commit for a note."""

    text: str
    path: str
    undo: str


def remember_at_once(
    history: History,
    store: MessageStore,
    message: ChatMessage,
    orders: Sequence[Keepable],
    now: datetime,
    tell: Callable[[KeptEdits], None],
) -> tuple[list[KeptSentence], str]:
    """Keep the ``orders`` of a message in one change, by rules; return what was kept, and why something was not.

    On an obstacle the miner's next run does it. ``tell`` gets what was committed first.
    """
    reasons = filter(None, map(attrgetter("why_not"), orders))
    why_not = "; ".join(dict.fromkeys(reasons))
    if all(map(attrgetter("why_not"), orders)):
        return [], why_not
    refuse_odd_state(history)
    with open_records(history.state / RECORDS, now) as records:
        room = MiningRoom(history, records, store, now, history.tip().tree)
        share = share_of([message], room.cited().every, now.tzinfo, has_model=False)
        miner = MemoryMiner(share, room)
        report, *_ = miner.run(history, records, now)
    tell(report.kept)
    remembered = _remembered(report)
    is_nothing = report.note.outcome is RunOutcome.NOTHING and not report.planned.left_out
    items = report.planned.items
    is_said_again = bool(items) and all(item.new.endswith(_AGAIN) for item in items)
    if not remembered and (is_nothing or is_said_again):
        why_not = _IS_THERE
    return remembered, why_not if remembered else why_not or report.note.reason


def _remembered(report: RunReport) -> list[KeptSentence]:
    plan = report.planned.plan
    commit_id = report.note.commit_id
    if plan is None or not commit_id:
        return []
    places = {entry.entry_id: edit.path for edit in plan.edits for entry in read_entries(edit.data or b"")}
    remembered = []
    for item in report.planned.items:
        if item.new.endswith(_AGAIN):
            continue
        path = places.get(item.entry.removeprefix("m:"))
        undo = item.entry if path else commit_id[:_SHORT]
        remembered.append(KeptSentence(parted(item.new).statement, path or item.entry, undo))
    return remembered
