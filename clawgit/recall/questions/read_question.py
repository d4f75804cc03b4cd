"""Reads a question: terms, phrases, a time. Pure; no text can make it fail."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from clawgit.recall.questions.question import FAINT, LIGHT, NAMED, Question, Term, unlisted_language
from clawgit.recall.questions.question_dates import DatesInText, find_days
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words import stopwords
from clawgit.text.words.everyday_words import languages_with
from clawgit.text.words.terms import (
    ELIDED,
    TermKind,
    TermPiece,
    english_stem,
    folded,
    folded_in_place,
    is_tonal,
    other_term,
    pieces_of,
)
from clawgit.text.words.word_lists import MONTHS, WEEKDAYS, words_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date, datetime

MOST_TERMS = 48  # a whole message may be the question
MOST_CHARACTERS = 4000
_SHORT = 3  # letters: most words that only ask are this short

_ASKS_WHEN = lazy_pattern(
    r"^\W*(?:(?:so|and|but|ok|hey),?\s+)?(?:when|how long|since when|wann|seit wann|wie lange|an welchem tag|quand"
    r"|depuis quand|cuando|desde cuando|quando|desde quando)\b"
    r"|\b(?:how long ago|(?:what|which) (?:exact )?(?:dates?|days?|years?|months?|time))\b"
    r"|什么时候|什麼時候|何时|何時|哪天|哪一天|几号|几月|多久|いつ|何日|何月|언제|며칠|몇\s?월|얼마나 오래"
)
_ASKS_LATEST = lazy_pattern(
    r"\b(?:last time|latest|newest|most recent|recently|lately|currently|nowadays|(?:i|we|you|he|she|they) last"
    r"|zuletzt|kurzlich|neulich|letztes mal|recemment|derniere fois|ultima vez|recientemente|recentemente)\b"
    r"|上次|上一次|最近|最新|最后一次|前回|最後に|마지막|최근|요즘|지난번|저번에"
)
# Openings of a message that no line answers: `Good morning, Quill! Who …`.
_GREETING = lazy_pattern(
    r"^\W*(?:(?:(?:hi|hey|hello|hallo|thanks?(?: you| a lot)?|sorry|good (?:morning|afternoon|evening|day)"
    r"|guten (?:morgen|tag|abend)|moin|servus|danke|bonjour|bonsoir|salut|merci|hola|buen[oa]s (?:dias|tardes|noches)|gracias"
    r"|buon ?giorno|buona ?sera|ciao|grazie|ola|bom dia|boa (?:tarde|noite)|obrigad[oa]|goede(?:morgen|middag|navond)|dank je"
    r"|hej|god (?:morgon|morgen|dag|kvall)|tack|dzien dobry|czesc|dobry den|ahoj|привет|здравствуйте|добр(?:ый|ое|ыи) \w+|добрии день)"
    r"(?:, \w+(?=!)|(?: (?!i\b)\w+){0,2})[!,.…–—]|(?:早上好|你好|您好|谢谢|안녕(?:하세요)?|감사합니다|おはよう(?:ございます)?|こんにちは|ありがとう)[!,.！，。、]?)\s*)+(?=\W*\w)",
    re.IGNORECASE,
)
_APOSTROPHE = lazy_pattern("['’]")
_WHOSE = lazy_pattern("['’]s$", re.IGNORECASE)
_SHORT_FORMS = words_in(
    "its hes shes thats theres whats wheres whos hows lets ones"
)  # of `is`, not the possessive
_WEEKDAYS = list(filter(str.isascii, WEEKDAYS))  # "On Fridays we close …"
# Words for days that notes contain, too; "last week" is in none.
_WRITTEN_DAYS = lazy_pattern(rf"\b(?:{'|'.join((*MONTHS, *_WEEKDAYS))}|(?:19|20)\d\d(?:[-/.]\d\d?){{0,2}})\b")


# Short forms and their long ones, used for each other.
_GROUPS = """
account acct / address addr / admin administrator / advertisement ad advert / amount amt / apartment apt flat /
application app / approximately approx / argument arg / assistant asst / association assoc / attention attn /
authentication auth authn / authorization authz / average avg / bicycle bike / birthday bday / brother bro /
business biz / button btn / calculation calc / capitalization cap / certificate cert / character char /
chemistry chem / christmas xmas / command cmd / committee cttee / communication comms / competition comp contest /
condominium condo / configuration config cfg conf / congratulations congrats / connection conn / cousin cuz /
credential cred / customer client / database db / dad father daddy papa / debug dbg / delivery dlvy /
demonstration demo / department dept / dependency dep / deployment deploy / description desc / development dev /
developer dev / dictionary dict / difference diff / directory dir folder / document doc documentation docs /
dog puppy pup / doctor physician / download dl / education edu / electronic elec / email mail e-mail /
environment env / error err / estimate est / exam examination / executive exec / experience exp / family fam /
favorite favourite fav fave / february feb / fiance fiancee / flu influenza / frequency freq / friday fri /
function func fn / government govt gov / grandfather grandpa granddad / grandmother grandma granny / graduation grad /
gymnasium gym / headquarters hq / holiday vacation / hospital hosp / hour hr / husband hubby / identification id /
image img / implementation impl / infrastructure infra / information info / instagram insta ig /
internationalization i18n / introduction intro / january jan / javascript js / job occupation / kid child /
kilometer kilometre km / kubernetes k8s / laboratory lab / language lang / legitimate legit / library lib /
limousine limo / localization l10n / management mgmt / manager mgr / mathematics math maths / maximum max /
meeting mtg / memorandum memo / message msg / microphone mic / minimum min / minute min / miscellaneous misc /
monday mon / mother mom mum mommy mama / motorcycle motorbike / movie film / navigation nav / necessary nec /
number num / object obj / organization org organisation / package pkg / parameter param /
password passwd pwd passphrase / percent pct / performance perf / photograph photo pic picture image / physical phys /
postgresql postgres pg psql / president pres / preference pref / presentation preso / previous prev / problem prob /
process proc / production prod / professor prof / profile bio / program programme / python py / quantity qty /
received rcvd / recommendation rec / reference ref / refrigerator fridge / registration reg / relationship rel /
repository repo / representative rep / request req / requirement req / reservation booking / restaurant resto /
schedule sched / science sci / secretary sec / september sept sep / sequence seq / server srv / sister sis /
specification spec / specifically esp / statistics stats stat / standard std / student pupil / subscription sub /
synchronization sync / system sys / technology tech / telephone phone / television tv telly / temperature temp /
temporary temp tmp / thanks thx / thursday thu thurs / transaction txn tx / tuesday tue tues / typescript ts /
university uni univ college / utility util / variable var / vegetarian veggie / vegetable veg veggie / vehicle car /
version ver / veterinarian vet / video vid / vocabulary vocab / volume vol / website site webpage / wednesday wed /
week wk / wife wifey / year yr
march mar / april apr / june jun / july jul / august aug / october oct / november nov / december dec
"""
_WEEKDAY = 0.7  # the weight of a weekday alone: it lifts lines that have it


def read_question(text: str, now: datetime) -> Question:
    """Read ``text``; ``now``, in the workspace's zone, is the base of its days."""
    return _read(text, now.date())


@lru_cache(maxsize=64)  # a context puts the same question to notes, messages and more
def _read(text: str, today: date) -> Question:
    query = text[:MOST_CHARACTERS]
    greeting = _GREETING.match(folded_in_place(query))
    if greeting is not None:
        query = query[greeting.end() :].rjust(len(query))
    dates = find_days(query, today)
    rest, written = _without_relative(dates)
    low = folded_in_place(dates.text)
    pieces = list(pieces_of(rest))
    bare = [_bare(piece.shown) for piece in pieces]
    unlisted = "" if is_tonal(rest) else unlisted_language(bare)
    read_terms = list(_terms(rest, pieces, bare, unlisted))
    terms: dict[str, Term] = {}
    for each in read_terms:
        term = each
        if each.shown.lower() in written:
            term = each._replace(weight=written[each.shown.lower()], dated=True)
        earlier = terms.get(term.words[0])
        if earlier is None or earlier.weight < term.weight:
            terms[term.words[0]] = term
    strongest = tuple(terms.values())[:MOST_TERMS]
    if dates.days is not None and all(term.dated or term.weight <= LIGHT for term in strongest):
        strongest = tuple(term if term.dated else term._replace(weight=FAINT) for term in strongest)
    looked_for = {term.words[0] for term in strongest}
    heads = [term.words[0] for term in read_terms if term.words[0] in looked_for]
    return Question(
        text=text,
        terms=strongest,
        phrases=tuple(dict.fromkeys((a, b) for a, b in pairwise(heads) if a != b)),
        asks_when=_ASKS_WHEN.search(low) is not None,
        asks_latest=dates.days is None and _ASKS_LATEST.search(low) is not None,
        days=dates.days,
        unlisted=unlisted != "",
    )


def _without_relative(dates: DatesInText) -> tuple[str, dict[str, float]]:
    """Blank out the words for days, but for those that a note may hold as well; return these and their weights, too.

    A weekday without more ("hours on Saturday") is a word of the question like any other: what is so every week says it.
    """
    text = dates.text
    weights: dict[str, float] = {}
    for start, end in dates.spans:
        span = folded_in_place(text[start:end])
        named = _WRITTEN_DAYS.findall(span)
        weight = LIGHT
        if span.strip() in WEEKDAYS:
            weight = _WEEKDAY
        weights |= dict.fromkeys(named, weight)
        text = text[:start] + " ".join(named)[: end - start].ljust(end - start) + text[end:]
    return text, weights


def _terms(text: str, pieces: list[TermPiece], bare: list[str], unlisted: str) -> Iterator[Term]:
    # Vietnamese has no stop word list, and other lists' words look alike without their marks.
    lists = () if is_tonal(text) else stopwords.languages_of(bare)
    # A question's only word of another language, with a capital, may be a name: "Ali", "Ella".
    is_single = sum(_is_stop(piece.shown, lists[1:]) for piece in pieces) == 1
    has_none = any(piece.kind in (TermKind.RUN, TermKind.HANGUL) for piece in pieces)
    cased = [piece.shown for piece in pieces if piece.shown.lower() != piece.shown.upper()]
    shouted = not has_none and len(cased) > 1 and all(map(str.isupper, cased))
    for piece in pieces:
        if piece.kind is TermKind.RUN:
            for run in stopwords.without_breaks(piece.shown):
                yield from _grams(run, pieces_of(run))
        elif piece.kind is TermKind.HANGUL:
            if not stopwords.is_korean_stop(piece.shown):
                yield from _grams(piece.shown, (piece,))
        elif piece.kind is not TermKind.WORD:
            yield from _several(piece, lists)
        elif not _is_stop(piece.shown, lists):
            is_name = piece is not pieces[0] or _WHOSE.search(piece.shown) is not None
            named = is_name and not shouted and piece.shown[0].isupper()
            if unlisted and not named and _only_asks(piece, unlisted):
                if not stopwords.names_with(_bare(piece.shown)):
                    yield _word(piece.shown, piece.whole, LIGHT)
                continue
            yield _word(piece.shown, piece.whole, NAMED if named else 1.0)
        else:
            if len(piece.shown) > 1 and piece.shown.isupper() and not shouted:  # "IT", "US", "WHO"
                yield _word(piece.shown, piece.whole)
            elif is_single and piece.shown.istitle() and not _is_stop(piece.shown, (stopwords.ENGLISH,)):
                yield _word(piece.shown, piece.whole, LIGHT)


def _only_asks(piece: TermPiece, language: str) -> bool:
    """Say whether a word tells little in a language without a list: a stop word of another list, or a short word, but no everyday word."""
    if not piece.shown.isalpha() or language in languages_with(piece.whole):
        return False
    return len(piece.shown) <= _SHORT or bool(stopwords.names_with(_bare(piece.shown)))


def _bare(word: str) -> str:
    """Return a word as in the stop word lists; a possessive ("Dan's") is in none of them ("dans")."""
    bare = _APOSTROPHE.sub("", folded(ELIDED.sub("", word)))
    return folded(word) if _WHOSE.search(word) and bare not in _SHORT_FORMS else bare


def _is_stop(word: str, lists: Iterable[frozenset[str]]) -> bool:
    bare = _bare(word)
    return bare in stopwords.DENYING or any(bare in listed for listed in lists)


def _word(shown: str, word: str, weight: float = 1.0) -> Term:
    bare = folded(shown)
    light, other = bare in stopwords.LIGHT, other_term(shown)
    forms = [word]
    if other:
        forms.append(other)
    others: tuple[str, ...] = (bare,)  # typed without its marks
    if word.isascii() or word == bare:
        others = _other_forms().get(word, ())
    if light:
        weight = LIGHT
    return Term(shown, (*forms, *others), weight, alike=len(forms))


@cache
def _other_forms() -> dict[str, tuple[str, ...]]:
    forms: dict[str, tuple[str, ...]] = {}
    for group in _GROUPS.replace("-", "").split("/"):
        stems = list(map(english_stem, group.split()))
        for stem in stems:
            others = dict.fromkeys((*forms.get(stem, ()), *stems))
            del others[stem]
            forms[stem] = tuple(others)
    return forms


def _grams(shown: str, pieces: Iterable[TermPiece]) -> Iterator[Term]:
    """Yield the bigrams of a run, together worth as much as its likely words."""
    for piece in pieces:
        words = len(piece.parts) + 1
        for gram in piece.parts:
            weight = 0.7
            if len(gram) != 1:
                weight = words / 2 / len(piece.parts)
            yield Term(shown, (gram,), weight, gram=True)


def _several(piece: TermPiece, lists: Iterable[frozenset[str]]) -> Iterator[Term]:
    """Yield the whole and the parts of "follow-up" (its words count) or of a path, a version (the whole counts)."""
    compound = piece.kind is TermKind.COMPOUND
    yield Term(piece.shown, (piece.whole,), LIGHT if compound else 1.0)
    for part in dict.fromkeys(piece.parts):
        if part.isalpha() and len(part) > 1 and not _is_stop(part, lists):
            yield _word(part, part, 1.0 if compound else LIGHT)
