"""Messages beside notes: ranked like lines of a conversation, and shown below the notes.

`search_messages` ranks them; `with_messages` puts them below notes; `below_turns` and `below_corrections` then order
the list of a search. `next_turns` and `without_corrected` are for prompts. The caller reads the messages, so this
package does not depend on `capture`.
"""

from __future__ import annotations

import math
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import chain, filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol

from clawgit.memory.entries.tiers import WRITTEN, is_of_session
from clawgit.memory.notes import day_of_line
from clawgit.memory.trust import EXTERNAL, OPERATOR
from clawgit.plan import MESSAGE
from clawgit.recall.index.line_units import only_asks, traits_of
from clawgit.recall.index.places import AROUND, ASKS, Corpus, IndexedLine, Place
from clawgit.recall.index.search_index import open_index
from clawgit.recall.questions.question import in_any_language
from clawgit.recall.ranked_answers import PER_FILE, Sources, TextSource, result_of
from clawgit.recall.ranking.outdated_places import OutdatedPlaces, Scored, see_note
from clawgit.recall.ranking.ranking import kept, rank
from clawgit.recall.ranking.results import (
    Hit,
    by_shown_score,
    diversified,
    probability,
    shortened,
    spread_by_file,
)
from clawgit.recall.search import asked, file_of, weights_of
from clawgit.recall.search_results import (
    ANSWERS_WELL,
    Beside,
    FoundMessage,
    Hits,
    Query,
    Result,
    how_many_fit,
)
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.secrets import one_safe_line, redact_talk
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.trust_lookup import TrustLookup
    from clawgit.recall.questions.question import Question

    FindMessages = Callable[[Sequence[str], "tuple[datetime, datetime] | None"], "Candidates"]

CHAT, TIER = "chat", "T3"
SHARE = 3  # of so many places, one is given to messages that score above the last notes
WORDLESS = 0.5  # of the neighbours' coverage, for a message without a word of the question
NEXT = 2  # turns: the agent's, and the operator's answer
READ = 1_000_000  # characters are ranked for one question; beyond that, only each message's beginning
USER, ASSISTANT, SOMEBODY = "user", "assistant", "Somebody"


class Candidates(Protocol):
    """Messages to be ranked: matches, runs of consecutive messages, and word counts over all."""

    @property
    def runs(self) -> Sequence[Sequence[FoundMessage]]: ...
    @property
    def seen(self) -> Mapping[str, int]: ...
    @property
    def messages(self) -> int: ...


def search_messages(find: FindMessages, request: Query, now: datetime, *, in_any: bool = False) -> Hits:
    """Return the messages that answer best; one beside a match may be the answer to it.

    ``find`` returns the messages with any of the words or of the days, with those around them. ``in_any``: the
    words in other languages count, too.
    """
    question = asked(request, now)
    if in_any:
        question = in_any_language(question)._replace(days=None)  # a line's days are no days of talk
    candidates = find(question.words, _days(question, now))
    lines_by_key = dict(enumerate(_lines(candidates, now)))
    lines = [line for line, _ in lines_by_key.values()]
    length = sum(len(line.terms.split()) for line in lines) / max(1, len(lines))
    corpus = Corpus(candidates.messages, length, candidates.seen)
    hits = []
    asking = set()
    for line, message in lines_by_key.values():
        if line.traits.startswith(ASKS) and only_asks(message.text):
            asking.add(line.key)
    ranked = rank(question, lines, corpus, asking=asking)
    for each in kept(ranked, request.min_score):
        if not (each.direct or each.talk):
            continue  # a message does not continue the paragraph before
        line, message = lines_by_key[each.key]
        place, score = line.position, each.coverage if each.direct else WORDLESS * each.coverage
        hits.append(Hit(each.key, _talk(message), place, place, max(0.0, each.order), score, line.terms))
    if request.trade is not None:
        hits = diversified(hits, request.trade)
    listed = spread_by_file(hits, PER_FILE)
    shown = by_shown_score(listed, lambda hit: hit.score, lambda hit: False)[: request.most]
    results = tuple(_result(lines_by_key[hit.key][1], score, question) for score, hit in shown)
    telling = list(filterfalse(lambda hit: hit.key in asking, ranked))
    likely = probability(
        telling, question, corpus, lambda: map(attrgetter("text"), chain.from_iterable(candidates.runs))
    )
    return Hits(results[: how_many_fit(results, request.within(likely).tokens)], probability=likely)


def with_messages(notes: Hits, talk: Hits, request: Query) -> Hits:
    """Return notes with messages below them; in a full list better messages replace some of the last notes.

    A message that a session's note above has as a line is left out, and so is such a line of a guess below. Mere likeness
    to the question is shown only if nothing else is found. A message's shown score is at most
    that of the note above it. Notes below the minimum are guesses: they follow messages that reach it; if a
    message of the operator's answers well, so do all notes that do not.
    """
    messages = [each for each in talk.results if not notes.results or each.score >= request.min_score]
    # A question is not an answer, and of two alike the operator's words come first.
    messages.sort(key=lambda each: (_is_question(each), -round(each.score, 2), each.trust != OPERATOR))
    least = request.min_score
    if any(map(_is_his_answer, messages)):
        least = max(least, ANSWERS_WELL)
    sure = [each for each in notes.results if each.score >= least or not messages]
    guesses = notes.results[len(sure) :]
    lines = sure[: request.most]
    is_full = how_many_fit([*lines, *messages[:1]], request.tokens) == len(lines)
    all_of_them = len(lines) if is_full else request.most
    place = all_of_them - len(lines)
    for message in messages[place : all_of_them // SHARE]:
        if message.score <= lines[-1].score:
            break
        lines.pop()
    noted = _turns_of(lines, notes.texts)
    messages = list(filter(lambda each: noted.isdisjoint(_turns_of([each], {})), messages))
    most = lines[-1].score if lines else math.inf
    below = []
    for message in messages[: all_of_them - len(lines)]:
        most = min(message.score, most)
        below.append(message._replace(score=most))
    shown = _turns_of(below, {})
    results = (*lines, *below)
    for each in guesses:
        turns = _turns_of([each], notes.texts)
        if not turns or not turns <= shown:
            results += (each,)
    results = results[: request.most]
    likely = max(notes.probability, talk.probability)
    results = results[: how_many_fit(results, request.within(likely).tokens)]
    return notes._replace(results=results, notes=(*notes.notes, *talk.notes), probability=likely)


def _turns_of(results: Iterable[Result], texts: Mapping[str, bytes | None]) -> set[tuple[str, date | None]]:
    """Return the turns of messages and of lines in sessions' notes, each with its days: a note's zone may be another."""
    turns = set[tuple[str, date | None]]()
    for each in results:
        if each.message is not None:
            turn = one_safe_line(each.message.text)
            for days in (-1, 0, 1):
                turns.add((turn, each.message.sent_at.date() + timedelta(days)))
        elif is_of_session(each.path):
            data = texts.get(each.path) or b""
            for number, line in enumerate(split_lines(data)[each.first - 1 : each.last], each.first):
                turn = line.decode("utf-8", "replace").strip().partition(": ")[2]
                if turn:
                    turns.add((turn, day_of_line(each.path, data, number)))
    return turns


def below_turns(messages: Hits, turns: Mapping[str, str]) -> Hits:
    """Return the messages, each of ``turns`` behind the one that corrects it, if that was found as well."""
    ordered = list(messages.results)
    for each in messages.results:
        for at, other in enumerate(ordered):
            if other.entry == turns.get(each.entry) and each in ordered[:at]:
                ordered.insert(at + 1, each._replace(score=other.score))
                ordered.remove(each)
                break
    return messages._replace(results=tuple(ordered))


def next_turns(candidates: Candidates, hits: Sequence[Result]) -> Iterator[Result]:
    """Yield the messages right after the found ones in the same conversation, also in its later sessions."""
    hits_by_id = dict(zip(map(attrgetter("entry"), hits), hits, strict=True))
    talks: dict[tuple[str, str], list[FoundMessage]] = {}
    for message in chain.from_iterable(candidates.runs):
        talks.setdefault((message.channel, message.conversation), []).append(message)
    for talk in talks.values():
        talk.sort(key=attrgetter("sent_at"))
        for at, message in enumerate(talk):
            if message.chat_id not in hits_by_id:
                continue
            for each in talk[at + 1 : at + 1 + NEXT]:
                path = f"{MESSAGE}{each.chat_id}"
                hit = hits_by_id[message.chat_id]
                yield hit._replace(path=path, snippet=redact_talk(each.text), message=each, trust=each.trust)
                if each.trust == OPERATOR:
                    break  # the next one follows this


def _is_his_answer(result: Result) -> bool:
    """Say whether an operator's message answers well: no page or agent's turn comes before his notes."""
    return result.trust == OPERATOR and result.score >= ANSWERS_WELL and not _is_question(result)


def _is_question(result: Result) -> bool:
    return result.message is not None and only_asks(result.message.text)


def _lines(candidates: Candidates, now: datetime) -> list[tuple[IndexedLine, FoundMessage]]:
    """Return every message as a line of its session; the latest come first among equals."""
    placed = sorted(_placed(candidates), key=lambda each: each[0].sent_at, reverse=True)
    together = sum(len(message.text) for message, _, _ in placed)
    most = READ // len(placed) if together > READ else READ
    lines = []
    for key, (message, section, position) in enumerate(placed):
        terms = index_terms(f"{_speaker(message)}: {message.text[:most]}")
        traits = (ASKS if traits_of(message.text).startswith(ASKS) else "") + _traits(_speaker(message))
        day = message.sent_at.astimezone(now.tzinfo).date().isoformat()
        lines.append((IndexedLine(key, section, position, terms, traits, day=day), message))
    return lines


def _placed(candidates: Candidates) -> Iterator[tuple[FoundMessage, int, int]]:
    """Yield each message with its session's number and its position; runs are set far apart."""
    sections: dict[str, int] = {}
    ends: dict[int, int] = {}
    for run in candidates.runs:
        section = sections.setdefault(_talk(run[0]), len(sections))
        begin = ends.get(section, 0) + AROUND + 1
        yield from ((message, section, position) for position, message in enumerate(run, begin))
        ends[section] = begin + len(run)


def _speaker(message: FoundMessage) -> str:
    return message.sender or message.role


@lru_cache(maxsize=1024)
def _traits(speaker: str) -> str:
    return traits_of(f"{speaker}: x")


def _talk(message: FoundMessage) -> str:
    return "\0".join((message.channel, message.conversation, message.session))


def _days(question: Question, now: datetime) -> tuple[datetime, datetime] | None:
    days = question.days
    if days is None or days.any_year:
        return None
    first = datetime.combine(days.first, time.min, now.tzinfo)
    return first, datetime.combine(days.last, time.min, now.tzinfo) + timedelta(days=1)


def _result(message: FoundMessage, score: float, question: Question) -> Result:
    return Result(
        path=f"{MESSAGE}{message.chat_id}",
        first=1,
        last=message.text.count("\n") + 1,
        score=round(score, 4),
        snippet=shortened(redact_talk(message.text), question.words),
        source=CHAT,
        tier=TIER,
        message=message,
        trust=message.trust,
    )


def below_corrections(
    history: History, trusts: TrustLookup, answers: Hits, request: Query, now: datetime
) -> Hits:
    """Return the answers with each correction above the messages that state the wrong value."""
    texts = [each.message.text for each in answers.results if each.message]
    if not texts:
        return answers
    with open_index(history, trusts=trusts) as index:
        outdated = OutdatedPlaces(index, texts, weights_of(history, now).names)
        right = {at: _right(each, outdated, now) for at, each in enumerate(answers.results)}
        if not any(right.values()):
            return answers
        sources = Sources(index, TextSource(lambda place: file_of(history, place)))
        question = asked(request, now)
        results: list[Result] = []
        for at, each in enumerate(answers.results):
            place = right[at]
            shown = place and result_of([Scored(place, each.score, each.score)], question, sources)
            if shown and not any(shown.entry in other.entries for other in results):
                results.append(shown)
            if not each.is_correction or not any(each.entry in other.entries for other in results):
                beside = each.beside
                if place is not None:
                    beside = (Beside(each.snippet.count("\n"), see_note(place)),)
                results.append(each._replace(beside=beside))
    results = results[: request.most]
    return answers._replace(results=tuple(results[: how_many_fit(results, request.tokens)]))


def without_corrected(history: History, messages: Sequence[Result], now: datetime) -> list[Result]:
    texts = [each.message.text for each in messages if each.message]
    if not texts:
        return list(messages)
    with open_index(history) as index:
        outdated = OutdatedPlaces(index, texts, weights_of(history, now).names)
        return list(filter(lambda each: _right(each, outdated, now) is None, messages))


def _right(result: Result, outdated: OutdatedPlaces, now: datetime) -> Place | None:
    if result.message is None:
        return None
    message, said_on = result.message, ""
    if message.trust == OPERATOR:
        said_on = f"{message.sent_at.astimezone(now.tzinfo):{WRITTEN}}"
    speaker = message.sender or SOMEBODY  # in a stranger's message, `I` is an unknown person
    if message.role == ASSISTANT or (message.role == USER and message.trust != EXTERNAL):
        speaker = message.role
    return outdated.correction_above_text(message.text, said_on=said_on, speaker=speaker)
