"""A question as terms and days, and the forms of its words in memory."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from clawgit.text.comparing import fuzzy
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words import stopwords
from clawgit.text.words.everyday_words import abroad, languages_with, meanings_of
from clawgit.text.words.stopwords import is_common
from clawgit.text.words.terms import folded, is_tonal, pieces_of, stem_in, term_of
from clawgit.text.words.word_lists import words_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clawgit.recall.questions.question_dates import Days

    Beginning: TypeAlias = Callable[[str], Iterable[tuple[str, int]]]


NAMED = 1.4  # the weight of capitalized words within a question: names, and German nouns
LIGHT = 0.35  # the weight of words of every other line, of dates as words, and of an identifier's parts
FAINT = 0.05  # … of these in a question about days alone: "what happened in May"
_COMPOUNDING = "german"
_TWO = 6  # letters of two words in one
_SHORTEST_PART = 3  # letters before another part: `Esstisch`
_PART = 4  # letters; a shorter part is in too many words
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
    "arabic": "في",
    "hindi": "के",
}
# Arabic prefixes written with the next word: "the", "and", "in the" …
_BEFORE_ARABIC = "ال و وال ب بال ل لل ف فال ك كال وب وبال ول ولل"
_TOGETHER = {"arabic": ("", *_BEFORE_ARABIC.split())}
_SHARE = 50  # a language is one of memory's if its usual word is in one of so many units


class Term(NamedTuple):
    """One term of a question: as the person wrote it, and the index words for it, best first."""

    shown: str
    words: tuple[str, ...]
    weight: float = 1.0
    gram: bool = False  # a part of a run without spaces: if unseen, hardly a word
    alike: int = 1  # so many of the words are forms of the word itself; the others count less
    dated: bool = False  # a month, year or date: a line of that day matches without the word


class Question(NamedTuple):
    """A question, read. Without terms and days there is nothing to search for."""

    text: str
    terms: tuple[Term, ...] = ()
    phrases: tuple[tuple[str, str], ...] = ()  # index words side by side in the question
    asks_when: bool = False
    asks_latest: bool = False
    days: Days | None = None
    inflected: bool = False  # in a language with more forms than the index knows
    unlisted: bool = False  # in a language without a stop word list

    @property
    def asks_days(self) -> bool:
        return self.days is not None and (self.days.any_year or self.days.first < self.days.last)

    @property
    def telling(self) -> frozenset[str]:
        """Return the index words except dates and words of every other line; a weekday alone is no date."""
        telling_terms = (term for term in self.terms if term.weight > LIGHT)
        return frozenset(word for term in telling_terms for word in term.words)

    @property
    def words(self) -> tuple[str, ...]:
        """Return every index word of the question once: the pool is lines with any of them."""
        return tuple(dict.fromkeys(word for term in self.terms for word in term.words))


class Vocabulary(Protocol):
    """Look-ups of words in an index."""

    def seen(self, words: Iterable[str]) -> Mapping[str, int]:
        """Return in how many texts each word is; words in no text are left out."""

    def words_beginning(self, start: str) -> Mapping[str, int]:
        """Return every word with this beginning, and its number of texts."""

    def words_holding(self, part: str) -> list[str]:
        """Return long words with these letters."""


def with_forms(question: Question, vocabulary: Vocabulary, units: int) -> Question:
    question = _with_two_in_one(question, vocabulary)
    languages = _languages(question.text, vocabulary, units)
    if not languages:
        return question
    terms = tuple(_with_forms(term, languages, vocabulary) for term in question.terms)
    return question._replace(terms=terms, inflected=True)


def _with_two_in_one(question: Question, vocabulary: Vocabulary) -> Question:
    """Return the question with memory's words for two of it side by side: `roll back` is `rollback`, too."""
    joined = {}
    for pair in question.phrases:
        word = "".join(pair)
        if len(word) >= _TWO and all(map(str.isalpha, pair)):
            joined[pair] = term_of(word)
    if not joined:
        return question
    seen = vocabulary.seen(joined.values())
    terms = []
    for term in question.terms:
        words = dict.fromkeys(term.words)
        for pair, word in joined.items():
            if term.words[0] in pair and word in seen:
                words[word] = None
        terms.append(term._replace(words=tuple(words)))
    return question._replace(terms=tuple(terms))


def _languages(text: str, vocabulary: Vocabulary, units: int) -> tuple[str, ...]:
    """Return the languages of a question, English aside; if it shows none, memory's."""
    if is_tonal(text):
        return ()
    named_languages = _told(text)
    if named_languages:
        return tuple(name for name in named_languages if name != "english")
    return languages_of_memory(vocabulary, units / _SHARE)


def _told(text: str) -> tuple[str, ...]:
    return stopwords.named_languages([folded(piece.shown) for piece in pieces_of(text)])


def unlisted_language(words: Iterable[str]) -> str:
    """Return the language of folded words if it has no stop word list, empty if it has one.

    More words belong to that language alone than only ask in any other language alone.
    """
    alone: Counter[str] = Counter()
    for word in words:
        asking = stopwords.names_with(word)
        languages = asking | languages_with(term_of(word))
        for name, usual in _USUAL.items():
            if usual == word:
                languages |= {name}
        if len(languages) == 1 and (asking or not languages & stopwords.NAMES):
            alone.update(languages)
    for name, count in alone.most_common(1):
        if name not in stopwords.NAMES and list(alone.values()).count(count) == 1:
            return name
    return ""


def languages_of_memory(vocabulary: Vocabulary, least: float) -> tuple[str, ...]:
    """Return the languages with a usual word in more than ``least`` units, except English and those without spaces."""
    seen = vocabulary.seen(_USUAL.values())
    return tuple(name for name, word in _USUAL.items() if seen.get(word, 0) > least)


def _with_forms(term: Term, languages: tuple[str, ...], vocabulary: Vocabulary) -> Term:
    word = term.words[0]
    if term.gram or term.dated or len(word) < _PART or not word.isalpha():
        return term
    alike = dict.fromkeys([word])
    for language in languages:
        for before in _TOGETHER.get(language, ("",)):
            if word.startswith(before) and len(word) - len(before) >= _PART:
                alike |= dict.fromkeys(_of_one_stem(word.removeprefix(before), language, vocabulary))
    others = dict.fromkeys(term.words[1:])
    if _COMPOUNDING in languages:
        others.update(dict.fromkeys(_compounds(word, len(term.shown), vocabulary)))
    return term._replace(words=(*alike, *(other for other in others if other not in alike)), alike=len(alike))


def _of_one_stem(word: str, language: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the words of memory with the stem of ``word``, alone or behind an Arabic prefix."""
    stem = stem_in(language, word)
    start = stem[:-1] if len(stem) > _PART else stem
    for before in _TOGETHER.get(language, ("",)):
        for each in sorted(vocabulary.words_beginning(before + start)):
            if stem_in(language, each.removeprefix(before)) == stem:
                yield each


def in_other_languages(question: Question, vocabulary: Vocabulary) -> Question:
    """Return a question with memory's words of the same meaning in other languages."""
    spoken = languages_of_memory(vocabulary, 0)
    is_german = _COMPOUNDING in (*spoken, *_told(question.text))
    terms = []
    for term in question.terms:
        words: dict[str, None] = {}
        if not (term.gram or term.weight <= LIGHT):
            meant = list(meanings_of(term.words[0]))
            if is_german and not meant:  # else what its parts mean
                for part in sorted(_parts_of_compound(term.words[0])):
                    meant += meanings_of(part)
            for language, word in meant:
                words[word] = None
                if language in spoken:
                    words |= dict.fromkeys(_with_forms(Term(word, (word,)), (language,), vocabulary).words)
        seen = vocabulary.seen((*words, *term.words))
        new = [word for word in words if word in seen and word not in term.words]
        weight = term.weight
        if question.unlisted and not (seen or words) and term.shown.isalpha() and len(term.shown) <= _PART:
            weight = min(weight, LIGHT)  # neither an everyday word nor in any text: it may only ask
        terms.append(term._replace(words=(*term.words, *new), weight=weight))
    return question._replace(terms=tuple(terms))


def in_any_language(question: Question) -> Question:
    """Return a question whose everyday words match their equivalents in other languages as well."""
    terms = []
    for term in question.terms:
        others: list[str] = []
        if not (term.gram or term.weight <= LIGHT):
            others = sorted(abroad(term.words[0]).difference(term.words))
        words = (*term.words[: term.alike], *others, *term.words[term.alike :])
        terms.append(term._replace(words=words, alike=term.alike + len(others)))
    return question._replace(terms=tuple(terms))


def _compounds(word: str, typed: int, vocabulary: Vocabulary) -> Iterator[str]:
    stem = stem_in(_COMPOUNDING, word)
    is_stump = len(stem) == _PART and len(stem) < typed - len("en")  # the `stag` of staging is in no Dienstag
    if len(stem) >= _PART and not is_stump:
        for compound in vocabulary.words_holding(stem):
            at = compound.rfind(stem)  # the `eich` of Eiche is in no Deich, nor in reichen
            if at == 0 or at >= _SHORTEST_PART:
                yield compound
    parts_seen = vocabulary.seen(_parts_of_compound(word))
    yield from sorted(parts_seen)


def _parts_of_compound(word: str) -> set[str]:
    parts: set[str] = set()
    for at in range(_PART, len(word) - _PART + 1):
        first = word[:at]
        parts |= {first, word[at:]}
        for link in _LINKS:
            if first.endswith(link) and at - len(link) >= _PART:
                parts.add(first.removesuffix(link))
    return set(map(term_of, parts))


LIKENESS = 0.75  # Damerau-Levenshtein, normalised
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHORTEST = 4  # words of three letters have too many neighbours
_CLOSE = 0.04  # words up to this much less alike than the nearest are searched as well
_MOST = 3
_LONGEST = 40  # longer runs have many long neighbours, none of them meant
_FAMILY = 5  # common first letters of a family, or a whole word of four …
_FAMILY_SHARE, _FAMILY_LONGER = 0.7, 0.4  # … with this share of the shorter word, and of the longer
_SPELT = lazy_pattern(
    "[^\\W\\d_\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u2e80-\U0003ffff]+"
)  # letters, no CJK
# Question words in Dutch, Swedish, Italian and Polish, one letter off words of other languages ("waar", "wear").
_ASKS = words_in(
    "waar wanneer hoeveel welke waarom varfor vilken vilket hvor quando quale quanto perche kiedy gdzie"
)
_HAN = lazy_pattern("[\u3400-\u4dbf\u4e00-\u9fff]{2}")


class SpellingChange(NamedTuple):
    """A word as typed, and the index words added to it."""

    typed: str
    meant: tuple[str, ...]


def corrected(
    question: Question, seen: Mapping[str, int], beginning: Beginning
) -> tuple[Question, tuple[SpellingChange, ...]]:
    """Return the question with the nearest index words added to terms of no unit, and the additions.

    ``seen`` has the number of units of each of ``question.words``. ``beginning`` is called only for a
    possibly misspelt word, with its first letter, then with a few pairs of letters; it returns the index
    words with that beginning and their numbers of units.
    """
    terms: list[Term] = []
    corrections: list[SpellingChange] = []
    for shown, group in groupby(question.terms, key=lambda term: term.shown):
        group_terms = list(group)
        is_seen = any(seen.get(word) for term in group_terms for word in term.words)
        meant: dict[str, None] = {}
        if not is_seen and all(term.gram and _HAN.fullmatch(term.words[0]) for term in group_terms):
            # Its characters: a line with one of two characters lacks the pair, it holds less.
            meant = dict.fromkeys("".join(term.words[0] for term in group_terms))
            weight = sum(map(attrgetter("weight"), group_terms)) / len(meant)
            terms += [*group_terms, *(Term(shown, (each,), weight, gram=True) for each in meant)]
        else:
            near = () if is_seen else _meant(group_terms[0], beginning)
            for term in group_terms:
                words = near if term == group_terms[0] else ()
                terms.append(term._replace(words=tuple(dict.fromkeys((*term.words, *words)))))
                meant |= dict.fromkeys(words)
        if meant:
            corrections.append(SpellingChange(shown, tuple(meant)))
    return question._replace(terms=tuple(terms)), tuple(corrections)


def _meant(term: Term, beginning: Beginning) -> tuple[str, ...]:
    """Return what an unknown word may mean: a near word, or one of its family."""
    word = term.words[0]
    is_spelt = _SHORTEST <= len(word) <= _LONGEST and _SPELT.fullmatch(word) is not None
    if term.gram or term.dated or not is_spelt:
        return ()
    if folded(term.shown) in _ASKS or is_common(word) or meanings_of(word):
        return ()
    return _nearest((word, folded(term.shown)), beginning) or _related(word, beginning)


def _nearest(forms: Sequence[str], beginning: Beginning) -> tuple[str, ...]:
    one_off = _terms_one_off(forms[-1])
    for starts in ((forms[0][0],), _other_starts(forms[0])):
        counts: dict[str, int] = {}
        for start in starts:
            counts.update(beginning(start))
        for grammar in stopwords.LANGUAGES:  # `the` is never the meaning
            for candidate in grammar.intersection(counts):
                del counts[candidate]
        meant = counts.keys() & one_off
        if meant:
            return tuple(sorted(meant, key=lambda candidate: (-counts[candidate], candidate)))[:_MOST]
        scores: dict[str, float] = {}
        for form in dict.fromkeys(forms):
            least, most = len(form) - len(form) // 4, len(form) + len(form) // 4
            near = [candidate for candidate in counts if least <= len(candidate) <= most]
            if not _any_shares(form, near):
                continue
            scorer = fuzzy.DamerauLevenshtein.normalized_similarity
            matches = fuzzy.process.extract(form, near, scorer=scorer, score_cutoff=LIKENESS, limit=12)
            for candidate, score, _ in matches:
                scores[candidate] = max(score, scores.get(candidate, 0.0))
        if scores:
            best = max(scores.values())
            ranked = sorted(scores, key=lambda candidate: (-scores[candidate], -counts[candidate], candidate))
            return tuple(candidate for candidate in ranked if scores[candidate] >= best - _CLOSE)[:_MOST]
    return ()


def _terms_one_off(word: str) -> set[str]:
    """Return the terms of the words one letter off: "adopion" is one letter off "adoption", not off its stem."""
    letters = _LETTERS if word.isascii() else ""
    others = set()
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if tail:
            others.add(head + tail[1:])
        if len(tail) > 1:
            others.add(head + tail[1] + tail[0] + tail[2:])
        for letter in letters:
            others |= {head + letter + tail, head + letter + tail[1:]}
    return set(map(term_of, others))


def _related(word: str, beginning: Beginning) -> tuple[str, ...]:
    """Return index words of the same family, by their beginning, such as "europe" and "european"."""
    if len(word) < _FAMILY:
        return ()
    shares = {}
    for candidate, _ in beginning(word[: _FAMILY - 1]):
        shorter, longer = sorted((len(word), len(candidate)))
        same = 0
        while same < shorter and word[same] == candidate[same]:
            same += 1
        if same >= max(min(_FAMILY, shorter), _FAMILY_SHARE * shorter, _FAMILY_LONGER * longer):
            shares[candidate] = same / longer
    return tuple(sorted(shares, key=lambda candidate: (-shares[candidate], candidate))[:_MOST])


def _any_shares(word: str, others: Sequence[str]) -> bool:
    """Say whether any of the words shares enough letters (else rapidfuzz is not loaded): one check rules out most of them."""
    if not others:
        return False
    joined = "\n".join(others)
    rest = dict.fromkeys(map(ord, set(joined).difference(word, "\n")))
    remainders = joined.translate(rest).split("\n")
    least = LIKENESS * len(word) - 1e-9
    for other, left in zip(others, remainders, strict=True):
        if len(left) < least:
            continue
        common = sum([min(word.count(letter), other.count(letter)) for letter in set(word)])
        if common >= LIKENESS * max(len(word), len(other)) - 1e-9:
            return True
    return False


def _other_starts(word: str) -> list[str]:
    if len(word) <= _SHORTEST:
        return []  # `hoch` is no `coche`
    letters = _LETTERS if word.isascii() else ""
    replaced = [letter + word[at] for letter in letters for at in (0, 1)]
    return sorted({word[1] + word[0], word[1:3], *replaced} - {word[:2]})
