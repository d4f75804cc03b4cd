"""Removes what has no use: weak entries, duplicates, old wordings, proven corrections, vectors of corrected texts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.correction_plans import archive_plan
from clawgit.agents.run_agent import Agent, Agents, Means, Planned, RunReport, digest_of
from clawgit.history.git.trees import Tree, entry_files
from clawgit.history.provenance.correction_files import read_known_corrections, standing_corrections
from clawgit.history.provenance.entries_at_tip import states_below, states_in
from clawgit.history.provenance.fold_store import FoldStore, open_fold
from clawgit.history.provenance.trust_lookup import renew_fold
from clawgit.history.review.keep import KeepOutcome as EditsKept
from clawgit.memory.corrections.correction_log import without_stale_wordings
from clawgit.memory.entries.entries import Tag, is_alone
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CORE, day_in
from clawgit.memory.provenance.pieces import storable
from clawgit.memory.trust import TRUSTS
from clawgit.plan import Edit, Plan
from clawgit.recall.index.index_tables import text_hash
from clawgit.recall.vector_search import change_rows, entry_hashes, has_rows, live_hashes
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import counted
from clawgit.text.safety.secrets import redact
from clawgit.understanding.facts.same_statement import Relation, Statements
from clawgit.workspace.records.records import Records, RunNote, RunOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.git.repository import History
    from clawgit.memory.entry_states import EntryState
    from clawgit.workspace.settings.settings import Settings

WEAK = 30  # hundredths; weak below
IDLE_DAYS = 60  # without mention
MOST_PERCENT = 20  # of a file's words in one run; the rest waits for the next
_CORRECTION = lazy_pattern(r"(?i)#correction\b")
NAME = "memory-compactor"
SHOWN = 80  # characters of an entry, in the log
NAMES = (CORE, "memory.md")
HYGIENE = "vector-hygiene"
KEEP, FLAG, UNFLAG, DELETE = "keep", "flag", "unflag", "delete"  # steps for a vector


class Weight(NamedTuple):
    """What decides whether an entry stays."""

    confidence: int
    idle: int  # days since its last mention
    is_correction: bool = False
    by_hand: bool = False  # written by the operator, or brought back by anyone

    @property
    def is_weak(self) -> bool:
        """Say whether the entry may go; never one that the operator wrote or a correction is about."""
        return (
            self.confidence < WEAK and self.idle >= IDLE_DAYS and not self.is_correction and not self.by_hand
        )


def is_back(state: EntryState) -> bool:
    """Say whether the entry was removed once and brought back."""
    words = storable(state.entry.text)
    came = [(seen.kind, seen.path, seen.words) for seen in state.seen]
    return came.count(("words", state.path, words)) > 1


def touches_correction(state: EntryState) -> bool:
    """Say whether a correction is about the entry, or its source is a correction."""
    return bool(state.corrections) or _CORRECTION.search(state.entry.text) is not None


def weakest(states: Iterable[EntryState], on: date, words: int) -> list[RetiringEntry]:
    """Return the weak entries, weakest first, up to a share of the file's ``words``."""
    weak = []
    for state in states:
        idle = (on - (state.last_mention or state.since)).days  # without mentions, since it was written
        by_hand = state.source == "operator" or is_back(state)
        weight = Weight(state.confidence, idle, touches_correction(state), by_hand)
        if weight.is_weak:
            weak.append((weight, state))
    weak.sort(key=lambda each: (each[0].confidence, -each[0].idle, each[1].entry.first))
    leaving: list[RetiringEntry] = []
    size = 0
    for weight, state in weak:
        size += len(state.entry.text.split())
        if leaving and size * 100 > words * MOST_PERCENT:
            break
        why = f"at {weight.confidence} %, not mentioned for {weight.idle} days"
        leaving.append(RetiringEntry(state, why))
    return leaving


def _rank(state: EntryState) -> tuple[int, int, date, int]:
    """Return the sort key of duplicates: the entry that stays (more trusted, surer, older) first."""
    return -TRUSTS.index(state.trust), -state.confidence, state.since, state.entry.first


class KeptVector(NamedTuple):
    """A statement with a vector: last mention, mention count, when it was corrected and flagged."""

    last_seen: date
    mentions: int = 1
    corrected: date | None = None
    flagged: date | None = None
    is_correction: bool = False


def next_step(vector: KeptVector, on: date, settings: Settings) -> str:
    """Return the step for a vector: mentioned once and long ago is flagged, later deleted; a correction's is kept."""
    if vector.is_correction:
        return KEEP
    if vector.corrected is not None:
        is_over = (on - vector.corrected).days > settings.corrected_embedding_grace_days
    elif vector.mentions > 1 or (on - vector.last_seen).days <= settings.vector_stale_days:
        if vector.flagged is not None:
            return UNFLAG
        return KEEP
    elif vector.flagged is None:
        return FLAG
    else:
        is_over = (on - vector.flagged).days >= settings.vector_flag_grace_days
    if is_over:
        return DELETE
    return KEEP


class RetiringEntry(NamedTuple):
    """An entry that leaves a file, and why."""

    state: EntryState
    why: str

    @property
    def told(self) -> str:
        text = redact(self.state.entry.text).replace('"', "'")
        mark = self.state.entry.mark
        if not mark:
            return f'{self.state.path}: "{text[:SHOWN]}" {self.why}'
        back = f"`clawgit memory revive {mark}` brings it back"
        return f'{self.state.path}: {mark} "{text[:SHOWN]}" {self.why}; {back}'


@dataclass(frozen=True)
class Upkeep(Agent):
    """A maintenance agent; a rehearsal names it by its input."""

    history: History
    now: datetime
    name = NAME

    @property
    def label(self) -> str:
        return self.input_id


@dataclass(frozen=True)
class Clearing(Upkeep):
    """The agent that removes entries from MEMORY.md; it chooses them for each tree."""

    what: str  # "weak" or "twice"

    @property
    def input_id(self) -> str:
        parts = list(map(attrgetter("told"), self.leaving()))
        if parts:
            return digest_of(self.what, *parts)
        return ""

    def leaving(self) -> list[RetiringEntry]:
        tree = self.history.tip().tree
        path = next((name for name in NAMES if tree.read(name)), "")
        if not path:
            return []
        data = tree.read(path) or b""
        lines = split_lines(data)
        on = self.now.date()
        states = [each for each in states_below(self.history, [path], on) if is_alone(each.entry, lines)]
        if self.what == "twice":
            return list(_said_twice(states))
        return weakest(states, on, len(data.split()))

    def plan(self, tree: Tree) -> Planned:
        leaving = self.leaving()
        if not leaving:
            return Planned()
        path = leaving[0].state.path
        lines = split_lines(tree.read(path) or b"")
        gone = {at for each in leaving for at in range(each.state.entry.first, each.state.entry.last)}
        data = b"".join(line for at, line in enumerate(lines) if at not in gone)
        count = counted(len(leaving), "entry")
        why = "carry no weight any more" if self.what == "weak" else "stand there twice"
        losses = tuple(map(attrgetter("told"), leaving))
        reason = f"They {why}. Searches with --deep find them."
        plan = Plan(f"hygiene: {count} out of {path}", (Edit(path, data),), reason)
        return Planned(plan._replace(trailers=tuple(("Clawgit-Loss", loss) for loss in losses)), losses)


def _said_twice(states: list[EntryState]) -> Iterator[RetiringEntry]:
    """Yield duplicates of entries that stay; numbers, days, names and negations must be equal."""
    by_digits: dict[str, tuple[Statements, list[EntryState]]] = {}
    for state in states:
        text = parted(state.entry.text).statement
        # Only statements with equal digits are compared; `09:30` and `9:30` count as equal.
        digits = "".join(sorted(char for char in text if char.isdigit() and char != "0"))
        statements, standing = by_digits.setdefault(digits, (Statements(), []))
        alike = [] if touches_correction(state) or is_back(state) else statements.like(text)
        same = (at for at, how in alike if how is Relation.SAME and _may_merge(standing[at], state))
        twin = next(same, None)
        if twin is None:
            statements.add(text)
            standing.append(state)
            continue
        stays, goes = sorted((standing[twin], state), key=_rank)
        standing[twin] = stays
        name = stays.entry.mark or f"line {stays.entry.first + 1}"
        yield RetiringEntry(goes, f"says what {name} says")


def _may_merge(one: EntryState, other: EntryState) -> bool:
    if touches_correction(one) or is_back(one):
        return False
    days = {parted(each.entry.text).before for each in (one, other)}
    return len(days) == 1 or Tag.EVENT not in (one.entry.tag, other.entry.tag)


@dataclass(frozen=True)
class OldWordings(Upkeep):
    """The agent that removes old wordings of corrected entries, kept in comments, once old enough."""

    @property
    def input_id(self) -> str:
        plan = self.plan(self.history.tip().tree).plan
        if plan is None:
            return ""
        return digest_of(type(self).__name__, *(f"{edit.path}\0{edit.data!r}" for edit in plan.edits))

    def plan(self, tree: Tree) -> Planned:
        days = self.history.settings.corrected_embedding_grace_days
        corrections = list(standing_corrections(tree).values())
        before = self.now.date() - timedelta(days=days)
        edits = []
        for path in entry_files(tree):
            data = tree.read(path) or b""
            new = without_stale_wordings(data, lambda: corrections, before=before)
            if new != data:
                edits.append(Edit(path, new))
        if not edits:
            return Planned()
        why = f"They were corrected more than {days} days ago. CORRECTIONS.md and the history keep the old words."
        summary = f"hygiene: old wordings out of {len(edits)} files"
        return Planned(Plan(summary, tuple(edits), why, verbatim=True))


@dataclass(frozen=True)
class CorrectionArchive(OldWordings):
    """The agent that archives proven corrections; they stay in force."""

    def plan(self, tree: Tree) -> Planned:
        plan = archive_plan(
            self.history, tree, self.now.date(), self.history.settings.correction_archive_days
        )
        return Planned(plan._replace(reason="They win from there as before.") if plan.edits else None)


class Tidying(NamedTuple):
    """The steps to take, by the hashes of texts."""

    flag: frozenset[bytes] = frozenset()
    unflag: frozenset[bytes] = frozenset()
    rest: frozenset[bytes] = frozenset()
    forget: frozenset[bytes] = frozenset()
    lost: frozenset[bytes] = frozenset()  # flags of texts that no entry has any more

    @property
    def told(self) -> str:
        parts = {"flagged as stale": self.flag, "not stale any more": self.unflag, "at rest": self.rest}
        return ", ".join(f"{len(texts)} {what}" for what, texts in parts.items() if texts)

    @property
    def run_id(self) -> str:
        hashes = b"\0".join(sorted(self.flag | self.unflag | self.rest | self.forget))
        return f"{HYGIENE}-{sha256(hashes).hexdigest()[:10]}"


@dataclass(frozen=True)
class VectorHygiene(Agent):
    """The agent for stored vectors: it changes rows and no file, so it makes no commit."""

    tidying: Tidying
    name = HYGIENE

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        yield cls(planned(history, records, now))

    @property
    def input_id(self) -> str:
        return self.tidying.told

    @property
    def label(self) -> str:
        return self.tidying.run_id

    def plan(self, tree: Tree) -> Planned:
        return Planned(left_out=(self.tidying.told,))

    def run(self, history: History, records: Records, now: datetime, *, slot: str = "") -> list[RunReport]:
        """Change the rows and record the run; neither waits for writers of files nor blocks them."""
        tidying = self.tidying
        deleted = 0
        if any(tidying):
            deleted = change_rows(history, rest=tidying.rest, wake=tidying.unflag, forget=tidying.forget)
            gone = tidying.unflag | tidying.lost
            records.vector_flags.change(now.date(), flagged=tidying.flag, gone=gone)
        idle = "There was nothing to do."
        note = RunNote(tidying.run_id, HYGIENE, now, RunOutcome.NOTHING, slot, reason=idle)
        if deleted or tidying.flag or tidying.unflag:
            changes = tidying.told
            if deleted:
                changes = f"{changes}, {deleted} deleted".removeprefix(", ")
            note = note._replace(outcome=RunOutcome.APPLIED, reason=changes)
        records.note_run(note)
        return [RunReport(note, Planned(), EditsKept())]


def planned(history: History, records: Records, now: datetime) -> Tidying:
    """Return the steps to take; none if there are no vectors."""
    if not has_rows(history):
        return Tidying()
    flags = records.vector_flags.all()
    settings, on = history.settings, now.date()
    tree = history.tip().tree
    hashes = entry_hashes(tree, entry_files(tree))
    steps: dict[str, set[bytes]] = {step: set() for step in (KEEP, FLAG, UNFLAG, DELETE)}
    with open_fold(history.state) as store:
        renew_fold(history, store)
        for state in states_in(history, store, on):
            text = hashes.get(state.entry.entry_id or "")
            if text is not None:
                seen, flagged = state.last_mention or state.since, flags.get(text)
                vector = KeptVector(seen, state.mentions + 1, None, flagged, touches_correction(state))
                steps[next_step(vector, on, settings)].add(text)
        old = set(_old_wordings(history, store, on))
    lost = flags.keys() - set(hashes.values())
    forget = old - live_hashes(history) if old else set()
    sets = (steps[FLAG], steps[UNFLAG], steps[DELETE] - steps[KEEP], forget, lost)
    return Tidying(*map(frozenset, sets))


def _old_wordings(history: History, store: FoldStore, on: date) -> Iterator[bytes]:
    for in_force in read_known_corrections(history, store):
        day = day_in(in_force.correction.at[:10])
        if not in_force.counts or day is None:
            continue
        if next_step(KeptVector(day, corrected=day), on, history.settings) == DELETE:
            for entry_id in in_force.correction.corrects:
                wordings = [seen.words for seen in store.seen(entry_id) if seen.kind == "words"]
                yield from map(text_hash, wordings[:-1])
