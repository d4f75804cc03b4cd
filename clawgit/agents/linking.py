"""The agent that puts messages of the operator's beside the entries that they are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.agents.door.linkable import link_item, linked_statements
from clawgit.agents.link_messages import Link, is_settled, links_of
from clawgit.agents.run_agent import Agent, Item, Planned, RunReport, digest_of
from clawgit.capture.messages.message import ChatMessage, talk_before
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.memory.corrections.correction_log import (
    LEDGER,
    Correction,
    Status,
    archive_of,
    move_corrections,
    read_corrections,
)
from clawgit.memory.corrections.write_correction import LOW, added_to_ledger, shortened, standing_links
from clawgit.memory.trust import OPERATOR
from clawgit.plan import Edit, Evidence, Plan
from clawgit.workspace.records.records import Records, RunOutcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from datetime import datetime

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree

NAME = "recall-validator"
AT_ONCE = 1000  # messages of both sides; a search each of his takes 10 to 30 ms


def new_links(
    history: History, store: MessageStore, records: Records, now: datetime, *, rehearses: bool
) -> Iterator[Linking]:
    """Yield the agent that links what was said since the last time; nobody where there is nothing."""
    cursor = int(records.agent_cursors.of(NAME) or 0)
    messages, last = store.since(cursor, AT_ONCE)
    messages = [*_answered_since(store, messages), *messages]
    if rehearses:  # what the others would come to is not known
        messages = [each for each in messages if not each.signal.validator or each.validated_in]
    links = tuple(links_of(history, store, messages, now))
    if links:
        yield Linking(links=links, now=now, last=last)
    elif last != cursor and not rehearses:
        records.agent_cursors.note(NAME, str(last), now)


def _answered_since(store: MessageStore, messages: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Return what was read before its answer was there: the message before the first of each conversation, if that is the agent's."""
    heard: dict[tuple[str, str], ChatMessage] = {}
    for each in messages:
        heard.setdefault((each.channel, each.conversation), each)
    answered = []
    for first in heard.values():
        if first.role == "assistant":
            answered += talk_before(store, first)[-1:]
    return answered


@dataclass(frozen=True, kw_only=True)
class Linking(Agent):
    """The agent that writes links down, all in one change; ``last`` is how far the messages were read (None: again)."""

    links: tuple[Link, ...]
    now: datetime
    last: int | None = None
    name = NAME
    trust = OPERATOR

    @property
    def input_id(self) -> str:
        made = (f"{each.evidence_id} {each.statement}" for each in self.links)
        return f"links {digest_of(*made)}"

    @property
    def label(self) -> str:
        return "links"

    def plan(self, tree: Tree) -> Planned:
        corrections = standing_corrections(tree)
        files = (each.beside for each in self.links)
        statements = linked_statements(tree, corrections.values(), files)
        ledger, taken = tree.read(LEDGER) or b"", set(corrections)
        linked: list[Correction] = []
        for link in self.links:
            if shortened(link.statement) not in statements or is_settled(link, corrections.values()):
                continue
            item = link_item(link.message, link.words, link.entry_id, link.statement, self.now, taken)
            if not link.is_plain:
                item = item._replace(trigger_confidence=LOW)
            item = item._replace(beside=link.beside, turn=link.turn)
            ledger = added_to_ledger(ledger, item)
            taken.add(item.correction_id)
            linked.append(item)
        if not linked:
            return Planned()
        more = f" (and {len(linked) - 1} more)" if linked[1:] else ""
        evidence = tuple(Evidence(each.evidence[0], each.trigger) for each in linked)
        plan = Plan(f"linked: {linked[0].trigger}{more}", _edits(tree, ledger, statements), evidence=evidence)
        items = []
        for each in linked:
            entry = f"m:{each.may_correct[0]}" if each.may_correct else each.beside
            items.append(Item(RunOutcome.LINKED, f"x:{each.correction_id}", entry, each.said, each.trigger))
        return Planned(plan, items=tuple(items), outcome=RunOutcome.LINKED)

    def settle(self, records: Records, report: RunReport, now: datetime) -> None:
        if self.last is not None:
            records.agent_cursors.note(NAME, str(self.last), now)


def _edits(tree: Tree, ledger: bytes, statements: Collection[str]) -> tuple[Edit, ...]:
    """Return the edits of a ledger, without the links that ended, and of the archive, with them."""
    items = read_corrections(ledger)
    standing = standing_links(items, statements)
    archives: dict[str, bytes] = {}
    for each in items:
        if each.status is Status.LINKED and each not in standing:
            path = archive_of(each)
            archive = archives.get(path, tree.read(path) or b"")
            ledger, archives[path] = move_corrections(ledger, archive, [each.correction_id])
    return tuple(Edit(path, data) for path, data in {LEDGER: ledger, **archives}.items())
