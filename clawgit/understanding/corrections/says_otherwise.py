"""Whether a dated line gives another value or name for what an undated line of memory says. Pure.

A wrong mark misleads: plans, questions, single occasions, and words about other people's things are none.
"""

from __future__ import annotations

from operator import methodcaller
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.corrections.write_correction import EntryInFile
from clawgit.memory.entries.entries import Entry
from clawgit.memory.provenance.contrasts import exchanged
from clawgit.memory.provenance.readings import repeated_with_other_words, value_exchanged
from clawgit.text.comparing.value_kinds import ValueKind
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.terms import english_stem
from clawgit.text.words.word_lists import MONTHS, WEEKDAYS, words_in
from clawgit.understanding.corrections.correct_by_hand import one_value_changed
from clawgit.understanding.evidence.check_edit import Spoken
from clawgit.understanding.evidence.own_sentences import clauses, denies
from clawgit.understanding.evidence.said_words import lacking, read
from clawgit.understanding.evidence.says_beyond import (
    Heard,
    denies_value_of,
    is_of_outsider,
    repeats_value,
    replaces_value,
    telling_sentences,
    words_shared,
)
from clawgit.understanding.forms.sentence_forms import any_form

if TYPE_CHECKING:
    import re
    from datetime import date

# What was so on one occasion.
_ONCE = any_form(
    r"\b(?:was|were)\b(?! (?:\w+ed|set|put)\b)|\b(?:today|yesterday|tonight)['’]s\b",
    r"\btemporarily\b|\b(?:only|just) (?:today|tonight|this)\b|\bthis (?:once|time|week|month|morning|afternoon|evening)\b",
    r"\b(?:war|waren|ausnahmsweise|vorübergehend|diesmal|diese[nrs]? (?:woche|monat|mal)|fue|fueron|era|esta (?:noche|semana|tarde|vez)|este mes)\b",
)
# What may come to be so.
_PERHAPS = any_form(
    r"\b(?:could|might|maybe|perhaps|would|should|wants?|refused|rejected|reverted|rolled back|wrong|will|quiere|könnten?|vielleicht|sollten?|podr[íi]a\w*|quizás?|tal vez|deber[íi]a\w*)\b"
)
# It is so by now.
_NOW = any_form(
    r"\b(?:now|from now on|new|jetzt|nun|ab sofort|neu\w*|inzwischen|ahora|desde hoy|nuev[oa]s?)\b",
)
# The value before is over.
_OVER = any_form(
    r"\b(?:moved|changed|changes|switched|migrated|upgraded|raised|lowered|replaced|renamed|closed|retired|no longer|instead of|anymore)\b",
    r"\b(?:geändert|umgestellt|gewechselt|umgezogen|erhöht|gesenkt|statt|anstatt|geschlossen|nicht mehr)\b",
    r"\b(?:cambi(?:ó|ad[oa]|amos)|movid[oa]|cerrad[oa]|sub(?:ió|ido)|baj(?:ó|ado)|en (?:vez|lugar) de|ya no)\b",
)
# Headings of a note that narrow no line below them.
_ANY_NOTE = words_in("""
note notes log logs day today morning afternoon evening night work done todo decisions changes change updates update news misc session summary infra ops
notizen notiz tag heute morgen vormittag nachmittag abend arbeit erledigt änderungen neues sonstiges
notas nota día hoy mañana tarde noche trabajo hecho cambios novedades varios
""")
_DAYS = frozenset(map(english_stem, (*MONTHS, *WEEKDAYS, *(day[:3] for day in (*MONTHS, *WEEKDAYS)))))
_CLOSED = any_form(r"\b(?:closed|retired|gone|geschlossen|abgeschaltet|cerrad[oa])\b")
_FROM_TO = any_form(r"\b(?:from|von|de) (?P<old>\S+(?: \S+)??) (?:to|auf|zu|a) (?P<new>[\w.:/-]+)")
_ARTICLE = lazy_pattern(r"(?i)\A(?:the|our|my|der|die|das|unsere?|el|la|los|las|nuestr[oa]) ")
_EVENT = lazy_pattern(r"(?i)\W*\w+ed\b")  # `called Eva on Tuesday`


class Described(NamedTuple):
    """A line, and the headings above it."""

    text: str
    above: str = ""


def says_otherwise(line: Described, dated: Described, on: date) -> bool:
    """Say whether the dated line of a day states another value or name in place of one in ``line``."""
    text = " ".join(telling_sentences(dated.text))
    if not _is_for_good(text, line, on):
        return False
    if _is_below_another(line, dated) or not _has_first_word(line, dated):
        return False
    if _ends_value(line, text, on):
        return True
    is_other = _has_any(dated.text, _NOW, _OVER) or denies(text)
    if is_other and _repeats_with_another(line, text):
        return True
    if not is_other and _EVENT.match(text):
        return False  # `deployed on Thursday` beside `We deploy on Fridays`
    entry = EntryInFile("", Entry(None, line.text, None, 0, 1, 1), line.above)
    for changed in one_value_changed(Spoken(text, on), [entry]):
        if not _is_about_another_name(line.text, changed.statement, text):
            return True
    return False


def _is_for_good(text: str, line: Described, on: date) -> bool:
    is_once = not text or _has_any(text, _ONCE, _PERHAPS)
    return not (is_once or is_of_outsider(Heard(text, "", "", on), line.text))


def _is_about_another_name(statement: str, other: str, text: str) -> bool:
    """Say whether a name tells two subjects apart: it is before the end, and nothing denies the old one."""
    values = value_exchanged(statement, other)
    if values is None or values[0].kind is not ValueKind.NAME:
        return False
    return not statement.rstrip(" .!").endswith(values[0].text) and values[0].text not in text


def _has_any(text: str, *forms: re.Pattern[str]) -> bool:
    return any(map(methodcaller("search", text), forms))


def repeats(line: Described, dated: Described, on: date) -> bool:
    """Say whether the dated line is about the same and has the value of ``line``."""
    return bool(words_shared(line.text, dated.text)) and repeats_value(dated.text, line.text, on)


def _is_below_another(line: Described, dated: Described) -> bool:
    """Say whether a line that hardly names its subject is below the heading of another one: `retries are 5` below `Checkout`."""
    if len(words_shared(line.text, dated.text)) > 1:
        return False
    heading = read(dated.above)
    strange = set(lacking(heading, read(f"{line.text} {line.above}"))).intersection(heading.words)
    return any(word not in _ANY_NOTE and english_stem(word) not in _DAYS for word in strange)


def _has_first_word(line: Described, dated: Described) -> bool:
    """Say whether a line's first word of content is in the other one, or above it: `staging` is not, in `moved billing to port 8443`."""
    for word in line.text.split():
        if words_shared(word, word):
            return bool(words_shared(word, f"{dated.text} {dated.above}"))
    return True


def _repeats_with_another(line: Described, text: str) -> bool:
    """Say whether a text is the line with another name: `our accountant is Peter Lang now`."""
    again = " ".join(_NOW.sub("", text.partition(",")[0]).split())
    stated = _ARTICLE.sub("", line.text)
    other = repeated_with_other_words(stated, f"no, {_ARTICLE.sub('', again)}")
    return other != "" and not _is_about_another_name(stated, other, text)


def _ends_value(line: Described, text: str, on: date) -> bool:
    """Say whether a text has the line's value as the one before, and another in its place."""
    change = _FROM_TO.search(text)
    if change is not None:
        rest = exchanged(line.text, change["old"], "")
        is_made = _OVER.search(text) and not denies(text) and change["new"] not in line.text
        return rest is not None and bool(is_made and words_shared(f"{rest} {line.above}", text))
    is_gone = denies_value_of(Heard(text, "", "", on), line.text)
    for clause in clauses(text):
        is_gone = is_gone or (_CLOSED.search(clause) is not None and repeats_value(clause, line.text, on))
    if not is_gone or not words_shared(line.text, text):
        return False
    return replaces_value(text, line.text, on, alone=True)
