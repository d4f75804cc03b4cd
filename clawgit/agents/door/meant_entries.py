"""Finds the entry, or the line of a file beside memory, that words are about: by search and by differing values."""

from __future__ import annotations

from datetime import datetime
from functools import cache, partial
from itertools import chain, filterfalse
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.linkable import AT_HAND
from clawgit.capture.messages.message import talk_before
from clawgit.history.git.trees import entries_in, entry_files
from clawgit.history.provenance.trust_lookup import keys_of_lines, open_trusts
from clawgit.memory.corrections.write_correction import shortened
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import of_day, parted, row_statements
from clawgit.memory.entries.tiers import USER_FILE, Tier, day_of_note, holds_entries
from clawgit.memory.notes import is_mail
from clawgit.memory.undo.text_units import line_statements
from clawgit.recall.index.places import SearchLimits
from clawgit.recall.index.searched_files import is_beside_memory
from clawgit.recall.questions.question_dates import find_days
from clawgit.recall.search import search
from clawgit.recall.search_results import Query
from clawgit.text.comparing.subjects import subject
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import heading_level, put_below, split_lines
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.evidence.numbered_things import numbers_another
from clawgit.understanding.evidence.own_sentences import denied, denies
from clawgit.understanding.evidence.said_words import ANY_DAY, read
from clawgit.understanding.evidence.says_beyond import (
    FEWEST_SHARED,
    Heard,
    bearing,
    brings_value,
    denies_value_of,
    given_way,
    grounds,
    has_given_way,
    has_one,
    is_bare,
    is_of_outsider,
    is_of_somebody_else,
    names_only_others,
    replaces_value,
    says_little,
    shared_words,
    telling_sentences,
    words_shared,
)
from clawgit.understanding.facts.keepable_sentences import is_only_of_behaviour
from clawgit.understanding.forms.user_words import as_remembered
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.entries.entries import Entry
    from clawgit.memory.provenance.pieces import Origin
    from clawgit.memory.undo.text_units import Statement
    from clawgit.recall.search_results import Replaced, Result

LONGEST = 400  # characters of a query
_FOUND = 30  # lines for each text
MOST_LINES = 500  # of USER.md that are compared
MOST_BESIDE_ONE = 4  # telling words of a message that shares only one of them
MOST_BESIDE = 3  # words of a line of prose for each word shared with a message about it
_IN_BRACKETS = lazy_pattern(r"\([^()]*\)")
_NUMBER = lazy_pattern(r"\d")
_NAME_PART = lazy_pattern(r"[^\W\d_]{2,}(?=.*\.)")
_SMALL_NUMBER = lazy_pattern(r"\d{1,2}")
_ENTRIES = SearchLimits(tier=Tier.T1.value)  # daily notes repeat the same statements
_NOTES = SearchLimits(tier=Tier.T2.value)


class EntryCandidate(NamedTuple):
    """An entry that may be meant, its place (lines from 1) and score; an id may be missing."""

    entry_id: str
    statement: str
    path: str
    line: int
    score: float
    about: str = ""  # for a line beside memory, its context: file name and headings
    new: str = ""  # the whole line that a message makes of it, where that is plain
    link: str = ""  # `x:…`, where the message stands beside it
    words: str = ""  # of the message, in that link
    turn: str = ""  # his own right before, where a message says it otherwise and no line is plain
    is_line: bool = False  # of a file, and no entry


def is_line_of_file(path: str, statement: Statement) -> bool:
    """Say whether a statement is a line and not an entry: any line beside memory, in memory prose and table rows."""
    return is_beside_memory(path) or (holds_entries(path) and not statement.is_item)


def candidates(
    history: History, text: str, before: Sequence[str], now: datetime, *, most: int = 10
) -> list[EntryCandidate]:
    """Return the entries of core memory and memory/ that answer a text or the turns before it, best first."""
    tree = history.tip().tree
    entries = {path: read_entries(tree.read(path) or b"") for path in entry_files(tree)}
    by_place: dict[tuple[str, int], EntryCandidate] = {}
    for query in filter(None, (each[:LONGEST].strip() for each in (text, *before[:1]))):
        near = []
        for result in search(history, Query(query, _FOUND, 0.0, _ENTRIES), now).results:
            places: tuple[Result | Replaced, ...] = (result, *result.instead_of)
            for place in places:
                for entry in entries.get(place.path, ()):
                    is_in_it = place.first <= entry.first + 1 <= place.last
                    if is_in_it or entry.first < place.first <= entry.last:
                        near.append(_candidate(place.path, entry, result.score))
        beside = {each.statement for each in near}
        of_it = [each for each in near if not numbers_another(query, each.statement, beside)]
        for each in _sharing(query, of_it) or of_it:
            earlier = by_place.get((each.path, each.line), each)
            by_place[each.path, each.line] = max(earlier, each, key=lambda candidate: candidate.score)
    return sorted(by_place.values(), key=lambda each: (-each.score, each.path, each.line))[:most]


def meant_by(
    history: History, text: str, before: Sequence[str], now: datetime, *, most: int
) -> list[EntryCandidate]:
    """Return the entries that share a word with a message, else those that the turns before are about."""
    own = own_words(text)
    near = candidates(history, own, before, now, most=most)
    heard = Heard(own, " ".join(before), "", now.date(), is_flagged=True)
    meant = []
    for each in near:
        shared = words_shared(each.statement, own)
        is_of_others = names_only_others(heard, each.statement, shared)
        if len(shared) == 1 and read(each.statement, heard.on).values:
            is_of_others = is_of_others or bearing(heard, each.statement, is_best=True) is None
        if not is_of_others and not is_only_of_behaviour(text, each.statement):
            meant.append(each)
    beside = line_contradicted(history, heard_in(text, now), [each.statement for each in meant], now)
    if beside is not None:
        return [beside]
    nearest = _nearest(own, meant)
    if nearest:
        return nearest
    return _nearest(heard.before, [each for each in meant if has_given_way(heard, each.statement)])


def meant_after(
    history: History, store: MessageStore, message: ChatMessage, now: datetime, most: int
) -> Sequence[EntryCandidate]:
    """Return the entries that a message is about, or the agent's turn right before it; a bare value is about none by itself."""
    before = []
    for each in talk_before(store, message)[-1:]:
        if each.role == "assistant" and message.sent_at - each.sent_at <= AT_HAND:
            before.append(each.text)
    if before and is_bare(own_words(message.text)):
        return []  # what it answers was looked for
    return meant_by(history, message.text, before, now, most=most)


def nearest_to(history: History, old: str, new: str, now: datetime) -> EntryCandidate | None:
    """Return the entry that shares most words with the wrong and the right text."""
    near = candidates(history, old, (new,), now)
    return next(iter(_nearest(f"{old} {new}", near)), None)


def placed(history: History, statement: str, path: str = "") -> Iterator[EntryCandidate]:
    """Yield the entries with a statement (or as much as the ledger has of it), or the line beside memory that has it."""
    tree = history.tip().tree
    short = shortened(statement)
    if path:
        data = tree.read(path) or b""
        for line in line_statements(data, path):
            words = parted(line.words).statement
            if shortened(words) == short:
                about = _above(path, data, line.first + 1)
                yield EntryCandidate("", words, path, line.first + 1, 1.0, about, is_line=True)
        return
    for name, entry in entries_in(tree):
        if shortened(parted(entry.text).statement) == short:
            yield _candidate(name, entry, 1.0)


def heard_in(text: str, now: datetime) -> Heard:
    """Return the reading of a message without its context, as of one with words of a correction."""
    return Heard(" ".join(telling_sentences(text)), "", "", now.date(), is_flagged=True)


def line_contradicted(
    history: History, heard: Heard, entries: Iterable[str], now: datetime
) -> EntryCandidate | None:
    """Return the line that shares most words with the message and the turns before it, and contradicts it; None for a tie."""
    most, best, is_one = (0.0, 0), None, True
    for each in lines_contradicted(history, heard, entries, now):
        rank = (each.score, shared_words(each.statement, heard.before))
        if rank > most:
            most, best, is_one = rank, each, True
        elif best is not None and rank == most and each.statement != best.statement:
            is_one = False
    if is_one:
        return best
    return None


def lines_contradicted(
    history: History, heard: Heard, entries: Iterable[str], now: datetime, *, has_notes: bool = False
) -> list[EntryCandidate]:
    """Return the lines of USER.md and files beside memory that a message contradicts, unless an entry shares as many words and as much else ties it to the message (``has_notes``: and of the note of its day, if it denies their value)."""
    most = 0
    others = []
    for each in entries:
        most = max(most, shared_words(each, heard.said))
        others.append(grounds(heard, each))
    contradicted = []
    is_answer = bool(given_way(heard)[1])
    is_telling = heard.is_flagged or is_answer or denies(heard.said)
    is_of_himself = as_remembered(heard.said) != folded(heard.said)
    text = heard.said
    if is_answer:  # `no, the 28th` is about the turn before
        text = f"{heard.said} {heard.before}"
    of_day = []
    if has_notes:
        of_day = list(_lines_of_day(history.tip().tree, heard))
    for line in chain(lines_near(history, text, now, has_user=is_of_himself or is_answer), of_day):
        shared = 0
        parts = [line.statement]
        if is_telling:
            parts = row_statements(line.statement)
        for each in parts:
            its = contradicted_words(heard, each, is_flagged=heard.is_flagged, about=line.about)
            shared = max(shared, its)
        if shared and line.path == USER_FILE and is_of_himself:
            shared += 1  # another's phone is not meant
        is_named = line in of_day and denies_value_of(heard, line.statement)
        is_named = is_named or all(map(grounds(heard, line.statement).__gt__, others))
        if shared > most or (shared and is_named):
            contradicted.append(line._replace(score=shared))
    return contradicted


def contradicted_words(heard: Heard, statement: str, *, is_flagged: bool, about: str = "") -> int:
    """Return how many words a message shares with a line of prose that it contradicts by a value or a denial; 0 if unclear.

    Prose has many topics: only a cue, a denied value, or a third common word makes a message about one. A
    label (`**Phone:** …`) is a line's only topic. ``about``: its file's name and the headings above it.
    """
    if not has_given_way(heard, statement) or is_of_somebody_else(heard.said, statement):
        return 0
    if is_of_outsider(heard, statement):
        return 0
    shared = shared_words(statement, heard.said)
    label, colon, _ = statement.partition(":")
    named = frozenset[str]()
    if colon:
        named = _words(label)
    gone = given_way(heard)[1]
    if says_little(heard) and has_one(gone, read(statement, heard.on)):
        answered = shared_words(f"{statement} {about}", heard.before)
        is_moment = not frozenset("dt").isdisjoint(chain.from_iterable(map(attrgetter("kinds"), gone)))
        answered += bool(answered) and is_moment  # more lines have the same number
        if answered >= FEWEST_SHARED or (named and named <= _words(heard.before)):
            return answered
    is_named = bool(named) and named <= _words(heard.said)
    around = shared
    if shared:
        around += len(words_shared(about, heard.said) - _words(statement))
    is_about = is_named or (around >= FEWEST_SHARED and around * MOST_BESIDE >= len(_words(statement)))
    is_other = replaces_value(heard.said, statement, heard.on)
    if is_flagged and not is_other:
        is_other = brings_value(heard.said, statement, heard.on) or denies(heard.said) != denies(statement)
    is_denied = denies_value_of(heard, statement)
    is_all = shared * 2 >= len(_words(_IN_BRACKETS.sub("", statement)))
    if is_about and is_other and (is_flagged or is_denied or is_all or shared + is_named > FEWEST_SHARED):
        return around + is_named
    if is_denied and is_other:
        return shared
    return 0


def _words(text: str) -> frozenset[str]:
    return words_shared(text, text)


def origins_of(history: History, path: str, number: int) -> list[Origin]:
    """Return who wrote a line (from 1), and when."""
    data = history.tip().tree.read(path) or b""
    with open_trusts(history) as trusts:
        return list(filter(None, map(trusts.origin, keys_of_lines(data, number, number))))


def is_said_before(history: History, path: str, number: int, moment: datetime) -> bool:
    """Say whether a line had its present text before a moment."""
    came = map(datetime.fromisoformat, map(attrgetter("at"), origins_of(history, path, number)))
    return max(came, default=moment) <= moment


def lines_near(history: History, text: str, now: datetime, *, has_user: bool) -> Iterator[EntryCandidate]:
    """Yield lines that a search finds in USER.md (if it may apply), files beside memory, and prose and table rows of memory."""
    tree = history.tip().tree
    query = text[:LONGEST].strip()
    if not query:
        return
    limits = [_ENTRIES]
    if read("; ".join(denied(text)), now.date()).values:  # an old note may have the denied value
        limits.append(_NOTES)
    passages = []
    if has_user:
        passages.append((USER_FILE, 1, MOST_LINES, 0.0))
    if any(map(partial(_has_lines, tree), map(itemgetter(0), tree.files()))):
        for each in limits:
            for result in search(history, Query(query, _FOUND, 0.0, each), now).results:
                if _has_lines(tree, result.path):
                    passages.append((result.path, result.first, result.last, result.score))
    statements_of = cache(line_statements)  # many passages are of one file
    for path, first, last, score in passages:
        data = tree.read(path) or b""
        for statement in statements_of(data, path):
            number = statement.first + 1
            if first <= number <= last:
                words = parted(statement.words).statement
                if path == USER_FILE or is_line_of_file(path, statement):
                    about = _above(path, data, number)
                    yield EntryCandidate("", words, path, number, score, about, is_line=True)


def _lines_of_day(tree: Tree, heard: Heard) -> Iterator[EntryCandidate]:
    """Yield the lines of the notes of the only day that a message names, each with that day."""
    dates = find_days(heard.said, heard.on)
    days = dates.days
    if days is None or days.first != days.last or len(dates.spans) != 1:
        return
    for path, _ in tree.files():
        if day_of_note(path) == days.first:
            for statement in line_statements(tree.read(path) or b"", path):
                words = of_day(parted(statement.words).statement, days.first)
                yield EntryCandidate("", words, path, statement.first + 1, 1.0, is_line=True)


def _has_lines(tree: Tree, path: str) -> bool:
    """Say whether a file may have a line that is not an entry: of memory, or beside it, but no mail."""
    if not is_beside_memory(path):
        return holds_entries(path)
    data = tree.read(path) or b""
    return not is_mail(data, path)


def _above(path: str, data: bytes, number: int) -> str:
    """Return the context above a line (from 1): words of the file name, headings, and last the table head."""
    if path == USER_FILE:
        return ""
    titles: dict[int, bytes] = {}
    head = b""
    for line in map(bytes.strip, split_lines(data)[:number]):
        level = heading_level(line)
        if level:
            put_below(titles, level, line)
        if not line.startswith(b"|"):
            head = b""
        elif not head:
            head = line
    above = b" ".join((*titles.values(), head)).decode("utf-8", "replace")
    return " ".join((*_NAME_PART.findall(path.rpartition("/")[2]), above))


def _sharing(text: str, near: Iterable[EntryCandidate]) -> list[EntryCandidate]:
    about = subject(text)
    # `14 pages` is not about `shelf 14`; a text of numbers only is about these
    telling = set(filterfalse(_SMALL_NUMBER.fullmatch, about)) or about
    return [each for each in near if telling & subject(each.statement)]


def offered(
    history: History, text: str, before: Sequence[str], now: datetime, *, most: int
) -> list[EntryCandidate]:
    """Return the entries that a model gets with a text: those that answer it, then others up to ``most``."""
    near = candidates(history, text, before, now, most=most)
    places = {(each.path, each.line) for each in near}
    for path, entry in entries_in(history.tip().tree):
        if (path, entry.first + 1) not in places:
            near.append(_candidate(path, entry, 0.0))
    return near[:most]


def _candidate(path: str, entry: Entry, score: float) -> EntryCandidate:
    return EntryCandidate(entry.entry_id or "", parted(entry.text).statement, path, entry.first + 1, score)


def _nearest(text: str, near: Iterable[EntryCandidate]) -> list[EntryCandidate]:
    """Return the entry that shares most words with a text; empty for one shared word of many, or a tie."""
    own = words_shared(text, text)
    heard = Heard(text, "", "", ANY_DAY)
    sharing: dict[int, list[EntryCandidate]] = {}
    for each in _sharing(text, near):
        shared = shared_words(each.statement, text)
        if shared and denies_value_of(heard, each.statement):
            shared += 1  # `closed on Tuesdays, not on Mondays`
        is_of_number = not own and _NUMBER.search(" ".join(subject(text) & subject(each.statement)))
        if shared or is_of_number:
            sharing.setdefault(shared, []).append(each)
    most = max(sharing, default=0)
    nearest = sharing.get(most, [])
    is_one_of_many = len(own) > MOST_BESIDE_ONE
    if most > 1 or (len(nearest) == 1 and not is_one_of_many):
        return nearest
    return []
