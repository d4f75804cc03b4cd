"""From ranked lines to results: corrections in place of what they correct, decay, order, adjacent lines joined.

And the likelihood that they hold the answer. The best line's coverage tells little: a long line, or a
language of short words, covers most of any question. Its lead over the twentieth line tells more, and the
length of lines in index terms: pairs of characters and syllables are many to a line, and match by chance. The
weights are a logistic regression (docs/ranking.md), rounded; one set for all languages.
"""

from __future__ import annotations

import math
from collections import Counter
from datetime import date
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from clawgit.memory.entries.tiers import is_of_session
from clawgit.memory.notes import ASSISTANT, speaker_of
from clawgit.recall.index.line_units import heading_terms, without_comments
from clawgit.recall.index.places import AROUND, CORRECTION, HEADING, PRINTED, ROW, Corpus, Place
from clawgit.recall.index.searched_files import EXTRA, OLD, OLD_NAMES, old_names
from clawgit.recall.questions.question import LIGHT, NAMED
from clawgit.recall.questions.question_dates import day_fit
from clawgit.recall.ranking.outdated_places import HALF, LOGGED, OutdatedPlaces, Scored, Weights
from clawgit.recall.ranking.ranking import TELLING, Ranked, WeighedQuestion
from clawgit.recall.search_results import ANSWERS_WELL, SURE
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import lines_above, split_lines, without_conflict_markers
from clawgit.text.safety.secrets import redact_lines
from clawgit.text.words.stopwords import is_common
from clawgit.text.words.terms import folded, index_terms, pieces_of, terms_in, terms_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from clawgit.recall.index.search_index import Index
    from clawgit.recall.questions.question import Question, Term

BESIDE_MEMORY = 0.85  # other texts rank below memory that answers about as well
_OLD_LINE = lazy_pattern(rf"(?i)^\W*\(({OLD})\)|\(({OLD})\)\W*$")
_SECOND_HAND = 0.7  # the agent's own messages, too: they repeat what it read, or are wrong
JUST_ABOVE = 1.001


def decay_weight(age_days: float, half_life_days: float) -> float:
    """Return exp(-ln 2 / half-life x age); 1 for the future and for a half-life of 0."""
    if half_life_days <= 0:
        return 1.0
    return math.exp(-math.log(2) / half_life_days * max(0.0, age_days))


def in_order(hits: Iterable[Scored], weights: Weights, *, is_dated: bool, question: str = "") -> list[Scored]:
    """Return the hits in order: decayed if wanted, core memory before other hits that answer about as well."""
    weighed = []
    names_meant = frozenset(OLD_NAMES.findall(question.lower()))
    for each in hits:
        order, on = each.order, each.place.on
        is_fading = each.place.tier == "T2" and each.place.kind != CORRECTION
        if weights.half_life_days > 0 and is_fading and on is not None:
            order *= decay_weight((weights.today - on).days, weights.half_life_days)
        if _is_old_copy(each.place, names_meant):
            order *= HALF
        elif each.place.source == EXTRA:
            order *= BESIDE_MEMORY
        elif is_of_session(each.place.path) and speaker_of(each.place.text) == ASSISTANT:
            order *= _SECOND_HAND
        if order != each.order:
            weighed.append(each._replace(order=order))
        else:
            weighed.append(each)
    if not is_dated:
        _raise_evergreen(weighed, names_meant)
    return sorted(
        weighed,
        key=lambda each: (
            -each.order,
            each.is_outdated,
            each.place.source == EXTRA,
            each.place.tier,
            -(each.place.on or date.min).toordinal(),
            _letters_above(each.place),
            each.place.path,
            each.place.first,
        ),
    )


def _is_old_copy(place: Place, names_meant: frozenset[str]) -> bool:
    """Say whether a line, or its file beside memory, calls itself old, a copy or a draft; not if the question says so."""
    if place.kind in LOGGED:
        return False
    names = set(old_names(place.path)) if place.source == EXTRA else set()
    if match := _OLD_LINE.search(place.text):
        names.add(match[match.lastindex or 0].lower())
    return bool(names) and names.isdisjoint(names_meant)


def _letters_above(place: Place) -> int:
    """Return the length of a row's headings without its columns': each further word narrows an equally good answer."""
    if place.kind != ROW:
        return 0
    return sum(map(len, place.titles[:-1]))


def _raise_evergreen(hits: list[Scored], names_meant: frozenset[str]) -> None:
    """Put the best line of core memory, judged by its own words as well, above lines that answer no better."""
    core = [each for each in hits if each.place.tier == "T1" and each.place.source != EXTRA]
    telling = filter(lambda each: each.direct >= TELLING and not _is_old_copy(each.place, names_meant), core)
    best = max(telling, key=lambda each: (each.score, each.order), default=None)
    if best is None or best.score < ANSWERS_WELL or best.place.kind == CORRECTION:
        return
    highest = best.order
    for each in hits:
        if each.score <= best.score and each.place.kind != CORRECTION:
            highest = max(highest, each.order * JUST_ABOVE)
    hits[hits.index(best)] = best._replace(order=highest)


def arranged(
    scored_hits: Sequence[Scored],
    terms: Mapping[int, str],
    *,
    per_file: int,
    trade: float | None,
    guesses: bool,
) -> list[list[Scored]]:
    """Return the hits in groups of adjacent lines, files mixed, near-duplicates apart if wanted."""
    by_key = {each.place.place_id: each for each in _without_silent_rows(scored_hits)}
    hits = []
    for key, scored in by_key.items():
        place, is_whole = scored.place, scored.talk or bool(scored.place.entry)
        path = place.path
        if place.retirement is not None:
            path = f"{place.path}\0{key}"  # a retired text is not beside any other
        at = key, path, place.first, place.last
        hits.append(Hit(*at, scored.order, scored.score, terms.get(key, ""), is_whole, len(place.text)))
    if trade is not None:
        hits = diversified(hits, trade)
    groups: list[list[Scored]] = []
    for each in joined(spread_by_file(hits, per_file), guesses=guesses):
        group = [by_key[hit.key] for hit in each]
        if any(scored.place.kind in LOGGED or scored.is_outdated for scored in group):
            groups += ([scored] for scored in group)  # statements, not lines
        else:
            groups.append(group)
    return groups


def _without_silent_rows(hits: Sequence[Scored]) -> Iterator[Scored]:
    """Yield the hits; below a matching row of a table, leave out the table's head and rows without a match."""
    tables = set()
    for each in hits:
        table = each.place.path, each.place.headings
        is_row = each.place.kind == ROW
        if table in tables and (each.place.kind == HEADING or (is_row and not each.direct)):
            continue
        if is_row and each.direct:
            tables.add(table)
        yield each


def with_text_below(
    index: Index, groups: Sequence[list[Scored]], question: Question, names: frozenset[str]
) -> list[list[Scored]]:
    """Return the groups; one that ends with a heading is joined with the group that begins below it.

    A corrected text is not shown below a heading. A heading with nothing below needs a word of the question that the file's name lacks.
    """
    question_words = frozenset(word for term in question.terms if not term.dated for word in term.words)
    below = _below(index, [group[-1].place for group in groups if are_headings(group[-1:])])
    texts = [places[-1] for places in below.values()]
    corrected = index.corrections_of([text.entry for text in texts if text.entry])
    outdated = OutdatedPlaces(index, [text.text for text in texts], names)
    replaced = {text.place_id for text in texts if text.entry in corrected or outdated.correction_of(text)}
    beginning = {}
    for group in groups:
        beginning[group[0].place.place_id] = group
        for each in group:
            replaced.update(old.place_id for old in each.instead_of)
    done: set[int] = set()
    groups_left = []
    for group in groups:
        first, places = group[0].place.place_id, below.get(group[-1].place.place_id, [])
        if first in done:
            continue
        if places and places[-1].place_id not in replaced:
            headed = list(group)
            for place in places:
                done.add(place.place_id)
                headed.append(group[-1]._replace(place=place))
            if places[-1].place_id in beginning:
                headed[-1:] = beginning[places[-1].place_id]
            groups_left.append(headed)
        else:
            name = set(heading_terms(group[0].place.path).split())
            if not are_headings(group) or holds_any(group, question_words - name):
                groups_left.append(group)
        done.add(first)
    return groups_left


def _below(index: Index, headings: Sequence[Place]) -> dict[int, list[Place]]:
    """Return for each heading the first text below it, unless that is a correction, and the headings between."""
    places_below: dict[int, list[Place]] = {}
    open_ends = {heading.place_id: [heading] for heading in headings}
    while open_ends:
        following = index.places([chain[-1].place_id + 1 for chain in open_ends.values()])
        grown: dict[int, list[Place]] = {}
        for first, (heading, *between) in open_ends.items():
            place = following.get((between or [heading])[-1].place_id + 1)
            if place is None or place.titles[: len(heading.titles)] != heading.titles:
                continue
            if place.kind == HEADING:
                grown[first] = [heading, *between, place]
            elif place.kind not in (*LOGGED, PRINTED):
                places_below[first] = [*between, place]
        open_ends = grown
    return places_below


def are_headings(group: Iterable[Scored]) -> bool:
    return all(each.place.kind == HEADING for each in group)


def holds_any(group: Sequence[Scored], words: frozenset[str]) -> bool:
    return any(not words.isdisjoint(index_terms(each.place.text).split()) for each in group)


def silent_lines(group: list[Scored], question: Question) -> frozenset[int]:
    """Return the lines without telling words or days of the question; empty if shared letters found the group."""
    silent: set[int] = set()
    if not question.telling or question.asks_latest or question.inflected:
        return frozenset()
    terms_wanted = set(question.telling)
    for term in question.terms:
        if term.dated:
            terms_wanted.update(term.words)
    for each in group:
        place = each.place
        terms = f"{index_terms(place.text)} {heading_terms(place.path, place.titles)}"
        is_of_days = question.days is not None and day_fit(question.days, place.on) > 0
        if not is_of_days and terms_wanted.isdisjoint(terms.split()):
            silent.update(range(place.first, place.last + 1))
    return frozenset(silent)


Each = TypeVar("Each")

_LATER = 0.01  # each further hit of one file is lowered by this share; more loses answers that lie together
_COMPARED = 60  # so many hits are compared with one another
_JOINED = 0.7  # a turn or an entry joins its neighbour if its score is nearly as high …
_MOST_JOINED = 3  # … up to so many
# A note's lines explain one another: so many characters of them, with so high a score each (guesses: any score).
_MOST_NOTE, _JOINED_NOTE = 400, 0.3


class Hit(NamedTuple):
    """A ranked unit with its place; `order` sorts, `score` is shown and compared with min-score."""

    key: int
    path: str
    start: int
    end: int
    order: float
    score: float
    terms: str = ""
    is_whole: bool = False  # complete in itself: a turn of a conversation, an entry
    size: int = 0  # characters


def diversified(hits: Sequence[Hit], trade: float) -> list[Hit]:
    """Return the hits by maximal marginal relevance over their terms; ``trade`` 1 keeps the order, 0 differs most."""
    trade = min(1.0, max(0.0, trade))
    left = list(hits[:_COMPARED])
    rest = list(hits[_COMPARED:])
    low = min((hit.order for hit in left), default=0.0)
    high = max((hit.order for hit in left), default=0.0)
    words, relevance = {}, {}
    for hit in left:
        words[hit.key] = frozenset(hit.terms.split())
        relevance[hit.key] = 1.0
        if high > low:
            relevance[hit.key] = (hit.order - low) / (high - low)
    nearest = dict.fromkeys(relevance, 0.0)
    chosen: list[Hit] = []
    while left:
        best = max(
            left,
            key=lambda hit: (trade * relevance[hit.key] - (1 - trade) * nearest[hit.key], relevance[hit.key]),
        )
        left.remove(best)
        chosen.append(best)
        for hit in left:
            nearest[hit.key] = max(nearest[hit.key], _overlap(words[hit.key], words[best.key]))
    return chosen + rest


def spread_by_file(hits: Sequence[Hit], most: int) -> list[Hit]:
    """Return the hits, those after the first ``most`` of a file a little later: files that tie are mixed."""
    seen: Counter[str] = Counter()
    places = []
    for at, hit in enumerate(hits):
        seen[hit.path] += 1
        places.append((-max(0.0, hit.order) * (1 - _LATER) ** max(0, seen[hit.path] - most), at))
    return [hits[at] for _, at in sorted(places)]


def joined(hits: Sequence[Hit], *, guesses: bool = False) -> list[list[Hit]]:
    """Return the hits in groups of adjacent lines of one file, each at the place of its first, lines in order.

    For ``guesses``, hits of about equal score, all adjacent lines of a note are joined.
    """
    share = 0.0 if guesses else _JOINED_NOTE
    groups: dict[int, list[Hit]] = {}  # by the number of their best hit
    edges: dict[tuple[str, int], int] = {}
    for number, hit in enumerate(hits):
        above = edges.get((hit.path, hit.start - 1), number)
        below = edges.get((hit.path, hit.end + 1), number)
        first = number
        for other in sorted({above, below}):
            if other == number:
                continue
            if first == number:
                if _may_join([hit], groups[other], share):
                    first = other
                    groups[first].append(hit)
            elif _may_join(groups[other], groups[first], share):
                groups[first] += groups.pop(other)
        group = groups.setdefault(first, [hit])
        for each in group:
            edges[each.path, each.start] = edges[each.path, each.end] = first
    return [sorted(group, key=lambda hit: hit.start) for group in groups.values()]


def by_shown_score(
    ranked: Sequence[Each], score: Callable[[Each], float], leads: Callable[[Each], bool]
) -> list[tuple[float, Each]]:
    """Return the ranked items with their shown scores, in the order of these scores.

    A higher rank shows no lower score than the ranks below. An item that ``leads`` (a correction) raises no
    other score, and comes before everything with a lower one.
    """
    shown, best = [], 0.0
    for each in reversed(ranked):
        own = max(score(each), best)
        best = best if leads(each) else own
        shown.append((own, each))
    shown.reverse()
    return sorted(shown, key=lambda pair: -pair[0])


def _may_join(hits: list[Hit], group: list[Hit], share: float) -> bool:
    if any(hit.is_whole for hit in hits):
        return len(group) + len(hits) <= _MOST_JOINED and hits[0].order >= _JOINED * group[0].order
    fits = sum(each.size for each in (*group, *hits)) <= _MOST_NOTE
    return fits and hits[0].order >= share * group[0].order


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    either = len(first | second)
    return len(first & second) / either if either else 1.0


MOST_CHARACTERS = 700
CUT = "…"


def snippet_of(data: bytes, first: int, last: int, words: Collection[str]) -> tuple[str, Sequence[int]]:
    """Return lines ``first`` to ``last`` (from 1) of a file, keys masked, blank ones left out, and the number of each; of a long text, the part with ``words``."""
    own = b"".join(split_lines(without_conflict_markers(data))[first - 1 : last])
    text = without_comments(own.decode("utf-8", "replace").removeprefix("\ufeff"))
    numbered_lines = enumerate(map(str.rstrip, text.splitlines()), first)
    lines = dict(filter(lambda numbered: numbered[1], numbered_lines))
    whole = _masked("\n".join(lines.values()))
    snippet = shortened(whole, words)
    above = whole.count("\n", 0, whole.find(snippet.strip(CUT)))
    return snippet, tuple(lines)[above : above + 1 + snippet.count("\n")]


_masked = lru_cache(maxsize=16_384)(redact_lines)  # the searches of one turn show the same lines


def shortened(text: str, words: Collection[str] = ()) -> str:
    """Return ``text``, or as much as may be shown, around the first of ``words``."""
    if len(text) <= MOST_CHARACTERS:
        return text
    room = MOST_CHARACTERS - 2 * len(CUT)
    step = MOST_CHARACTERS // 4
    question_words = frozenset(words)
    at = max(
        range(0, len(text), step),
        key=lambda begin: len(question_words.intersection(terms_of(text[begin : begin + 3 * step]))),
    )
    begin = max(0, min(at - room // 4, len(text) - room))
    if begin and (space := text.find(" ", begin, begin + room // 8)) >= 0:
        begin = space + 1
    end = min(len(text), begin + room)
    return CUT * (begin > 0) + text[begin:end].strip() + CUT * (end < len(text))


def with_lines_around(
    index: Index, groups: Sequence[list[Scored]], names: frozenset[str], room: float = inf
) -> list[list[Scored]]:
    """Return the groups, those of notes with up to two lines before and behind: ``room`` characters in all, the best first.

    Headings, entries and corrected texts are not added.
    """
    room -= sum(len(each.place.text) + 1 for group in groups for each in group)
    ends: dict[int, list[int]] = {}
    taken: set[int] = set()
    for at, group in enumerate(groups):
        if room > 0 and all(map(_is_note, group)):
            keys = [each.place.place_id for each in group]
            ends[at] = [min(keys), max(keys)]
        for each in group:
            taken.update(place.place_id for place in (each.place, *each.instead_of))
    if not ends:
        return list(groups)
    wider_groups = list(map(list, groups))
    for at, place in _one_by_one(ends, _lines_near(index, ends.values(), names), taken):
        room -= len(place.text) + 1
        if room < 0:
            break
        wider_groups[at].append(Scored(place, 0.0, 0.0))
    return [sorted(group, key=lambda each: each.place.place_id) for group in wider_groups]


def _is_note(scored: Scored) -> bool:
    place = scored.place
    return not (scored.talk or place.entry or place.retirement or place.kind in LOGGED)


def _lines_near(index: Index, ends: Iterable[list[int]], names: frozenset[str]) -> dict[int, Place]:
    keys: set[int] = set()
    for first, last in ends:
        keys.update(range(first - AROUND, first + AROUND + 1), range(last - AROUND, last + AROUND + 1))
    places = index.places(sorted(keys))
    outdated = OutdatedPlaces(index, (place.text for place in places.values()), names)
    near = {}
    for key, place in places.items():
        if place.kind not in (HEADING, PRINTED) and not place.entry and outdated.correction_of(place) is None:
            near[key] = place
    return near


def _one_by_one(
    ends: Mapping[int, list[int]], near: Mapping[int, Place], taken: set[int]
) -> Iterator[tuple[int, Place]]:
    for _ in range(AROUND):
        for at, both in ends.items():
            for side, step in ((1, 1), (0, -1)):
                place = near.get(both[side] + step)
                if place is None or place.place_id in taken:
                    both[side] = 0
                    continue
                taken.add(place.place_id)
                both[side] = place.place_id
                yield at, place


WHOLE = 3  # so many words make a whole question; fewer are a look-up
_REST = 20  # hits behind this rank hardly hold the answer

_BASE = 0.8
_COVERAGE = 1.6
_LEAD = 1.8  # over the twentieth line, relative to the question's worth
_UNKNOWN = -0.025  # terms of the question that no line has
_LENGTH = -0.5  # of lines: a long one covers more by chance …
_SHORT = 8.0  # … and no shorter lines than these were measured
_TALK = -0.5  # turns of the same people also cover more by chance
_MEANING = -0.5  # with vectors, every text is a little near


def probability(
    ranked: Sequence[Ranked],
    question: Question,
    corpus: Corpus,
    texts: Callable[[], Iterable[str]] = tuple,
    *,
    above: frozenset[str] = frozenset(),
    by_meaning: bool = False,
) -> float:
    """Return how likely the first of ``ranked`` lines, with the terms ``above`` it, and what is shown below it, hold the answer.

    ``texts`` returns the lines that were found, which show whether a word in small letters is a name.
    """
    query = WeighedQuestion(question, corpus)
    worth = sum(query.worth)
    if not (ranked and worth and ranked[0].order > 0):
        return 0.0
    best = ranked[0]
    rest = ranked[_REST - 1].order if len(ranked) >= _REST else 0.0
    odds = _BASE + _COVERAGE * best.coverage + _LEAD * (best.order - rest) / worth
    odds += _UNKNOWN * (query.whole - query.known) + _LENGTH * math.log(max(_SHORT, corpus.mean_length))
    if best.talk:
        odds += _TALK
    if by_meaning:
        odds += _MEANING
    likely = 1 / (1 + math.exp(-odds))
    shown_terms, grams = set(), 0
    for term in question.terms:
        if term.gram:
            grams += 1
        elif not term.dated:
            shown_terms.add(term.shown)
    words = len(shown_terms) + grams / 2  # two pairs of characters count as a word
    # a word or two, or days alone: every line with them is an answer
    if words < WHOLE or (question.days is not None and not question.telling):
        likely = max(likely, best.coverage)
    if likely < SURE:
        return likely
    if question.days is not None and _only_of_its_day(best, question):
        return OF_ANOTHER
    for term in _names_missing(best, question, texts):
        if above.isdisjoint(term.words):
            return OF_ANOTHER
    return likely


OF_ANOTHER = 0.75  # the maximal likelihood of an answer about another name or number: never high
_AS_WRITTEN = lazy_pattern(r"[\d._/\\@]")  # in a number, a path, an address


def _only_of_its_day(best: Ranked, question: Question) -> bool:
    """Say whether a line of the day that is asked for is about no more than half of what else is asked."""
    terms = about = 0
    for at, term in enumerate(question.terms):
        if term.weight > LIGHT and not term.dated:
            terms += 1
            about += best.about >> at & 1
    return 2 * about <= terms and terms > 0


def names_nowhere(question: Question, vocabulary: Collection[str]) -> list[str]:
    """Return the question's names (in German, nouns) and numbers without a known word."""
    strange = []
    for term in filter(_is_name, question.terms):
        if not any(map(vocabulary.__contains__, term.words)):
            strange.append(repr(term.shown.removesuffix("'s").removesuffix("’s")))
    return strange


def _names_missing(best: Ranked, question: Question, texts: Callable[[], Iterable[str]]) -> Iterator[Term]:
    """Yield the names and numbers of a question, and what is numbered, that its best line is not about."""
    numbered = dict(filter(lambda pair: pair[1].isdigit(), question.phrases))
    for at, term in enumerate(question.terms):
        is_lacking = term.weight > LIGHT and not (term.dated or best.about >> at & 1)
        if is_lacking and (term.words[0] in numbered or _is_name(term, texts)):
            yield term


def _is_name(term: Term, texts: Callable[[], Iterable[str]] = tuple) -> bool:
    """Say whether a term is a name or a number; in small letters, a word that ``texts`` write as a name."""
    if term.weight == NAMED or (term.weight > LIGHT and _AS_WRITTEN.search(term.shown)):
        return True
    words = frozenset(term.words[: term.alike])
    capitals = set()
    for text in texts():
        plain = folded(text)
        if not any(map(plain.__contains__, words)):
            continue
        for piece in pieces_of(text):
            if piece.whole in words:
                capitals.add(piece.shown[0].isupper())
    return capitals == {True} and not any(map(is_common, words))


def terms_above(path: str, data: bytes, first: int) -> frozenset[str]:
    """Return the terms of a file's path, of a line, and of the items of a list that the line is below."""
    lines = b"\n".join(lines_above(data, first)).decode("utf-8", "replace")
    return terms_in(f"{path}\n{lines}")
