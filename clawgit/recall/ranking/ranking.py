"""Which line answers best: a pool of matches re-ranked by what stands around them. Pure.

The order of a line is a sum of parts: its own BM25, that of its neighbours, how much of the question stands
together there, its section's, the headings above, words that follow one another as in the question, who says
it, its day (how late it is, for a question after the latest), whether it tells a time when that is asked, and
whether it only asks or cheers. The weights are flat: half or double of most moves recall by less than a point.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.recall.index.places import AROUND, FEW
from clawgit.recall.questions.date_words import tells_time
from clawgit.recall.questions.question_dates import day_fit
from clawgit.recall.ranking.term_evidence import (
    NOTHING,
    Asked,
    Held,
    Part,
    Parts,
    WorkedOut,
    explained,
    section_scores,
)
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from clawgit.recall.index.places import Corpus, Line
    from clawgit.recall.questions.question import Question


_BEFORE, _BEHIND, _TWO_BEFORE, _TWO_BEHIND = 0.7, 0.25, 0.35, 0.25
_APART = 0.5  # of that, and of the section, where lines are no conversation: items of a list are about this and that
_ALONE = 0.5  # of what stands around a line there that holds nothing of the question itself
_ASKED = 0.2  # more of the line before, if it asks: this one may be the answer
_TOGETHER = 0.2
_SECTION = 1.0
# What a note is about, said in few words: below such a heading a line that says it again is no better than one that does not.
_SUBJECT = 1.4
_HEADING = 0.5  # in a conversation, and for what stands before a colon: "Router: …" is about the router
_PHRASE = 1.0
# At 400 units; they grow with what a rare word is worth.
_SPEAKER, _DAY, _LATEST, _TIME, _ASKS, _SMALL_TALK = 5.0, 6.0, 3.0, 4.0, -1.5, -0.25
_FILE, _REST = (
    0.2,
    0.15,
)  # what the words of a note are worth to a line of it that stands near none, and cover for it
_LEADING = 40  # lines of a note that hold words bring their paragraphs along, if so many at most are better
_NOBODY = (NOTHING, NOTHING, NOTHING, NOTHING)
_BESIDE, _NEAR = 0.9, 0.8  # what a term covers when it stands one line beside, and two, or in a heading
_CHEERS = """
thanks wow congrats congratulations great awesome cool nice yeah yep glad proud amazing sounds sure absolutely definitely
totally haha hey hi hello bye luck
谢谢 多谢 哈哈 恭喜 你好 您好 加油 好的 再见 太好 감사 축하 안녕 대박 좋네 고마워
danke toll super hallo gluckwunsch merci bravo bonjour felicitations gracias genial hola obrigado obrigada parabens
"""


class Ranked(NamedTuple):
    """A line and how well it answers."""

    key: int
    order: float  # the full re-rank score: sort by it; means nothing across questions
    coverage: float  # 0..1, comparable across questions: the share that line and context cover
    direct: float  # 0..1: the share that the line itself covers
    parts: tuple[Part, ...] = ()
    talk: bool = False  # said in a conversation
    known: float = 0.0  # 0..1: the same share, of what any line at all covers


def rank(question: Question, lines: Sequence[Line], corpus: Corpus, *, explain: bool = False) -> list[Ranked]:
    """Return the lines that hold or stand beside what is asked for, best first; others are left out.

    ``lines`` are the pool (at most `POOL` matches) and, for each, up to `AROUND` units before and behind it
    in its section, in any order; each unit once. For a question with `days`, also units of files of these days.
    """
    pool = _Pool(question, lines, corpus)
    ranked = [hit for held in pool.held if (hit := pool.judged(held, explain=explain)) is not None]
    return sorted(ranked, key=lambda hit: (-hit.order, hit.key))


def kept(ranked: Sequence[Ranked], min_score: float) -> list[Ranked]:
    """Return those with enough coverage; if none has, the few that themselves hold a telling part of the question.

    Or all of it that any line holds: words that nobody wrote are no reason to keep silent about the one that is known.
    """
    return [hit for hit in ranked if hit.coverage >= min_score] or [
        hit for hit in ranked if hit.direct >= TELLING or hit.known >= ALL_KNOWN
    ][:3]


TELLING, ALL_KNOWN = 0.25, 0.9


class _Pool:
    def __init__(self, question: Question, lines: Sequence[Line], corpus: Corpus) -> None:
        self.asked = Asked(question, corpus)
        self.held = self.asked.hold(lines)
        self.talk: Talk = find_talk(self.asked, self.held)
        self._headings = WorkedOut(self.asked.mask_of)
        for held in self.held:
            if held.mask:
                held.own = self._own(held)
        names = dict.fromkeys(self.talk.sections, self.talk.bits)
        self._sections = section_scores(self.asked, self.held, names)
        self._at: dict[int, dict[int, Held]] = {}
        for held in self.held:
            self._at.setdefault(held.line.section, {})[held.line.position] = held
        self._leading = self._around_the_best()
        days = question.days
        self._fits: WorkedOut[date | None, float] = WorkedOut(lambda on: day_fit(days, on) if days else 0.0)
        self._files = self._by_file()
        self._is_small = sum(bool(held.mask & self.asked.telling) for held in self.held) < FEW
        self._scale = math.log1p(corpus.units) / 6
        self._span = _days_of(self.held) if question.asks_latest else None

    def judged(self, held: Held, *, explain: bool) -> Ranked | None:
        """Return a line with its scores, or None where nothing of the question stands near."""
        line = held.line
        section = line.section
        heading, fit = self._headings[line.heading], self._fits[line.on]
        talk = section in self.talk.sections
        if not (held.mask or heading or fit or talk or line.key in self._leading):
            return self._rest_of_file(held, explain=explain)  # most of the lines around matches
        before2, before, behind, behind2 = self._beside(held)
        beside = held.mask | before.mask | behind.mask
        near = beside | before2.mask | behind2.mask | heading
        if not near and not fit:
            return self._rest_of_file(held, explain=explain)
        around = (_BEFORE + _ASKED * before.asks) * before.own + _BEHIND * behind.own
        around += _TWO_BEFORE * before2.own + _TWO_BEHIND * behind2.own
        parts = self._parts(held, around, beside, heading, fit)
        direct, covered = self._covered(held, beside, near, fit)
        if not (talk or held.mask):
            covered = max(_ALONE * covered, self._covered(held, 0, heading, fit)[1])
        told = explained(self.asked, held, Parts(*parts), self._elsewhere(held)) if explain else ()
        whole, known = self.asked.whole, self.asked.known
        return Ranked(
            line.key,
            sum(parts),
            _share(covered, whole),
            _share(direct, whole),
            told,
            talk,
            _share(direct, known),
        )

    def _own(self, held: Held) -> float:
        """Return what a line says of the question by itself: not who speaks, and not what stands above it anyway."""
        if held.line.section in self.talk.sections:
            return self.asked.bm25(held, self.talk.names)
        return self.asked.bm25(held, self.asked.words_of[self._headings[held.line.heading]])

    def _rest_of_file(self, held: Held, *, explain: bool) -> Ranked | None:
        """Return a line that holds nothing of the question but stands in a note that does, where little else is found."""
        if not self._is_small or not (file := self._in_file(held)):
            return None
        parts = Parts(0.0, 0.0, 0.0, file=_FILE * file)
        told = explained(self.asked, held, parts, 0) if explain else ()
        return Ranked(held.line.key, sum(parts), _REST * _share(file, self.asked.whole), 0.0, told)

    def _in_file(self, held: Held) -> float:
        is_talk = held.line.section in self.talk.sections
        return 0.0 if is_talk else self.asked.sums[self._files.get(held.line.path, 0)]

    def _by_file(self) -> dict[str, int]:
        files: dict[str, int] = {}
        for held in self.held:
            if held.mask and held.line.path and held.line.section not in self.talk.sections:
                files[held.line.path] = files.get(held.line.path, 0) | held.mask
        return files

    def _beside(self, held: Held) -> tuple[Held, Held, Held, Held]:
        """Return what stands two before, before, behind and two behind, as far as that speaks for the line."""
        section, position = held.line.section, held.line.position
        at = self._at[section]
        before = at.get(position - 1, NOTHING)
        behind = at.get(position + 1, NOTHING)
        if section in self.talk.sections and not (held.mask or before.mask or behind.mask):
            return _NOBODY
        return at.get(position - 2, NOTHING), before, behind, at.get(position + 2, NOTHING)

    def _around_the_best(self) -> frozenset[int]:
        best = sorted((held for held in self.held if held.mask), key=lambda held: (-held.own, held.line.key))
        around = (
            self._at[held.line.section].get(held.line.position + step)
            for held in best[:_LEADING]
            for step in range(-AROUND, AROUND + 1)
        )
        return frozenset(held.line.key for held in around if held is not None)

    def _parts(self, held: Held, around: float, beside: int, heading: int, fit: float) -> tuple[float, ...]:
        """Return the fields of `Parts`."""
        asked, sums, scale, section = self.asked, self.asked.sums, self._scale, held.line.section
        talk = section in self.talk.sections
        names, apart = (self.talk.bits, 1.0) if talk else (0, _APART)
        above = _HEADING if talk else _SUBJECT
        around += _TOGETHER * sums[beside & ~names]
        return (
            held.own,
            apart * around,
            apart * _SECTION * self._sections[section],
            above * sums[heading & ~names] + (0.0 if talk else _HEADING * sums[self._headings[held.speaker]]),
            _PHRASE * self._phrases(held) if len(held.found) > 1 else 0.0,
            _SPEAKER * scale if talk and self.talk.says(held) else 0.0,
            _DAY * scale * fit + (_LATEST * scale * self._lateness(held) if self._span else 0.0),
            _TIME * scale if asked.question.asks_when and tells_time(held.terms) else 0.0,
            _ASKS * scale if talk and held.asks else 0.0,
            _SMALL_TALK * scale * small_talk(held) if talk else 0.0,
        )

    def _lateness(self, held: Held) -> float:
        if self._span is None or held.line.on is None:
            return 0.0
        first, last = self._span
        return max(0.0, (held.line.on.toordinal() - first) / max(1, last - first))

    def _elsewhere(self, held: Held) -> int:
        if held.line.section in self.talk.sections:
            return self.talk.bits
        return self._headings[held.line.heading]

    def _phrases(self, held: Held) -> int:
        besides, text = self.talk.besides(held), f" {held.line.terms} "
        return sum(
            a in held.found and b in held.found and not {a, b} & besides and f" {a} {b} " in text
            for a, b in self.asked.question.phrases
        )

    def _covered(self, held: Held, beside: int, near: int, fit: float) -> tuple[float, float]:
        asked, own = self.asked, held.mask
        if held.speaker and self.talk.says(held):
            own |= self.talk.bits
        if fit == 1:
            own |= asked.dated
        itself, beside_too, near_too = asked.sums[own], asked.sums[beside | own], asked.sums[near | own]
        direct = itself + asked.day_worth * fit
        return direct, direct + _BESIDE * (beside_too - itself) + _NEAR * (near_too - beside_too)


def _share(worth: float, whole: float) -> float:
    return min(1.0, worth / whole) if whole else 0.0


def _days_of(lines: Sequence[Held]) -> tuple[int, int] | None:
    days = [held.line.on.toordinal() for held in lines if held.mask and held.line.on is not None]
    return (min(days), max(days)) if days else None


@cache
def _cheers() -> frozenset[str]:
    return frozenset(index_terms(_CHEERS).split())


def small_talk(held: Held) -> int:
    """Return how many different words of a line only greet, thank or cheer, besides those that are asked for."""
    said = _cheers().intersection(held.terms)
    return len(said.difference(held.found)) if said else 0


class Talk(NamedTuple):
    """The sections that are conversations, and the speakers that the question names."""

    sections: frozenset[int]
    named: frozenset[str]
    names: frozenset[str]  # the words of their names that the question holds
    bits: int  # its terms that are such words

    def besides(self, held: Held) -> frozenset[str]:
        """Return the words that say who speaks, and not what about, in the section of this line."""
        return self.names if held.line.section in self.sections else frozenset()

    def says(self, held: Held) -> bool:
        """Say whether the one speaker whom the question names says this line."""
        return len(self.named) == 1 and held.speaker in self.named and held.line.section in self.sections


def find_talk(asked: Asked, lines: Sequence[Held]) -> Talk:
    """Read lines of the form `Ada: …` as a conversation where somebody speaks again after another one.

    Lists (`- Router: …`, or what is due by the name of who owes it) have that form as well, without turns.
    """
    spoken: dict[int, list[tuple[int, str]]] = {}
    for held in lines:
        if held.speaker:
            spoken.setdefault(held.line.section, []).append((held.line.position, held.speaker))
    talks: dict[int, set[str]] = {}
    for section, said in spoken.items():
        turns = list(map(itemgetter(0), groupby(map(itemgetter(1), sorted(said)))))
        if len(turns) > len(set(turns)):
            talks[section] = set(turns)
    speakers = {speaker for who in talks.values() for speaker in who}
    named = {speaker: asked.telling_words.intersection(speaker.split()) for speaker in speakers}
    names = frozenset(word for words in named.values() for word in words)
    return Talk(frozenset(talks), frozenset(filter(named.get, named)), names, asked.mask(names))
