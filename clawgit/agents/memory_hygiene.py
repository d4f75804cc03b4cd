"""MEMORY.md kept short and the ledger too: weak entries, what is said twice, old wordings, corrections that are proven."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.correction_plans import archive_plan
from clawgit.agents.run_agent import Agent, Planned, digest_of
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.entries_at_tip import states_below
from clawgit.history.transaction.taken_entry_ids import entry_files
from clawgit.memory.compaction.weak_entries import (
    is_back,
    touches_correction,
    weakest,
    weight_of,
    which_stays,
)
from clawgit.memory.corrections.correction_log import without_stale_wordings
from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.overflow import is_alone
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CORE
from clawgit.plan import Edit, Plan
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.secrets import redact
from clawgit.understanding.facts.same_statement import Relation, Statements

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.entry_states import EntryState


NAME = "memory-compactor"
SHOWN = 80  # characters of an entry, in the log
NAMES = (CORE, "memory.md")


class Leaving(NamedTuple):
    """An entry that leaves a file, and why."""

    state: EntryState
    why: str

    @property
    def told(self) -> str:
        """Return what the log says of it, with the way back."""
        text = redact(self.state.entry.text).replace('"', "'")
        name = f"m:{self.state.entry.entry_id} " if self.state.entry.entry_id else ""
        back = f"; `clawgit memory revive m:{self.state.entry.entry_id}` brings it back" if name else ""
        return f'{self.state.path}: {name}"{text[:SHOWN]}" {self.why}{back}'


@dataclass(frozen=True)
class _Hygiene(Agent):
    history: History
    now: datetime
    name = NAME

    @property
    def label(self) -> str:
        return self.input_id


@dataclass(frozen=True)
class Clearing(_Hygiene):
    """The agent that takes some entries out of MEMORY.md: what it would take is worked out for each tree."""

    what: str  # "weak" or "twice"

    @property
    def input_id(self) -> str:
        """Return which entries would go; empty where none would."""
        parts = [each.told for each in self.leaving()]
        return digest_of(self.what, *parts) if parts else ""

    def leaving(self) -> list[Leaving]:
        """Return the entries that go."""
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
        leaving = []
        for state in weakest(states, on, len(data.split())):
            weight = weight_of(state, on)
            why = f"at {weight.confidence} %, not mentioned for {weight.idle} days"
            leaving.append(Leaving(state, why))
        return leaving

    def plan(self, tree: Tree) -> Planned:
        """Return MEMORY.md without these entries, each named with the reason."""
        leaving = self.leaving()
        if not leaving:
            return Planned()
        path = leaving[0].state.path
        lines = split_lines(tree.read(path) or b"")
        gone = {at for each in leaving for at in range(each.state.entry.first, each.state.entry.last)}
        data = b"".join(line for at, line in enumerate(lines) if at not in gone)
        count = "1 entry" if len(leaving) == 1 else f"{len(leaving)} entries"
        why = "carry no weight any more" if self.what == "weak" else "stand there twice"
        plan = Plan(
            f"hygiene: {count} out of {path}",
            (Edit(path, data),),
            f"They {why}. Searches with --deep find them.",
            trailers=tuple(("Clawgit-Loss", each.told) for each in leaving),
        )
        return Planned(plan, tuple(each.told for each in leaving))


def _said_twice(states: list[EntryState]) -> Iterator[Leaving]:
    """Yield entries that say the same as another one that stays; numbers, days, names and negations must be the same."""
    by_digits: dict[str, tuple[Statements, list[EntryState]]] = {}
    for state in states:
        text = parted(state.entry.text).statement
        known, standing = by_digits.setdefault(_digits(text), (Statements(), []))
        alike = [] if touches_correction(state) or is_back(state) else known.like(text)
        same = (at for at, how in alike if how is Relation.SAME and _may_merge(standing[at], state))
        twin = next(same, None)
        if twin is None:
            known.add(text)
            standing.append(state)
            continue
        stays, goes = which_stays(standing[twin], state)
        standing[twin] = stays
        name = f"m:{stays.entry.entry_id}" if stays.entry.entry_id else f"line {stays.entry.first + 1}"
        yield Leaving(goes, f"says what {name} says")


def _digits(text: str) -> str:
    """Return the digits of a statement: where they differ, no two are compared (`09:30` and `9:30` are)."""
    return "".join(sorted(char for char in text if char.isdigit() and char != "0"))


def _may_merge(one: EntryState, other: EntryState) -> bool:
    if touches_correction(one) or is_back(one):
        return False
    days = {parted(each.entry.text).before for each in (one, other)}
    return len(days) == 1 or Tag.EVENT not in (one.entry.tag, other.entry.tag)


@dataclass(frozen=True)
class OldWordings(_Hygiene):
    """The agent that takes out the comments with what corrected entries said, once they are old enough."""

    @property
    def input_id(self) -> str:
        """Return which texts would change; empty where none would."""
        edits = self._edits(self.history.tip().tree)
        if not edits:
            return ""
        parts = [b"wordings"]
        for edit in edits:
            parts += [edit.path.encode("utf-8", "surrogatepass"), edit.data or b""]
        return sha256(b"\0".join(parts)).hexdigest()

    def plan(self, tree: Tree) -> Planned:
        """Return the files without these comments."""
        edits = self._edits(tree)
        if not edits:
            return Planned()
        days = self.history.settings.corrected_embedding_grace_days
        why = f"They were corrected more than {days} days ago. CORRECTIONS.md and the history keep the old words."
        return Planned(
            Plan(f"hygiene: old wordings out of {len(edits)} files", tuple(edits), why, verbatim=True)
        )

    def _edits(self, tree: Tree) -> list[Edit]:
        before = self.now.date() - timedelta(days=self.history.settings.corrected_embedding_grace_days)
        corrections = list(standing_corrections(tree).values())
        texts = ((path, tree.read(path) or b"") for path in entry_files(tree))
        found = (
            (path, data, without_stale_wordings(data, lambda: corrections, before=before))
            for path, data in texts
        )
        return [Edit(path, new) for path, data, new in found if new != data]


@dataclass(frozen=True)
class CorrectionArchive(_Hygiene):
    """The agent that moves proven corrections out of the ledger; they go on to win."""

    @property
    def input_id(self) -> str:
        """Return which corrections move; empty where none does."""
        plan = self._plan(self.history.tip().tree)
        said = b"\0".join(edit.data or b"" for edit in plan.edits)
        return sha256(b"corrections\0" + said).hexdigest() if plan.edits else ""

    def plan(self, tree: Tree) -> Planned:
        """Return the ledger and the archive."""
        plan = self._plan(tree)
        return Planned(plan._replace(reason="They win from there as before.") if plan.edits else None)

    def _plan(self, tree: Tree) -> Plan:
        return archive_plan(tree, self.now.date(), self.history.settings.correction_archive_days)
