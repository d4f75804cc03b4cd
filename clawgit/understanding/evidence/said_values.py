"""Values in a text by their meaning, so that `4pm` and `16:00`, `next Thursday` and its date, `18k` and `18,000` are equal. Pure."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from itertools import chain, product
from operator import attrgetter
from re import escape
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import (
    FAR_MONTHS,
    MONTHS,
    SHORT_WEEKDAYS,
    WEEKDAYS,
    longest_first,
    words_in,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    Meaning = tuple[str | int | None, ...]  # its kind, and the value

DAYS = WEEKDAYS | {
    name: day for name, day in SHORT_WEEKDAYS.items() if name not in ("mon", "sat", "sun", "wed")
}
_COUNTED = (  # the first number, the step to the next, and their words; `_` is skipped
    (2, 1, "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"),
    (20, 10, "twenty thirty forty fifty sixty seventy eighty ninety"),
    (2, 1, "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf _ _ fünfzehn"),
    (2, 1, "deux trois quatre cinq six sept huit neuf dix onze douze _ _ quinze"),
    (2, 1, "dos tres cuatro cinco seis siete ocho nueve diez _ doce _ _ quince"),
    (20, 10, "zwanzig dreißig"),
    (20, 10, "vingt trente"),
    (20, 10, "veinte treinta"),
    (2, 1, "second third fourth fifth sixth seventh eighth ninth tenth"),
    (2, 1, "twice thrice"),
    (2, 10, "couple dozen"),
    (0, 2, "zero zweimal"),
)  # fmt: skip
_KOREAN_WORDS = "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두"
KOREAN_COUNTS = {word: count for count, word in enumerate(_KOREAN_WORDS.split(), 1)}
NUMBERS = {
    word: first + step * at
    for first, step, words in _COUNTED
    for at, word in enumerate(words.split())
    if word != "_"
} | KOREAN_COUNTS
SCALES = {"hundred": 100, "thousand": 1000, "k": 1000, "million": 10**6, "mio": 10**6, "billion": 10**9}
SCALES |= {"triệu": 10**6}
SCALES |= dict.fromkeys("천千", 1000) | dict.fromkeys("만万萬", 10**4) | dict.fromkeys("억亿億", 10**8)
HAN_DIGITS = dict(zip("〇一二两兩三四五六七八九", (0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
UNITS = {
    word: unit
    for unit, words in {
        "s": "s sec secs second seconds sekunden segundos secondes 秒 秒钟 초",
        "min": "min mins minute minutes minuten minutos 分钟 分鐘 분",
        "h": "h hr hrs hour hours stunde stunden heures horas 小时 小時 个小时 個小時 시간",
        "d": "day days tag tage tagen jours días 天 일",
        "w": "week weeks woche wochen semaine semaines semana semanas 周 週 个星期 個星期 주",
        "mo": "month months monat monate monaten mois mes meses 个月 個月 개월 달",
        "y": "year years jahr jahre jahren ans años 年 岁 歲 년 살",
        "%": "% percent prozent pct 퍼센트 프로",
        "$": "$ dollar dollars usd 美元 달러",
        "€": "€ euro euros eur 欧元 歐元 유로",
        "£": "£ pound pounds gbp",
        "¥": "¥ yuan rmb cny yen jpy 元 块 块钱 人民币 円",
        "₩": "₩ won krw 원",
        "₫": "₫ đồng vnd",
        "R$": "reais brl",
        "kg": "kg kgs kilo kilos kilograms 公斤 킬로",
        "g": "g grams gram 克",
        "mg": "mg milligrams",
        "km": "km kilometres kilometers kilometer 公里",
        "m": "m metres meters meter 米 미터",
        "cm": "cm 厘米",
        "gb": "gb gigabyte gigabytes",
        "mb": "mb megabyte megabytes",
        "tb": "tb terabyte terabytes",
        "ms": "ms milliseconds",
        "°": "° degrees °c",
        "": "个 個 名 位 人 只 本 次 명 개 마리 번 권 대 잔 장",
    }.items()
    for word in words.split()
}
# The day that a word names, relative to the day of the text.
DAYS_AWAY = {
    word: int(days)
    for days, words in {
        "-2": "前天 그저께",
        "-1": "yesterday gestern hier ayer 昨天 昨日 어제",
        "0": "today tonight heute aujourd'hui hoy 今天 今日 今晚 오늘",
        "1": "tomorrow demain mañana 明天 明日 내일",
        "2": "übermorgen 后天 後天 모레",
    }.items()
    for word in words.split()
}


AFTERNOON = lazy_pattern(r"\b(?:afternoon|evening|night|tonight|abends?|nachmittags?|soir|tarde|noche)\b")
MORNING = lazy_pattern(r"\b(?:morning|morgens|matin|mañana)\b")
LATE = ("pm", "中午", "下午", "傍晚", "晚上", "오후", "저녁", "밤")
PART_OF_HOUR = {"half": 30, "halb": 30, "quarter": 15, "半": 30, "반": 30, "一刻": 15, "三刻": 45}


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(escape, longest_first(words)))})"


_HERE, _END = r"(?<![a-zà-ÿ])", r"(?![a-zà-ÿ])"  # of a word in Latin letters
_MONTH = rf"{_HERE}(?P<month>{_any(MONTHS)}){_END}\.?"
_BARE_MONTH = _any(set(MONTHS) - words_in("may mar march mai sept mars dec jan august"))
_NAMES_MONTH = r"(?<![a-z])(?:in|since|until|till|by|from|of|for|im|seit|bis|en|depuis|desde|hasta) "
_LATIN_DAY = _any(name for name in DAYS if name.isascii() or "é" in name or "á" in name)
_OTHER_DAY = _any(name for name in DAYS if not name.isascii() and "é" not in name and "á" not in name)
_NEXT = "(?P<next>next(?: week)?(?: on)?|coming|nächste[nrs]?|kommende[nrs]?|下个?|다음 ?주?)"
_LAST = "(?P<last>last|past|letzte[nrs]?|上个?|지난 ?주?)"
_WHICH = rf"(?:(?:{_NEXT}|{_LAST}|this|diese[nrs]?|这个?|這個?|本|이번 ?주?) ?)?"
_PART = "凌晨|早上|上午|中午|下午|傍晚|晚上|오전|오후|아침|저녁|밤|새벽"
_KOREAN, _HAN = _any(KOREAN_COUNTS), "[一二三四五六七八九十百两兩]{1,6}"
_WORD = _any(NUMBERS)
_BIG = "(?:hundred|thousand|million)"
_WORDS = (
    rf"(?<![a-zà-ÿ가-힣])(?:{_WORD}|(?:an? )?{_BIG})(?:[ -](?:and )?(?:{_WORD}|{_BIG}))*(?![a-zà-ÿ가-힣])"
)
_DIGITS = r"(?<![a-z\d_.,:/-])\d+(?:[.,]\d+)*"
_GROUPED = r"(?<![a-z\d_.,:/-])(?<!\d )\d{1,3}(?: \d{3})+"  # `3 600 €`
_SCALE = rf"(?:[ -]?(?P<scale>{_any(SCALES)}){_END})?"
SCALED = lazy_pattern(rf"\d+(?:[.,]\d+)*[ -]?(?P<scale>{_any(SCALES)}){_END}")
_LATIN_UNIT = _any(word for word in UNITS if word.isascii() and word.isalpha())
_OTHER_UNIT = _any(word for word in UNITS if not (word.isascii() and word.isalpha()))
_UNIT = rf"[ -]?(?P<unit>{_LATIN_UNIT}(?![a-z\d])|{_OTHER_UNIT})"

_DAY, _YEAR = r"(?P<day>\d{1,2})", r"(?:,? (?:de )?(?P<year>\d{4}))?"
# `the tenth`, without a noun behind it.
_DAY_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth "
    "eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh "
    "twenty-eighth twenty-ninth thirtieth thirty-first"
)
_ORDINALS = dict(zip(_DAY_WORDS.split(), range(1, 32), strict=True))
_DAY_IN_WORDS = (
    rf"(?<=\bthe )(?P<count>)(?P<day>{_any(_ORDINALS)})(?= ?(?:$|[.,;:!?)]|(?:now|not|instead|at|and it)\b))"
)
_AWAY = rf"(?P<count>\d{{1,3}}|an?|{_WORD}) (?P<unit>(?:day|week|month|year)s?)"
_WRITTEN = (
    ("literal", r"https?://[^\s，。<>]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![a-z\d_.])[~/][\w.-]+(?:/[\w.-]*)+|\w+(?:_\w+)+"),
    ("date", rf"(?<![\d.])(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})[-/.]{_DAY}(?!\d|\.\d)"),
    ("date", r"(?<![\d.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})(?![\d.]*\d)"),
    ("date", rf"(?:(?:(?P<which>明|今|去|내|올|작)|(?P<year>\d{{4}}))[年년해] ?)?(?<!\d)(?P<month>\d{{1,2}}|{_HAN})[月월](?: ?(?P<day>\d{{1,2}}|{_HAN})[日号號일])?"),
    ("date", r"(?<!\d)(?P<year>(?:19|20)\d\d)[年년]"),
    ("date", rf"ngày {_DAY} tháng (?P<month>\d{{1,2}})(?: năm (?P<year>\d{{4}}))?"),
    ("date", rf"(?<![\d:.]){_DAY}(?=\.? ?(?:to|until|till|bis|–|-) ?\d{{1,2}}\.? {_MONTH})"),
    ("date", rf"(?<![\d:.]){_DAY}(?:st|nd|rd|th|\.)? ?(?:of |de )?{_MONTH}{_YEAR}"),
    ("date", rf"{_MONTH} (?:the )?{_DAY}(?:st|nd|rd|th)?(?![\d:]|[.,]\d)(?:,? (?P<year>\d{{4}}))?"),
    ("date", rf"{_MONTH} (?P<year>\d{{4}})"),
    ("date", rf"{_NAMES_MONTH}(?P<month>{_any(MONTHS)}){_END}|{_HERE}(?P<alone>{_BARE_MONTH}){_END}"),
    ("date", rf"(?<![\d.])(?P<count>){_DAY}(?:st|nd|rd|th|号|號)(?![a-z\d_])"),
    ("date", rf"(?:(?<=\bam )(?<!\bi am )|(?<=\bzum )|(?<=\bvom ))(?P<count>){_DAY}\.(?!\d)"),
    ("date", _DAY_IN_WORDS),
    ("weekday", rf"{_HERE}{_WHICH}(?<![a-zà-ÿ])(?P<name>{_LATIN_DAY})(?:e?s)?{_END}(?P<after> (?:of )?next week)?"),
    ("weekday", rf"{_WHICH}(?P<name>{_OTHER_DAY})"),
    ("day away", rf"{_HERE}{_any(DAYS_AWAY)}{_END}"),
    ("count away", rf"{_HERE}(?P<ahead>in )?{_AWAY}(?(ahead){_END}| (?P<ago>ago))"),
    ("period", r"\b(?:(?P<next>next|coming)|(?P<last>last)|this) (?P<unit>week|month|year)\b"),
    ("period", r"(?:(?P<next>下个?|明|다음 ?|내)|(?P<last>上个?|去|지난 ?|작)|这个?|今|이번 ?|올)(?P<unit>[周週月年]|주|달|년|해)"),
    ("time", r"(?<![\d.:])(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))? ?(?P<am>[ap]\.?m\b\.?)"),
    ("time", r"(?<![\d.:/])(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?!\d)(?: uhr)?"),
    ("time", rf"(?<![\d.:])(?P<hour>\d{{1,2}}|{_WORD}) (?:uhr|o['’]clock)"),
    ("time", rf"(?P<am>{_PART})? ?(?P<hour>\d{{1,2}}|{_HAN})[点點](?:(?P<half>半|一刻|三刻)|(?P<minute>\d{{1,2}}|{_HAN})分?)?"),
    ("time", rf"(?P<am>{_PART})? ?(?P<hour>\d{{1,2}}|{_KOREAN}) ?시(?!간) ?(?:(?P<half>반)|(?P<minute>\d{{1,2}})분)?"),
    ("time", rf"\b(?P<part>half|quarter|five|ten|twenty|halb) (?P<to>(?:past|to) |(?<=halb ))(?P<hour>\d{{1,2}}|{_WORD})\b"),
    ("phone", r"(?<![a-z\d_.,-])(?=(?:[ ()+-]{0,2}\d){7})\+?\(?\d{1,5}\)?(?:[ -]\d{2,8}){1,6}(?![\w-])"),
    ("number", rf"(?P<count>{_GROUPED}|{_DIGITS}){_SCALE}{_UNIT}"),
    ("number", rf"(?P<count>{_WORDS}){_UNIT}"),
    ("number", rf"(?P<count>{_HAN})(?P<scale>[万萬千])?(?P<unit>{_OTHER_UNIT})"),
    ("number", rf"(?P<count>{_HAN})(?P<scale>[万萬亿億])"),
    ("number", rf"(?<![가-힣])(?P<count>{_KOREAN}) ?(?P<unit>{_OTHER_UNIT})"),
    ("literal", r"(?<![a-z\d_.-])v?\d+(?:\.\d+){2,}(?::\d+)?(?:-\w+)?|(?<![a-z\d_.-])v\d+(?:\.\d+)*"),
    ("literal", r"(?<![a-z\d_.-])(?!\d+k\b)(?=[a-z-]+\d|\d[\d-]*[a-z])[a-z0-9]+(?:[-.][a-z0-9]+)*(?![a-z0-9])"),
    ("literal", r"(?<![a-z\d_.])[a-z][a-z0-9-]+(?:\.[a-z][a-z0-9]+)+"),
    ("number", rf"(?P<money>[$€£¥₩]) ?(?P<count>\d+(?:[.,]\d+)*){_SCALE}"),
    ("number", rf"(?P<count>{_DIGITS}|{_WORDS}){_SCALE}"),
)  # fmt: skip
SHAPES = tuple((name, lazy_pattern(shape)) for name, shape in _WRITTEN)
LONG_AGO, FAR_AHEAD = 1900, 2100  # numbers between them may be years
LATEST_UNSAID = 8  # hours below this may be in the afternoon without a word for it
_DAY_LENGTH = 24 * 60
_STOPS = ".,:;"


class SaidValue(NamedTuple):
    """A value as written, and all its possible meanings."""

    shown: str
    meanings: frozenset[Meaning]

    @property
    def is_name(self) -> bool:
        """Say whether it is a name: letters and digits, as in `1Password`."""
        return self.kinds == {"l"} and any(map(str.isalpha, self.shown))

    @property
    def kinds(self) -> frozenset[object]:
        return frozenset(meaning[0] for meaning in self.meanings)


def same_value(stated: SaidValue, other_value: SaidValue) -> bool:
    """Say whether both may be the same value, with ``other_value`` at least as precise."""
    return any(_is_same(one, other) for one in stated.meanings for other in other_value.meanings)


def _is_same(stated: Meaning, other_meaning: Meaning) -> bool:
    kinds = f"{stated[0]}{other_meaning[0]}"
    if kinds == "dd":
        return all(
            one is None or one == other for one, other in zip(stated[1:], other_meaning[1:], strict=True)
        )
    if kinds == "nn":
        return stated[1] == other_meaning[1] and (
            stated[2] == other_meaning[2] or not (stated[2] and other_meaning[2])
        )
    if kinds == "tn":
        return stated[1] in _minutes(other_meaning)
    return stated == other_meaning or (kinds == "nt" and other_meaning[1] in _minutes(stated))


def _minutes(number: Meaning) -> list[int]:
    """Return the minutes of the day for a bare hour: `at 4` is hardly at night, `at 9` is in the morning."""
    _, hour, unit, half = number
    hour_of_day = 99
    if str(hour).isdigit() and not unit:
        hour_of_day = int(str(hour))
    early, late = hour_of_day * 60, (hour_of_day % 12 + 12) * 60
    if hour_of_day > 24 or half:
        return [] if hour_of_day > 24 else [late if half == "pm" else early]
    return [early, late] if hour_of_day < LATEST_UNSAID else [early]


def completed(values: tuple[SaidValue, ...], old: tuple[SaidValue, ...]) -> list[SaidValue]:
    """Return the values completed from the old entry's: the month of `the 19th`, the year of a near date, the half of the day of `9`, the `k` of `18`.

    A month in the text by itself takes precedence over the entry's.
    """
    months: set[Meaning] = set()
    scales: set[tuple[int, str | int | None]] = set()
    is_late = False
    for each in old:
        scaled = SCALED.search(each.shown)
        for one in each.meanings:
            if one[0] == "d" and one[2]:
                months.add(one[1:3])
            if scaled is not None and one[0] in ("n", "d"):  # a literal (`7k2x9d`) has no unit
                scales.add((SCALES[scaled["scale"]], one[2]))
            is_late = is_late or (one[0] == "t" and int(str(one[1])) >= _DAY_LENGTH // 2)
    meanings = list(chain.from_iterable(map(attrgetter("meanings"), values)))
    if months:
        months = {one[1:3] for one in meanings if one[0] == "d" and one[2] and one[3] is None} or months
    full = []
    for each in values:
        day = _day_alone(each)
        if day and months:
            full.append(SaidValue(each.shown, frozenset(("d", *at, day, None) for at in months)))
        full.append(SaidValue(each.shown, frozenset(_with_years(each, old))))
        if each.shown.isdecimal():
            count = int(each.shown)
            if is_late and 0 < count < 12:
                full.append(SaidValue(each.shown, frozenset({("t", (count + 12) * 60)})))
            for scale, unit in scales if len(scales) == 1 else ():
                full.append(SaidValue(each.shown, frozenset({("n", str(count * scale), unit, "")})))
    return full


def _with_years(value: SaidValue, old: tuple[SaidValue, ...]) -> Iterator[Meaning]:
    """Yield the meanings of a date without a year in the years that the old entry writes beside a near month, and of a year in its month."""
    dates = [each for each in chain.from_iterable(map(attrgetter("meanings"), old)) if each[0] == "d"]
    for one, other in product(value.meanings, dates):
        if one[0] == "d" and one[1] and not one[2] and not other[3]:
            yield ("d", one[1], *other[2:4], None)
        if one[:2] != ("d", None) or not (one[2] and one[3] and other[1] and other[2]):
            continue
        if abs(int(other[2]) - int(one[2])) < FAR_MONTHS:
            yield ("d", other[1], *one[2:4], None)


def _day_alone(value: SaidValue) -> int:
    """Return the day of a month in a value without a month: `the 22nd`, `22`, `22日`; 0 without one."""
    for one in value.meanings:
        if one[:3] == ("d", None, None) and one[3]:
            return int(str(one[3]))
    if any(one[0] == "n" and one[2] == "w" for one in value.meanings):
        return 0
    counts = (str(one[1]) for one in value.meanings if one[0] == "n" and one[2] in ("", "d"))
    return next((int(count) for count in counts if count.isdecimal() and 0 < int(count) <= 31), 0)


def may_replace(one: SaidValue, other: SaidValue) -> bool:
    """Say whether a value may replace another: same kind, and same unit if both have one."""
    for mine, its in product(one.meanings, other.meanings):
        if mine[0] == its[0] and (mine[0] != "n" or mine[2] == its[2] or not (mine[2] and its[2])):
            return True
    return False


def are_rivals(one: SaidValue, other: SaidValue) -> bool:
    """Say whether two values exclude each other: `June` and `July`; not "on Fridays" and a date."""
    shared = set(map(_sort, one.meanings)) & set(map(_sort, other.meanings))
    if _is_weekday(one) != _is_weekday(other):
        return False
    return bool(shared - {("l",)}) and not (same_value(one, other) or same_value(other, one))


def _is_weekday(value: SaidValue) -> bool:
    return any(meaning[:4] == ("d", None, None, None) for meaning in value.meanings)


def _sort(meaning: Meaning) -> Meaning:
    """Return the sort of a value: its unit, or the parts of a date that it has."""
    if meaning[0] == "d":
        return tuple(part is None for part in meaning)
    return meaning[::2][:2] if meaning[0] == "n" else meaning[:1]


def values_of(text: str, on: date) -> tuple[list[SaidValue], str]:
    """Return the values of a text of a day, and its other words; the text is in small letters."""
    values: list[SaidValue] = []
    context = ""
    if AFTERNOON.search(text):
        context = "pm"
    elif MORNING.search(text):
        context = "am"
    for name, pattern in SHAPES:

        def put(match: re.Match[str], name: str = name) -> str:
            parts = {key: part or "" for key, part in match.groupdict().items()}
            meanings = frozenset(_READERS[name](parts | {"all": match.group()}, on, context))
            written = match.group().strip()
            if name == "literal":
                written = written.rstrip(_STOPS)  # of the sentence
            values.extend([SaidValue(written, meanings)] if meanings else [])
            return " " if meanings else match.group()

        text = pattern.sub(put, text)
    return values, text


def _literal(part: dict[str, str], _on: date, _context: str) -> Iterator[Meaning]:
    written = part["all"].rstrip(_STOPS).removeprefix("https://").removeprefix("http://")
    yield ("l", written.removeprefix("v").replace("-", ""))


def _phone(part: dict[str, str], _on: date, _context: str) -> Iterator[Meaning]:
    yield ("l", "".join(filter(str.isdigit, part["all"])))


def _date(part: dict[str, str], on: date, _context: str) -> Iterator[Meaning]:
    """Read a date; without a year it is the nearest one, and a day alone is the next or the last one."""
    named = part.get("month", "") or part.get("alone", "")
    year, day = (_ordered(part[name]) if part.get(name) else None for name in ("year", "day"))
    month = MONTHS.get(named) or (int(_count(named) or 0) or None)
    if which := part.get("which"):
        year = on.year + {"明": 1, "내": 1, "去": -1, "작": -1}.get(which, 0)
    if (month or 1) > 12 or not 1 <= (day or 1) <= 31:
        return
    yield ("d", year, month, day, None)
    if "count" in part:  # `the 12th` may be another thing's number
        yield ("n", str(day), "", "")
    near = _near(on, month, day or 0) if year is None else []
    for at in [year * 12 + month - 1] if year and month and day else near:
        if day is None:
            yield ("d", at // 12, at % 12 + 1, None, None)
        elif day <= monthrange(at // 12, at % 12 + 1)[1]:
            yield _of(date(at // 12, at % 12 + 1, day))


def _ordered(written: str) -> int:
    return _ORDINALS.get(written) or int(_count(written))


def _near(on: date, month: int | None, day: int) -> list[int]:
    """Return the months, counted from the year 0, of a date without a year."""
    now = on.year * 12 + on.month - 1
    if month is None:
        return [now, now + 1] if day < on.day else [now]
    ahead = (month - on.month) % 12
    is_past = ahead >= 6 or (ahead == 0 and 0 < day < on.day)
    return [now + ahead, now + ahead - 12] if is_past else [now + ahead]


def _of(day: date) -> Meaning:
    return ("d", day.year, day.month, day.day, day.weekday())


def _weekday(part: dict[str, str], on: date, _context: str) -> Iterator[Meaning]:
    """Read a weekday: of any week, the next one, the last one."""
    number = DAYS[part["name"]]
    yield ("d", None, None, None, number)
    ahead = on + timedelta(days=(number - on.weekday() - 1) % 7 + 1)
    this_week, week = on + timedelta(days=number - on.weekday()), timedelta(days=7)
    meant = (ahead, this_week + week) if part["next"] or part.get("after") else (ahead, ahead - week)
    yield from map(_of, (ahead - week, this_week - week) if part["last"] else meant)


def _day_away(part: dict[str, str], on: date, _context: str) -> Iterator[Meaning]:
    yield _of(on + timedelta(days=DAYS_AWAY[part["all"]]))


def _count_away(part: dict[str, str], on: date, _context: str) -> Iterator[Meaning]:
    """Read `in three weeks`, `two days ago`: its day, and the count."""
    count, unit = _count(part["count"]) or "1", UNITS[part["unit"]]
    yield ("n", count, unit, "")
    if unit in ("d", "w"):
        days = timedelta(days=int(count) * (7 if unit == "w" else 1))
        yield _of(on - days if part.get("ago") else on + days)


def _period(part: dict[str, str], on: date, _context: str) -> Iterator[Meaning]:
    """Read `next week`, `last month`, `this year`: its days, its month, its year."""
    steps = 0
    if part["next"]:
        steps = 1
    elif part["last"]:
        steps = -1
    unit = UNITS.get(part["unit"], "mo")
    if unit == "y":
        yield ("d", on.year + steps, None, None, None)
    elif unit == "mo":
        at = on.year * 12 + on.month - 1 + steps
        yield ("d", at // 12, at % 12 + 1, None, None)
    else:
        monday = on + timedelta(days=7 * steps - on.weekday())
        for day in (monday + timedelta(days=day) for day in range(7)):
            yield ("d", day.year, day.month, -day.day, None)  # the text does not say which


def _time(part: dict[str, str], _on: date, context: str) -> Iterator[Meaning]:
    hour = int(_count(part["hour"]) or 99)
    minute = int(_count(part.get("minute", "")) or PART_OF_HOUR.get(part.get("half", ""), 0))
    if part.get("part"):
        away = PART_OF_HOUR.get(part["part"]) or int(_count(part["part"]) or 0)
        minute = away if part["to"] == "past " else -away
    if hour > 24 or minute > 59:
        return
    at = (hour * 60 + minute) % _DAY_LENGTH
    half = part.get("am", "")[:2].replace(".", "")
    half = half or (context if hour < 12 else "")
    if half in LATE:
        yield ("t", at % (_DAY_LENGTH // 2) + _DAY_LENGTH // 2)
    else:
        yield ("t", at % (_DAY_LENGTH // 2) if half else at)
        if hour < LATEST_UNSAID and not half:
            yield ("t", at + _DAY_LENGTH // 2)


def _number(part: dict[str, str], _on: date, context: str) -> Iterator[Meaning]:
    unit = UNITS.get(part.get("unit") or part.get("money") or "", "")
    for count in _counts(part["count"]):
        value = _plain(f"{float(count) * SCALES[scale]:f}") if (scale := part.get("scale")) else count
        if value != "1" or part["count"].isdigit():  # `a`, `one`, 一
            yield ("n", value, unit, context)
            if unit == "w" and value.isdigit():
                yield ("n", str(7 * int(value)), "d", context)
            if part.get("unit") == "h" and value.isdigit() and int(value) <= 24:
                yield ("t", int(value) * 60 % _DAY_LENGTH)  # `at 16h` may become `at 15h30`
        if value.isdigit() and LONG_AGO <= int(value) < FAR_AHEAD and not unit:
            yield ("d", int(value), None, None, None)


def _counts(written: str) -> Iterator[str]:
    """Yield the readings of a number: `18.000` is eighteen here and thousands there."""
    groups = written.replace(",", ".").replace(" ", ".").split(".")
    if len(groups) == 1:
        yield _plain(written) if written[0].isdigit() else _count(written)
    elif all(len(group) == 3 for group in groups[1:]) and len(groups[0]) < 4:
        yield "".join(groups)
    if len(groups) == 2 and not (len(groups[1]) == 3 and "," in written):
        yield _plain(".".join(groups))
    elif len(groups) > 2 and "," in written and len(groups[-1]) < 3:
        yield _plain("".join(groups[:-1]) + "." + groups[-1])


def _plain(number: str) -> str:
    whole, dot, rest = number.partition(".")
    return (whole.lstrip("0") or "0") + (dot + rest if rest.strip("0") else "")


def _count(written: str) -> str:
    """Return a whole number from digits or words, empty if it is none."""
    if written.isdecimal():
        return str(int(written))
    total = current = 0
    for word in written.replace("-", " ").split():
        if word[0] in HAN_DIGITS or word[0] in HAN_SCALES:
            current = _han(word)
        elif word not in SCALES:
            current += NUMBERS.get(word, 0)
        elif SCALES[word] == 100:
            current = max(current, 1) * 100
        else:
            total, current = total + max(current, 1) * SCALES[word], 0
    return str(total + current) if written else ""


def _han(written: str) -> int:
    total = current = 0
    for char in written:
        if char in HAN_SCALES:
            total, current = total + max(current, 1) * HAN_SCALES[char], 0
        else:
            current = current * 10 + HAN_DIGITS.get(char, 0)
    return total + current


_READERS = {
    "literal": _literal, "phone": _phone, "date": _date, "weekday": _weekday, "day away": _day_away, "count away": _count_away,
    "period": _period, "time": _time, "number": _number,
}  # fmt: skip
