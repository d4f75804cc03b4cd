"""Detects texts with a corrected value of the same subject, in any wording. Pure.

The subject is the words common to the old and the new statement. The speaker counts: the operator's "I" is
memory's "User".
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from itertools import filterfalse
from typing import NamedTuple

from clawgit.memory.entries.statements import parted, sentences_of, without_day
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.stopwords import is_common
from clawgit.text.words.terms import english_stem, folded, index_terms, plain
from clawgit.text.words.word_lists import any_word_of
from clawgit.understanding.evidence.own_sentences import denies
from clawgit.understanding.evidence.said_words import Read, lacking, read
from clawgit.understanding.facts.same_statement import same_wording
from clawgit.understanding.forms import user_words
from clawgit.understanding.forms.sentence_forms import INCIDENTAL, NAMING, RELATIVES

STATEMENT = 4  # words; shorter texts fit other subjects as well
LONGEST = 2000  # characters read of a text
ADDED = 2  # words that a text says beyond a corrected one, or one number, make it worth keeping
GAP = "[corrected]"
MOST_DIGITS = 2  # of a number that many things share
_BEGINNING = 4  # letters: two forms of a word share them
_SPEAKER = lazy_pattern(
    r"\W*(?:\d{1,2}:\d{2}(?::\d{2})?\W*)?(?P<who>[^\W\d_][\w .'’-]{0,30}?)[*_]{0,2}(?:\s?\([^()]{1,20}\))?(?::[*_]{0,2}\s|：)"
)
_NUMBER = lazy_pattern(
    r"(?<![\w.'-])(?:[B-HJ-Z]|(?<=[a-z] )A|[A-Za-z]{1,3}\d+|\d+(?:[.,:]\d+)*)(?!\w|')"  # `flat B` and `M1` count as numbers
)
_TOKEN = lazy_pattern(r"[^\W_]+(?:[.,:@/_-][^\W_]+)*")
_DAY_OR_YEAR = lazy_pattern(r"\d{4}-\d\d-\d\d|\b(?:19|20)\d\d\b")
_ENDINGS = lazy_pattern("[\u3040-\u309f]+")  # of Japanese verbs, and particles
_RELATIVE = lazy_pattern(rf"(?i)\b{any_word_of(RELATIVES)}\b")
_HIS = user_words.SELF | user_words.OWN | user_words.USER_NOUNS | user_words.GENITIVE
_OTHERS = user_words.OTHER | user_words.YOU | user_words.YOURS
_OTHERS_OF_ANOTHER = _OTHERS | user_words.SELF | user_words.OWN
_HIS_OF_THE_AGENT = user_words.USER_NOUNS | user_words.YOU | user_words.YOURS
_ALL_SAID_OF_IT = INCIDENTAL | NAMING


class Sentence(NamedTuple):
    """A sentence, its words, and whether it is about the operator, and about another person."""

    text: str
    says: Read
    is_of_him: bool
    is_of_another: bool


class OldValue(NamedTuple):
    """The old value of a statement, the new one, and the words of their subject, its head first.

    ``kept`` are the numbers in both: which room, which bus.
    """

    gone: Read
    came: Read
    about: Read
    wrong: Sentence
    kept: frozenset[str] = frozenset()


def is_outdated(
    text: str, old_text: str, correct: str, *, speaker: str = "", names: frozenset[str] = frozenset()
) -> bool:
    """Say whether a text states what ``old_text`` does about the same subject, and not the ``correct`` words.

    ``names`` are the operator's; ``speaker`` is the text's speaker, if known. What corrects one day's note says
    nothing of a text that does not name that day.
    """
    old_text, day = without_day(old_text)
    text, its_day = without_day(text)
    if day not in ("", its_day):
        return False
    correct, _ = without_day(correct)
    here, wrong = (f" {index_terms(each)} " for each in (text, old_text))
    if wrong.count(" ") > STATEMENT and wrong in here:
        return f" {index_terms(correct)} " not in here
    value = _old_value(old_text, correct, names)
    return value is not None and any(
        _states(value, sentence) for sentence in _without_new(value, text, speaker, names)
    )


def repeats_value(
    text: str, old_text: str, correct: str, *, speaker: str = "", names: frozenset[str] = frozenset()
) -> bool:
    """Say whether a text has the old value, about the same subject or thing; its statement may differ."""
    if without_day(old_text)[1]:
        return False  # of one note's line, and nothing else of that day
    value = _old_value(old_text, correct, names)
    return value is not None and any(
        _repeats(value, sentence) for sentence in _without_new(value, text, speaker, names)
    )


def without_value(text: str, old_text: str, correct: str) -> str:
    """Return an outdated text with a gap for the replaced number; empty if nothing is left that the correction does not say.

    Also if more was replaced, or a name: what else the text says may be of that one (`Dr. Brandt, phone 030 1234`).
    """
    old, new, here = map(_tokens_of, (old_text, correct, parted(text.lstrip("-*+ ")).statement))
    gone = set(filterfalse(is_common, old - new))
    added = set(filterfalse(is_common, here - old - new))
    added = set(filterfalse(partial(_is_in, NAMING | _HIS), added))
    has_number = any(map(str.isdigit, "".join(added)))
    if len(gone) != 1 or (len(added) < ADDED and not has_number):
        return ""
    (value,) = gone
    places = list(filter(lambda word: word[0].casefold() == value, _TOKEN.finditer(text)))
    if len(places) != 1 or not any(map(str.isdigit, value)):
        return ""
    return f"{text[: places[0].start()]}{GAP}{text[places[0].end() :]}"


def _tokens_of(text: str) -> set[str]:
    return set(map(str.casefold, _TOKEN.findall(text)))


def is_said_by_user(text: str, names: frozenset[str]) -> bool:
    """Say whether a line begins with the operator as its speaker."""
    match = _SPEAKER.match(text)
    return match is not None and _is_user(match["who"], names)


def gone_words(old_text: str, correct: str) -> frozenset[str]:
    """Return beginnings of words in small letters: a text that states ``old_text`` has one of them."""
    old, new = (set(re.findall(r"[^\W_]+", plain(text).lower())) for text in (old_text, correct))
    gone = frozenset[str]()
    for word in (old - new) or old:
        gone |= {word[:_BEGINNING]} if word.isascii() else frozenset(word)
    return gone


@lru_cache(maxsize=2048)
def _old_value(old_text: str, correct: str, names: frozenset[str]) -> OldValue | None:
    """Return the corrected value, None without an old and a new one, or without words for their subject."""
    before, after = (_sentence(parted(text).statement, "", names) for text in (old_text, correct))
    gone = lacking(before.says, after.says)
    came = lacking(after.says, before.says)
    if not gone or not came:
        return None
    rest = before.says.plain
    for item in gone:
        rest = rest.replace(item, " ")
    subject = []
    for word in read(_ENDINGS.sub(" ", rest)).items:
        if (len(word) > 2 or not word.isascii()) and not _is_in(_HIS, word):
            subject.append(word)
    about = [word for word in subject if not _is_in(_ALL_SAID_OF_IT, word)] or subject
    if not about and not before.is_of_him:
        return None
    numbers = frozenset(_numbers(before.text)).intersection(_numbers(after.text))
    return OldValue(
        _only(gone, before.says), _only(came, after.says), read(" . ".join(about)), before, numbers
    )


def _numbers(text: str) -> list[str]:
    """Return the numbers of a text, with letters and codes used as numbers, without days and years."""
    return list(map(str.casefold, _NUMBER.findall(_DAY_OR_YEAR.sub(" ", text))))


def _only(items: list[str], says: Read) -> Read:
    """Return some items of a sentence as read in it: alone, `soy` would be Spanish grammar, and dropped."""
    return read(" . ".join(items))._replace(latin=tuple(filter(items.__contains__, says.latin)))


def _is_telling(value: OldValue) -> bool:
    """Say whether the value is rare: neither a time nor an everyday word nor a small number."""
    for each in value.gone.values:
        digits = list(filter(str.isdigit, each.shown))
        if not each.kinds <= {"n", "l"} or not (each.is_name or len(digits) > MOST_DIGITS):
            return False
    for word in value.gone.latin:
        if word not in value.wrong.says.names and (len(word) < _BEGINNING or is_common(word)):
            return False
    return all(len(word) > 1 for word in (*value.gone.hangul, *value.gone.runs))


def _without_new(value: OldValue, text: str, speaker: str, names: frozenset[str]) -> tuple[Sentence, ...]:
    """Return the sentences of a text, none if it has the new value."""
    sentences = _read(text[:LONGEST], speaker, names)
    is_new_there = not lacking(value.came, *(each.says for each in sentences))
    return () if is_new_there else sentences


@lru_cache(maxsize=2048)
def _read(text: str, speaker: str, names: frozenset[str]) -> tuple[Sentence, ...]:
    """Return the sentences of a text; a question is joined with its answer."""
    match = _SPEAKER.match(text)
    if match is not None and (speaker or _is_called(match["who"], names)):
        speaker, text = speaker or match["who"], text[match.end() :]
    sentences: list[str] = []
    for sentence in sentences_of(text):
        if sentences and sentences[-1].endswith(("?", "？")):
            sentences[-1] += " " + sentence
        else:
            sentences.append(sentence)
    return tuple(_sentence(each, speaker, names) for each in sentences)


def _is_user(who: str, names: frozenset[str]) -> bool:
    return folded(who) in names | user_words.USER_NOUNS | user_words.SELF


def _is_called(who: str, names: frozenset[str]) -> bool:
    """Say whether the text before a colon may be a name; a sentence has words in small letters."""
    if folded(who) in names | user_words.SPEAKERS:
        return True
    return not any(word[0].islower() for word in who.split())


def _sentence(text: str, speaker: str, names: frozenset[str]) -> Sentence:
    """Return a sentence with its person: `I` is the speaker, and the agent's `you` is the operator."""
    text = same_wording(plain(text))
    for name in sorted(names, key=len, reverse=True):
        user = " User" if name.isascii() else "用户"
        text = re.sub(rf"(?i)(?<![a-z가-힣]){re.escape(name)}(?![a-z])", user, text)
    text = user_words.CJK_NOW.sub(" ", text)
    words = set(re.findall(r"[^\W\d_]+", folded(text)))
    his, others = _HIS, _OTHERS
    is_his = not speaker or _is_user(speaker, names)
    if folded(speaker) in user_words.ASSISTANT:
        his, others = _HIS_OF_THE_AGENT, user_words.OTHER
    elif not is_his:
        his, others = user_words.USER_NOUNS, _OTHERS_OF_ANOTHER
    is_of_him = not words.isdisjoint(his)
    if is_his and not is_of_him:
        is_of_him = bool(user_words.CJK_OWN.search(text) or user_words.CJK_SELF.search(text))
    is_of_another = not words.isdisjoint(others) or user_words.CJK_OTHER.search(text) is not None
    return Sentence(text, read(text), is_of_him, is_of_another)


def _is_of_another_number(value: OldValue, sentence: Sentence) -> bool:
    """Say whether a sentence replaces an unchanged number of the old statement: `Room 12 has 20 chairs` is not about room 6."""
    here = _numbers(sentence.text)
    return not value.kept.issubset(here) and len(here) >= len(_numbers(value.wrong.text))


def _states(value: OldValue, sentence: Sentence) -> bool:
    """Say whether a sentence has the old value and the whole subject; in doubt False."""
    if _is_of_another_number(value, sentence):
        return False
    if lacking(value.gone, sentence.says) or _missing(value.about, sentence.says):
        return False
    if denies(sentence.text) is not denies(value.wrong.text):
        return False
    if not value.wrong.is_of_him:  # no other person may be named
        if any(f"{name} {value.about.items[0]}" in sentence.text.lower() for name in value.gone.items):
            return False  # only an attribute: `the Berlin office is large`
        strange = _strange(value, sentence.text)
        return sentence.says.names.isdisjoint(strange) and not _RELATIVE.search(" ".join(strange))
    end = len(sentence.text)
    if value.about.items:  # words after the value may be about others
        end = max(sentence.text.lower().rfind(item) + len(item) for item in value.gone.items)
    return not sentence.is_of_another and not _strange(value, sentence.text[:end])


def _missing(items: Read, says: Read) -> list[str]:
    """Return the words that a sentence has in no form, nor with another last letter: `vive` counts as `vivo`."""
    words = [each for each in says.latin if len(each) >= _BEGINNING]
    missing = []
    for item in lacking(items, says):
        if len(item) < _BEGINNING or not any(word.startswith(item[:-1]) for word in words):
            missing.append(item)
    return missing


def _strange(value: OldValue, text: str) -> list[str]:
    """Return the words of a text that are not in the old statement, without those of any statement."""
    words = _missing(read(text)._replace(values=()), value.wrong.says)
    return [word for word in words if not _is_in(NAMING | _HIS, word)]


def _is_in(listed: frozenset[str], word: str) -> bool:
    return not listed.isdisjoint((word, english_stem(word), folded(word)))


def _repeats(value: OldValue, sentence: Sentence) -> bool:
    """Say whether a sentence has the old value and, by its words, the corrected subject."""
    if lacking(value.gone, sentence.says) or _is_of_another_number(value, sentence):
        return False
    about = [item for item in value.about.items if not _is_in(_ALL_SAID_OF_IT, item)]
    present = list(filterfalse(_missing(value.about, sentence.says).__contains__, about))
    names = value.wrong.says.names.intersection(present)
    if names and not (names <= _kinds(value) and _is_of_another_thing(value, sentence)):
        return True
    if value.wrong.is_of_him and not sentence.is_of_him:
        return False
    if not value.wrong.is_of_him and present[:1] != about[:1]:
        return False  # another thing of that kind: `the analytics database`
    return (bool(about) and 2 * len(present) >= len(about)) or (value.wrong.is_of_him and _is_telling(value))


def _kinds(value: OldValue) -> set[str]:
    """Return the names right before the old value that only say what it is of: `Postgres` of `the database is Postgres 14`."""
    text = " ".join(re.findall(r"[\w.]+", value.wrong.text.lower()))
    kinds = set()
    for name in value.wrong.says.names.intersection(value.about.items):
        if name != value.about.items[0] and any(f" {name} {each}" in text for each in value.gone.items):
            kinds.add(name)
    return kinds


def _is_of_another_thing(value: OldValue, sentence: Sentence) -> bool:
    """Say whether a sentence has a word or a thing's number that the old statement has not: `pg-stg-01, Postgres 14`."""
    more = _tokens_of(sentence.text) - _tokens_of(value.wrong.text)
    return any(map(str.isdigit, "".join(more))) or bool(_strange(value, sentence.text))
