"""What a week's notes say, by rules: decisions and events, and what was written on several days. Pure.

Every line is one of the notes', word for word: nothing is put in other words, so nothing can be said wrong.
"""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import LONGEST, tag_of
from clawgit.memory.entries.statements import parted
from clawgit.memory.promotion.trigger_scores import score_of
from clawgit.memory.provenance.pieces import QUOTED, Text
from clawgit.text.comparing import fact_words
from clawgit.text.comparing.similarity import words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.text.words.common_words import is_common
from clawgit.text.words.stems import english_stem
from clawgit.text.words.stopwords import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import date


MOST_LINES = 14  # of a week
WORTH_TELLING = 35  # of 100: one trigger is enough, the line is told with its day
ROUTINE = 3  # days on which a line is written: from then on it is told once
MOST_ROUTINES = 3
_SHORTEST = 8  # letters
_SESSION, _FIELD = b"# Session", b"- "  # a session's note begins with a list of when and where it was
_TOKEN = lazy_pattern(r"[^\W_]+(?:[.,:/@'-][^\W_]+)*")
_DECIDING = ("not", "never", "no", "day ", "month ")


class NoteText(NamedTuple):
    """A note as it is read: its day and its text."""

    day: date
    data: bytes


def extract(
    notes: Sequence[NoteText], wrong: Iterable[str] = (), is_noise: Callable[[str], bool] = lambda _: False
) -> tuple[str, ...]:
    """Return the lines of a week's notes that are worth telling and no noise, as they were written, each with its day.

    Secrets are masked, and nothing is told that repeats one of the statements that a correction found ``wrong``. Where
    no line stands out, the first of each note is told, but of no talk: that begins with a greeting.
    """
    said = [(note.day, text) for note in notes for text in _statements(note.data) if not is_noise(text)]
    refused = [each.casefold() for each in wrong if each]
    said = [(day, text) for day, text in said if not any(each in text.casefold() for each in refused)]
    days = Counter(text for _, text in dict.fromkeys(said))
    often = [text for text, number in days.items() if number >= ROUTINE]
    once = [(day, text) for day, text in dict.fromkeys(said) if text not in often]
    weights = {each: weight for each in once if (weight := _weight(each[1])) >= WORTH_TELLING}
    best = frozenset(sorted(weights, key=lambda each: -weights[each])[:MOST_LINES])
    told = [each for each in once if each in best] or _first_of_each(once, _talk(notes))
    repeated = (f"On {days[text]} days: {text}" for text in often[:MOST_ROUTINES])
    return tuple(map(redact, (*(f"{day.isoformat()}: {text}" for day, text in told), *repeated)))


def _statements(data: bytes) -> list[str]:
    """Return what the lines of a note say, without ids, days, headings and quotations."""
    titles = {
        line.strip(b"# \t\r\n").decode("utf-8", "replace")
        for line in split_lines(data)
        if line.startswith(b"#")
    }
    pieces = (
        piece.words
        for piece in Text(_without_fields(data)).pieces
        if piece.form != QUOTED and piece.words not in titles
    )
    texts = (folded(_without_day(words)) for words in dict.fromkeys(pieces))
    return [
        text
        for text in texts
        if _SHORTEST <= len(text) <= LONGEST and "<!--" not in text and "-->" not in text
    ]


def _without_fields(data: bytes) -> bytes:
    if not data.startswith(_SESSION):
        return data
    _, *lines = split_lines(data)
    header = takewhile(lambda line: line.startswith(_FIELD) or not line.strip(), lines)
    return b"".join(lines[len(list(header)) :])


def _without_day(words: str) -> str:
    found = parted(words)
    return found.statement + found.after


def _weight(text: str) -> int:
    return score_of(text).score + (WORTH_TELLING if tag_of(text) is not None else 0)


def _talk(notes: Sequence[NoteText]) -> frozenset[str]:
    talks = (note.data for note in notes if note.data.startswith(_SESSION))
    return frozenset(text for data in talks for text in _statements(data))


def _first_of_each(said: Sequence[tuple[date, str]], talk: Collection[str]) -> list[tuple[date, str]]:
    firsts: dict[date, str] = {}
    for day, text in said:
        if text not in talk:
            firsts.setdefault(day, text)
    return list(firsts.items())


def unfounded(sentence: str, notes: Sequence[str], names: Sequence[str] = ()) -> str:
    """Return the first number, name, day or `not` of a sentence that none of its notes has; empty if there is none.

    ``names`` are what the notes are called: a day may be named by its note's name.
    """
    said = frozenset(word for text in (*notes, *names) for word in words(text))
    for match in _TOKEN.finditer(sentence):
        token = match.group()
        if (_is_value(token) or _is_name(token)) and not said.issuperset(words(token)):
            return token
    there = {fact_words.decided(word) for word in said}
    here = ((word, fact_words.decided(word)) for word in words(sentence))
    return next(
        (word for word, meaning in here if meaning.startswith(_DECIDING) and meaning not in there), ""
    )


def _is_value(token: str) -> bool:
    return any(map(str.isdigit, token))


def _is_name(token: str) -> bool:
    """Say whether a word may be a name: it has a capital, and is none of the words with which sentences often begin."""
    word = token.lower()
    return token != word and word not in ENGLISH and not is_common(english_stem(word))
