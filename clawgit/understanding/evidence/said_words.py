"""The words of a text that say something, and whether another text has them too: forms of a word count as one. Pure."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words import stopwords
from clawgit.text.words.terms import english_stem, korean_stem, open_stem
from clawgit.text.words.word_lists import CAPITALS
from clawgit.understanding.evidence import sentence_signs as signs
from clawgit.understanding.evidence.said_values import Said, same_value, values_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 4000  # characters that are read
_LATIN = lazy_pattern(
    r"[^\W\d_\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7a3]+(?:[-'][^\W\d_\u3040-\ud7a3]+)*"
)
_HANGUL = lazy_pattern(r"[\uac00-\ud7a3]+")
_RUN = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff]+")
_PREDICATE = lazy_pattern(r"(?!.*(?:이다|입니다|이야|이에요)$).*[다요야음함임됨기고서며해지]$")
_FRAME_RUN = lazy_pattern("|".join(sorted(signs.HAN_FRAMES, key=len, reverse=True)))
_OWNER = lazy_pattern(r"'(?:s|ll|d|ve|re|m)$")
_ELIDED = lazy_pattern(r"^(?:[cdjlmnst]|qu)'(?=..)")
_FUSED = ("", *unicodedata.normalize("NFD", "안알압았")[2::3])  # finals that an ending leaves on a stem
_NAME = lazy_pattern(rf"(?<![.!?:] )(?<!^)(?<![\w'])(?!I\b)[{CAPITALS}][^\W\d_-]*")
_NOT_GERMAN = lazy_pattern(
    r"\w*[čšžćđřěůňťďąęłńśźżőűăâîșțøåæœãõñàèêëçùûôìòğışđ]\w*"
)  # words, where they are no names
_COPULA = lazy_pattern(r"(?<=[가-힣])(?:이에요|이예요|예요|입니다|이야|이다)$")
_MARKS = lazy_pattern(r"[*`]|(?<!\w)_|_(?!\w)|~~")
SHORTEST_FORM = 4  # letters that two forms of a word share
FORM_ENDING = 2
KNOWN, SHORT = 8192, 400  # texts (of fewer characters) and words whose forms are known


class Read(NamedTuple):
    """What a text says: its values and its telling words; ``runs`` are those of scripts without spaces."""

    values: tuple[Said, ...]
    latin: tuple[str, ...]
    hangul: tuple[str, ...]
    runs: tuple[str, ...]
    plain: str
    names: frozenset[str] = frozenset()
    is_german: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """Return its words, without the values."""
        return (*self.latin, *self.hangul, *self.runs)

    @property
    def items(self) -> tuple[str, ...]:
        """Return its values and words, as they are written."""
        return (*(value.shown for value in self.values), *self.words)


def spelled(text: str) -> str:
    """Return a text in one width and one kind of apostrophe, without the marks of emphasis and code."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST].translate(_SPACED)).translate(_ALIKE)
    return " ".join(_MARKS.sub("", plain).split())


_SPACED = {ord(wide): f"{narrow} " for wide, narrow in zip("，：；！？", ",:;!?", strict=True)}
_ALIKE = (
    {ord(char): "'" for char in "’‘ʼ`´"} | {ord(char): '"' for char in "“”„«»「」『』"} | {ord("…"): "..."}
)


@lru_cache(maxsize=512)
def read(text: str, on: date) -> Read:
    """Return what a text says that was said on a day."""
    whole = spelled(text)
    small = whole.lower()
    names = frozenset(found.lower() for found in _NAME.findall(whole))
    values, rest = values_of(small, on)
    latin = [_ELIDED.sub("", _OWNER.sub("", word)) for word in _LATIN.findall(rest)]
    languages = stopwords.languages_of([word.replace("'", "") for word in latin])
    stops = frozenset[str]().union(*languages)
    telling = (
        word
        for word in latin
        if len(word) > 1 and word.replace("'", "") not in stops and word not in signs.FRAMES
    )
    hangul = (word for word in _HANGUL.findall(rest) if not _is_frame(word))
    runs = (
        part
        for run in _RUN.findall(rest)
        for piece in stopwords.without_breaks(run)
        for part in _FRAME_RUN.split(piece)
    )
    return Read(
        tuple(values),
        tuple(dict.fromkeys(telling)),
        tuple(dict.fromkeys(hangul)),
        tuple(filter(None, runs)),
        small,
        names,
        stopwords.GERMAN in languages and not any(map(str.islower, _NOT_GERMAN.findall(whole))),
    )


def says_nothing(text: str) -> bool:
    """Say whether a text has no telling word and no value: `a thing any more`."""
    return not read(text, date.min.replace(year=2000)).items


def _is_frame(word: str) -> bool:
    return (
        len(word) < 2
        or word.removesuffix("다") in signs.KOREAN_FRAMES
        or word in signs.KOREAN_FRAMES
        or korean_stem(word) in signs.KOREAN_FRAMES
        or stopwords.is_korean_stop(word)
    )


def lacking(stated: Read, *sources: Read) -> list[str]:
    """Return the values and words of a statement that no source has, as they are written."""
    told = [value for source in sources for value in source.values]
    values = [each.shown for each in stated.values if not any(same_value(each, other) for other in told)]
    plain = " ".join(source.plain for source in sources)
    return [value for value in values if not _is_written(value, plain)] + list(_words_lacking(stated, plain))


def _is_written(value: str, plain: str) -> bool:
    """Say whether what is no number is there letter by letter, whatever it was taken for."""
    if value.isdigit():
        return False
    return lazy_pattern(rf"(?<![\w.]){re.escape(value)}(?![\w.]*\w)").search(plain) is not None


def _words_lacking(stated: Read, plain: str) -> Iterator[str]:
    known, korean = _forms_in(plain) if len(plain) < SHORT else _forms_in.__wrapped__(plain)
    exact = frozenset[str]() if stated.is_german else stated.names
    yield from (word for word in stated.latin if not known.has(word, exact=word in exact))
    yield from (word for word in stated.hangul if not _has_korean(word, korean))
    yield from (part for run in stated.runs if (part := _uncovered(run, plain)))


class _Forms(NamedTuple):
    words: frozenset[str]
    stems: frozenset[str]

    @classmethod
    def of(cls, written: list[str]) -> _Forms:
        parts = [part for word in written for part in (word, *word.split("-"))]
        parts += [one + other for one, other in pairwise(written)]
        bare = {_ELIDED.sub("", _OWNER.sub("", part)).replace("-", "") for part in parts}
        return cls(frozenset(bare), frozenset(map(_stem, bare)))

    def has(self, word: str, *, exact: bool = False) -> bool:
        """Say whether a word is there in any form; a name is there as it is, or in the plural."""
        bare = word.replace("-", "")
        if bare in self.words or _stem(bare) in self.stems:
            return True
        if not exact and any(_is_form(bare, each) for each in self.words):
            return True
        parts = word.split("-")
        return len(parts) > 1 and all(self.has(part, exact=exact) for part in parts)


@lru_cache(maxsize=KNOWN)
def _forms_in(plain: str) -> tuple[_Forms, tuple[str, ...]]:
    """Return the forms of the words of a text, and its Korean words; each text is compared with many."""
    return _Forms.of(_LATIN.findall(plain)), tuple(_HANGUL.findall(plain))


@lru_cache(maxsize=KNOWN)
def _stem(word: str) -> str:
    stem = english_stem(signs.SAME_WORDS.get(word, word))
    stem = {"life": "live"}.get(stem, stem)
    return stem.replace("our", "or").replace("is", "iz") if len(stem) > SHORTEST_FORM else stem


def is_light(word: str) -> bool:
    """Say whether a word may change with the wording alone."""
    return english_stem(word) in signs.LIGHT


def names_another_thing(clause: str, statement: str) -> bool:
    """Say whether a clause tells of a thing by a word that is light elsewhere, and a statement has no such word."""
    known = set(map(english_stem, _LATIN.findall(statement.lower())))
    return not known.issuperset(map(english_stem, signs.THING.findall(clause.lower())))


def _is_form(word: str, other: str) -> bool:
    """Say whether two words differ in their ending alone."""
    if word[:SHORTEST_FORM] != other[:SHORTEST_FORM]:  # told at once of nearly all
        return False
    shared = next(
        (at for at, (one, two) in enumerate(zip(word, other, strict=False)) if one != two),
        min(len(word), len(other)),
    )
    shorter, longer = sorted((len(word), len(other)))
    return shared >= max(SHORTEST_FORM, shorter - 1) and longer - shared <= FORM_ENDING


def _has_korean(word: str, told: tuple[str, ...]) -> bool:
    stem, *stems = (signs.SAME_WORDS.get(each, each) for each in map(_korean, (word, *told)))
    joined = [one + other for one, other in pairwise(stems)]
    if stem in stems or stem in joined or stem in told:
        return True
    if (
        len(word) == len("회도")
        and word[1] in "도만랑로와과의를을은는이가에"
        and any(each[:1] == word[0] and len(each) < 3 for each in told)
    ):
        return True
    return _PREDICATE.match(word) is not None and any(_is_verb_form(word, each) for each in told)


def _korean(word: str) -> str:
    """Return a Korean word without its particle and the `님` of politeness."""
    stem = korean_stem(_COPULA.sub("", word))
    return stem.removesuffix("님") if len(stem) > len("님") + 1 else stem


def _is_verb_form(word: str, other: str) -> bool:
    """Say whether two Korean words begin as forms of one verb: its endings change the last letter of the stem."""
    one, two = open_stem(word), open_stem(other)
    if min(len(word), len(other)) > 2 and one == two:
        return word[1] == other[1] or open_stem(word[1:]) == open_stem(other[1:]) or word[2] == other[2]
    if min(len(word), len(other)) > 3:
        return False
    is_fused = all(unicodedata.normalize("NFD", each[0])[2:] in _FUSED for each in (word, other))
    return one == two or (is_fused and _letters(one, two) in signs.VOWELS_OF_ONE_VERB)


def _letters(one: str, two: str) -> frozenset[str]:
    """Return the vowels of two syllables that begin alike, nothing where they do not."""
    first, second = (unicodedata.normalize("NFD", each) for each in (one, two))
    return frozenset(first[1:] + second[1:]) if first[:1] == second[:1] else frozenset()


def _uncovered(run: str, plain: str) -> str:
    """Return what of a run of Han or kana stands nowhere: characters that are not there, or two in a row only apart."""
    at, alone = 0, False
    while at < len(run):
        size = next((size for size in range(min(len(run) - at, 8), 0, -1) if run[at : at + size] in plain), 0)
        if size == 0 or (size == 1 and alone):
            end = next((end for end in range(at + 1, len(run)) if run[end : end + 2] in plain), len(run))
            return run[at - alone : end]
        alone, at = size == 1, at + size
    return ""
