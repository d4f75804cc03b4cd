"""The first time that lines and notes of an adopted folder would move: it waits, beside the history, for the operator's yes (a commit)."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.history.authorship.commit_messages import FIRST_MOVES_FILE, FIRST_MOVES_OP, find_op
from clawgit.history.authorship.intent import ADOPTION_OP, INIT_OP
from clawgit.plan import Plan
from clawgit.workspace.safe_files import write_private

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.agents.run_agent import Agent, Rehearsed
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.reading.rearranged import Rearranged

ORGANIZER: Final = "organizer"
COMPACTOR: Final = "memory-compactor"
MOVERS: Final = (ORGANIZER, COMPACTOR)


class Waiting(NamedTuple):
    """What an agent would move for the first time, a sentence for each place, and since when it waits for an answer."""

    agent: str
    moves: tuple[str, ...]
    since: datetime
    is_rejected: bool = False


def needs_yes(history: History, agent: str) -> bool:
    """Say whether what an agent moves needs a yes: the folder was adopted, and the operator gave none yet."""
    if agent not in MOVERS or find_op(history, FIRST_MOVES_OP + agent) is not None:
        return False
    for commit in history.objects.first_parents(history.tip().commit_id):
        op = commit.trailers.first("Clawgit-Op") or ""
        if op.startswith(ADOPTION_OP):
            return True
        if op.startswith(INIT_OP):
            return bool(commit.parent_ids)
    return True


def would_move(history: History, rehearsed: list[Rehearsed]) -> list[Rearranged]:
    """Return what rehearsed plans would move, merge and remove, the largest first of each."""
    from clawgit.history.reading.rearranged import compare_states
    from clawgit.history.transaction.working_tree import draft_of

    tree = history.tip().tree
    moves: list[Rearranged] = []
    for each in rehearsed:
        plan = each.planned.plan or Plan("")
        draft = draft_of(tree, plan.edits)
        moves += compare_states(draft.pairs(), tree.read, draft.read)
    return moves


def note_first(history: History, agent: str, now: datetime) -> tuple[str, ...]:
    """Work out what an agent would move for the first time, note that it waits, and return it in sentences; none is no wait."""
    from clawgit.agents.compactor import MemoryCompactor
    from clawgit.agents.organizer import Organizer

    kinds: dict[str, type[Agent]] = {ORGANIZER: Organizer, COMPACTOR: MemoryCompactor}
    would = would_move(history, kinds[agent].rehearse_round(history, now))
    moves = tuple(each.sentence for each in would)
    waiting = _noted(history)
    before = waiting.pop(agent, None)
    if moves:
        waiting[agent] = (before or Waiting(agent, (), now))._replace(moves=moves)
    if before is not None or moves:
        _write(history, waiting)
    return moves


def waiting_for_yes(history: History) -> Iterator[Waiting]:
    """Yield what was noted as waiting and is not answered."""
    for each in _noted(history).values():
        if find_op(history, FIRST_MOVES_OP + each.agent) is None:
            yield each


def allow_first(history: History, agent: str, intent: Intent) -> Recorded:
    """Record the operator's yes: from now on the agent moves what it finds, without a question."""
    from clawgit.history.apply_plan import apply_plan

    trailers = (("Clawgit-Proposal", f"t-{agent}"),)
    plan = Plan(f"approve: the {agent} may move lines and notes of this folder", trailers=trailers)
    recorded = apply_plan(history, lambda _: plan, intent._replace(op=FIRST_MOVES_OP + agent, given=False))
    waiting = _noted(history)
    if waiting.pop(agent, None) is not None:
        _write(history, waiting)
    return recorded


def refuse_first(history: History, agent: str) -> None:
    """Note the operator's no: nothing moves, and he is not asked again."""
    waiting = _noted(history)
    if agent in waiting:
        waiting[agent] = waiting[agent]._replace(is_rejected=True)
        _write(history, waiting)


def _noted(history: History) -> dict[str, Waiting]:
    waiting: dict[str, Waiting] = {}
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        for agent, row in json.loads((history.state / FIRST_MOVES_FILE).read_bytes()).items():
            since = datetime.fromisoformat(row["since"])
            waiting[agent] = Waiting(agent, tuple(map(str, row["moves"])), since, bool(row["rejected"]))
    return waiting


def _write(history: History, waiting: dict[str, Waiting]) -> None:
    rows = {}
    for agent, each in waiting.items():
        rows[agent] = {"since": each.since.isoformat(), "moves": each.moves, "rejected": each.is_rejected}
    write_private(history.state / FIRST_MOVES_FILE, json.dumps(rows))
