"""The soul keeper: orders that the operator gave twice, or once as a correction, become principles, in his words."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.agents.agent import NothingFollows, Planned
from clawgit.identity.ordered_principles import says_already, with_principles
from clawgit.memory.trust import OPERATOR
from clawgit.plan import Edit, Evidence, Plan
from clawgit.text.words.tokens import count_tokens

if TYPE_CHECKING:
    from clawgit.history.git.trees import Tree
    from clawgit.identity.ordered_principles import OrderedPrinciple

NAME = "soul-keeper"
SOUL = "SOUL.md"
MOST_EDITS = 3  # principles in one run: what comes faster nobody follows


@dataclass(frozen=True)
class SoulKeeper(NothingFollows):
    """The agent for the orders that may become principles, the oldest first."""

    orders: tuple[OrderedPrinciple, ...]
    most_tokens: int
    name: str = NAME
    trust: str = OPERATOR

    @property
    def input_id(self) -> str:
        """Return what tells these orders from others: the messages that gave them, and their words."""
        if not self.orders:
            return ""
        said = "\0".join(f"{each.evidence_id} {each.quote}" for order in self.orders for each in order.given)
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()

    def plan(self, tree: Tree) -> Planned:
        """Return the principles to add; one that SOUL.md has no room for comes alone, and waits for the operator."""
        before = tree.read(SOUL)
        if before is None:
            return Planned(left_out=("There is no SOUL.md.",))
        new = [order for order in self.orders if not says_already(before, order)]
        fitting = self._fitting(before, new)
        taken = fitting or new[:1]
        if not taken:
            return Planned()
        return Planned(_plan(with_principles(before, [order.line for order in taken]), taken))

    def _fitting(self, soul: bytes, orders: list[OrderedPrinciple]) -> list[OrderedPrinciple]:
        taken: list[OrderedPrinciple] = []
        for order in orders:
            wanted = with_principles(soul, [each.line for each in (*taken, order)])
            fits = count_tokens(wanted.decode("utf-8", "replace")) <= self.most_tokens
            if fits and len(taken) < MOST_EDITS:
                taken.append(order)
        return taken


def _plan(soul: bytes, taken: list[OrderedPrinciple]) -> Plan:
    evidence = tuple(Evidence(each.evidence_id, each.quote) for order in taken for each in order.given)
    what = taken[0].quote if len(taken) == 1 else f"{len(taken)} principles"
    why = "The operator asked for this more than once, or when he corrected the agent."
    return Plan(f"soul: {what}", (Edit(SOUL, soul),), why, evidence)
