"""What an agent is: something that looks at its input and says what should change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clawgit.workspace.records.record_notes import RunOutcome

if TYPE_CHECKING:
    from clawgit.history.git.trees import Tree
    from clawgit.plan import Plan
    from clawgit.workspace.records.records import RunNote


class Item(NamedTuple):
    """One thing that a plan does: an entry (`m:…`) kept, corrected or asked about, or a correction that is only noted.

    What is kept has no correction; an event has the note of its day for an entry.
    """

    outcome: RunOutcome
    correction: str
    entry: str
    old: str
    new: str

    @property
    def says(self) -> str:
        """Return it as a sentence, with the command that answers a question."""
        if not self.correction:
            return f"kept: {self.entry} {self.new}"
        if self.outcome is RunOutcome.NOTED:
            return f'noted: "{self.new}"'
        if self.outcome is RunOutcome.APPLIED and not self.old:
            return f'remembered: {self.entry} "{self.new}"'
        change = f'"{self.old}" → "{self.new}"' if self.new else f'"{self.old}"'
        if self.outcome is RunOutcome.APPLIED:
            return f"corrected: {self.entry or 'the entry'} {change}"
        answer = "" if self.new else ' "…"'
        return f"asks: {self.entry or 'the entry'} {change} (`clawgit approve {self.correction}{answer}`)"


@dataclass(frozen=True, slots=True)
class Planned:
    """What an agent wants, and what it left out and why, a sentence each; no plan means that nothing is to do.

    ``tokens`` is what a model was asked for it, ``items`` what the plan does where it is more than its edits, ``outcome``
    what the run is called once the plan is made.
    """

    plan: Plan | None = None
    left_out: tuple[str, ...] = ()
    tokens: int = 0
    items: tuple[Item, ...] = ()
    outcome: RunOutcome = RunOutcome.APPLIED


class Agent(Protocol):
    """One maintenance worker with its input read; the same input has the same id, whenever it is read."""

    @property
    def name(self) -> str:
        """Return the agent's name."""

    @property
    def input_id(self) -> str:
        """Return what tells this input from any other; empty where there is nothing to work on."""

    @property
    def trust(self) -> str:
        """Return what the input rests on; empty where that is the agent's own word."""

    def plan(self, tree: Tree) -> Planned:
        """Return what should change in ``tree``; may be asked again for a newer one.

        Raises:
            ClawgitError: It cannot be planned; the run is recorded as refused with that sentence.
        """

    def after(self, note: RunNote) -> str:
        """Do what follows from the run, before it is recorded; return a sentence for the record, or none.

        It comes at most once: after a crash in between it is left out.
        """


class NothingFollows:
    """An agent of whose run nothing follows but its record."""

    __slots__ = ()

    def after(self, note: RunNote) -> str:
        """Do nothing."""
        return ""
