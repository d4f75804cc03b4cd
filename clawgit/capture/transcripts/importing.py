"""Reading a transcript into the store: some hundred lines at a time, each time with how far it came."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

from clawgit.capture.messages.incoming_message import Rules, content_id, is_operator, masked, take_down
from clawgit.capture.messages.message import ImportPoint
from clawgit.capture.transcripts.known_conversations import Transcript, kept_place, known_talk, live_twin
from clawgit.capture.transcripts.named_senders import senders_of
from clawgit.capture.transcripts.openclaw_lines import NOT_FOR_OPENCLAW, NOT_THE_OWNER, is_of_group
from clawgit.capture.transcripts.openclaw_sessions import chat_of, is_automatic, is_group, listed_session
from clawgit.capture.transcripts.transcript_formats import format_of, read_line, survey
from clawgit.capture.transcripts.transcript_lines import MAX_LINE, lines_of, rows_as_lines
from clawgit.capture.transcripts.transcript_source import Source
from clawgit.errors import ClawgitError
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from clawgit.capture.messages.message import ChatMessage, Heard
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.capture.transcripts.transcript_source import Format, Line

LINES, BYTES = 500, 4 * 1024 * 1024  # of one transaction
MARK = 4096  # so many bytes before a point tell whether the file is still the same
BEGINNING = 50
NAMED = 100
RUNS = ".trajectory.jsonl"  # OpenClaw's records of its runs, beside the transcripts
PLAIN_CHANNEL = "import"
BY_TEXT = "only their text names their sender: claim them with --as operator --sender ID"
UNLISTED = "sessions.json does not list their session, so others may have spoken there"


class SeveralSendersError(ClawgitError):
    """The operator claims messages of several senders."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a transcript is read: what it does not say itself, whose words it holds, and whether from the beginning.

    ``owner_counts``: the operator himself brings it, so whom a host calls its owner is him.
    """

    format: Format | None = None
    channel: str = ""
    conversation: str = ""
    sender: str = ""
    by_operator: bool = False
    owner_counts: bool = False
    again: bool = False


@dataclass(slots=True)
class Imported:
    """What became of a transcript's lines; of the damaged ones the first are named.

    ``known_as``: the conversation that it is, where that was kept under another name than the file's. ``barred``: why messages
    are not the operator's whatever he says of the file. ``passed_over``: why it was not read at all. ``has_more``: the
    host has older messages of the session. ``met``: messages captured live
    that stand for a line of it.
    """

    path: str
    format: Format
    known_as: str = ""
    resumed_at: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    unknown_senders: Counter[str] = field(default_factory=Counter)
    barred: Counter[str] = field(default_factory=Counter)
    passed_over: str = ""
    has_more: bool = False
    damaged: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)
    met: set[str] = field(default_factory=set)

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
        if path.name.endswith(RUNS):
            return Imported(str(path), "openclaw", passed_over=_runs_sentence(path))
        with open_transcript(path) as file:
            source = source_of(file, path, wish)
            own = source.conversation
            talk = known_talk(self.store, Transcript(file, source, self.rules, self.now))
            source = replace(source, conversation=own if talk is None else talk)
            point = ImportPoint(masked(str(path.resolve())))
            if not (wish.again or wish.by_operator or talk is None):
                point = _still_there(file, self.store.import_point(point.source))
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
            point = point._replace(read=end, lines=point.lines + 1)
            if found is None or found.problem:
                problem = found.problem if found else f"it is longer than {MAX_LINE // 1024 // 1024} MiB"
                done.blame(point.lines, problem)
            elif found.left_out:
                done.left_out[found.left_out] += 1
            elif found.heard is not None:
                point = self._hear(self._where_kept(found, source, done.met), point, messages, done)
            if end - start > BYTES:
                break
        return messages, point

    def _where_kept(self, found: Line, source: Source, met: set[str]) -> Line:
        """Return a message as it was captured live, if it was: under the channel's id of it, or known by its words."""
        heard = found.heard
        if source.format == "jsonl" or heard is None:
            return found
        names = (f"{heard.channel}:{heard.conversation}", *source.known.keys)
        is_named = source.format == "openclaw" and heard.role == "user" and heard.message_id
        place = kept_place(self.store, heard, names, self.now) if is_named else None
        if place is not None:
            return replace(found, heard=heard._replace(conversation=place))
        twin = live_twin(self.store, heard, source, met)
        if twin is None:
            return found
        met.add(twin.chat_id)
        by_operator = heard.by_operator and not (twin.sender and self.rules.operator_ids)  # these know him
        heard = heard._replace(
            channel=twin.channel, conversation=twin.conversation, message_id=twin.message_id
        )
        sender = twin.sender or heard.sender
        by_operator = by_operator and source.claimed in ("", sender)
        return replace(found, heard=heard._replace(sender=sender, by_operator=by_operator))

    def _hear(
        self, found: Line, point: ImportPoint, messages: list[ChatMessage], done: Imported
    ) -> ImportPoint:
        heard = found.heard
        if heard is None:
            return point
        if not heard.message_id:
            chain = content_id(heard, point.chain)
            heard, point = heard._replace(message_id=chain), point._replace(chain=chain)
        kept = take_down(heard, self.rules, self.now)
        if isinstance(kept, str):
            done.left_out[kept] += 1
            return point
        messages.append(kept)
        is_his_id = is_operator(heard.channel, heard.sender, self.rules.operator_ids)
        _note_whose(found, heard, kept, done, is_his_id=is_his_id)
        return point


def _note_whose(found: Line, heard: Heard, kept: ChatMessage, done: Imported, *, is_his_id: bool) -> None:
    if kept.role == "user" and not kept.is_operator:
        if found.by_text and is_his_id:
            done.barred[BY_TEXT] += 1
        elif found.barred:
            done.barred[
                NOT_FOR_OPENCLAW if is_his_id and found.barred == NOT_THE_OWNER else found.barred
            ] += 1
        else:
            done.unknown_senders[kept.sender] += 1


@contextmanager
def open_transcript(path: Path) -> Iterator[BinaryIO]:
    """Open a transcript; the rows of one JSON document are its lines."""
    with open_regular(path) as file:
        yield rows_as_lines(file)


def source_of(file: BinaryIO, path: Path, wish: Wish) -> Source:
    """Return what the messages of a transcript have in common; the file is read from its beginning."""
    kind = wish.format or format_of(_from_the_beginning(file))
    known = survey(_from_the_beginning(file), kind)
    named = wish.conversation or known.conversation or ("" if kind == "claude-code" else known.session)
    by_file_name = not named and kind != "claude-code"
    source = Source(
        kind,
        wish.channel or (PLAIN_CHANNEL if kind == "jsonl" else kind),
        in_use(path).stem if by_file_name else named,
        known.session,
        wish.sender,
        wish.by_operator,
        by_file_name=by_file_name,
        owner_counts=wish.owner_counts,
        automatic=is_automatic(known.keys),
        known=known,
    )
    if kind == "openclaw":
        is_group = any(map(is_of_group, islice(_from_the_beginning(file), BEGINNING)))
        source = _of_openclaw(source, path, wish, is_group)
    if not (wish.by_operator and wish.sender):
        return source
    if not source.is_direct and {*claimable(file, replace(source, sender=""))} - {wish.sender}:
        source = replace(
            source, sender=""
        )  # where a transcript names its senders, what names none is nobody's
    return replace(source, claimed=wish.sender)


def claimable(file: BinaryIO, source: Source) -> dict[str, int]:
    """Return the senders whose messages the operator's claim would take, with how many they are."""
    return senders_of(read_line(line, source).heard for line in _from_the_beginning(file))


def refuse_several(paths: Iterable[Path], wish: Wish, operator_ids: tuple[str, ...]) -> None:
    """Refuse a claim of transcripts that name several senders, unless one of them is named, or all are the operator's.

    Raises:
        SeveralSendersError: Others would become the operator.
    """
    if not wish.by_operator or wish.sender:
        return
    found = Counter[str]()
    strangers = False
    for path in paths:
        with open_transcript(path) as file:
            source = source_of(file, path, wish)
            senders = claimable(file, source)
        found.update(senders)
        strangers = strangers or any(not is_operator(source.channel, each, operator_ids) for each in senders)
    if len(found) > 1 and strangers:
        named = ", ".join(f"{masked(name)} ({count:,})" for name, count in found.most_common(NAMED))
        raise SeveralSendersError(
            f"{len(found):,} senders are named, with so many messages: {named}. Nothing was read.",
            hint="Say which of them is you: `--as operator --sender ID`. The others stay who they are.",
        )


def _from_the_beginning(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    return (line for line, _ in lines_of(file) if line is not None)


def _of_openclaw(source: Source, path: Path, wish: Wish, says_group: bool) -> Source:
    """Return a source with what the names of its session tell: those in its lines, or in the file beside it."""
    listed = listed_session(path.parent, source.session or in_use(path).stem)
    keys = (*source.known.keys, *listed.keys)
    chat = chat_of(keys)
    unlisted = listed.missing and not source.known.keys
    return replace(
        source,
        channel=wish.channel or (chat.channel if chat else source.channel),
        conversation=wish.conversation or (chat.conversation if chat else source.conversation),
        sender=chat.conversation if chat and chat.direct else wish.sender,
        is_direct=chat is not None and chat.direct,
        group=says_group or listed.group or is_group(keys),
        by_file_name=source.by_file_name and chat is None,
        automatic=is_automatic(keys),
        known=replace(source.known, keys=keys, barred=UNLISTED if unlisted else ""),
    )


def _runs_sentence(path: Path) -> str:
    talk = f"{path.name.removesuffix(RUNS)}.jsonl"
    return f"{path} was passed over: it is OpenClaw's record of its runs; what was said is in {talk}."


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
