"""Messages found beside notes: ranked like lines of a conversation, and shown below what notes say.

Where messages come from is somebody else's affair; both are joined by who has both.
"""

from __future__ import annotations

import math
from datetime import datetime, time, timedelta
from functools import lru_cache
from itertools import filterfalse
from typing import TYPE_CHECKING, Protocol

from clawgit.memory.trust import EXTERNAL, OPERATOR
from clawgit.plan import MESSAGE
from clawgit.recall.index.line_units import only_asks, traits_of
from clawgit.recall.index.places import AROUND, ASKS, Corpus, Line, Place
from clawgit.recall.index.search_index import open_index
from clawgit.recall.ranked_answers import PER_FILE, Reading, Sources, result_of
from clawgit.recall.ranking.outdated_places import OutdatedPlaces, Scored
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
from clawgit.recall.search_results import ANSWERS_WELL, Found, Message, Result, Wanted, how_many_fit
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.trust_lookup import TrustLookup
    from clawgit.recall.questions.question import Question

    FindMessages = Callable[[Sequence[str], "tuple[datetime, datetime] | None"], "Candidates"]

CHAT, TIER = "chat", "T3"
SHARE = 3  # one place in so many is given to messages that answer better than the last notes
WORDLESS = 0.5  # of what the messages beside it cover, for one that holds no word of the question itself
READ = 1_000_000  # characters are ranked for one question; of more, each message's beginning
USER, ASSISTANT, SOMEBODY = "user", "assistant", "Somebody"


class Candidates(Protocol):
    """Messages to be ranked: matches, and runs of messages that followed one another; how often words are among all."""

    @property
    def runs(self) -> Sequence[Sequence[Message]]: ...
    @property
    def seen(self) -> Mapping[str, int]: ...
    @property
    def messages(self) -> int: ...


def search_messages(find: FindMessages, wanted: Wanted, now: datetime) -> Found:
    """Return the messages that answer best; one that is only beside a match may be the answer to it.

    ``find`` returns those that hold any of the words or are of the days, with what was said around them.
    """
    question = asked(wanted, now)
    found = find(question.words, _days(question, now))
    told = dict(enumerate(_lines(found, now)))
    lines = [line for line, _ in told.values()]
    length = sum(len(line.terms.split()) for line in lines) / max(1, len(lines))
    corpus = Corpus(found.messages, length, found.seen)
    hits = []
    asking = set()
    for line, message in told.values():
        if line.traits.startswith(ASKS) and only_asks(message.text):
            asking.add(line.key)
    ranked = rank(question, lines, corpus, explain=wanted.explain, asking=asking)
    best = {each.key: each for each in ranked}
    for each in kept(ranked, wanted.min_score):
        if not (each.direct or each.talk):
            continue  # a message is no paragraph of the one before
        line, message = told[each.key]
        place, score = line.position, each.coverage if each.direct else WORDLESS * each.coverage
        hits.append(Hit(each.key, _talk(message), place, place, max(0.0, each.order), score, line.terms))
    if wanted.trade is not None:
        hits = diversified(hits, wanted.trade)
    listed = spread_by_file(hits, PER_FILE)
    shown = by_shown_score(listed, lambda hit: hit.score, lambda hit: False)[: wanted.most]
    results = tuple(
        _result(told[hit.key][1], score, question)._replace(parts=best[hit.key].parts) for score, hit in shown
    )
    likely = probability(list(filterfalse(lambda hit: hit.key in asking, ranked)), question, corpus)
    return Found(results[: how_many_fit(results, wanted.within(likely).tokens)], probability=likely)


def with_messages(notes: Found, said: Found, wanted: Wanted) -> Found:
    """Return notes with messages below them; of a full list some of the last notes make place for better messages.

    What only resembles the question is shown only where nothing else is found. No message is shown with more than
    the note above it. Notes below the minimum are guesses: they come behind messages that reach it, and so do all that do not
    answer well where a message of the operator's does.
    """
    messages = [each for each in said.results if not notes.results or each.score >= wanted.min_score]
    # What asks is no answer, and of two alike his own words come first.
    messages.sort(key=lambda each: (_is_question(each), -round(each.score, 2), each.trust != OPERATOR))
    least = wanted.min_score
    if any(map(_is_his_answer, messages)):
        least = max(least, ANSWERS_WELL)
    sure = [each for each in notes.results if each.score >= least or not messages]
    guesses = notes.results[len(sure) :]
    lines = sure[: wanted.most]
    is_full = how_many_fit([*lines, *messages[:1]], wanted.tokens) == len(lines)
    all_of_them = len(lines) if is_full else wanted.most
    place = all_of_them - len(lines)
    for message in messages[place : all_of_them // SHARE]:
        if message.score <= lines[-1].score:
            break
        lines.pop()
    most = lines[-1].score if lines else math.inf
    below = []
    for message in messages[: all_of_them - len(lines)]:
        most = min(message.score, most)
        below.append(message._replace(score=most))
    results = (*lines, *below, *guesses)[: wanted.most]
    likely = max(notes.probability, said.probability)
    results = results[: how_many_fit(results, wanted.within(likely).tokens)]
    return notes._replace(results=results, notes=(*notes.notes, *said.notes), probability=likely)


def _is_his_answer(result: Result) -> bool:
    """Say whether a message answers well in the operator's own words: no page, and no agent's turn, comes before his notes."""
    return result.trust == OPERATOR and result.score >= ANSWERS_WELL and not _is_question(result)


def _is_question(result: Result) -> bool:
    return result.message is not None and only_asks(result.message.text)


def _lines(found: Candidates, now: datetime) -> list[tuple[Line, Message]]:
    """Return every message as a line of its session; the latest come first where they answer alike."""
    placed = sorted(_placed(found), key=lambda each: each[0].sent_at, reverse=True)
    together = sum(len(message.text) for message, _, _ in placed)
    most = READ // len(placed) if together > READ else READ
    return [
        (
            Line(
                key,
                section,
                position,
                index_terms(f"{_speaker(message)}: {message.text[:most]}"),
                _asks(message) + _traits(_speaker(message)),
                day=message.sent_at.astimezone(now.tzinfo).date().isoformat(),
            ),
            message,
        )
        for key, (message, section, position) in enumerate(placed)
    ]


def _placed(found: Candidates) -> Iterator[tuple[Message, int, int]]:
    """Yield each message with its session's number and its place in it; nothing is near the end of another run."""
    sections: dict[str, int] = {}
    ends: dict[int, int] = {}
    for run in found.runs:
        section = sections.setdefault(_talk(run[0]), len(sections))
        begin = ends.get(section, 0) + AROUND + 1
        yield from ((message, section, position) for position, message in enumerate(run, begin))
        ends[section] = begin + len(run)


def _speaker(message: Message) -> str:
    return message.sender or message.role


def _asks(message: Message) -> str:
    return ASKS if traits_of(message.text).startswith(ASKS) else ""


@lru_cache(maxsize=1024)
def _traits(speaker: str) -> str:
    return traits_of(f"{speaker}: x")


def _talk(message: Message) -> str:
    return "\0".join((message.channel, message.conversation, message.session))


def _days(question: Question, now: datetime) -> tuple[datetime, datetime] | None:
    days = question.days
    if days is None or days.any_year:
        return None
    first = datetime.combine(days.first, time.min, now.tzinfo)
    return first, datetime.combine(days.last, time.min, now.tzinfo) + timedelta(days=1)


def _result(message: Message, score: float, question: Question) -> Result:
    return Result(
        path=f"{MESSAGE}{message.chat_id}",
        first=1,
        last=message.text.count("\n") + 1,
        score=round(score, 4),
        snippet=shortened(message.text, question.words),
        source=CHAT,
        tier=TIER,
        message=message,
        trust=message.trust,
    )


def below_corrections(
    history: History, trusts: TrustLookup, found: Found, wanted: Wanted, now: datetime
) -> Found:
    """Return what was found with each correction above the messages that state what was wrong."""
    texts = [each.message.text for each in found.results if each.message]
    if not texts:
        return found
    with open_index(history, trusts=trusts) as index:
        outdated = OutdatedPlaces(index, texts, weights_of(history, now).names)
        right = {at: _right(each, outdated, now) for at, each in enumerate(found.results)}
        if not any(right.values()):
            return found
        sources = Sources(index, Reading(lambda place: file_of(history, place)))
        question = asked(wanted, now)
        results: list[Result] = []
        for at, each in enumerate(found.results):
            place = right[at]
            shown = place and result_of([Scored(place, each.score, each.score)], question, sources)
            if shown and not any(shown.entry in other.entries for other in results):
                results.append(shown)
            if not each.is_correction or not any(each.entry in other.entries for other in results):
                results.append(each)
    results = results[: wanted.most]
    return found._replace(results=tuple(results[: how_many_fit(results, wanted.tokens)]))


def without_corrected(history: History, messages: Sequence[Result], now: datetime) -> list[Result]:
    """Return messages that were found without those that state what a correction has set right."""
    texts: list[str] = []
    standing: list[Result] = []
    for each in messages:
        if each.message is not None:
            texts.append(each.message.text)
    if not texts:
        return list(messages)
    with open_index(history) as index:
        outdated = OutdatedPlaces(index, texts, weights_of(history, now).names)
        for each in messages:
            if _right(each, outdated, now) is None:
                standing.append(each)
    return standing


def _right(result: Result, outdated: OutdatedPlaces, now: datetime) -> Place | None:
    if result.message is None:
        return None
    message, said_on = result.message, ""
    if message.trust == OPERATOR:
        said_on = message.sent_at.astimezone(now.tzinfo).date().isoformat()
    speaker = message.sender or SOMEBODY  # of a stranger's message, `I` is nobody's here
    if message.role == ASSISTANT or (message.role == USER and message.trust != EXTERNAL):
        speaker = message.role
    return outdated.correction_above_text(message.text, said_on=said_on, speaker=speaker)
