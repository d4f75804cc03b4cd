"""A line with the one new value of a message where it fits, for the operator's yes. Pure."""

from __future__ import annotations

import re
from functools import partial
from itertools import filterfalse, product, repeat
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from clawgit.memory.entries.statements import row_statements, says_changed, without_order
from clawgit.memory.provenance.contrasts import COUNTED, in_capitals, is_shared, with_number, without_adverb
from clawgit.memory.provenance.readings import (
    denies_value,
    is_of_another_count,
    value_exchanged,
    with_whole_values,
)
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.value_kinds import BOUND, Value, ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.secrets import redact
from clawgit.text.words.terms import english_stem
from clawgit.text.words.word_lists import MONTHS, UNIT, WEEKDAYS
from clawgit.understanding.evidence.numbered_things import is_of_another_noun
from clawgit.understanding.evidence.own_sentences import clauses, denied, denies, no_statement
from clawgit.understanding.evidence.said_values import NUMBERS
from clawgit.understanding.evidence.said_words import (
    ANY_DAY,
    BESIDES,
    is_light,
    lacking,
    names_another_thing,
    read,
)
from clawgit.understanding.evidence.says_beyond import (
    AT_HOUR,
    BEHIND_HOUR,
    Heard,
    has_one,
    is_of_outsider,
    is_of_somebody_else,
    telling_sentences,
    words_shared,
)
from clawgit.understanding.evidence.taking_back import behind_opening
from clawgit.understanding.forms.sentence_forms import FROM_NOW_ON, INCIDENTAL, OF_MANY, TO_COME
from clawgit.understanding.forms.user_words import tells_of_himself

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_DAY = lazy_pattern(r"(?<!\d)\d{1,2}(?!\d)")
_DIGITS = lazy_pattern(r"\d(?:[\d.,'’]*\d)?")
_CLOCK = lazy_pattern(r"\d{1,2}[:.]\d\d")
_PART_ENDS = lazy_pattern(
    r"(?:[;()（）]|,(?!\d)|(?<!\d),)\s*|\s[–—/]\s|(?<=[^\W\d_]{3})(?<!\bMrs)(?<!\bProf)\.\s+|\s(?:and|und|y|e|et)\s"
)
_NUMBER_BEHIND = lazy_pattern(r" (?P<number>\d+)\Z")  # of a name: `Pitch 4`
_WAS = lazy_pattern(r"(?i)\b(?:was|were|had|wurden?|war|waren|hatten?|fue|era|était|foi|werd)\b")
_OF = lazy_pattern(r"['’]s\b")
_OWNER = lazy_pattern(r"\b[^\W\d_]+['’]s (?=\w)")
_NUMBERS = "0123456789,. "
_NUMBER_WORDS = lazy_pattern(rf"(?i)\b(?:{'|'.join(filter(str.isalpha, NUMBERS))})\b")
_RISES = lazy_pattern(
    r"(?i)\b(?:(?:go|goes|gone|went|put) (?:up|down)|ris(?:e|es|en)|rose|rais\w+|increas\w+|drop(?:s|ped)|steig\w*|gestiegen|erhöh\w*|sink\w*|gesunken|senk\w*|sub[eiío]\w*|baj\w+|augment\w*|baiss\w*|aument\w*|diminu\w*|stijg\w*|gestegen|daalt|omhoog|omlaag|more|less|mehr|weniger|más|menos|over|open|left|spent)\b"
)
_UP_TO = lazy_pattern(r"(?i)(?:\b(?:to|auf|zu|a|à|au|al|naar|até|para)|→)\s*(?:[$€£]\s*)?$")
_BOUND = lazy_pattern(rf"(?i)\b(?:{BOUND})\b")
_WRITTEN_HOUR = lazy_pattern(r"(?<![\d:.])(\d{1,2})([:.])(\d\d)(?![\d:.]*\d| ?[ap]\.?m)")
_HOURS = dict(filter(lambda item: 0 < item[1] <= 12, NUMBERS.items()))
_SPOKEN_HOUR = lazy_pattern(
    rf"(?i)\b(?:(?P<at>{AT_HOUR})|not|nicht|no|non|pas|niet) (?:(?:{AT_HOUR}) )?(?P<time>(?P<hour>1[0-2]|[1-9]|{'|'.join(filter(str.isalpha, _HOURS))})(?:[ :.](?P<minutes>[0-5]\d))?)(?={BEHIND_HOUR})"
)
_HALF_DAY = 720  # minutes
_RANGE = lazy_pattern(r"\d\s?[–-]\s?\d")
_HALF = lazy_pattern(r"(?i)\W+(?:(?:y|e|et|and)\s+)?(?:a\s+half|media|medio|mezz[ao]|demie?|einhalb)\b")
_COUNTED_THING = lazy_pattern(r"\s+(?P<thing>[^\W\d_]{3,})")
_LIMIT = lazy_pattern(  # from when, until when, for whom
    r"(?i)\b(?:from|starting|as of|until|till|for|in|on|at|during|except|when|next|this|only|ab|bis|für|im|während|außer|wenn|pour|dès|pendant|sauf|[àa] partir d[eu]|quand|para|desde|hasta|durante|salvo|cuando)\s+(?:(?!\b(?:(?:an)?statt|instead|rather|not|nicht|au lieu|en (?:lugar|vez))\b)[^,;:!?])+"
)
_ANY_DAYS = (ANY_DAY, ANY_DAY.replace(month=7))  # `the 1st` is in January on one of them alone
_SHORT_DAYS = (
    "mon?|tue|wed|thu|fri?|sa[tmb]?|sun|dim?|mi|dom?|so|mar?|wo|vr|za|zo|lun|mer|jeu|ven|mié|jue|vie|sáb|gio"
)
_WEEKDAY_BEFORE = lazy_pattern(
    rf"(?i)\b(?:{'|'.join(WEEKDAYS)}|{_SHORT_DAYS})[\s.,|(]*(?:(?:den|the|le|el|il|de)\s+)?$"
)
_CONTRAST = lazy_pattern(
    r"(?i)\A(?P<new>[^,;.!?]+),? (?:and )?(?:not|nicht|pas|no|non|niet|inte|ikke|nie) (?P<old>[^,;.!?]+)[.!]*\Z"
)
_DENIED_BEHIND = lazy_pattern(
    r"(?i)(?:,| and| und| y| et)? (?:not|nicht|pas|no|non|niet) [^,;.!?]+(?P<stop>[.!]*)\Z"
)
_ARTICLE = r"(?:(?:the|my|our|an?|der|die|das|mein\w*|unser\w*|la|le|les|el|il|mi|mon|ma)\s+)?"
MOST_CAME = 6  # words
_SET_AGAINST = lazy_pattern(
    r"(?i)\b(?:not|nicht|no|pas|non) (?:(?:on|at|in|am|um|im|le|el) )?(?P<gone>[^,;.!?]+?)(?:[,;.]|,? (?:but|sondern|sino|mais)| [-–—]) (?:(?:on|at|in|am|um|im|le|el) )?\Z"
)
_ENDS_THERE = lazy_pattern(r"(?i)(?:,? (?:sorry|i mean\w*))?\W*")
_DATES = (ValueKind.DATE, ValueKind.ORDINAL)
_DAYS = (ValueKind.WEEKDAY, ValueKind.DATE, ValueKind.TIME, ValueKind.ORDINAL)


def fitted_line(statement: str, message: str, about: str = "") -> str:
    """Return a line with a message's only new value in place of one of its kind; empty if that is unclear.

    The place is that of the value which the message denies, else the only one. ``about`` is the text above the line.
    """
    sentences = telling_sentences(message)
    if row_statements(statement) != [statement] or not {""}.issuperset(map(no_statement, sentences)):
        return ""
    whole = FROM_NOW_ON.sub("", " ".join(sentences))
    line = _line_contrasted(statement, whole)
    if line and not has_stale_weekday(statement, line, whole):
        is_more = any(is_of_later_or_more(each, statement, line, about) for each in sentences)
        return "" if is_more else line
    text = with_whole_values(behind_opening(whole) or whole, statement)
    exchange = _exchange(statement, text, about)
    if exchange is None and (says_changed(whole) or denies(whole)):
        exchange = _name_exchange(statement, text)
    if exchange is None:
        return ""
    gone, came = exchange
    line = with_value(statement, gone, came)
    if line == statement or redact(line) != line or _HALF.match(text, came.end):
        return ""
    is_named = not _lacks(text, f"{statement} {came.text}")  # `no, at 9`
    for sentence in sentences:
        if came.text not in with_whole_values(sentence, statement):
            continue
        if is_of_later_or_more(sentence, statement, line, about):
            return ""
        is_named = is_named or bool(_naming(f"{statement} {about}", sentence))
    is_of_another = is_shared(statement, (gone.start, gone.end), text)
    is_of_another = is_of_another or is_of_outsider(Heard(text, "", "", ANY_DAY), statement)
    if not is_named or is_of_another or _tells_another(statement, text, exchange, about):
        return ""
    if has_stale_weekday(statement, line, text):
        return ""
    return line


def _line_contrasted(statement: str, text: str) -> str:
    """Return a line with A in place of B if a text says its beginning word for word: `the key is in A, not B`."""
    contrast = _CONTRAST.match(text)
    gone = contrast and re.search(rf"(?i)(?<!\w){re.escape(contrast['old'])}(?!\w)", statement)
    if contrast is None or gone is None or values_in(gone[0]):
        return ""  # a value has its own rules
    head = statement[: gone.start()]
    tail = statement[gone.end() :]
    begins = r"\W+".join(map(re.escape, re.sub(rf"(?i)\A{_ARTICLE}", "", head).split()))
    behind = re.match(rf"(?i)\W*{_ARTICLE}{begins}\W+(?P<came>.+)", contrast["new"])
    if not begins or behind is None:
        return ""
    came = re.sub(rf"(?i)\s+{re.escape(tail.strip(' .'))}\Z", "", behind["came"])
    line = f"{head}{came}{tail}"
    if len(came.split()) > MOST_CAME or redact(line) != line:
        return ""
    return line


def without_label(sentence: str) -> str:
    """Return the words behind a label that says nothing itself: `Correction: …`."""
    label, _, rest = sentence.partition(": ")
    if rest and not read(label).items:
        return rest
    return sentence


def line_said_whole(statement: str, message: str, about: str = "") -> str:
    """Return the only sentence of a message with values if it says all of a line, and no more, with other values; its denial of old ones is left out."""
    sentences = list(filter(lambda each: read(each).values, telling_sentences(message)))
    if len(sentences) != 1 or no_statement(sentences[0]):
        return ""
    sentence = without_label(FROM_NOW_ON.sub("", sentences[0]).strip(" ,"))
    own = without_order(without_adverb(behind_opening(sentence) or sentence))
    own = own[:1].upper() + own[1:]
    line = _DENIED_BEHIND.sub(r"\g<stop>", own)
    stated = read(statement)
    spoken = read(line)
    missing = lacking(stated, spoken)
    fresh = lacking(spoken, stated)
    gone = list(filter(lambda value: value.shown in missing, stated.values))
    came = list(filter(lambda value: value.shown in fresh, spoken.values))
    if not gone or not len(gone) == len(missing) == len(came) or lacking(read(own), stated) != fresh:
        return ""
    new = _values(line)
    for value in _values(statement):
        is_there = _folded(value) in map(_folded, new)
        fits = partial(_fits, statement=statement, text=line)
        if not (is_there or any(map(fits, product([value], new)))):
            return ""
    beside = set(fresh).difference(map(attrgetter("shown"), came))
    with_values = f"{statement} {' '.join(map(attrgetter('shown'), came))}"
    if not all(map(is_light, beside)) or is_of_later_or_more(sentences[0], statement, with_values, about):
        return ""
    is_past = _WAS.search(line) and not _WAS.search(statement)
    if is_past or denies(line) != denies(statement) or tells_of_himself(line) != tells_of_himself(statement):
        return ""
    return line


def with_hours_as_in(statement: str, message: str) -> str:
    """Return a message with its spoken hours in the form of a line's only time, on the half of the day nearer to it: `at 8, not 7 30` beside `19:30`."""
    times = _WRITTEN_HOUR.findall(statement)
    if len(times) != 1 or "".join(times[0]) in message:
        return message
    hour, sign, minutes = times[0]
    old = int(hour) * 60 + int(minutes)
    for match in reversed(list(_SPOKEN_HOUR.finditer(message))):
        spoken = match["hour"].lower()
        moment = (int(_HOURS.get(spoken, spoken)) * 60 + int(match["minutes"] or 0)) % _HALF_DAY
        if match["at"] or moment == old % _HALF_DAY:
            moment = min(moment, moment + _HALF_DAY, key=lambda each: abs(each - old))
            written = f"{str(moment // 60).zfill(len(hour))}{sign}{moment % 60:02}"
            message = message[: match.start("time")] + written + message[match.end("time") :]
    return message


def fitting_best(message: str, statements: Iterable[str]) -> str:
    """Return the statement in which a message's new value has a place and that has most words of it; empty if two have as many."""
    best: list[str] = []
    most = 0
    for statement in statements:
        shared = len(_naming(statement, message))
        if not shared or shared < most or not fitted_line(statement, message):
            continue
        if shared > most:
            best.clear()
        best.append(statement)
        most = shared
    if len(best) != 1:
        return ""
    return best[0]


def _exchange(statement: str, text: str, about: str) -> tuple[Value, Value] | None:
    """Return the value of a statement that gives way, and the only new one of a text that may stand there."""
    theirs = _values(statement)
    stated = set(map(_folded, (*theirs, *_values(about))))
    given = read(f"{statement} {about}")  # `3 February` is `2026-02-03`
    fresh = []
    denied_values = set()
    repeated = set()
    for value in _values(text):
        is_given_day = value.kind is ValueKind.DATE and has_one(read(value.text).values, given)
        if _is_denied(value, text):
            denied_values.add(_folded(value))
        elif is_given_day or _folded(value) in stated:
            repeated.add(_folded(value))
        else:
            fresh.append(value)
    pairs = []
    for gone, came in product(theirs, fresh):
        if _folded(gone) not in repeated - denied_values and _fits((gone, came), statement, text):
            pairs.append((gone, came))
    if len(set(map(_folded, map(itemgetter(1), pairs)))) != 1:
        return None
    pairs = list(dict(pairs).items())  # said twice
    if denied_values:
        pairs = list(filter(lambda pair: _folded(pair[0]) in denied_values, pairs))
    if len(pairs) != 1 or (not denied_values and _names_another_part(statement, text, pairs[0][0])):
        return None
    return pairs[0]


def _name_exchange(statement: str, text: str) -> tuple[Value, Value] | None:
    """Return the name in a statement that gives way to the only new one of a text that tells of a change: the denied one, else, where neither has a value that may belong to a name, the only one that it does not repeat."""
    theirs = _names(statement)
    own = set(words(statement))
    fresh = list(filter(lambda name: own.isdisjoint(_words_of(name)), _names(text)))
    untrue = set(words(_untrue(text)))  # `not Nuria`, of Nuria Blasco
    old = []
    for name in theirs:
        if _is_denied(name, text) or not untrue.isdisjoint(_words_of(name)):
            old.append(name)
    for name in filter(partial(_is_denied, text=text), _names(text)):
        places = list(re.finditer(rf"\b{re.escape(name.text)}\b", statement))
        if len(places) > 1:
            return None
        # it begins the line, or ends `Julie Perrin`
        if places and list(map(attrgetter("end"), old)) in ([], [places[0].end()]):
            old = [name._replace(start=places[0].start(), end=places[0].end())]
    is_german = read(text).is_german
    if not old and not is_german and not _values(f"{statement}; {text}"):
        spoken = set(words(_OF.sub("", text)))
        old = list(filter(lambda each: spoken.isdisjoint(_words_of(each)), theirs))
        parts = _PART_ENDS.split(statement)
        around = [part.replace(each.text, "") for each in old for part in parts if each.text in part]
        if not any(words_shared(part, text) for part in around):
            return None
    if len(fresh) != 1 or len(old) != 1:
        return None
    if is_german and not _are_opposed(old[0].text, fresh[0].text, text):
        return None  # its nouns look like names
    return old[0], fresh[0]


def _are_opposed(old: str, new: str, text: str) -> bool:
    """Say whether a German text sets two words directly against each other: `nicht in Leipzig, sondern in Dresden`."""
    gone = re.escape(old)
    came = re.escape(new)
    form = rf"(?i)\bnicht (?P<lead>\w+ )?{gone},? sondern (?P=lead)?{came}|(?P<head>\w+ )?{came},? nicht (?P=head)?{gone}"
    return re.search(form, text) is not None


def _names(text: str) -> list[Value]:
    return list(filter(lambda value: value.kind is ValueKind.NAME, values_in(text)))


def _words_of(name: Value) -> Sequence[str]:
    """Return the words of a name without its title: Dr. Kahn and Dr. Weber share none."""
    return words(name.text.rpartition(". ")[2])


def _folded(value: Value) -> str:
    """Return a value in the form in which it is compared: `$12` is `12`."""
    digits = _DIGITS.search(value.text)
    if digits is not None and value.kind in COUNTED:
        return digits[0]
    return value.text.casefold()


def _is_denied(value: Value, text: str) -> bool:
    if "→" in text:  # `from 900 to 950`, as `with_whole_values` has it
        return f"{value.text} →" in text
    if _is_set_against(value, text):
        return False
    return denies_value(value.text, text) or _is_behind_denial(value, text)


def _is_set_against(value: Value, text: str) -> bool:
    """Say whether a text ends with a value right behind a denied one of its kind: `not Mondays, Tuesdays`."""
    before, _, rest = text.rpartition(value.text)
    gone = _SET_AGAINST.search(before)
    if gone is None or not _ENDS_THERE.fullmatch(rest):
        return False
    values = values_in(gone["gone"])
    return len(values) == 1 and (values[0].text, values[0].kind) == (gone["gone"], value.kind)


def _is_behind_denial(value: Value, text: str) -> bool:
    of_kind = r"\w"  # no Anna of `not Hannah`
    if value.kind is not ValueKind.NAME:
        of_kind = r"\d"  # no 3 of `not shelf 13`
    whole = rf"(?<!{of_kind}){re.escape(_folded(value))}(?!{of_kind})"
    return re.search(whole, _untrue(text).casefold()) is not None


def _untrue(text: str) -> str:
    """Return the denied words of a text: of `not Bauer's adviser`, not Bauer."""
    return _OWNER.sub("", "; ".join(denied(text)))


def _names_another_part(statement: str, text: str, value: Value) -> bool:
    """Say whether a text has words of another part with a value, and none of that of this value."""
    is_named = False
    for part in _PART_ENDS.split(statement):
        shared = words_shared(part, text)
        if value.text in part and (shared or not words_shared(part, part)):
            return False
        is_named = is_named or bool(shared and _values(part))
    return is_named


def _tells_another(statement: str, text: str, exchange: tuple[Value, Value], about: str) -> bool:
    """Say whether the clause with the new value denies it, is of the past, tells of a rise by it, or has a word that the line lacks (`the garage rent` beside the rent), unless the text also names the old value as gone."""
    gone, came = exchange
    clause = text
    for each in clauses(text):
        if _folded(came) in each.casefold() and words_shared(statement, each):
            clause = each  # else it is of the words before it: `Ed's number changed, it's 555 01`
    if names_another_thing(clause, f"{statement} {about}"):
        return True
    is_rise = came.kind in COUNTED and _RISES.search(clause)
    is_of_before = (is_rise or _WAS.search(clause)) and not _UP_TO.search(text[: came.start])
    if (is_of_before and not _is_denied(gone, text)) or _is_behind_denial(came, text):
        return True
    is_named = gone.kind is ValueKind.NAME and _folded(gone) in text.casefold()
    is_most = 2 * len(words_shared(statement, text)) > len(words_shared(statement, statement))
    if is_most or not _DAY.fullmatch(gone.text):  # any line may have a 14
        is_named = is_named or _is_denied(gone, text)
    return not is_named and _lacks(clause, f"{statement} {about} {came.text}")


def _lacks(other: str, text: str) -> bool:
    """Say whether a text lacks a telling word of another, in any form."""
    stems = words_shared(text, text)
    for word in lacking(read(other), read(text)):
        stem = english_stem(word)
        is_month = word.rpartition(" ")[2] in MONTHS  # since when it is so
        is_telling = any(map(str.isalpha, word)) and not (is_month or is_light(word) or stem in INCIDENTAL)
        if is_telling and stem not in stems:
            return True
    return False


def _values(text: str) -> list[Value]:
    """Return the values of a text without names: of `Pitch 4` its number, and number words too; no part of a range."""
    values = []
    for value in values_in(text):
        place = value
        if value.kind is ValueKind.NAME:
            number = _NUMBER_BEHIND.search(value.text)
            if number is None:
                continue
            start = value.start + number.start("number")
            place = Value(ValueKind.NUMBER, number["number"], start, value.end)
        around = text[max(0, place.start - 2) : place.end + 2]
        if place.kind is not ValueKind.NUMBER or not _RANGE.search(around):
            values.append(place)
    for word in _NUMBER_WORDS.finditer(text):
        over = filter(lambda each: each.start < word.end() and word.start() < each.end, values)
        if not any(over):
            values.append(Value(ValueKind.NUMBER, word.group(), word.start(), word.end()))
    return values


def _fits(exchange: tuple[Value, Value], statement: str, text: str) -> bool:
    """Say whether a value of a text may stand in the place of a statement's, and counts the same thing if either counts one."""
    gone, came = exchange
    if not may_give_way(gone, came) or _BOUND.findall(gone.text) != _BOUND.findall(came.text):
        return False  # `up to 34 minutes` would lose what it says
    if gone.kind not in (came.kind, ValueKind.AMOUNT, ValueKind.NUMBER) and not _naming(statement, text):
        return False  # `15` alone is the price, not the size
    counted = _COUNTED_THING.match(text, came.end)
    is_count = came.kind is ValueKind.NUMBER and counted is not None and not is_light(counted["thing"])
    if is_count and gone.kind is not ValueKind.NUMBER:
        return False  # `22 beds` are no 22 euros
    is_in_its_unit = gone.text.strip(_NUMBERS) == came.text.strip(_NUMBERS)
    if {gone.kind, came.kind} == {ValueKind.MEASURE} and not is_in_its_unit:
        return False  # `8 kg` of dog are no 180 g of food
    is_of_another = is_of_another_noun(text, statement, came.text, gone.text)
    return not (is_of_another or is_of_another_count(statement, gone, came, text))


def _naming(part: str, text: str) -> set[str]:
    """Return the shared words but those that any line may have: `start`."""
    return set(filterfalse(is_light, words_shared(part, text))) - INCIDENTAL


def has_stale_weekday(old: str, new: str, text: str) -> bool:
    """Say whether a date changes and the weekday right before it stays unsaid by a text, or the weekday changes alone."""
    for gone in values_in(old):
        before = old[: gone.start]
        word = _WEEKDAY_BEFORE.search(before)
        if gone.kind not in _DATES or word is None or new.startswith(before + gone.text):
            continue
        if new.startswith(before):
            return words(word[0])[0] not in words(text)
        if new.startswith(before[: word.start()]) and gone.text in new[word.start() :]:
            return True
    return False


def may_give_way(gone: Value, came: Value) -> bool:
    """Say whether a value may replace another: the same kind, or a number beside a counted thing."""
    is_number = {gone.kind, came.kind} <= COUNTED and ValueKind.NUMBER in (gone.kind, came.kind)
    is_of_kind = gone.kind is came.kind or is_number
    return is_of_kind and gone.kind is not ValueKind.NAME and gone.text.casefold() != came.text.casefold()


def with_value(line: str, gone: Value, came: Value) -> str:
    """Return a line with a value in place of another, in the form that the line has."""
    new = came.text
    number = NUMBERS.get(new.lower())
    if number is not None and gone.text[-1:].isdigit():
        new = str(number)
    elif gone.kind is ValueKind.NUMBER and came.kind in COUNTED:
        new = "".join(_DIGITS.findall(new)[:1]) or new
    elif gone.kind in COUNTED:
        new = with_number(gone.text, new)
    for shape in (_DAY, _CLOCK):  # `18:45 Uhr` keeps its word, a date its month
        if shape.fullmatch(new) and len(shape.findall(gone.text)) == 1:
            new = shape.sub(new, gone.text)
    unit = gone.text.rpartition(" ")[2]
    if new.lower().endswith(f" {unit.lower()}"):  # `18 uhr`, typed in haste
        new = new[: -len(unit)] + unit
    if gone.kind is not ValueKind.TIME:
        new = in_capitals(new, gone.text)
    return line[: gone.start] + new + line[gone.end :]


def is_of_later_or_more(sentence: str, statement: str, line: str, about: str) -> bool:
    """Say whether a sentence tells of later, adds something, has a name or a limit in none of the other texts, or is about another person."""
    source = f"{line} {about}"
    if _is_to_come(sentence, statement, line) or limits(sentence, statement, source):
        return True
    reading = read(sentence)
    strange = reading.names.intersection(lacking(reading, read(f"{source} {statement}")))
    if not all(map(is_light, strange.difference(MONTHS))) or BESIDES.search(reading.plain):
        return True
    return is_of_somebody_else(sentence, statement)


def limits(text: str, *others: str) -> bool:
    """Say whether a text limits its value to a time or a case that the other texts lack (`from January`, `for new tenants`), or tells of many things."""
    if OF_MANY.search(text) and not any(map(OF_MANY.search, others)):
        return True
    text = FROM_NOW_ON.sub("", text.rpartition(": ")[2])  # `Correction for the file: …`
    for match, on in product(_LIMIT.finditer(text), _ANY_DAYS):
        for item in lacking(read(match.group(), on), *map(read, others, repeat(on))):
            if not is_light(item) and any(map(str.isalpha, item)) and UNIT.fullmatch(item) is None:
                return True
    return False


def _is_to_come(text: str, old: str, new: str) -> bool:
    """Say whether a text says what a line's value will be, not what it is: no day or time, and the old value is not denied."""
    if TO_COME.search(text) is None or TO_COME.search(old) or FROM_NOW_ON.search(text):
        return False
    values = value_exchanged(old, new)
    if values is None:
        return True
    return values[0].kind not in _DAYS and not denies_value(values[0].text, with_whole_values(text, old))
