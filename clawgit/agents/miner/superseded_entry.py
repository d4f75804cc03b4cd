"""One entry in whose place the operator's own message puts another statement: a change, or a question, of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.agents.agent import Planned
from clawgit.agents.authorised_edits import EvidenceEdit, authorised
from clawgit.agents.correction_plans import plan_of, remembered
from clawgit.agents.proven_questions import CORRECTING
from clawgit.memory.trust import OPERATOR
from clawgit.plan import Evidence
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from clawgit.agents.authorised_edits import Authority
    from clawgit.agents.correction_plans import Prover
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.write_correction import WrittenDown
    from clawgit.understanding.facts.select_facts import Candidate
    from clawgit.workspace.records.records import RunNote


@dataclass
class SupersededEntry:
    """The agent for one entry and what is said instead of it; after planning, ``made`` is how that is written down."""

    entry_id: str
    said: Candidate
    authority: Authority
    prover: Prover
    name: str = CORRECTING  # what it changes is a correction, and proven as one
    trust: str = OPERATOR
    made: WrittenDown | None = None

    @property
    def input_id(self) -> str:
        """Return the message, the entry and the statement: they are dealt with once."""
        return "\0".join((self.said.evidence_id, self.entry_id, self.said.statement))

    def plan(self, tree: Tree) -> Planned:
        """Return the entry set right, or the question whether it is so, as the message authorises."""
        said = self.said
        edit = EvidenceEdit(f"m:{self.entry_id}", said.statement, said.evidence_id, said.quote)
        outcome = authorised(edit, remembered(tree), self.authority)
        against = "" if outcome.objection is None else outcome.objection.says
        left_out = (
            (f"Not in the place of m:{self.entry_id}: {said.statement!r}: {against}",) if against else ()
        )
        if outcome.written is None:
            return Planned(left_out=left_out)
        self.made, proof = self.prover.proven(outcome.written)
        why_not = () if proof is None or proof.holds else (proof.why_not,)
        evidence = (Evidence(said.evidence_id, redact(said.quote)),)
        return Planned(plan_of([self.made], evidence), (*left_out, *why_not))

    def after(self, note: RunNote) -> str:
        """Keep the queries of what was proven."""
        if note.commit_id and self.made is not None and self.made.correction.re_embedded:
            self.prover.keep(self.prover.claim(self.made.correction, self.made.before))
        return ""
