"""Tables of values whose meaning is compared: words for numbers, units and days by what they mean, and the ways to write a value."""

from __future__ import annotations

from re import escape

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import MONTHS, SHORT_WEEKDAYS, WEEKDAYS, longest_first, words_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

DAYS = WEEKDAYS | {
    name: day for name, day in SHORT_WEEKDAYS.items() if name not in ("mon", "sat", "sun", "wed")
}
_COUNTED = (  # the first one, the step to the next, and their words; `_` is left out
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
# The day that a word names, counted from the day on which it is said.
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
SEASONS = ("spring", "summer", "autumn", "fall", "winter")
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
_SCALE = rf"(?:[ -]?(?P<scale>{_any(SCALES)}){_END})?"
SCALED = lazy_pattern(rf"\d+(?:[.,]\d+)*[ -]?(?P<scale>{_any(SCALES)}){_END}")
_LATIN_UNIT = _any(word for word in UNITS if word.isascii() and word.isalpha())
_OTHER_UNIT = _any(word for word in UNITS if not (word.isascii() and word.isalpha()))
_UNIT = rf"[ -]?(?P<unit>{_LATIN_UNIT}(?![a-z\d])|{_OTHER_UNIT})"

_DAY, _YEAR = r"(?P<day>\d{1,2})", r"(?:,? (?:de )?(?P<year>\d{4}))?"
_AWAY = rf"(?P<count>\d{{1,3}}|an?|{_WORD}) (?P<unit>(?:day|week|month|year)s?)"
_WRITTEN = (
    ("literal", r"https?://[^\s，。<>]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![a-z\d_.])[~/][\w.-]+(?:/[\w.-]*)+|\w+(?:_\w+)+"),
    ("date", rf"(?<![\d.])(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})[-/.]{_DAY}(?!\d|\.\d)"),
    ("date", r"(?<![\d.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})(?![\d.]*\d)"),
    ("date", rf"(?:(?:(?P<which>明|今|去|내|올|작)|(?P<year>\d{{4}}))[年년해] ?)?(?<!\d)(?P<month>\d{{1,2}}|{_HAN})[月월](?: ?(?P<day>\d{{1,2}}|{_HAN})[日号號일])?"),
    ("date", r"(?<!\d)(?P<year>(?:19|20)\d\d)[年년]"),
    ("date", rf"(?<![\d:.]){_DAY}(?:st|nd|rd|th|\.)? ?(?:of |de )?{_MONTH}{_YEAR}"),
    ("date", rf"{_MONTH} (?:the )?{_DAY}(?:st|nd|rd|th)?(?![\d:]|[.,]\d)(?:,? (?P<year>\d{{4}}))?"),
    ("date", rf"{_MONTH} (?P<year>\d{{4}})"),
    ("date", rf"{_NAMES_MONTH}(?P<month>{_any(MONTHS)}){_END}|{_HERE}(?P<alone>{_BARE_MONTH}){_END}"),
    ("date", rf"(?<![\d.])(?P<count>){_DAY}(?:st|nd|rd|th|号|號)(?![a-z\d_])"),
    ("weekday", rf"{_HERE}{_WHICH}(?<![a-zà-ÿ])(?P<name>{_LATIN_DAY})(?:e?s)?{_END}(?P<after> (?:of )?next week)?"),
    ("weekday", rf"{_WHICH}(?P<name>{_OTHER_DAY})"),
    ("season", r"\b(?P<name>summer|autumn|winter)(?: (?:of )?(?P<year>\d{4}))?\b"),
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
    ("number", rf"(?P<count>{_DIGITS}){_SCALE}{_UNIT}"),
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
