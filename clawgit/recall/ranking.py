"""Which line answers best: a pool of matches re-ranked by what stands around them. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from clawgit.recall.questions import Question

AROUND = 2  # so many units before and behind a match are to be handed in with it (same section)
POOL = 200  # so many matches, best bm25 first


@dataclass(frozen=True, slots=True)
class Line:
    """A unit as the index holds it: a match, or one that stands near a match."""

    key: int  # the index's own id, handed back
    section: int  # units of one section have one number
    position: int  # counts the units of a section (or file) upwards, without gaps
    terms: str  # index_terms(text)
    traits: str  # traits_of(text)
    path: str = ""
    heading: str = ""  # index_terms of the headings above, file name included or not
    on: date | None = None  # the date of the line: of its file, or of the heading in an archive


@dataclass(frozen=True, slots=True)
class Corpus:
    """What the index knows of all its live units."""

    units: int
    mean_length: float  # mean number of terms in a unit
    seen: Mapping[str, int] = field(default_factory=dict)  # question word -> in how many units


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a score, in words a person understands."""

    name: str  # "words", "around", "section", "heading", "phrase", "speaker", "date", "time", "asks"
    value: float
    words: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line and how well it answers."""

    key: int
    order: float  # the full re-rank score: sort by it; means nothing across questions
    coverage: float  # 0..1, comparable across questions: the share that line and context cover
    direct: float  # 0..1: the share that the line itself covers
    parts: tuple[Part, ...] = ()


def rank(question: Question, lines: Sequence[Line], corpus: Corpus, *, explain: bool = False) -> list[Ranked]:
    """Return the lines that hold or stand beside what is asked for, best first; others are left out.

    ``lines`` are the pool (at most `POOL` matches) and, for each, up to `AROUND` units before and behind it
    in its section, in any order; each unit once. For a question with `days`, also units of files of these days.
    """
    del explain, corpus
    wanted = set(question.words)
    found = [(len(wanted.intersection(line.terms.split())), line) for line in lines]
    best = sorted((item for item in found if item[0]), key=lambda item: (-item[0], item[1].key))
    return [Ranked(line.key, n, n / len(wanted), n / len(wanted)) for n, line in best]


def kept(ranked: Sequence[Ranked], min_score: float) -> list[Ranked]:
    """Return those with enough coverage; if none has, the few that at least hold a telling word themselves."""
    return [hit for hit in ranked if hit.coverage >= min_score] or list(ranked[:3])
