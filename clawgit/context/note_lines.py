"""Selects lines of a daily note: the operator's sentences and decisions, no output of machines or the agent."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from clawgit.capture.sessions.taken_back import lines_not_meant
from clawgit.context.slots import (
    HEADING,
    ITEM,
    MOST_CHARACTERS,
    PROSE,
    Cut,
    Passage,
    sentence_ends,
    tag_behind,
)
from clawgit.memory.corrections.correction_log import LEDGER
from clawgit.memory.entries.entries import plain_lines
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.statements import statement_of as without_request
from clawgit.memory.entries.tiers import MEMORY_FILES
from clawgit.memory.notes import (
    ASSISTANT,
    USER,
    is_machines,
    is_output,
    lines_about,
    speaker_of,
    turns_apart,
    words_of,
)
from clawgit.recall.index.line_units import lines_apart
from clawgit.recall.questions.question import LIGHT
from clawgit.recall.questions.read_question import read_question
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import split_lines
from clawgit.text.words.terms import index_terms, terms_in
from clawgit.understanding.evidence.own_sentences import ASKING, is_question
from clawgit.understanding.forms.sentence_forms import TALK

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from datetime import datetime

    from clawgit.context.assembly import ReadFile

OUTPUT, AGENTS = "a tool's output", "the agent's own words"
QUESTION = "a question, of which the answer is not told"
NOT_MEANT = "taken back later, or written for somebody else"
REMEMBERED = (*MEMORY_FILES, LEDGER)  # the agent's repetitions of these are left out
FEWEST = 3  # terms of a meaningful sentence
SHARED = 2  # terms shared with each line that the agent's sentence may repeat
SHORT = 24  # characters of an answer that needs its question
QUOTED = "User: "  # before the operator's own words
# The kind of a line; a name before the colon is its speaker.
_LABEL = lazy_pattern(
    r"(?i)(?:decision|decided|noted?|important|remember|reminder|fact|fyi|notiz|merke|wichtig|nota|decisión|décision)\s?: |(?:决定|注意|记住|结论)[:：]\s?|(?:결정|메모|중요): "
)
_CLAUSES = lazy_pattern(r"[,;:–—，、；：]")
# The agent's phrases for repeating memory.
_SAYING = (
    "according decided decision important mentioned memory MEMORY.md noted notes recall recorded remember remembered saved sure "
    "laut entschieden gemerkt notiert Notizen wichtig"
)
WORTH = 0.35  # of the best score: hits below it are left out


def told_of_note(read: ReadFile, whole: bytes) -> tuple[ReadFile, tuple[Cut, ...]]:
    """Return a note without its uninformative lines, and these as cuts; ``whole`` is all of its file.

    Of the agent's words, only a question stays that the operator's short answer needs.
    """
    about = lines_about(whole)
    gone = lines_not_meant(whole)
    passages = list(_apart(read, (each for each in read.passages if each.first > about)))
    passages_left, cuts = [], []
    for at, each in enumerate(passages):
        why = NOT_MEANT if gone.intersection(each.lines) else _why_not(each, passages[at + 1 : at + 2])
        if why:
            cuts.append(Cut(each.place, why))
        else:
            passages_left.append(each)
    return read._replace(passages=tuple(passages_left)), tuple(cuts)


def _apart(read: ReadFile, passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield passages, split into lines where a person speaks or a machine writes each line."""
    lines = split_lines(read.part.data)
    for each in passages:
        own = lines[each.first - 1 - read.part.offset : each.last - read.part.offset]
        runs = _runs(each, [plain_lines([line]) for line in own])
        if not runs:
            yield each
        for begin, end in runs:
            text = plain_lines(own[begin:end])
            if text:
                part = each._replace(
                    text=text, kind=ITEM, first=each.first + begin, last=each.first + end - 1
                )
                if begin:
                    part = part._replace(entry="")
                yield part._replace(tag=tag_behind(text))


def _runs(passage: Passage, texts: list[str]) -> list[tuple[int, int]]:
    """Return the separate parts of a passage as begin and end of their lines; empty if it is one thing."""
    if passage.kind == ITEM:
        runs = turns_apart(texts)
        if len(runs) == 1:
            return []
        return runs
    is_talk = any(speaker_of(text) or is_output(text) for text in texts)
    if passage.kind != PROSE or passage.until or not is_talk:
        return []
    return lines_apart(texts)


def _why_not(passage: Passage, following: Sequence[Passage]) -> str:
    if passage.kind == HEADING:
        return ""
    if is_machines(passage.text):
        return OUTPUT
    speaker = speaker_of(passage.text)
    if speaker == ASSISTANT and not (passage.text.endswith(ASKING) and any(map(_is_short_answer, following))):
        return AGENTS
    says = words_of(passage.text)
    is_bare = len(sentence_ends(says)) < 2 and _CLAUSES.search(says) is None  # no statement beside it
    if speaker == USER and is_bare and is_question(says):
        return QUESTION
    return ""


def _is_short_answer(passage: Passage) -> bool:
    says = words_of(passage.text)
    return speaker_of(passage.text) == USER and len(says) <= SHORT and not says.endswith(ASKING)


def says_again(text: str, others: Iterable[frozenset[str]], now: datetime) -> bool:
    """Say whether the agent only repeats other lines, given by their terms; texts of a word or two count as repetitions."""
    if speaker_of(text) != ASSISTANT:
        return False
    words = words_of(text)
    if len(index_terms(words).split()) < FEWEST:
        return True
    telling = _without(telling_words(words, now), _saying())
    forms = frozenset[str]().union(*telling)
    above: set[str] = set()
    for terms in others:
        if forms.isdisjoint(terms):
            continue  # nearly all of them
        if len(telling) - len(_without(telling, terms)) >= SHARED:
            above |= terms
    new = _without(telling, above)
    return not new or (len(new) == 1 and not any(map(str.isdigit, "".join(new[0]))))


@lru_cache(maxsize=8)
def terms_of_lines(data: bytes) -> tuple[frozenset[str], ...]:
    text = data[:MOST_CHARACTERS].decode("utf-8", "replace")
    return tuple(map(terms_in, text.splitlines()))


@lru_cache(maxsize=64)
def terms_of_his_lines(data: bytes) -> tuple[frozenset[str], ...]:
    lines = data[:MOST_CHARACTERS].decode("utf-8", "replace").splitlines()
    return tuple(terms_in(words_of(line)) for line in lines if speaker_of(line) == USER)


def terms_to_repeat(read: Callable[[str], bytes], notes: Iterable[str]) -> list[frozenset[str]]:
    """Return the terms of all memory and its corrections, and of the operator's words in these notes: the agent only repeats these."""
    others: list[frozenset[str]] = []
    for path in REMEMBERED:
        others += terms_of_lines(read(path))
    for path in dict.fromkeys(notes):
        others += terms_of_his_lines(read(path))
    return others


@cache
def _saying() -> frozenset[str]:
    return frozenset(index_terms(_SAYING).split())


def is_greeting(text: str) -> bool:
    """Say whether a prompt is a greeting or thanks: a search would find any line with that word."""
    is_short = len(index_terms(text).split()) < FEWEST
    return is_short and not is_question(text) and TALK.search(text) is not None


def says_no_more(text: str, prompt: str, now: datetime) -> bool:
    terms = terms_in(prompt)
    return not any(_without(telling_words(statement_of(line), now), terms) for line in text.splitlines())


def statement_of(text: str) -> str:
    """Return the statement of a line, without speaker, kind, and request to remember it."""
    statement = parted(words_of(text.lstrip("-*+ "))).statement.removeprefix(QUOTED)
    label = _LABEL.match(statement)
    return without_request(statement[label.end() :] if label else statement)


def telling_words(text: str, now: datetime, weight: float = 0.0) -> list[frozenset[str]]:
    """Return the words of a text that are not in every other line, each as its index forms.

    With a ``weight``, only words of at least that weight, and identifiers (`prod-01`).
    """
    telling = []
    for term in read_question(text, now).terms:
        has_digit = any(map(str.isdigit, term.shown))
        is_telling = term.dated or term.weight > LIGHT or has_digit
        is_named = term.weight >= weight or (has_digit and any(map(str.isalpha, term.shown)))
        if is_telling and is_named:
            telling.append(frozenset(term.words))
    return telling


def without_bare_answers(passages: Iterable[Passage]) -> list[Passage]:
    """Return the lines of a note without the operator's answers to agent's turns that are not shown."""
    passages_left: list[Passage] = []
    for each in passages:
        is_bare = speaker_of(each.text) == USER and len(index_terms(words_of(each.text)).split()) < FEWEST
        if not is_bare or (passages_left and speaker_of(passages_left[-1].text) == ASSISTANT):
            passages_left.append(each)
    return passages_left


def _without(telling: Iterable[frozenset[str]], terms: Collection[str]) -> list[frozenset[str]]:
    return [forms for forms in telling if forms.isdisjoint(terms)]
