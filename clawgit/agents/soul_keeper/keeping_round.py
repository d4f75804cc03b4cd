"""The soul keeper's round: what the operator ordered in the last months, without what was decided before."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.agents.authorised_edits import is_his
from clawgit.agents.run_agent import Rehearsed, rehearse, run_agent
from clawgit.agents.soul_keeper.lapsed_items import lapse_items
from clawgit.agents.soul_keeper.model_keepers import model_keepers, note_look
from clawgit.agents.soul_keeper.order_edits import order_keepers
from clawgit.agents.soul_keeper.soul_keeper import NAME, RefusedEdits, SoulKeeper
from clawgit.capture.messages.message_store import Asked
from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.pause import paused_since
from clawgit.history.decisions import PROPOSAL
from clawgit.history.git.refs import PROPOSALS, REJECTED
from clawgit.history.reading.git_log import read_changes
from clawgit.identity.ordered_principles import GivenOrder, ordered_principles
from clawgit.plan import MESSAGE
from clawgit.understanding.facts.standing_orders import standing_order_in
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from clawgit.agents.run_agent import RunReport
    from clawgit.agents.soul_keeper.model_keepers import Askers
    from clawgit.history.git.repository import History

LOOKS_BACK = timedelta(days=180)
AT_ONCE = 20_000  # messages


def keep_soul(
    history: History, now: datetime, *, slot: str = "", askers: Askers | None = None
) -> list[RunReport]:
    """Make principles of what was ordered, by rules; a model says what else should change. Nothing where nothing new was said."""
    reports: list[RunReport] = []
    if paused_since(history) is None:
        lapse_items(history, now)
    with open_records(history.state / RECORDS, now) as records:
        for keeper in _rule_keepers(history, now):
            reports.append(run_agent(history, records, keeper, now, slot=slot))
        if askers is not None and paused_since(history) is None:
            found = model_keepers(history, records, now, askers, _decided(history))
            asked = [run_agent(history, records, keeper, now, slot=slot) for keeper in found]
            if found and not any(isinstance(keeper, RefusedEdits) and keeper.unread for keeper in found):
                note_look(records, now)
            reports += asked
    return reports


def rehearse_keeping(history: History, now: datetime, *, askers: Askers | None = None) -> list[Rehearsed]:
    """Return what `keep_soul` would do; nothing is written or recorded but what a model was asked."""
    found: list[SoulKeeper | RefusedEdits] = list(_rule_keepers(history, now))
    if askers is not None:
        with open_records(history.state / RECORDS, now) as records:
            found += model_keepers(history, records, now, askers, _decided(history))
    return [Rehearsed(each.input_id[:12], rehearse(history, each)) for each in found]


def _rule_keepers(history: History, now: datetime) -> list[SoulKeeper]:
    given = list(_given(history, now))
    if not given:
        return []
    decided = _decided(history)
    orders = ordered_principles(each for each in given if each.evidence_id not in decided)
    return order_keepers(history, [order for order in orders if order.carries])


def _given(history: History, now: datetime) -> Iterator[GivenOrder]:
    """Yield the orders for good in the operator's own messages."""
    if not has_messages(history):
        return
    with open_messages(history, now) as store:
        asked = Asked(role="user", since=now - LOOKS_BACK, limit=AT_ONCE)
        messages = [each for each in store.log(asked) if is_his(each) and not each.signal.veto]
    for message in messages:
        order = standing_order_in(message.text)
        if order is not None:
            day = message.sent_at.astimezone(now.tzinfo).date()
            yield GivenOrder(
                f"{MESSAGE}{message.chat_id}", order.quote, order.says, day, order.corrects, order.is_plain
            )


def _decided(history: History) -> frozenset[str]:
    """Return the messages on which a principle was rested before: made, approved, pending, rejected or taken back."""
    found: set[str] = set()
    tip = history.tip().commit_id
    parked = [*history.refs(PROPOSALS).values(), *history.refs(REJECTED).values()]
    tips = [each for each in (tip, *parked) if each is not None]
    named = (f"--grep=^Clawgit-Actor: {NAME}$", f"--grep=^{PROPOSAL}: ")
    for change in read_changes(history, *named, *tips):
        is_approved = change.actor == OPERATOR and change.trailers.first(PROPOSAL) is not None
        if change.actor == NAME or is_approved:
            found |= {each.partition(" ")[0] for each in change.evidence}
    return frozenset(found)
