"""The conflict detector: entries that contradict each other are logged with both texts; which one holds, rules decide, or the operator."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.agents.agent import NothingFollows, Planned
from clawgit.agents.conflict_detector.contradictions import difference
from clawgit.agents.conflict_detector.entry_pairs import Pair, Standing, standing_in
from clawgit.agents.conflict_detector.model_verdicts import Found
from clawgit.history.provenance.trust_lookup import conflicts_known
from clawgit.history.transaction.taken_entry_ids import entry_files
from clawgit.memory.conflict_log import (
    Claim,
    Contradiction,
    Outcome,
    Party,
    Ruling,
    as_logged,
    read_conflicts,
    ruling,
    with_conflict,
    with_superseded_marks,
)
from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.entry_marks import marks_in, new_entry_id, with_mark
from clawgit.memory.entries.tiers import CONFLICTS
from clawgit.memory.trust import OPERATOR
from clawgit.plan import Edit, Plan
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from clawgit.agents.conflict_detector.model_verdicts import Verdicts
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree

NAME = "conflict-detector"
TIME = "%Y-%m-%d %H:%M"
NOT_PLAIN = "a model says so, and no rule can tell that both are about one thing"
MOST = 50  # conflicts of one run; the next one goes on where it ended


@dataclass(frozen=True, slots=True)
class Beside:
    """What the detector looks at besides its pairs: what history says of an entry, and which conflicts the fold holds."""

    claim: Callable[[Standing], Claim]
    held: Callable[[Tree], list[Contradiction]]
    verdicts: Verdicts


@dataclass(frozen=True, slots=True)
class ConflictDetector(NothingFollows):
    """The agent for pairs of entries; ``scan_id`` is what tells what was read for them from any other input."""

    scan_id: str
    pairs: tuple[Pair, ...]
    beside: Beside
    now: datetime
    name: str = NAME
    trust: str = ""

    @property
    def input_id(self) -> str:
        """Return what tells what was compared from other inputs, empty where nothing is to be compared."""
        return self.scan_id and sha256(self.scan_id.encode("utf-8", "surrogatepass")).hexdigest()

    def plan(self, tree: Tree) -> Planned:
        """Return the log with what was found, and the marks on entries that lost."""
        held, verdicts = self.beside.held(tree), self.beside.verdicts
        writing = _Writing(tree, held, self.now)
        found = self._all_found(held)
        for pair, one in found[:MOST]:
            writing.add(pair, one, self.beside.claim)
        left = (f"{len(found) - MOST} more were found; the next run logs them.",) if len(found) > MOST else ()
        notes = (*verdicts.notes, *writing.told, *left)
        return Planned(writing.plan(), notes, verdicts.tokens)

    def leaves_some(self, tree: Tree) -> bool:
        """Say whether pairs conflict that a state does not have in its log: there were too many for one run."""
        return bool(self._all_found(self.beside.held(tree)))

    def _all_found(self, held: Sequence[Contradiction]) -> list[tuple[Pair, Found]]:
        settled = {each.statements for each in held}
        asked = ((pair, self._found(pair)) for pair in self.pairs if pair.statements not in settled)
        return [(pair, found) for pair, found in asked if found is not None]

    def _found(self, pair: Pair) -> Found | None:
        """Return in what a pair conflicts: the model's word, where it read the pair; somebody else's text does not talk rules down."""
        verdicts = self.beside.verdicts
        by_model = verdicts.conflicts.get(pair.statements)
        if by_model is not None:
            return by_model
        if pair.statements in verdicts.asked and all(
            self.beside.claim(each).trust == OPERATOR for each in pair
        ):
            return None
        differs = by_rules(pair, self.now)
        return Found(differs) if differs else None


def by_rules(pair: Pair, now: datetime) -> str:
    """Return in what a pair conflicts as far as rules can tell; what happened on a day happened besides what else did."""
    if Tag.EVENT in (pair.a.entry.tag, pair.b.entry.tag):
        return ""
    return difference(pair.a.statement, pair.b.statement, now.date())


def standing(held: Iterable[Contradiction], entries: Iterable[Standing]) -> list[Contradiction]:
    """Return the conflicts of which both entries read as they did when they were logged."""
    there = {(each.entry.entry_id, each.statement) for each in entries}
    return [
        each for each in held if all((party.entry_id, party.statement) in there for party in (each.a, each.b))
    ]


def waiting(history: History, tree: Tree) -> list[Contradiction]:
    """Return the conflicts of a state that wait for the operator and of which both entries read as they did."""
    held = [each for each in conflicts_known(history, tree) if each.outcome is Outcome.OPEN]
    if not held:
        return []
    return standing(held, standing_in({path: tree.read(path) or b"" for path in entry_files(tree)}))


def marked_files(files: Mapping[str, bytes], held: Sequence[Contradiction]) -> dict[str, bytes]:
    """Return the files of entries with a mark on each entry that lost a conflict, and on no other."""
    there = standing(held, standing_in(files)) if held else []
    losers = {each.loser.entry_id: each.conflict_id for each in there if each.loser is not None}
    return {path: with_superseded_marks(data, losers) for path, data in files.items()}


class _Writing:
    """The files as they should read."""

    def __init__(self, tree: Tree, held: list[Contradiction], now: datetime) -> None:
        self._before = {path: tree.read(path) or b"" for path in entry_files(tree)}
        self._log_before = tree.read(CONFLICTS) or b""
        self._files, self._log = dict(self._before), self._log_before or b"# CONFLICTS\n"
        self._held, self._now = list(held), now
        self._there = {each.statement: each for each in reversed(standing_in(self._before))}
        self._new_ids: dict[tuple[str, int], str] = {}
        self._taken_marks = set[str]().union(*map(marks_in, self._before.values()))
        self._taken = {each.conflict_id for each in read_conflicts(self._log)}
        self.told: list[str] = []

    def add(self, pair: Pair, found: Found, claim: Callable[[Standing], Claim]) -> None:
        """Log a conflict: the older entry first."""
        a, b = sorted(pair, key=lambda each: (claim(each).on, each.path, each.entry.first))
        ours = ruling(claim(a), claim(b)) if found.is_plain else Ruling(Outcome.OPEN, NOT_PLAIN)
        first, second = (self._party(each, claim(each)) for each in (a, b))
        if first is None or second is None:
            return
        conflict_id = new_entry_id("\0".join(sorted(pair.statements)), "", self._taken)
        self._taken.add(conflict_id)
        conflict = Contradiction(
            conflict_id,
            self._now.strftime(TIME),
            first,
            second,
            as_logged(found.differs),
            ours.rule,
            ours.outcome,
        )
        self._held.append(conflict)
        self._log = with_conflict(self._log, conflict)
        self.told.append(summary_of(conflict))

    def plan(self) -> Plan | None:
        """Return the change, None where nothing is to be written."""
        files = marked_files(self._files, self._held)
        edits = [Edit(path, data) for path, data in files.items() if data != self._before[path]]
        if self.told:
            edits.append(Edit(CONFLICTS, self._log))
        if not edits:
            return None
        count = len(self.told)
        summary = f"conflicts: {count} found, {self.told[0]}" if count else "conflicts: marks renewed"
        return Plan(summary, tuple(edits))

    def _party(self, each: Standing, claim: Claim) -> Party | None:
        """Return an entry as a party, with an id where it had none; None where it is gone."""
        now = self._there.get(each.statement)
        if now is None:
            return None
        entry_id = now.entry.entry_id or self._new_ids.get(now.name)
        if entry_id is None:
            entry_id = self._new_ids[now.name] = new_entry_id(now.entry.text, "", self._taken_marks)
            self._taken_marks.add(entry_id)
            lines, entry = split_lines(self._files[now.path]), now.entry
            own = lines[entry.first : entry.last]
            lines[entry.first : entry.last] = with_mark(own, entry.text_last - 1 - entry.first, entry_id)
            self._files[now.path] = b"".join(lines)
        return Party(entry_id, each.statement, claim.on.isoformat(), claim.trust)


def summary_of(conflict: Contradiction) -> str:
    """Return a conflict as a sentence: what contradicts what, and what came of it."""
    both = f'k:{conflict.conflict_id}: "{conflict.a.statement}" against "{conflict.b.statement}"'
    if conflict.outcome is Outcome.OPEN:
        return f"{both} needs your decision ({conflict.rule})"
    if conflict.winner is None:
        return f"{both}, {conflict.outcome.value}"
    return f'{both}: "{conflict.winner.statement}" holds ({conflict.rule})'
