"""The end of a session: writes `memory/DATE-slug.md`, in one change, once."""

from __future__ import annotations

import glob
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, BinaryIO

from clawgit.capture.messages.forgotten_messages import GAP
from clawgit.capture.messages.incoming_message import Rules, refusal, take_down, with_ids
from clawgit.capture.sessions.sessions import (
    Session,
    counts,
    message_line,
    session_text,
    since_last_end,
    without_forgotten,
)
from clawgit.capture.sessions.taken_back import without_withdrawn
from clawgit.capture.transcripts.importing import open_transcript, read_line, refuse_several, source_of
from clawgit.capture.transcripts.transcript_source import TranscriptSource, Wish, in_use, lines_of
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import NOTHING, Recorded, apply_plan
from clawgit.history.authorship.actors import trust_of
from clawgit.history.authorship.commit_messages import find_op, ops_beginning
from clawgit.history.undo.undo_targets import SESSION_NOTE
from clawgit.memory.entries.entries import line_name
from clawgit.memory.notes import USER
from clawgit.memory.trust import EXTERNAL, OPERATOR, TRUSTS
from clawgit.plan import MESSAGE, Edit, Evidence, Plan
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.stopwords import LIGHT, languages_of
from clawgit.text.words.terms import english_stem
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.evidence.own_sentences import is_typed
from clawgit.understanding.evidence.taking_back import takes_back

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from clawgit.capture.messages.message import ChatMessage, IncomingMessage
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree

FOLDER = "memory"
SESSION_OP = "session-"
# without spaces, four characters count as one word
_WORD = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff]{1,4}|[^\W_]+")
LONGEST = 30
WORDS = 3
LOOKED_AT = 5000  # characters of one message
_NOT_SAFE = re.compile(r"[^a-z0-9]+")
_SLUG_WORD = re.compile(r"[a-z][a-z0-9]{2,}")
_ADDRESS = re.compile(r"\S*(?:://|[\w-]/[\w-])\S*")  # also paths: their parts are not words of the talk
_NO_SUBJECT = words_in("""
hello hey thanks thank okay sure great good nice fine cool awesome perfect sorry welcome bye morning evening help
please want need like know think make made try work works working look looks see got get going come let use used
using right well maybe today tomorrow yesterday now new next last first back start done yes
""")


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of ending a session; no path if it had no messages."""

    recorded: Recorded
    session: Session
    path: str | None = None


def endings(history: History) -> Callable[[ChatMessage], bool]:
    """Return what says whether a session ended with a message: a change's op names it."""
    ops = ops_beginning(history, SESSION_OP)

    def has_ended(last: ChatMessage) -> bool:
        return _op(last) in ops and find_op(history, _op(last)) is not None

    return has_ended


def end_session(
    history: History,
    session: Session,
    intent: Intent,
    slug: str = "",
    *,
    name_for: Callable[[Sequence[ChatMessage]], str] | None = None,
) -> Ended:
    """Write the messages since the session's last end into a new file; without messages, nothing.

    A single word, such as "ok", makes a note only with a ``slug``. The change has the trust of the least trusted
    message, and lists the lines with more trust. Its op names the last message, so that a session ends only once.
    Messages taken back and their answers are left out, with a gap. Without a ``slug``, the name comes from ``name_for``
    if safe and a word, else from the conversation; text from outside is not passed to ``name_for``.
    """
    spoken = since_last_end(session.messages, endings(history))
    messages = without_withdrawn(history, spoken)
    earlier = session.earlier
    if len(spoken) < len(session.messages):
        earlier = 0
    session = replace(session, messages=tuple(_with_gaps(spoken, messages)), earlier=earlier)
    length = sum(len(_WORD.findall(message.text)) for message in messages)
    if not messages or (not slug and length <= 1):
        return Ended(Recorded(NOTHING, intent.op), session)
    own = [message for message in messages if message.trust != EXTERNAL]  # strangers do not name files
    given = ""
    if not slug and name_for is not None and own:
        given = safe_slug(name_for(own)).replace("-", " ")
    if not any(map(str.isalpha, given)):
        given = ""
    title = slug or given or subject_of(list(map(attrgetter("text"), own)))
    name = safe_slug(title)
    last = messages[-1].sent_at.astimezone(intent.now.tzinfo)
    operators = {each.rpartition(":")[2].casefold() for each in history.settings.operator_ids}
    text = session_text(title if name or slug else f"{last:%H:%M}", session, intent.now, operators)
    evidence = tuple(Evidence(f"{MESSAGE}{message.chat_id}") for message in messages if session.stored)
    written = ""

    def plan(tree: Tree) -> Plan:
        nonlocal written
        taken = {f"{FOLDER}/{each}" for each in tree.names(FOLDER)}
        written = session_path(name, last, taken)
        edit = Edit(written, text.encode("utf-8", "replace"))
        return Plan(f"{SESSION_NOTE}{written}", (edit,), evidence=evidence, trailers=named)

    trusts = _line_trusts(session)
    least = min((trust_of(intent.actor), *trusts), key=TRUSTS.index)
    named = tuple(_named_lines(session, trusts, operators, least))
    op = intent.op if intent.given else _op(spoken[-1])
    intent = intent._replace(op=op, trust=least, given=True)
    return Ended(apply_plan(history, plan, intent), session, written or None)


def _with_gaps(spoken: Iterable[ChatMessage], staying: Iterable[ChatMessage]) -> Iterator[ChatMessage]:
    """Yield the remaining messages, with a gap before a turn that takes back a removed one: else it would refer to the turn above."""
    by_id = {message.chat_id: message for message in staying}
    gone = None
    for message in spoken:
        is_his = message.role == "user"
        if message.chat_id not in by_id:
            if is_his:
                gone = message
            continue
        if is_his:
            if gone is not None and takes_back(message.text):
                yield gone._replace(text=GAP)
            gone = None
        yield by_id[message.chat_id]


def _line_trusts(session: Session) -> list[str]:
    """Return the trust of each message's line: pasted or quoted text is a stranger's, and so is the answer to one."""
    trusts = list(map(attrgetter("trust"), session.messages))
    if not session.stored:
        return trusts
    answered = OPERATOR
    for number, message in enumerate(session.messages):
        trust = message.trust
        if message.role == USER:
            answered = trust
        elif answered == EXTERNAL:
            trust = EXTERNAL
        if trust == OPERATOR and not is_typed(message.text):
            trust = EXTERNAL
        trusts[number] = trust
    return trusts


def _named_lines(
    session: Session, trusts: Sequence[str], operators: Collection[str], least: str
) -> Iterator[tuple[str, str]]:
    """Yield the trailers for lines with more trust than the note as a whole."""
    for message, trust in zip(session.messages, trusts, strict=True):
        if session.stored and TRUSTS.index(trust) > TRUSTS.index(least):
            line = message_line(message, session, operators)
            yield "Clawgit-Spoken", f"{line_name(line, f'{MESSAGE}{message.chat_id}')} {trust}"


def _op(last: ChatMessage) -> str:
    return f"{SESSION_OP}{last.chat_id}"


def safe_slug(text: str) -> str:
    """Return ``text`` as `[a-z0-9-]` of at most 30 characters, cut between words if possible; maybe empty."""
    slug = _NOT_SAFE.sub("-", _plain(text)).strip("-")
    if len(slug) <= LONGEST:
        return slug
    whole_words, dash, _ = slug[: LONGEST + 1].rpartition("-")
    if dash:
        return whole_words
    return slug[:LONGEST]


def subject_of(texts: Sequence[str]) -> str:
    """Return up to three words for the topic of a conversation, in order of appearance; maybe empty."""
    counts = Counter[str]()
    forms: dict[str, str] = {}  # the first of each stem
    opening: list[str] = []
    for text in texts:
        words = _subjects(text[:LOOKED_AT])
        counts.update(words.keys())
        for stem, word in words.items():
            forms.setdefault(stem, word)
        if len(words) > 1 and not opening:
            opening = list(words)[:WORDS]
    chosen = [stem for stem, count in counts.most_common() if count > 1][:WORDS] or opening
    return " ".join(word for stem, word in forms.items() if stem in chosen)


def _subjects(text: str) -> dict[str, str]:
    subjects: dict[str, str] = {}
    words = _SLUG_WORD.findall(_plain(_ADDRESS.sub(" ", text)))
    empty = LIGHT.union(_NO_SUBJECT, *languages_of(words))
    for word in words:
        stem = english_stem(word)
        if not {word, stem} & empty:
            subjects.setdefault(stem, word)
    return subjects


def _plain(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text)
    return "".join(char for char in apart if not unicodedata.combining(char)).lower()


def session_path(slug: str, at: datetime, taken: Collection[str]) -> str:
    """Return a free path for a session that ended ``at``; without a slug, named by its time."""
    name = slug or f"{at:%H%M}"
    path, number = f"memory/{at:%Y-%m-%d}-{name}.md", 1
    while path in taken:
        number += 1
        behind = f"-{number}"
        path = f"memory/{at:%Y-%m-%d}-{name[: LONGEST - len(behind)].rstrip('-')}{behind}.md"
    return path


def transcript_session(path: Path, wish: Wish, rules: Rules, now: datetime, most: int) -> Session:
    """Return the latest messages of a transcript, or if it has none, of the newest `NAME.reset.TIME`."""
    session, present = None, in_use(path)
    put_aside = sorted(present.parent.glob(f"{glob.escape(present.name)}.reset.*"))
    for each in dict.fromkeys((path, present, *put_aside[-1:])):
        if each.exists():
            session = _read(each, wish, rules, now, most)
            if session.messages:
                return session
    if session is None:
        raise ClawgitError(f"There is no transcript {path}.", hint="Name the session's .jsonl file.")
    return session


def _read(path: Path, wish: Wish, rules: Rules, now: datetime, most: int) -> Session:
    refuse_several([path], wish, rules.operator_ids)
    damaged = 0

    def heard_in(file: BinaryIO, source: TranscriptSource) -> Iterator[IncomingMessage]:
        nonlocal damaged
        for line, _ in lines_of(file):
            read = read_line(line or b"", source)
            if line is None or read.problem:
                damaged += 1
            elif read.heard is not None:
                yield read.heard

    try:
        with open_transcript(path) as file:
            source = source_of(file, path, wish)
            file.seek(0)
            every = with_ids(heard_in(file, source))
            talk = (each for each in every if counts(each.role, each.text) and not refusal(each, rules, now))
            spoken = without_forgotten(talk)
    except OSError as error:
        raise ClawgitError(f"{path} cannot be read ({error.strerror}), so nothing was written.") from error
    latest = spoken[-most:]
    stored = (take_down(heard, rules, now) for heard in latest)
    messages: tuple[ChatMessage, ...] = tuple(each for each in stored if not isinstance(each, str))
    conversation = messages[-1].conversation if messages else source.conversation
    session = messages[-1].session if messages else source.session
    timed = all(heard.sent_at is not None for heard in latest)
    place = (source.channel, conversation or "main", session)
    earlier = len(spoken) - len(latest)
    return Session(*place, messages, path.name, stored=False, timed=timed, damaged=damaged, earlier=earlier)
