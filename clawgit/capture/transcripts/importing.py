"""Reading a transcript into the store: some hundred lines at a time, each time with how far it came."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

from clawgit.capture.messages.incoming_message import Rules, content_id, masked, take_down
from clawgit.capture.messages.message import ImportPoint
from clawgit.capture.transcripts.known_conversations import Transcript, known_talk
from clawgit.capture.transcripts.transcript_formats import (
    Format,
    Source,
    format_of,
    is_of_group,
    read_line,
    session_of,
)
from clawgit.capture.transcripts.transcript_lines import MAX_LINE, lines_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from clawgit.capture.messages.message import ChatMessage, Heard
    from clawgit.capture.messages.message_store import MessageStore

LINES, BYTES = 500, 4 * 1024 * 1024  # of one transaction
MARK = 4096  # so many bytes before a point tell whether the file is still the same
LOOKED_AT = 50
NAMED = 100
CHANNELS: dict[Format, str] = {"openclaw": "openclaw", "claude-code": "claude-code", "jsonl": "import"}


@dataclass(frozen=True, slots=True)
class Wish:
    """How a transcript is read: what it does not say itself, whose words it holds, and whether from the beginning."""

    format: Format | None = None
    channel: str = ""
    conversation: str = ""
    sender: str = ""
    by_operator: bool = False
    again: bool = False


@dataclass(slots=True)
class Imported:
    """What became of a transcript's lines; of the damaged ones the first are named.

    ``known_as``: the conversation that it is, where that was kept under another name than the file's.
    """

    path: str
    format: Format
    known_as: str = ""
    resumed_at: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    unknown_senders: Counter[str] = field(default_factory=Counter)
    claimed_senders: Counter[str] = field(default_factory=Counter)
    damaged: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)

    def blame(self, line: int, problem: str) -> None:
        """Note a damaged line."""
        self.damaged += 1
        if len(self.problems) < NAMED:
            self.problems.append((line, problem))


@dataclass(frozen=True, slots=True)
class Importer:
    """Reads transcripts into a store by the rules in force; ``progress`` is told the bytes that were read."""

    store: MessageStore
    rules: Rules
    now: datetime
    progress: Callable[[int], None] = lambda _: None

    def read(self, path: Path, wish: Wish) -> Imported:
        """Keep the messages of a transcript; what was read before is passed over, what is there stays.

        An interrupted import goes on where its last transaction ended. A last line that is still being written is
        left for the next time.
        """
        with path.open("rb") as file:
            source = source_of(file, path, wish)
            own = source.conversation
            talk = known_talk(self.store, Transcript(file, source, self.rules, self.now))
            source = replace(source, conversation=own if talk is None else talk)
            point = ImportPoint(masked(str(path.resolve())))
            if not (wish.again or wish.by_operator or talk is None):
                point = _still_there(file, self.store.import_point(point.source))
            done = Imported(str(path), source.format, "" if talk in (None, own) else str(talk), point.read)
            self.progress(point.read)
            while True:
                file.seek(point.read)
                messages, after = self._some(file, point, source, done)
                if after == point:
                    return done
                after = replace(after, mark=_mark(file, after.read))
                added = self.store.add(messages, claim=wish.by_operator, point=after)
                done.outcomes.update(each.outcome for each in added)
                self.progress(after.read - point.read)
                point = after

    def _some(
        self, file: BinaryIO, point: ImportPoint, source: Source, done: Imported
    ) -> tuple[list[ChatMessage], ImportPoint]:
        """Return the messages of the next lines, and the point after them."""
        messages: list[ChatMessage] = []
        start = point.read
        for line, end in islice(lines_of(file), LINES):
            found = read_line(line, source) if line is not None else None
            if found is not None and found.problem and not (line or b"").endswith(b"\n"):
                break  # half a line
            point = replace(point, read=end, lines=point.lines + 1)
            if found is None or found.problem:
                problem = found.problem if found else f"it is longer than {MAX_LINE // 1024 // 1024} MiB"
                done.blame(point.lines, problem)
            elif found.heard is not None:
                point = self._hear(found.heard, point, messages, done)
            if end - start > BYTES:
                break
        return messages, point

    def _hear(
        self, heard: Heard, point: ImportPoint, messages: list[ChatMessage], done: Imported
    ) -> ImportPoint:
        if not heard.message_id:
            chain = content_id(heard, point.chain)
            heard, point = heard._replace(message_id=chain), replace(point, chain=chain)
        kept = take_down(heard, self.rules, self.now)
        if isinstance(kept, str):
            done.left_out[kept] += 1
            return point
        messages.append(kept)
        if kept.role == "user" and not kept.is_operator:
            done.unknown_senders[kept.sender] += 1
        elif heard.by_operator and kept.sender:
            done.claimed_senders[kept.sender] += 1
        return point


def source_of(file: BinaryIO, path: Path, wish: Wish) -> Source:
    """Return what the messages of a transcript have in common; the file is read a little, from where it stands."""
    first = [line for line, _ in islice(lines_of(file), LOOKED_AT) if line and line.strip()]
    kind = wish.format or format_of(first)
    session = session_of(first[0]) if first else ""
    named = wish.conversation or ("" if kind == "claude-code" else session)
    by_file_name = not named and kind != "claude-code"
    return Source(
        kind,
        wish.channel or CHANNELS[kind],
        in_use(path).stem if by_file_name else named,
        session,
        wish.sender,
        wish.by_operator,
        group=kind == "openclaw" and any(map(is_of_group, first)),
        by_file_name=by_file_name,
    )


def in_use(path: Path) -> Path:
    """Return the transcript that was put aside as `NAME.jsonl.reset.TIME`; any other as it is."""
    name, aside, _ = path.name.partition(".jsonl.reset.")
    return path.with_name(f"{name}.jsonl") if aside else path


def _still_there(file: BinaryIO, point: ImportPoint) -> ImportPoint:
    """Return the point if the file goes on from it, else its beginning."""
    return point if point.read and _mark(file, point.read) == point.mark else ImportPoint(point.source)


def _mark(file: BinaryIO, end: int) -> str:
    start = max(0, end - MARK)
    file.seek(start)
    data = file.read(end - start)
    return sha256(data).hexdigest() if len(data) == end - start else ""
