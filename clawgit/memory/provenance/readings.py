"""Which lines of a change are readings of the operator's messages; used by the fold and by writers of such lines."""

from __future__ import annotations

import re
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import Entry, marks_in, read_entries, with_mark
from clawgit.memory.entries.statements import (
    ASKED,
    own_words_of,
    parted,
    says_changed,
    sentences_of,
    without_order,
)
from clawgit.memory.provenance.contrasts import (
    COUNTED,
    MOST_EXCHANGED,
    OF_OTHERS,
    Around,
    contrasted,
    exchanged,
    is_shared,
    place_of,
    with_days_as_in,
    without_adverb,
)
from clawgit.memory.provenance.fold import earlier_wordings
from clawgit.memory.provenance.pieces import ENTRY, Piece, piece_of
from clawgit.text.comparing.similarity import without_accents, words
from clawgit.text.comparing.subjects import shared_with, subject, telling
from clawgit.text.comparing.value_kinds import Value, ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import split_lines
from clawgit.text.words.stopwords import ENGLISH, GERMAN, LANGUAGES, languages_of
from clawgit.text.words.word_lists import CAPITALS, FAR_MONTHS, MONTHS, SPACED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


_NOTHING = Piece("")
_NOT = r"(?:\b(?:not|never|no longer|instead of|rather than|from|nicht|kein\w*|statt|anstatt|vom?|pas|plus|non|nie|ne|не|niet|inte|ikke|não|ya no|en (?:vez|lugar) de|em vez de|au lieu de|invece d\w+|in plaats van|no(?= (?:el|la|las|los|a|al|de|del|en) )|(?<=, )no(?= \d))\b|n['’]t\b)"
_COSTS = "cost costs kostet kosten beträgt cuesta cuestan coûte coûtent costa costano"  # an amount says it without the verb
_NOT_IT = "아니|말고|じゃな|じゃあり|ではな|ではあり"
_DENIED = _NOT + (
    rf"\W+(?:\w+\W+){{0,2}}OLD(?!['’]s \w)|[不非没]是? ?每?OLD|OLD[^,.、。，]{{0,6}}(?:{_NOT_IT}|any ?more\b|any longer\b|nicht mehr\b)"
)
_REFUSED = _NOT + rf" (?:\w+ )?NEW|[不非没]是? ?每?NEW|NEW[^,.、。，]{{0,6}}(?:{_NOT_IT})"
_NOT_SO = lazy_pattern(
    r"(?P<said>.+?)(?:\s*[,;–—]+\s*|\s+)(?:(?i:and|und|y|et|a|а|en|och|og|e) )?(?i:not|nicht|no|pas|non|nie|ne|не|niet|inte|ikke|não) (?P<old>(?:[^,;.!?–—]|\.(?=\w))+?)[\s.!]*$"
)
_CLAUSE = lazy_pattern(r"[.;,]\s|\s(?:and|und|y|et|but|aber)\s")
_TOKEN = lazy_pattern(r"[^\s:*,.;!?]+(?:[.:,][^\s:*,.;!?]+)*|[:,;](?=[\s*]|$)")
_BE = lazy_pattern("(?i:is|ist|es|est|è|heißt|called)")
_IS_SO = lazy_pattern(r"(?i)\b(?:is|are|ist|sind|est|sont|es|son|están?|è|sono)\b")
_NO = r"(?i:no(?:pe)?|nein|non|neen?|nej|nei|não|actually|eigentlich)"
_IS_WRONG = lazy_pattern(rf"{_NO}\b")
_LETTERED = lazy_pattern(r"\b[^\W\d_]+ [A-Z]\b")
_NAME_BEFORE = rf"(?!{_NO}\b)[{CAPITALS}][\w.'’-]*\s*[,;–(]\s*(?i:{_NOT}\s+(?:\w+\s+)?OLD)"
_BOTH = r"OLD\W+(?:and|und|y|et) (?:\w+ )?NEW|NEW\W+(?:and|und|y|et) (?:\w+ )?OLD"
_DETERMINER = (
    r"\b(?P<word>eine?[mnrs]?|der|die|das|de[mns]|[mdsk]eine?[mnrs]?|unsere?[mnrs]?|im|zu[mr]|vom|beim)\s+"
)


def quotes_of(evidence: Iterable[str]) -> list[str]:
    return [item.partition(" ")[2].strip('"') for item in evidence]


def readings_among(added: Sequence[Piece], removed: Sequence[Piece], quotes: Sequence[str]) -> set[Piece]:
    """Return the entries that say in other words what is quoted."""
    earlier = earlier_wordings(added, removed)
    readings = set()
    for piece in added:
        old = earlier.get(piece, _NOTHING).words
        if piece.form == ENTRY and is_reading(piece.words, old, quotes):
            readings.add(piece)
    return readings


def with_signs(old: bytes, new: bytes, quotes: Sequence[str], corrections: Collection[Piece] = ()) -> bytes:
    """Return ``new`` with a sign in the marks of the added entries that are readings.

    ``corrections`` are those of the same change.
    """
    before = set(map(piece_of, read_entries(old)))
    entries = {piece_of(entry): entry for entry in read_entries(new)}
    added = list(filterfalse(before.__contains__, entries))
    removed = list(filterfalse(entries.__contains__, before))
    readings = readings_among([*added, *corrections], removed, quotes)
    lines = split_lines(new)
    for piece in added:
        _sign(lines, entries[piece], is_understood=piece in readings)
    return b"".join(lines)


def _sign(lines: list[bytes], entry: Entry, *, is_understood: bool) -> None:
    if entry.entry_id is not None:
        own, at = lines[entry.first : entry.last], entry.text_last - 1 - entry.first
        lines[entry.first : entry.last] = with_mark(own, at, entry.entry_id, is_understood=is_understood)


def without_signs(data: bytes, entry_ids: Collection[str]) -> bytes:
    if marks_in(data).isdisjoint(entry_ids):
        return data
    lines = split_lines(data)
    for entry in read_entries(data):
        if entry.entry_id in entry_ids:
            _sign(lines, entry, is_understood=False)
    return b"".join(lines)


def is_reading(statement: str, old: str, quotes: Iterable[str]) -> bool:
    """Say whether no quote makes the statement, which replaces ``old`` (empty: nothing), the operator's own."""
    for quote in quotes:
        if is_verbatim(statement, quote) or changes_one_value(old, statement, quote):
            return False
        if exchanges_words(old, statement, quote):
            return False
    return True


def is_verbatim(statement: str, quote: str, old: str = "") -> bool:
    """Say whether each sentence of a statement is verbatim a sentence of the quote, apart from an order to remember it.

    A denied ending (`…, not 35`) is ignored if the ``old`` statement has its value and this one does not.
    """
    own = own_words_of(parted(statement).statement)
    stated = list(map(words, sentences_of(own)))
    whole = []
    for sentence in sentences_of(quote):
        whole += [words(sentence), words(without_order(sentence))]
        denied = _NOT_SO.match(without_adverb(sentence)) if old else None
        if denied and place_of(old, denied["old"]) and not place_of(own, denied["old"]):
            whole.append(words(denied["said"]))
    return bool(stated) and all(sentence in whole for sentence in stated)


def changes_one_value(old: str, new: str, quote: str) -> bool:
    """Say whether a statement differs from an old one in one value, which the quote determines: its only new one of that kind.

    The quote must also have the old value, or the statement's whole topic. A repeated name, or one of several values, is
    replaced only if denied: in `no, Tom leads the Apollo team`, Apollo stays Apollo.
    """
    if not old:
        return False
    before, after = parted(old).statement, parted(new).statement
    exchange = value_exchanged(before, after)
    if exchange is None:
        return False
    gone, came = exchange
    before = own_words_of(before)
    quote = with_whole_values(quote, before, with_years=_YEAR.search(came.text) is not None)
    spoken = {value.text.casefold() for value in values_in(quote) if value.kind is came.kind}
    strange = {text for text in spoken if not _is_in(text, before)}
    is_refused = re.search(_REFUSED.replace("NEW", re.escape(came.text)), quote, re.IGNORECASE)
    is_unfit = is_shared(before, (gone.start, gone.end), quote) or _is_part_of_name(exchange, before, quote)
    if strange != {came.text.casefold()} or is_refused or is_unfit or _is_noun(came, quote, before):
        return False
    if gone.text.casefold() in spoken:
        rivals = [value for value in values_in(before) if value.kind is gone.kind]
        is_only = len(rivals) == 1 and gone.kind is not ValueKind.NAME
        is_denied = denies_value(gone.text, quote) and not _is_another_set_before(exchange, quote)
        places = (place_of(quote, came.text), place_of(quote, gone.text))
        if not is_denied and places[0] and places[1] and places[0] < places[1]:
            return False  # `it is 2508, no, still 2580`
        pair = _BOTH.replace("OLD", re.escape(gone.text)).replace("NEW", re.escape(came.text))
        if not is_denied and (not is_only or re.search(pair, quote, re.IGNORECASE)):
            return False
        behind = before[gone.end :].split()[:1]  # the `team` of `the Apollo team`
        return (
            not behind
            or _is_said_before(behind[0], came, quote)
            or not _is_said_before(behind[0], gone, quote)
        )
    if not OF_OTHERS.intersection(words(quote)).issubset(words(before)):
        return False  # `ihre Miete ist 950` beside `Die Miete beträgt 900`
    return has_topic(quote, before, gone)


def has_topic(text: str, statement: str, value: Value) -> bool:
    """Say whether a text has all content words of the clause that holds a statement's value, but those of the value itself.

    A part of the statement needs a sign of change (`now`, `no, …`) beside them, and a later one with a single word (`…, due on the
    3rd`) a word of those before it.
    """
    first = len(statement) - len(ASKED.sub("", statement, count=1))  # `Remember that …`
    start = first
    end = len(statement)
    for match in _CLAUSE.finditer(statement):
        if match.end() <= value.start:
            start = max(start, match.end())
        elif match.start() >= value.end:
            end = match.start()
            break
    own = subject(value.text) | subject(_COSTS)
    about = _content(statement[start:end]) - own
    if not about:  # a second part of a value: `Tuesday, April 14`
        start = first
        about = _content(statement[first:]) - own
    before = _content(statement[:start])
    for each in values_in(statement):
        before -= subject(each.text)
        if each.kind is ValueKind.FREQUENCY:  # `a month` is not what it is about
            about -= subject(each.text)
    spoken = subject(text)
    lettered = map(str.casefold, _LETTERED.findall(statement[start:end]))
    if not all(map(text.casefold().__contains__, lettered)):
        return False  # `plan C` is not plan A
    is_part = end - start < len(statement) - first and not _content(statement[first:]) - own <= spoken
    if (
        is_part
        and without_adverb(text) == text
        and not denies_value(value.text, text)
        and not says_changed(text)
    ):
        return False  # `we have 15 chairs at home` beside `We have 12 chairs, 3 tables`
    if len(about) < 2 and start > first and before.isdisjoint(spoken):
        return False
    return bool(about) and about <= spoken


def _is_another_set_before(exchange: tuple[Value, Value], quote: str) -> bool:
    """Say whether a quote sets another name than the new one before the denied one: `Doctor: Dr. Ray, no longer Dr. Low, she is in Leeds`."""
    gone, came = exchange
    match = re.search(_NAME_BEFORE.replace("OLD", re.escape(gone.text)), quote)
    return gone.kind is ValueKind.NAME and match is not None and came.text not in quote[: match.end()]


def _is_part_of_name(exchange: tuple[Value, Value], before: str, quote: str) -> bool:
    """Say whether a name would take the place of another kind of name, or of the end of one: `Elm Road 12` of a town, `via Chiara` of `via del Fosso`."""
    gone, came = exchange
    if gone.kind is not ValueKind.NAME:
        return False
    if (_NUMBER.search(gone.text) is None) != (_NUMBER.search(came.text) is None):
        return True
    place = place_of(quote, came.text)
    *_, last = words(quote[: place[0]] if place else "") or [""]
    own = words(before[: gone.start])
    while own and own[-1] in _GRAMMAR and own[-1] != last:
        own.pop()
    return bool(own) and own[-1] == last and not before[: gone.start].casefold().rstrip().endswith(last)


def _content(text: str) -> frozenset[str]:
    """Return the words of a text without the grammar of its language, all if there is nothing else."""
    topic = subject(text)
    return topic.difference(*languages_of(text.lower().split())) or topic


def exchanges_words(old: str, new: str, quote: str, around: Around | None = None) -> bool:
    """Say whether a statement is the old one with other words in one place, as a sentence of the quote says that denies the old ones.

    ``around``, if it is not judged yet whether the sentence is about it.
    """
    before, after = parted(old).statement, own_words_of(parted(new).statement)
    wordings = []
    for sentence in sentences_of(quote):
        wordings += [contrasted(before, sentence, around), repeated_with_other_words(before, sentence)]
    return after in wordings


def repeated_with_other_words(statement: str, sentence: str) -> str:
    """Return the statement as repeated with other words in one place behind its subject (`no, the bulbs are in the red box`), else empty.

    It must replace one value, or one word behind `is` and before another word: `no, our van is broken` answers something else.
    """
    repeated = without_adverb(sentence)
    own = own_words_of(statement)
    if repeated == sentence:
        return ""  # nothing says that the statement is wrong
    stated = list(_TOKEN.finditer(own))
    spoken = list(_TOKEN.finditer(repeated))
    first = 0
    while first < min(len(stated), len(spoken)) and _is_same(stated[first], spoken[first]):
        first += 1
    for size in range(1, min(MOST_EXCHANGED, len(stated) - first, len(spoken) - first) + 1):
        tail = spoken[first + size :]
        behind = stated[first + size : first + size + len(tail)]
        if len(behind) != len(tail) or not all(map(_is_same, behind, tail)):
            continue
        old = own[stated[first].start() : stated[first + size - 1].end()]
        new = repeated[spoken[first].start() : spoken[first + size - 1].end()]
        before = own[: stated[first].start()]
        is_value = _is_one_value(old) and _is_one_value(new) and (tail or first + size == len(stated))
        is_word = (
            size == 1
            and tail
            and _IS_WRONG.match(sentence)
            and _IS_SO.search(before)
            and not values_in(f"is {old}; is {new}")
        )
        if (is_value or is_word) and subject(before) and re.search(_NOT, new, re.IGNORECASE) is None:
            return exchanged(own, old, new) or ""
        break
    return ""


def _is_one_value(text: str) -> bool:
    return list(map(attrgetter("text"), values_in(f"is {text}"))) == [text]


def _is_same(one: re.Match[str], other: re.Match[str]) -> bool:
    """Say whether two words are equal, or a label's colon and `is`."""
    pair = (one[0].casefold(), other[0].casefold())
    return pair[0] == pair[1] or (pair[0] == ":" and _BE.fullmatch(pair[1]) is not None)


def denies_value(value: str, quote: str) -> bool:
    if value.casefold() not in quote.casefold():
        return False  # a pattern for each value is slow
    return re.search(_DENIED.replace("OLD", re.escape(value)), quote, re.IGNORECASE) is not None


_COUNTED = lazy_pattern(r"['’\s]+(?P<word>[^\W\d_]+)")
SMALL = ENGLISH | GERMAN
_GRAMMAR = frozenset[str]().union(*LANGUAGES)
_BEHIND_NUMBER = SMALL | {"instead", "rather", "statt", "anstatt"}
_WITH_UNIT = (ValueKind.AMOUNT, ValueKind.SHARE, ValueKind.DURATION, ValueKind.MEASURE)
_NUMBER = lazy_pattern(r"\d(?:[\d,.]*\d)?")
_ENDS_CLAUSE = lazy_pattern(r"\s*(?:[.,;:!?)→，。；！？、]|$)")
_FROM = r"(?i)(?P<from>\b(?:from|vo[nm]|del?|desde|du|dal?|van) OLD) (?:to|auf|zum|à|au|al?|naar) (?=\d)"
_PLANNED = lazy_pattern(
    r"(?i)\b(?:want\w*|plan\w*|tr(?:y|ied|ies)|would|could|might|almost|but|aber|woll\w*|fast|quer\w*|quis\w*|pero|vou[ld]\w*|mais)\b"
)
_DAY_OF_DATE = lazy_pattern(r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?!\d)")
_ARTICLE_OF_DAY = lazy_pattern(r"(?i)\b(?:el(?: d[ií]a)?|il(?: giorno)?|le|am) \Z")
_YEAR = lazy_pattern(r"(?:,? (?:de )?)?\b(?P<year>(?:19|20)\d\d)\b")
_MONTH_NUMBER = lazy_pattern(r"\A(?:\d{4}-|\d{1,2}\.)(\d{1,2})[-.]")


def with_whole_values(quote: str, statement: str, *, with_years: bool = True) -> str:
    """Return a quote with values as the statement has them: `not 412` of 412 euros, `the 4th` of a date, its year, `Mondays`."""
    quote = with_days_as_in(statement, quote)
    counted: dict[str, list[str]] = {}
    for value in values_in(statement):
        number = _NUMBER.search(value.text)
        if number is None:
            continue
        # `31 Kühe, nicht 28`, `Raum 7, nicht 4`
        is_with_name = value.kind in (ValueKind.LABELLED, ValueKind.NAME)
        if value.kind in _WITH_UNIT or (is_with_name and value.text.replace(number[0], "").strip() in quote):
            counted.setdefault(number[0], []).append(value.text)
    for digits in counted:  # a change, not a range: `from 65 to 70 euros`
        change = _FROM.replace("OLD", re.escape(digits))
        if _PLANNED.search(quote) and re.search(change, quote):
            return quote
        quote = re.sub(change, r"\g<from> → ", quote)
    quote = with_unit(quote, statement)
    for value in sorted(values_in(quote), key=lambda each: each.start, reverse=True):
        whole = counted.get(value.text, [])
        if value.kind is ValueKind.NUMBER and len(whole) == 1 and _ENDS_CLAUSE.match(quote, value.end):
            quote = quote[: value.start] + whole[0] + quote[value.end :]
    dates = [value.text for value in values_in(statement) if value.kind is ValueKind.DATE]
    if with_years:
        quote = _with_years(quote, dates)
    return _with_whole_dates(quote, dates)


def with_unit(quote: str, statement: str) -> str:
    """Return a quote with units added to bare numbers: the unit of the statement's equal value, or of its only one."""
    counted = counted_in(statement)
    bare_there = {each.text for each in counted if each.kind is ValueKind.NUMBER}  # the 4 of `room 4`
    counted_values = list(filter(lambda each: each.text not in bare_there, counted_in(quote)))
    named = set(map(attrgetter("text"), counted_values))
    whose = []
    for value in counted:
        number = _NUMBER.search(value.text)
        if number is not None and number.group() in named:
            whose.append(value)
    others = map(attrgetter("kind"), values_in(statement))
    if not whose and len(counted_values) == 1 and ValueKind.LABELLED not in others:
        whose = counted
    if len(whose) != 1 or whose[0].kind is ValueKind.NUMBER:
        return quote
    for bare in counted_values:
        behind = _COUNTED.match(quote[bare.end :])
        counts_something = behind is not None and behind["word"].lower() not in _BEHIND_NUMBER
        if counts_something or bare.kind is not ValueKind.NUMBER:
            return quote
    for bare in sorted(counted_values, key=lambda each: each.start, reverse=True):
        whole = _NUMBER.sub(bare.text, whose[0].text, count=1)
        quote = quote[: bare.start] + whole + quote[bare.end :]
    return quote


def is_of_another_count(statement: str, gone: Value, came: Value, text: str) -> bool:
    """Say whether a line counts things (`12 sacks of flour`) and a text has a number that is not said to count them: `610 a sack`."""
    thing = _COUNTED.match(statement, gone.end)
    if gone.kind is not ValueKind.NUMBER or thing is None or thing["word"].lower() in _GRAMMAR:
        return False
    things = telling(thing["word"])
    behind = words(_CLAUSE.split(text[came.end :], maxsplit=1)[0])[:MOST_EXCHANGED]
    for number, word in enumerate(behind):
        if shared_with(things, telling(word)):  # behind an article it is what the price is for
            return number > 0 and behind[0] in _GRAMMAR
    is_named = bool(shared_with(things, telling(text)))
    is_price = set(_COSTS.split()).isdisjoint(words(statement)) and not set(_COSTS.split()).isdisjoint(
        words(text)
    )
    if is_price and is_named:
        return True
    counting = telling(statement[: gone.start])  # nothing: it is all that the line says of them
    if counting and not shared_with(counting, telling(text)):
        return bool(telling(text[: came.start])) and not is_named  # `Mia is 7`
    return not counting and (came.kind is not ValueKind.NUMBER or not (is_named or place_of(text, gone.text)))


def counted_in(text: str) -> list[Value]:
    return [value for value in values_in(text) if value.kind in COUNTED]


def _with_whole_dates(quote: str, dates: Sequence[str]) -> str:
    """Return a quote with days of the month (`the 4th`, `am 4.`) completed from the statement's date: the only one, or the only one of such a day."""
    if len(dates) > 1:
        days = {each.text.rstrip("stndrh") for each in values_in(quote) if each.kind is ValueKind.ORDINAL}
        dates = [each for each in dates if not days.isdisjoint(_DAY_OF_DATE.findall(each))]
    if len(dates) != 1 or len(_DAY_OF_DATE.findall(dates[0])) != 1:
        return quote
    place = _DAY_OF_DATE.search(dates[0])
    for value in sorted(values_in(quote), key=lambda each: each.start, reverse=True):
        behind = quote[value.end :]
        counted = _COUNTED.match(behind)  # the `grade` of `4th grade`
        is_counted = counted is not None and counted["word"].lower() not in _GRAMMAR
        if value.kind is not ValueKind.ORDINAL and not _is_its_day(value, place, quote):
            continue
        if place is None or is_counted or not _DAY_OF_DATE.fullmatch(value.text):
            continue
        number = value.text if place.group()[-1].isalpha() else value.text.rstrip("stndrh")
        date = dates[0][: place.start()] + number + dates[0][place.end() :]
        quote = quote[: value.start] + date + (behind.removeprefix(".") if value.text.isdigit() else behind)
    return quote


def _with_years(quote: str, dates: Sequence[str]) -> str:
    """Return a quote with the dates' year behind each date without one, if its month is near: a January is not of the December's year."""
    years: list[tuple[int, re.Match[str]]] = []
    for each in dates:
        year = _YEAR.search(each)
        if year is not None and _month_of(each):
            years.append((_month_of(each), year))
    for value in sorted(values_in(quote), key=lambda each: each.start, reverse=True):
        month = _month_of(value.text)
        if value.kind is not ValueKind.DATE or not month or _YEAR.search(quote[value.start : value.end + 6]):
            continue
        near = {year["year"]: year[0] for other, year in years if abs(other - month) < FAR_MONTHS}
        if len(near) == 1:
            ((number, written),) = near.items()
            whole = value.text + written
            if written == number or whole not in map(attrgetter("text"), values_in(whole)):
                written = f" {number}"  # `19 February` of `February 12, 2027`, or of `2027-02-12`
            quote = quote[: value.end] + written + quote[value.end :]
    return quote


def _month_of(date: str) -> int:
    number = _MONTH_NUMBER.search(date)
    if number is not None:
        return int(number[1])
    named = map(MONTHS.get, words(without_accents(date.casefold())))
    return next(filter(None, named), 0)


def _is_its_day(value: Value, place: re.Match[str] | None, quote: str) -> bool:
    """Say whether a bare number is the date's day, denied or behind an article (`sigue el 23`), and ends its clause; or the day set against it (`el 13, no el 3`)."""
    if value.kind is not ValueKind.NUMBER or place is None:
        return False
    is_behind_article = _ARTICLE_OF_DAY.search(quote, 0, value.start) is not None
    is_denied = denies_value(place.group(), quote)
    if value.text == place.group() and _ENDS_CLAUSE.match(quote, value.end) is not None:
        return is_behind_article or is_denied
    return is_behind_article and is_denied


def _is_in(text: str, statement: str) -> bool:
    return re.search(rf"(?<!{SPACED}){re.escape(text)}(?!{SPACED})", statement, re.IGNORECASE) is not None


def _is_said_before(word: str, value: Value, quote: str) -> bool:
    return _is_in(f"{value.text} {word}".strip(" .,;:!?"), quote)


def _is_noun(came: Value, quote: str, before: str) -> bool:
    """Say whether a word is a name only by its capital letter, which German gives each noun: `in einem Haus`."""
    match = re.search(_DETERMINER + re.escape(came.text), quote, re.IGNORECASE)
    return came.kind is ValueKind.NAME and match is not None and not _is_in(match["word"], before)


def value_exchanged(before: str, after: str) -> tuple[Value, Value] | None:
    """Return the only replaced value of a statement and its replacement; None if anything else changed."""
    before, after = (own_words_of(text).rstrip(" .。") for text in (before, after))  # without a final stop
    there = values_in(before)
    here = values_in(after)
    texts_before = set(map(attrgetter("text"), there))
    texts_after = set(map(attrgetter("text"), here))
    came = [value for value in here if value.text not in texts_before]
    gone = [value for value in there if value.text not in texts_after]
    if len(came) != 1 or len(gone) != 1 or came[0].kind is not gone[0].kind:
        return None
    if before[: gone[0].start] + came[0].text + before[gone[0].end :] != after:
        return None
    return gone[0], came[0]
