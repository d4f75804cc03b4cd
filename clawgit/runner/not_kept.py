"""What the operator said and neither memory nor a link has: a sentence each, and the command that keeps it."""

from __future__ import annotations

import shlex
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.authorised_edits import is_his
from clawgit.agents.door.correction_plans import remembered
from clawgit.capture.messages.open_messages import open_messages
from clawgit.capture.sessions.sessions import without_withdrawn
from clawgit.history.provenance.entries_at_tip import read_cited
from clawgit.history.undo.forgetting import forget_command
from clawgit.memory.entries.statements import without_order
from clawgit.plan import MESSAGE
from clawgit.text.safety.secrets import holds_a_secret, redact
from clawgit.understanding.facts.keepable_sentences import stated_in, to_forget
from clawgit.understanding.facts.same_statement import Relation, Statements
from clawgit.understanding.triage.triage_message import triage

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.repository import History

HEARD = timedelta(days=3)  # that these are news
_BEGINNING = 100  # characters by which a quotation is known, which may be cut


class NotKept(NamedTuple):
    """A sentence of the operator's, and the command that does what it asks."""

    text: str
    command: str


def heard_not_kept(history: History, now: datetime) -> dict[str, list[NotKept]]:
    """Return the operator's sentences that say something and that neither memory nor a link has, by message, the newest day first."""
    with open_messages(history, now) as store:
        messages = store.read_since(now - HEARD)
    if not messages:
        return {}
    quotes = read_cited(history).quotes
    left: list[tuple[ChatMessage, list[str]]] = []
    for message in without_withdrawn(history, messages):
        if not is_his(message) or (message.signal.validator and not message.validated_in):
            continue
        quoted = quotes.get(f"{MESSAGE}{message.chat_id}", ())
        has = " ".join(quoted)
        sentences = [each for each in stated_in(message.text) if redact(each)[:_BEGINNING] not in has]
        if sentences and "" not in quoted:
            left.append((message, sentences))
    if not left:
        return {}
    memory = Statements(each.parts.statement for each in remembered(history.tip().tree).entries())
    heard: dict[str, list[NotKept]] = {}
    # the newest day first, and of a day what triage flagged
    left.sort(key=lambda each: (each[0].sent_at.date(), each[0].signal.miner), reverse=True)
    for message, sentences in left:
        name = f"{MESSAGE}{message.chat_id}"
        for sentence in sentences:
            if not any(how is Relation.SAME for _, how in memory.like(without_order(sentence))):
                heard.setdefault(name, []).append(_heard(history, name, sentence))
    return heard


def _heard(history: History, name: str, sentence: str) -> NotKept:
    if holds_a_secret(sentence):
        return NotKept("Something that looks like a secret was left out", f"clawgit memory get {name}")
    unwanted = to_forget(sentence)
    if unwanted:
        return NotKept(sentence, forget_command(history, unwanted))
    signal = triage(sentence)
    if signal.validator and not signal.miner:
        return NotKept(sentence, f'clawgit correct "WHAT IS WRONG" {shlex.quote(sentence)}')
    return NotKept(sentence, f"clawgit remember {_quoted(sentence)}")


def _quoted(sentence: str) -> str:
    """Return a sentence for a shell: one with an apostrophe in double quotes, where no other sign of it means something there."""
    if "'" in sentence and not set('"$`\\!').intersection(sentence):
        return f'"{sentence}"'
    return shlex.quote(sentence)
