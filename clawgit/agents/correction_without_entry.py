"""A correction of what memory never had: the statement becomes an entry, and the ledger says what it corrects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.added_entry import with_added
from clawgit.agents.authorised_edits import noted
from clawgit.agents.correction_plans import remembered
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.verdicts import Verdict
from clawgit.memory.corrections.write_correction import write_down
from clawgit.plan import MESSAGE
from clawgit.understanding.evidence.check_edit import Proposal

if TYPE_CHECKING:
    from clawgit.agents.authorised_edits import Authority
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.verdicts import Held
    from clawgit.memory.corrections.write_correction import WrittenDown
    from clawgit.understanding.evidence.check_edit import Objection


class CorrectionWithoutEntry(NamedTuple):
    """What a message says is so (``new``), where no entry says what was wrong (``old``)."""

    old: str
    new: str
    message: ChatMessage
    quote: str
    authority: Authority

    @property
    def said(self) -> str:
        """Return what was wrong, where the agent had said it; what a host names by itself counts for nothing."""
        turns = self.authority.spoken(self.message).before
        return self.old if any(self.old.rstrip(".。") in turn for turn in turns) else ""

    def objection(self) -> Objection | None:
        """Return why the message does not carry it, None where it does."""
        return self.authority.objection(Proposal(self.said, self.new, self.quote), self.message)

    def written(self, tree: Tree, same: Held | None, op: str) -> WrittenDown:
        """Return the entry and its correction; ``same`` is an entry that says so already."""
        memory, cited = remembered(tree), MESSAGE + self.message.chat_id
        held, now = same, dict[str, bytes]()
        if held is None:
            held, data = with_added(tree, self.new, self.authority.now.date(), cited)
            now[held.path] = data
        verdict = Verdict(Status.APPLIED, self.said, self.new, right=(held,))
        note = noted(self.authority, self.message, cited, Proposal("", self.new, self.quote))
        return write_down(verdict, note, replace(memory, now=now), op)
