"""Days in a question, in eight languages, relative to the workspace's clock; their words and word orders are folded (small letters, no accents). Pure."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.terms import folded_in_place, index_terms, plain
from clawgit.text.words.word_lists import MONTHS, longest_first, numbered, words_in
from clawgit.text.words.word_lists import WEEKDAYS as ALL_WEEKDAYS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    _Reader: TypeAlias = Callable[[re.Match[str], date], "_Match | None"]


def _any(table: dict[str, int] | dict[str, str]) -> str:
    return "|".join(re.escape(word) for word in longest_first(table))


NUMBERS = numbered("""
1 a an one ein eine einem einer un une una um uma 一 한 하루
2 two couple_of zwei deux dos dois duas 二 两 兩 두 이틀
3 three few drei trois tres 三 세 석 사흘
4 four vier quatre cuatro quatro 四 네 넉 나흘
5 five funf cinq cinco 五 다섯
6 six sechs seis 六 여섯
7 seven sieben sept siete sete 七 일곱
8 eight acht huit ocho oito 八 여덟
9 nine neun neuf nueve nove 九 아홉
10 ten zehn dix diez dez 十 열 열흘
11 eleven elf onze once 十一
12 twelve zwolf douze doce doze 十二
15 fifteen funfzehn quinze quince 十五 보름
20 twenty zwanzig vingt veinte vinte 二十
30 thirty dreissig trente treinta trinta 三十
""")
_CJK_WEEKDAYS = numbered("""
0 一
1 二
2 三
3 四
4 五
5 六
6 日 天
""")
WEEKDAYS = ALL_WEEKDAYS | _CJK_WEEKDAYS
DAYS = numbered("""
0 today tonight heute hoy hoje aujourd'hui aujourd’hui 今天 今日 今晚 오늘
-1 yesterday last_night hier gestern ayer ontem 昨天 昨日 昨晚 어제 어젯밤 어저께
-2 day_before_yesterday vorgestern anteayer antier anteontem avant-hier 前天 前日 一昨日 おととい 그제 그저께 엊그제 엊그저께
-3 大前天 그끄저께
1 tomorrow morgen manana amanha demain 明天 明日 내일
2 day_after_tomorrow ubermorgen pasado_manana apres-demain 后天 後天 明後日 모레
""")
OFFSETS = numbered("""
-1 last past previous letzte letzten letzter letztes letztem vorige voriger vorigen voriges vergangene vergangenen
-1 derniere dernier passee passe pasada pasado passada passado ultima ultimo 上个 上個 上 去 昨 지난 저번 先 작
-2 前 先々 재작 一昨 大上个
0 this current diese dieser diesen dieses cette ce cet esta este 这个 這個 这 這 本 今 이번 今の 올
1 next nachste nachsten nachster nachstes prochaine prochain proxima proximo 下个 下個 下 明 다음 来
""")
UNITS: dict[str, str] = {"": "day"}
for _length, _names in (
    ("day", "day days tag tage tagen jour jours dia dias 天 日 日間 일"),
    (
        "week",
        "week weeks woche wochen semaine semaines semana semanas 周 週 星期 礼拜 个星期 個星期 週間 주 주일",
    ),
    ("weekend", "weekend weekends wochenende week-end fin_de_semana fim_de_semana 周末 週末 주말"),
    ("month", "month months monat monate monaten mois mes meses 月 个月 個月 ヶ月 か月 カ月 ヵ月 달 개월"),
    ("quarter", "quarter quarters quartal trimestre 季度 분기"),
    ("year", "year years jahr jahre jahren an ans annee annees ano anos 年 년 해"),
):
    UNITS |= dict.fromkeys((name.replace("_", " ") for name in _names.split()), _length)

UNTIL = lazy_pattern(
    r"^\s*(?:-|–|—|~|〜|\.\.\.?|to|and|until|till|through|bis|und|a|au|et|y|e|hasta|ate|到|至|和|から|부터|에서|와|과)"
)

_NUMBER = rf"(?P<number>\d{{1,4}}|{_any(NUMBERS)})"
_UNIT = rf"(?P<unit>{_any({k: v for k, v in UNITS.items() if k})})"
_MONTH = rf"(?P<month>{_any(MONTHS)})"
_DAY = r"(?P<day>[0-3]?\d)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_WEEKDAY = rf"(?P<weekday>{_any({k: v for k, v in WEEKDAYS.items() if k.isascii()})})"
_CJK_NUMBER = r"(?P<month_number>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_CJK_DAY = r"(?P<day>[0-3]?\d|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_LATIN_OFF = "(?P<off>last|past|previous|this|current|next)"

WHOLE_DATES = (
    rf"(?<!\d)(?<!\d\.){_YEAR}[-/.](?P<month_number>0?[1-9]|1[0-2])[-/.]{_DAY}(?!\d)",
    rf"(?<![\d.-]){_YEAR}[-/](?P<month_number>0[1-9]|1[0-2])(?![\d-])",
    rf"{_YEAR}\s*[年년]\s*{_CJK_NUMBER}\s*[月월](?:\s*{_CJK_DAY}\s*[日号號일])?",
    rf"(?<!\d){_CJK_NUMBER}\s*[月월]\s*{_CJK_DAY}\s*[日号號일]",
    rf"\b{_DAY}(?:st|nd|rd|th|er|\.|º)?\s+(?:of\s+|de\s+)?{_MONTH}\b\.?(?:,?\s+(?:of\s+|de\s+|del\s+)?{_YEAR}\b)?",
    rf"\b{_MONTH}\b\.?\s+{_DAY}(?:st|nd|rd|th)?\b(?!:)(?:,?\s+{_YEAR}\b)?",
    rf"\b{_MONTH}\b\.?,?\s+(?:of\s+|de\s+|del\s+)?{_YEAR}\b",
)
NAMED_DAYS = (
    rf"\b(?P<named>{_any({k: v for k, v in DAYS.items() if k.isascii() and k != 'hier'})})\b",
    r"(?P<named>\bhier\b(?=\s+(?:soir|matin))|^hier\b|\bhier(?=\s*[?.!]*$))",  # elsewhere it may be German
    rf"(?P<named>{_any({k: v for k, v in DAYS.items() if not k.isascii()})})",
)
AGO = (
    rf"\b{_NUMBER}\s+{_UNIT}\s+(?:ago|back|atras)\b",
    rf"\b(?:vor|hace|ha|il\s+y\s+a)\s+{_NUMBER}\s+{_UNIT}\b",
    rf"{_NUMBER}\s*{_UNIT}\s*(?:之?前|以前|전)",
    r"(?P<number>사흘|이틀|나흘|열흘|보름)(?P<unit>)\s*전",
)
PAST_UNITS = (
    rf"\b(?:last|past|previous|letzten|ultimos|ultimas|derniers|dernieres|over\s+the)\s+(?P<number>\d{{1,4}}|few|couple\s+of|two|three|four|five|six|seven|ten|zwei|drei|vier|dos|tres|deux|trois|dois)\s+{_UNIT}\b",
    rf"(?:最近|过去|近|최근|지난|この)\s*{_NUMBER}\s*(?:个|個)?\s*{_UNIT}(?:間)?",
)
RELATIVE = (
    rf"\b(?P<off>{_any({k: v for k, v in OFFSETS.items() if k.isascii()})})\s+{_UNIT}(?:'s)?\b",
    rf"\b(?:la\s+|le\s+|el\s+|l'|a\s+|o\s+)?{_UNIT}\s+(?P<off>derniere?|prochaine?|passee?|pasad[ao]|passad[ao]|ultim[ao]|proxim[ao])\b",
    r"(?P<off>上个|上個|上|这个|這個|这|這|本|下个|下個|下|先々|先|今|来|지난|저번|이번|다음)\s*(?P<unit>周末|週末|주말)",
    r"(?P<off>上个|上個|上|这个|這個|这|這|本|下个|下個|下)(?P<unit>周|週|星期|礼拜)(?P<weekday>[一二三四五六日天])?",
    r"(?P<off>先々|先|今|来)(?P<unit>週)(?:の?(?P<weekday>[月火水木金土日]曜日?))?",
    r"(?P<off>지난|저번|이번|다음)\s*(?P<unit>주)(?:\s*(?P<weekday>[월화수목금토일]요일))?",
    r"(?P<off>上个|上個|上|这个|這個|这|這|本|下个|下個|下)(?P<unit>月|季度)",
    r"(?P<off>先々|先|今|来)(?P<unit>月)",
    r"(?P<off>지난|저번|이번|다음)\s*(?P<unit>달|분기)",
    r"(?P<off>去|今|昨|前|明|来|一昨)(?P<unit>年)",
    r"(?P<off>재작|작|올|지난|다음)\s*(?P<unit>년|해)",
)
WEEKDAY_PATTERNS = (
    rf"\b(?:{_LATIN_OFF}\s+)?{_WEEKDAY}\b(?!s)",
    r"(?:(?P<off>지난|이번|다음)\s*)(?P<weekday>[월화수목금토일]요일)",
    r"(?P<weekday>[월화수목금토일]요일|[月火水木金土日]曜日?|(?:周|週|星期|礼拜)[一二三四五六日天])",
)
MONTH_PATTERNS = (
    rf"\b{_MONTH}(?=\s+(?:of\s+)?(?:last|this)\s+year\b)",
    rf"\b(?:in|during|since|of|from|until|by|around|early|late|mid|last|past|previous|letzten|vergangenen|im|en|em|au|durante)\s+(?:the\s+)?(?:month\s+of\s+|mes\s+de\s+|mois\s+de\s+)?{_MONTH}\b",
    rf"(?<!\d){_CJK_NUMBER}\s*(?:月份?|월)(?!曜)",
    r"\b(?P<month>january|february|april|june|july|august|september|october|november|december|januar|februar|juni|juli|oktober|dezember|janvier|fevrier|avril|juillet|septembre|octobre|decembre|enero|febrero|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b",
)
YEARS = (
    rf"(?<![\d.,:/-])(?:\b(?:in|en|em|im\s+jahr|of|during|since)\s+)?{_YEAR}(?:\s*[年년])?(?![\d.,:/-]\d|\d)",
)

_NAMES = {word for table in (MONTHS, WEEKDAYS, DAYS, UNITS) for word in table if word}
_SIGNS = {char for name in _NAMES for char in name if ord(char) > 0x2E7F} | set("前전")
# A text without any of these names no day, and the patterns need not be compiled.
MAY_BE = lazy_pattern(
    rf"\d|[{''.join(sorted(_SIGNS))}]|\b(?:{'|'.join(sorted(filter(str.isascii, _NAMES)))})\b"
)


def is_cjk(pattern: str) -> bool:
    return "\\b" not in pattern and any("\u3000" <= char <= "\uffff" for char in pattern)


def number_of(word: str) -> int:
    """Return the number of a word: digits, a word or Chinese ("二十一")."""
    if word.isdecimal():
        return int(word)
    if word in NUMBERS:
        return NUMBERS[word]
    tens, _, ones = word.partition("十")
    return 10 * NUMBERS[tens or "一"] + (NUMBERS[ones] if ones else 0)


_WORDS = """
yesterday today tonight tomorrow last next ago week weekend month year since recently just morning evening night afternoon
monday tuesday wednesday thursday friday saturday sunday mon tues wed thurs fri sat sun
january february march april may june july august september october november december summer winter spring autumn
gestern heute morgen woche monat jahr vor seit montag dienstag mittwoch donnerstag freitag samstag sonntag
januar februar marz mai juni juli oktober dezember
hier aujourd'hui demain semaine mois annee lundi mardi mercredi jeudi vendredi samedi dimanche
janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
ayer hoy manana semana mes ano hace lunes martes miercoles jueves viernes sabado domingo
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
ontem hoje amanha segunda terca quarta quinta sexta
昨天 今天 明天 前天 后天 昨日 今日 明日 上周 下周 本周 这周 上月 下月 本月 去年 今年 明年 前年 周一 周二 周三 周四 周五 周六 周日 星期 月份 先週 来週 今週 先月 来月 今月 昨年 来年
어제 오늘 내일 그제 모레 지난 다음 이번 작년 올해 내년 월요일 화요일 수요일 목요일 금요일 토요일 일요일 주말 오전 오후
"""
_MAYBE = index_terms("12:34").split()[0][2]  # the index's term for the colon
_DOT = index_terms("2026-03").split()[0][4]  # and for the hyphen
_DIGIT = lazy_pattern(r"\d")
_STAMP = lazy_pattern(rf"\d{{4}}{_DOT}\d\d{_DOT}\d\d")
_CLOCK = lazy_pattern(rf"\d{{1,2}}{_MAYBE}\d\d(?:[ap]m)?|\d{{1,2}}[ap]m")
_UNITS = "年月日号號時时点點년월일시"  # a time behind a number, but not in a name (明月)
_NUMBERED = frozenset(map("".join, product("一二三四五六七八九十", "月日号號")))
_NUMBERED |= frozenset(map("".join, product("二两兩三四五六七八九十", "点點時时")))


@cache
def _telling() -> frozenset[str]:
    years = map(str, range(1900, 2100))
    words = {term for term in index_terms(_WORDS).split() if term.isascii() or len(term) > 1}
    return frozenset(words) | frozenset(years) | _NUMBERED


def tells_time(terms: Sequence[str]) -> bool:
    """Say whether the terms of a line name a day, a month, a year or a time of day, in words or as 14:30.

    The date at the start of a line is the day of writing and does not count.
    """
    if terms and _STAMP.fullmatch(terms[0]):
        terms = terms[len(index_terms(terms[0].replace(_DOT, "-")).split()) :]
    if not _telling().isdisjoint(terms):
        return True
    if _DIGIT.search(" ".join(terms)) is None:
        return False
    return any(term[0].isdigit() and _CLOCK.fullmatch(term) for term in terms) or any(
        number.isdecimal() and unit[0] in _UNITS for number, unit in pairwise(terms)
    )


_FIRST = date(1000, 1, 1)
_LAST = date(9998, 12, 31)
_FADE_DAYS = 14
_SEEN = date(2026, 7, 1), date(2027, 9, 9)
_ANOTHER_YEAR = 0.9
# Words allowed beside a day in a text that names only a day.
_BESIDE = words_in(
    "on the in of since morning evening night am seit letzten letzter letzte el desde pasado le depuis dernier na no em"
)


class Days(NamedTuple):
    """The days of a question, both ends included; `any_year` for a month without a year."""

    first: date
    last: date
    any_year: bool = False


class DatesInText(NamedTuple):
    """The days of a text, its plain form, and the positions of the words for them."""

    days: Days | None
    text: str
    spans: tuple[tuple[int, int], ...]


class _Match(NamedTuple):
    start: int
    end: int
    days: Days
    month_only: bool = False  # its year may be elsewhere
    year_only: bool = False


def find_days(text: str, today: date) -> DatesInText:
    """Return the days in ``text``: one, the span between two joined ones, or none."""
    text = plain(text)
    low = folded_in_place(text)
    if not MAY_BE.search(low):
        return DatesInText(None, text, ())
    taken: list[_Match] = []
    for pattern, read in _patterns(low.isascii()):
        for word_match in pattern.finditer(low):
            if any(word_match.start() < other.end and other.start < word_match.end() for other in taken):
                continue
            match = _read(read, word_match, today)
            if match is not None:
                taken.append(match)
    taken.sort(key=lambda match: match.start)
    return DatesInText(_together(low, taken), text, tuple((match.start, match.end) for match in taken))


def with_day(text: str, day: str, before: str = "") -> str:
    """Return a text behind its own day (`2026-12-01: `) if it names one as seen from that: `tomorrow`, `next Friday`.

    A weekday alone may be each week's. A text that names another day than it did ``before`` is of the day of its change.
    """
    named = find_days(text, _SEEN[0])
    if named.days is None or named.days.any_year or named.days == find_days(text, _SEEN[1]).days:
        return text
    is_weekday = all(folded_in_place(named.text[start:end]) in WEEKDAYS for start, end in named.spans)
    if is_weekday or (before and find_days(before, _SEEN[0]).days != named.days):
        return text
    return f"{day}{text}"


def days_meant(text: str, today: date) -> Days | None:
    """Return the past days of a ``text`` that is one term for days; None for other texts."""
    days = _only_days(text, today)
    if days is None or days.first > today:
        return None
    return days


def days_to_come(text: str, today: date) -> Days | None:
    """Return the same for days not over yet: a weekday, or a day without a year, is the next one."""
    days = _only_days(text, today)
    if days is None or days.last >= today:
        return days
    if days.any_year:
        coming = _in_year(days, today.year)
        if coming.last < today:
            coming = _in_year(days, today.year + 1)
        return coming
    text_words = set(folded_in_place(plain(text)).split()) - _BESIDE
    if text_words.issubset(WEEKDAYS):
        next_week = timedelta(weeks=1 + (today == days.last + timedelta(weeks=1)))
        return Days(days.first + next_week, days.last + next_week)
    return None


def _only_days(text: str, today: date) -> Days | None:
    dates = find_days(text, today)
    if len(dates.spans) != 1 or dates.days is None:
        return None
    ((start, end),) = dates.spans
    rest = dates.text[:start] + dates.text[end:]
    return None if set(rest.lower().split()) - _BESIDE else dates.days


def _read(read: _Reader, word_match: re.Match[str], today: date) -> _Match | None:
    try:
        match = read(word_match, today)
    except (ValueError, OverflowError):  # 2026-02-30, a million years ago: not a day
        return None
    return match if match is not None and _FIRST <= match.days.first <= match.days.last <= _LAST else None


def _together(text: str, matches: list[_Match]) -> Days | None:
    if not matches:
        return None
    first = matches[0]
    if len(matches) == 1:
        return first.days
    second = matches[1]
    if second.start - first.end <= 12 and UNTIL.search(text[first.end : second.start]):
        start, end = first.days, second.days
        if first.month_only and not second.month_only:
            start = _in_year(start, end.first.year)
        if start.first > end.last:
            start, end = end, start
        return Days(start.first, end.last)
    year = next((match for match in matches if match.year_only), None)
    month = next((match for match in matches if match.month_only), None)
    if year and month:
        return _in_year(month.days, year.days.first.year)
    return first.days


def _in_year(days: Days, year: int) -> Days:
    end = year + days.last.year - days.first.year
    first, last = days.first, days.last
    return Days(
        first.replace(day=min(first.day, monthrange(year, first.month)[1]), year=year),
        last.replace(day=min(last.day, monthrange(end, last.month)[1]), year=end),
    )


def _match(word_match: re.Match[str], first: date, last: date | None = None) -> _Match:
    return _Match(word_match.start(), word_match.end(), Days(first, last or first))


def _month(year: int, month: int) -> Days:
    return Days(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _months_off(today: date, off: int) -> Days:
    count = today.year * 12 + today.month - 1 + off
    return _month(count // 12, count % 12 + 1)


def _unit(unit: str, off: int, today: date) -> Days:
    if unit == "day":
        day = today + timedelta(off)
        return Days(day, day)
    monday = today - timedelta(today.weekday()) + timedelta(7 * off)
    if unit == "week":
        return Days(monday, monday + timedelta(6))
    if unit == "weekend":
        return Days(monday + timedelta(5), monday + timedelta(6))
    if unit == "month":
        return _months_off(today, off)
    if unit == "quarter":
        start = _months_off(today, 3 * off - (today.month - 1) % 3)
        return Days(start.first, _months_off(start.first, 2).last)
    return Days(date(today.year + off, 1, 1), date(today.year + off, 12, 31))


def _whole_date(word_match: re.Match[str], today: date) -> _Match | None:
    """Read 2026-03-05, 5 March 2026, March 5, 3월 5일, 2026-03, March 2026."""
    groups = word_match.groupdict()
    month = groups.get("month_number") or str(MONTHS.get(groups.get("month") or "", 0))
    day = groups.get("day")
    year = groups.get("year")
    number, on = number_of(month), number_of(day) if day else None
    if year:
        days = _month(int(year), number)
        if on:
            return _match(word_match, days.first.replace(day=on))
        return _match(word_match, days.first, days.last)
    days = _latest(number, on, today)
    return _Match(*word_match.span(), days._replace(any_year=True), month_only=True)


def _latest(month: int, day: int | None, today: date) -> Days:
    for year in range(today.year, today.year - 9, -1):
        if day is not None and day > monthrange(year, month)[1]:
            continue
        days = _month(year, month)
        if day is not None:
            days = Days(days.first.replace(day=day), days.first.replace(day=day))
        if days.first <= today:
            return days
    raise ValueError(month, day)


def _named_day(word_match: re.Match[str], today: date) -> _Match:
    return _match(word_match, today + timedelta(DAYS[word_match["named"]]))


def _ago(word_match: re.Match[str], today: date) -> _Match:
    unit, count = UNITS[word_match["unit"]], number_of(word_match["number"])
    if unit == "week":
        day = today - timedelta(7 * count)
        return _match(word_match, day - timedelta(3), day + timedelta(3))
    days = _unit(unit, -count, today)
    return _match(word_match, days.first, days.last)


def _past_units(word_match: re.Match[str], today: date) -> _Match:
    """Read the last three weeks: up to today."""
    unit, count = UNITS[word_match["unit"]], number_of(word_match["number"])
    length = {"day": 1, "week": 7, "weekend": 7, "month": 31, "quarter": 92, "year": 366}[unit]
    return _match(word_match, today - timedelta(min(count, 9999) * length), today)


def _relative(word_match: re.Match[str], today: date) -> _Match:
    unit, off = UNITS[word_match["unit"]], OFFSETS[word_match["off"]]
    days = _unit(unit, off, today)
    weekday = word_match.groupdict().get("weekday")
    if weekday:
        day = days.first + timedelta(WEEKDAYS[weekday])
        return _match(word_match, day)
    return _match(word_match, days.first, days.last)._replace(year_only=unit == "year")


def _weekday(word_match: re.Match[str], today: date) -> _Match:
    off = OFFSETS.get(word_match.groupdict().get("off") or "", -1)
    weekday = WEEKDAYS[word_match["weekday"]]
    if off == -1:
        back = (today.weekday() - weekday - 1) % 7 + 1
        return _match(word_match, today - timedelta(back))
    return _match(word_match, today - timedelta(today.weekday() - weekday) + timedelta(7 * off))


def _year(word_match: re.Match[str], today: date) -> _Match:
    del today
    year = int(word_match["year"])
    return _match(word_match, date(year, 1, 1), date(year, 12, 31))._replace(year_only=True)


@cache
def _patterns(ascii_only: bool) -> list[tuple[re.Pattern[str], _Reader]]:
    """Return the patterns in the order in which they claim their words, compiled at the first use."""
    readers: tuple[tuple[_Reader, tuple[str, ...]], ...] = (
        (_whole_date, WHOLE_DATES),
        (_named_day, NAMED_DAYS),
        (_ago, AGO),
        (_past_units, PAST_UNITS),
        (_relative, RELATIVE),
        (_weekday, WEEKDAY_PATTERNS),
        (_whole_date, MONTH_PATTERNS),
        (_year, YEARS),
    )
    patterns = []
    for read, listed in readers:
        for pattern in listed:
            if not (ascii_only and is_cjk(pattern)):
                patterns.append((lazy_pattern(pattern), read))
    return patterns


def day_fit(days: Days, on: date | None) -> float:
    """Return 1 for a line of these days, falling to 0 in the two weeks after: reports are often late.

    A month without a year fits every year, earlier years a little less.
    """
    if on is None:
        return 0.0
    fit = _fit(days.first, days.last, on)
    if not days.any_year or fit == 1:
        return fit
    others = (_in_year(days, year) for year in (on.year, on.year - 1) if _FIRST.year < year < _LAST.year)
    return max(fit, *(_ANOTHER_YEAR * _fit(other.first, other.last, on) for other in others), 0.0)


def _fit(first: date, last: date, on: date) -> float:
    if on <= last:
        return 1.0 if first <= on else 0.0
    return max(0.0, 1 - (on - last).days / (_FADE_DAYS + 1))
