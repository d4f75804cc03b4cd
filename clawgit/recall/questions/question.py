"""A question, read: its terms and days; and the forms of its words that memory holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from clawgit.text.words import stopwords
from clawgit.text.words.hangul import is_hangul, korean_stem
from clawgit.text.words.stems import stem_in
from clawgit.text.words.terms import folded, is_tonal, pieces_of, term_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clawgit.recall.questions.question_dates import Days


NAMED = 1.4  # the weight of words with a capital letter within a question: names, and German nouns
LIGHT = 0.35  # the weight of words of every other line, of dates as words, and of an identifier's parts
FAINT = 0.05  # … of these where the question is about days and nothing else: "what happened in May"
HARDLY = 0.005  # … of words that only ask, and of single characters: below any that tells
_COMPOUNDING = "german"
_PART = 4  # letters; a shorter part is in too many words
_SYLLABLE = 24  # so many words of memory are looked for that begin with one syllable of the question
_LINKS = ("s", "es", "n", "en", "er")  # between the parts of a compound
_USUAL = {
    "german": "und",
    "french": "des",
    "spanish": "los",
    "portuguese": "uma",
    "italian": "che",
    "romanian": "si",
    "dutch": "het",
    "swedish": "och",
    "turkish": "ve",
    "russian": "и",
    "greek": "και",
    "arabic": "من",
    "hindi": "के",
}
_SHARE = 50  # a language is one of memory's if so many units at most come to one with its usual word


class Term(NamedTuple):
    """One thing asked for: as the person wrote it, and the index words that satisfy it, best first."""

    shown: str
    words: tuple[str, ...]
    weight: float = 1.0
    gram: bool = False  # a part of a run without spaces: unseen, it was hardly a word
    alike: int = 1  # so many of the words are the word itself in some form; the others count less
    dated: bool = False  # a month, year or date: a line of that day satisfies it without the word


class Question(NamedTuple):
    """A question, read. Without terms and days there is nothing to search for."""

    text: str
    terms: tuple[Term, ...] = ()
    phrases: tuple[tuple[str, str], ...] = ()  # index words that follow one another in the question
    asks_when: bool = False
    asks_latest: bool = False
    days: Days | None = None
    asking: tuple[str, ...] = ()  # index words of the whole text that no term looks for
    inflected: bool = False  # in a language whose words have more forms than the index knows

    @property
    def asks_days(self) -> bool:
        """Say whether it is about several days."""
        return self.days is not None and (self.days.any_year or self.days.first < self.days.last)

    @property
    def telling(self) -> frozenset[str]:
        """Return the words to look for that are no days, nor in every other line."""
        told = (term for term in self.terms if not term.dated and term.weight > LIGHT)
        return frozenset(word for term in told for word in term.words)

    @property
    def in_full(self) -> Question:
        """Return the question with every word of it, those that only ask worth hardly anything."""
        more = (Term(word, (word,), HARDLY, gram=True) for word in self.asking)
        return self._replace(terms=(*self.terms, *more), asking=())

    @property
    def words(self) -> tuple[str, ...]:
        """Return every index word to look for, each once: the pool is what holds any of them."""
        return tuple(dict.fromkeys(word for term in self.terms for word in term.words))


class Vocabulary(Protocol):
    """What is asked of an index about its words."""

    def seen(self, words: Iterable[str]) -> Mapping[str, int]:
        """Return in how many texts each word is; words that are in none are left out."""

    def words_beginning(self, start: str) -> Mapping[str, int]:
        """Return every word that begins so, and in how many texts it is."""

    def words_holding(self, part: str) -> list[str]:
        """Return long words that hold these letters."""


def with_forms(question: Question, vocabulary: Vocabulary, units: int) -> Question:
    """Return the question with the forms of its words that memory holds; an English word needs none."""
    languages = _languages(question.text, vocabulary, units)
    if not languages:
        return question
    terms = tuple(_with_forms(term, languages, vocabulary) for term in question.terms)
    return question._replace(terms=terms, inflected=True)


def with_syllables(question: Question, vocabulary: Vocabulary) -> Question:
    """Return the question with the syllables of its Korean words, worth hardly anything: a word of one is in many of two."""
    stems = (korean_stem(term.shown) for term in question.terms if is_hangul(term.shown))
    words = {
        syllable: _commonest(vocabulary.words_beginning(syllable))
        for syllable in dict.fromkeys("".join(stems))
    }
    more = (Term(syllable, found, HARDLY, gram=True) for syllable, found in words.items() if found)
    return question._replace(terms=(*question.terms, *more))


def _commonest(seen: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(seen, key=lambda word: (-seen[word], word))[:_SYLLABLE])


def _languages(text: str, vocabulary: Vocabulary, units: int) -> tuple[str, ...]:
    """Return the languages that a question shows, English aside; of one that shows none, memory's."""
    if is_tonal(text):
        return ()
    told = stopwords.named_languages([folded(piece.shown) for piece in pieces_of(text)])
    if told:
        return tuple(name for name in told if name != "english")
    seen = vocabulary.seen(_USUAL.values())
    return tuple(name for name, word in _USUAL.items() if seen.get(word, 0) * _SHARE > units)


def _with_forms(term: Term, languages: tuple[str, ...], vocabulary: Vocabulary) -> Term:
    word = term.words[0]
    if term.gram or term.dated or len(word) < _PART or not word.isalpha():
        return term
    alike = dict.fromkeys([word])
    for language in languages:
        stem = stem_in(language, word)
        near = vocabulary.words_beginning(stem[:-1] if len(stem) > _PART else stem)
        alike.update(dict.fromkeys(each for each in sorted(near) if stem_in(language, each) == stem))
    others = dict.fromkeys(term.words[1:])
    if _COMPOUNDING in languages:
        others.update(dict.fromkeys(_compounds(word, vocabulary)))
    return term._replace(words=(*alike, *(other for other in others if other not in alike)), alike=len(alike))


def _compounds(word: str, vocabulary: Vocabulary) -> Iterator[str]:
    stem = stem_in(_COMPOUNDING, word)
    if len(stem) >= _PART:
        yield from vocabulary.words_holding(stem)
    halves = [(_first_part(word[:at]), word[at:]) for at in range(_PART, len(word) - _PART + 1)]
    parts = {term_of(part) for firsts, last in halves for part in (*firsts, last)}
    known = vocabulary.seen(parts)
    yield from sorted(known)


def _first_part(part: str) -> Iterator[str]:
    yield part
    for link in _LINKS:
        if part.endswith(link) and len(part) - len(link) >= _PART:
            yield part.removesuffix(link)
