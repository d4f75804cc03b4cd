"""What the operator orders to remember is in memory when his message is answered: the memory miner, for that message alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.memory_miner import MemoryMiner, MiningRoom
from clawgit.history.git.repository import refuse_odd_state
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import parted
from clawgit.understanding.forms.user_words import as_said
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from clawgit.agents.run_agent import RunReport
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.understanding.facts.keepable_sentences import Kept

LEFT = "The memory-miner tries again at its time"
_AFTER_VALIDATOR = "it may correct something, so the recall-validator reads it first"
_IS_THERE = "memory has it already"
_SHORT = 12  # letters of a commit


class Remembered(NamedTuple):
    """A sentence that was kept, its file, and what `clawgit undo` takes: the entry, or the commit where a note has it."""

    text: str
    path: str
    undo: str


class AtOnce(NamedTuple):
    """What was kept of orders, and why something was not."""

    remembered: tuple[Remembered, ...] = ()
    why_not: str = ""


def remember_at_once(
    history: History, store: MessageStore, message: ChatMessage, orders: Sequence[Kept], now: datetime
) -> AtOnce:
    """Keep what the ``orders`` in a message of the operator's say, in one change; by rules, for a model takes seconds.

    Where something is in the way, the message waits for the next run of the miner.
    """
    why_not = next((order.why_not for order in orders if order.why_not), "")
    if all(order.why_not for order in orders):
        return AtOnce(why_not=why_not)
    if message.signal.validator is not None:
        return AtOnce(why_not=_AFTER_VALIDATOR)
    refuse_odd_state(history)
    with open_records(history.state / RECORDS, now) as records:
        room = MiningRoom(history, records, store, now, history.tip().tree)
        miner = MemoryMiner(room.share_of(message), room)
        report, *_ = miner.run(history, records, now)
    remembered = tuple(_remembered(report))
    if not remembered and report.note.outcome is RunOutcome.NOTHING and not report.planned.left_out:
        why_not = _IS_THERE
    return AtOnce(remembered, why_not if remembered else why_not or report.note.reason)


def _remembered(report: RunReport) -> list[Remembered]:
    plan = report.planned.plan
    commit_id = report.note.commit_id
    if plan is None or not commit_id:
        return []
    places = {entry.entry_id: edit.path for edit in plan.edits for entry in read_entries(edit.data or b"")}
    kept = []
    for item in report.planned.items:
        path = places.get(item.entry.removeprefix("m:"))
        undo = item.entry if path else commit_id[:_SHORT]
        kept.append(Remembered(as_said(parted(item.new).statement), path or item.entry, undo))
    return kept
