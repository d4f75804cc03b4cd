"""A second word after a correction: a value alone (`no, 14:30`), or what the line said before it (`Bart blijft gewoon op dinsdag`). Pure."""

from __future__ import annotations

from functools import partial
from itertools import filterfalse, product
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.provenance.readings import with_whole_values
from clawgit.text.comparing.similarity import exchanged_words, words
from clawgit.text.comparing.subjects import shared_with, telling
from clawgit.text.comparing.value_kinds import Value, ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.terms import english_stem
from clawgit.text.words.word_lists import UNIT, words_in
from clawgit.understanding.corrections.fitted_line import may_give_way, parts_of, with_value
from clawgit.understanding.evidence.own_sentences import (
    IS_PAST,
    denied,
    denies,
    no_statement,
    own_sentences,
    own_text,
)
from clawgit.understanding.evidence.said_values import may_replace, same_value
from clawgit.understanding.evidence.said_words import is_light, read
from clawgit.understanding.evidence.says_beyond import Heard, has_one, is_of_outsider, words_shared
from clawgit.understanding.evidence.taking_back import AS_BEFORE, behind_opening

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from datetime import date

    from clawgit.understanding.evidence.said_words import Read

_CLAUSE = lazy_pattern(r"[,;!?:…]+(?:\s+|\Z)|(?<!\d)\.(?:\s+|\Z)|\s+[–-]\s+|\n+")
# What may be around the value in its clause.
_AROUND = words_in("""
it it's it’s its that's is was are were the a an on in at of right correct true
doch es ist sind war waren der die das dem den am im um bei richtig stimmt natürlich wieder
el la los las en a de del es son era eran sí finalmente
le les l du d des à au c'est c’est était bon juste finalement
""")
_ASKS = lazy_pattern(r"(?i)(?:is|are|was|were|ist|sind|war|waren|est)\b")
_FILLING = lazy_pattern(
    r"(?i)\b(?:i mean(?:t)?|as before|after all|wie vorher|como antes|al final|comme avant)\b"
)
_STOPS = " .,:;!?"
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
# Of a value that holds after all: no telling of the past.
_RIGHT = lazy_pattern(
    r"(?i)\b(?:was|were|war|waren|era|eran|estaban?|[ée]tai(?:t|ent)) (?:right|correct|true|richtig|bien|correct[oa]|just[eo]|bon)\b"
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
_ALSO = lazy_pattern(
    r"(?i)\b(?:(?<!^)also|too|as well|auch|zusätzlich|ook|aussi|anche|pure|tambi[eé]n|además|também)\b"
)


class SecondWord(NamedTuple):
    """The line that a second word makes of the line before it; ``is_plain``: nothing else is said beside it."""

    line: str
    is_plain: bool


def second_word(text: str, line: str, before: str = "") -> SecondWord | None:
    """Return the line that a message makes of the one just corrected from ``before``; None if it may be about something else."""
    own = own_text(text)
    rest = behind_opening(own)
    if not rest or not {"", IS_PAST}.issuperset(map(no_statement, own_sentences(own))):
        return None
    rest = with_whole_values(_FILLING.sub(",", rest), line)
    clauses = filter(None, map(methodcaller("strip", _STOPS), _CLAUSE.split(rest)))
    old, now = exchanged_words(before, line)
    made = ""
    # A name alone may be somebody who is called: `oh no, Tom!`
    is_plain = ValueKind.NAME not in map(attrgetter("kind"), values_in(old))
    reasons = []
    for clause in clauses:
        exchanged = _exchanged(clause, line, now)
        front, middle, behind = f" {clause} ".casefold().partition(f" {old} ".casefold())
        if old and middle and _is_bare(front, behind, line):
            exchanged = before
        if exchanged and not made:
            made = exchanged
        elif read(clause).values or exchanged:
            return None
        else:
            reasons.append(clause)
    if not made or made == line:
        return None
    return SecondWord(made, is_plain and all(map(partial(_is_incidental, line), reasons)))


def restores(text: str, old: str, new: str, on: date, *, by: str = "") -> bool:
    """Say whether a message plainly states what a line said before other words took its place, or claimed it, and nothing else.

    ``old`` is the line before, or only the words that ``by`` denies; ``new`` the line after, or the operator's words
    beside it. The message begins as a second word, denies the new value or says that it is as before. It has a
    replaced value or name and no other one, names the part of the line that has it, and nothing else.
    """
    own = own_text(text)
    behind = behind_opening(own)
    rest = with_whole_values(_RIGHT.sub(" ", behind or own), old)
    stated = list(map(no_statement, own_sentences(own)))
    if not stated or any(stated) or _is_of_else(rest, f"{old} {by}", on):
        return False
    gone = _replaced_in(rest, old, new, on)
    untrue = "; ".join(denied(rest))
    denies_new = has_one(read(untrue, on).values, read(new, on)) or words_shared(untrue, new)
    if not gone or not (behind or AS_BEFORE.search(rest) or denies_new):
        return False
    others = telling(UNIT.sub(" ", AS_BEFORE.sub(" ", rest)))
    others -= shared_with(others, telling(f"{old} {by}"))
    others -= telling("; ".join(denied(text))) & telling(new)
    if not set(filter(str.isalpha, others)) <= _BESIDE or not _is_of_its_part(rest, old, gone, on):
        return False
    is_named = words_shared(old, new) and words_shared(f"{old} {new}", rest)
    return not is_named or bool(words_shared(new, rest))  # not the other price of the line


def _is_of_else(text: str, line: str, on: date) -> bool:
    """Say whether a text adds something to a line, tells of the past, of what is left, or of somebody else."""
    signs = map(methodcaller("search", text), (_ALSO, _PAST, _LEFT))
    is_bound = _BOUND.search(AS_BEFORE.sub(" ", text)) is not None and _BOUND.search(line) is None
    if is_bound or any(signs) or is_of_outsider(Heard(text, "", "", on), line):
        return True
    changed = filter(methodcaller("endswith", "ed"), set(words(text)).difference(words(line)))
    return not words_shared(line, line).isdisjoint(map(english_stem, changed))  # `lived` beside `lives`


def _is_of_its_part(text: str, line: str, gone: AbstractSet[str], on: date) -> bool:
    """Say whether a text is about the part of a line that has what was replaced: `Room 9 costs 65` is not about that of room 7."""
    spoken = _items(text, on) - gone
    own: set[str] = set()
    beside: set[str] = set()
    most = 0
    for part in parts_of(line):
        items = _items(part, on)
        if items.isdisjoint(gone):
            beside |= items
            most = max(most, len(items & spoken))
        else:
            own |= items - gone
    is_of_another = bool((beside - own) & spoken and own - beside - spoken)
    return not is_of_another and len(own & spoken) >= most


def _items(text: str, on: date) -> set[str]:
    """Return the values and the words of a text, each in one form."""
    shown = map(attrgetter("shown"), read(text, on).values)
    return set(words_shared(text, text)).union(map(str.casefold, shown))


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
        if may_replace(came, value) and not has_one([came], was) and not has_one([value], now):
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


def is_only_about(text: str, line: str) -> bool:
    """Say whether a message names nothing, beside values, that a line does not: `the rent for the garage` is another one."""
    own = own_text(text)
    rest = behind_opening(own) or own
    for each in reversed(values_in(rest)):
        rest = f"{rest[: each.start]} {rest[each.end :]}"
    return telling(rest) <= telling(line)


def _is_bare(front: str, behind: str, line: str) -> bool:
    """Say whether a clause has only small words, and words of the line, around a value."""
    around = f"{front} {behind}".strip()
    return (
        _ASKS.match(front.strip()) is None
        and not denies(around)
        and _AROUND.union(words(line)).issuperset(words(around))
    )


def _exchanged(clause: str, line: str, changed: str) -> str:
    """Return the line with the value that a bare clause has in place of one: the one just changed, else the only one of its kind."""
    for spoken in (clause, clause.casefold()):  # `18 Uhr` and `18 uhr`; a word in capitals is no name
        bare = list(
            filter(lambda each: _is_bare(spoken[: each.start], spoken[each.end :], line), values_in(spoken))
        )
        if len(bare) == 1:
            gone = _giving_way(bare[0], line, changed)
            if gone is not None:
                return with_value(line, gone, bare[0])
    return ""


def _giving_way(came: Value, line: str, changed: str) -> Value | None:
    """Return the value of a line that another replaces: the one just changed, else the only one of its kind."""
    others = []
    for each in values_in(line):
        is_changed = bool(changed) and (each.text in changed or changed in each.text)
        if is_changed and (each.kind is came.kind or may_give_way(each, came)):
            return each
        if may_give_way(each, came):
            others.append(each)
    if len(others) != 1:
        return None
    return others[0]


def _is_incidental(line: str, clause: str) -> bool:
    """Say whether a clause says nothing of its own, or is about the line."""
    return (
        bool(words_shared(line, clause))
        or all(map(is_light, read(clause).items))
        or _AROUND.issuperset(words(clause))
    )
