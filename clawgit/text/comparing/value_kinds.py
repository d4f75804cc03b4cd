"""Values in a sentence by kind: days, dates, times, amounts, addresses, names. A value can replace another of its kind."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.stopwords import LANGUAGES
from clawgit.text.words.word_lists import (
    CAPITALS,
    EDGE,
    MEASURE,
    MONEY,
    SPACED,
    SPAN,
    UNSPACED,
    WEEKDAYS,
    any_of,
    any_word_of,
)

_MONTH = any_of(
    "jan(?:uary)?, feb(?:ruary)?, mar(?:ch)?, apr(?:il)?, may, june?, july?, aug(?:ust)?, sept?(?:ember)?, oct(?:ober)?"
    ", nov(?:ember)?, dec(?:ember)?, januar, jänner, februar, feber, märz, mai, juni, juli, okt(?:ober)?, dez(?:ember)?"
)
_ROMANCE_MONTH = any_of(
    "enero, febrero, marzo, abril, mayo, junio, julio, agosto, sep?tiembre, octubre, noviembre, diciembre, janvier, février, mars"
    ", avril, juin, juillet, août, septembre, octobre, novembre, décembre, janeiro, fevereiro, março, maio, junho, julho, setembro"
    ", outubro, novembro, dezembro, gennaio, febbraio, aprile, maggio, giugno, luglio, settembre, ottobre, dicembre"
)
_DAY = (
    any_word_of(
        ", ".join(day for day in WEEKDAYS if not UNSPACED.search(day))
        + ", sonnabend, miércoles, sábado, terça-feira"
    )
    + "s?"
)
_DAY_OF_MONTH = r"\d{1,2}(?:st|nd|rd|th)?"
_COUNT_WORD = any_of(
    "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, fifteen, twenty, thirty, forty, fifty, sixty"
)
_ORDINAL_WORD = any_of(
    "third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth, (?:thir|four|fif|six|seven|eigh|nine)teenth"
    ", (?:twen|thir)tieth, (?:twenty|thirty)-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
)
_HOUR_WORD = any_of(
    "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve"
    ", eins?, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf"
)
_GERMAN_ORDINAL = (
    r"(?:(?<=\bam )(?<!\bi am )|(?<=\bzum )|(?<=\bvom )|(?<=\bde[rmn] ))\d{1,2}(?=\.(?!\d)|\W*$)"
)
_HAN_COUNT = "[一二三四五六七八九十百千两兩]{1,9}"
# A word of exactness is part of the number, and so is the other end of a range.
BOUND = "at least|at most|(?<!went )(?<!gone )up to|more than|less than|over|under"  # an open range
_HEDGE = rf"(?:\b(?:about|around|roughly|approximately|{BOUND}|almost|nearly|between|only)\s)?"
_DIGITS = r"(?:\d{1,3}(?:['’]\d{3})+(?:\.\d\d)?|\d(?:[\d,.]{0,20}\d)?)"
_PLAIN = rf"(?<![.,-])(?<!{SPACED}){_DIGITS}"
_RANGE = rf"{_HEDGE}(?:{_PLAIN}(?:\s?(?:-|–|to|and|or)\s?{_DIGITS})?[kKmM]?|\b{_COUNT_WORD}\b)"
_MONEY_CJK = any_of("美元, 欧元, 歐元, 日元, 人民币, 元, 块钱?, 塊錢?, 달러, 유로, 만\\s?원, 원")
_SPAN_CJK = any_of(
    "天, 秒钟?, 分钟, 分鐘, 个?小时, 個?小時, 周, 週, 个月, 個月, 岁, 歲, 年(?!级|代|\\d), 초, 분, 시간, 일, 주, 개월, 년, 살"
)
_HAN_HEDGE = "(?:左右|上下|以内|以上|以下)?"
_MEASURE_CJK = any_of("公斤, 千克, 克, 公里, 米, 厘米, 升, 人, 个人, 名, 位, 명, 개, 킬로")
_KOREAN_COUNT = "(?<![가-힣])(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)"
_KOREAN_COUNTED = "(?:마리|명|개|번|권|대|잔|장)"
_PERIOD = (
    any_of(
        "day, night, morning, evening, afternoon, week, weekday, weekend, month, quarter, year, hour, minute"
    )
    + "s?"
)
_HAN_TIME = r"(?:凌晨|早上|上午|中午|下午|傍晚|晚上)?\s?(?:\d{1,2}|[一二三四五六七八九十两兩]{1,3})[点點](?:半|一刻|三刻|(?:\d{1,2}|[零一二三四五六七八九十]{1,3})分)?"
_KOREAN_TIME = r"(?:(?:오전|오후|아침|저녁|밤|새벽) ?)?(?<!\d)\d{1,2}시(?!간)(?: ?(?:\d{1,2}분|반))?"
# `Python예요` is a name with an ending.
_WORD = rf"[{CAPITALS}](?:{SPACED}|-)*(?:/[{CAPITALS}](?:{SPACED}|-)*)*"
_NOT_I = rf"(?!(?:I|(?i:{_MONTH}))\b)"  # capitalized words that are not names
_SEVEN_DIGITS = r"(?=(?:[ ()-]{0,2}\d){7})"
_GROUPED = rf"{_SEVEN_DIGITS}\(?\d{{1,5}}\)?(?:[ -]\d{{2,8}}){{1,6}}"  # telephone, account, years
_ISSUE = r" \d+(?:\.\d+)*(?![A-Za-z0-9]|[.,:%-]\d)"  # `PostgreSQL 16`
_NAMES = rf"(?:(?:Dr|Mr|Mrs|Ms|Prof|St)\. )?{_NOT_I}{_WORD}(?: {_NOT_I}{_WORD})*"
_INSIDE = r"(?<![.!?:] )(?<!^)\b"  # a capital at a sentence's beginning does not count
# ... but before another one: `Ada Lund leads it`
_FIRST_NAME = lazy_pattern(rf"(?:^|[.!?:] )(?P<word>{_NOT_I}{_WORD}) $")
_NO_NAMES = frozenset[str]().union(*LANGUAGES)


class ValueKind(Enum):
    """The kind of a value; only a value of the same kind can replace it."""

    WEEKDAY = "weekday"
    DATE = "date"
    TIME = "time"
    LINK = "link"
    MAIL = "mail"
    VERSION = "version"
    AMOUNT = "amount"
    SHARE = "share"
    DURATION = "duration"
    MEASURE = "measure"
    FREQUENCY = "how often"
    GROUPED = "digits in groups"
    LABELLED = "number with a name"
    NUMBER = "number"
    ORDINAL = "ordinal"
    PLATE = "letters and digits"
    CODE = "code"
    NAME = "name"


_CASED = (ValueKind.VERSION, ValueKind.NAME, ValueKind.LABELLED, ValueKind.PLATE)
# What few lines have: words without one of the line's may have another of it for the line.
OF_FEW = frozenset((
    ValueKind.VERSION, ValueKind.GROUPED, ValueKind.PLATE, ValueKind.MAIL, ValueKind.LINK, ValueKind.DURATION
))  # fmt: skip
# In this order: each pattern skips what an earlier one found.
_SHAPES = (
    (ValueKind.LINK, r"https?://[^\s，。]+[^\s，。.,;:!?)]"),
    (ValueKind.MAIL, rf"(?:{SPACED}|[.+-])+@(?:{SPACED}|-)+(?:\.(?:{SPACED}|-)+)+"),
    (ValueKind.CODE, r"`[^`]+`"),
    (ValueKind.DATE, r"\b\d{4}-\d{2}-\d{2}\b"),
    (ValueKind.DATE, r"(?:\d{4}년 ?)?\d{1,2}월 ?\d{1,2}일"),
    (ValueKind.DATE, r"(?:\d{4}年)?\d{1,2}月\d{1,2}[日号號]"),
    (ValueKind.DATE, r"(?<!\d)\d{1,2}[号號](?=[，,。发發到前后後截交]|$)"),
    (ValueKind.DATE, rf"\b{_MONTH}\.? {_DAY_OF_MONTH}(?:,? \d{{4}})?\b(?!:)"),
    (ValueKind.DATE, rf"\b\d{{1,2}}(?:\s?(?:-|–|to)\s?\d{{1,2}})? {_MONTH}(?: \d{{4}})?\b"),
    (ValueKind.DATE, rf"\b{_DAY_OF_MONTH}(?: of|\.)? {_MONTH}(?: \d{{4}})?\b"),
    (ValueKind.DATE, r"\b\d{1,2}\.\d{1,2}\.(?:19|20)\d\d\b"),
    (ValueKind.DATE, rf"\b\d{{1,2}}(?:er|º)?(?: de)? {_ROMANCE_MONTH}(?:(?: de)? \d{{4}})?\b"),
    (ValueKind.ORDINAL, r"\b\d{1,4}(?:st|nd|rd|th|er|re|e|ème|ª|º)\b"),
    (ValueKind.ORDINAL, rf"\bthe {_ORDINAL_WORD}\b"),
    (ValueKind.ORDINAL, r"第\d{1,4}"),
    (ValueKind.ORDINAL, _GERMAN_ORDINAL),
    (ValueKind.WEEKDAY, rf"\b{_DAY}\b"),
    (ValueKind.WEEKDAY, "[월화수목금토일]요일"),
    (ValueKind.WEEKDAY, "(?:周|週|星期|礼拜|禮拜)[一二三四五六日天末]"),
    (ValueKind.WEEKDAY, "[月火水木金土日]曜日?"),
    (ValueKind.TIME, r"\b\d{1,2}(?::\d{2})? ?(?:[ap]m\b|[ap]\.m\.)"),
    (ValueKind.TIME, rf"\b(?:\d{{1,2}}(?:[:.]\d{{2}})?|{_HOUR_WORD}) uhr(?: \d{{2}})?\b"),
    (ValueKind.TIME, rf"\b(?:halb|(?:viertel|zwanzig|zehn|fünf) (?:vor|nach)) (?:{_HOUR_WORD}|\d{{1,2}})\b"),
    (ValueKind.TIME, r"\b\d{1,2}(?::| ?h ?)\d{2}\b|(?<=\bà )\d{1,2} ?h\b"),
    (ValueKind.TIME, rf"\b(?:half|(?:a )?quarter|twenty|ten|five) (?:past|to) (?:{_HOUR_WORD}|\d{{1,2}})\b"),
    (ValueKind.TIME, rf"\b(?:{_HOUR_WORD}|\d{{1,2}}) o['’]clock\b"),
    (ValueKind.TIME, r"\bnoon\b|\bmidnight\b"),
    (ValueKind.TIME, _KOREAN_TIME),
    (ValueKind.TIME, _HAN_TIME),
    (ValueKind.VERSION, r"\bv?\d{1,9}(?:\.\d{1,9}){2,9}(?:[-+][\w.]+)?"),
    (ValueKind.VERSION, r"\bv\d+(?:\.\d+)*\b"),
    (ValueKind.FREQUENCY, rf"\b(?:every|each) (?:(?:other|second|two|three|\d+) )?{_PERIOD}\b"),
    (ValueKind.FREQUENCY, r"\b(?:once|twice) (?:a|per|every) " + _PERIOD + r"\b"),
    (ValueKind.FREQUENCY, r"\b(?:per|an?) (?:second|minute|hour|day|night|week|month|quarter|year)\b"),
    (ValueKind.FREQUENCY, r"\b(?:hourly|daily|weekly|monthly|quarterly|yearly)\b"),
    (ValueKind.FREQUENCY, r"\b(?:stündlich|täglich|wöchentlich|monatlich|vierteljährlich|jährlich)\b"),
    (
        ValueKind.FREQUENCY,
        rf"\bjede[nrs]? (?:tag|nacht|morgen|abend|woche|monat|quartal|jahr|stunde|minute|{_DAY})\b",
    ),
    (ValueKind.AMOUNT, rf"{_HEDGE}[$€£¥₩]\s?{_DIGITS}(?:[kKmM]\b)?"),
    (ValueKind.AMOUNT, rf"{_RANGE}\s?(?:{MONEY}\b|[€$£](?!{SPACED}))"),
    (ValueKind.AMOUNT, rf"{_DIGITS}[万萬]?\s?{_MONEY_CJK}"),
    (ValueKind.AMOUNT, rf"{_HAN_COUNT}[万萬]?{_MONEY_CJK}"),
    (ValueKind.AMOUNT, r"\d[\d,.]*[万萬]"),
    (ValueKind.SHARE, rf"{_RANGE}\s?(?:%|percent\b)"),
    (ValueKind.DURATION, rf"{_RANGE}[\s-]?{SPAN}\b"),
    (ValueKind.DURATION, rf"(?<![\d.])\d{{1,3}}(?:\.\d)?\s?{_SPAN_CJK}(?![요]){_HAN_HEDGE}"),
    (ValueKind.DURATION, rf"{_HAN_COUNT}{_SPAN_CJK}(?![一二三四五六日天末]){_HAN_HEDGE}"),
    (ValueKind.MEASURE, rf"{_RANGE}\s?{MEASURE}(?!{SPACED})"),
    (ValueKind.MEASURE, rf"{_DIGITS}\s?{_MEASURE_CJK}"),
    (ValueKind.MEASURE, rf"{_KOREAN_COUNT} ?{_KOREAN_COUNTED}"),
    (ValueKind.GROUPED, rf"(?<![A-Za-z0-9.,:-])(?:\+\d{{7,15}}|\+?{_GROUPED})(?![A-Za-z0-9-])"),
    (ValueKind.LABELLED, rf"{_PLAIN}[A-Za-z]? [A-Z][\w-]*(?: [A-Z][\w-]*)*"),
    (ValueKind.PLATE, r"\b\d{1,4}[A-JL-Z]{1,2}\b"),
    (ValueKind.PLATE, r"\b[A-Z]{1,3}-?\d{1,5}\b(?![.:])"),
    (ValueKind.PLATE, r"(?<![\w./-])[A-Za-z]+(?:-[A-Za-z]+)*-\d{1,5}(?:\.\d+)*\b(?!-)"),  # `train-7`
    (ValueKind.NAME, rf"{_INSIDE}{_NAMES}{_ISSUE}"),
    (ValueKind.NAME, rf"\b[A-Z][a-z]*[A-Z]\w*{_ISSUE}"),
    (ValueKind.NUMBER, rf"{_HEDGE}{_PLAIN}[kK]?(?!\+)(?!{SPACED})"),
    (ValueKind.NAME, rf"^{_NAMES}$"),
    (ValueKind.NAME, rf"{_INSIDE}{_NAMES}(?!{SPACED})"),
    (ValueKind.NAME, rf"\b[A-Z][a-z]*[A-Z]{SPACED}*(?!{SPACED})"),
)
MOST = 2000  # characters: longer texts are not statements


class Value(NamedTuple):
    """A value and its place in the text."""

    kind: ValueKind
    text: str
    start: int
    end: int


def values_in(text: str) -> list[Value]:
    """Return the values of ``text`` in the order of their kinds, none inside another; of a long text, of its beginning."""
    return list(_found(text[:MOST]))


@cache
def _patterns(edge: str) -> tuple[tuple[ValueKind, re.Pattern[str]], ...]:
    patterns = []
    for kind, rows in groupby(_SHAPES, key=itemgetter(0)):
        shapes = "|".join(shape for _, shape in rows).replace(r"\b", edge)
        flags = re.NOFLAG if kind in _CASED else re.IGNORECASE
        patterns.append((kind, lazy_pattern(shapes, flags)))
    return tuple(patterns)


@lru_cache(maxsize=4096)
def _found(text: str) -> tuple[Value, ...]:
    values: list[Value] = []
    for kind, pattern in _patterns(EDGE if UNSPACED.search(text) else r"\b"):  # `\b` is twice as fast
        for match in pattern.finditer(text):
            if all(match.end() <= value.start or value.end <= match.start() for value in values):
                start = match.start()
                if kind is ValueKind.NAME:
                    start = _whole_name(text, start)
                values.append(Value(kind, text[start : match.end()], start, match.end()))
    return tuple(values)


def _whole_name(text: str, start: int) -> int:
    """Return where a name begins: with the word before it that begins a sentence, if that may be of the name."""
    first = _FIRST_NAME.search(text, 0, start)
    if first is None or first["word"].lower() in _NO_NAMES:
        return start
    return first.start("word")
