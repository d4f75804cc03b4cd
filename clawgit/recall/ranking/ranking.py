"""Ranks a pool of matches by each line and the lines around it. Pure.

The order of a line is a sum: its own BM25, that of its neighbours, how much of the question stands together
there, its section's, the headings above, words in the question's sequence, its speaker, its day (for a
question after the latest), whether it tells a time when that is asked, and whether it only asks. The weights
are flat: half or double of most moves recall by less than a point.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cache, partial
from itertools import chain, compress, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.tiers import is_of_session
from clawgit.memory.notes import ASSISTANT, USER
from clawgit.recall.index.places import (
    ASKS,
    CORRECTION,
    ROW,
    Corpus,
    IndexedLine,
    rarity,
    strength,
)
from clawgit.recall.index.searched_files import is_searched
from clawgit.recall.questions.question import LIGHT, Question
from clawgit.recall.questions.question_dates import day_fit, tells_time
from clawgit.recall.search_results import ANSWERS_WELL
from clawgit.text.words.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import date


_USER = " ".join(terms_of(USER))
_ASSISTANT = " ".join(terms_of(ASSISTANT))
_OTHER_FORM = 0.5  # the weight of a short form or a corrected word, against the word itself
_UNSEEN = 0.8  # a word of no unit may be the question's own wording …
_UNSEEN_PAIR = 0.25  # … and two characters that are nowhere side by side belong to two words
_TELLING = 8.0  # a long question is covered by as many of its most telling words


class CandidateLine:
    """A line and its terms of the question: bit n of ``mask`` is the n-th term, likewise of ``heading``."""

    __slots__ = (
        *("_terms", "asks", "found", "heading", "is_mixed"),
        *("leads", "line", "mask", "own", "speaker", "talk"),
    )

    def __init__(self, line: IndexedLine, words: Sequence[str]) -> None:
        self.line, self.found = line, words
        self._terms: list[str] | None = None
        self.mask, self.heading, self.own = 0, 0, 0.0
        self.talk = self.leads = False
        self.is_mixed = False  # its heading tells little about it: a turn, or a line of a session's note
        self.speaker, self.asks = line.traits, False
        if line.traits[:1] == ASKS:
            self.speaker, self.asks = line.traits[1:], True

    @property
    def terms(self) -> list[str]:
        """Return the terms of the line; needed for few lines."""
        if self._terms is None:
            self._terms = self.line.terms.split()
        return self._terms


NOTHING = CandidateLine(IndexedLine(0, 0, 0, "", ""), ())


class WeighedQuestion:
    """A question against a corpus: the worth of each term, and the words that satisfy it."""

    def __init__(self, question: Question, corpus: Corpus) -> None:
        self.question = question
        self.worth: list[float] = []
        self._bits: dict[str, int] = {}
        self._where: dict[str, list[tuple[int, float]]] = {}  # the terms of a word, its worth in each
        # No methods are cached: a cache would keep this object until the garbage collector runs.
        self.sum = cache(partial(_sum, self.worth))
        self._usual_length = max(1, round(corpus.mean_length))
        self._strength = cache(partial(strength, mean=max(1.0, corpus.mean_length)))
        self.words_of = cache(partial(_words_within, self._bits))
        is_seen: list[bool] = []
        for at, term in enumerate(question.terms):
            units = sum(corpus.seen.get(word, 0) for word in term.words)
            unseen = _UNSEEN_PAIR if term.gram and len(question.terms) > 1 else _UNSEEN
            is_seen.append(units > 0)
            self.worth.append(term.weight * rarity(corpus.units, units) * (1 if units else unseen))
            for rank, word in enumerate(term.words):
                share = 1.0 if rank < term.alike else _OTHER_FORM
                self._where.setdefault(word, []).append((at, share * self.worth[at]))
                self._bits[word] = self._bits.get(word, 0) | 1 << at
        self.dated = 0
        weighed = []
        for at, term in enumerate(question.terms):
            self.dated |= term.dated << at
            share = 1.0
            if term.dated and term.weight > LIGHT and len(question.terms) > 1:
                share = LIGHT  # a weekday lifts the lines that have it, and none needs it
            weighed.append((self.worth[at] * share, term.weight * share))
        self.all_words = frozenset(self._bits)
        self.day_worth = 0.0
        if question.days is not None and not self.dated:  # no term has it ("last week")
            self.day_worth = 0.4 * math.log1p(corpus.units)
        self.whole = _telling(weighed) + self.day_worth
        self.known = _telling(list(compress(weighed, is_seen))) + self.day_worth

    def hold(self, lines: Sequence[IndexedLine]) -> list[CandidateLine]:
        """Return the terms of the question in each line; the ``own`` scores are set later."""
        words_by_line = _words_in([line.terms for line in lines], self._bits)
        candidates = [CandidateLine(line, words_by_line.get(at, ())) for at, line in enumerate(lines)]
        for at, words in words_by_line.items():
            candidates[at].mask = self.mask(words)
        return candidates

    def mask(self, words: Iterable[str]) -> int:
        mask = 0
        for word in words:
            mask |= self._bits[word]
        return mask

    def masks(self, texts: Collection[str]) -> dict[str, int]:
        masks = dict.fromkeys(texts, 0)
        named = list(masks)
        for at, words in _words_in(named, self._bits).items():
            masks[named[at]] = self.mask(words)
        return masks

    def bm25(self, candidate: CandidateLine, besides: Collection[str]) -> float:
        """Return the line's own score without the words ``besides``; of a term's forms the best counts."""
        best: dict[int, float] = {}
        text = candidate.line.terms
        length = text.count(" ") + 1
        if candidate.line.kind == ROW:  # more columns do not make it a worse answer
            length = self._usual_length
        for word in candidate.found:
            if word in besides:
                continue
            often = 1
            if text.count(word) > 1:
                often = candidate.terms.count(word)
            fit = self._strength(often, length)
            for at, worth in self._where[word]:
                score = fit * worth
                if score > best.get(at, 0.0):
                    best[at] = score
        return sum(best.values())


def _words_within(bits: Mapping[str, int], mask: int) -> frozenset[str]:
    return frozenset(word for word, own in bits.items() if not own & ~mask)


def _sum(worths: Sequence[float], mask: int) -> float:
    return sum((worth for at, worth in enumerate(worths) if mask >> at & 1), 0.0)


def _words_in(texts: Sequence[str], words: Iterable[str]) -> dict[int, list[str]]:
    """Return the words in each text that has any; words are not split."""
    words_by_text: dict[int, list[str]] = {}
    for word in words:
        holding = [at for at, text in enumerate(texts) if word in text]  # few, and most of these as a word
        for at in holding:
            if f" {word} " in f" {texts[at]} ":
                words_by_text.setdefault(at, []).append(word)
    return words_by_text


def _telling(weighed: list[tuple[float, float]]) -> float:
    """Return the worth of full coverage, by worth and weight of terms: of all, or of the most telling of many."""
    left, whole = _TELLING, 0.0
    for worth, weight in sorted(weighed, reverse=True):
        whole += worth * min(1.0, left / weight)
        left -= weight
        if left <= 0:
            break
    return whole


def section_scores(
    query: WeighedQuestion,
    sections: Collection[int],
    matches: Iterable[CandidateLine],
    besides: Mapping[int, int],
) -> dict[int, float]:
    """Return the BM25 of each section, where each line with a term counts once.

    A term in few of these sections counts more; since the lines are the best matches of all, this needs no
    index of sections. ``besides`` are terms to leave out, by section.
    """
    counts: dict[int, dict[int, int]] = {}
    bits: dict[int, list[int]] = {}
    for each in matches:
        number = each.line.section
        mask = each.mask & ~besides.get(number, 0)
        if mask not in bits:
            bits[mask] = [at for at in range(mask.bit_length()) if mask >> at & 1]
        section = counts.setdefault(number, {})
        for at in bits[mask]:
            section[at] = section.get(at, 0) + 1
    spread = Counter(chain.from_iterable(counts.values()))
    terms = query.question.terms
    worth = {at: terms[at].weight * rarity(len(sections), holding) for at, holding in spread.items()}
    scores = dict.fromkeys(sections, 0.0)
    for number, term_counts in counts.items():
        for at, often in term_counts.items():
            scores[number] += worth[at] * strength(often, 1, 1.0)
    return scores


_BEFORE, _BEHIND, _TWO_BEFORE, _TWO_BEHIND = 0.7, 0.25, 0.35, 0.25
_APART = 0.5  # of that, and of the section, outside conversations: list items are about different things
_ALONE = 0.5  # of the lines around a line without any term of the question there
_ASKED = 0.2  # more of the line before, if it asks: this one may be the answer
_TOGETHER = 0.2
_SECTION = 1.0
# The heading states a note's topic in a few words: a line below that repeats it is not better.
_SUBJECT = 1.4
_HEADING = 0.5  # in a conversation, and for the words before a colon: "Router: …" is about the router
_PHRASE = 1.0
# At 400 units; they grow with the worth of a rare word.
_SPEAKER, _DAY, _LATEST, _TIME, _ASKS = 5.0, 6.0, 3.0, 4.0, -1.5
_LEADING = 40  # the paragraphs of a note's matching lines are added if at most so many rank above
_BESIDE, _NEAR = 0.9, 0.8  # coverage by a term one line beside, and two, or in a heading


class Ranked(NamedTuple):
    """A line and its scores."""

    key: int
    order: float  # the full re-rank score: sort by it; not comparable across questions
    coverage: float  # 0..1, comparable across questions: the share covered by line and context
    direct: float  # 0..1: the share of the line itself
    talk: bool = False  # said in a conversation
    known: float = 0.0  # 0..1: the same share, of the terms in any line
    held: int = 0  # the terms in the line itself, as bits
    about: int = 0  # … and in its headings, its file's name, its speaker, and the turns around it


_ranked = tuple.__new__  # of a named tuple: half the time, for every line around a match


def rank(
    question: Question, lines: Sequence[IndexedLine], corpus: Corpus, *, asking: Collection[int] = ()
) -> list[Ranked]:
    """Return the lines with or beside a term of the question, best first.

    ``lines`` are the pool (at most `POOL` matches) and, for each, up to `AROUND` units before and behind it
    in its section, in any order; each unit once. For a question with `days`, also units of files of these
    days. A line before one that is only ``asking`` is not an answer to it.
    """
    pool = _Pool(question, lines, corpus, asking)
    ranked = [hit for candidate in pool.held if (hit := pool.judged(candidate)) is not None]
    ranked.sort(key=itemgetter(0))
    ranked.sort(key=itemgetter(1), reverse=True)
    return ranked


def kept(ranked: Sequence[Ranked], min_score: float) -> list[Ranked]:
    """Return the hits with enough coverage; if none has, the few with a telling part of the question.

    Or with every term that any line has: unknown words in a question do not hide the answer to the known one.
    """
    return [hit for hit in ranked if hit.coverage >= min_score] or [
        hit for hit in ranked if hit.direct >= TELLING or hit.known >= ALL_KNOWN
    ][:3]


TELLING, ALL_KNOWN = 0.25, 0.9


def memory_answers(lines: Iterable[IndexedLine], ranked: Iterable[Ranked]) -> bool:
    """Say whether memory itself answers well: a file beside it may be old, and keeps no other language silent."""
    of_memory = {line.key for line in lines if is_searched(line.path)}
    return any(hit.coverage >= ANSWERS_WELL and hit.key in of_memory for hit in ranked)


def asking_last(ranked: Sequence[Ranked], asking: Collection[int]) -> list[Ranked]:
    """Return the hits with score 0 for those that only ask: they are shown only without others."""
    if not asking:
        return list(ranked)
    return [hit._replace(order=0.0, coverage=0.0) if hit.key in asking else hit for hit in ranked]


class _Pool:
    def __init__(
        self, question: Question, lines: Sequence[IndexedLine], corpus: Corpus, asking: Collection[int]
    ) -> None:
        self.asked = query = WeighedQuestion(question, corpus)
        self._asking = asking
        self._whole = query.whole or math.inf
        self._known = query.known or math.inf
        self.held = query.hold(lines)
        self.talk = find_talk(query, self.held)
        self._masks = query.masks(
            {text for candidate in self.held for text in (candidate.line.heading, candidate.speaker)}
        )
        self._at: dict[int, dict[int, CandidateLine]] = {}
        matches: list[CandidateLine] = []
        for candidate in self.held:
            line = candidate.line
            section = line.section
            candidate.talk = section in self.talk.sections
            candidate.is_mixed = candidate.talk or is_of_session(line.path)
            candidate.heading = self._masks[line.heading]
            if section not in self._at:
                self._at[section] = {}
            self._at[section][line.position] = candidate
            mask = candidate.mask
            if not mask:
                continue
            matches.append(candidate)
            # By itself: neither the speaker nor the heading, which is above it anyway.
            candidate.own = query.bm25(
                candidate,
                self.talk.besides(candidate) if candidate.is_mixed else query.words_of(candidate.heading),
            )
        names = dict.fromkeys(self.talk.sections, self.talk.bits)
        self._sections = section_scores(query, self._at.keys(), matches, names)
        matches.sort(key=lambda candidate: (-candidate.own, candidate.line.key))
        for candidate in matches[:_LEADING]:
            candidate.leads = True
        self._fit: Callable[[date | None], float] | None = None
        if question.days is not None:
            self._fit = cache(partial(day_fit, question.days))
        self._scale = math.log1p(corpus.units) / 6
        self._span: tuple[int, int] | None = None
        if question.asks_latest:
            days = [candidate.line.on.toordinal() for candidate in matches if candidate.line.on is not None]
            days.sort()
            self._span = (days[0], days[-1]) if days else None

    def judged(self, candidate: CandidateLine) -> Ranked | None:
        """Return a line with its scores, None without a term of the question near."""
        line, own, heading, talk = candidate.line, candidate.mask, candidate.heading, candidate.talk
        fit = 0.0
        if self._fit is not None and not self._is_undated(candidate):
            fit = self._fit(line.on)
        near_it, position = self._at[line.section].get, line.position
        before2 = near_it(position - 2, NOTHING)
        before = near_it(position - 1, NOTHING)
        behind = near_it(position + 1, NOTHING)
        behind2 = near_it(position + 2, NOTHING)
        is_near = before.leads or behind.leads or before2.leads or behind2.leads
        if not (own or heading or fit or talk or is_near):
            return None
        if self._asking:
            behind = self._unless_asking(behind)
            behind2 = self._unless_asking(behind2)
        if line.kind == ROW or (talk and not (own or before.mask or behind.mask)):
            before = behind = before2 = behind2 = NOTHING
        beside = own | before.mask | behind.mask
        near = beside | before2.mask | behind2.mask | heading
        if not near and not fit:
            return None
        around = (_BEFORE + _ASKED * before.asks) * before.own + _BEHIND * behind.own
        around += _TWO_BEFORE * before2.own + _TWO_BEHIND * behind2.own
        order = sum(self._parts(candidate, around, beside, fit))
        direct, covered = self._covered(candidate, beside, near, fit)
        if not (own or (talk and beside)):
            above = 0.0
            if heading or fit or candidate.speaker:
                above = self._covered(candidate, 0, heading, fit)[1]
            if candidate.is_mixed:
                above *= _ALONE
            covered = max(_ALONE * covered, above)
        if not fit and self._only_goes_on(candidate, before):
            order *= _ALONE
            covered *= _ALONE
        whole = self._whole
        about = own | heading | self._masks[candidate.speaker] | near * candidate.is_mixed
        certainty = min(1.0, direct / self._known)
        cover = min(1.0, covered / whole)
        share = min(cover, direct / whole)
        return _ranked(Ranked, (line.key, order, cover, share, talk, certainty, own, about))

    def _is_undated(self, candidate: CandidateLine) -> bool:
        """Say whether a correction without a term only has the day on which it was made."""
        if candidate.line.kind != CORRECTION or self.asked.question.asks_days:
            return False
        return not candidate.mask | candidate.heading & ~self.asked.dated

    def _only_goes_on(self, candidate: CandidateLine, before: CandidateLine) -> bool:
        """Say whether a turn of a talk with the agent holds no term (`Ok.`) and does not answer the agent's question."""
        if candidate.mask or candidate.speaker not in (_USER, _ASSISTANT):
            return False
        if not is_of_session(candidate.line.path):
            return False
        return not (before.asks and before.speaker == _ASSISTANT and candidate.speaker == _USER)

    def _unless_asking(self, candidate: CandidateLine) -> CandidateLine:
        return NOTHING if candidate.line.key in self._asking else candidate

    def _parts(self, candidate: CandidateLine, around: float, beside: int, fit: float) -> tuple[float, ...]:
        query, total, scale = self.asked, self.asked.sum, self._scale
        section = _SECTION * self._sections[candidate.line.section]
        date = _DAY * scale * fit
        if self._span and candidate.line.on is not None:
            first, last = self._span
            date += _LATEST * scale * max(0.0, (candidate.line.on.toordinal() - first) / max(1, last - first))
        phrase = 0.0
        if len(candidate.found) > 1 and query.question.phrases:
            phrase = _PHRASE * self._phrases(candidate)
        time = 0.0
        if query.question.asks_when and tells_time(candidate.terms):
            time = _TIME * scale
        if not candidate.talk:
            around += _TOGETHER * total(beside)
            heading = _SUBJECT * total(candidate.heading)
            if candidate.is_mixed:
                heading = _HEADING * total(candidate.heading)
            heading += _HEADING * total(self._masks[candidate.speaker])
            return candidate.own, _APART * around, _APART * section, heading, phrase, 0.0, date, time
        names = ~self.talk.bits
        around += _TOGETHER * total(beside & names)
        heading = _HEADING * total(candidate.heading & names)
        speaker = 0.0
        if self.talk.says(candidate):
            speaker = _SPEAKER * scale
        asks = 0.0
        if candidate.asks:
            asks = _ASKS * scale
        return candidate.own, around, section, heading, phrase, speaker, date, time, asks

    def _phrases(self, candidate: CandidateLine) -> int:
        besides, text = self.talk.besides(candidate), f" {candidate.line.terms} "
        return sum(
            a in candidate.found and b in candidate.found and not {a, b} & besides and f" {a} {b} " in text
            for a, b in self.asked.question.phrases
        )

    def _covered(self, candidate: CandidateLine, beside: int, near: int, fit: float) -> tuple[float, float]:
        query, own = self.asked, candidate.mask
        if candidate.speaker and self.talk.says(candidate):
            own |= self.talk.bits
        if fit == 1:
            own |= query.dated
        itself = query.sum(own)
        beside_too = query.sum(beside | own)
        near_too = query.sum(near | own)
        direct = itself + query.day_worth * fit
        return direct, direct + _BESIDE * (beside_too - itself) + _NEAR * (near_too - beside_too)


class Conversations(NamedTuple):
    """The sections that are conversations, and the speakers named in the question."""

    sections: frozenset[int]
    named: frozenset[str]
    names: frozenset[str]  # the words of their names in the question
    bits: int  # the bits of these words

    def besides(self, candidate: CandidateLine) -> frozenset[str]:
        """Return the speakers' names in the section of this line: they are not its topic."""
        return self.names if candidate.line.section in self.sections else frozenset()

    def says(self, candidate: CandidateLine) -> bool:
        """Say whether the only speaker named in the question says this line."""
        return (
            len(self.named) == 1
            and candidate.speaker in self.named
            and candidate.line.section in self.sections
        )


def find_talk(query: WeighedQuestion, lines: Sequence[CandidateLine]) -> Conversations:
    """Treat lines of the form `Ada: …` as a conversation if a speaker returns after another one.

    Lists (`- Router: …`, or debts by the debtor's name) have that form without turns.
    """
    spoken: dict[int, list[tuple[int, str]]] = {}
    for candidate in lines:
        if candidate.speaker:
            spoken.setdefault(candidate.line.section, []).append((candidate.line.position, candidate.speaker))
    talks: set[int] = set()
    named: dict[str, frozenset[str]] = {}
    for section, placed_speakers in spoken.items():
        turns = list(map(itemgetter(0), groupby(map(itemgetter(1), sorted(placed_speakers)))))
        if len(turns) > len(set(turns)):
            talks.add(section)
            for speaker in turns:
                named[speaker] = query.all_words.intersection(speaker.split())
    names = frozenset[str]().union(*named.values())
    return Conversations(frozenset(talks), frozenset(filter(named.get, named)), names, query.mask(names))
