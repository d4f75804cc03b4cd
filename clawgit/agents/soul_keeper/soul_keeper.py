"""The soul keeper: edits of single principles, each with what it rests on, made as one change or proposed as one."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.agent import NothingFollows, Planned
from clawgit.agents.models.model import ModelError
from clawgit.history.provenance.principle_origins import BASIS
from clawgit.identity.principle_edits import PrincipleEdit, with_edits
from clawgit.memory.trust import OPERATOR
from clawgit.plan import Edit, Evidence, Plan

if TYPE_CHECKING:
    from clawgit.history.git.trees import Tree

NAME = "soul-keeper"
SOUL = "SOUL.md"
MOST_EDITS = 3  # principles in one run: what comes faster nobody follows


class Suggested(NamedTuple):
    """One edit, what it rests on, and why."""

    edit: PrincipleEdit
    evidence: tuple[Evidence, ...]
    why: str


@dataclass(frozen=True)
class SoulKeeper(NothingFollows):
    """The agent for some edits that rest on the same kind of ground (``basis``), and what was refused beside them."""

    edits: tuple[Suggested, ...]
    basis: str = ""
    trust: str = OPERATOR
    notes: tuple[str, ...] = ()
    tokens: int = 0
    asked: str = ""  # what a model was asked, where it was
    name: str = NAME

    @property
    def input_id(self) -> str:
        """Return what tells these edits from others: what they rest on, and their words."""
        if not self.edits:
            return self.asked
        said = "\0".join(
            f"{one.evidence_id} {one.quote}"
            for each in self.edits
            for one in (*each.evidence, Evidence("", each.edit.new))
        )
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()

    def plan(self, tree: Tree) -> Planned:
        """Return the soul with the edits."""
        if not self.edits:
            return Planned(left_out=self.notes, tokens=self.tokens)
        before = tree.read(SOUL)
        if before is None:
            return Planned(left_out=("There is no SOUL.md.", *self.notes), tokens=self.tokens)
        after = with_edits(before, [each.edit for each in self.edits])
        if after is None:
            left = "A principle that an edit is about is not in SOUL.md any more."
            return Planned(left_out=(left, *self.notes), tokens=self.tokens)
        evidence = tuple(dict.fromkeys(one for each in self.edits for one in each.evidence))
        why = " ".join(dict.fromkeys(each.why for each in self.edits))
        trailers = ((BASIS, self.basis),) if self.basis else ()
        plan = Plan(f"soul: {self._what()}", (Edit(SOUL, after),), why, evidence, trailers)
        return Planned(plan, self.notes, self.tokens)

    def _what(self) -> str:
        if len(self.edits) > 1:
            return f"{len(self.edits)} principles"
        edit = self.edits[0].edit
        return edit.new or f"without {edit.old!r}"


@dataclass(frozen=True)
class RefusedEdits(NothingFollows):
    """The agent of a model's answer of which nothing may be made: the run says why. ``unread``: there was no answer at all."""

    asked: str
    why: tuple[str, ...]
    tokens: int = 0
    unread: bool = False
    trust: str = OPERATOR
    name: str = NAME

    @property
    def input_id(self) -> str:
        """Return what the model was asked."""
        return self.asked

    def plan(self, tree: Tree) -> Planned:
        """Refuse.

        Raises:
            ModelError: Always.
        """
        raise ModelError(" ".join(self.why), spent=self.tokens)
