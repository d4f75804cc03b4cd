"""What a model reads around the messages that it mines: both sides of the talk in order, and the entries nearest to it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.agents.authorised_edits import is_his, turns_before
from clawgit.agents.candidate_entries import candidates
from clawgit.agents.miner.model_miner import Around
from clawgit.agents.model_prompts import Material
from clawgit.capture.messages.message_store import Asked
from clawgit.plan import MESSAGE
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from clawgit.agents.candidate_entries import Candidate
    from clawgit.agents.miner.model_miner import Said
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History

TURNS = 4  # of both sides before a message
LONGEST_TURN = 600  # letters
NEAR, MOST_NEAR = 4, 20  # entries by a message, in a question


def talk_around(history: History, store: MessageStore, now: datetime, asked: Sequence[Said]) -> Around:
    """Return the turns and the entries around messages; a turn that is not asked about is there for context."""
    texts = {each.evidence_id: each.text for each in asked}
    turns: dict[str, ChatMessage] = {}
    near: dict[str, Candidate] = {}
    before: dict[str, tuple[str, ...]] = {}
    for evidence, text in texts.items():
        message = store.get(evidence.removeprefix(MESSAGE))
        if message is None:
            continue
        before[evidence] = turns_before(store, message)
        turns |= {each.chat_id: each for each in (*_spoken_before(store, message), message)}
        for entry in candidates(history, text, before[evidence], now, most=NEAR):
            if entry.entry_id and entry.score > (
                near[entry.entry_id].score if entry.entry_id in near else -1
            ):
                near[entry.entry_id] = entry
    in_order = sorted(turns.values(), key=lambda each: (each.channel, each.conversation, each.sent_at))
    nearest = sorted(near.values(), key=lambda each: -each.score)[:MOST_NEAR]
    return Around(
        [_turn(each, texts.get(f"{MESSAGE}{each.chat_id}"), now.tzinfo) for each in in_order],
        [Material(f"m:{each.entry_id}", "memory", each.statement) for each in nearest],
        before,
    )


def _spoken_before(store: MessageStore, message: ChatMessage) -> list[ChatMessage]:
    """Return what was said last before a message in its conversation, by either side."""
    until = message.sent_at + timedelta(milliseconds=1)
    wanted = Asked(
        message.channel, message.conversation, message.session or None, until=until, limit=3 * TURNS
    )
    spoken = [each for each in store.log(wanted) if each.role in ("user", "assistant")]
    at = next((at for at, each in enumerate(spoken) if each.chat_id == message.chat_id), len(spoken))
    return spoken[max(0, at - TURNS) : at]


def _turn(message: ChatMessage, asked: str | None, zone: tzinfo | None) -> Material:
    """Return a message as a model reads it: one that is not asked about is cut short."""
    on = message.sent_at.astimezone(zone).date().isoformat()
    evidence = f"{MESSAGE}{message.chat_id}"
    if asked is not None:
        return Material(evidence, "User, the operator", asked, on)
    somebody = "User" if is_his(message) else "somebody else"
    who = "Agent, the agent itself" if message.role == "assistant" else somebody
    return Material(evidence, f"{who}, for context", own_words(message.text)[:LONGEST_TURN], on)
