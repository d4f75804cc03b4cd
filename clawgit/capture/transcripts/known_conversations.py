"""What of a transcript is kept already: its conversation, whatever its file is called by now, and what was captured live."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.capture.messages.incoming_message import Rules, take_down, with_ids
from clawgit.capture.messages.message import chat_id, written_time
from clawgit.capture.messages.message_store import Asked
from clawgit.capture.transcripts.transcript_formats import read_line
from clawgit.capture.transcripts.transcript_lines import lines_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from datetime import datetime
    from typing import BinaryIO

    from clawgit.capture.messages.message import ChatMessage, Heard
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.capture.transcripts.transcript_source import Source

NEAR, MOST = timedelta(seconds=10), 100  # messages in so short a time
TELLING = 3  # messages without a time: fewer are a greeting with which many talks begin


@dataclass(frozen=True, slots=True)
class Transcript:
    """An open transcript, what its messages have in common, and what decides over them."""

    file: BinaryIO
    source: Source
    rules: Rules
    now: datetime

    def messages(self) -> Iterator[tuple[Heard, ChatMessage]]:
        """Yield its messages from the beginning, as they are heard and as they would be kept."""
        self.file.seek(0)
        # Nobody's words need triage here.
        rules = Rules(group_chats=self.rules.group_chats, since=self.rules.since)
        source = replace(self.source, by_operator=False)
        read = (read_line(line, source).heard for line, _ in lines_of(self.file) if line is not None)
        for heard in with_ids(each for each in read if each is not None):
            message = take_down(heard, rules, self.now)
            if not isinstance(message, str):
                yield heard, message


def known_talk(store: MessageStore, transcript: Transcript) -> str | None:
    """Return the conversation of which a transcript is a copy, an earlier state, or an earlier state that went on.

    That of the file's own name counts first. None where it is new. What names its conversation is not looked up.
    """
    own = transcript.source.conversation
    if not transcript.source.by_file_name:
        return own
    _, first = next(transcript.messages(), (None, None))
    if first is None or first.conversation != own:
        return own
    if store.get(first.chat_id) is not None:
        return own
    holding = store.conversations_with(first.channel, first.message_id)
    shared = {each: _shared(store, transcript, each) for each in holding}
    best = max(shared, key=lambda each: shared[each], default=own)
    return best if shared.get(best) else None


def kept_place(store: MessageStore, heard: Heard, names: Iterable[str], now: datetime) -> str | None:
    """Return the one of a conversation's other names under which a message with this id and these words is kept already."""
    for name in names:
        there = store.get(chat_id(heard.channel, name, heard.message_id))
        message = take_down(heard._replace(group=False), Rules(), now) if there is not None else ""
        if (
            there is not None
            and not isinstance(message, str)
            and (there.role, there.text) == (message.role, message.text)
        ):
            return name
    return None


def live_twin(store: MessageStore, heard: Heard, source: Source, met: Container[str]) -> ChatMessage | None:
    """Return the message that was captured live under another id: the same words there, within seconds.

    ``met``: messages that stand for another line of the transcript already.
    """
    message = take_down(heard._replace(group=False), Rules(), heard.sent_at) if heard.sent_at else ""
    if isinstance(message, str) or store.get(message.chat_id) is not None:
        return None
    chat = f"{heard.channel}:{heard.conversation}"
    names = {heard.conversation, chat, source.session, *source.known.keys} - {""}
    near = Asked(role=message.role, since=message.sent_at - NEAR, until=message.sent_at + NEAR, limit=MOST)
    for there in store.log(near):
        is_there = not names.isdisjoint((there.conversation, there.session)) and there.text == message.text
        by_him = there.sender == message.sender or not (there.sender and message.sender)
        if is_there and by_him and there.message_id not in source.known.ids and there.chat_id not in met:
            return there
    return None


def _shared(store: MessageStore, transcript: Transcript, conversation: str) -> int:
    """Return how many messages a transcript and a conversation begin with alike; 0 where each goes on by itself."""
    shared: set[str] = set()
    is_timed = False
    for heard, message in transcript.messages():
        there = store.get(chat_id(message.channel, conversation, message.message_id))
        if there is None or not _is_same(there, heard, message):
            is_whole = len(shared) == store.count_in(message.channel, conversation)
            return len(shared) if is_whole and (is_timed or len(shared) >= TELLING) else 0
        shared.add(there.chat_id)
        is_timed = is_timed or heard.sent_at is not None
    return len(shared)


def _is_same(there: ChatMessage, heard: Heard, message: ChatMessage) -> bool:
    at_that_time = heard.sent_at is None or written_time(there.sent_at) == written_time(message.sent_at)
    return at_that_time and (there.role, there.text) == (message.role, message.text)
