"""The memory compactor: summarises old daily notes in chronicles, archives them, does hygiene; `memory compact` by quarters."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from clawgit.agents.hygiene import NAME, Clearing, CorrectionArchive, OldWordings, Upkeep
from clawgit.agents.models.model import TEXT, Asker, Material, ModelError, one_list, refused
from clawgit.agents.organizer import is_noise
from clawgit.agents.run_agent import ALONE, Agents, Means, Planned, answer_to, digest_of
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.git_program import git_output
from clawgit.history.git.trees import EXECUTABLE, FILE, Tree
from clawgit.history.guards.check import check, stopping
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.entries_at_tip import note_lines
from clawgit.history.transaction.working_tree import draft_of, folders_above
from clawgit.memory.entries.tiers import is_derived
from clawgit.memory.notes import (
    DAILY,
    NOTES,
    OldNote,
    Week,
    WeekSummary,
    archive_path,
    archived_path,
    chronicle_path,
    free_place,
    grown_archive,
    grown_chronicle,
    is_archived,
    name_of,
    old_notes,
    quarter_of,
    told_in,
    week_of,
)
from clawgit.memory.promotable_parts import NoteText, extract, unfounded
from clawgit.memory.trust import HOST, lowest
from clawgit.plan import Edit, Plan
from clawgit.text.safety.control_characters import counted, folded
from clawgit.text.words.tokens import count_tokens
from clawgit.understanding.facts.keepable_sentences import is_forbidden

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date, datetime

    from clawgit.history.git.objects import TreeEntry
    from clawgit.history.git.repository import History
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.workspace.records.records import Records

LEAST_DAYS = 1  # today's note is still open
MOST_WEEKS = 6  # of one run, the newest; rules write the others
MOST_BYTES = 5 << 20  # of notes that one change moves
MOST_SENTENCES = 14
MOST_ASKED = 12_000  # tokens of a week's notes; rules write longer ones
_SCHEMA = one_list(
    "story",
    MOST_SENTENCES,
    {
        "sentence": {"type": "string", "minLength": 4, "maxLength": 400},
        "notes": {"type": "array", "minItems": 1, "maxItems": 7, "items": TEXT},
    },
)
_TASK = """\
The material is the daily notes of one week. Tell the week in at most 14 sentences, in the order of its days and in the language of
the notes: what was begun, decided, finished and learned, and what went wrong. "notes" are the ids of the notes on which a sentence
rests. Each sentence is checked by itself, and left out where the check fails: every name, number and date in it stands in those notes.
Leave out what is routine. The whole is shorter than the notes."""


class Eligible(NamedTuple):
    """An old note, and whether the committed archive of its quarter has its present text."""

    note: OldNote
    archived: bool

    @property
    def quarter(self) -> str:
        return quarter_of(self.note.day)


def plain_old_notes(
    tree: Tree, on: date, days: int, *, archived: bool = False
) -> Iterator[tuple[OldNote, TreeEntry]]:
    """Yield the plain files among the notes more than ``days`` old, with ``archived`` also the archived ones."""
    paths = [f"{NOTES}{name}" for name in tree.names(NOTES.rstrip("/"))]
    if archived:
        paths += [path for path, _ in tree.files(below=DAILY.rstrip("/"))]
    for note in old_notes(paths, on, days):
        entry = tree.entry(note.path)
        if entry is not None and entry.mode in (FILE, EXECUTABLE):
            yield note, entry


def eligible_notes(tree: Tree, on: date, days: int) -> list[Eligible]:
    """Return the dated notes of a tree that are ``days`` old or older, oldest first; never today's."""
    archives: dict[str, bytes] = {}
    eligible = []
    for note, _ in plain_old_notes(tree, on, max(days, LEAST_DAYS) - 1, archived=True):
        path = archive_path(note)
        if path not in archives:
            archives[path] = tree.read(path) or b""
        eligible.append(Eligible(note, is_archived(note, tree.read(note.path) or b"", archives[path])))
    return eligible


def archive_quarters(history: History, days: int, intent: Intent) -> Recorded:
    """Copy the old notes into their quarters' archives; the notes stay."""

    def plan(tree: Tree) -> Plan:
        quarters = _by_archive(tree, intent.now.date(), days, archived=False)
        edits = []
        for path, notes in quarters.items():
            texts = [(note, tree.read(note.path) or b"") for note in notes]
            edits.append(Edit(path, grown_archive(tree.read(path) or b"", quarter_of(notes[0].day), texts)))
        count = sum(map(len, quarters.values()))
        summary = f"compact: {counted(count, 'note')} copied into {', '.join(sorted(quarters))}"
        return Plan(summary, tuple(edits), verbatim=True)

    return apply_plan(history, plan, intent)


def remove_archived(history: History, days: int, intent: Intent) -> Recorded:
    """Remove only the old notes whose present text is in the committed archive of their quarter."""

    def plan(tree: Tree) -> Plan:
        edits = []
        losses = []
        for path, notes in _by_archive(tree, intent.now.date(), days, archived=True).items():
            count = counted(len(notes), "note")
            removed = f"{notes[0].path}: {count} of {quarter_of(notes[0].day)} removed"
            way_back = "`clawgit undo` of this change or `clawgit memory revive PATH` brings the files back"
            losses.append(("Clawgit-Loss", f"{removed}; {path} has their text, {way_back}"))
            edits += [Edit(note.path, None) for note in notes]
        summary = f"compact: {counted(len(edits), 'note')} removed, archived before"
        return Plan(summary, tuple(edits), trailers=tuple(losses))

    return apply_plan(history, plan, intent)


def _by_archive(tree: Tree, on: date, days: int, *, archived: bool) -> dict[str, list[OldNote]]:
    notes: dict[str, list[OldNote]] = {}
    for each in eligible_notes(tree, on, days):
        if each.archived == archived:
            notes.setdefault(archive_path(each.note), []).append(each.note)
    return notes


class Aged(NamedTuple):
    """An old note with its text; a changed text is a new input."""

    note: OldNote
    blob_id: str
    executable: bool = False


@dataclass(frozen=True)
class MemoryCompactor(Upkeep):
    """The agents for old notes."""

    aged: tuple[Aged, ...] = ()
    does: ClassVar[str] = ""

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        if not means.may_move:
            yield Unapproved(history, now)
            return
        is_idle = True
        for agent in _work(history, now, means):
            is_idle = False
            yield agent
        if is_idle:
            yield Archiver(history, now)

    @property
    def input_id(self) -> str:
        if not self.aged:
            return ""
        return digest_of(self.does, *(f"{each.note.path}\0{each.blob_id}" for each in self.aged))


@dataclass(frozen=True)
class Unapproved(MemoryCompactor):
    """The only agent while the first compaction of a folder waits for a yes; it changes nothing."""

    @property
    def input_id(self) -> str:
        return digest_of("unapproved", self.history.tip().commit_id or "")

    def plan(self, tree: Tree) -> Planned:
        return Planned(left_out=("Nothing moves: `clawgit approve t-memory-compactor` allows it.",))


def has_work(history: History, now: datetime) -> bool:
    """Say whether there is anything to compact."""
    return any(agent.input_id for agent in _work(history, now, ALONE))


def _work(history: History, now: datetime, means: Means) -> Agents:
    aged = aged_notes(history, now)
    untold_notes = untold(history.tip().tree, aged)
    if untold_notes and not means.only_moves:
        yield Chronicler(history, now, untold_notes, asks=not means.rehearses)
    for batch in _batches(history.tip().tree, aged, MOST_BYTES):
        yield Archiver(history, now, batch, is_told=means.rehearses)
    for what in ("weak", "twice"):
        clearing = Clearing(history, now, what)
        if clearing.input_id:
            yield clearing
    for kind in (OldWordings, CorrectionArchive):
        agent = kind(history, now)
        if agent.input_id:
            yield agent


def aged_notes(history: History, now: datetime) -> list[Aged]:
    """Return the plain files older than `compaction_age_days`, except notes brought back from the archive."""
    tree = history.tip().tree
    old_notes = list(plain_old_notes(tree, now.date(), history.settings.compaction_age_days))
    if not old_notes:
        return []
    words = ("log", "--no-renames", "--diff-filter=D", "--name-only", "--format=", "-z")
    names = git_output(history, *words, history.tip().commit_id or "HEAD", "--", DAILY).split(b"\0")
    brought_back = {os.fsdecode(name.strip(b"\n")) for name in names}
    aged = []
    for note, entry in old_notes:
        if archived_path(note) in brought_back:
            continue
        placed = note
        if tree.entry(archived_path(note)) is not None:
            place = free_place(note, tree.read(note.path) or b"", lambda path: _standing(tree, path))
            placed = note._replace(place=place)
        aged.append(Aged(placed, entry.object_id, entry.mode == EXECUTABLE))
    return aged


def untold(tree: Tree, aged: Iterable[Aged]) -> tuple[Aged, ...]:
    """Return the notes that their month's chronicle does not cover yet."""
    names: dict[str, frozenset[str]] = {}
    missing = []
    for each in aged:
        path = chronicle_path(each.note.day)
        if path not in names:
            names[path] = told_in(tree.read(path) or b"")
        if name_of(each.note) not in names[path]:
            missing.append(each)
    return tuple(missing)


def _batches(tree: Tree, aged: Sequence[Aged], most: int) -> list[tuple[Aged, ...]]:
    groups: list[list[Aged]] = []
    size = most + 1
    for each in aged:
        here = len(tree.read(each.note.path) or b"")
        if size + here > most:
            groups.append([])
            size = 0
        groups[-1].append(each)
        size += here
    return list(map(tuple, groups))


@dataclass(frozen=True)
class Chronicler(MemoryCompactor):
    """The agent that writes old notes into their months' chronicles; ``stories`` are a model's summaries of weeks."""

    stories: Mapping[Week, tuple[str, ...]] = field(default_factory=dict)
    asks: bool = True
    does = "chronicle"

    @property
    def trust(self) -> str:
        paths = list(map(attrgetter("note.path"), self.aged))
        lines = note_lines(self.history, self.history.tip().tree, paths)
        return lowest([HOST, *map(attrgetter("trust"), lines)])

    def ask(self, asker: Asker) -> Self:
        tree = self.history.tip().tree
        weeks: dict[Week, list[Material]] = {}
        for each in self.aged:
            text = (tree.read(each.note.path) or b"").decode("utf-8", "replace")
            material = Material(each.note.name.removesuffix(".md"), "daily note", text)
            weeks.setdefault(week_of(each.note.day), []).append(material)
        stories: dict[Week, tuple[str, ...]] = {}
        notes: list[str] = []
        for week in sorted(weeks)[-MOST_WEEKS:]:
            materials = weeks[week]
            size = sum(count_tokens(each.text) for each in materials)
            if size > MOST_ASKED:
                continue
            try:
                answer = answer_to(asker, self.history, NAME, _TASK, materials, _SCHEMA)
            except ModelError as error:
                notes.append(f"Rules told it: {error.message}")
                break
            lines = _checked(answer["story"], {each.material_id: each.text for each in materials}, notes)
            if lines and count_tokens("\n".join(lines)) < size:
                stories[week] = tuple(lines)
        return replace(self, stories=stories, notes=tuple(notes), tokens=asker.spent)

    def plan(self, tree: Tree) -> Planned:
        aged, left_out = _unchanged(tree, self.aged)
        corrections = list(standing_corrections(tree).values())
        edits: list[Edit] = []
        months: dict[str, list[OldNote]] = {}
        for each in aged:
            months.setdefault(chronicle_path(each.note.day), []).append(each.note)
        for path, notes in months.items():
            weeks: dict[Week, list[OldNote]] = {}
            for note in notes:
                weeks.setdefault(week_of(note.day), []).append(note)
            summaries = [self._told(tree, week, of_week, corrections) for week, of_week in weeks.items()]
            try:
                _refuse_place(tree, path)
                edits.append(Edit(path, grown_chronicle(tree.read(path) or b"", summaries)))
            except ClawgitError as error:
                left_out.append(f"{path}: {error.message} Its notes stay.")
        left_out = [*self.notes, *left_out]
        if not edits:
            return Planned(None, tuple(left_out))
        summary = f"chronicle: {counted(len(aged), 'daily note')} of {counted(len(edits), 'month')}"
        days = self.history.settings.compaction_age_days
        why = f"They are older than {days} days and move to the archive next."
        plan = Plan(f"{summary} told", tuple(edits), why)
        return Planned(plan, tuple(left_out))

    def _told(
        self, tree: Tree, week: Week, notes: Sequence[OldNote], corrections: Sequence[Correction]
    ) -> WeekSummary:
        lines = self.stories.get(week)
        if lines is None:
            wrong = [each.wrong for each in corrections if each.wrong]
            texts = [NoteText(note.day, tree.read(note.path) or b"") for note in notes]
            lines = extract(texts, wrong, is_noise)
        corrected = []
        for each in corrections:
            day = each.at[:10]
            if each.holds and week.first.isoformat() <= day <= week.last.isoformat():
                corrected.append(f"{day}: Corrected: {each.correct} (x:{each.correction_id})")
        return WeekSummary(week, (*lines, *corrected), tuple(notes))


def _checked(story: list[Mapping[str, Any]], note_texts: Mapping[str, str], refusals: list[str]) -> list[str]:
    sentences = []
    for row in story:
        sentence, names = folded(row["sentence"]), row["notes"]
        unknown = [name for name in names if name not in note_texts]
        missing = unfounded(sentence, [note_texts.get(name, "") for name in names], names)
        if unknown:
            refusals.append(refused(f"{sentence!r}: it cites {unknown[0][:40]!r}, which it was not given."))
        elif is_forbidden(sentence) or "<!--" in sentence or "-->" in sentence:
            says = "it speaks of instructions, of the agent's own files or of secrets"
            refusals.append(refused(f"{sentence!r}: {says}."))
        elif missing:
            refusals.append(refused(f"{sentence!r}: its notes do not say {missing!r}."))
        else:
            sentences.append(sentence)
    return sentences


@dataclass(frozen=True)
class Archiver(MemoryCompactor):
    """Archives the old notes that a committed chronicle covers; ``is_told``: a rehearsal counts the chronicle as written."""

    is_told: bool = False
    does = "archive"

    def plan(self, tree: Tree) -> Planned:
        aged, left_out = _unchanged(tree, self.aged)
        waiting = set[str]()
        if not self.is_told:
            waiting.update(map(attrgetter("note.path"), untold(tree, aged)))
        left_out += map("{} stays: no chronicle tells of it yet.".format, sorted(waiting))
        moves = [_move(tree, each, left_out) for each in aged if each.note.path not in waiting]
        notes = {edit.path: move[0].path for move in moves for edit in move}
        refusals: dict[str, str] = {}
        if notes:
            draft = draft_of(tree, list(chain.from_iterable(moves)))
            for finding in stopping(check(tree, draft, Intent("", NAME, self.now), self.history.settings)):
                if finding.where in notes:
                    refusals[notes[finding.where]] = finding.sentence
        edits: list[Edit] = []
        count = 0
        for move in filter(None, moves):
            path = move[0].path
            if path in refusals:
                left_out.append(f"{path} stays: {refusals[path]}")
            else:
                edits += move
                count += 1
        if not edits:
            return Planned(left_out=tuple(left_out))
        summary = f"archive: {counted(count, 'daily note')} moved to Archive/Daily"
        age = f"Older than {self.history.settings.compaction_age_days} days."
        reason = f"{age} Searches find them there; `clawgit undo` of this run moves them back."
        return Planned(Plan(summary, tuple(edits), reason, verbatim=True), tuple(left_out))


def _unchanged(tree: Tree, aged: Iterable[Aged]) -> tuple[list[Aged], list[str]]:
    same, left_out = [], []
    for each in aged:
        entry = tree.entry(each.note.path)
        if entry is not None and entry.object_id == each.blob_id:
            same.append(each)
        else:
            left_out.append(f"{each.note.path} was edited meanwhile; it is archived next time.")
    return same, left_out


def _move(tree: Tree, aged: Aged, left_out: list[str]) -> tuple[Edit, ...]:
    data = tree.read(aged.note.path) or b""
    place = free_place(aged.note, data, lambda path: _standing(tree, path))
    try:
        _refuse_place(tree, place)
    except ClawgitError as error:
        left_out.append(f"{aged.note.path} stays: {error.message}")
        return ()
    removal = Edit(aged.note.path, None)
    if tree.entry(place) is not None:
        return (removal,)
    return (removal, Edit(place, data, aged.executable))


def _standing(tree: Tree, path: str) -> bytes | None:
    entry = tree.entry(path)
    data = tree.content(entry)
    if entry is None or data is not None:
        return data
    return b"\0"


def _refuse_place(tree: Tree, path: str) -> None:
    for above in folders_above(path):
        entry = tree.entry(above)
        if entry is not None and not entry.is_folder:
            raise ClawgitError(f"{above} is a file or a link, so nothing can be archived below it.")
    entry = tree.entry(path)
    if is_derived(path) or (entry is not None and entry.mode not in (FILE, EXECUTABLE)):
        raise ClawgitError(f"{path} is no plain file.")
