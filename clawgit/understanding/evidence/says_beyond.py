"""Whether a message is about an entry, and adds to it: a value, a name, a denial, a telling word. Pure."""

from __future__ import annotations

from functools import cache, lru_cache, partial
from itertools import chain, filterfalse, pairwise, product, starmap
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.statements import ASKED, own_words_of, says_changed
from clawgit.text.comparing.subjects import subject
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words import stopwords
from clawgit.text.words.terms import english_stem
from clawgit.text.words.word_lists import CAPITALS, MONTHS, ONLY, UNIT, WEEKDAYS, any_word_of, words_in
from clawgit.understanding.evidence.own_sentences import (
    A_THING,
    IS_MADE_UP,
    IS_OF_A_CASE,
    IS_QUESTION,
    IS_WISH,
    clauses,
    denied,
    denies,
    is_question,
    no_statement,
    own_sentences,
    without_quoted_words,
)
from clawgit.understanding.evidence.said_values import NUMBERS, SaidValue, may_replace, same_value
from clawgit.understanding.evidence.said_words import ANY_DAY, is_light, lacking, names_another_thing, read
from clawgit.understanding.forms import sentence_forms as forms
from clawgit.understanding.forms.user_words import OWN

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import date

    from clawgit.understanding.evidence.said_words import Read

NAMES, ANSWERS, TOUCHES = 3, 2, 1  # how plainly a message is about a statement
MOST_OF_AN_ANSWER = 5  # telling words of a message that depends on the one before
FEWEST_SHARED = 2  # words of a line of prose in a message about it
_QUESTION_MARKS = ("?", "？", "¿", "؟")
# `10.44.4.11`, `heron-1` in the joined form of `subject`; not `14:00`.
_IDENTIFIER = lazy_pattern(r"ˑ.*ˑ|[^\W\dˑ]ˑ|ˑ[^\W\dˑ]")
_CAPITAL = lazy_pattern(rf"\b[{CAPITALS}][^\W\d_]+")
# Stems that any talk has, about anything.
_TALK = words_in("""
ok okay lol haha hm yes no yeah ja nein doch thank dank pleas bitt sorri hey hi hello hallo mail email messag note self nice good gut super cool right decid agr
user operat prefer like love hate want need first second third last zuerst erst zweit dritt letzt new neu
""")
_WHICH = words_in("first third last erst dritt letzt")  # Friday of a month
# Stems of the verbs of orders to remember and to forget: no topic.
_ORDERED = words_in("""
rememb forget vergiss vergesst vergessen olvida olvid oubli oubliez dimentica scorda esquec esqueca vergeet glom glem zapomnij zapomen забудь
""")
_BETWEEN_WORDS = lazy_pattern(r"(?<=[^\W\d_])-(?=[^\W\d_])")  # not in `train-8`, a name
_AMOUNT = lazy_pattern(r"\d+(?:ˑ\d+)?|[a-z]")  # or a time, in the joined form of `subject`; or a letter: `è`
_LONG_NUMBER = lazy_pattern(r"(?!(?:19|20)\d\d\b)\d{4,}")  # a name by itself, and no year
_FIRST = lazy_pattern(r"\W*(?!\w+(?:ed|ing)\b)([A-Z]\w+) (?!(?:the|an?|my|our)\b)[a-z]{2}")  # `Redis moved`
_OWNER = lazy_pattern(rf"\b([{CAPITALS}][^\W\d_]+)['’]s\b")
# `at 4`, or `4 now` at the beginning, without a noun behind it.
AT_HOUR = "at|until|till|um|bis|à|a las|alle|às|om|ob"
BEHIND_HOUR = r"\W*$|[.,;!?)]|,? (?:today|tomorrow|tonight|now|then|sharp|instead|because|not|and|on|from|heute|jetzt|statt|nicht|no|non|pas|niet)\b"
_HOUR = lazy_pattern(rf"(?i)(?:\b(?:{AT_HOUR}) |\A\W*(?:no,? |it['’]?s )?)(\d{{1,2}})(?={BEHIND_HOUR})")
_THING_OF = lazy_pattern(
    rf"\b(?P<owner>[{CAPITALS}][^\W\d_]+|(?i:{any_word_of(forms.OUTSIDERS)})s?)['’]s? (?P<thing>[^\W\d_]+(?: [^\W\d_]+)?)"
)
_NO_OWNERS = stopwords.ENGLISH.union(WEEKDAYS, MONTHS, words_in("today tomorrow yesterday tonight let"))
# `my cousin told me`, `bei meiner Kollegin kostet`; `the dog of my sister`.
_OUTSIDER = lazy_pattern(
    r"(?i)(?:^\W*(?:(?:oh|ha|lol|btw|by the way|and|und|y|et|at|for|bei|für|von|a|para|chez|pour|de)\W+)*|\b(?:of|von|de|van) )"
    rf"(?:{'|'.join(sorted(OWN))}) (?P<who>{any_word_of(forms.OUTSIDERS)})s?\b(?!['’])(?: (?P<called>[^\W\d_]+))?"
)
_I = lazy_pattern(r"(?i)\W*(?:i|ich|je|yo)\b")
_PRONOUN = lazy_pattern(r"(?i)\b(?:s?he|they|her|his|their|him|them)\b")
_SMALL_NUMBER = lazy_pattern(r"\d{1,2}")
_WORD = lazy_pattern(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Words allowed beside a value or a name alone.
_BESIDE_A_VALUE = words_in("""
no nope not oh argh oops well ok wait sorry actually it it's its he's she's they're hes shes that's thats wrong meant is the a an on in at of by to for from since until before after
nein nee doch falsch meinte es ist sind der die das dem den am im um bis ab bei von zu non c'est le la les l du de d des à au el los las en del es son un una y antes después vor nach avant après nie o
""")
_DAYS = frozenset(map(english_stem, (*MONTHS, *WEEKDAYS)))
_NUMBERS = frozenset(map(english_stem, NUMBERS))
_TELL_NOTHING = (IS_QUESTION, IS_OF_A_CASE, IS_WISH, IS_MADE_UP)


def telling_sentences(text: str) -> list[str]:
    """Return the sentences of a message that may state something, without quotations: no questions, cases, wishes or tasks."""
    statements = []
    for each in map(without_quoted_words, own_sentences(text)):
        is_asked = each.rstrip(" \"'”’)*_").endswith(_QUESTION_MARKS)
        if not (is_asked or forms.TO_BE_DONE.search(each)) and no_statement(each) not in _TELL_NOTHING:
            statements.append(each)
    return statements


class Heard(NamedTuple):
    """A message, both sides' words right before it, the agent's answer, and the day; ``is_flagged``: has words of a correction."""

    said: str
    before: str
    answer: str
    on: date
    is_flagged: bool = False


class Bearing(NamedTuple):
    """How plainly a message is about a statement, and their number of common words, with the words around it."""

    rank: int
    shared: int

    @property
    def is_plain(self) -> bool:
        """Say whether it is about the statement, and does not only touch it."""
        return self.rank > TOUCHES


def bearing(heard: Heard, statement: str, *, is_best: bool, is_only: bool = True) -> Bearing | None:
    """Return how a message relates to a statement, None if it hardly does.

    Plain: with most of the statement's words; with two words or names, and another value or a denial; or, if
    the message has hardly a word of its own, by the words before it. One common word only touches it; one
    name does not. ``is_best``: no other statement is nearer; ``is_only``: none shares the same words.
    """
    own = words_shared(statement, heard.said)
    is_of_person = is_of_somebody_else(heard.said, statement) or is_of_outsider(heard, statement)
    if is_of_person or names_another(heard, statement, own):
        return None
    is_answered = is_taken_up(heard)  # else the answer is about something else
    spoken = f"{heard.before} {heard.answer}" if is_answered else heard.before
    around = shared_words(statement, heard.said, spoken)
    if around and repeats_value(spoken, statement, heard.on):
        around += 1
    telling = own - _names(statement, heard.said, heard.on)
    is_repeated = bool(own) and has_one(read(heard.said, heard.on).values, _meant(heard, statement))
    weight = _weight(telling) + len(own - telling) + is_repeated
    news = brings_value(heard.said, statement, heard.on, heard.before)
    denial = denies(heard.said)
    is_most = _weight(own) * 2 > len(_subject(statement)) and (denial or not _tells_when(heard, statement))
    is_alone = own and around <= _weight(own) and not is_most
    if is_alone and not telling:
        left = read("; ".join(denied(heard.said)), heard.on).values
        if left and not _denies_as_precisely(left, statement, heard):
            return None  # `Mia's shoes are size 34, not 33` beside Mia's allergy, or her shelf 33
        # `Mia is not here, she left in October` beside a day of hers
        news = news and (bool(left) or not (denial and replaces_value(heard.said, statement, heard.on)))
    # `Rechnung 5590`, of invoice 5590
    numbers = filter(lambda each: _LONG_NUMBER.fullmatch(each.shown), read(heard.said, heard.on).values)
    is_numbered = has_one(numbers, read(statement, heard.on)) and (news or denial or bool(own))
    if is_numbered or (weight > 1 and (news or denial)) or (is_most and (len(own) > 1 or is_repeated)):
        return Bearing(NAMES, around)
    is_gone = denies_value_of(heard, statement) or shared_words(statement, *denied(heard.said))
    if news and is_gone and (own or grounds(heard, statement)):
        return Bearing(ANSWERS, around)
    is_named = words_shared(statement, spoken) <= _names(statement, spoken, heard.on)
    is_of_value = has_one(given_way(heard)[1], read(statement, heard.on))
    # a statement about Mei is not yet her number
    is_of_one = is_of_value or (is_best and (denial or (heard.is_flagged and not is_named)))
    is_beside = around > _weight(own) and (around > 1 or is_of_one)
    if news and ((telling and is_most) or (is_beside and says_little(heard))):
        return Bearing(ANSWERS, around)
    is_other = is_answered and news and replaces_value(heard.said, statement, heard.on)
    named = {word for word in telling if is_only and not is_light(word)}
    is_sure = denial or named
    is_heard = heard.is_flagged or denial or not named.isdisjoint(_subject(heard.answer))
    is_touched = own and ((is_other and is_sure) or (news and is_beside))
    is_touched = is_touched or (named and is_heard) or (around > 1 and denial)
    is_over = is_only and bool(own) and says_changed(heard.said) and says_little(heard)
    if is_over and own <= words_shared(statement, *denied(heard.said)):
        is_touched = own  # `we no longer use Figma`
    if not is_touched or names_only_others(heard, statement, own):
        return None
    return Bearing(TOUCHES, around)


def _tells_when(heard: Heard, statement: str) -> bool:
    """Say whether a message has only days and times, and a statement only amounts: `holiday from 21 December` beside its 24 days."""
    values, stated = read(heard.said, heard.on).values, read(statement, heard.on).values
    moments = set(chain.from_iterable(map(attrgetter("kinds"), values)))
    return bool(values and stated) and moments <= {"d", "t"} and all(each.kinds == {"n"} for each in stated)


def _denies_as_precisely(left: Iterable[SaidValue], statement: str, heard: Heard) -> bool:
    """Say whether a statement has one of the denied values; no small number, and no day of a month or weekday that is denied."""
    reading = read(heard.said, heard.on)
    has_own = bool(set(filterfalse(is_light, reading.words)) - reading.names)
    stated = filterfalse(lambda each: _SMALL_NUMBER.fullmatch(each.shown), read(statement, heard.on).values)
    for gone, its in product(left, stated):
        is_day = not has_own and any(map(str.isdigit, gone.shown))  # `Mia's is not the 11th`
        if same_value(gone, its) and (is_day or same_value(its, gone)):
            return True
    return False


def brings_its_own(words_before: str, answer: str) -> bool:
    """Say whether an agent's answer asks something, or has a value that the words before it have not (`Your next slot is Friday.`)."""
    values = set(map(attrgetter("shown"), read(answer).values))
    asks = any(map(is_question, own_sentences(answer)))
    return asks or not values.issubset(map(attrgetter("shown"), read(words_before).values))


def denies_value_of(heard: Heard, statement: str) -> bool:
    """Say whether a message denies a value of a statement."""
    return has_one(read("; ".join(denied(heard.said)), heard.on).values, _meant(heard, statement))


def grounds(heard: Heard, statement: str) -> frozenset[str]:
    """Return what ties a message to a statement in whatever language: the denied values that it has, and names where one of its values may give way.

    A line with fewer of them than another is not meant: `Eliquis at 9, not at 8` beside another drug at 8.
    """
    gone = read("; ".join(denied(heard.said)), heard.on).values
    ties = set[str]()
    for value, its in product(gone, _meant(heard, statement).values):
        if same_value(value, its) or value.shown in its.shown.split():  # `not the 20`, of 20 December
            ties.add(value.shown)
    own = words_shared(statement, heard.said)
    if not own:
        return frozenset(filter(_LONG_NUMBER.search, ties))
    is_german = read(heard.said).is_german and read(statement).is_german  # its nouns look like names
    if (ties or replaces_value(heard.said, statement, heard.on)) and not is_german:
        both = {*_CAPITAL.findall(statement)}.intersection(_CAPITAL.findall(heard.said))
        ties.update(own.intersection(map(english_stem, map(str.lower, both))))
    return frozenset(ties)


def tied_most(heard: Heard, likely: Sequence[tuple[Bearing, float, str]]) -> list[tuple[Bearing, float, str]]:
    """Return the statements best first, without those that lack some of what ties a message to another one."""
    ties = {statement: grounds(heard, statement) for _, _, statement in likely}
    tied = []
    for each in likely:
        is_lacking = any(map(ties[each[2]].__lt__, ties.values()))
        if not is_lacking or not says_beyond(heard.said, each[2], heard.on):
            tied.append(each)
    return sorted(tied, reverse=True)


def _meant(heard: Heard, statement: str) -> Read:
    """Return a statement's reading; of its values only dates if a message sets only dates against what it denies: `until 14 December, not 12` is not about shelf 12."""
    stated = read(statement, heard.on)
    gone = read("; ".join(denied(heard.said)), heard.on)
    others = filterfalse(lambda each: has_one([each], gone), read(heard.said, heard.on).values)
    if gone.values and set(map(attrgetter("kinds"), others)) == {frozenset("d")}:
        return stated._replace(values=tuple(filter(lambda each: "d" in each.kinds, stated.values)))
    return stated


def denies_of(message: str, statement: str) -> bool:
    """Say whether a denying clause has a word of a statement that denies nothing itself; a person is not yet a topic."""
    if denies(statement):
        return False
    denying = "; ".join(filter(denies, clauses(message)))
    return bool(words_shared(statement, denying) - _names(statement, message, ANY_DAY))


def names_another(heard: Heard, statement: str, own: frozenset[str]) -> bool:
    """Say whether a message denies a name, or has a subject, that a line and the turn before lack, and shares at most a verb or the word before another noun with the line: `the couch isn't coming` beside `Mr Blanc is coming`, the staging database beside the staging port."""
    around = f"{statement} {heard.before}"
    stated = read(f", {around}", heard.on)  # its first word may be a name, too
    is_of_line = len(own) > 1 or not own.isdisjoint(map(english_stem, stated.names))
    is_of_line = is_of_line or repeats_value(heard.said, statement, heard.on)
    if not own and not words_shared(around, heard.said) and begins_with_another(heard, around):
        return True
    if is_of_line or (not own and replaces_value(heard.said, statement, heard.on)):
        return False
    if _is_english(heard.said) and any(map(partial(_is_of_another_noun, heard.said, statement), own)):
        return True
    names = read(heard.said, heard.on).names.intersection(read("; ".join(denied(heard.said))).words)
    is_other = not own and bool(names) and names.isdisjoint(stated.words)
    for clause in clauses(heard.said):
        if words_shared(statement, *clause.split()[:1]):
            return False  # `the landlord wrote, rent is 910`
    for thing in A_THING.finditer(heard.said):
        before = heard.said[: thing.start()].rstrip()
        if words_shared(statement, before):
            break  # its subject was before
        if not own and before[-1:].isalnum() and not read(before.split()[-1]).words:
            continue  # `it's in the lockbox`, but `we moved the CI`
        words = _subject(thing.group())
        if not words.isdisjoint(own):
            return False
        is_other = is_other or (bool(words) and words.isdisjoint(_subject(around)))
    return is_other


def _first_name(heard: Heard) -> set[str]:
    """Return the name that an English message begins with, in small letters: `Deniz gets 26 days`."""
    first = _FIRST.match(heard.said)
    if first is None or not _is_english(heard.said):
        return set()
    names = {first[1].lower()} - stopwords.ENGLISH
    return set(filterfalse(stopwords.is_common, map(english_stem, names))) and names


def _is_english(text: str) -> bool:
    return stopwords.languages_of(read(text).plain.split()) == (stopwords.ENGLISH,)


def begins_with_another(heard: Heard, around: str) -> bool:
    """Say whether a message tells of a name more than a value, without that name in the line or the turn before."""
    names = _first_name(heard)
    reading = read(heard.said, heard.on)
    telling = set(filterfalse(is_light, reading.latin)).difference(reading.names, names)
    is_pointing = forms.PRONOUN.search(heard.said) or " there" in heard.said
    return (
        bool(names and telling)
        and not is_pointing
        and names.isdisjoint(map(str.lower, _WORD.findall(around)))
    )


def _is_of_another_noun(message: str, statement: str, stem: str) -> bool:
    """Say whether a common word stands before a noun in both, and each lacks the other's."""
    for text, other in ((message, statement), (statement, message)):
        behind = set[str]()
        for word, following in pairwise(_WORD.findall(text)):
            if english_stem(word.lower()) == stem:
                behind |= _subject(following) - _subject(other)
        if not behind:
            return False
    return True


def names_only_others(heard: Heard, statement: str, own: frozenset[str]) -> bool:
    """Say whether a message begins with a name, shares no name with a statement, and at most one word: `Redis moved to port 6390` beside the port of staging.

    Words after the common one are about it: `the cat has a new name, Truffel`.
    """
    if len(own) > 1:
        return False
    if names_another(heard, statement, own):
        return True
    reading = read(heard.said, heard.on)
    inside = reading.names | _first_name(heard)
    names = inside.union(map(str.lower, _CAPITAL.findall(heard.said)))
    if not names.isdisjoint(map(str.lower, _WORD.findall(statement))):
        return False
    for word in map(str.lower, _WORD.findall(heard.said)):
        if word in inside or english_stem(word) in own:
            return word in inside
    return False


def says_little(heard: Heard) -> bool:
    """Say whether a message has hardly a word of its own, so that its topic is in the words before."""
    own = set(filterfalse(is_light, read(heard.said, heard.on).words))
    return len(own - _TALK) <= MOST_OF_AN_ANSWER


def names_a_subject(heard: Heard, statement: str) -> bool:
    """Say whether a message, or the turn it answers, names the subject of its values, without a word of a statement."""
    text = f"{heard.said} {heard.before}"
    if words_shared(statement, text):
        return False
    return names_another_thing(heard.said, statement) or not all(map(is_light, read(text, heard.on).words))


def is_of_somebody_else(message: str, statement: str) -> bool:
    """Say whether a message is about another person than a statement: `Bea's number` beside Anselm's, `Tomasz comes` beside `Anselm comes`.

    A replaced name shares more with its line than a common verb, or one word of a person's actions: `Kim leads it now`.
    """
    message = without_quoted_words(message)
    owners = [frozenset(map(str.lower, _OWNER.findall(text))) for text in (message, statement)]
    if all(owners) and owners[0].isdisjoint(owners[1]):
        stated = map(str.lower, _WORD.findall(statement))  # Grandma's is Grandma Ilse's
        return owners[0].isdisjoint(stated) and owners[1].isdisjoint(map(str.lower, _WORD.findall(message)))
    if read(message).is_german:
        return False
    names = [_subject(" ".join(_CAPITAL.findall(text))) - _DAYS for text in (message, statement)]
    is_other = names[0] or _I.match(message)
    if not (is_other and names[1] and names[0].isdisjoint(names[1])):
        return False
    shared = words_shared(statement, message)
    person = forms.STATED.search(statement)
    if person and person["somebody"] and len(shared) == 1 and shared.isdisjoint(_subject(person["somebody"])):
        return not _PRONOUN.search(message)  # `Lena plays …`, or `I play …`, beside `Paul plays the viola`
    return bool(names[0]) and bool(shared) and shared <= forms.INCIDENTAL


def is_of_outsider(heard: Heard, statement: str) -> bool:
    """Say whether a message tells of somebody's thing, or of a friend, whom neither the line nor the turn before names: `Peter's rent`."""
    sentences = own_sentences(heard.said)
    about = list(filter(partial(words_shared, statement), sentences)) or sentences
    named = f"{statement} {heard.before}"
    return bool(about) and all(_is_of_outsider(each, statement, named) for each in about)


def _is_of_outsider(sentence: str, statement: str, named: str) -> bool:
    words = frozenset(map(str.lower, _WORD.findall(named)))
    names = frozenset(map(str.lower, _CAPITAL.findall(named)))
    for each in _OUTSIDER.finditer(sentence):
        who = each["who"].lower().partition("-")[0]
        if who not in words and (each["called"] or "").lower() not in names:
            return True
    for each in _THING_OF.finditer(sentence):
        owner = each["owner"].lower()
        is_named = f" {owner}" in f" {' '.join(words)}" or owner in _NO_OWNERS
        if not is_named and words_shared(statement, each["thing"]):
            return True
    return False


def _names(statement: str, text: str, on: date) -> frozenset[str]:
    """Return the stems of a statement's names, and of capitalized words in both texts.

    A person alone is not the topic. None in German, where any noun looks like a name.
    """
    stated = read(statement, on)
    if stated.is_german:
        return frozenset()
    both = {*_CAPITAL.findall(statement)}.intersection(_CAPITAL.findall(text))
    return frozenset(map(english_stem, {*stated.names, *map(str.lower, both)}))


def is_taken_up(heard: Heard) -> bool:
    """Say whether the agent's answer has a word or a value of the message; True without an answer, or with `Gut.` as the answer."""
    reading = read(heard.said, heard.on)
    answered = read(heard.answer, heard.on)
    if not _subject(heard.answer) and not answered.values:
        return True
    return len(lacking(reading, answered)) < len(reading.items)


def brings_value(message: str, statement: str, on: date, before: str = "") -> bool:
    """Say whether a message has a new value or name of a kind in the statement.

    A statement's first word is a name if the text ``before`` has it as one.
    """
    reading = read(message, on)
    stated = read(statement, on)
    first = _CAPITAL.match(statement)
    has_name = bool(stated.names) or (first is not None and first[0].lower() in read(before, on).names)
    # in German any noun looks like a name: there it is new only beside a denial
    may_name = has_name and (not reading.is_german or denies(message) or is_bare(message))
    days = {value.shown for value in reading.values}
    has_name = may_name and not (reading.names - days).isdisjoint(lacking(reading, stated))
    return has_name or replaces_value(message, statement, on)


def has_a_topic(text: str) -> bool:
    """Say whether a message states something with a word or a value of its own, or denies something."""
    stated = " ".join(telling_sentences(text))
    return bool(words_shared(stated, stated) or read(stated).values or denies(stated))


def replaces_value(message: str, before: str, on: date) -> bool:
    """Say whether a message has a value that may replace one said before."""
    reading = read(message, on)
    stated = read(before, on)
    fresh = lacking(reading, stated)
    hours = _HOUR.findall(message)
    for gone, came in product(stated.values, reading.values):
        if came.shown in fresh and (may_replace(came, gone) or ("t" in gone.kinds and came.shown in hours)):
            return True
    return False


def repeats_value(message: str, before: str, on: date) -> bool:
    """Say whether a message has a value said before."""
    return has_one(read(message, on).values, read(before, on))


def is_bare(text: str) -> bool:
    """Say whether a text is only a value or a name: its topic is elsewhere."""
    reading = read(text)
    names = {*_WHICH, *reading.names, *map(str.lower, _CAPITAL.findall(text))}
    if not reading.items or set(reading.words) - names:
        return False
    values = " ".join(value.shown for value in reading.values).lower()
    others = filterfalse(values.__contains__, _WORD.findall(text.lower()))
    return _BESIDE_A_VALUE.union(names).issuperset(others)


def given_way(heard: Heard) -> tuple[frozenset[str], tuple[SaidValue, ...]]:
    """Return the values said right before that the message may replace (`no, the 28th`); for a name alone, the names."""
    reading = read(heard.said, heard.on)
    before = read(heard.before, heard.on)
    gone = []
    for came, its in product(reading.values, before.values):
        if may_replace(came, its) and not same_value(came, its):
            gone.append(its)
    names = frozenset[str]()
    if not reading.values and is_bare(heard.said):
        names = before.names - reading.names
    return names, tuple(gone)


def has_given_way(heard: Heard, statement: str) -> bool:
    """Say whether a statement has the replaced value or name, or the same topic in other words.

    A message with a word of the statement names its topic itself, and counts as well.
    """
    telling = words_shared(statement, heard.said) - _names(statement, heard.said, heard.on)
    if telling and not is_bare(heard.said):
        return True
    names, gone = given_way(heard)
    if not names and not gone:
        return True
    stated = read(statement, heard.on)
    if not names.isdisjoint(stated.words):
        return True
    around = words_shared(statement, heard.before)
    if gone:  # whoever has it may have more of it
        around -= _names(statement, heard.before, heard.on)
    return has_one(gone, stated) or _weight(around) >= FEWEST_SHARED


def has_one(values: Iterable[SaidValue], stated: Read) -> bool:
    """Say whether a text has one of some values."""
    return any(starmap(same_value, product(values, stated.values)))


def shared_words(statement: str, *texts: str) -> int:
    """Return how many words of a statement the texts have, in any form; an address or a serial number counts as two."""
    return _weight(words_shared(statement, *texts))


def _weight(stems: Collection[str]) -> int:
    return len(stems) + len(list(filter(_IDENTIFIER.search, stems)))


def words_shared(statement: str, *texts: str) -> frozenset[str]:
    """Return the stems of a statement's words that the texts have, in any form; parts of values do not count."""
    return _subject(statement) & frozenset().union(*map(_subject, texts))


@lru_cache(maxsize=4096)
def _subject(text: str) -> frozenset[str]:
    """Return the topic words of a text, without orders to remember or forget, words for names, and grammar.

    A part of a value is not a topic: `12 miles` is about neither the 12th of May nor the miles to the office,
    `22 January, not 18 December` not all that is from December to January.
    """
    own_text = UNIT.sub(" ", ASKED.sub("", own_words_of(text), count=1))
    parts = _BETWEEN_WORDS.sub(" ", own_text)  # `VAT-return` is about VAT, too
    words = (subject(own_text) | subject(parts)).difference(
        *map(_stems, stopwords.languages_of(own_text.lower().split()))
    )
    stems = frozenset(filterfalse(_AMOUNT.fullmatch, map(english_stem, words)))
    return stems - forms.NAMING - _TALK - _ORDERED - _DAYS - _NUMBERS - stopwords.DENYING


@cache
def _stems(listed: frozenset[str]) -> frozenset[str]:
    return listed.union(map(english_stem, listed))


def says_beyond(message: str, statement: str, on: date) -> bool:
    """Say whether a message of a day adds to a statement, or reverses it.

    A statement about Basel is repeated by `It is in Basel, not in Zurich.`
    """
    reading = read(message, on)
    stated = read(statement, on)
    fresh = lacking(reading, stated)
    apart: set[str] = set()
    for part in denied(message):
        apart.update(read(part, on).items)
    if fresh and apart.issuperset(fresh) and apart.isdisjoint(stated.items):
        return apart.issuperset(reading.items)
    if denies(message) != denies(statement):
        return True
    return bool(fresh) or _turns_names(reading, stated) or _narrows(reading, stated)


def _narrows(reading: Read, stated: Read) -> bool:
    """Say whether a message has only some values of a statement, and says so: `on Mondays only` of `Monday to Thursday`."""
    is_only = not ONLY.isdisjoint(_WORD.findall(reading.plain.lower()))
    return is_only and bool(reading.values) and not all(has_one((each,), reading) for each in stated.values)


def _turns_names(reading: Read, stated: Read) -> bool:
    """Say whether a message has names of a statement in another order: `Ben manages Anna` beside `Anna manages Ben`."""
    if reading.is_german:
        return False
    both = (reading.names | stated.names).intersection(reading.items, stated.items)
    order = list(filter(both.__contains__, reading.items))
    stated_order = list(filter(both.__contains__, stated.items))
    return order != stated_order and sorted(order) == sorted(stated_order)


def says_again(message: str, statement: str, on: date) -> bool:
    """Say whether a statement has all values of a message of a day and all its words except talk, and light ones before its last value: `invoice 5590 is paid` is news."""
    reading = read(message, on)
    stated = read(statement, on)
    fresh = set(lacking(reading, stated)) - (_TALK - _WHICH)
    is_same = bool(reading.values) and denies(message) == denies(statement) and not _narrows(reading, stated)
    apart = read("; ".join(denied(message)), on)
    if apart.values and not has_one(apart.values, stated):  # `480, not 420`
        is_same = has_one(reading.values, stated)
        fresh.difference_update(apart.items)
    last = max(map(reading.plain.rfind, map(attrgetter("shown"), reading.values)), default=0)
    for word in fresh:
        is_same = is_same and is_light(word) and reading.plain.rfind(word) < last
    return is_same
