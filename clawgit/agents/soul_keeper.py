"""The soul keeper: what the operator ordered for good, and what a model would change, becomes edits of SOUL.md or proposals."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.agents.door.authorised_edits import Authority, is_his
from clawgit.agents.lapsed_items import lapse_items
from clawgit.agents.model_keeper import MOST_EDITS, NAME, SOUL, Suggested, ask_for_edits, gather_material
from clawgit.agents.models.model import ModelError
from clawgit.agents.run_agent import Agent, Planned, digest_of
from clawgit.capture.messages.message_store import Asked
from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.history.authorship.actors import OPERATOR as OPERATOR_ACTOR
from clawgit.history.authorship.pause import paused_since
from clawgit.history.decisions import PROPOSAL
from clawgit.history.git.refs import PROPOSALS, REJECTED
from clawgit.history.provenance.principle_origins import BASIS, Origin, principle_origins
from clawgit.history.reading.agent_prompts import prompt_in_force
from clawgit.history.reading.git_log import read_changes
from clawgit.identity.principle_edits import (
    GivenOrder,
    OrderedPrinciple,
    PrincipleEdit,
    ordered_principles,
    says_already,
    turned_round,
    with_edits,
)
from clawgit.memory.trust import HOST, OPERATOR
from clawgit.plan import MESSAGE, Edit, Evidence, Plan
from clawgit.text.words.tokens import count_pieces
from clawgit.understanding.facts.keepable_sentences import standing_order_in
from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.agents.model_keeper import Answer, KeepingMaterial
    from clawgit.agents.models.ask_model import Asker, Askers
    from clawgit.agents.run_agent import Agents, Means
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.understanding.evidence.check_edit import Proposal
    from clawgit.workspace.records.records import Records

LOOKS_BACK = timedelta(days=180)
FIRST_LOOK = timedelta(days=7)
AT_ONCE = 20_000  # messages
_ASKED = "The operator asked for this more than once, or when he corrected the agent."
_TURNED = "The operator asked for the opposite since."
_UNSURE = "The operator said this more than once. Only he can say whether it is an order for good."
_ROOM = "soul_max_tokens leaves no room for it."


@dataclass(frozen=True)
class SoulKeeper(Agent):
    """The agent for some edits that rest on the same kind of ground (``basis``), and what was refused beside them.

    A model is asked once for several agents, so it is asked while they are read.
    """

    edits: tuple[Suggested, ...]
    basis: str = ""
    trust: str = OPERATOR
    question: str = ""  # what a model was asked, where nothing came of it
    name = NAME
    lets_others_go_on = True

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        """Yield the agents for what was ordered, by rules; then those for what a model would change besides."""
        if not means.rehearses and paused_since(history) is None:
            lapse_items(history, now)
        yield from _rule_keepers(history, now)
        askers = means.askers()
        if askers is None or (not means.rehearses and paused_since(history) is not None):
            return
        keepers = _model_keepers(history, records, now, askers)
        yield from keepers
        is_unread = any(isinstance(keeper, RefusedEdits) and keeper.unread for keeper in keepers)
        if keepers and not is_unread and not means.rehearses:
            records.agent_cursors.note(NAME, utc_text(now), now)

    @property
    def input_id(self) -> str:
        """Return what tells these edits from others: what they rest on, and their words."""
        if not self.edits:
            return self.question
        parts = []
        for each in self.edits:
            parts += [f"{one.evidence_id} {one.quote}" for one in each.evidence]
            parts.append(f" {each.edit.new}")
        return digest_of(*parts)

    @property
    def label(self) -> str:
        """Return the beginning of the input's id."""
        return self.input_id[:12]

    def plan(self, tree: Tree) -> Planned:
        """Return the soul with the edits."""
        if not self.edits:
            return Planned(None, self.notes, self.tokens)
        before = tree.read(SOUL)
        if before is None:
            return Planned(None, ("There is no SOUL.md.", *self.notes), self.tokens)
        after = with_edits(before, [each.edit for each in self.edits])
        if after is None:
            gone = "A principle that an edit is about is not in SOUL.md any more."
            return Planned(None, (gone, *self.notes), self.tokens)
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
class RefusedEdits(Agent):
    """The agent of a model's answer of which nothing may be made: the run says why. ``unread``: there was no answer at all."""

    question: str
    unread: bool = False
    name = NAME
    trust = OPERATOR
    lets_others_go_on = True

    @property
    def input_id(self) -> str:
        """Return what the model was asked."""
        return self.question

    @property
    def label(self) -> str:
        """Return the beginning of the input's id."""
        return self.input_id[:12]

    def plan(self, tree: Tree) -> Planned:
        """Refuse.

        Raises:
            ModelError: Always.
        """
        raise ModelError(" ".join(self.notes), spent=self.tokens)


def _rule_keepers(history: History, now: datetime) -> list[SoulKeeper]:
    """Return the agents for orders, each for one change or one proposal; at most three of either are made in a night."""
    given = list(_given(history, now))
    soul = history.tip().tree.read(SOUL)
    if not given or soul is None:
        return []
    decided = _decided(history)
    orders = ordered_principles(each for each in given if each.evidence_id not in decided)
    limit = history.settings.soul_max_tokens
    fitting: list[OrderedPrinciple] = []
    turning: list[SoulKeeper] = []
    unsure: list[SoulKeeper] = []
    crowded: list[OrderedPrinciple] = []
    for order in orders:
        if not order.carries or says_already(soul, order):
            continue
        turned = turned_round(soul, order)
        if turned is not None:
            turning.append(_keeper(order, _suggested(order, turned.text, _TURNED)))
        elif not order.is_plain:
            unsure.append(_keeper(order, _suggested(order, "", _UNSURE), trust=HOST))
        elif not _fits(soul, [PrincipleEdit("", each.text) for each in (*fitting, order)], limit):
            crowded.append(order)
        elif len(fitting) < MOST_EDITS:
            fitting.append(order)
    keepers = []
    for corrects in (False, True):
        suggested = [_suggested(order, "", _ASKED) for order in fitting if order.corrects == corrects]
        if suggested:
            keepers.append(SoulKeeper(tuple(suggested), _basis(corrects)))
    proposed = [*turning, *unsure, *_crowded_keepers(history, soul, crowded)]
    return [*keepers, *proposed[:MOST_EDITS]]


def _given(history: History, now: datetime) -> Iterator[GivenOrder]:
    if not has_messages(history):
        return
    with open_messages(history, now) as store:
        asked = Asked(role="user", since=now - LOOKS_BACK, limit=AT_ONCE)
        messages = [each for each in store.log(asked) if is_his(each) and not each.signal.veto]
    for message in messages:
        order = standing_order_in(message.text)
        if order is not None:
            day = message.sent_at.astimezone(now.tzinfo).date()
            cited = f"{MESSAGE}{message.chat_id}"
            yield GivenOrder(cited, order.quote, order.says, day, order.corrects, order.is_plain)


def _decided(history: History) -> frozenset[str]:
    """Return the messages on which a principle was rested before: made, approved, pending, rejected or taken back."""
    tip = history.tip().commit_id
    parked = [*history.refs(PROPOSALS).values(), *history.refs(REJECTED).values()]
    tips = [each for each in (tip, *parked) if each is not None]
    patterns = (f"--grep=^Clawgit-Actor: {NAME}$", f"--grep=^{PROPOSAL}: ")
    cited: set[str] = set()
    for change in read_changes(history, *patterns, *tips):
        is_approved = change.actor == OPERATOR_ACTOR and change.trailers.first(PROPOSAL) is not None
        if change.actor == NAME or is_approved:
            cited |= {each.partition(" ")[0] for each in change.evidence}
    return frozenset(cited)


def _crowded_keepers(history: History, soul: bytes, crowded: list[OrderedPrinciple]) -> Iterator[SoulKeeper]:
    """Yield the proposals of orders for which the soul has no room, each with the fewest removals that make it."""
    if not crowded:
        return
    weak = [PrincipleEdit(each, "") for each in _least_supported(history)]
    limit = history.settings.soul_max_tokens
    for order in crowded:
        removals: list[PrincipleEdit] = []
        for count in range(1, min(MOST_EDITS, len(weak) + 1)):
            if _fits(soul, [*weak[:count], PrincipleEdit("", order.text)], limit, unknown=False):
                removals = weak[:count]
                break
        leaving = [Suggested(edit, (), _ROOM) for edit in removals]
        yield _keeper(order, *leaving, _suggested(order, "", _ASKED))


def _least_supported(history: History) -> list[str]:
    """Return the principles that may go, the least supported first: what was inferred, nothing that was asked for."""
    tip = history.tip().commit_id
    origins = [] if tip is None else principle_origins(history, SOUL, tip)
    weak = [each for each in origins if each.origin is Origin.INFERENCE]
    weak.sort(key=lambda each: (each.support, -each.change.committed_at))
    return [each.principle.text for each in weak]


def _fits(soul: bytes, edits: list[PrincipleEdit], limit: int, *, unknown: bool = True) -> bool:
    """Say whether the soul with some edits keeps to its limit; ``unknown`` where they cannot be made."""
    after = with_edits(soul, edits)
    if after is None:
        return unknown
    return count_pieces(after.decode("utf-8", "replace")) <= limit


def _keeper(order: OrderedPrinciple, *suggested: Suggested, trust: str = OPERATOR) -> SoulKeeper:
    return SoulKeeper(suggested, _basis(order.corrects), trust)


def _suggested(order: OrderedPrinciple, old: str, why: str) -> Suggested:
    evidence = tuple(Evidence(each.evidence_id, each.quote) for each in order.given)
    return Suggested(PrincipleEdit(old, order.text), evidence, why)


def _basis(corrects: bool) -> str:
    origin = Origin.CORRECTION if corrects else Origin.ORDER
    return str(origin.value)


def _model_keepers(
    history: History, records: Records, now: datetime, askers: Askers
) -> list[SoulKeeper | RefusedEdits]:
    """Return the agents for what a model would change, or the one whose run says why nothing of it may be made."""
    cursor = records.agent_cursors.of(NAME)
    since = datetime.fromisoformat(cursor) if cursor else now - FIRST_LOOK
    material = gather_material(history, records, since, now, _decided(history))
    if not material.said:
        return []
    read = repr((since, sorted(material.grounds), material.principles))
    question = sha256(read.encode("utf-8", "replace")).hexdigest()
    asker = askers(f"{NAME}-{question[:10]}")
    if asker is None:
        return []
    try:
        answer = _answer(asker, history, material, now)
    except ModelError as error:
        return [RefusedEdits(question, unread=True, notes=(error.message,), tokens=error.spent)]
    notes = (*answer.drift, *answer.refused)
    if not answer.edits and answer.refused:
        return [RefusedEdits(question, notes=notes, tokens=asker.spent)]
    if not answer.edits:
        return [SoulKeeper((), notes=notes, tokens=asker.spent, question=question)]
    first, *others = answer.edits
    return [
        SoulKeeper((first.suggested,), first.basis, first.trust, notes=notes, tokens=asker.spent),
        *(SoulKeeper((each.suggested,), each.basis, each.trust) for each in others),
    ]


def _answer(asker: Asker, history: History, material: KeepingMaterial, now: datetime) -> Answer:
    with open_messages(history, now) as store:
        authority = Authority(history, store, now)

        def carries(proposal: Proposal, message: ChatMessage) -> bool:
            return authority.objection(proposal, message) is None

        return ask_for_edits(asker, prompt_in_force(history, NAME), material, carries)
