"""What came of a message before: the entries that it corrected or asked about are left out, all else is read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.memory.corrections.write_correction import shortened
from clawgit.understanding.corrections.judge_message import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.verdicts import Exchange, Held


class DealtWith(NamedTuple):
    """The corrections that a message made, asked or noted before."""

    known: tuple[Correction, ...] = ()

    def has(self, held: Held) -> bool:
        """Say whether the message set an entry right, or asked about it."""
        return bool(self._about(held))

    def has_noted(self, statement: str) -> bool:
        """Say whether the message brought a statement into the ledger."""
        return any(shortened(statement) in (each.correct, each.proposed) for each in self.known)

    def rest(self, exchange: Exchange, entries: Sequence[Held]) -> Exchange:
        """Return an exchange without the sentences that are about an entry that was dealt with."""
        if not self.known:
            return exchange
        told = exchange.told.split("\n")
        before = list(map(self._before, entries))
        rest = [each for each in told if not self._has_read(replace(exchange, told=each), before)]
        return replace(exchange, told="\n".join(rest))

    def _has_read(self, exchange: Exchange, entries: Sequence[Held]) -> bool:
        """Say whether a sentence is about what was dealt with: where several may be meant, one of these is."""
        wrong = judge(exchange, entries).wrong
        if wrong:  # a question may still be answered by it
            return all(self._is_settled(held) for held, _ in wrong)
        alone = judge(exchange, list(filter(self.has, entries)))
        return bool(alone.wrong or alone.asks)

    def _is_settled(self, held: Held) -> bool:
        return any(each.status is Status.APPLIED for each in self._about(held))

    def _before(self, held: Held) -> Held:
        """Return an entry as the message met it."""
        said = next((each.said for each in self._about(held) if each.status is Status.APPLIED), "")
        return replace(held, entry=held.entry._replace(text=said)) if said else held

    def _about(self, held: Held) -> list[Correction]:
        entry_id, said = held.entry.entry_id, shortened(held.parts.statement)
        return [
            each
            for each in self.known
            if (entry_id in (*each.corrects, *each.may_correct) if entry_id else each.said == said)
        ]


def dealt_with(tree: Tree, evidence_id: str) -> DealtWith:
    """Return what came of a message so far, as it is in a tree."""
    standing = standing_corrections(tree).values()
    return DealtWith(tuple(each for each in standing if evidence_id in each.evidence))
