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
    from clawgit.agents.authorised_edits import Authority
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.corrections.verdicts import Held
    from clawgit.memory.corrections.write_correction import WrittenDown
    from clawgit.understanding.evidence.check_edit import Objection


class FirstTold:
    """What a message says is so, where no entry says otherwise; ``said`` is what the agent had said, if it had."""

    def __init__(self, old: str, new: str, message: ChatMessage, quote: str, authority: Authority) -> None:
        self._authority, self._message, self._quote, self._statement = authority, message, quote, new
        turns = authority.spoken(message).before
        self._said = old if any(old.rstrip(".。") in turn for turn in turns) else ""

    def objection(self) -> Objection | None:
        """Return why the message does not carry it, None where it does."""
        return self._authority.objection(Proposal(self._said, self._statement, self._quote), self._message)

    def known(self) -> Correction | None:
        """Return the correction that this message made of it before."""
        standing = standing_corrections(self._authority.history.tip().tree).values()
        name, right = MESSAGE + self._message.chat_id, shortened(self._statement)
        return next((each for each in standing if name in each.evidence and each.correct == right), None)

    def written(self, tree: Tree, same: Held | None, intent: Intent) -> WrittenDown:
        """Return the entry and its correction; ``same`` is an entry that says so already."""
        held, now, evidence = same, dict[str, bytes](), MESSAGE + self._message.chat_id
        if held is None:
            held, data = with_added(tree, self._statement, intent.now.date(), evidence)
            now[held.path] = data
        verdict = Verdict(Status.APPLIED, self._said, self._statement, right=(held,))
        note = noted(self._authority, self._message, evidence, Proposal("", self._statement, self._quote))
        return write_down(verdict, note, replace(remembered(tree), now=now), intent.op)
