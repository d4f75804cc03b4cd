"""What the operator said later than his own correction, and against it: asked, since only he knows which holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.memory.corrections.correction_log import LEDGER, Correction, Status
from clawgit.memory.corrections.verdicts import MEDIUM
from clawgit.memory.corrections.write_correction import LedgerError, added_to_ledger, shortened
from clawgit.memory.entries.entry_ids import new_entry_id
from clawgit.plan import Edit
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.git.trees import Tree
    from clawgit.understanding.facts.select_facts import Question


def asked_in_ledger(tree: Tree, questions: Sequence[Question]) -> tuple[Edit, ...]:
    """Return the ledger with each question as an open correction; one that is open already is not asked again.

    Where the ledger cannot take one, nothing is asked.
    """
    data = old = tree.read(LEDGER) or b""
    known = standing_corrections(tree)
    asked = {(each.trigger, each.said) for each in known.values() if each.status is Status.OPEN}
    for question in questions:
        said, against = question.said, question.against
        trigger = shortened(folded(said.quote))
        if (trigger, against.correct) in asked:
            continue
        name = new_entry_id(f"{trigger}\0{against.correct}", said.evidence_id, frozenset(known))
        note = Correction(name, said.at, trigger, MEDIUM, against.correct, status=Status.OPEN)
        known[name] = note
        asked.add((trigger, against.correct))
        try:
            data = added_to_ledger(data, note)
        except LedgerError:
            return ()
    return () if data == old else (Edit(LEDGER, data),)
