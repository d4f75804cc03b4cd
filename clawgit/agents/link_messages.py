"""Hearing by search: the entry that a message of the operator's is about gets his words beside it, where they say what it does not.

No cue words, and nothing changes: whoever reads the entry reads the words as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.authorised_edits import is_his, turns_before
from clawgit.agents.door.candidate_entries import candidates
from clawgit.agents.door.correction_plans import TIME, remembered
from clawgit.agents.run_agent import Agent, Item, Planned, digest_of
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.why import present_words
from clawgit.memory.corrections.correction_log import (
    LEDGER,
    Correction,
    Status,
    archive_of,
    move_corrections,
    read_corrections,
)
from clawgit.memory.corrections.links import LOW, standing_links, statements_of
from clawgit.memory.corrections.write_correction import MEDIUM, added_to_ledger, shortened
from clawgit.memory.entries.entry_marks import new_entry_id
from clawgit.memory.provenance.pieces import piece_of
from clawgit.memory.trust import OPERATOR
from clawgit.plan import MESSAGE, Edit, Evidence, Plan
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.evidence.own_sentences import own_sentences
from clawgit.understanding.evidence.says_beyond import is_about, says_beyond, shared_words, telling_sentences
from clawgit.understanding.forms.numbered_answers import answers_in
from clawgit.understanding.patterns.own_words import own_words
from clawgit.workspace.records.records import RunOutcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from datetime import datetime

    from clawgit.agents.run_agent import RunReport
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.entries.entries import Entry
    from clawgit.workspace.records.records import Records

NAME = "recall-validator"
AT_ONCE = 1000  # messages of both sides; a search each of his takes 10 to 30 ms
LOOKED_AT = 10  # entries that a search finds
# Measured on talk of 120 exchanges over 441 entries: with one hit and a floor of 0.3, 30 of 60 corrections are linked to
# their entry; with two and 0.25, 39. Of 60 messages that correct nothing, seven links are made.
FLOOR, MOST_MEANT = 0.25, 2


class Link(NamedTuple):
    """A message, the sentences of it that are his own, and the entry that they are about; ``is_plain``: found with words of both."""

    message: ChatMessage
    words: str
    entry_id: str
    statement: str
    is_plain: bool

    @property
    def evidence_id(self) -> str:
        """Return how the message is cited."""
        return f"{MESSAGE}{self.message.chat_id}"


def new_links(
    history: History, store: MessageStore, records: Records, now: datetime, *, rehearses: bool
) -> Iterator[Linking]:
    """Yield the agent that links what was said since the last time; nobody where nothing is to be linked."""
    cursor = int(records.agent_cursors.of(NAME) or 0)
    messages, last = store.since(cursor, AT_ONCE)
    if rehearses:  # what the others would come to is not known
        messages = [each for each in messages if not each.signal.validator or each.validated_in]
    links = tuple(links_of(history, store, messages, now))
    if links:
        yield Linking(links=links, now=now, last=last)
    elif last != cursor and not rehearses:
        records.agent_cursors.note(NAME, str(last), now)


def links_of(
    history: History, store: MessageStore, messages: Iterable[ChatMessage], now: datetime
) -> Iterator[Link]:
    """Yield the links that messages make, as they were said; what was said before the entry says so is none."""
    tree = history.tip().tree
    entries = {held.parts.statement: held.entry for held in remembered(tree).entries()}
    if not entries:
        return
    known = standing_corrections(tree).values()
    beside = _words_beside(entries, known)
    for message in sorted(messages, key=lambda each: each.sent_at):
        if not is_his(message) or message.signal.veto or answers_in(message.text):
            continue
        stated = " ".join(telling_sentences(message.text))
        if not stated:
            continue
        words = folded(" ".join(own_sentences(message.text)))
        turn = own_words(next(iter(turns_before(store, message, 1)), ""))
        on = message.sent_at.astimezone(now.tzinfo).date()
        is_reproach = message.signal.validator is not None  # an entry has it, and it was no use
        for statement, is_plain in _meant(history, stated, turn, now, beside):
            entry = entries[statement]
            link = Link(message, words, entry.entry_id or "", statement, is_plain)
            is_news = is_reproach or says_beyond(stated, statement, on)
            if is_news and not _is_settled(link, known) and _is_later(link, history, store, entry):
                if is_plain:
                    beside.setdefault(statement, []).append(stated)
                yield link


def _words_beside(entries: Iterable[str], known: Iterable[Correction]) -> dict[str, list[str]]:
    """Return what is plainly linked beside statements: a second correction may share words with the first alone."""
    by_start = {shortened(each): each for each in entries}
    beside: dict[str, list[str]] = {}
    for each in known:
        if each.status is Status.LINKED and each.trigger_confidence != LOW and each.said in by_start:
            beside.setdefault(by_start[each.said], []).append(each.trigger)
    return beside


def _meant(
    history: History, said: str, turn: str, now: datetime, beside: dict[str, list[str]]
) -> list[tuple[str, bool]]:
    """Return the statements that a message is about, and whether that is plain.

    They are found with the agent's turn, or by what is beside them; else it is the best one found with either alone.
    """
    together = candidates(history, f"{said} {turn}", (), now, most=LOOKED_AT)
    near = [
        each.statement
        for each in together
        if each.score >= FLOOR and shared_words(said, turn, each.statement) > 1
    ]
    if near:
        return [(each, True) for each in near[:MOST_MEANT]]
    texts = [(each, f"{each} {words}") for each, all_words in beside.items() for words in all_words]
    shared = ((shared_words(said, turn, text), each) for each, text in texts if is_about(said, turn, text))
    most, statement = max(shared, default=(0, ""))
    if most > 1:
        return [(statement, True)]
    alone = candidates(history, said, (turn,), now, most=LOOKED_AT)
    found = (each.statement for each in alone if is_about(said, turn, each.statement))
    return [(each, shared_words(said, turn, each) > 1) for each in found][:1]


def _is_later(link: Link, history: History, store: MessageStore, entry: Entry) -> bool:
    """Say whether a message came after the present words of an entry, which do not rest on it."""
    present = present_words(history, piece_of(entry).words, entry.entry_id or "")
    cited = [store.get(each.removeprefix(MESSAGE)) for each in present.messages]
    told = [each.sent_at for each in cited if each is not None] or [present.at]
    return max(told) <= link.message.sent_at and link.evidence_id not in present.messages


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
        """Return the messages, and what they are beside."""
        return f"links {digest_of(*(f'{each.evidence_id} {each.statement}' for each in self.links))}"

    @property
    def label(self) -> str:
        """Return what a rehearsal calls it."""
        return "links"

    def plan(self, tree: Tree) -> Planned:
        """Return the ledger with what is not linked yet; links that ended go to the archive."""
        known = standing_corrections(tree)
        statements = statements_of(remembered(tree))
        ledger, taken = tree.read(LEDGER) or b"", set(known)
        linked: list[Correction] = []
        for link in self.links:
            if shortened(link.statement) not in statements or _is_settled(link, known.values()):
                continue
            item = self._item(link, taken)
            ledger = added_to_ledger(ledger, item)
            taken.add(item.correction_id)
            linked.append(item)
        if not linked:
            return Planned()
        more = f" (and {len(linked) - 1} more)" if linked[1:] else ""
        evidence = tuple(Evidence(each.evidence[0], each.trigger) for each in linked)
        plan = Plan(f"linked: {linked[0].trigger}{more}", _edits(tree, ledger, statements), evidence=evidence)
        return Planned(plan, items=tuple(map(_told, linked)), outcome=RunOutcome.LINKED)

    def _item(self, link: Link, taken: Collection[str]) -> Correction:
        return Correction(
            new_entry_id(f"{link.words}\0{link.statement}", link.evidence_id, taken),
            link.message.sent_at.astimezone(self.now.tzinfo).strftime(TIME),
            shortened(link.words),
            link.message.signal.validator or (MEDIUM if link.is_plain else LOW),
            said=shortened(link.statement),
            status=Status.LINKED,
            may_correct=(link.entry_id,) if link.entry_id else (),
            evidence=(link.evidence_id,),
        )

    def settle(self, records: Records, report: RunReport, now: datetime) -> None:
        """Note how far the messages were read."""
        if self.last is not None:
            records.agent_cursors.note(NAME, str(self.last), now)


def _is_settled(link: Link, known: Iterable[Correction]) -> bool:
    """Say whether the message corrected that entry, or is linked to it already; a question may be declined, so it is none."""
    statement = shortened(link.statement)
    for each in known:
        if link.evidence_id not in each.evidence:
            continue
        if each.correct and (link.entry_id in each.corrects or statement == each.correct):
            return True
        is_link = each.status in (Status.LINKED, Status.WITHDRAWN) and not each.proposed
        if is_link and each.said == statement:
            return True
    return False


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


def _told(item: Correction) -> Item:
    entry = f"m:{item.may_correct[0]}" if item.may_correct else ""
    return Item(RunOutcome.LINKED, f"x:{item.correction_id}", entry, item.said, item.trigger)
