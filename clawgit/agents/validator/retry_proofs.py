"""Corrections whose proof failed when they were made: tried again, and noted where it holds by now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.agents.agent import Planned
from clawgit.agents.validator.recall_validator import NAME
from clawgit.errors import ClawgitError
from clawgit.history.provenance.trust_lookup import corrections_held, open_trusts
from clawgit.memory.corrections.corrected_entries import correction_pieces
from clawgit.memory.corrections.correction_log import read_corrections, replace_correction
from clawgit.plan import Edit, Evidence, Plan
from clawgit.workspace.records.records import RunOutcome

if TYPE_CHECKING:
    from clawgit.agents.correction_plans import Prover
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.workspace.records.records import RunNote

AT_ONCE = 20  # about a second


def unproven(history: History, tree: Tree) -> list[Correction]:
    """Return the corrections in force that are not known to come first, the latest; as many as one round tries."""
    held = corrections_held(history, tree).values()
    found = [each for each in held if each.holds and each.corrects and not each.re_embedded]
    return sorted(found, key=lambda each: each.at)[-AT_ONCE:]


def reproofs(history: History, prover: Prover) -> list[Reproof]:
    """Return a run for each correction that is not known to come first."""
    tree = history.tip().tree
    with open_trusts(history) as trusts:
        return [
            Reproof(each, prover, trust=trusts.of_correction(_words(tree, each)))
            for each in unproven(history, tree)
        ]


def _words(tree: Tree, correction: Correction) -> str:
    pieces = correction_pieces(tree.read(correction.path) or b"", correction.path)
    return next(piece.words for piece, each in pieces.items() if each == correction)


@dataclass(frozen=True)
class Reproof:
    """The agent that notes of one correction that it comes first by now."""

    correction: Correction
    prover: Prover
    name: str = NAME
    trust: str = ""  # what the correction rests on: a proof changes nothing in it

    @property
    def input_id(self) -> str:
        """Return which correction it is about."""
        return f"proof x:{self.correction.correction_id}"

    def holds(self) -> bool:
        """Say whether the correction comes first now."""
        return self.prover.stands(self.correction)

    def plan(self, tree: Tree) -> Planned:
        """Return the ledger with that note."""
        old = tree.read(self.correction.path)
        if old is None:
            raise ClawgitError(f"{self.correction.path} is not there any more.")
        mine = self.correction.correction_id
        stands = next((each for each in read_corrections(old) if each.correction_id == mine), None)
        if stands is None or not stands.holds:
            return Planned(left_out=(f"x:{mine} is no longer there.",))
        new, name = replace_correction(old, stands._replace(re_embedded=True)), f"x:{mine}"
        return Planned(
            Plan(f"correction proven: {name}", (Edit(self.correction.path, new),), evidence=(Evidence(name),))
        )

    def after(self, note: RunNote) -> str:
        """Keep the queries that it was proven with."""
        if note.outcome is RunOutcome.APPLIED:
            self.prover.keep(self.correction._replace(re_embedded=True))
        return ""
