"""The memory miner: what was said becomes entries, each on evidence; what was said again, a mention."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.agents.agent import Item, NothingFollows, Planned
from clawgit.errors import ClawgitError
from clawgit.history.authorship.commit_messages import MAX_QUOTE
from clawgit.history.transaction.taken_entry_ids import entry_files, ids_beside
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.entries.entries import EntryError, Tag, entry_line, read_entries
from clawgit.memory.entries.entry_marks import line_name
from clawgit.memory.entries.overflow import with_room
from clawgit.memory.entries.own_section import add_remembered, core_file, grown_note
from clawgit.memory.entries.tiers import CORE, LEARNED, LEARNED_BEFORE, LESSONS
from clawgit.memory.provenance.stamps import stamp
from clawgit.memory.trust import OPERATOR
from clawgit.plan import Edit, Evidence, Plan
from clawgit.text.comparing.subjects import subject
from clawgit.text.safety.secrets import redact
from clawgit.understanding.facts.first_person import USER, as_remembered
from clawgit.understanding.facts.keepable_sentences import points_elsewhere
from clawgit.understanding.facts.routing import day_path
from clawgit.understanding.facts.select_facts import Gathered, Remembering, Standing, gather, standing_of
from clawgit.workspace.records.record_notes import RunOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clawgit.agents.miner.mined_material import Share
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.understanding.facts.select_facts import Candidate

NAME = "memory-miner"
OTHERS = (LEARNED, LEARNED_BEFORE, LESSONS)  # what rests on others: the operator's own word is kept besides


@dataclass(frozen=True, slots=True)
class Found:
    """What a model found in a share, with what rules make of what it left; what asking took, and what is to be said of that.

    ``is_answered``: the model read it all; ``is_spent``: it was reached, and its answer was no use.
    """

    candidates: tuple[Candidate, ...]
    tokens: int = 0
    notes: tuple[str, ...] = ()
    is_answered: bool = False
    is_spent: bool = False


@dataclass(frozen=True, slots=True)
class Beside:
    """What the miner looks at besides its share: corrections in force, and who said an entry when.

    ``corrected`` are messages that correct, with what the ledger says because of them; ``cited`` tells what history
    cites by now: another run may have mined what this one has read.
    """

    corrections: tuple[Correction, ...]
    sessions: Callable[[str], frozenset[str]]
    objection: Callable[[Plan, Tree], None]  # raises what speaks against a plan
    corrected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cited: Callable[[], frozenset[str]] = frozenset

    def has(self, candidate: Candidate) -> bool:
        """Say whether the ledger deals with what a message says of that, or with what that points at."""
        known = self.corrected.get(candidate.evidence_id, ())
        about = subject(f"{candidate.quote} {candidate.statement}") - subject(USER)
        return bool(known) and (
            points_elsewhere(candidate.quote) or any(about & subject(each) for each in known)
        )

    def standing(self) -> list[Standing]:
        """Return what only the ledger says, as entries that are there already."""
        noted = (each for each in self.corrections if each.status is Status.LOGGED and each.correct)
        return [Standing(as_remembered(each.correct), each.at[:10]) for each in noted]


@dataclass(frozen=True)
class MemoryMiner(NothingFollows):
    """The agent for one share of what was said: the operator's, or everybody else's; rules read it unless it was ``found``."""

    share: Share
    beside: Beside
    found: Found | None = None
    name: str = NAME

    @property
    def trust(self) -> str:
        """Return what the share rests on."""
        return self.share.trust

    @property
    def input_id(self) -> str:
        """Return what tells this share from others: what was read, and whether a model reads it."""
        if not self.share.read:
            return ""
        how = ("model",) if self.share.asked else ()
        said = "\0".join((*how, self.share.trust, *sorted(self.share.read)))
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def wanted(self) -> Found:
        """Return what the share gives."""
        rules = Found(self.share.candidates, notes=tuple(self.share.left_out.values()))
        return self.found or rules

    def plan(self, tree: Tree) -> Planned:
        """Return the entries and mentions that the share gives; what would come before a correction is left out."""
        found = self.wanted
        cited = self.beside.cited() if found.candidates else frozenset()
        fresh = [each for each in found.candidates if each.evidence_id not in cited]
        candidates = tuple(each for each in fresh if not self.beside.has(each))
        planned = self._planned(tree, self._unobjected(tree, candidates))
        orders = (each for each in fresh if each.is_ordered and each not in candidates)
        left = [
            f"{each.evidence_id} is in CORRECTIONS.md, so its order was not kept: {each.quote}"
            for each in orders
        ]
        return replace(planned, tokens=found.tokens, left_out=(*found.notes, *left, *planned.left_out))

    def superseding(self, tree: Tree) -> list[tuple[str, Candidate]]:
        """Return the entries (id, or words) in whose place something of the share wants to come; the operator's words decide that."""
        gathered = self._gathered(tree, self.wanted.candidates)
        return [(entry.entry_id or entry.statement, said) for entry, said in gathered.superseded]

    def _unobjected(self, tree: Tree, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        """Return the candidates without an objection: halved until each of the others is by itself."""
        plan = self._planned(tree, candidates).plan
        if plan is None or not self._is_objected(plan, tree):
            return candidates
        if len(candidates) == 1:
            return ()
        half = len(candidates) // 2
        return (*self._unobjected(tree, candidates[:half]), *self._unobjected(tree, candidates[half:]))

    def _is_objected(self, plan: Plan, tree: Tree) -> bool:
        try:
            self.beside.objection(plan, tree)
        except ClawgitError:
            return True
        return False

    def _planned(self, tree: Tree, candidates: tuple[Candidate, ...]) -> Planned:
        gathered = self._gathered(tree, candidates)
        written = _Writing(tree, self._place(tree), gathered)
        left_out = (*gathered.left_out, *gathered.conflicts, *written.left_out)
        if written.is_empty and not gathered.mentions:
            return Planned(left_out=left_out)
        plan = written.plan()
        return Planned(plan, left_out, items=written.items(plan))

    def _gathered(self, tree: Tree, candidates: tuple[Candidate, ...]) -> Gathered:
        remembering = Remembering(self._standing(tree), self.beside.corrections, self.beside.sessions)
        return gather(candidates, remembering)

    def _standing(self, tree: Tree) -> list[Standing]:
        """Return the entries to compare with; what others said does not keep the operator's word from being kept."""
        paths = [path for path in entry_files(tree) if self.trust != OPERATOR or not path.startswith(OTHERS)]
        entries = (entry for path in paths for entry in read_entries(tree.read(path) or b""))
        return [*self.beside.standing(), *map(standing_of, entries)]  # of equals the last is taken: the entry

    def _place(self, tree: Tree) -> str:
        return core_file(tree.entry) if self.trust == OPERATOR else LEARNED


class _Writing:
    """The files as they should read, with ids, so that mentions can name what is new; what a day brought goes to its note."""

    def __init__(self, tree: Tree, path: str, gathered: Gathered) -> None:
        self._tree, self._path, self._gathered = tree, path, gathered
        self.left_out: list[str] = []
        self._added: list[tuple[str, Standing]] = []  # each with its line
        self._noted: list[tuple[str, Candidate]] = []
        self._notes: dict[str, bytes] = {}
        self._data = tree.read(path) or b""
        for standing in sorted(gathered.new, key=lambda each: each.day):
            self._add(standing)

    @property
    def is_empty(self) -> bool:
        """Say whether there is nothing to write."""
        return not self._added and not self._noted

    def plan(self) -> Plan:
        rested = [each.new for _, each in self._added if each.new] + [said for _, said in self._noted]
        first = tuple(Evidence(each.evidence_id, redact(each.quote)) for each in rested)
        again = self._repeated()
        evidence = (*first, *(Evidence(said.evidence_id, redact(said.quote)) for _, said in again))
        trailers = tuple(
            ("Clawgit-Mention", f'm:{each.entry_id} {said.evidence_id} "{redact(said.quote)[:MAX_QUOTE]}"')
            for each, said in self._gathered.mentions
        )
        trailers += tuple(
            ("Clawgit-Line", line_name(line, said.evidence_id)) for line, said in (*self._noted, *again)
        )
        entries = self._edits([each.evidence_id for each in first]) if self._added else ()
        edits = (*entries, *(Edit(*note) for note in self._notes.items()))
        lines = [line for line, _ in (*self._added, *self._noted)]
        summary = _summary(lines, len(self._gathered.mentions))
        return Plan(summary, edits, evidence=evidence, trailers=trailers)

    def _repeated(self) -> list[tuple[str, Candidate]]:
        """Return what another message said, too, as the line that is written for both."""
        lines = {id(each.new): line for line, each in self._added}
        lines |= {id(said): line for line, said in self._noted}
        return [
            (lines[id(each.new)], said) for each, said in self._gathered.repeated if id(each.new) in lines
        ]

    def items(self, plan: Plan) -> tuple[Item, ...]:
        """Return what is kept or said again, each entry by its id in the files of the plan, each event by its day's note."""
        every = (entry for edit in plan.edits for entry in read_entries(edit.data or b""))
        ids = {entry.text: entry.entry_id for entry in every}
        kept = [(f"m:{ids.get(line)}", line) for line, _ in self._added]
        kept += [(day_path(said.on), line) for line, said in self._noted]
        kept += [
            (f"m:{each.entry_id}", f"{each.statement} (said again)") for each, _ in self._gathered.mentions
        ]
        return tuple(Item(RunOutcome.APPLIED, "", entry, "", line) for entry, line in kept)

    def _add(self, standing: Standing) -> None:
        said = standing.new
        assert said is not None
        try:
            line = entry_line(said.statement, on=said.on, tag=said.tag)
            if said.tag is Tag.EVENT and said.trust == OPERATOR:
                self._note(said, line)
                return
            self._data = add_remembered(self._data, line)
        except EntryError as error:
            self.left_out.append(f"{error.message} It was: {said.statement}")
            return
        self._added.append((line, standing))

    def _note(self, said: Candidate, line: str) -> None:
        """Write a line into the note of its day."""
        path = day_path(said.on)
        old = self._notes.get(path, self._tree.read(path))
        self._notes[path] = grown_note(old or f"# {said.on.isoformat()}\n".encode(), f"- {line}")
        self._noted.append((line, said))

    def _edits(self, evidence: list[str]) -> tuple[Edit, ...]:
        """Stamp the file, each new line on its own evidence, and move what has no room."""
        old = self._tree.read(self._path) or b""
        own = dict(zip((line for line, _ in self._added), evidence, strict=False))
        data = stamp(old, self._data, evidence[0], own=own, taken=ids_beside(self._tree, self._path))
        moved = with_room(data, self._tree.read, LEARNED if self._path == LEARNED else CORE)
        others = (Edit(path, data) for path, data in moved.others.items())
        return (Edit(self._path, moved.data), *others)


def _summary(lines: list[str], mentions: int) -> str:
    if not lines:
        return f"mine: {mentions} said again"
    return f"mine: {lines[0]}" if len(lines) == 1 else f"mine: {len(lines)} memories, {lines[0]}"
