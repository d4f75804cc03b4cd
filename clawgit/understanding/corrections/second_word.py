"""A second word after a correction: what the line said before it (`Bart blijft gewoon op dinsdag`). Pure."""

from __future__ import annotations

from functools import partial
from itertools import dropwhile, filterfalse, product, takewhile
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING

from clawgit.memory.provenance.readings import with_whole_values
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import shared_with, telling
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words import stopwords
from clawgit.text.words.terms import english_stem, folded
from clawgit.text.words.word_lists import UNIT
from clawgit.understanding.evidence.orders_to_forget import told_around
from clawgit.understanding.evidence.own_sentences import denied, no_statement, own_sentences, own_text
from clawgit.understanding.evidence.said_values import may_replace, same_value
from clawgit.understanding.evidence.said_words import CLAUSE, is_light, read, says_nothing, spelled
from clawgit.understanding.evidence.says_beyond import (
    Heard,
    has_one,
    is_bare,
    is_of_outsider,
    replaces_value,
    says_again,
    words_shared,
)
from clawgit.understanding.evidence.taking_back import AS_BEFORE, IS_RIGHT, behind_opening, only_takes_back
from clawgit.understanding.forms.sentence_forms import PRONOUN, TALK
from clawgit.understanding.forms.user_words import tells_of_himself

if TYPE_CHECKING:
    from datetime import date

    from clawgit.understanding.evidence.said_words import Read

# Of what is left or there: `quedan 12 plazas`, `es bleiben 3`.
_LEFT = lazy_pattern(
    r"(?i)\b(?:there(?: is| are|['’]s)|es (?:gibt|sind|bleib\w+)|hay|quedan?\s+\d\S*\s[^\W\d]|ci sono|c['’]è|il y a|il (?:en )?reste|er (?:zijn|is|blij\w+))\b"
)
_BOUND = lazy_pattern(
    r"(?i)\b(?:before|after|until|till|by|bis|vor|nach|antes|después|hasta|avant|après|jusqu|prima|dopo|fino|voor|tot)\b"
)
_PAST = lazy_pattern(
    r"(?i)\b(?:was|were|had|wurden?|war|waren|hatten?|fue|eran?|tenían?|[ée]tai(?:t|ent)|avai(?:t|ent)|foi|erano|aveva|werd|hadden)\b"
)
# What may be beside it, and says nothing else; in the form of `telling`.
_BESIDE = telling("""
change changes same fine all just only does never mind sure actually wait sorry mistake yes well cost costs come comes
ändert gleich gilt gelten nur wieder quatsch nein falsch moment kommando kostet kosten kommt kommen
verandert nee neen niet echt zeker hetzelfde weer wel maar het dat van op kost kosten komt komen
cambia siendo espera perdon mentira no igual siempre solo claro sí cuesta cuestan viene vienen
change non attends pardon finalement seulement même bien en fait coûte coûtent vient viennent
aspetta scusa uguale solo comunque sempre costa costano viene vengono
""")
# `it was 900`, of what holds: only a thing with a name had a past.
_IT_WAS = lazy_pattern(
    r"(?i)(?:(?<=; )|^)(?:(?:it|that|es|das|sí que|si que|al final|finalement|alla fine) )*(?:c['’])?(?:was|were|war|waren|fue|eran?|[ée]tai(?:t|ent)|foi|erano)\b"
)
_OF_ELSE = stopwords.LIGHT - {"was", "come", "good"}  # of what happens or is counted: `900 people came`
_INDEED = lazy_pattern(r"(?i)(?<=\w )si(?= (?:es|son)\b)")  # `la renta si es 900`, typed without the accent
_ALSO = lazy_pattern(
    r"(?i)\b(?:(?<!^)also|too|as well|auch|zusätzlich|ook|aussi|anche|pure|tambi[eé]n|además|também)\b"
)


def restores(text: str, old: str, new: str, on: date) -> bool:
    """Say whether a message plainly states what a line said before other words took its place, or claimed it, and nothing else.

    ``old`` is the line before; ``new`` the line after, or the operator's words beside it. The message begins as a second word, denies the new value, says that it is as before, or says the line
    again. It has a replaced value or name and no other one, names the part of the line that has it, and nothing else.
    """
    own = _INDEED.sub("sí", own_text(text))
    behind = behind_opening(own) or told_around(own, only_takes_back)[1]
    rest = "; ".join(filterfalse(says_nothing, CLAUSE.split(behind or own)))  # without `just called them`
    rest = with_whole_values(_IT_WAS.sub(" ", IS_RIGHT.sub(" ", rest)), old)
    stated = list(map(no_statement, own_sentences(own)))
    if not stated or any(stated) or _is_of_else(rest, old, on):
        return False
    gone = _replaced_in(rest, old, new, on)
    untrue = "; ".join(denied(rest))
    denies_new = has_one(read(untrue, on).values, read(new, on)) or words_shared(untrue, new)
    is_second = behind or AS_BEFORE.search(rest) or IS_RIGHT.search(own) or denies_new
    is_line = says_again(own, old, on) and words_shared(old, old) <= words_shared(old, own)
    if not gone or not (is_second or is_line):
        return False
    others = telling(UNIT.sub(" ", AS_BEFORE.sub(" ", rest)))
    others -= shared_with(others, telling(old))
    others -= telling("; ".join(denied(text))) & telling(new)
    if not set(filter(str.isalpha, others)) <= _BESIDE:
        return False
    is_named = words_shared(old, new) and words_shared(f"{old} {new}", rest)
    return not is_named or bool(shared_with(telling(new), telling(rest)))  # not the other price of the line


def _is_of_else(text: str, line: str, on: date) -> bool:
    """Say whether a text adds something to a line, tells of the past, of what is left, or of somebody else: `remind me on Friday`."""
    signs = map(methodcaller("search", text), (_ALSO, _PAST, _LEFT))
    is_bound = _BOUND.search(AS_BEFORE.sub(" ", text)) is not None and _BOUND.search(line) is None
    if is_bound or any(signs) or is_of_outsider(Heard(text, "", "", on), line):
        return True
    others = set(words(UNIT.sub(" ", text))).difference(words(line))
    is_of_him = tells_of_himself(text) and not (tells_of_himself(line) or words_shared(line, text))
    if is_of_him or not others.isdisjoint(_OF_ELSE):
        return True
    changed = filter(methodcaller("endswith", "ed"), others)
    return not words_shared(line, line).isdisjoint(map(english_stem, changed))  # `lived` beside `lives`


def is_said_of_it(text: str, line: str, on: date) -> bool:
    """Say whether a second word has but a pronoun for its topic, and says of it otherwise what a line says: `no, it's in the shed` behind `the key is under the mat`."""
    if any(map(no_statement, own_sentences(text))):
        return False
    rest = behind_opening(own_text(text))
    if PRONOUN.search(rest) and replaces_value(rest, line, on):
        return True  # `actually we moved it to Friday`
    its = _in_words(line)
    spoken = _in_words(rest)
    lead = list(takewhile(lambda word: word in its or stopwords.names_with(word), spoken))
    of_line = list(dropwhile(lambda word: word not in its, lead))
    behind = of_line[1:]  # `in the` behind `is`; nothing is in `it's fine`
    is_of_name = not read(rest, on).names.isdisjoint(spoken[len(lead) :])
    if set(its).isdisjoint(lead) or len(lead) == len(spoken) or not (behind or is_of_name):
        return False
    return not _is_of_else(rest, line, on)


def names_one_thing(text: str) -> bool:
    """Say whether a second word is one noun, or a name: `no, hazelnuts` behind an allergy, `York, sorry`; not `no, thanks`."""
    rest = behind_opening(own_text(text)) or text
    if is_bare(rest):
        return not read(rest).values
    is_alone = len(words(rest)) == 1 and rest != text
    return is_alone and not TALK.search(rest) and not all(map(is_light, read(rest).words))


def _in_words(text: str) -> list[str]:
    return words(folded(spelled(text)).replace("'s ", " is ").replace("'", " "))


def _replaced_in(text: str, old: str, new: str, on: date) -> set[str]:
    """Return which values, else names or words, of the old text that the new one replaced a text has; none if it has another value."""
    was = read(old, on)
    stated = _without_denied(text, on)
    for value in stated.values:
        if not has_one([value], was):
            return set()
    now = _without_denied(new, on)
    gone = []
    for value, came in product(was.values, now.values):
        rivals = filter(partial(may_replace, value), was.values)  # the other price of the line
        is_only = all(map(partial(same_value, value), rivals))
        if is_only and may_replace(came, value) and not (has_one([came], was) or has_one([value], now)):
            gone.append(value)
    if gone:
        again = filter(lambda value: any(map(partial(same_value, value), stated.values)), gone)
        return set(map(str.casefold, map(attrgetter("shown"), again)))
    lost = set(filterfalse(is_light, was.words)).difference(now.words)
    lost = lost.intersection(was.names) or lost
    came_words = set(now.words).difference(was.words)
    is_exchange = bool(lost and came_words and words_shared(old, new))
    if not is_exchange or not lost.issubset(stated.words) or not came_words.isdisjoint(stated.words):
        return set()
    return lost.union(map(english_stem, lost))


def _without_denied(text: str, on: date) -> Read:
    """Return the reading of a text without what it denies."""
    reading = read(text, on)
    untrue = read("; ".join(denied(text)), on)
    values = filterfalse(lambda value: has_one([value], untrue), reading.values)
    words_left = filterfalse(set(untrue.words).__contains__, reading.latin)
    return reading._replace(values=tuple(values), latin=tuple(words_left))
