"""The input of edits and links: memory in a tree, the entry that a name means, and the part of a message to put beside a line."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from clawgit.capture.messages.message import ChatMessage, is_his, talk_before
from clawgit.capture.sessions.taken_back import taken_back_by
from clawgit.history.git.trees import Tree, entry_files
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.memory.corrections.correction_log import LEDGER, MAY_LINK, Correction, Status
from clawgit.memory.corrections.write_correction import (
    MEDIUM,
    EntryInFile,
    MemoryFiles,
    shortened,
    standing_links,
)
from clawgit.memory.entries.entries import new_entry_id
from clawgit.memory.entries.statements import parted, sentences_of
from clawgit.memory.entries.tiers import WRITTEN, holds_entries
from clawgit.memory.trust import EXTERNAL
from clawgit.memory.undo.text_units import line_statements
from clawgit.plan import MESSAGE
from clawgit.text.comparing.subjects import subject
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import holds_a_secret, redact_talk
from clawgit.understanding.corrections.ready_commands import beside_now
from clawgit.understanding.evidence.own_sentences import own_sentences
from clawgit.understanding.evidence.says_beyond import shared_words, telling_sentences
from clawgit.understanding.evidence.taking_back import still_said
from clawgit.understanding.forms.numbered_answers import answers_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History

AT_HAND = timedelta(minutes=30)  # in which a turn answers another
_COMMENT = lazy_pattern(r"<!--|-->")  # an open one would hide the lines after it
_DASH = lazy_pattern(r"(?<=\s)[-*+](?=\s)")  # a field separator of the log


def remembered(tree: Tree) -> MemoryFiles:
    """Return memory and ledger of a tree, as corrections need them."""
    files = {path: tree.read(path) or b"" for path in entry_files(tree)}
    return MemoryFiles(files, tree.read(LEDGER) or b"", frozenset(standing_corrections(tree)))


def entry_meant(name: str, memory: MemoryFiles) -> EntryInFile | None:
    """Return the entry with that id (`m:…`, or without the mark), or the only one that says just that, or as much as the ledger has of it."""
    entry_id = name.removeprefix("m:")
    statement = shortened(parted(folded(name)).statement)
    same = []
    for candidate in memory.entries_below_headings():
        if entry_id and candidate.entry.entry_id == entry_id:
            return candidate
        if shortened(candidate.parts.statement) == statement:
            same.append(candidate)
    return same[0] if len(same) == 1 else None


def corrected_since(statement: str, memory: MemoryFiles, tree: Tree) -> EntryInFile | None:
    """Return the entry that said this before another correction."""
    for each in standing_corrections(tree).values():
        if each.holds and each.said == shortened(statement):
            for entry_id in each.corrects:
                return entry_meant(f"m:{entry_id}", memory)
    return None


def links_in(history: History, tree: Tree | None = None) -> list[Correction]:
    """Return the links to present entries and present lines of files beside memory, also to what corrections made of them since."""
    tree = tree or history.tip().tree
    if MAY_LINK not in (tree.read(LEDGER) or b""):
        return []
    from clawgit.history.provenance.statement_changes import are_of_two  # noqa: PLC0415 - only where links are

    corrections = standing_corrections(tree).values()
    statements = linked_statements(tree, corrections)
    links = []
    for each in corrections:
        if each.status is Status.LINKED and each.said not in statements:
            links.append(beside_now(each, corrections, partial(are_of_two, history)))
        else:
            links.append(each)
    return standing_links(links, statements)


def link_now(history: History, link: Correction, tree: Tree | None = None) -> tuple[Correction, bool]:
    """Return a link with what its line says by now, and whether it has ended; of a question, whether its line has."""
    for each in links_in(history, tree):
        if each.correction_id == link.correction_id:
            return link._replace(said=each.said), False
    if link.proposed and link.status is Status.OPEN:
        return link, link.said not in linked_statements(tree or history.tip().tree, [link])
    return link, link.status is Status.LINKED


def links_saying(history: History, unwanted: str) -> list[Correction]:
    """Return the links that contain all the words to be forgotten, they or the line beside them."""
    about = subject(unwanted)
    if not about:
        return []
    return [
        each for each in links_in(history) if about <= subject(each.trigger) or about <= subject(each.said)
    ]


def linked_statements(
    tree: Tree, corrections: Collection[Correction], others: Iterable[str] = ()
) -> frozenset[str]:
    """Return the present statements of entries and of uncorrected lines that a link (or one of ``others``) names."""
    paths = {*others, *(each.beside for each in corrections)} - {""}
    if any(map(holds_entries, paths)):  # a row can move from one file of memory to another
        paths.update(entry_files(tree))
    lines = set[str]()
    for path in paths:
        for statement in line_statements(tree.read(path) or b"", path):
            lines.add(shortened(parted(statement.words).statement))
    lines -= {each.said for each in corrections if each.holds}
    lines.update(shortened(entry.parts.statement) for entry in remembered(tree).entries())
    return frozenset(lines)


def stated_by(store: MessageStore, message: ChatMessage) -> str:
    """Return the part of a message to put beside a line; empty for one that must not be kept."""
    if not is_his(message) or message.signal.veto or answers_in(message.text):
        return ""
    if not still_said(own_sentences(message.text)):
        return ""
    if holds_a_secret(message.text):
        return ""
    if taken_back_by(store, message) is not None:
        return ""
    return " ".join(telling_sentences(message.text))


def answered_turn(store: MessageStore, message: ChatMessage, about: str, *, least: int = 1) -> str:
    """Return the sentence of the agent's preceding turn that shares most words with ``about``, in the ledger's form.

    Empty if someone else spoke between, it may not be kept, is too old, or shares fewer than ``least`` words.
    """
    spoken = talk_before(store, message, vetoed=True)
    if not spoken or spoken[-1].role != "assistant" or spoken[-1].is_vetoed:
        return ""
    if spoken[-1].trust == EXTERNAL or message.sent_at - spoken[-1].sent_at > AT_HAND:
        return ""
    answered, most = "", least - 1
    for sentence in sentences_of(redact_talk(spoken[-1].text)):
        shared = shared_words(about, sentence)
        if shared > most:
            answered, most = sentence, shared
    return _DASH.sub("–", shortened(folded(_COMMENT.sub(" ", answered))))


def link_item(
    message: ChatMessage,
    quote: str,
    entry_id: str | None,
    statement: str,
    now: datetime,
    taken: Collection[str],
) -> Correction:
    """Return the ledger item that links a quote to a statement."""
    cited = MESSAGE + message.chat_id
    return Correction(
        new_entry_id(f"{quote}\0{statement}", cited, taken),
        message.sent_at.astimezone(now.tzinfo).strftime(WRITTEN),
        shortened(quote),
        message.signal.validator or MEDIUM,
        said=shortened(statement),
        status=Status.LINKED,
        may_correct=(entry_id,) if entry_id else (),
        evidence=(cited,),
    )
