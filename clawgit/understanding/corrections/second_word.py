"""A second word right after a correction: `no, 14:30`, `quatsch, doch der 12.12.`: a value, and nothing else that it may be about. Pure."""

from __future__ import annotations

from functools import partial
from operator import attrgetter, methodcaller
from typing import NamedTuple

from clawgit.memory.provenance.readings import with_whole_values
from clawgit.text.comparing.similarity import common_ends, words
from clawgit.text.comparing.subjects import telling
from clawgit.text.comparing.value_kinds import Value, ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.corrections.fitted_line import may_give_way, with_value
from clawgit.understanding.evidence.own_sentences import (
    IS_PAST,
    denies,
    no_statement,
    own_sentences,
    own_text,
)
from clawgit.understanding.evidence.said_words import is_light, read
from clawgit.understanding.evidence.says_beyond import words_shared
from clawgit.understanding.evidence.taking_back import behind_opening

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
    old, now = _difference(before, line)
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


def is_only_about(text: str, line: str) -> bool:
    """Say whether a message names nothing, beside values, that a line does not: `the rent for the garage` is another one."""
    own = own_text(text)
    rest = behind_opening(own) or own
    for each in reversed(values_in(rest)):
        rest = f"{rest[: each.start]} {rest[each.end :]}"
    return telling(rest) <= telling(line)


def _difference(before: str, line: str) -> tuple[str, str]:
    """Return the words of the line before that another replaced, and the replaced ones of the line."""
    was = before.split()
    now = line.split()
    first, behind = common_ends(was, now)
    old = " ".join(was[first : len(was) - behind])
    new = " ".join(now[first : len(now) - behind])
    return old.strip(_STOPS), new.strip(_STOPS)


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
