"""The memory compactor: a month's chronicle tells of old daily notes, then they move to the archive, byte for byte; then hygiene."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from clawgit.agents.memory_hygiene import NAME, Clearing, CorrectionArchive, OldWordings
from clawgit.agents.models.model import ModelError
from clawgit.agents.models.model_questions import TEXT, Material, one_list, prompt_of, refused
from clawgit.agents.organizer import is_noise
from clawgit.agents.quarterly_archive import plain_old_notes
from clawgit.agents.run_agent import ALONE, Agent, Planned, digest_of
from clawgit.errors import ClawgitError
from clawgit.history.authorship.intent import Intent
from clawgit.history.authorship.settings_in_force import prompt_in_force
from clawgit.history.git.trees import EXECUTABLE, FILE
from clawgit.history.guards.check import check, stopping
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.entries_at_tip import lowest_trust
from clawgit.history.reading.git_log import git_output
from clawgit.history.transaction.drafts import Draft, folders_above
from clawgit.memory.compaction.chronicle import (
    Told,
    Week,
    by_month,
    chronicle_path,
    grown_chronicle,
    name_of,
    told_in,
    week_of,
)
from clawgit.memory.compaction.extract import NoteText, extract, unfounded
from clawgit.memory.compaction.old_notes import (
    DAILY,
    OldNote,
    archived_path,
    free_place,
)
from clawgit.memory.entries.tiers import is_derived
from clawgit.memory.provenance.fold import lowest
from clawgit.memory.trust import HOST
from clawgit.plan import Edit, Plan
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.tokens import count_tokens
from clawgit.understanding.facts.keepable_sentences import is_forbidden
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from clawgit.agents.models.ask_model import Asker
    from clawgit.agents.run_agent import Agents, Means
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.workspace.records.records import Records

MOST_WEEKS = 6  # of one run, the newest: the others are written by rules
MOST_SENTENCES = 14
MOST_ASKED = 12_000  # tokens of a week's notes; what is longer is written by rules
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


class Aged(NamedTuple):
    """An old note and the text that it has: another text is another input."""

    note: OldNote
    blob_id: str
    executable: bool = False


@dataclass(frozen=True)
class MemoryCompactor(Agent):
    """The agents for old notes."""

    history: History
    aged: tuple[Aged, ...]
    now: datetime
    name = NAME

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        """Yield the week's compaction piece by piece: chronicles, the archive, hygiene."""
        if not means.may_move:
            yield Unapproved(history, (), now)
            return
        is_idle = True
        for agent in _work(history, now, means):
            is_idle = False
            yield agent
        if is_idle:
            yield Archiver(history, (), now)

    @property
    def label(self) -> str:
        """Return which notes it is about."""
        return self.input_id

    def _input_of(self, what: str) -> str:
        if not self.aged:
            return ""
        return digest_of(what, *(f"{each.note.path}\0{each.blob_id}" for each in self.aged))


@dataclass(frozen=True)
class Unapproved(MemoryCompactor):
    """The agent in the place of all others while the first compaction of a folder waits for a yes: it changes nothing."""

    @property
    def input_id(self) -> str:
        """Return by what this wait is known."""
        return digest_of("unapproved", self.history.tip().commit_id or "")

    def plan(self, tree: Tree) -> Planned:
        """Return why nothing is done."""
        return Planned(left_out=("Nothing moves until you answer `clawgit pending`.",))


def has_work(history: History, now: datetime) -> bool:
    """Say whether there is anything to compact."""
    return any(agent.input_id for agent in _work(history, now, ALONE))


def _work(history: History, now: datetime, means: Means) -> Agents:
    untold_notes = untold(history.tip().tree, aged_notes(history, now))
    if untold_notes:
        yield Chronicler(history, untold_notes, now, asks=not means.rehearses)
    most = history.settings.max_commit_bytes // 2
    for batch in _batches(history.tip().tree, aged_notes(history, now), most):
        yield Archiver(history, batch, now, is_told=means.rehearses)
    for what in ("weak", "twice"):
        clearing = Clearing(history, now, what)
        if clearing.input_id:
            yield clearing
    for kind in (OldWordings, CorrectionArchive):
        agent = kind(history, now)
        if agent.input_id:
            yield agent


def aged_notes(history: History, now: datetime) -> list[Aged]:
    """Return the notes that are older than `compaction_age_days`.

    What is no plain file stays where it is, and so does a note that was archived and that somebody brought back.
    """
    tree = history.tip().tree
    aged = []
    for note, entry in plain_old_notes(tree, now.date(), history.settings.compaction_age_days):
        aged.append(Aged(_placed(tree, note), entry.object_id, entry.mode == EXECUTABLE))
    if not aged:
        return []
    brought_back = _left_the_archive(history)
    return [each for each in aged if archived_path(each.note) not in brought_back]


def _placed(tree: Tree, note: OldNote) -> OldNote:
    if tree.entry(archived_path(note)) is None:
        return note
    data = tree.read(note.path) or b""
    return note._replace(place=free_place(note, data, lambda path: _standing(tree, path)))


def _left_the_archive(history: History) -> frozenset[str]:
    words = ("log", "--no-renames", "--diff-filter=D", "--name-only", "--format=", "-z")
    names = git_output(history, *words, history.tip().commit_id or "HEAD", "--", DAILY).split(b"\0")
    return frozenset(os.fsdecode(name.strip(b"\n")) for name in names if name)


def untold(tree: Tree, aged: Iterable[Aged]) -> tuple[Aged, ...]:
    """Return the notes of which their month's chronicle does not tell yet."""
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
    return [tuple(group) for group in groups]


@dataclass(frozen=True)
class Chronicler(MemoryCompactor):
    """The agent that tells of old notes in their months' chronicles; ``stories`` are what a model told of a week."""

    stories: Mapping[Week, tuple[str, ...]] = field(default_factory=dict)
    asks: bool = True

    @property
    def trust(self) -> str:
        """Return what the chronicle rests on: its notes, and never more than the agent's own word."""
        paths = [each.note.path for each in self.aged]
        return lowest([HOST, lowest_trust(self.history, self.history.tip().tree, paths)])

    @property
    def input_id(self) -> str:
        """Return which notes it tells of."""
        return self._input_of("chronicle")

    def ask(self, asker: Asker) -> Self:
        """Return the agent with what a model tells of its newest weeks; what it does not tell, rules do."""
        tree = self.history.tip().tree
        weeks: dict[Week, list[Material]] = {}
        for each in self.aged:
            weeks.setdefault(week_of(each.note.day), []).append(_material(tree, each.note.path))
        soul = prompt_in_force(self.history, NAME)
        stories: dict[Week, tuple[str, ...]] = {}
        notes: list[str] = []
        for week in sorted(weeks)[-MOST_WEEKS:]:
            materials = weeks[week]
            size = sum(count_tokens(each.text) for each in materials)
            if size > MOST_ASKED:
                continue
            try:
                answer = asker.complete(prompt_of(soul, _TASK, materials, _SCHEMA), _SCHEMA)
            except ModelError as error:
                notes.append(f"Rules told it: {error.message}")
                break
            lines = _checked(answer["story"], {each.material_id: each.text for each in materials}, notes)
            if lines and count_tokens("\n".join(lines)) < size:
                stories[week] = tuple(lines)
        return replace(self, stories=stories, notes=tuple(notes), tokens=asker.spent)

    def plan(self, tree: Tree) -> Planned:
        """Return the chronicles with what these notes tell; a month whose chronicle cannot be written waits."""
        aged, left_out = _unchanged(tree, self.aged)
        corrections = list(standing_corrections(tree).values())
        edits: list[Edit] = []
        for path, notes in by_month(each.note for each in aged).items():
            weeks: dict[Week, list[OldNote]] = {}
            for note in notes:
                weeks.setdefault(week_of(note.day), []).append(note)
            told = [self._told(tree, week, of_week, corrections) for week, of_week in weeks.items()]
            try:
                _refuse_place(tree, path)
                edits.append(Edit(path, grown_chronicle(tree.read(path) or b"", told)))
            except ClawgitError as error:
                left_out.append(f"{path}: {error.message} Its notes stay.")
        left_out = [*self.notes, *left_out]
        if not edits:
            return Planned(None, tuple(left_out), self.tokens)
        count = "1 daily note" if len(aged) == 1 else f"{len(aged)} daily notes"
        months = "1 month" if len(edits) == 1 else f"{len(edits)} months"
        days = self.history.settings.compaction_age_days
        why = f"They are older than {days} days and move to the archive next."
        plan = Plan(f"chronicle: {count} of {months} told", tuple(edits), why)
        return Planned(plan, tuple(left_out), self.tokens)

    def _told(
        self, tree: Tree, week: Week, notes: Sequence[OldNote], corrections: Sequence[Correction]
    ) -> Told:
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
        return Told(week, (*lines, *corrected), tuple(notes))


def _material(tree: Tree, path: str) -> Material:
    text = (tree.read(path) or b"").decode("utf-8", "replace")
    return Material(path.rpartition("/")[2].removesuffix(".md"), "daily note", text)


def _checked(story: list[Mapping[str, Any]], note_texts: Mapping[str, str], refusals: list[str]) -> list[str]:
    sentences = []
    for row in story:
        sentence = folded(row["sentence"])
        why_not = _objection(sentence, row["notes"], note_texts)
        if why_not:
            refusals.append(refused(f"{sentence!r}: {why_not}."))
        else:
            sentences.append(sentence)
    return sentences


def _objection(sentence: str, names: Sequence[str], note_texts: Mapping[str, str]) -> str:
    unknown = [name for name in names if name not in note_texts]
    if unknown:
        return f"it cites {unknown[0][:40]!r}, which it was not given"
    if is_forbidden(sentence) or "<!--" in sentence or "-->" in sentence:
        return "it speaks of instructions, of the agent's own files or of secrets"
    missing = unfounded(sentence, [note_texts[name] for name in names], names)
    return f"its notes do not say {missing!r}" if missing else ""


@dataclass(frozen=True)
class Archiver(MemoryCompactor):
    """The agent that moves old notes to the archive: those only of which a committed chronicle tells.

    ``is_told``: a rehearsal takes it that the chronicle was written before, as it is in a run.
    """

    is_told: bool = False

    @property
    def input_id(self) -> str:
        """Return which notes it moves."""
        return self._input_of("archive")

    def plan(self, tree: Tree) -> Planned:
        """Return the moves; a note that a guard would not let move stays, and the others go on."""
        aged, left_out = _unchanged(tree, self.aged)
        waiting = set()
        if not self.is_told:
            waiting = {each.note.path for each in untold(tree, aged)}
        left_out += [f"{path} stays: no chronicle tells of it yet." for path in sorted(waiting)]
        moves = []
        for each in aged:
            move = () if each.note.path in waiting else _move(tree, each, left_out)
            if move:
                moves.append(move)
        refusals = self._refusals(tree, moves)
        edits: list[Edit] = []
        count = 0
        for move in moves:
            path = move[0].path
            if path in refusals:
                left_out.append(f"{path} stays: {refusals[path]}")
            else:
                edits += move
                count += 1
        if not edits:
            return Planned(left_out=tuple(left_out))
        plan = Plan(
            f"archive: {count} daily note{'s' * (count > 1)} moved to Archive/Daily",
            tuple(edits),
            f"Older than {self.history.settings.compaction_age_days} days. Searches find them there;"
            " `clawgit undo` of this run moves them back.",
            verbatim=True,
        )
        return Planned(plan, tuple(left_out))

    def _refusals(self, tree: Tree, moves: Sequence[tuple[Edit, ...]]) -> dict[str, str]:
        contents: dict[str, FileContent | None] = {}
        notes: dict[str, str] = {}
        for move in moves:
            for edit in move:
                notes[edit.path] = move[0].path
                contents[edit.path] = None
                if edit.data is not None:
                    contents[edit.path] = FileContent(edit.data, bool(edit.executable))
        if not contents:
            return {}
        intent = Intent("", NAME, self.now)
        findings = stopping(check(tree, Draft(tree, contents), intent, self.history.settings))
        return {notes[each.where]: each.sentence for each in findings if each.where in notes}


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
    """Return the text of a file; of a link or a folder, what no note has."""
    entry = tree.entry(path)
    data = tree.content(entry)
    return data if entry is None or data is not None else b"\0"


def _refuse_place(tree: Tree, path: str) -> None:
    for above in folders_above(path):
        entry = tree.entry(above)
        if entry is not None and not entry.is_folder:
            raise ClawgitError(f"{above} is a file or a link, so nothing can be archived below it.")
    entry = tree.entry(path)
    if is_derived(path) or (entry is not None and entry.mode not in (FILE, EXECUTABLE)):
        raise ClawgitError(f"{path} is no plain file.")
