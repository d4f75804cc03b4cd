"""Whether a text states a value that was corrected since, of the same subject, in whatever words. Pure.

The subject is what the old and the new statement share. Who speaks counts: the operator's "I" is memory's "User".
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.statements import parted, sentences_of
from clawgit.text.comparing.fact_words import NEGATIONS
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.common_words import is_common
from clawgit.text.words.hangul import korean_stem
from clawgit.text.words.stopwords import languages_of, without_breaks
from clawgit.text.words.terms import Kind, Piece, folded, index_terms, pieces_of, plain
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.facts.same_statement import same_wording
from clawgit.understanding.forms import user_words
from clawgit.understanding.forms.sentence_forms import DENIES, INCIDENTAL, NAMING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STATEMENT = 4  # words; fewer are said of other things as well
LONGEST = 2000  # characters of a text that are read
_ME, _MY, _THEIRS = "§me", "§my", "§other"
_USER = "§user"  # he, or what is his: the words around it tell
_PERSONS = (_ME, _MY, _THEIRS)
_SPEAKER = lazy_pattern(
    r"\W*(?:\d{1,2}:\d{2}(?::\d{2})?\W*)?(?P<who>[^\W\d_][\w .'’-]{0,30}?)[*_]{0,2}(?:\s?\([^()]{1,20}\))?(?::[*_]{0,2}\s|：)"
)
_UNSPACED = lazy_pattern("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_PART = lazy_pattern(r"[,;](?=\s)|[，；、]")
_ORDINAL = lazy_pattern(r"(\d+)(?:st|nd|rd|th)\Z")
_WRITTEN = {"xqme": _ME, "xqmy": _MY, "xqothers": _THEIRS}  # as they stand in a text meanwhile
_STANDING = {person: written for written, person in _WRITTEN.items()}
_ARTICLES = words_in("the le la les el los las il lo o os as")
_SHORT = words_in("m ve d ll re t")  # of a verb, behind an apostrophe
_GOES_ON = words_in("a an the not in at on been")  # behind the short form of `is`
_BEGINNING = 4  # letters: of two forms of a word these are the same
TIMES = frozenset(
    {
        ValueKind.WEEKDAY,
        ValueKind.DATE,
        ValueKind.TIME,
        ValueKind.DURATION,
        ValueKind.FREQUENCY,
        ValueKind.ORDINAL,
    }
)
MOST_DIGITS = 2  # of a number that many things have
_ENDING = 2  # letters that a form may have more


class Token(NamedTuple):
    """A word that says something, or whom it is about; ``is_name`` also of what has `the` before it.

    ``is_denied``: there is a `not` in its part of the sentence.
    """

    term: str
    is_name: bool = False
    is_denied: bool = False
    is_next: bool = False  # to the one before it, with no word between


class OldValue(NamedTuple):
    """What gave way in a statement, what came in its place, and what both are about."""

    owner: str  # whose it is: the operator himself, something of his, or nobody's
    about: tuple[
        str, ...
    ]  # the subject, its head first; verbs that a statement can do without only where there is nothing else
    every: frozenset[str]  # all words of the subject, and those that belong to the value: `Dr.`, `euros`
    old: tuple[tuple[str, ...], ...]
    new: tuple[str, ...]
    is_denied: bool
    named: frozenset[str] = frozenset()  # names in the subject
    is_telling: bool = False  # the value is a name or a long number: few other things have it


def is_outdated(
    text: str, said: str, correct: str, *, speaker: str = "", names: frozenset[str] = frozenset()
) -> bool:
    """Say whether a text states what ``said`` does of the same subject, and not what is ``correct``.

    ``names`` are the operator's; ``speaker`` is who says the text, where that is known.
    """
    here, wrong = (f" {index_terms(each)} " for each in (text, said))
    if wrong.count(" ") > STATEMENT and wrong in here:
        return f" {index_terms(correct)} " not in here
    value = _old_value(said, correct, names)
    return value is not None and any(
        _states(value, sentence) for sentence in _without_new(value, text, speaker, names)
    )


def repeats_value(
    text: str, said: str, correct: str, *, speaker: str = "", names: frozenset[str] = frozenset()
) -> bool:
    """Say whether a text names the value that gave way, of the same one or the same thing; what it says of it may be something else."""
    value = _old_value(said, correct, names)
    return value is not None and any(
        _repeats(value, sentence) for sentence in _without_new(value, text, speaker, names)
    )


def _without_new(
    value: OldValue, text: str, speaker: str, names: frozenset[str]
) -> Sequence[Sequence[Token]]:
    """Return the sentences of a text, none where it has the new value."""
    sentences = _read(text[:LONGEST], speaker, names)
    tokens = [token for sentence in sentences for token in sentence]
    return () if all(_is_in(term, tokens) for term in value.new) else sentences


def is_said_by_user(text: str, names: frozenset[str]) -> bool:
    """Say whether a line begins with the operator as its speaker."""
    found = _SPEAKER.match(text)
    return found is not None and folded(found["who"]) in names | user_words.USER_NOUNS | user_words.SELF


def gone_words(said: str, correct: str) -> frozenset[str]:
    """Return beginnings of words, in small letters: a text that states what ``said`` does holds one of them."""
    old, new = (set(re.findall(r"[^\W_]+", plain(text).lower())) for text in (said, correct))
    gone = frozenset[str]()
    for word in (old - new) or old:
        gone |= {word[:_BEGINNING]} if word.isascii() else frozenset(word)
    return gone


def _denies(text: str) -> bool:
    return DENIES.search(text) is not None or not NEGATIONS.isdisjoint(folded(text).split())


@lru_cache(maxsize=2048)
def _old_value(said: str, correct: str, names: frozenset[str]) -> OldValue | None:
    """Return what was corrected, None where nothing tells what a statement must be about to state it."""
    before, after = (_tokens(parted(text).statement, names) for text in (said, correct))
    changed = [at for at, token in enumerate(before) if not _is_in(token.term, after)]
    new = tuple(token.term for token in after if not _is_in(token.term, before))
    if not changed or not new or any(before[at].term in _PERSONS for at in changed):
        return None
    dated, within, is_timed = _values_at(said, {before[at].term for at in changed}, names)
    gone = sorted({*changed, *(at for at, token in enumerate(before) if token.term in dated)})
    owner = next((token.term for token in before if token.term in (_ME, _MY)), "")
    subject = [token.term for at, token in enumerate(before) if at not in gone and token.term not in _PERSONS]
    beside = within | _labels(before, gone)
    about = [term for term in subject if term not in beside] or subject
    about = [term for term in about if term not in INCIDENTAL] or about
    if not about and not owner:
        return None
    strong = [at for at in gone if before[at].is_name or any(map(str.isdigit, before[at].term))]
    runs = _runs(before, strong or gone)
    telling = {before[at].term for at in gone if before[at].is_name or _is_telling(before[at].term)}
    return OldValue(
        owner,
        tuple(about),
        frozenset(within.union(subject)),
        runs,
        new,
        before[gone[0]].is_denied,
        frozenset(token.term for token in before if token.is_name and token.term in about),
        not is_timed and all(len(run) > 1 or run[0] in telling for run in runs),
    )


def _is_telling(term: str) -> bool:
    """Say whether a value is one that few things have: no everyday word, no small number."""
    if term[0] >= "\uac00":
        return len(term) > 1
    least = MOST_DIGITS if term.isdigit() else _BEGINNING - 1
    return len(term) > least and not is_common(term)


def _labels(tokens: Sequence[Token], gone: Sequence[int]) -> set[str]:
    """Return the word before a number (`port 5432`) or behind a name (`Frankfurt bucket`), where more is said than that."""
    first, last = gone[0], gone[-1]
    if len(tokens) - len(gone) < 3:
        return set()
    if tokens[first].term.isdigit():
        return {token.term for token in tokens[max(0, first - 1) : first]}
    if tokens[last].is_name:
        return {token.term for token in tokens[last + 1 : last + 2] if not token.is_name}
    return set()


def _values_at(said: str, changed: set[str], names: frozenset[str]) -> tuple[set[str], set[str], bool]:
    """Return the terms of dates that changed in part, and of all values that did: `Dr.` and a name, a sum and its money.

    And whether one is a time.
    """
    dated, within, is_timed = set[str](), set[str](), False
    for value in values_in(said):
        terms = {token.term for token in _tokens(value.text, names)}
        if terms & changed:
            within |= terms
            is_timed = is_timed or value.kind in TIMES
            if value.kind is ValueKind.DATE:
                dated |= terms
    return dated, within, is_timed


def _runs(tokens: Sequence[Token], places: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Return the terms at some places; characters of a script without spaces that follow one another, together."""
    found: list[list[str]] = []
    for number, at in enumerate(places):
        term = tokens[at].term
        if number and places[number - 1] == at - 1 and _is_char(term) and _is_char(tokens[at - 1].term):
            found[-1].append(term)
        else:
            found.append([term])
    return tuple(map(tuple, found))


def _is_char(term: str) -> bool:
    return len(term) == 1 and not term.isascii()


def _states(value: OldValue, sentence: Sequence[Token]) -> bool:
    """Say whether one statement has the old value, and is about the same thing of the same one."""
    if not all(_find(run, sentence) for run in value.old):
        return False
    tokens = [_of_the_same(token, behind, value) for token, behind in pairwise((*sentence, Token("")))]
    if not value.owner and (_is_modifier(value, tokens) or _is_of_a_name(value, tokens)):
        return False
    wrong = [term for run in value.old for term in run]
    old = {token.term: token for token in tokens if any(_is_in(term, [token]) for term in wrong)}
    if any(token.is_denied is not value.is_denied for token in old.values()):
        return False
    if not value.about and any(_tells(token, set(old)) for token in tokens):
        return False
    present = [term for term in value.about if _at(term, tokens) is not None]
    if value.owner == _MY and value.about[:1] == tuple(present[:1]):
        is_same = 2 * len(present) >= len(value.about)
    else:
        is_same = len(present) == len(value.about)
    return is_same and (not value.owner or _is_of_user(value, tokens, set(old)))


def _repeats(value: OldValue, tokens: Sequence[Token]) -> bool:
    """Say whether a statement has the old value and is about what was corrected, as far as its words tell."""
    if not all(_find(run, tokens) for run in value.old):
        return False
    present = [term for term in value.about if term not in INCIDENTAL and _at(term, tokens) is not None]
    is_of_user = any(token.term in (_ME, _MY) for token in tokens)
    if not value.named.isdisjoint(present):
        return True
    if value.owner and not is_of_user:
        return False
    if not value.owner and present[:1] != list(value.about[:1]):
        return False  # another thing of that kind: `the analytics database`
    return 2 * len(present) >= len(value.about) or bool(value.owner and value.is_telling)


def _is_modifier(value: OldValue, tokens: Sequence[Token]) -> bool:
    """Say whether a name only tells which one it is: `the Berlin office is large`."""
    ends = {run[-1] for run in value.old}
    return any(
        token.term in ends and token.is_name and behind.is_next and behind.term == value.about[0]
        for token, behind in pairwise(tokens)
    )


def _is_of_a_name(value: OldValue, tokens: Sequence[Token]) -> bool:
    """Say whether somebody is named that a correction of one word's subject (`Vivo en …`) does not name."""
    known = [Token(term) for term in (*value.every, *(term for run in value.old for term in run))]
    return len(value.about) == 1 and any(
        token.is_name and not _is_in(token.term, known) for token in tokens[1:]
    )


def _of_the_same(token: Token, behind: Token, value: OldValue) -> Token:
    """Return what somebody's name or school is as his own: `my wife's name`, but not `my wife's friend`."""
    own = token.term.removesuffix("'s")
    if own != token.term and own in value.every and behind.term in value.every | INCIDENTAL:
        return token._replace(term=own)
    return token


def _is_of_user(value: OldValue, tokens: Sequence[Token], old: set[str]) -> bool:
    """Say whether a statement tells it of the operator: he is the last one named before it, or nobody is."""
    subject = {term for each in value.every if (term := _at(each, tokens)) is not None} - old
    head = _at(value.about[0], tokens) if value.owner == _MY and value.about else None
    known = [at for at, token in enumerate(tokens) if token.term in subject | old]
    first = next((at for at in known if head in (None, tokens[at].term)), 0)
    if head is not None and not _is_named_so(
        value, tokens, (first, min(at for at in known if tokens[at].term in old)), subject | old
    ):
        return False
    if value.owner == _MY and first + 1 < len(tokens) and tokens[first + 1].term == _MY:
        return first + 2 >= len(tokens) or not _tells(tokens[first + 2], subject | old)
    persons = [at for at, token in enumerate(tokens) if token.term in _PERSONS and at <= known[-1]]
    nearest = max((at for at in persons if at < first), default=-1)
    between = [token for token in tokens[nearest + 1 : first] if _tells(token, subject | old)]
    if any(token.is_name or _is_char(token.term) or token.term.endswith("'s") for token in between):
        return False
    if nearest >= 0:
        allowed = (_ME, _MY) if value.owner == _MY else (_ME,)
        return tokens[nearest].term in allowed and len(between) <= 1
    if persons:
        return value.owner == _ME == tokens[persons[0]].term
    return not between and not any(_tells(token, subject | old) for token in tokens[first : known[-1]])


def _is_named_so(value: OldValue, tokens: Sequence[Token], ends: tuple[int, int], known: set[str]) -> bool:
    """Say whether all of the subject is there, or nothing is said between its head and the value: `my wife met Anna`."""
    if all(_at(term, tokens) is not None for term in value.every):
        return True
    between = tokens[min(ends) : max(ends)]
    return all(token.term in known or token.term in _PERSONS or token.term in NAMING for token in between)


def _tells(token: Token, known: set[str]) -> bool:
    """Say whether a word is neither of what is looked for nor one that any statement has."""
    is_said = token.term not in known and token.term not in _PERSONS and token.term not in INCIDENTAL
    return is_said and not token.term.isdigit()


def _find(run: tuple[str, ...], tokens: Sequence[Token]) -> bool:
    if len(run) == 1:
        return _is_in(run[0], tokens)
    terms = [token.term for token in tokens]
    return any(tuple(terms[at : at + len(run)]) == run for at in range(len(terms) - len(run) + 1))


def _is_in(term: str, tokens: Sequence[Token]) -> bool:
    return any(_is_form(term, token.term, least=_BEGINNING + 1) for token in tokens)


def _at(term: str, tokens: Sequence[Token]) -> str | None:
    """Return the word of a statement that is a form of a word of the subject."""
    return next((token.term for token in tokens if _is_form(term, token.term, least=3)), None)


def _is_form(one: str, other: str, *, least: int) -> bool:
    """Say whether two words are the same but for an ending: `wohnt`, `wohne`; of a value, only longer words may be."""
    if one == other:
        return True
    if not (one.isalpha() and other.isalpha()) or "\uac00" > max(one[0], other[0]) > "\u2e7f":
        return False
    shared = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    shorter, longer = sorted((len(one), len(other)))
    shared = shorter if shared is None else shared
    if one[0] >= "\uac00":
        return shared >= 2
    slack = 1 if least < _BEGINNING else 0
    return shared >= max(least, shorter - slack) and longer - shared <= _ENDING


@lru_cache(maxsize=2048)
def _read(text: str, speaker: str, names: frozenset[str]) -> tuple[tuple[Token, ...], ...]:
    """Return the statements of a text; a question goes with its answer."""
    found = _SPEAKER.match(text)
    who = speaker or (found["who"] if found and _is_called(found["who"]) else "")
    statement = text
    if found and (speaker or _is_person(found["who"], names)):
        statement = text[found.end() :]
    sentences: list[str] = []
    for sentence in sentences_of(statement):
        if sentences and sentences[-1].endswith(("?", "？")):
            sentences[-1] += " " + sentence
        else:
            sentences.append(sentence)
    return tuple(tuple(_tokens(sentence, names, who)) for sentence in sentences)


def _is_called(who: str) -> bool:
    """Say whether what is before a colon may be a name; of a sentence, words begin with a small letter."""
    return not any(word[0].islower() for word in who.split()) or folded(who) in user_words.SPEAKERS


def _is_person(who: str, names: frozenset[str]) -> bool:
    return folded(who) in names | user_words.SPEAKERS


def _tokens(text: str, names: frozenset[str], speaker: str = "") -> list[Token]:
    """Return the words of a statement that say something, persons as the three that count."""
    persons = _persons(names, folded(speaker))
    tokens: list[Token] = []
    for part in _PART.split(same_wording(plain(text))):
        is_denied = _denies(part)
        words = _words(_with_persons(part, names, persons), persons)
        tokens += (token._replace(is_denied=is_denied) for token in words)
    return tokens


def _with_persons(text: str, names: frozenset[str], persons: dict[str, str]) -> str:
    """Return a text with words in place of the persons that no space sets apart."""
    if text.isascii():
        return text
    text = user_words.CJK_NOW.sub(" ", text)
    own = (user_words.CJK_OWN, persons[_MY])
    himself = (user_words.CJK_SELF, persons[_ME])
    for pattern, person in (*_of_names(names), (user_words.CJK_OTHER, _THEIRS), own, himself):
        text = pattern.sub(f" {_STANDING[person]} ", text)
    return text


@lru_cache(maxsize=8)
def _of_names(names: frozenset[str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what stands for the operator's names in scripts that have no space behind a name."""
    written = "|".join(re.escape(name) for name in sorted(names) if _UNSPACED.search(name))
    if not written:
        return ()
    own = re.compile(rf"(?<![가-힣])(?:{written})(?:[的の]|의(?= ))")
    return (own, _MY), (re.compile(rf"(?<![가-힣])(?:{written})(?:는|은|가|이|도)?(?![가-힣])"), _ME)


@lru_cache(maxsize=64)
def _persons(names: frozenset[str], speaker: str) -> dict[str, str]:
    """Return who is meant by each folded word for a person: that of `I`, `my` and `you` depends on who speaks."""
    is_user = not speaker or speaker in names | user_words.USER_NOUNS | user_words.SELF
    is_assistant = speaker in user_words.ASSISTANT  # `you` is the operator
    return {
        **dict.fromkeys(user_words.OTHER, _THEIRS),
        **dict.fromkeys(user_words.YOU, _ME if is_assistant else _THEIRS),
        **dict.fromkeys(user_words.YOURS, _MY if is_assistant else _THEIRS),
        **dict.fromkeys((_ME, *user_words.SELF), _ME if is_user else _THEIRS),
        **dict.fromkeys((_MY, *user_words.OWN), _MY if is_user else _THEIRS),
        **dict.fromkeys(names | user_words.USER_NOUNS, _USER),
        **dict.fromkeys(user_words.GENITIVE, _MY),
    }


def _words(text: str, persons: dict[str, str]) -> Iterator[Token]:
    pieces = list(pieces_of(text))
    lists = languages_of([folded(piece.shown) for piece in pieces])
    before = ""
    is_next = False
    for piece, behind in zip_longest(pieces, pieces[1:]):
        word = folded(piece.shown)
        is_term = False
        if piece.kind is Kind.RUN:
            yield from (Token(char) for run in without_breaks(piece.shown) for char in run)
        elif piece.kind is Kind.HANGUL:
            yield Token(korean_stem(piece.shown))
        elif piece.shown in _WRITTEN:
            yield Token(_WRITTEN[piece.shown])
        else:
            article, term, is_owner = _parted(piece.shown, behind)
            if article and (person := _person(article, persons, before)):
                yield Token(person)
            first = article or term
            before_it = first if first in user_words.OF else before
            person = _person(term, persons, before_it, is_possessive=is_owner)
            is_term = not person and not any(term in listed for listed in lists)
            if person:
                yield Token(person)
            elif is_term:
                yield _token(piece, term, before_it, is_owner=is_owner)._replace(is_next=is_next)
                word = term
        before = word
        is_next = is_term


def _person(word: str, persons: dict[str, str], before: str, *, is_possessive: bool = False) -> str:
    person = persons.get(word, "")
    if person != _USER:
        return person
    return _MY if is_possessive or before in user_words.OF else _ME


def _token(piece: Piece, word: str, before: str, *, is_owner: bool) -> Token:
    ordinal = _ORDINAL.match(word)
    term = ordinal[1] if ordinal else piece.whole or piece.parts[0]
    return Token(f"{term}'s" if is_owner else term, piece.shown[0].isupper() or before in _ARTICLES)


def _parted(shown: str, behind: Piece | None) -> tuple[str, str, bool]:
    """Return what is before an apostrophe and a word (`l'`), the word, and whether it says whose something is."""
    word, apostrophe, end = folded(shown).replace("’", "'").partition("'")
    if not apostrophe or end in _SHORT:
        return "", word, False
    if end == "s":
        goes_on = behind is not None and (behind.shown.endswith("ing") or behind.shown.lower() in _GOES_ON)
        return "", word, not goes_on
    return word, end, False
