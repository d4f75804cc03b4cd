"""The search results for the conversation, as they are in the tree."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING

from clawgit.capture.sessions.taken_back import lines_not_meant
from clawgit.context.assembly import (
    STRANGERS,
    fence_of,
    headings_inside,
    is_strangers,
    look_beside,
    note_beside,
    read_passages,
)
from clawgit.context.file_slots import NOTES, noted_correction
from clawgit.context.note_lines import (
    AGENTS,
    FEWEST,
    OUTPUT,
    WORTH,
    is_greeting,
    says_again,
    statement_of,
    telling_words,
    terms_to_repeat,
    without_bare_answers,
)
from clawgit.context.said_later import with_his_words
from clawgit.context.session_talk import (
    BEFORE,
    PLACE,
    passage_of,
    said_in_session,
    still_meant,
    with_answers,
)
from clawgit.context.slots import (
    HEADING,
    ITEM,
    RECALL,
    Cut,
    Passage,
    SlotText,
    below_headings,
    tag_behind,
)
from clawgit.context.wanted_context import MAIN, Talk
from clawgit.memory.entries.entries import mark_of, plain_lines
from clawgit.memory.entries.tiers import CONFLICTS, MEMORY_FILES, date_of, is_correction_file
from clawgit.memory.notes import ASSISTANT, is_machines, speaker_of, without_blocks
from clawgit.memory.trust import OPERATOR
from clawgit.plan import MESSAGE
from clawgit.recall.index.searched_files import EXTRA
from clawgit.recall.model_lines import names_file
from clawgit.recall.questions.question import NAMED
from clawgit.recall.questions.question_dates import day_fit
from clawgit.recall.questions.read_question import read_question
from clawgit.recall.search import search, search_tree
from clawgit.recall.search_messages import with_messages
from clawgit.recall.search_results import By, Hits, Query, Result
from clawgit.text.markdown.block_structure import headings_of
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.secrets import redact
from clawgit.text.words.terms import index_terms, terms_in
from clawgit.understanding.evidence.own_sentences import ASKING
from clawgit.understanding.evidence.said_words import read
from clawgit.understanding.evidence.says_beyond import has_one

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clawgit.context.assembly import Assembly

CORRECTION = "x:"
SAID = "said above"
MOST_HITS = 200
BESIDE = "beside memory"
BEST_FILES = 10  # notes of these are in the order of their days
FAR = "far less to the point than the best"
# Of two simulated lives' own questions to memory 1 of 49 is below this, of the other life's two of three.
ANSWERS, WEAK = 0.4, "hardly about the message"
LAST = "9999"
SHORTEST_HIT = 20  # tokens: the search is limited to so many hits as fit
_DAY = frozenset("d")
_ITEMS = (b"- ", b"* ", b"+ ")
_lines_of = lru_cache(maxsize=64)(split_lines)
LONGEST = 1200  # characters of a line; of a longer one, the part in the search result


def lines_found(assembly: Assembly, query: str, room: int) -> Hits:
    """Return the hits for the slot's budget, at most ``room``, in the assembly's state.

    Empty for a query without words, and for a greeting.
    """
    history = assembly.history
    settings = history.settings
    tokens = min(settings.semantic_recall_tokens, room)
    if not query.strip() or not tokens or is_greeting(query):
        return Hits()
    most = min(MOST_HITS, max(settings.search_max_results, tokens // SHORTEST_HIT))
    question = Query(query, most, settings.search_min_score, tokens=tokens, each_once=True)
    hits = _searched(assembly, question)
    if assembly.is_past:
        return hits
    hits, talk_hits = with_his_words(history, assembly.trusts, question, hits, assembly.now)
    hits = with_answers(hits, assembly.on, assembly.trusts)
    return with_messages(hits, talk_hits, question)


def _searched(assembly: Assembly, question: Query) -> Hits:
    if assembly.is_past:
        return search_tree(assembly.history, assembly.tree, question, assembly.now, vectors=assembly.vectors)
    return search(assembly.history, question, assembly.now, vectors=assembly.vectors, trusts=assembly.trusts)


def _has_any(hit: Result, words: Iterable[frozenset[str]]) -> bool:
    terms = terms_in(" ".join((hit.snippet, *hit.titles)))
    return not all(map(terms.isdisjoint, words))


def _is_weak(hits: Hits) -> bool:
    return hits.by.mode == By().mode and max(map(attrgetter("score"), hits.results), default=0.0) < ANSWERS


def is_unknown(assembly: Assembly, talk: Talk, slot: SlotText) -> bool:
    """Say whether memory was searched for a message without a result, here and in the slots above."""
    is_searched = assembly.history.settings.semantic_recall_tokens > 0
    if not is_searched or slot.passages or SAID in map(attrgetter("why"), slot.cuts):
        return False
    is_of_talk = any(map(methodcaller("startswith", MESSAGE), map(attrgetter("place"), slot.cuts)))
    if is_of_talk or not talk.is_asked or len(terms_in(talk.query)) < FEWEST:
        return False
    # an empty memory is not expected to answer
    if any(map(date_of, assembly.tree.names(NOTES))):
        return True
    passages = chain.from_iterable(read_passages(assembly, path).passages for path in MEMORY_FILES)
    return any(each.kind != HEADING for each in passages)


def recall_slot(assembly: Assembly, talk: Talk, hits: Hits, passages_above: Iterable[Passage]) -> SlotText:
    """Return the talk's own messages, then hits, the best first, without repetitions of ``passages_above`` (the other slots)."""
    passages_above = list(passages_above)
    above = _Told(passages_above)
    telling, cuts = _telling(assembly, talk, hits, above)
    others = _said_by_others(assembly, passages_above, telling)
    query_words = telling_words(talk.query, assembly.now)
    by_file: dict[str, list[Passage]] = {}  # in the order of their best lines
    repetitions = _repetitions(telling, above)
    for number, passage in enumerate(telling):
        if number in repetitions and not _is_of_day(assembly, talk, passage.path):
            cuts.append(Cut(passage.place, SAID))
        elif passage.path != PLACE and (
            _is_beside(passage, query_words) or says_again(passage.text, others, assembly.now)
        ):
            cuts.append(Cut(passage.place, AGENTS))
        else:
            by_file.setdefault(passage.path, []).append(passage)
    passages: list[Passage] = by_file.pop(PLACE, [])
    groups = list(by_file.values())
    if not by_file or not _is_of_day(assembly, talk, next(iter(by_file))):
        groups = _newest_first(by_file)
    for group in groups:
        lines = without_bare_answers(sorted(group, key=lambda each: each.first))
        passages += _below_own_headings(assembly, lines, hits)
    return SlotText(RECALL, tuple(passages), tuple(cuts), notes=hits.notes)


def _is_of_day(assembly: Assembly, talk: Talk, path: str) -> bool:
    days = read_question(talk.query, assembly.now).days
    return days is not None and day_fit(days, date_of(path)) == 1


def _repetitions(telling: Sequence[Passage], above: _Told) -> set[int]:
    """Return the numbers of the passages that repeat others or what is above; no row of a table, nor line of a file beside memory: a plan without one of its rows is false."""
    by_day = sorted(range(len(telling)), key=lambda number: _day(telling[number].path))
    latest = {_statement(telling[number]): number for number in by_day}
    beside = "\n".join(f" {index_terms(each.note)} " for each in telling)
    repetitions = set()
    for number, each in enumerate(telling):
        if each.trust.endswith(BESIDE) or each.text.lstrip().startswith("|"):
            continue
        statement = _statement(each)
        is_told = latest[statement] != number or (each.path == BEFORE and f" {statement} " in beside)
        if (is_told and len(statement.split()) >= FEWEST) or above.says(each):
            repetitions.add(number)
    return repetitions


def _below_own_headings(assembly: Assembly, lines: list[Passage], hits: Hits) -> list[Passage]:
    """Return lines of a file, each below its section's headings; a heading found without text below stays a line."""
    if not lines:
        return lines
    headings = _headings_beside(assembly, lines, hits)
    whole = list(headings.values())
    for each in lines:
        if each.first not in headings:
            whole.append(each)
    whole.sort(key=attrgetter("first"))
    taken = dict(enumerate(whole))
    shown = headings_inside(below_headings(whole, taken))
    places = set(map(attrgetter("first"), shown))
    for hit in hits.results:
        if hit.path == lines[0].path and not hit.is_correction:
            places.update(range(hit.first, hit.last))  # a heading of lines shown elsewhere
    for each in lines:
        if each.first not in places:
            shown.append(each)
    return sorted(shown, key=attrgetter("first"))


def _headings_beside(assembly: Assembly, lines: list[Passage], hits: Hits) -> dict[int, Passage]:
    """Return a file's headings by line; outside history they get the trust of the first line."""
    line = lines[0]
    data = hits.texts.get(line.path) or b""
    blob = ""
    if not line.trust.endswith(BESIDE):
        blob = max(map(attrgetter("blob"), lines))
    headings = {}
    for each in _headings_of(data, line.path):
        trust = line.trust
        if blob:
            trust = fence_of(assembly.trusts.of_lines(data, each.first, each.last))
        headings[each.first] = each._replace(blob=blob, trust=trust)
    return headings


@lru_cache(maxsize=64)
def _headings_of(data: bytes, path: str) -> tuple[Passage, ...]:
    """Return the headings of a file, without a title that only names the file."""
    headings = []
    lines = split_lines(data)
    for number, block in enumerate(headings_of(data)):
        if number or not names_file(block.content, path):
            text = redact(plain_lines(lines[block.first : block.last]))
            headings.append(Passage(text, HEADING, path, block.first + 1, block.last))
    return tuple(headings)


def _telling(assembly: Assembly, talk: Talk, hits: Hits, above: _Told) -> tuple[list[Passage], list[Cut]]:
    """Return the usable part of talk and hits, and the rest as cuts."""
    telling, cuts = [], []
    for passage in said_in_session(assembly.history, talk, assembly.now):
        why = _why_not(assembly, passage, above, OPERATOR)
        if why:
            cuts.append(Cut(passage.place, why))
        else:
            telling.append(passage)
    shown: list[tuple[int, Result, Passage]] = []
    others: list[Passage] = []
    for number, hit, why in _with_reasons(assembly, talk, hits):
        if why:
            cuts.append(Cut(f"{hit.path}:{hit.first}", why))
            continue
        for passage in _passages(assembly, hit, hits.texts.get(hit.path)):
            shown.append((number, hit, passage))
            if hit.trust != OPERATOR:
                others.append(passage)
    look_beside(assembly, others)
    for number, hit, passage in shown:
        why = _why_not(assembly, passage, above, hit.trust)
        if why:
            cuts.append(Cut(passage.place, why))
        else:
            note = _note_of(assembly, passage, hit, talk)
            found_by = f"{RECALL.why} ({hit.score:.2f})"
            here = _without_blocks(assembly.untrue.what_holds(passage))
            telling.append(here._replace(rank=(number,), note=note, why=found_by))
    return still_meant(assembly, telling), cuts


def _with_reasons(assembly: Assembly, talk: Talk, hits: Hits) -> Iterator[tuple[int, Result, str]]:
    """Yield the hits for this listener by number, each with why it is left out; empty if it is not."""
    best = max(map(attrgetter("score"), hits.results[:1]), default=0.0)
    is_weak = _is_weak(hits)
    named = telling_words(talk.query, assembly.now, NAMED)
    on = assembly.now.date()
    days = [value for value in read(talk.query, on).values if value.kinds <= _DAY]
    is_by_words = hits.by.mode == By().mode and not all(map(_is_silent, hits.results))
    for number, each in enumerate(hits.results):
        hit = each
        if not is_by_words:
            hit = hit._replace(silent=frozenset())
        if each.source == EXTRA:  # fenced whoever committed it: prose quotes anybody
            hit = hit._replace(trust=f"{fence_of(each.trust) or each.trust}, {BESIDE}")
        if _is_told_elsewhere(hit, talk):
            continue
        why = ""
        is_of_day = bool(days) and has_one(
            days, read(hit.snippet, on)
        )  # `free on 19 December?` and a row of `19 Dec`
        if is_weak and not (is_of_day or _has_any(hit, named)):
            why = WEAK
        elif hit.score < WORTH * best:
            why = FAR
        yield number, hit, why


def _is_silent(hit: Result) -> bool:
    return hit.silent.issuperset(range(hit.first, hit.last + 1))


def _without_blocks(passage: Passage) -> Passage:
    """Return a line of a note without program output behind the agent's words; it equals no line of a blob then."""
    bare = without_blocks(passage.text)
    if bare == passage.text or passage.until or not date_of(passage.path):
        return passage
    return passage._replace(text=bare, blob="")


def _said_by_others(
    assembly: Assembly, passages_above: Iterable[Passage], telling: Iterable[Passage]
) -> list[frozenset[str]]:
    """Return the terms that the agent may only repeat: of shown passages, and, shown or not, of memory, its corrections and the operator's words in the same notes."""
    if ASSISTANT not in map(speaker_of, map(attrgetter("text"), telling)):
        return []
    others = []
    for each in (*passages_above, *telling):
        if speaker_of(each.text) != ASSISTANT:
            others.append(terms_in(f"{each.text} {each.note}"))
    notes = filter(date_of, map(attrgetter("path"), telling))
    return others + terms_to_repeat(lambda path: assembly.tree.read(path) or b"", notes)


def _note_of(assembly: Assembly, passage: Passage, hit: Result, talk: Talk) -> str:
    """Return the note of a hit's line; the best line has the operator's later words, if he is the listener."""
    notes = [passage.note or note_beside(assembly, passage, hit.trust)]
    if passage.first == hit.best and talk.scope == MAIN:
        notes += hit.later
    return "; ".join(filter(None, notes))


def _is_told_elsewhere(hit: Result, talk: Talk) -> bool:
    """Say whether a hit is not for this listener, or is shown among the conversation's messages."""
    if talk.scope != MAIN and (hit.message or hit.path in MEMORY_FILES or hit.source == EXTRA):
        return True
    return hit.message is not None and hit.message.session == talk.session != ""


def _is_beside(passage: Passage, query_words: Sequence[frozenset[str]]) -> bool:
    """Say whether an agent's line is only beside a match: not a question, without a word of the message."""
    if speaker_of(passage.text) != ASSISTANT or passage.text.endswith(ASKING):
        return False
    return all(map(terms_in(passage.text).isdisjoint, query_words))


def _day(path: str) -> str:
    """Return a file's day, for choosing between repetitions; the present conversation is the latest."""
    if path == PLACE:
        return LAST
    return str(date_of(path) or "")


def _newest_first(by_file: dict[str, list[Passage]]) -> list[list[Passage]]:
    """Return the passages of each file; among the best ones, the daily notes change places: the latest first."""
    best = list(by_file)[:BEST_FILES]
    latest = iter(sorted(filter(date_of, best), key=_day, reverse=True))
    ordered = [next(latest) if date_of(path) else path for path in best]
    return [by_file[path] for path in dict.fromkeys((*ordered, *by_file))]


def _why_not(assembly: Assembly, passage: Passage, above: _Told, trust: str) -> str:
    if is_strangers(assembly, passage.blob, passage, trust):
        return STRANGERS
    if date_of(passage.path) and is_machines(without_blocks(passage.text)):
        return OUTPUT
    return SAID if above.holds(passage) else assembly.untrue.objection(passage)


class _Told:
    def __init__(self, passages: Iterable[Passage]) -> None:
        self._entries: set[str] = set()
        self._statements: set[str] = set()
        self._beside: list[str] = []
        self._lines: set[tuple[str, int]] = set()
        for each in passages:
            if each.kind == HEADING:
                continue
            self._entries.add(each.entry)
            self._statements.add(_statement(each))
            if each.note:
                self._beside.append(f" {index_terms(each.note)} ")
            if each.until:
                continue
            for line in each.lines:
                self._lines.add((each.path, line))

    def holds(self, passage: Passage) -> bool:
        """Say whether the entry or all lines of a passage are shown already."""
        if passage.entry and passage.entry in self._entries:
            return True
        return all((passage.path, line) in self._lines for line in passage.lines)

    def says(self, passage: Passage) -> bool:
        """Say whether the statement is shown already; texts of a word or two are ignored."""
        beside = self._beside
        if passage.path in MEMORY_FILES:
            beside = []  # an entry is shown even if a line's note has the same words
        terms = _statement(passage)
        if len(terms.split()) < FEWEST:
            return False
        return terms in self._statements or any(f" {terms} " in note for note in beside)


def told_once(slot: SlotText, passages: Iterable[Passage]) -> SlotText:
    """Return a slot without repetitions of ``passages`` (the other slots), or of its own later notes."""
    above = _Told(passages)
    staying: dict[int, Passage] = {}
    cuts = list(slot.cuts)
    later: set[str] = set()
    for at, each in reversed(list(enumerate(slot.passages))):
        statement = _statement(each)
        if each.kind != HEADING and (above.says(each) or statement in later):
            cuts.append(Cut(each.place, SAID))
        else:
            staying[at] = each
            if each.kind != HEADING and len(statement.split()) >= FEWEST:
                later.add(statement)
    return slot._replace(passages=below_headings(slot.passages, staying), cuts=tuple(cuts))


def _statement(passage: Passage) -> str:
    return _terms_of_statement(passage.text)


@lru_cache(maxsize=4096)
def _terms_of_statement(text: str) -> str:
    return index_terms(statement_of(text))


def _passages(assembly: Assembly, hit: Result, data: bytes | None) -> list[Passage]:
    """Return a hit as passages, line by line; empty outside memory, or if not in force."""
    if hit.message:
        return [passage_of(hit, hit.message, assembly.now)]
    if hit.is_correction:
        correction = assembly.corrections.get(hit.entry.removeprefix(CORRECTION))
        return [] if correction is None else [noted_correction(assembly, correction)]
    if is_correction_file(hit.path) or hit.path == CONFLICTS or hit.note or hit.retirement is not None:
        return []
    trust = fence_of(hit.trust)
    entry = assembly.tree.entry(hit.path)
    if data is None or entry is None or entry.object_id != hit.blob:
        text = redact(hit.snippet)  # not committed, so not checked for secrets
        return [Passage(text, ITEM, hit.path, hit.first, hit.last, entry=hit.entry, trust=trust)]
    lines = _lines_of(data)
    gone = lines_not_meant(data)
    passages = []
    for at, line in enumerate(lines[hit.first - 1 : hit.last], hit.first):
        text = plain_lines([line])
        if text not in hit.snippet:  # secrets in it are masked
            text = redact(text)
        is_meant = at not in gone and not _is_only_beside(hit, at, lines)
        if text.strip() and is_meant:
            mark = mark_of([line])
            name = f"m:{mark}" if mark else ""
            tag = tag_behind(text)
            passage = Passage(text, ITEM, hit.path, at, at, hit.blob, name, trust, tag=tag)
            if len(text) > LONGEST:
                passage = passage._replace(text=hit.snippet, blob="", tag="")
            passages.append(passage)
    return passages


def _is_only_beside(hit: Result, at: int, lines: Sequence[bytes]) -> bool:
    """Say whether a line is a whole list item without a word of the message, there for its neighbours' sake."""
    line = lines[at - 1]
    is_best = at == hit.best and hit.later
    if at not in hit.silent or is_best or not line.startswith(_ITEMS) or speaker_of(plain_lines([line])):
        return False
    return not b"".join(lines[at : at + 1]).startswith((b" ", b"\t"))
