"""The promotion-review: what of the week could be promoted, said once a week."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.agents.agent import NothingFollows, Planned
from clawgit.agents.promotion import MOST, Asked, candidates_in, find_candidates
from clawgit.agents.run_agent import Rehearsed, rehearse, run_agent
from clawgit.history.authorship.actors import OPERATOR
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.agents.run_agent import RunReport
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree

REVIEW = "promotion-review"
THE_WEEK = Asked()


@dataclass(frozen=True)
class Review(NothingFollows):
    """The weekly look at what could be promoted: it only says so, and the operator decides."""

    history: History
    now: datetime
    asked: Asked = THE_WEEK
    name: str = REVIEW
    trust: str = ""

    @property
    def input_id(self) -> str:
        """Return what could be promoted; empty where nothing could."""
        found = find_candidates(self.history, self.now, self.asked)
        said = "\0".join(f"{each.place}\0{each.found.part.text}" for each in found)
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest() if found else ""

    def plan(self, tree: Tree) -> Planned:
        """Return no change, and a line on each candidate with the command that moves it."""
        found = candidates_in(self.history, tree, self.now, self.asked, OPERATOR)
        told = [
            f"{each.place}: {each.says} ({each.found.scored.score} %, {each.trust})" for each in found[:MOST]
        ]
        more = [f"{len(found) - MOST} more"] if len(found) > MOST else []
        return Planned(left_out=(*told, *more, "`clawgit memory promote` shows them, `--apply` moves them."))


def review(history: History, now: datetime, *, slot: str = "") -> list[RunReport]:
    """Look at what of the week could be promoted, and record what was found."""
    with open_records(history.state / RECORDS, now) as records:
        return [run_agent(history, records, Review(history, now), now, slot=slot)]


def rehearse_review(history: History, now: datetime) -> list[Rehearsed]:
    """Return what `review` would say; nothing is recorded."""
    found = Review(history, now)
    return [Rehearsed(REVIEW, rehearse(history, found))] if found.input_id else []
