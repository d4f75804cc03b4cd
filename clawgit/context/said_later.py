"""The operator's later words on a hit, from a daily note or a message, shown beside the line that answers; what he took back.

A line and a turn that answer the same question have one topic, even without a common word: a link by the
line's words alone would miss it, or be permanent and wrong. The reader sees which of both is later.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache, partial
from itertools import chain, filterfalse
from operator import attrgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from clawgit.capture.messages.open_messages import ask_briefly, has_messages
from clawgit.capture.sessions.taken_back import (
    HIS_TURN,
    followed,
    lines_not_meant,
    lines_taken_back,
    taken_back_among,
    takings,
)
from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import by_person, with_person
from clawgit.history.provenance.trust_lookup import MOST_QUOTED, TrustLookup, keys_of_lines, said_note
from clawgit.memory.entries.statements import parted, without_order
from clawgit.memory.entries.tiers import MEMORY_FILES, date_of
from clawgit.memory.notes import ASSISTANT, DRESS, USER, day_of_line, speaker_of, words_of
from clawgit.memory.trust import OPERATOR
from clawgit.recall.search_messages import next_turns, search_messages, without_corrected
from clawgit.recall.search_results import ANSWERS_WELL, Hits, Query, Result
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import holds_a_secret
from clawgit.text.words.everyday_words import abroad
from clawgit.text.words.terms import index_terms, terms_in
from clawgit.text.words.word_lists import CAPITALS
from clawgit.understanding.evidence.own_sentences import (
    clauses,
    is_dictated,
    is_question,
    own_sentences,
    own_text,
)
from clawgit.understanding.evidence.said_values import are_rivals
from clawgit.understanding.evidence.said_words import ANY_DAY, is_light, read
from clawgit.understanding.evidence.says_beyond import (
    Heard,
    begins_with_another,
    brings_value,
    denies_value_of,
    is_bare,
    is_of_outsider,
    names_a_subject,
    repeats_value,
    replaces_value,
    says_little,
    telling_sentences,
    words_shared,
)
from clawgit.understanding.evidence.taking_back import may_restore

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import date

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.recall.search_messages import Candidates

SHARE = 0.75  # of the best score: the turn answers as well
MOST = 3  # turns beside a line
MOST_SAID = 4
FROM_SCORE = 0.15  # a short answer has half the score of the question before it
AGAIN = 0.75  # of its words
BEHIND, FADING = 8, 0.9  # so many lines after a hit belong to the same talk, each with less weight
MOST_TURNS = 16  # of notes, the best are read
PLAIN = 2  # common words that need no other value, only another text
# Each turn reads the last messages again, at up to a millisecond each.
own_words_in = lru_cache(maxsize=1024)(own_text)
# A text without any of these has no value and no name.
TELLING = lazy_pattern(rf"\d|\w.*?[{CAPITALS}\u3400-\u9fff\uac00-\ud7a3]")


class OperatorTurn(NamedTuple):
    """The operator's words at a time (or on a day), and their nearness to the answer."""

    at: str
    text: str
    score: float
    note: bytes = b""  # the note that has it as a line
    line: int = 0

    def is_after(self, other: OperatorTurn) -> bool:
        """Say whether it is plainly later than another turn: by its time, its day, or its line in the same note."""
        if self.note and self.note == other.note:
            return self.line > other.line
        if self.note or other.note:
            return self.at[:10] > other.at[:10]
        return datetime.fromisoformat(self.at) > datetime.fromisoformat(other.at)

    def is_meant(self, trusts: TrustLookup) -> bool:
        """Say whether it is the operator's, and not taken back later in the note."""
        if not self.note:
            return True
        is_his = trusts.of_lines(self.note, self.line, self.line) == OPERATOR
        if not is_his or self.line in lines_not_meant(self.note):
            return False
        return not trusts.quotes_taken_back(f'"{self.text}"')


class AnsweringLine(NamedTuple):
    """The line that answers best, the question, the files of memory, of which another line may be meant, the terms of the lines of memory, and the line's day."""

    result: Result
    query: str
    files: tuple[bytes, ...]
    remembered: tuple[frozenset[str], ...]
    since: str = ""

    @property
    def statement(self) -> str:
        return _statement(self.result)

    @property
    def about(self) -> str:
        """Return the line, the question, and the operator's words already beside the line: his next words on it may name only these."""
        return " ".join((self.statement, self.query, *self.result.beside_best))

    def may_give_way(self, quote: str, on: date) -> bool:
        """Say whether words have another value for the line; if they name a subject of their own, for what the question asks of it."""
        statement = self.statement
        if names_a_subject(Heard(quote, "", "", on), self.about):
            part = "; ".join(filter(partial(words_shared, self.query), clauses(statement)))
            if read(part, on).values:
                statement = part
        return replaces_value(quote, statement, on)

    def has_topic(self, words: Collection[str]) -> bool:
        """Say whether words have half of those that the line and the question share."""
        topic = words_shared(self.statement, self.query)
        return 2 * len(topic.intersection(words)) >= len(topic) > 0

    def is_of_its_topic(self, heard: Heard) -> bool:
        """Say whether words name no topic of their own, or have a word of the line, the question or what is beside the line, or another value of a form that few lines have."""
        about = " ".join((self.query, self.statement, *map(attrgetter("words"), self.result.beside)))
        if any(map(is_bare, own_sentences(heard.said))) or not names_a_subject(heard, about):
            return True
        shared = filterfalse(is_light, _in_common(about, heard.said))
        if denies_value_of(heard, self.result.snippet) or any(shared):
            return True
        from clawgit.text.comparing.value_kinds import OF_FEW, values_in  # noqa: PLC0415 - seldom: his next words have none of the line's

        rare = OF_FEW.intersection(map(attrgetter("kind"), values_in(heard.said)))
        return not rare.isdisjoint(map(attrgetter("kind"), values_in(self.statement)))

    def is_meant_by(self, text: str, on: date) -> bool:
        """Say whether no other line of memory, or of its file, that a turn may correct has with the question more of its words (none has any, if this one has none), and it tells of nobody whom this one does not name.

        A turn that denies a value of the line is about it (`077, not 078`), but for one about another numbered thing.
        """
        heard = Heard(text, "", "", on)
        if is_of_outsider(heard, self.statement):
            return False
        others = frozenset().union(*map(_statements_in, self.files)) - {self.statement}
        numbered = set(filter(partial(self._numbers_another, others=others), _sentences(text)))
        if denies_value_of(heard, self.statement) and not numbered:
            return True
        is_of_another = False
        for sentence in _sentences(text):
            own = len(words_shared(self.about, sentence))
            is_other = sentence in numbered
            if own == 1 and replaces_value(sentence, self.statement, on):  # `Redis moved to port 6390`
                is_other = is_other or begins_with_another(Heard(sentence, "", "", on), self.about)
            if is_other or self._has_nearer(sentence, own, on, others):
                is_of_another = True
            elif own or repeats_value(sentence, self.statement, on):
                return True
        return not is_of_another

    def _numbers_another(self, sentence: str, others: Collection[str]) -> bool:
        about = (self.statement, self.query, PurePath(self.result.path).stem.replace("-", " "))
        from clawgit.understanding.evidence.numbered_things import numbers_another  # noqa: PLC0415 - seldom: he said something later

        return any(map(partial(numbers_another, sentence, beside=others), about))

    def _has_nearer(self, sentence: str, own: int, on: date, others: Iterable[str]) -> bool:
        for each in others:
            if len(words_shared(f"{each} {self.query}", sentence)) <= own:
                continue
            if not own or brings_value(sentence, each, on) or repeats_value(sentence, each, on):
                return True
        return False


def with_his_words(
    history: History, trusts: TrustLookup, question: Query, notes: Hits, now: datetime
) -> tuple[Hits, Hits]:
    """Return notes with the operator's later words beside the best lines, and his messages that answer."""
    answers, behind = _said_before(history, trusts, question, notes, now)
    turns = (*answers.results, *behind)
    return with_later_words(notes, turns, question.query, now.date(), trusts), answers


def _said_before(
    history: History, trusts: TrustLookup, question: Query, notes: Hits, now: datetime
) -> tuple[Hits, list[Result]]:
    """Return the operator's words in any talk that answer, and his turns right after them or about the best lines: these may share no word with the question.

    No questions, nothing taken back, and nothing that a found note has.
    """
    if not has_messages(history):
        return Hits(), []

    least = 0.0
    if notes.results:
        least = ANSWERS_WELL

    def find(store: MessageStore) -> tuple[Hits, dict[str, Result], list[ChatMessage]]:
        hits, his = _his_turns(store, question, now, least)
        for each in _turns_about(store, notes, now):
            his.setdefault(each.entry, each)
        return hits, his, followed(store, his)

    try:
        hits, standing, messages = ask_briefly(history, now, find)
        taken_back = taken_back_among(trusts, messages)
    except ClawgitError:
        return Hits(), []  # the notes answer alone
    for gone, left in taken_back.items():
        if left is None:
            del standing[gone]
        else:
            standing[gone] = standing[gone]._replace(snippet=left.text, message=left)
    noted = " \n ".join(map(index_terms, map(attrgetter("snippet"), notes.results)))
    answering = set(map(attrgetter("entry"), hits.results))
    statements = []
    following = []
    for each in without_corrected(history, list(standing.values()), now):
        own = own_words_in(each.snippet)
        is_telling = own and not is_question(own) and not is_dictated(own) and own not in question.query
        if not is_telling or holds_a_secret(own) or f" {index_terms(own)} " in f" {noted} ":
            continue
        if each.entry in answering:
            statements.append(each._replace(snippet=own))
        else:
            following.append(each)
    return hits._replace(results=tuple(statements)), following


def _his_turns(
    store: MessageStore, question: Query, now: datetime, least: float
) -> tuple[Hits, dict[str, Result]]:
    best = question._replace(most=min(question.most, 2 * MOST_SAID))  # the talk after each is read
    hits, candidates = _search(store, best, now)
    good = list(filter(lambda each: each.score >= least, hits.results))
    own = list(filter(_is_his, good))
    his: dict[str, Result] = {}
    # one that answers less well may have another value for the best line, and little else
    weaker = filter(lambda each: FROM_SCORE <= each.score < least and _is_brief(each.snippet), hits.results)
    for each in filter(_is_his, (*own, *next_turns(candidates, good), *weaker)):
        his.setdefault(each.entry, each)
    return hits._replace(results=tuple(own)), his


def _is_brief(text: str) -> bool:
    """Say whether a text has a value, and hardly a word beside it."""
    heard = Heard(text, "", "", ANY_DAY)
    return bool(read(text).values) and says_little(heard)


def _turns_about(store: MessageStore, notes: Hits, now: datetime) -> Iterator[Result]:
    """Yield the operator's turns about the best lines, found by the lines' words, and the ones right after these."""
    for statement in filter(str.strip, statements_of_best(notes)):
        query = statement.removeprefix("User's ").removeprefix("User ")
        of_line = Query(query, 2 * MOST_SAID, FROM_SCORE)
        hits, candidates = _search(store, of_line, now, in_any=True)
        yield from filter(_is_his, hits.results)
        for each in filter(_is_his, next_turns(candidates, hits.results)):
            if each.message is not None and any(map(is_bare, own_sentences(each.message.text))):
                yield each  # its topic is the turn before


def _is_his(hit: Result) -> bool:
    return hit.trust == OPERATOR


def _search(
    store: MessageStore, request: Query, now: datetime, *, in_any: bool = False
) -> tuple[Hits, Candidates]:
    """Return the messages that answer, and those that were ranked, which hold the turns around them."""
    ranked: list[Candidates] = []

    def look(words: Sequence[str], days: tuple[datetime, datetime] | None) -> Candidates:
        ranked.append(store.candidates(words, days))
        return ranked[0]

    return search_messages(look, request, now, in_any=in_any), ranked[0]


def with_later_words(
    notes: Hits, messages: Iterable[Result], query: str, on: date, trusts: TrustLookup
) -> Hits:
    """Return notes with the operator's words beside the best line, if the line is older; ``messages`` answer the same question."""
    if not notes.results:
        return notes
    turns = sorted(_turns_of_notes(notes), key=_nearness, reverse=True)[:MOST_TURNS]
    for each in messages:
        if each.message is not None and each.trust == OPERATOR and not each.note and each.score >= FROM_SCORE:
            turns.append(OperatorTurn(each.message.sent_at.isoformat(), each.message.text, each.score))
    turns.sort(key=_nearness, reverse=True)
    memory = map(_statements_in, filter(None, map(notes.texts.get, MEMORY_FILES)))
    remembered = tuple(map(terms_in, chain.from_iterable(memory)))
    results = list(notes.results)
    for at in _best_lines(results, SHARE * results[0].score):
        note = notes.texts.get(results[at].path) or b""
        left = _not_above(results[at], note, turns)
        since = day_of_line(results[at].path, note, results[at].best) or results[at].since
        paths = (*MEMORY_FILES, *filterfalse(date_of, [results[at].path]))
        files = tuple(filter(None, map(notes.texts.get, paths)))
        line = AnsweringLine(results[at], query, files, remembered, str(since))
        later = _later(line, _not_restored(line.statement, list(left), on), on, trusts)
        results[at] = results[at]._replace(later=(*results[at].later, *later))
    return notes._replace(results=tuple(results))


def _nearness(turn: OperatorTurn) -> tuple[float, str]:
    return turn.score, turn.at


def _not_above(line: Result, note: bytes, turns: Iterable[OperatorTurn]) -> Iterator[OperatorTurn]:
    """Yield turns except those above a line in the same note: they have the same day."""
    above = set()
    for each in note.decode(errors="replace").splitlines()[: line.best]:
        if speaker_of(each) == USER:
            above.add(folded(words_of(each)))
    for turn in turns:
        if folded(turn.text) not in above:
            yield turn


def _not_restored(statement: str, turns: Sequence[OperatorTurn], on: date) -> Iterator[OperatorTurn]:
    """Yield turns except those after which the operator said again what the line says: his latest words hold."""
    restoring = list(filter(lambda each: may_restore(each.text), turns))
    if not restoring:
        yield from turns
        return
    from clawgit.understanding.corrections.second_word import restores  # noqa: PLC0415 - seldom: two turns about one line, the later as a second word

    for turn in turns:
        is_restored = False
        for each in restoring:
            if each.is_after(turn) and restores(each.text, statement, turn.text, on):
                is_restored = True
        if not is_restored:
            yield turn


def _is_known(text: str, remembered: Iterable[frozenset[str]]) -> bool:
    """Say whether a turn repeats a line of memory, an order to remember aside."""
    terms = terms_in(without_order(text))
    most = max(map(len, map(terms.intersection, remembered)), default=0)
    return most >= AGAIN * len(terms)


def _best_lines(results: Sequence[Result], score: float) -> list[int]:
    """Return the results that may get later words: the best line of memory, and the best one of a day's note that is not the agent's turn, among the first."""
    lasting, turns = [], []
    for at, each in enumerate(results):
        if each.since and each.score >= score and not _is_title(each):
            if not date_of(each.path):
                lasting.append(at)
            elif speaker_of(each.best_line) != ASSISTANT:
                turns.append(at)
    return [*lasting[:1], *turns[:1]]


def _is_title(result: Result) -> bool:
    """Say whether the best line is a heading, or the head of a table: neither states what is asked."""
    line = result.best_line
    return line.startswith("#") or folded(line.strip("| ")) == "".join(result.titles[-1:])


def statements_of_best(notes: Hits) -> list[str]:
    """Return the statements of the lines that may get later words: messages may share their words and none of the question's."""
    statements = []
    if notes.results:
        for at in _best_lines(notes.results, SHARE * notes.results[0].score):
            statements.append(_statement(notes.results[at]))
    return statements


def _statement(result: Result) -> str:
    return parted(words_of(result.best_line.lstrip(DRESS))).statement


def _turns_of_notes(notes: Hits) -> Iterator[OperatorTurn]:
    """Yield the operator's turns in daily notes among the hits, each with the nearest matching line before it."""
    hits_by_path: dict[str, list[Result]] = {}
    for each in notes.results:
        may_tell = each.score >= FROM_SCORE and HIS_TURN in (notes.texts.get(each.path) or b"")
        if may_tell and date_of(each.path):
            hits_by_path.setdefault(each.path, []).append(each)
    for path, hits in hits_by_path.items():
        data = notes.texts.get(path) or b""
        scores: dict[int, float] = {}
        for hit in hits:
            for number in range(hit.first, hit.last + 1):
                scores[number] = max(scores.get(number, 0.0), hit.score)
        score, left = 0.0, 0
        for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
            if number in scores:
                score, left = max(score, scores[number]), BEHIND
            if not left:
                continue
            if speaker_of(line) == USER:
                is_order = number not in scores and without_order(words_of(line)) != words_of(line)
                if is_order or is_question(words_of(line)):
                    left = 0  # another topic begins
                else:
                    day = day_of_line(path, data, number)
                    yield OperatorTurn(str(day), words_of(line), score, data, number)
            left -= 1
            score *= FADING
            if left <= 0:
                score, left = 0.0, 0


def _later(
    line: AnsweringLine, turns: Iterable[OperatorTurn], on: date, trusts: TrustLookup
) -> tuple[str, ...]:
    """Return later turns with another value or name, or enough common words with line and question; the best ones, the newest first."""
    statement, about = line.statement, line.about
    lines_beside = "\n".join((line.result.best_line, *line.result.told))
    taken_away = trusts.taken_away(statement)
    turns_by_quote: dict[str, tuple[float, OperatorTurn]] = {}
    for turn in turns:
        if not is_later(turn.at, line.since):
            continue
        whole = list(filterfalse(taken_away.__contains__, _sentences(turn.text)))
        sentences = list(filterfalse(lines_beside.__contains__, whole))
        plain = PLAIN
        if len(sentences) < len(whole):  # the line already has the other sentences beside it
            plain = 1
        quote = _quote(sentences, line, on, plain)
        worth = _worth(quote, line, on) + turn.score
        if quote and worth > turns_by_quote.get(quote, (0.0, turn))[0]:
            turns_by_quote[quote] = worth, turn
    good: list[tuple[str, str]] = []
    for quote, (_, turn) in sorted(
        turns_by_quote.items(), key=lambda item: (item[1][0], item[1][1].at), reverse=True
    ):
        if _is_known(turn.text, [terms_in(statement)]) and not brings_value(turn.text, statement, on):
            continue  # it says the line again
        is_about = len(_in_common(about, quote)) > _is_known(turn.text, line.remembered)
        is_rival = line.may_give_way(quote, on)
        if turn.score < ANSWERS_WELL:
            is_rival = is_rival and says_little(Heard(quote, "", "", on))  # its topic is the talk
        if not words_shared(about, quote) and trusts.is_of_another_line(quote, statement):
            continue
        is_meant = line.is_meant_by(quote, on) and line.is_of_its_topic(Heard(quote, "", "", on))
        if (is_about or is_rival) and is_meant and turn.is_meant(trusts):
            good.append((turn.at, quote))
    most = MOST
    if date_of(line.result.path) and not speaker_of(line.result.best_line):
        most = 1  # notes have many topics
    best = rivals_first(good, statement, on)[:most]
    return tuple(said_note(quote, at, on) for at, quote in sorted(best, reverse=True))


def rivals_first(good: Sequence[tuple[str, str]], statement: str, on: date) -> list[tuple[str, str]]:
    """Return quotes with the best one against each value of a line first: another time for its time."""
    first: dict[tuple[str, str], None] = {}
    for value in read(statement, on).values:
        for each in good:
            if any(map(partial(are_rivals, value), read(each[1], on).values)):
                first[each] = None
                break
    return list(first | dict.fromkeys(good))


def _in_common(about: str, text: str) -> set[str]:
    """Return the words of ``about`` that a text has, in any form or as everyday words of another language."""
    words = terms_in(text)
    abroad_too = {each for each in terms_in(about) if not words.isdisjoint(abroad(each))}
    return abroad_too.union(words_shared(about, text))


def is_later(at: str, since: str) -> bool:
    """Say whether a time (or a day) is not before another; times in any zones, else days."""
    if min(len(at), len(since)) == len("2026-03-10"):
        return at[:10] >= since[:10]
    return datetime.fromisoformat(at) >= datetime.fromisoformat(since)


def _quote(sentences: Sequence[str], line: AnsweringLine, on: date, plain: int) -> str:
    """Return the sentences that differ from a line, or share ``plain`` words with it and the question, or one that both have, from the best one on."""
    worth, first = -1.0, -1
    statement = line.statement
    for at, each in enumerate(sentences):
        common = _in_common(line.about, each)
        is_plain = len(common) >= plain or line.has_topic(common)
        is_plain = is_plain and not repeats_value(each, statement, on)
        if is_plain or (TELLING.search(each) and brings_value(each, statement, on)):
            its = _worth(each, line, on)
            if its > worth:
                worth, first = its, at
    if first < 0:
        return ""
    if sum(map(len, sentences)) <= MOST_QUOTED:
        return " ".join(sentences)
    taken = sentences[first]
    for each in sentences[first + 1 :]:
        if len(taken) + len(each) >= MOST_QUOTED:
            break
        taken += f" {each}"
    return taken


def _worth(quote: str, line: AnsweringLine, on: date) -> float:
    """Return how much speaks for words: shared ones, another value or name, one (alone: its topic is the talk) that may replace the line's, and the line's own beside it."""
    statement = line.statement
    common = _in_common(f"{statement} {line.query}", quote)
    worth = len(common) + brings_value(quote, statement, on)
    if replaces_value(quote, statement, on):
        worth += 1 + any(map(is_bare, own_sentences(quote)))
    return worth + repeats_value(quote, statement, on)


@lru_cache(maxsize=16)
def _statements_in(data: bytes) -> frozenset[str]:
    statements = set()
    for line in data.decode(errors="replace").splitlines():
        if line.strip() and not line.startswith("#"):
            statements.add(parted(line.strip().lstrip(DRESS)).statement)
    return frozenset(statements)


@lru_cache(maxsize=1024)
def _sentences(text: str) -> list[str]:
    """Return the sentences of a turn without drafts for others and secrets."""
    if is_dictated(text):
        return []
    return list(filterfalse(holds_a_secret, telling_sentences(text)))


def _speaker(history: History, trusts: TrustLookup, hits: Hits, result: Result) -> str:
    for key in keys_of_lines(hits.texts.get(result.path) or b"", result.first, result.last):
        origin = trusts.origin(key)
        if origin is not None:
            return by_person(history, origin.commit_id)
    return ""


def with_taken_back(history: History, trusts: TrustLookup, hits: Hits, note: str, now: datetime) -> Hits:
    """Mark lines of session notes that the operator took back in the same session, or had memory forget."""
    results = list(hits.results)
    snippets = []
    for at, result in enumerate(results):
        if not speaker_of(result.snippet) or date_of(result.path) is None:
            continue
        snippets.append(result.snippet)
        taken = set(chain.from_iterable(lines for lines, _ in takings(hits.texts.get(result.path) or b"")))
        if taken.issuperset(range(result.first, result.last + 1)):
            results[at] = result._replace(note=with_person(note, _speaker(history, trusts, hits, result)))
    gone = lines_taken_back(history, trusts, snippets, now)
    for at, result in enumerate(results):
        if result.snippet in gone and date_of(result.path) is not None:
            results[at] = result._replace(note=with_person(note, gone[result.snippet]))
    return hits._replace(results=tuple(results))
