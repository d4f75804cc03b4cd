"""Whether a message is about an entry, and says of it what the entry does not: a value, a name, a denial, a telling word. Pure."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from clawgit.memory.entries.statements import ASKED, sentences_of
from clawgit.memory.provenance.readings import own_words_of
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import UNIT
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words import stopwords
from clawgit.text.words.terms import english_stem
from clawgit.text.words.word_lists import MONTHS, WEEKDAYS, words_in
from clawgit.understanding.evidence.own_sentences import (
    IS_MADE_UP,
    IS_OF_A_CASE,
    IS_QUESTION,
    IS_WISH,
    denies,
    no_statement,
    own_sentences,
    without_quoted_words,
)
from clawgit.understanding.evidence.said_values import may_replace
from clawgit.understanding.evidence.said_words import is_light, lacking, read
from clawgit.understanding.forms.sentence_forms import NAMING

NAMES, ANSWERS, TOUCHES = 3, 2, 1  # how plainly a message bears on a statement
MOST_BESIDE = 3  # words of a line of prose for each that a message about it shares
FEWEST_SHARED = 2  # words of a line of prose in a message that is about it
_QUESTION_MARKS = ("?", "？", "¿", "؟")
# `10.44.4.11`, `heron-1` as `subject` joins them; not `14:00`.
_IDENTIFIER = lazy_pattern(r"ˑ.*ˑ|[^\W\dˑ]ˑ|ˑ[^\W\dˑ]")
# Stems of what is said in any talk, about anything.
_TALK = words_in("""
ok okay lol haha hm yes no yeah ja nein doch thank dank pleas bitt sorri hey hi hello hallo mail email messag note self nice good gut super cool right decid agr
prefer love hate want need first second third last zuerst erst zweit dritt letzt
""")
_DAYS = frozenset(map(english_stem, (*MONTHS, *WEEKDAYS)))
_TELL_NOTHING = (IS_QUESTION, IS_OF_A_CASE, IS_WISH, IS_MADE_UP)


def telling_sentences(text: str) -> list[str]:
    """Return the sentences of a message that may say that something is so, without what they quote: no question, case or wish."""
    own = (without_quoted_words(each) for each in own_sentences(text))
    told = []
    for each in own:
        is_marked = each.rstrip(" \"'”’)*_").endswith(_QUESTION_MARKS)
        if not is_marked and no_statement(each) not in _TELL_NOTHING:
            told.append(each)
    return told


class Heard(NamedTuple):
    """What a message tells, what both sides said right before it, what the agent answered, and the day."""

    said: str
    before: str
    answer: str
    on: date


class Bearing(NamedTuple):
    """How plainly a message bears on a statement, and how many words it shares with it, in what was said around it too."""

    rank: int
    shared: int

    @property
    def is_plain(self) -> bool:
        """Say whether it is about the statement, and does not only touch it."""
        return self.rank > TOUCHES


def bearing(heard: Heard, statement: str, *, is_best: bool) -> Bearing | None:
    """Return how a message bears on a statement, None where it hardly does; ``is_best``: no other is nearer to its words and those before.

    It is plain by two words of its own, or by another value of a kind that the statement has: beside one word, or two of
    what was said around it.
    """
    own = shared_words(statement, heard.said)
    around = shared_words(statement, heard.said, heard.before)
    if is_taken_up(heard):  # else the answer is about something else
        around = shared_words(statement, heard.said, heard.before, heard.answer)
    news = brings_value(heard.said, statement, heard.on)
    if own > 1 or (_names_and_changes(heard, statement) and is_taken_up(heard)):
        return Bearing(NAMES, around)
    is_near = around > 1 or (is_best and bool(heard.before) and around > 0)
    if news and is_near:
        return Bearing(ANSWERS, around)
    telling = [
        word for word in _shared(statement, heard.said) - _names(statement, heard) if not is_light(word)
    ]
    is_said_of_two = (
        len(telling) == 1 and _ends_in(statement, telling[0]) and _ends_in(heard.said, telling[0])
    )
    if is_said_of_two and not denies(heard.said):
        telling = []  # what is said of two things: `I take my coffee black`, `Tomasz painted it black`
    is_touched = (telling and is_taken_up(heard)) or (around > 1 and denies(heard.said))
    return Bearing(TOUCHES, around) if is_touched else None


def contradicted_words(heard: Heard, statement: str, *, is_flagged: bool) -> int:
    """Return how many words a message shares with a line of prose that it puts another value in, or denies; 0 where it does not plainly.

    Prose is about much: a cue, or a third word in common, has to say that the message is about this line.
    """
    shared = shared_words(statement, heard.said)
    is_about = shared >= FEWEST_SHARED and shared * MOST_BESIDE >= len(_subject(statement))
    is_other = replaces_value(heard.said, statement, heard.on)
    if is_flagged and not is_other:
        is_other = brings_value(heard.said, statement, heard.on) or denies(heard.said) != denies(statement)
    if is_about and is_other and (is_flagged or shared > FEWEST_SHARED):
        return shared
    return 0


def puts_other_value(text: str, shown: str) -> bool:
    """Say whether a line says one of the lines shown with another value."""
    for line in shown.splitlines():
        if shared_words(line, text) >= FEWEST_SHARED and replaces_value(text, line, date(2000, 1, 1)):
            return True
    return False


def _ends_in(text: str, stem: str) -> bool:
    """Say whether a sentence of a text says this word, at its end, of something else: `ties after all` is about ties."""
    for sentence in sentences_of(text):
        telling = []
        for word in sentence.split():
            telling += sorted(_subject(word))
        if telling[1:] and telling[-1] == stem:
            return True
    return False


def _names_and_changes(heard: Heard, statement: str) -> bool:
    """Say whether a message has a word of a statement beside another value, or a name of it beside another name."""
    own = _shared(statement, heard.said)
    if own and replaces_value(heard.said, statement, heard.on):
        return True
    names = map(english_stem, read(statement, heard.on).names)
    return not own.isdisjoint(names) and brings_value(heard.said, statement, heard.on)


def _names(statement: str, heard: Heard) -> frozenset[str]:
    """Return the stems of what a statement names: alone, a person is not what it is about; in German any noun is written so."""
    stated = read(statement, heard.on)
    if stated.is_german:
        return frozenset()
    names = set(stated.names)
    first = statement.split(maxsplit=1)[0]
    if first[0].isupper() and first in heard.said.split():
        names.add(first.lower())
    return frozenset(map(english_stem, names))


def is_taken_up(heard: Heard) -> bool:
    """Say whether the agent's answer takes up a word or a value of the message; without an answer, or with `Gut.`, it may."""
    told = read(heard.said, heard.on)
    answered = read(heard.answer, heard.on)
    if not _subject(heard.answer) and not answered.values:
        return True
    return len(lacking(told, answered)) < len(told.items)


def brings_value(said: str, statement: str, on: date) -> bool:
    """Say whether a message has a value or a name that a statement has not, of a kind that it has."""
    told, stated = read(said, on), read(statement, on)
    # in German any noun is written as a name: there one is new where something is denied
    may_name = bool(stated.names) and (not told.is_german or denies(said))
    days = {value.shown for value in told.values}
    has_name = may_name and not (told.names - days).isdisjoint(lacking(told, stated))
    return has_name or replaces_value(said, statement, on)


def replaces_value(said: str, before: str, on: date) -> bool:
    """Say whether a message has a value that may be in the place of one said before."""
    told, stated = read(said, on), read(before, on)
    fresh = lacking(told, stated)
    for came, gone in product(told.values, stated.values):
        if came.shown in fresh and may_replace(came, gone):
            return True
    return False


def shared_words(statement: str, *texts: str) -> int:
    """Return how many words of a statement texts have, in any form; an address or a serial number counts for two."""
    shared = _shared(statement, *texts)
    return len(shared) + len(list(filter(_IDENTIFIER.search, shared)))


def _shared(statement: str, *texts: str) -> frozenset[str]:
    shared = _subject(statement) & frozenset().union(*map(_subject, texts))
    return frozenset() if shared <= _DAYS else shared


@lru_cache(maxsize=4096)
def _subject(text: str) -> frozenset[str]:
    """Return what a text is about, not that it is to be remembered, and not that it is called so; no word of its language's grammar.

    A bare number is nothing, and no unit is: `12 miles` is not about the 12th of May, nor about the miles to the office.
    """
    said = UNIT.sub(" ", ASKED.sub("", own_words_of(text), count=1))
    words = subject(said).difference(*stopwords.languages_of(said.lower().split()))
    return frozenset(stem for stem in map(english_stem, words) if not stem.isdigit()) - NAMING - _TALK


def says_beyond(said: str, statement: str, on: date) -> bool:
    """Say whether a message of a day says of a statement more than a repetition does, or turns it round.

    In another language words differ anyway: there a message that brings the statement's own values alone repeats it.
    """
    told, stated = read(said, on), read(statement, on)
    fresh = lacking(told, stated)
    if denies(said) != denies(statement):
        return True
    if told.values and told.is_german != stated.is_german:
        return any(value.shown in fresh for value in told.values)
    return bool(fresh)
