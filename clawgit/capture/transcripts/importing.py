"""Imports transcripts of any format into the store, some hundred lines per transaction, and recognises messages already stored."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, BinaryIO, Final

from clawgit.capture.messages.incoming_message import (
    Rules,
    content_id,
    is_operator,
    masked,
    take_down,
    with_ids,
)
from clawgit.capture.messages.message import ImportPoint, MessageQuery, chat_id, written_time
from clawgit.capture.transcripts.claude_code_lines import CLAUDE_CODE
from clawgit.capture.transcripts.codex_lines import CODEX
from clawgit.capture.transcripts.openclaw_lines import (
    NOT_FOR_OPENCLAW,
    NOT_THE_OWNER,
    OPENCLAW,
    is_automatic,
    sender_in,
)
from clawgit.capture.transcripts.plain_lines import PLAIN
from clawgit.capture.transcripts.transcript_source import (
    MAX_LINE,
    TranscriptLine,
    TranscriptSource,
    in_use,
    lines_of,
    object_of,
    rows_as_lines,
)
from clawgit.errors import ClawgitError
from clawgit.memory.trust import EXTERNAL
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator
    from pathlib import Path

    from clawgit.capture.messages.message import ChatMessage, IncomingMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.capture.transcripts.transcript_source import Format, Wish

LOOKED_AT = 200  # lines
_ROWS: Final = (OPENCLAW, CLAUDE_CODE, CODEX, PLAIN)
FORMATS: Final[dict[str, Format]] = {each.name: each for each in _ROWS}
NEAR, MOST = timedelta(seconds=10), 100  # messages within so short a time
TELLING = 3  # messages without a time; fewer may be a common greeting
LINES, BYTES = 500, 4 * 1024 * 1024  # of one transaction
MARK = 4096  # bytes before a point that identify the file
NAMED = 100
RUNS = ".trajectory.jsonl"  # OpenClaw's records of its runs, beside the transcripts
TOO_LONG = TranscriptLine(problem=f"it is longer than {MAX_LINE // 1024 // 1024} MiB")
BY_TEXT = "only their text names their sender: claim them with --as operator --sender ID"


def format_of(lines: Iterable[bytes]) -> str:
    """Return the format of most of the first lines, ignoring empty, damaged and unknown ones."""
    first = islice((line for line in lines if line.strip()), LOOKED_AT)
    votes = Counter[str]()
    for record in filter(None, map(object_of, first)):
        # Codex first: it repeats keys of these in its payload.
        name = next((each.name for each in (CODEX, *_ROWS) if each.is_own(record)), "")
        if isinstance(record.get("role"), str) or isinstance(record.get("text"), str):
            name = PLAIN.name
        if name:
            votes[name] += 1
    return max(votes, key=lambda name: votes[name], default=PLAIN.name)


def read_line(line: bytes, source: TranscriptSource) -> TranscriptLine:
    if not line.strip():
        return TranscriptLine()
    record = object_of(line)
    if record is None:
        return TranscriptLine(problem="it is not a JSON object")
    read = FORMATS[source.format].read(record, source)
    heard = read.heard
    if heard is None or heard.role != "user" or heard.group:
        return read
    named = "" if FORMATS[source.format].cuts_senders else sender_in(heard.text)
    if named and heard.sender in ("", source.sender):
        heard = heard._replace(sender=named)
        read = read._replace(by_text=True)
    if source.claimed and heard.sender != source.claimed:
        heard = heard._replace(by_operator=False)
    if read.by_text and not heard.by_operator:
        heard = heard._replace(most_trust=EXTERNAL)
    return read._replace(heard=heard)


def refuse_unwritable(name: str, transcript: object) -> None:
    """Refuse to shorten a transcript in a format whose prompt cannot be written."""
    if FORMATS[name].prompt is None:
        what, hint = FORMATS[name].no_prompt
        sentence = f"{transcript} is {what}, which neither `compact` nor `prune` can write."
        raise ClawgitError(sentence, hint=hint)


@dataclass(slots=True)
class Imported:
    """The result of an import; the first damaged lines are listed."""

    path: str
    format: str
    known_as: str = ""  # name of the stored conversation, if other than the file's
    resumed_at: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    unknown_senders: Counter[str] = field(default_factory=Counter)
    barred: Counter[str] = field(default_factory=Counter)  # why messages cannot be claimed
    passed_over: str = ""  # why it was not read at all
    has_more: bool = False  # the host has older messages of the session
    damaged: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)
    met: set[str] = field(default_factory=set)  # live messages matched with a line of it

    def blame(self, line: int, problem: str) -> None:
        self.damaged += 1
        if len(self.problems) < NAMED:
            self.problems.append((line, problem))


@dataclass(frozen=True, slots=True)
class Importer:
    """Reads transcripts into a store by the rules in force; ``progress`` gets the bytes read."""

    store: MessageStore
    rules: Rules
    now: datetime
    progress: Callable[[int], None] = lambda _: None

    def read(self, path: Path, wish: Wish) -> Imported:
        """Keep the messages of a transcript after its last transaction; a partial last line is left for the next time."""
        if path.name.endswith(RUNS):
            talk_file = f"{path.name.removesuffix(RUNS)}.jsonl"
            notice = f"{path} was passed over: it is OpenClaw's record of its runs; what was said is in {talk_file}."
            return Imported(str(path), "openclaw", passed_over=notice)
        with open_transcript(path) as file:
            source = source_of(file, path, wish)
            own = source.conversation
            talk = self.known_talk(file, source)
            if talk is not None:
                source = replace(source, conversation=talk)
            point = ImportPoint(masked(str(path.resolve())))
            if not (wish.again or wish.by_operator or talk is None):
                earlier = self.store.import_point(point.source)
                if earlier.read and _mark(file, earlier.read) == earlier.mark:  # still the same file
                    point = earlier
            known_as = "" if talk in (None, own) else str(talk)
            done = Imported(str(path), source.format, known_as, point.read, has_more=source.known.has_more)
            self.progress(point.read)
            while True:
                file.seek(point.read)
                messages, after = self._some(file, point, source, done)
                if after == point:
                    return done
                after = after._replace(mark=_mark(file, after.read))
                added = self.store.add(messages, claim=wish.by_operator or wish.owner_counts, point=after)
                done.outcomes.update(map(attrgetter("outcome"), added))
                self.progress(after.read - point.read)
                point = after

    def known_talk(self, file: BinaryIO, source: TranscriptSource) -> str | None:
        """Return the stored conversation that a transcript repeats or continues (the file's own name first), or None."""
        own = source.conversation
        if not source.by_file_name:
            return own
        _, first = next(self._messages(file, source), (None, None))
        if first is None or first.conversation != own:
            return own
        if self.store.get(first.chat_id) is not None:
            return own
        holding = self.store.conversations_with(first.channel, first.message_id)
        shared = {each: self._shared(file, source, each) for each in holding}
        best = max(shared, key=lambda each: shared[each], default=own)
        if shared.get(best):
            return best
        return None

    def _shared(self, file: BinaryIO, source: TranscriptSource, conversation: str) -> int:
        """Return the number of equal messages at the start of a transcript and a conversation; 0 if both go on differently."""
        shared: set[str] = set()
        is_timed = False
        for heard, message in self._messages(file, source):
            there = self.store.get(chat_id(message.channel, conversation, message.message_id))
            is_same = there is not None and (there.role, there.text) == (message.role, message.text)
            if there is not None and heard.sent_at is not None:
                is_same = is_same and written_time(there.sent_at) == written_time(message.sent_at)
            if there is None or not is_same:
                is_whole = len(shared) == self.store.count_in(message.channel, conversation)
                if is_whole and (is_timed or len(shared) >= TELLING):
                    return len(shared)
                return 0
            shared.add(there.chat_id)
            is_timed = is_timed or heard.sent_at is not None
        return len(shared)

    def _messages(
        self, file: BinaryIO, source: TranscriptSource
    ) -> Iterator[tuple[IncomingMessage, ChatMessage]]:
        file.seek(0)
        # Only for comparing: no triage needed.
        rules = Rules(group_chats=self.rules.group_chats, since=self.rules.since)
        source = replace(source, by_operator=False)
        read = (read_line(line, source).heard for line, _ in lines_of(file) if line is not None)
        for heard in with_ids(each for each in read if each is not None):
            message = take_down(heard, rules, self.now)
            if not isinstance(message, str):
                yield heard, message

    def _live_twin(
        self, heard: IncomingMessage, source: TranscriptSource, met: Container[str]
    ) -> ChatMessage | None:
        """Return the message captured live under another id: same text and place, within seconds."""
        if heard.sent_at is None:
            return None
        message = take_down(heard._replace(group=False), Rules(), heard.sent_at)
        if isinstance(message, str) or self.store.get(message.chat_id) is not None:
            return None
        chat = f"{heard.channel}:{heard.conversation}"
        names = {heard.conversation, chat, source.session, *source.known.keys} - {""}
        near = MessageQuery(
            role=message.role, since=message.sent_at - NEAR, until=message.sent_at + NEAR, limit=MOST
        )
        for there in self.store.log(near):
            is_there = (
                not names.isdisjoint((there.conversation, there.session)) and there.text == message.text
            )
            by_him = there.sender == message.sender or not (there.sender and message.sender)
            if is_there and by_him and there.message_id not in source.known.ids and there.chat_id not in met:
                return there
        return None

    def _some(
        self, file: BinaryIO, point: ImportPoint, source: TranscriptSource, done: Imported
    ) -> tuple[list[ChatMessage], ImportPoint]:
        messages: list[ChatMessage] = []
        start = point.read
        for line, end in islice(lines_of(file), LINES):
            read = TOO_LONG if line is None else read_line(line, source)
            if read.problem and line is not None and not line.endswith(b"\n"):
                break  # partial line
            point = point._replace(read=end, lines=point.lines + 1)
            if read.problem:
                done.blame(point.lines, read.problem)
            elif read.left_out:
                done.left_out[read.left_out] += 1
            elif read.heard is not None:
                point = self._hear(self._where_kept(read, source, done.met), point, messages, done)
            if end - start > BYTES:
                break
        return messages, point

    def _where_kept(self, read: TranscriptLine, source: TranscriptSource, met: set[str]) -> TranscriptLine:
        """Return a message under the identity it was captured live with, if it was: by the channel's id or by its text."""
        heard = read.heard
        kind = FORMATS[source.format]
        if not kind.is_live or heard is None:
            return read
        if kind.has_own_ids and heard.role == "user" and heard.message_id:
            # Stored under another name of the conversation, with the same text.
            for name in (f"{heard.channel}:{heard.conversation}", *source.known.keys):
                there = self.store.get(chat_id(heard.channel, name, heard.message_id))
                if there is None:
                    continue
                message = take_down(heard._replace(group=False), Rules(), self.now)
                if not isinstance(message, str) and (there.role, there.text) == (message.role, message.text):
                    return read._replace(heard=heard._replace(conversation=name))
        twin = self._live_twin(heard, source, met)
        if twin is None:
            return read
        met.add(twin.chat_id)
        sender = twin.sender or heard.sender
        is_decided = bool(twin.sender and self.rules.operator_ids)  # decided by these, not by the claim
        heard = heard._replace(
            channel=twin.channel,
            conversation=twin.conversation,
            message_id=twin.message_id,
            sender=sender,
            by_operator=heard.by_operator and not is_decided and source.claimed in ("", sender),
        )
        return read._replace(heard=heard)

    def _hear(
        self, read: TranscriptLine, point: ImportPoint, messages: list[ChatMessage], done: Imported
    ) -> ImportPoint:
        heard = read.heard
        if heard is None:
            return point
        if not heard.message_id:
            chain = content_id(heard, point.chain)
            heard = heard._replace(message_id=chain)
            point = point._replace(chain=chain)
        message = take_down(heard, self.rules, self.now)
        if isinstance(message, str):
            done.left_out[message] += 1
            return point
        messages.append(message)
        if message.role == "user" and not message.is_operator:
            is_his_id = is_operator(heard.channel, heard.sender, self.rules.operator_ids)
            if read.by_text and is_his_id:
                done.barred[BY_TEXT] += 1
            elif read.barred == NOT_THE_OWNER and is_his_id:
                done.barred[NOT_FOR_OPENCLAW] += 1
            elif read.barred:
                done.barred[read.barred] += 1
            else:
                done.unknown_senders[message.sender] += 1
        return point


@contextmanager
def open_transcript(path: Path) -> Iterator[BinaryIO]:
    """Open a transcript; the rows of one JSON document are its lines."""
    with open_regular(path) as file:
        yield rows_as_lines(file)


def source_of(file: BinaryIO, path: Path, wish: Wish) -> TranscriptSource:
    """Return the common fields of a transcript's messages; reads the file from its beginning."""
    kind = FORMATS[wish.format or format_of(_from_the_beginning(file))]
    survey = kind.survey(_from_the_beginning(file))
    conversation = wish.conversation or survey.conversation
    if not kind.has_folders:
        conversation = conversation or survey.session
    by_file_name = not conversation and not kind.has_folders
    source = TranscriptSource(
        kind.name,
        wish.channel or kind.channel or kind.name,
        in_use(path).stem if by_file_name else conversation,
        survey.session,
        wish.sender,
        wish.by_operator,
        by_file_name=by_file_name,
        owner_counts=wish.owner_counts,
        automatic=is_automatic(survey.keys),
        known=survey,
    )
    source = kind.place(source, path, wish, _from_the_beginning(file))
    if not (wish.by_operator and wish.sender):
        return source
    if not source.is_direct and {*claimable(file, replace(source, sender=""))} - {wish.sender}:
        source = replace(source, sender="")  # it names senders, so a message without one has no known sender
    return replace(source, claimed=wish.sender)


def claimable(file: BinaryIO, source: TranscriptSource) -> Counter[str]:
    """Return the senders whose messages the operator's claim would take, with counts."""
    senders = Counter[str]()
    for line in _from_the_beginning(file):
        heard = read_line(line, source).heard
        if heard is not None and heard.by_operator and heard.sender:
            senders[heard.sender] += 1
    return senders


def refuse_several(paths: Iterable[Path], wish: Wish, operator_ids: tuple[str, ...]) -> None:
    """Refuse a claim for transcripts with several senders, unless one is given or all are the operator's."""
    if not wish.by_operator or wish.sender:
        return
    counts = Counter[str]()
    strangers = False
    for path in paths:
        with open_transcript(path) as file:
            source = source_of(file, path, wish)
            senders = claimable(file, source)
        counts.update(senders)
        strangers = strangers or any(not is_operator(source.channel, each, operator_ids) for each in senders)
    if len(counts) > 1 and strangers:
        named = ", ".join(f"{masked(name)} ({count:,})" for name, count in counts.most_common(NAMED))
        sentence = f"{len(counts):,} senders are named, with so many messages: {named}. Nothing was read."
        hint = "Say which of them is you: `--as operator --sender ID`. The others stay who they are."
        raise ClawgitError(sentence, hint=hint)


def _from_the_beginning(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    return (line for line, _ in lines_of(file) if line is not None)


def _mark(file: BinaryIO, end: int) -> str:
    start = max(0, end - MARK)
    file.seek(start)
    data = file.read(end - start)
    if len(data) == end - start:
        return sha256(data).hexdigest()
    return ""
