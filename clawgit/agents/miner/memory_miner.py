"""The memory miner: what was said becomes entries, each on evidence; what was said again, a mention."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.agents.agent import Planned
from clawgit.agents.miner.open_questions import asked_in_ledger
from clawgit.errors import ClawgitError
from clawgit.history.authorship.commit_messages import MAX_QUOTE
from clawgit.history.transaction.taken_entry_ids import entry_files, ids_beside
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.entries.day_notes import grown_note
from clawgit.memory.entries.entries import EntryError, Tag, add_entry, entry_line, read_entries
from clawgit.memory.entries.overflow import with_room
from clawgit.memory.entries.tiers import CORE, LEARNED, LEARNED_BEFORE, LESSONS
from clawgit.memory.provenance.stamps import stamp
from clawgit.memory.trust import OPERATOR
from clawgit.plan import Edit, Evidence, Plan
from clawgit.text.comparing.subjects import subject
from clawgit.text.safety.secrets import redact
from clawgit.understanding.facts.first_person import as_remembered
from clawgit.understanding.facts.routing import day_path
from clawgit.understanding.facts.select_facts import (
    Candidate,
    Gathered,
    Remembering,
    Standing,
    gather,
    standing_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clawgit.agents.miner.mined_material import Share
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.workspace.records.records import RunNote

NAME = "memory-miner"
OTHERS = (LEARNED, LEARNED_BEFORE, LESSONS)  # what rests on others: the operator's own word is kept besides


@dataclass(frozen=True, slots=True)
class Asked:
    """What was found in a share, what asking a model for it took, and what is to be said of that."""

    candidates: tuple[Candidate, ...]
    tokens: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """What the miner looks at besides its share: corrections in force, and who said an entry when.

    ``noted`` are messages that the ledger only notes, with what it says is right because of them; ``cited`` tells what
    history cites by now: another run may have mined what this one has read.
    """

    corrections: tuple[Correction, ...]
    sessions: Callable[[str], frozenset[str]]
    objection: Callable[[Plan, Tree], None]  # raises what speaks against a plan
    asked: Callable[[Share], Asked] | None = None  # a model, instead of the rules
    noted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cited: Callable[[], frozenset[str]] = frozenset

    def has(self, candidate: Candidate) -> bool:
        """Say whether the ledger says already what a message says of the same."""
        about = subject(f"{candidate.quote} {candidate.statement}")
        return any(about & subject(right) for right in self.noted.get(candidate.evidence_id, ()))

    def standing(self) -> list[Standing]:
        """Return what nothing but the ledger says, as memory would: it stands already."""
        noted = (each for each in self.corrections if each.status is Status.LOGGED and each.correct)
        return [Standing(as_remembered(each.correct), each.at[:10]) for each in noted]


@dataclass(frozen=True)
class MemoryMiner:
    """The agent for one share of what was said: the operator's, or everybody else's."""

    share: Share
    beside: Beside
    name: str = NAME

    @property
    def trust(self) -> str:
        """Return what the share rests on."""
        return self.share.trust

    @property
    def input_id(self) -> str:
        """Return what tells this share from others: what was read."""
        if not self.share.read:
            return ""
        said = "\0".join((self.share.trust, *sorted(self.share.read)))
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()

    def plan(self, tree: Tree) -> Planned:
        """Return the entries and mentions that the share gives; what would stand before a correction is left out."""
        by_rules = Asked(self.share.candidates)
        found = by_rules if self.beside.asked is None else self.beside.asked(self.share)
        cited = self.beside.cited() if found.candidates else frozenset()
        candidates = tuple(
            each for each in found.candidates if each.evidence_id not in cited and not self.beside.has(each)
        )
        planned = self._planned(tree, self._unobjected(tree, candidates))
        left_out = (*filter(None, (found.note,)), *self.share.left_out, *planned.left_out)
        return replace(planned, tokens=found.tokens, left_out=left_out)

    def with_answer(self) -> MemoryMiner:
        """Return the miner with the model's answer at hand, so that nobody waits for the workspace while one thinks."""
        if self.beside.asked is None:
            return self
        return replace(self, beside=replace(self.beside, asked=_answered(self.beside.asked, self.share)))

    def after(self, note: RunNote) -> str:
        """Nothing follows."""
        return ""

    def _unobjected(self, tree: Tree, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        """Return the candidates that nothing speaks against: halved until those that something does stand alone."""
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
        entries = self._standing(tree)
        gathered = gather(candidates, Remembering(entries, self.beside.corrections, self.beside.sessions))
        written = _Writing(tree, self._place(tree), gathered)
        left_out = (*gathered.left_out, *map(_wanted, gathered.superseded), *written.left_out)
        asked = asked_in_ledger(tree, gathered.questions)
        if written.is_empty and not gathered.mentions and not asked:
            return Planned(left_out=left_out)
        return Planned(written.plan(asked), left_out)

    def _standing(self, tree: Tree) -> list[Standing]:
        """Return the entries to compare with; what others said does not keep the operator's word from being kept."""
        paths = [path for path in entry_files(tree) if self.trust != OPERATOR or not path.startswith(OTHERS)]
        entries = (entry for path in paths for entry in read_entries(tree.read(path) or b""))
        return [*self.beside.standing(), *map(standing_of, entries)]  # of equals the last is taken: the entry

    def _place(self, tree: Tree) -> str:
        if self.trust != OPERATOR:
            return LEARNED
        return "memory.md" if tree.entry(CORE) is None and tree.entry("memory.md") is not None else CORE


def _answered(ask: Callable[[Share], Asked], share: Share) -> Callable[[Share], Asked]:
    """Ask now, and return what gives the answer, or raises what was against it, whenever it is wanted."""
    found: Future[Asked] = Future()
    try:
        found.set_result(ask(share))
    except BaseException as error:  # noqa: BLE001 - raised again where the run is recorded
        found.set_exception(error)
    return lambda _: found.result()


def _wanted(pair: tuple[Standing, Candidate]) -> str:
    entry, said = pair
    return f"It wants the place of m:{entry.entry_id}: {said.statement}"


class _Writing:
    """The files as they should read, with ids, so that mentions can name what is new; what a day brought goes to its note."""

    def __init__(self, tree: Tree, path: str, gathered: Gathered) -> None:
        self._tree, self._path, self._gathered = tree, path, gathered
        self.left_out: list[str] = []
        self.added: list[Standing] = []
        self._lines: list[str] = []
        self._notes: dict[str, bytes] = {}
        self._noted: list[Candidate] = []
        self._noted_lines: list[str] = []
        data = tree.read(path) or b""
        for standing in sorted(gathered.new, key=lambda each: each.day):
            data = self._with(data, standing)
        self._data = data

    @property
    def is_empty(self) -> bool:
        """Say whether there is nothing to write."""
        return not self.added and not self._notes

    def plan(self, asked: tuple[Edit, ...]) -> Plan:
        evidence = tuple(
            Evidence(each.new.evidence_id, redact(each.new.quote)) for each in self.added if each.new
        )
        ids = self._ids([each.evidence_id for each in evidence]) if evidence else {}
        said = [*self._noted, *(each.said for each in self._gathered.questions if asked)]
        evidence += tuple(Evidence(each.evidence_id, redact(each.quote)) for each in said)
        trailers = tuple(
            ("Clawgit-Mention", f'm:{entry_id} {said.evidence_id} "{redact(said.quote)[:MAX_QUOTE]}"')
            for each, said in self._gathered.mentions
            if (entry_id := each.entry_id or ids.get(id(each)))
        )
        edits = self._edits() if self.added else ()
        return Plan(
            _summary([*self._lines, *self._noted_lines], len(trailers), len(said)),
            (*edits, *(Edit(path, data) for path, data in self._notes.items()), *asked),
            reason=" ".join(self._gathered.conflicts),
            evidence=evidence,
            trailers=trailers,
        )

    def _with(self, data: bytes, standing: Standing) -> bytes:
        said = standing.new
        assert said is not None
        try:
            line = entry_line(said.statement, on=said.on, tag=said.tag)
            if said.tag is Tag.EVENT and said.trust == OPERATOR:
                self._note(said, line)
                return data
            data = add_entry(data, line)
        except EntryError as error:
            self.left_out.append(f"{error.message} It was: {said.statement}")
            return data
        self.added.append(standing)
        self._lines.append(line)
        return data

    def _note(self, said: Candidate, line: str) -> None:
        """Write a line into the note of its day."""
        path = day_path(said.on)
        old = self._notes.get(path, self._tree.read(path))
        self._notes[path] = grown_note(old or f"# {said.on.isoformat()}\n".encode(), f"- {line}")
        self._noted.append(said)
        self._noted_lines.append(line)

    def _ids(self, evidence: list[str]) -> dict[int, str]:
        """Stamp the file, each new line on its own evidence, and return the ids of what is new."""
        old, own = self._tree.read(self._path) or b"", dict(zip(self._lines, evidence, strict=True))
        taken = ids_beside(self._tree, self._path)
        self._data = stamp(old, self._data, evidence[0], own=own, taken=taken)
        ids = [entry.entry_id for entry in read_entries(self._data)][-len(self.added) :]
        return {id(each): entry_id for each, entry_id in zip(self.added, ids, strict=True) if entry_id}

    def _edits(self) -> tuple[Edit, ...]:
        moved = with_room(self._data, self._tree.read, LEARNED if self._path == LEARNED else CORE)
        others = (Edit(path, data) for path, data in moved.others.items())
        return (Edit(self._path, moved.data), *others)


def _summary(lines: list[str], mentions: int, asked: int) -> str:
    if not lines and not mentions:
        return f"mine: {asked} to be asked"
    if not lines:
        return f"mine: {mentions} said again"
    return f"mine: {lines[0]}" if len(lines) == 1 else f"mine: {len(lines)} memories, {lines[0]}"
