"""Who undoes what rested on a message that the operator took back in his next turn: a change of its own, which nothing waits for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.agents.door.authorised_edits import taken_back
from clawgit.agents.run_agent import Agent, Planned
from clawgit.capture.messages.message_store import Asked
from clawgit.history.provenance.correction_files import CORRECTING
from clawgit.history.undo.take_back import take_back
from clawgit.history.undo.undo import find_undoing, paths_losing_words, undoing_plan
from clawgit.history.undo.undo_targets import UndoError
from clawgit.memory.trust import OPERATOR
from clawgit.plan import MESSAGE, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.undo.undo import Undoing

LOOKED_BACK = timedelta(days=1)
MOST = 500  # messages


@dataclass(frozen=True)
class TakingBack(Agent):
    """The agent for one message that takes back another."""

    history: History
    taking: ChatMessage
    undoing: Undoing
    name = CORRECTING
    trust = OPERATOR
    lets_others_go_on = True

    @property
    def input_id(self) -> str:
        """Return what takes back what: a later change on the same words is undone as well."""
        commits = " ".join(each.commit_id for each in self.undoing.taking.commits)
        return f"{MESSAGE}{self.taking.chat_id} takes back {commits}"

    @property
    def losses(self) -> Mapping[str, str]:
        """Return the files that lose words, and why."""
        paths = paths_losing_words(self.history.tip().tree, self.undoing.taken.contents)
        return dict.fromkeys(paths, f"taken back: {self.undoing.name}")

    def plan(self, tree: Tree) -> Planned:
        """Return the files as they were without it; what was changed again since stays."""
        taken = take_back(self.history, tree, self.undoing.taking)
        if taken.conflicts or taken.refusals:
            places = ", ".join(taken.conflicts) or "; ".join(taken.refusals)
            return Planned(left_out=(f"{self.undoing.name} was changed again since: {places}.",))
        quote = "" if self.taking.signal.veto else self.taking.text
        evidence = (Evidence(MESSAGE + self.taking.chat_id, quote),)
        plan = undoing_plan(self.undoing.taking, taken, "The operator took it back.")
        return Planned(plan._replace(evidence=evidence))


def takings_back(history: History, store: MessageStore, now: datetime) -> Iterator[TakingBack]:
    """Yield who undoes what the operator took back of late, where something of it still holds."""
    asked = Asked(role="user", since=now - LOOKED_BACK, limit=MOST, vetoed=True)
    for taking in store.log(asked):
        message = taken_back(store, taking)
        undoing = None if message is None else _undoing(history, message)
        if undoing is not None:
            yield TakingBack(history, taking, undoing)


def _undoing(history: History, message: ChatMessage) -> Undoing | None:
    try:
        found = find_undoing(history, source=MESSAGE + message.chat_id)
    except UndoError:
        return None
    return found if found.taken.contents else None
