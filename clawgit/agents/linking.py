"""The agent that links the operator's messages to entries, and ends links that a model's reading contradicts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain, filterfalse, starmap
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.agents.door.authorised_edits import EvidenceEdit
from clawgit.agents.door.linkable import link_item, linked_statements, links_in, remembered
from clawgit.agents.link_messages import Link, is_settled, is_told_elsewhere, links_of
from clawgit.agents.run_agent import (
    Agent,
    Item,
    Planned,
    RunReport,
    digest_of,
    may_come_to_something,
    run_at_once,
)
from clawgit.capture.messages.message import ChatMessage, is_his, talk_before
from clawgit.history.git.leftovers import present_locks
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.entries_at_tip import read_cited
from clawgit.memory.corrections.correction_log import (
    LEDGER,
    Correction,
    Status,
    archive_of,
    move_corrections,
    read_corrections,
)
from clawgit.memory.corrections.write_correction import LOW, added_to_ledger, shortened, standing_links
from clawgit.memory.provenance.readings import is_verbatim, value_exchanged
from clawgit.memory.trust import OPERATOR
from clawgit.plan import MESSAGE, Edit, Evidence, Plan
from clawgit.understanding.corrections.ready_commands import line_proposed
from clawgit.understanding.corrections.second_word import restores
from clawgit.understanding.evidence.says_beyond import replaces_value
from clawgit.workspace.records.records import Records, RunOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from datetime import date, datetime

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.review.keep import KeepOutcome

NAME = "recall-validator"
AT_ONCE = 1000  # messages of both sides; a search takes 10 to 30 ms for each of the operator's


def new_links(
    history: History, store: MessageStore, records: Records, now: datetime, *, rehearses: bool
) -> Iterator[Linking]:
    """Yield the agent that links the messages since the last run; none if there are none."""
    cursor = int(records.agent_cursors.of(NAME) or 0)
    messages, last = store.since(cursor, AT_ONCE)
    messages = [*_answered_since(store, messages), *messages]
    if rehearses:  # the results of the other agents are not known
        messages = [each for each in messages if not each.signal.validator or each.validated_in]
    ledger = history.tip().tree.read(LEDGER) or b""
    readings: list[EvidenceEdit] = []
    if messages:
        readings = _readings(history, store, messages, read_corrections(ledger))
    links = tuple(links_of(history, store, messages, now, readings))
    ended = ended_links(ledger, readings, now.date())
    for each in filter(is_his, messages):
        links = tuple(filterfalse(partial(_is_over, each), links))
        ended |= links_said_against(history, store, each)
    if links or ended:
        yield Linking(links=links, now=now, last=last, ended=ended)
    elif last != cursor and not rehearses:
        records.agent_cursors.note(NAME, str(last), now)


def link_at_once(history: History, agent: Linking, now: datetime, tell: Callable[[KeepOutcome], None]) -> str:
    """Write the links of a message, or end those that it contradicts, when it is taken in; return the commit.

    ``tell`` gets what was committed first. While agents pause or another git is at work, they are left to the job: an
    answer does not wait for them.
    """
    is_free = all(map(attrgetter("is_ours"), present_locks(history)))
    if not is_free or not may_come_to_something(history, agent):
        return ""
    return run_at_once(agent, history, now, tell).note.commit_id or ""


def _is_over(message: ChatMessage, link: Link) -> bool:
    """Say whether a later message says a line again, against the words to link to it."""
    is_later = message.sent_at > link.message.sent_at
    return is_later and restores(message.text, link.statement, link.words, message.sent_at.date())


def links_said_against(history: History, store: MessageStore, message: ChatMessage) -> frozenset[str]:
    """Return the ids of links to a line whose own value a later message says again, also of a line that was corrected since (an undo brings it back); other people's words stay."""
    ended = set()
    asleep = filter(
        lambda each: each.status is Status.LINKED, standing_corrections(history.tip().tree).values()
    )
    for link in chain(links_in(history), asleep):
        if not restores(message.text, link.said, link.trigger, message.sent_at.date()):
            continue
        his = store.get_each(each.removeprefix(MESSAGE) for each in link.evidence)
        if his and max(map(attrgetter("sent_at"), his)) < message.sent_at:
            ended.add(link.correction_id)
    return frozenset(ended)


def _readings(
    history: History, store: MessageStore, messages: Iterable[ChatMessage], links: Iterable[Correction]
) -> list[EvidenceEdit]:
    """Return the readings behind entries that rest on these or on linked messages in words other than the operator's."""
    items = set()
    for message in messages:
        items.add(f"{MESSAGE}{message.chat_id}")
    for link in links:
        if link.status is Status.LINKED:
            items.update(link.evidence)
    readings = []
    cited = read_cited(history).by_entry
    for target in remembered(history.tip().tree).entries():
        statement = target.parts.statement
        for item in cited.get(target.entry.entry_id or "", frozenset()).intersection(items):
            read_one = store.get(item.removeprefix(MESSAGE))
            if read_one is not None and not is_verbatim(statement, read_one.text):
                readings.append(EvidenceEdit("", statement, read_one.chat_id))
    return readings


def _answered_since(store: MessageStore, messages: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Return messages read before their answer existed: where a conversation's first new message is the agent's, the one before it."""
    heard: dict[tuple[str, str], ChatMessage] = {}
    for each in messages:
        heard.setdefault((each.channel, each.conversation), each)
    answered = []
    for first in heard.values():
        if first.role == "assistant":
            answered += talk_before(store, first)[-1:]
    return answered


def ended_links(ledger: bytes, readings: Sequence[EvidenceEdit], on: date) -> frozenset[str]:
    """Return the ids of links whose messages a model has since read as something else."""
    ended = set()
    for link in read_corrections(ledger):
        of_it = [each for each in readings if f"{MESSAGE}{each.chat_id}" in link.evidence]
        if link.status is Status.LINKED and is_told_elsewhere(link.said, link.trigger, of_it, on):
            ended.add(link.correction_id)
    return frozenset(ended)


@dataclass(frozen=True, kw_only=True)
class Linking(Agent):
    """The agent that writes links in one change; ``last`` is the last message read (None: read again)."""

    links: tuple[Link, ...]
    now: datetime
    last: int | None = None
    ended: frozenset[str] = frozenset()  # ids of links that a model's reading ends
    name = NAME
    label = "links"
    trust = OPERATOR

    @property
    def input_id(self) -> str:
        made = (f"{each.evidence_id} {each.statement}" for each in self.links)
        return f"links {digest_of(*made, *sorted(self.ended))}"

    def plan(self, tree: Tree) -> Planned:
        corrections = standing_corrections(tree)
        statements = linked_statements(tree, corrections.values(), map(attrgetter("beside"), self.links))
        ledger = tree.read(LEDGER) or b""
        taken = set(corrections)
        ended_ids = set(self.ended)
        linked: list[Correction] = []
        for link in self.links:
            if shortened(link.statement) not in statements or is_settled(link, corrections.values()):
                continue
            for older in read_corrections(ledger):
                if _overtakes(link, older, self.now.date()):
                    ended_ids.add(older.correction_id)
            item = link_item(link.message, link.words, link.entry_id, link.statement, self.now, taken)
            if not link.is_plain:
                item = item._replace(trigger_confidence=LOW)
            item = item._replace(beside=link.beside, turn=link.turn)
            ledger = added_to_ledger(ledger, item)
            taken.add(item.correction_id)
            linked.append(item)
        ended = [each for each in read_corrections(ledger) if each.correction_id in ended_ids]
        changes = linked or ended
        if not changes:
            return Planned()
        more = f" (and {len(changes) - 1} more)" if changes[1:] else ""
        summary = f"{'linked' if linked else 'link ended'}: {changes[0].trigger}{more}"
        evidence = tuple(Evidence(each.evidence[0], each.trigger) for each in (*linked, *ended))
        plan = Plan(summary, _edits(tree, ledger, statements, ended_ids), evidence=evidence)
        items = []
        for each in linked:
            if each.correction_id in ended_ids:
                continue
            entry = f"m:{each.may_correct[0]}" if each.may_correct else each.beside
            name = f"x:{each.correction_id}"
            items.append(Item(RunOutcome.LINKED, name, entry, each.said, each.trigger, each.turn))
        return Planned(plan, items=tuple(items), outcome=RunOutcome.LINKED)

    def settle(self, records: Records, report: RunReport, now: datetime) -> None:
        if self.last is not None:
            records.agent_cursors.note(NAME, str(self.last), now)


def _overtakes(link: Link, older: Correction, on: date) -> bool:
    """Say whether a message proposes another value for the same line than an earlier link of its conversation."""
    earlier = map(MESSAGE.__add__, map(attrgetter("chat_id"), link.earlier))
    is_of_talk = not set(older.evidence).isdisjoint(earlier)
    is_beside_it = older.status is Status.LINKED and older.said == shortened(link.statement)
    if not is_of_talk or not is_beside_it or not link.is_plain or not link.line_ready:
        return False
    values = value_exchanged(older.said, line_proposed(older))
    return values is not None and replaces_value(link.words, values[1].text, on)


def _edits(
    tree: Tree, ledger: bytes, statements: Collection[str], ended: Collection[str]
) -> tuple[Edit, ...]:
    """Return the edits that move ended links from the ledger to the archive; one whose line went stays, as the line may come back."""
    items = read_corrections(ledger)
    standing = [each for each in standing_links(items, statements) if each.correction_id not in ended]
    archives: dict[str, bytes] = {}
    for each in items:
        is_over = each.said in statements or each.correction_id in ended
        if each.status is Status.LINKED and each not in standing and is_over:
            path = archive_of(each)
            archive = archives.get(path, tree.read(path) or b"")
            ledger, archives[path] = move_corrections(ledger, archive, [each.correction_id])
    return tuple(starmap(Edit, {LEDGER: ledger, **archives}.items()))
