"""What a model reads around the messages that it mines: both sides of the talk in order, and the entries nearest to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.agents.authorised_edits import is_his
from clawgit.agents.candidate_entries import candidates
from clawgit.agents.miner.mined_material import cited_as, readable_text
from clawgit.agents.miner.model_miner import Talk
from clawgit.agents.model_prompts import Material
from clawgit.capture.messages.talk_before import talk_before
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from clawgit.agents.authorised_edits import Authority
    from clawgit.agents.candidate_entries import Candidate
    from clawgit.capture.messages.message import ChatMessage

TURNS = 4  # of both sides before a message
LONGEST_TURN = 600  # letters
NEAR, MOST_NEAR = 4, 20  # entries by a message, in a question


def talk_around(asked: Sequence[ChatMessage], authority: Authority) -> Talk:
    """Return messages with the turns and the entries around them; a turn that is not asked about is there for context."""
    turns: dict[str, ChatMessage] = {}
    near: list[Candidate] = []
    for message in asked:
        before = talk_before(authority.store, message)
        turns |= {each.chat_id: each for each in (*before[-TURNS:], message)}
        said = [each.text for each in reversed(before) if each.role == "assistant"]
        near += candidates(authority.history, readable_text(message), said, authority.now, most=NEAR)
    nearest = sorted(near, key=lambda each: -each.score)
    entries = {f"m:{each.entry_id}": each.statement for each in nearest if each.entry_id}
    in_order = sorted(turns.values(), key=lambda each: (each.channel, each.conversation, each.sent_at))
    ids = {each.chat_id for each in asked}
    zone = authority.now.tzinfo
    return Talk(
        asked,
        [_turn(each, each.sent_at.astimezone(zone).date(), each.chat_id in ids) for each in in_order],
        [Material(name, "memory", says) for name, says in list(entries.items())[:MOST_NEAR]],
    )


def _turn(message: ChatMessage, on: date, is_asked: bool) -> Material:
    """Return a message as a model reads it: one that is not asked about is cut short."""
    if is_asked:
        return Material(cited_as(message), "User, the operator", readable_text(message), on.isoformat())
    somebody = "User" if is_his(message) else "somebody else"
    who = "Agent, the agent itself" if message.role == "assistant" else somebody
    text = own_words(message.text)[:LONGEST_TURN]
    return Material(cited_as(message), f"{who}, for context", text, on.isoformat())
