"""Whether a message is about an entry, and says of it what the entry does not: a value, a name, a denial, a telling word. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.statements import ASKED
from clawgit.memory.provenance.grounds import own_words_of
from clawgit.text.comparing.fact_words import NEGATIONS, decided
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence.own_sentences import (
    IS_MADE_UP,
    IS_OF_A_CASE,
    IS_QUESTION,
    IS_WISH,
    no_statement,
    own_sentences,
)
from clawgit.understanding.evidence.pasted_texts import without_quoted_words
from clawgit.understanding.evidence.said_words import lacking, read

if TYPE_CHECKING:
    from datetime import date

_QUESTION_MARKS = ("?", "？", "¿", "؟")
# `10.44.4.11`, `heron-1` as `subject` joins them; not `14:00`.
_IDENTIFIER = lazy_pattern(r"ˑ.*ˑ|[^\W\dˑ]ˑ|ˑ[^\W\dˑ]")
_TELL_NOTHING = (IS_QUESTION, IS_OF_A_CASE, IS_WISH, IS_MADE_UP)


def telling_sentences(text: str) -> list[str]:
    """Return the sentences of a message that may say that something is so, without what they quote: no question, case or wish."""
    own = (without_quoted_words(each) for each in own_sentences(text))
    return [each for each in own if not _asks(each)]


def _asks(sentence: str) -> bool:
    is_marked = sentence.rstrip(" \"'”’)*_").endswith(_QUESTION_MARKS)
    return is_marked or no_statement(sentence, "") in _TELL_NOTHING


def is_about(said: str, turn: str, statement: str) -> bool:
    """Say whether a message may be about a statement: it shares a word with it, or the agent's turn before it shares two."""
    about = _subject(statement)
    return bool(about & _subject(said)) or len(about & _subject(turn)) > 1


def shared_words(said: str, turn: str, statement: str) -> int:
    """Return how many words of a statement a message has, with the agent's turn before it; an address or a serial number counts for two."""
    shared = _subject(statement) & (_subject(said) | _subject(turn))
    return len(shared) + sum(1 for word in shared if _IDENTIFIER.search(word))


def _subject(text: str) -> frozenset[str]:
    """Return what a text is about, not that it is to be remembered; a bare number is nothing: `12 miles` is not about the 12th of May."""
    said = ASKED.sub("", own_words_of(text), count=1)
    return frozenset(word for word in subject(said) if not word.isdigit())


def says_beyond(said: str, statement: str, on: date) -> bool:
    """Say whether a message of a day says of a statement more than a repetition does, or turns it round."""
    return bool(lacking(read(said, on), read(statement, on))) or _denies(said) != _denies(statement)


def _denies(text: str) -> bool:
    return any(decided(word) == "not" or word in NEGATIONS for word in words(text))
