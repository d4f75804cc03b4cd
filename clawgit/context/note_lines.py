"""What a note of the day tells: the operator's sentences and what was decided, not what a machine or the agent said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.context.context_passages import HEADING, ITEM, PROSE, Passage, plain_lines
from clawgit.context.slots import Cut
from clawgit.memory.session_notes import (
    ASSISTANT,
    TOLD_BY_MACHINES,
    USER,
    is_output,
    lines_about,
    speaker_of,
    words_of,
)
from clawgit.recall.index.line_facts import lines_apart
from clawgit.text.markdown.lines import split_lines
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clawgit.context.assembly import ReadFile

OUTPUT, AGENTS = "a tool's output", "the agent's own words"
FEWEST = 3  # terms of a sentence that says something
SHORT = 24  # characters of an answer that says nothing without its question
_ASKING = ("?", "？", "؟")


def told_of_note(read: ReadFile, whole: bytes) -> tuple[ReadFile, tuple[Cut, ...]]:
    """Return a note without the lines that tell nothing, and these apart; ``whole`` is all of its file.

    Of what the agent said, only the question stays that a short answer of the operator's needs.
    """
    about = lines_about(whole)
    passages = list(_apart(read, (each for each in read.passages if each.first > about)))
    told, cuts = [], []
    for at, each in enumerate(passages):
        why = _why_not(each, passages[at + 1 : at + 2])
        if why:
            cuts.append(Cut(each.place, why))
        else:
            told.append(each)
    return read._replace(passages=tuple(told)), tuple(cuts)


def _apart(read: ReadFile, passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield passages, of a paragraph in which somebody speaks or a machine writes each line."""
    lines = split_lines(read.part.data)
    for each in passages:
        own = lines[each.first - 1 - read.part.offset : each.last - read.part.offset]
        texts = [plain_lines([line]) for line in own]
        if each.kind != PROSE or each.until or not any(speaker_of(text) or is_output(text) for text in texts):
            yield each
            continue
        for begin, end in lines_apart(texts):
            text = plain_lines(own[begin:end])
            if text:
                yield each._replace(text=text, kind=ITEM, first=each.first + begin, last=each.first + end - 1)


def _why_not(passage: Passage, following: Sequence[Passage]) -> str:
    if passage.kind == HEADING:
        return ""
    speaker = speaker_of(passage.text)
    if speaker in TOLD_BY_MACHINES or all(map(is_output, words_of(passage.text).splitlines())):
        return OUTPUT
    if speaker == ASSISTANT and not (
        passage.text.endswith(_ASKING) and any(map(_is_short_answer, following))
    ):
        return AGENTS
    return ""


def _is_short_answer(passage: Passage) -> bool:
    says = words_of(passage.text)
    return speaker_of(passage.text) == USER and len(says) <= SHORT and not says.endswith(_ASKING)


def says_again(passage: Passage, others: Iterable[Passage]) -> bool:
    """Say whether the agent only repeats, in a note, what one of ``others`` or what is beside it says; a word or two tell nothing."""
    if speaker_of(passage.text) != ASSISTANT:
        return False
    terms = set(index_terms(words_of(passage.text)).split())
    if len(terms) < FEWEST:
        return True
    return any(_is_little(terms - set(index_terms(f"{each.text} {each.note}").split())) for each in others)


def without_bare_answers(passages: Iterable[Passage]) -> list[Passage]:
    """Return the lines of a note without the operator's words of which only the agent's turn before, untold, says what they answer."""
    told: list[Passage] = []
    for each in passages:
        is_bare = speaker_of(each.text) == USER and len(index_terms(words_of(each.text)).split()) < FEWEST
        if not is_bare or (told and speaker_of(told[-1].text) == ASSISTANT):
            told.append(each)
    return told


def _is_little(new: set[str]) -> bool:
    return len(new) <= 1 and not any(char.isdigit() for term in new for char in term)
