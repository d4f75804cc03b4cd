"""A correction of what memory never had: the statement becomes an entry, and the ledger says what it corrects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clawgit.agents.added_entry import with_added
from clawgit.agents.authorised_edits import noted
from clawgit.agents.correction_plans import remembered
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.verdicts import Verdict
from clawgit.memory.corrections.write_correction import shortened, write_down
from clawgit.plan import MESSAGE
from clawgit.understanding.evidence.check_edit import Proposal

if TYPE_CHECKING:
    from clawgit.agents.message_door import Cited, Door
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.corrections.verdicts import Held
    from clawgit.memory.corrections.write_correction import WrittenDown
    from clawgit.understanding.evidence.check_edit import Objection


class FirstTold:
    """What a message says is so, where no entry says otherwise; ``said`` is what the agent had said, if it had."""

    def __init__(self, old: str, new: str, cited: Cited, door: Door) -> None:
        self._door, self._cited, self._statement = door, cited, new
        self._message = door.message(cited)
        turns = door.authority.spoken(self._message).before
        self._said = old if any(old.rstrip(".。") in turn for turn in turns) else ""

    def objection(self) -> Objection | None:
        """Return why the message does not carry it, None where it does."""
        proposal = Proposal(self._said, self._statement, self._cited.quote)
        found = self._door.authority.objection(proposal, self._message)
        return found or self._door.was_taken_back(self._statement, self._cited)

    def known(self) -> Correction | None:
        """Return the correction that this message made of it before."""
        standing = standing_corrections(self._door.authority.history.tip().tree).values()
        name, right = MESSAGE + self._cited.chat_id, shortened(self._statement)
        return next((each for each in standing if name in each.evidence and each.correct == right), None)

    def written(self, tree: Tree, same: Held | None) -> WrittenDown:
        """Return the entry and its correction; ``same`` is an entry that says so already."""
        memory, door = remembered(tree), self._door
        held, now = same, dict[str, bytes]()
        if held is None:
            on, evidence = door.intent.now.date(), MESSAGE + self._cited.chat_id
            held, data = with_added(tree, self._statement, on, evidence)
            now[held.path] = data
        verdict = Verdict(Status.APPLIED, self._said, self._statement, right=(held,))
        proposal = Proposal("", self._statement, self._cited.quote)
        note = noted(door.authority, self._message, MESSAGE + self._cited.chat_id, proposal)
        return write_down(verdict, note, replace(memory, now=now), door.intent.op)
