"""An open index's answer to a question: a pool, ranked, arranged, and shown as its files are now."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache, lru_cache
from itertools import filterfalse
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.history.provenance.trust_lookup import EvidenceBeside, keys_of_lines
from clawgit.memory.corrections.corrected_entries import as_held
from clawgit.memory.corrections.correction_log import read_corrections
from clawgit.memory.entries.statements import parted
from clawgit.memory.provenance.pieces import CORRECTION as CORRECTION_WORDS
from clawgit.memory.trust import OPERATOR
from clawgit.recall.index.places import CLAIMED, CORRECTION, HEADING, POOL, PRINTED, RETIRED, over_days
from clawgit.recall.index.searched_files import EXTRA, is_beside_memory, is_closed, is_searched
from clawgit.recall.questions.question import (
    Question,
    corrected,
    in_other_languages,
    with_forms,
)
from clawgit.recall.questions.question_dates import with_day
from clawgit.recall.ranking.outdated_places import (
    Scored,
    Weights,
    see_note,
    statement_of,
    with_corrections,
    with_winners,
)
from clawgit.recall.ranking.ranking import (
    Ranked,
    asking_last,
    kept,
    memory_answers,
    rank,
)
from clawgit.recall.ranking.results import (
    OF_ANOTHER,
    are_headings,
    arranged,
    by_shown_score,
    holds_any,
    in_order,
    names_nowhere,
    probability,
    shortened,
    silent_lines,
    snippet_of,
    terms_above,
    with_lines_around,
    with_text_below,
)
from clawgit.recall.search_results import (
    ANSWERS_WELL,
    CHARACTERS,
    NOT_IN_FORCE,
    Beside,
    Hits,
    Query,
    Replaced,
    Result,
    how_many_fit,
)
from clawgit.text.markdown.lines import conflicts_in
from clawgit.text.safety.control_characters import few, shown
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from clawgit.recall.index.places import Corpus, IndexedLine, Place, SearchLimits
    from clawgit.recall.index.search_index import Index
    from clawgit.recall.ranking.fusion import Near
    from clawgit.recall.ranking.outdated_places import Lost
    from clawgit.recall.search_deep import Retired


INSTEAD_OF = "instead of"
NAMED = 3  # so many unread files, or words of no line, are named
FIRST = 2  # so many guesses are shown with the lines around them
# With a good answer, so many ranked lines are arranged, and so many more for each result wanted.
ARRANGED, EACH = 40, 2
PER_FILE = 3  # so many hits of one file precede those of others


def answer(sources: Sources, question: Question, request: Query, weights: Weights) -> Hits:
    """Return the results of a question; places in changed files are left out."""
    index = sources.index
    typed = with_forms(question, index, index.corpus({}).units)
    question, notes = _spelled(index, typed)
    pool = gathered(sources, question, request.limits, request.most)
    ranked = _ranked(pool, request, weights)
    if not memory_answers(pool.lines, ranked):
        translated = in_other_languages(question, index)
        if translated != question:
            more = gathered(sources, translated, request.limits, request.most)
            better = _ranked(more, request, weights)
            if _coverage(better) > _coverage(ranked) or memory_answers(more.lines, better):
                question, pool, ranked = translated, more, better
                notes += ("Also searched in other languages.",)
    strange = names_nowhere(question, _known(index, question))
    if strange:
        notes += (f"No file has {few(strange, NAMED)}.",)
    notes += _not_searched(index.left_out())
    sure = _sure(ranked, pool, sources)
    typed = in_other_languages(typed, index)
    if names_nowhere(typed, _known(index, typed)):
        sure = min(sure, OF_ANOTHER)
    request = request.within(sure)
    low = _coverage(ranked) < ANSWERS_WELL
    best = kept(ranked, _least(request) if low else request.min_score)
    if not (low or question.asks_days):  # guesses, and questions about days, need all of them
        best = best[: ARRANGED + EACH * request.most]
    scored = with_winners(index, with_corrections(index, best[:POOL], weights, pool.gone), sources.superseded)
    terms = {line.key: line.terms for line in pool.lines}
    is_dated = question.days is not None or question.asks_latest
    ordered = in_order(scored, weights, is_dated=is_dated, question=question.text)
    groups = arranged(ordered, terms, per_file=PER_FILE, trade=request.trade, guesses=low)
    groups = with_text_below(index, groups, question, weights.names)
    if low and pool.near is not None:  # every text is a little near in meaning
        groups = sorted(groups, key=lambda group: max(each.score for each in group) < request.min_score)
    if question.asks_days and not any(holds_any(group, question.telling) for group in groups):
        groups = over_days(groups, lambda group: group[0].place.day, request.most)
    shown = by_shown_score(
        groups, lambda group: _best(group).score, lambda group: group[0].place.kind == CORRECTION
    )
    if low and request.limits.is_open:
        shown = _widened(index, shown, request, weights.names)
    results = _results(sources, shown, question, request)
    notes += _in_conflict(sources.reading.texts, {result.path for result in results})
    return Hits(results, notes, probability=sure, texts=sources.reading.texts)


def _known(index: Index, question: Question) -> dict[str, int]:
    return index.known(map(attrgetter("words"), question.terms))


def _sure(ranked: list[Ranked], pool: Pool, sources: Sources) -> float:
    def texts() -> list[str]:
        places = sources.index.places(list(map(attrgetter("key"), pool.lines)))
        return list(map(attrgetter("text"), (*places.values(), *pool.gone.values())))

    above = frozenset[str]()
    if ranked and ranked[0].key not in pool.gone:
        (best,) = sources.index.places([ranked[0].key]).values()
        above = terms_above(best.path, sources.reading.of(best) or b"", best.first)
    by_meaning = pool.near is not None
    return probability(ranked, pool.question, pool.corpus, cache(texts), above=above, by_meaning=by_meaning)


def _coverage(ranked: list[Ranked]) -> float:
    return max((hit.coverage for hit in ranked), default=0.0)


def _least(request: Query) -> float:
    """Return the score that is enough without a good answer: with a token budget half of it; for guesses any."""
    if request.guesses:
        return 0.0
    return request.min_score / 2 if request.tokens else request.min_score


def _widened(
    index: Index, shown: list[tuple[float, list[Scored]]], request: Query, names: frozenset[str]
) -> list[tuple[float, list[Scored]]]:
    """Return the results of a poor answer: the first with the lines around them, guesses all of them within the budget."""
    groups = [group for _, group in shown[: request.most]]
    groups[:FIRST] = with_lines_around(index, groups[:FIRST], names)
    if request.guesses:
        groups = with_lines_around(index, groups, names, CHARACTERS * request.tokens)
    return [(score, group) for (score, _), group in zip(shown, groups, strict=False)] + shown[request.most :]


def _not_searched(left_out: tuple[str, ...]) -> tuple[str, ...]:
    """Return a sentence on unreadable files of memory; an empty answer names other texts, too."""
    paths = [path for path in left_out if is_searched(path) or is_closed(path)]
    if not paths:
        return ()
    named = few([shown(path, keep_newlines=False) for path in paths], NAMED)
    return (f"Not searched, since too large or not readable: {named}.",)


def _in_conflict(texts: Mapping[str, bytes | None], paths: Collection[str]) -> tuple[str, ...]:
    """Return a sentence on shown files with both sides of an unfinished merge."""
    conflicted = [path for path in paths if conflicts_in(texts.get(path) or b"")]
    if not conflicted:
        return ()
    named = ", ".join(sorted(shown(path, keep_newlines=False) for path in conflicted))
    return (f"In conflict, so both sides of a merge are shown, one with no author yet: {named}.",)


def _ranked(pool: Pool, request: Query, weights: Weights) -> list[Ranked]:
    ranked = rank(pool.question, pool.lines, pool.corpus, asking=pool.asking)
    if pool.near is not None and weights.formula:
        ranked = pool.near.by_formula(ranked, pool.lines, weights.formula)
    elif pool.near is not None:
        ranked = pool.near.fused(ranked, pool.lines, pool.corpus)
    ranked = asking_last(ranked, pool.asking)
    # numbers of places differ between indexes, the order of files does not
    by_key = {hit.key: hit for hit in ranked}
    keys = by_key.keys() - pool.printed
    if not request.limits.is_open:
        keys &= pool.pool | pool.gone.keys()
    in_order = [by_key[line.key] for line in pool.lines if line.key in keys]
    return sorted(in_order, key=attrgetter("order"), reverse=True)


def _spelled(index: Index, question: Question) -> tuple[Question, tuple[str, ...]]:
    question, changes = corrected(
        question, _known(index, question), lambda start: index.words_beginning(start).items()
    )
    notes: tuple[str, ...] = ()
    for each in changes:
        notes += (f"No file has {each.typed!r}. Also searched for: {', '.join(each.meant)}.",)
    return question, notes


def _results(
    sources: Sources, groups: list[tuple[float, list[Scored]]], question: Question, request: Query
) -> tuple[Result, ...]:
    """Return as many results as are wanted and fit, at least one, without lines of earlier results.

    A line beside memory that memory's results have, as of an old copy of MEMORY.md, is left out.
    """
    _look_up(groups[: request.most], sources, CHARACTERS * request.tokens or inf)
    drafts: list[tuple[list[Scored], Result]] = []
    of_file: dict[str, list[Result]] = {}
    remembered: set[str] = set()
    spent = 0.0
    for score, group in _by_trust(groups[: 2 * request.most], sources):
        if len(drafts) == request.most:
            break
        new = []
        for each in group:
            is_copy = each.place.source == EXTRA and each.place.text in remembered
            shown_there = of_file.get(each.place.path, ())
            if not is_copy and not any(other.holds(each.place) for other in shown_there):
                new.append(each)
        if not new or (are_headings(new) and not are_headings(group)):
            continue
        draft = _draft_of(new, score, question, sources)
        if draft is None:
            continue
        spent += draft.tokens
        if request.tokens and drafts and spent > request.tokens:
            break
        drafts.append((new, draft))
        of_file.setdefault(draft.path, []).append(draft)
        is_one = request.each_once and _is_of_one_trust(_best(new), sources)
        if is_one and draft.standing is not None:
            of_file.setdefault(draft.standing.path, []).append(draft.standing)
        if draft.source != EXTRA:
            remembered.update(each.place.text for each in new)
    results = _with_trusts(drafts, sources)
    return tuple(results[: how_many_fit(results, request.tokens)])


def _is_of_one_trust(correction: Scored, sources: Sources) -> bool:
    """Say whether the line that a correction made has its trust, so that they are one hit."""
    line = correction.standing
    if line is None:
        return False
    keys = _keys_of(line, line.first, line.last, sources)
    return _trust_of(line, keys, sources) == _trust_of(correction.place, (), sources)


def _look_up(groups: Sequence[tuple[float, list[Scored]]], sources: Sources, room: float) -> None:
    """Read the authors of all lines that may be shown in one query of the fold; later look-ups are free."""
    keys: list[str] = []
    for _, group in groups:
        if room <= 0:
            break
        keys += _keys_of(_best(group).place, *_span(group), sources)
        room -= sum(len(each.place.text) for each in group)
    sources.index.trusts.look_up(keys)


def _span(group: list[Scored]) -> tuple[int, int]:
    return min(each.place.first for each in group), max(each.place.last for each in group)


def _by_trust(
    groups: list[tuple[float, list[Scored]]], sources: Sources
) -> Iterator[tuple[float, list[Scored]]]:
    """Yield the groups, split where the trust of the lines changes; the part with the best line keeps the score.

    A group is split when its turn comes, since that reads its file: most are never shown.
    """
    waiting: list[tuple[float, list[Scored]]] = []
    for score, group in groups:
        while waiting and waiting[0][0] >= score:
            yield waiting.pop(0)
        best = _best(group)
        for part in _parts(group, sources):
            if best in part:
                waiting.append((score, part))
            elif _best(part).score:
                waiting.append((_best(part).score, part))
        waiting.sort(key=lambda pair: -pair[0])
    yield from waiting


def _parts(group: list[Scored], sources: Sources) -> list[list[Scored]]:
    """Return runs of lines with one trust; a heading belongs to the lines below it."""
    lines = [each.place for each in group if each.place.kind != HEADING]
    if len(lines) < 2:
        return [group]
    trusts = sources.index.trusts
    parts: list[list[Scored]] = [[]]
    last = ""
    for each in reversed(group):
        if each.place.kind != HEADING:
            place = each.place
            trust = trusts.lowest(_keys_of(place, place.first, place.last, sources))
            if last not in ("", trust):
                parts.append([])
            last = trust
        parts[-1].insert(0, each)
    return parts[::-1]


def _text_beside(place: Place, words: Collection[str]) -> str:
    """Return the text shown for a place that is no line of a file now."""
    if place.kind == RETIRED:
        return shortened(redact(place.text), words)
    # The old words must not pass for the right ones.
    right, *wrong = (shortened(line, words) for line in redact(place.text).split("\n"))
    return "\n".join([right, *(f"{INSTEAD_OF}: {line}" for line in wrong)])


def _with_trusts(drafts: Sequence[tuple[list[Scored], Result]], sources: Sources) -> list[Result]:
    trusts: list[str] = []
    since: list[str] = []
    others: list[str] = []
    for group, draft in drafts:
        place = _best(group).place
        keys = _keys_of(place, draft.first, draft.last, sources)
        trusts.append(_trust_of(place, keys, sources))
        pieces = [CORRECTION_WORDS + place.words] if place.kind == CORRECTION else keys
        since.append(sources.index.trusts.since(pieces))
        if trusts[-1] != OPERATOR:
            others += [each.place.text for each in group]
    if sources.evidence is not None:
        sources.evidence.look_up(others)
    results: list[Result] = []
    for (group, draft), trust, at in zip(drafts, trusts, since, strict=True):
        results.append(draft._replace(trust=trust, beside=_beside(group, draft, trust, sources), since=at))
    return results


def _trust_of(place: Place, keys: Collection[str], sources: Sources) -> str:
    trusts = sources.index.trusts
    if place.kind == CORRECTION:
        return sources.index.trust_of_correction(place.words)
    if place.kind == RETIRED:
        return trusts.of_line(place.text, place.entry)
    if place.words and place.source != EXTRA:
        return trusts.of_correction(place.words)
    return trusts.lowest(keys)


def _keys_of(place: Place, first: int, last: int, sources: Sources) -> Collection[str]:
    """Return the fold's keys of lines in a place's file; the fold covers the workspace's texts only."""
    is_foreign = place.source == EXTRA and not is_beside_memory(place.path)
    if place.words or place.kind in (CORRECTION, RETIRED) or is_foreign:
        return ()
    data = sources.reading.of(place) or b""
    return keys_of_lines(data, first, last)


def _best(group: list[Scored]) -> Scored:
    return max(group, key=lambda each: each.score)


_masked = lru_cache(maxsize=4096)(redact)  # many lines share the same titles


def result_of(group: list[Scored], question: Question, sources: Sources) -> Result | None:
    """Return adjacent lines as one result, None if their file has changed."""
    draft = _draft_of(group, _best(group).score, question, sources)
    return None if draft is None else _with_trusts([(group, draft)], sources)[0]


def _draft_of(group: list[Scored], score: float, question: Question, sources: Sources) -> Result | None:
    best = _best(group)
    place = best.place
    first, last = _span(group)
    numbers: Sequence[int] = ()
    if place.kind in (CORRECTION, RETIRED):
        snippet = _text_beside(place, question.words)
    else:
        data = sources.reading.of(place)
        if data is None:
            return None
        snippet, numbers = snippet_of(data, first, last, question.words)
    standing = None
    if best.standing is not None:
        standing = _draft_of([best._replace(place=best.standing, standing=None)], score, question, sources)
        line = parted(best.standing.text)
        right, _, wrong = snippet.partition("\n")
        is_part = right.rstrip(".") in line.statement and len(right) < len(line.statement)
        if is_part and _is_of_one_trust(best, sources):
            right = shortened(redact(line.statement), question.words)  # a part has no subject
        snippet = with_day("\n".join(filter(None, (right, wrong))), line.before, wrong)
    return Result(
        path=place.path,
        first=first,
        last=last,
        score=round(score, 4),
        snippet=snippet,
        numbers=numbers,
        source=place.source,
        tier=place.tier,
        entries=tuple(each.place.entry for each in group if each.place.entry),
        best_entry=place.entry,
        titles=tuple(map(_masked, place.titles)),
        instead_of=tuple(
            Replaced(old.path, old.first, old.last, redact(statement_of(old)), old.entry)
            for each in group
            for old in each.instead_of
        ),
        retirement=place.retirement,
        is_correction=place.kind == CORRECTION,
        note=NOT_IN_FORCE if place.kind == CLAIMED else "",
        blob=place.blob,
        best=place.first,
        standing=standing,
        silent=silent_lines(group, question),
    )


def _beside(group: list[Scored], draft: Result, trust: str, sources: Sources) -> tuple[Beside, ...]:
    """Return the operator's own words on each line of a result, and the correction of what it may say."""
    if (evidence := sources.evidence) is None:
        return ()
    notes: dict[Beside, None] = {}
    for place, see in map(attrgetter("place", "see"), group):
        note = ""
        if place.kind == CORRECTION:
            for each in read_corrections(sources.reading.of(place) or b"", place.path):
                if f"x:{each.correction_id}" == place.entry:
                    note = evidence.of_correction(as_held(each, trust))
        elif place.kind not in (HEADING, CLAIMED) and place.retirement is None:
            note = evidence.of_line(place.text, place.entry, trust)
        note = "; ".join(filter(None, (note, see_note(see))))
        if note:  # below its last line, or the last one shown
            notes[Beside(draft.line_above(place.last), note)] = None
    return tuple(notes)


# Of so many units, so many matches (best first) bring the lines around them, turns more of them: else half of the work.
MANY, LEADING, LEADING_TURNS = 2000, 40, 80
# For up to so many results, so many matches do: no weaker one is shown.
SHOWN, ENOUGH = 20, 90
OF_DAYS = 100  # with fewer matches, so many lines of the question's days are read
TOLD_WITHIN, LATER = 3, 50  # days after, and so many lines of these: reports often come a day later


class TextSource:
    """Reads the text of a place; ``stale`` is set if a file has changed since it was indexed."""

    def __init__(self, read: Callable[[Place], bytes | None]) -> None:
        self.read = read
        self.stale = False
        self.texts: dict[str, bytes | None] = {}

    def of(self, place: Place) -> bytes | None:
        """Return the file of a place, None if it has changed since it was indexed."""
        if place.path not in self.texts:
            self.texts[place.path] = self.read(place)
        data = self.texts[place.path]
        self.stale |= data is None
        return data


@dataclass(slots=True)
class Sources:
    """The sources of a search: an index, retired texts if wanted, and the reader of texts.

    ``near`` returns how near the texts of these hashes are to the question, and the nearest of all; None
    without vectors. ``superseded`` are the entries that lost conflicts. ``evidence`` returns the operator's
    own words on a line.
    """

    index: Index
    reading: TextSource
    retired: Retired | None = None
    near: Callable[[Collection[bytes]], Near | None] | None = None
    superseded: Lost = field(default_factory=dict)
    evidence: EvidenceBeside | None = None


@dataclass(slots=True)
class Pool:
    """The lines to rank for a ``question``: ``pool`` are the possible hits, ``gone`` the places outside the index."""

    question: Question
    lines: list[IndexedLine]
    corpus: Corpus
    pool: set[int]
    gone: dict[int, Place] = field(default_factory=dict)
    near: Near | None = None
    printed: set[int] = field(default_factory=set)  # lines of program output
    asking: set[int] = field(default_factory=set)  # turns that only ask

    def add_lines(self, more: Iterable[IndexedLine]) -> None:
        """Add lines in the files' order; lines that are in no file follow them."""
        gone = [line for line in self.lines if line.key in self.gone]
        standing = {line.key: line for line in (*self.lines, *more) if line.key not in self.gone}
        in_order = sorted(standing.values(), key=attrgetter("key"))
        in_order.sort(key=attrgetter("path"))
        self.lines = [*in_order, *gone]


def gathered(sources: Sources, question: Question, limits: SearchLimits, results: int = POOL) -> Pool:
    index = sources.index
    seen = index.seen(question.words)
    corpus = index.corpus(seen)
    is_large = corpus.units > MANY and question.days is None
    pool = _pool(index, question, seen, limits, ENOUGH if is_large and results <= SHOWN else POOL)
    pool = pool or list(index.named(question.words))
    candidates = Pool(question, [], corpus, set(pool))
    candidates.add_lines(_with_lines_around(index, pool, is_large=is_large))
    if sources.retired is not None:
        retired, seen_there = sources.retired.matches(question.words, limits)
        for line, place in retired:
            candidates.lines.append(line)
            candidates.gone[line.key] = place
        lines = len(candidates.gone)
        more_seen = {word: min(count, lines) for word, count in seen_there.items() if word not in corpus.seen}
        candidates.corpus = corpus._replace(units=corpus.units + lines, seen={**corpus.seen, **more_seen})
    if sources.near is not None:
        candidates.near = sources.near({line.text for line in candidates.lines})
    if candidates.near is not None:
        places = index.of_texts(candidates.near.best, limits)
        nearest = list(filterfalse(candidates.pool.__contains__, places))
        candidates.add_lines(_with_lines_around(index, nearest, is_large=False))
        candidates.pool.update(nearest)
    candidates.printed = {line.key for line in candidates.lines if line.kind == PRINTED}
    candidates.asking = index.asking(candidates.lines)
    return candidates


def _with_lines_around(index: Index, pool: Sequence[int], *, is_large: bool) -> Iterable[IndexedLine]:
    """Return the lines of a pool, best first, with those around them; in a large memory, only around the best."""
    lines = index.lines(pool)
    leading = list(filter(lines.__contains__, pool))
    if is_large:
        turns = [key for key in leading[LEADING:LEADING_TURNS] if lines[key].is_said]
        leading = leading[:LEADING] + turns
    return {**lines, **index.lines_around(lines, leading)}.values()


def _pool(
    index: Index, question: Question, seen: dict[str, int], limits: SearchLimits, most: int
) -> list[int]:
    keys = index.matches(seen, limits, most)
    if question.days is not None:
        of_days = limits._replace(days=question.days)
        keys += index.matches(seen, of_days)
        keys += index.within(of_days, max(0, OF_DAYS - len(keys)))
        if question.asks_days and question.telling.isdisjoint(seen):
            return list(dict.fromkeys(keys))  # "what happened last week" is answered by its own days
        days = question.days
        first, last = days.last + timedelta(1), days.last + timedelta(TOLD_WITHIN)
        told_later = limits._replace(days=days._replace(first=first, last=last))
        keys += index.matches(seen, told_later) + index.within(told_later, LATER)
    return list(dict.fromkeys(keys))
