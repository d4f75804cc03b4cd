"""The operator's earlier words on a conversation's newest message, here or before: a note has only a session's last turns.

His words in this conversation outrank older notes: the host's window may have lost them.
"""

from __future__ import annotations

from collections import Counter
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.capture.messages.message import ChatMessage, MessageQuery
from clawgit.capture.messages.message_search import MessageMatches
from clawgit.capture.messages.open_messages import ask_briefly, has_messages
from clawgit.capture.sessions.taken_back import lines_taken_back, without_withdrawn
from clawgit.context.note_lines import FEWEST, telling_words
from clawgit.context.said_later import FROM_SCORE, MOST_SAID, OperatorTurn, own_words_in
from clawgit.context.slots import ITEM, Passage, sentence_ends
from clawgit.errors import ClawgitError
from clawgit.memory.entries.statements import without_order
from clawgit.memory.entries.tiers import date_of
from clawgit.memory.notes import ASSISTANT, USER, day_of_line, speaker_of, words_of
from clawgit.memory.trust import OPERATOR
from clawgit.recall.index.line_units import only_asks
from clawgit.recall.ranking.results import shortened
from clawgit.recall.search_messages import WORDLESS, search_messages, without_corrected
from clawgit.recall.search_results import ANSWERS_WELL, FoundMessage, Hits, Query, Result
from clawgit.text.safety.secrets import one_safe_line
from clawgit.text.words.terms import index_terms, terms_in
from clawgit.understanding.evidence.own_sentences import is_dictated
from clawgit.understanding.evidence.says_beyond import brings_value
from clawgit.understanding.evidence.taking_back import taken_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

    from clawgit.context.assembly import Assembly
    from clawgit.context.wanted_context import Talk
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.trust_lookup import TrustLookup

PLACE = "earlier in this conversation"
BEFORE = "earlier conversations"
MOST_LOOKED = 60  # messages: the end of a longer talk
LONGEST_OWN = 240  # characters of a line that is not searched for pasted text
BARE_ANSWER = 2  # words


def said_in_session(history: History, talk: Talk, now: datetime) -> list[Passage]:
    """Return the operator's messages of the session that answer the newest one, in order; if it asks nothing, his last ones.

    Left out are words he took back (in a later turn, or with `undo`), corrected words, questions, and
    repetitions of the newest message. An answer without a word of the question follows the agent's question.
    """
    messages = _messages_of(history, talk, now)
    best = {}  # shown part of each
    if talk.is_asked:
        for hit in _answering(history, messages, talk, now):
            best[hit.entry] = hit.snippet
    else:
        for each in _last(history, messages):
            best[each.chat_id] = shortened(each.text)
    passages: list[Passage] = []
    query_words = telling_words(talk.query, now)
    for number, message in enumerate(messages):
        if message.chat_id in best:
            passages += _question_before(messages[:number], message, query_words)
            own_words = _passage(message, best[message.chat_id])
            passages.append(own_words._replace(note=_when(message, now)))
    return [each._replace(rank=(at - len(passages),)) for at, each in enumerate(passages)]


def hits_in_session(history: History, talk: Talk, now: datetime) -> list[Result]:
    """Return the operator's messages of the session that answer the newest one well, each with the agent's question."""
    messages = _messages_of(history, talk, now)
    query_words = telling_words(talk.query, now)
    places = {message.chat_id: number for number, message in enumerate(messages)}
    hits = []
    for hit in _answering(history, messages, talk, now):
        number = places[hit.entry]
        before = _question_before(messages[:number], messages[number], query_words)
        if before and hit.score >= WORDLESS * ANSWERS_WELL:
            hits.append(hit._replace(snippet=f"{before[0].text}\n{USER}: {hit.snippet}"))
        elif hit.score >= ANSWERS_WELL:
            hits.append(hit)
    return hits


def _answering(history: History, messages: Sequence[ChatMessage], talk: Talk, now: datetime) -> list[Result]:
    if not messages:
        return []
    seen = Counter[str]()
    for each in messages:
        seen.update(set(index_terms(each.text).split()))
    all_of_them = MessageMatches(runs=(tuple(messages),), seen=seen, messages=len(messages))
    matches = search_messages(
        lambda words, days: all_of_them, Query(talk.query, 2 * MOST_SAID, FROM_SCORE), now
    )
    own = _own(messages, talk.query)
    if matches.results and own:
        own &= {each.chat_id for each in without_withdrawn(history, messages)}
    hits = filter(lambda hit: hit.entry in own, matches.results)
    return without_corrected(history, list(hits), now)[:MOST_SAID]


def _last(history: History, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    own = _own(messages, "")
    standing = (each for each in without_withdrawn(history, messages) if each.chat_id in own)
    return [each for each in standing if len(index_terms(each.text).split()) >= FEWEST][-MOST_SAID:]


def still_meant(assembly: Assembly, passages: Iterable[Passage]) -> list[Passage]:
    """Return lines of notes without what the operator took back or had memory forget, and his long ones without pasted text: only the messages tell."""
    history, now = assembly.history, assembly.now
    passages = list(passages)
    gone = lines_taken_back(history, assembly.trusts, map(attrgetter("text"), passages), now)
    passages = list(filterfalse(lambda each: each.text in gone, passages))
    long_texts = set()
    for each in passages:
        if len(each.text) > LONGEST_OWN and speaker_of(each.text) == USER:
            long_texts.add(words_of(each.text))
    if not long_texts or not has_messages(history):
        return passages
    try:
        messages = ask_briefly(history, now, lambda store: store.beginning_with(long_texts))
    except ClawgitError:
        return passages
    texts = map(attrgetter("text"), messages)
    own_words = {one_safe_line(text): one_safe_line(own_words_in(text)) for text in texts}
    passages_left = []
    for each in passages:
        words = words_of(each.text)
        own = own_words.get(words, words)
        if own == words:
            passages_left.append(each)
        elif own:
            passages_left.append(each._replace(text=f"{USER}: {own}", blob=""))
    return passages_left


def passage_of(hit: Result, message: FoundMessage, now: datetime) -> Passage:
    day = message.sent_at.astimezone(now.tzinfo).date()
    words = one_safe_line(f"{USER}: {hit.snippet}")
    return Passage(words, ITEM, BEFORE, entry=hit.entry, note=f"said on {day.isoformat()}")


def _messages_of(history: History, talk: Talk, now: datetime) -> list[ChatMessage]:
    if not talk.session or not talk.query.strip() or not has_messages(history):
        return []
    latest = MessageQuery(session=talk.session, limit=MOST_LOOKED)
    try:
        log = ask_briefly(history, now, lambda store: store.log(latest))
    except ClawgitError:
        return []  # the notes answer alone
    messages = []
    for each in log:
        if each.role == USER:
            own = own_words_in(each.text)
            if own:
                messages.append(each._replace(text=own))
        elif each.role == ASSISTANT:
            messages.append(each)
    return messages


def _own(messages: Sequence[ChatMessage], query: str) -> set[str]:
    """Return the ids of the operator's messages except the newest, questions, taken back ones and those that only take back."""
    newest = f"{query}\n{own_words_in(query)}"
    own: set[str] = set()
    turns: list[str] = []
    texts: list[str] = []
    for each in messages:
        if each.role != USER or each.trust != OPERATOR:
            continue
        taken = taken_by(each.text, texts)
        if taken is not None:
            own.discard(turns[taken])
        elif not (
            each.text in newest
            or without_order(each.text) in newest
            or is_dictated(each.text)
            or only_asks(each.text)
        ):
            own.add(each.chat_id)
        turns.append(each.chat_id)
        texts.append(each.text)
    return own


def _question_before(
    earlier: Sequence[ChatMessage], message: ChatMessage, query_words: Sequence[frozenset[str]]
) -> list[Passage]:
    """Return the agent's question right before a message without any word of the present question."""
    before = earlier[-1] if earlier else message
    if before.role != ASSISTANT or not before.text.rstrip().endswith(("?", "？")):
        return []
    terms = frozenset(index_terms(message.text).split())
    if not all(map(terms.isdisjoint, query_words)):
        return []
    ends = [0, *sentence_ends(before.text)]
    return [_passage(before, before.text[ends[-2] :].strip())]


def _when(message: ChatMessage, now: datetime) -> str:
    """Return the day of a message before today: a host's session lasts weeks, and "tomorrow" is relative to that day."""
    day = message.sent_at.astimezone(now.tzinfo).date()
    if day == now.date():
        return ""
    return f"said on {day.isoformat()}"


def _passage(message: ChatMessage, text: str) -> Passage:
    words = one_safe_line(f"{message.role}: {text}")
    return Passage(words, ITEM, PLACE, entry=f"chat:{message.chat_id}", why="said in this conversation")


def with_answers(notes: Hits, on: date, trusts: TrustLookup) -> Hits:
    """Return notes with the operator's reply beside each agent's line, if the reply has another value or name, and with the agent's turn before a bare answer of his."""
    results: dict[tuple[str, int, int], Result] = {}
    for each in notes.results:
        before = _turn_before_answer(notes.texts.get(each.path) or b"", each, trusts)
        if before is not None:
            results.setdefault((before.path, before.first, before.last), before)
        results.setdefault((each.path, each.first, each.last), each)
        answer = _answer_below(notes.texts.get(each.path) or b"", each)
        if answer is None or not answer.is_meant(trusts):
            continue
        if brings_value(answer.text, words_of(each.snippet.split("\n")[-1]), on):
            place = each.path, answer.line, answer.line
            line = Result(*place, each.score, f"{USER}: {answer.text}", each.source, each.tier)
            line = line._replace(trust=OPERATOR, blob=each.blob, since=each.since)
            results.setdefault(place, line)
    return notes._replace(results=tuple(results.values()))


def _answer_below(data: bytes, hit: Result) -> OperatorTurn | None:
    if date_of(hit.path) is None or speaker_of(hit.snippet.split("\n")[-1]) != ASSISTANT:
        return None
    lines = data.decode(errors="replace").splitlines()
    for number, line in enumerate(lines[hit.last :], hit.last + 1):
        if speaker_of(line) == USER:
            day = day_of_line(hit.path, data, number)
            return OperatorTurn(str(day), words_of(line), hit.score, data, number)
        if line.strip():
            break
    return None


def _turn_before_answer(data: bytes, hit: Result, trusts: TrustLookup) -> Result | None:
    """Return the agent's turn right above an answer of the operator's that says nothing without it: `quarter`."""
    if date_of(hit.path) is None or speaker_of(hit.snippet) != USER:
        return None
    if len(terms_in(words_of(hit.snippet))) > BARE_ANSWER:
        return None
    above = data.decode(errors="replace").splitlines()[: hit.first - 1]
    while above and not above[-1].strip():
        above.pop()
    if not above or speaker_of(above[-1]) != ASSISTANT:
        return None
    at = len(above)
    line = Result(hit.path, at, at, hit.score, above[-1], hit.source, hit.tier)
    return line._replace(trust=trusts.of_lines(data, at, at), blob=hit.blob, since=hit.since)
