"""The words and word orders for days in eight languages, folded (small letters, no accents)."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.terms import index_terms
from clawgit.text.words.word_lists import MONTHS, longest_first, numbered
from clawgit.text.words.word_lists import WEEKDAYS as ALL_WEEKDAYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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
SEASONS = numbered("""
3 spring fruhling fruhjahr printemps primavera 春天 春季 봄 春
6 summer sommer ete verano verao 夏天 夏季 여름 夏
9 autumn fall herbst automne otono outono 秋天 秋季 가을 秋
12 winter hiver invierno inverno 冬天 冬季 겨울 冬
""")
OFFSETS = numbered("""
-1 last past previous letzte letzten letzter letztes letztem vorige voriger vorigen voriges vergangene vergangenen
-1 derniere dernier passee passe pasada pasado passada passado ultima ultimo 上个 上個 上 去 昨 지난 저번 先 작
-2 前 先々 재작 一昨 大上个
0 this current diese dieser diesen dieses cette ce cet esta este 这个 這個 这 這 本 今 이번 今の 올
1 next nachste nachsten nachster nachstes prochaine prochain proxima proximo 下个 下個 下 明 다음 来
""")
UNITS: dict[str, str] = {"": "day"}
for _unit, _names in (
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
    UNITS |= dict.fromkeys((name.replace("_", " ") for name in _names.split()), _unit)

UNTIL = lazy_pattern(
    r"^\s*(?:-|–|—|~|〜|\.\.\.?|to|and|until|till|through|bis|und|a|au|et|y|e|hasta|ate|到|至|和|から|부터|에서|와|과)"
)

_NUMBER = rf"(?P<number>\d{{1,4}}|{_any(NUMBERS)})"
_UNIT = rf"(?P<unit>{_any({k: v for k, v in UNITS.items() if k})})"
_MONTH = rf"(?P<month>{_any(MONTHS)})"
_DAY = r"(?P<day>[0-3]?\d)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_WEEKDAY = rf"(?P<weekday>{_any({k: v for k, v in WEEKDAYS.items() if k.isascii()})})"
_SEASON = rf"(?P<season>{_any(SEASONS)})"
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
QUARTERS = (
    rf"\bq(?P<quarter>[1-4])\b(?:\s*/?\s*{_YEAR})?",
    rf"\b{_YEAR}[\s-]*q(?P<quarter>[1-4])\b",
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
SEASON_PATTERNS = (
    rf"\b{_LATIN_OFF}\s+{_SEASON}\b",
    rf"\b{_SEASON}\s+(?:of\s+)?(?:(?P<off>last|this)\s+(?P<unit>year)|{_YEAR})\b",
    rf"(?P<off>去|今|昨|前|작|올|재작)(?P<unit>年|년|해)?의?の?\s*{_SEASON}",
    rf"\b(?:in|during|over)\s+(?:the\s+)?{_SEASON}\b",
)
RELATIVE_MONTHS = (rf"\b(?P<off>last|past|previous|this|next|letzten|vergangenen)\s+{_MONTH}\b",)
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
    rf"\b(?:in|during|since|of|from|until|by|around|early|late|mid|im|en|em|au|durante)\s+(?:the\s+)?(?:month\s+of\s+|mes\s+de\s+|mois\s+de\s+)?{_MONTH}\b",
    rf"(?<!\d){_CJK_NUMBER}\s*(?:月份?|월)(?!曜)",
    r"\b(?P<month>january|february|april|june|july|august|september|october|november|december|januar|februar|juni|juli|oktober|dezember|janvier|fevrier|avril|juillet|septembre|octobre|decembre|enero|febrero|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b",
)
YEARS = (
    rf"(?<![\d.,:/-])(?:\b(?:in|en|em|im\s+jahr|of|during|since)\s+)?{_YEAR}(?:\s*[年년])?(?![\d.,:/-]\d|\d)",
)

_NAMES = {word for table in (MONTHS, WEEKDAYS, DAYS, SEASONS, UNITS) for word in table if word}
_SIGNS = {char for name in _NAMES for char in name if ord(char) > 0x2E7F} | set("前전")
# Without any of these a text names no day, and the patterns need not be compiled.
MAY_BE = lazy_pattern(
    rf"\d|[{''.join(sorted(_SIGNS))}]|\b(?:{'|'.join(sorted(filter(str.isascii, _NAMES)))})\b"
)


# What a pattern has of these is never optional in it, so a text without any of the names cannot match.
_PARTS: dict[str, tuple[str, Iterable[str]]] = {
    "month": (_MONTH, MONTHS),
    "weekday": (_WEEKDAY, WEEKDAYS),
    "season": (_SEASON, SEASONS),
    "unit": (_UNIT, UNITS),
}


def parts_of(pattern: str) -> frozenset[str]:
    """Return what a text must name for ``pattern`` to match: a month, a weekday, a season, a unit."""
    return frozenset(name for name, (part, _) in _PARTS.items() if part in pattern)


def parts_in(text: str) -> frozenset[str]:
    """Return what of these ``text`` may name."""
    return frozenset(
        part for part, (_, names) in _PARTS.items() if any(name and name in text for name in names)
    )


def is_cjk(pattern: str) -> bool:
    """Say whether a pattern needs a character beyond ASCII."""
    return "\\b" not in pattern and any("\u3000" <= char <= "\uffff" for char in pattern)


def number_of(word: str) -> int:
    """Return the number that a word says, in digits, as a word or in Chinese ("二十一")."""
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
_MAYBE = index_terms("12:34").split()[0][2]  # what the index has for the colon
_DOT = index_terms("2026-03").split()[0][4]  # and for the hyphen
_DIGIT = lazy_pattern(r"\d")
_STAMP = lazy_pattern(rf"\d{{4}}{_DOT}\d\d{_DOT}\d\d")
_CLOCK = lazy_pattern(rf"\d{{1,2}}{_MAYBE}\d\d(?:[ap]m)?|\d{{1,2}}[ap]m")
_UNITS = "年月日号號時时点點년월일시"  # they tell a time behind a number, not in a name (明月)
_NUMBERED = frozenset(
    f"{number}{unit}" for number in "一二三四五六七八九十" for unit in "月日号號"
) | frozenset(f"{number}{unit}" for number in "二两兩三四五六七八九十" for unit in "点點時时")


@cache
def _telling() -> frozenset[str]:
    years = map(str, range(1900, 2100))
    words = {term for term in index_terms(_WORDS).split() if term.isascii() or len(term) > 1}
    return frozenset(words) | frozenset(years) | _NUMBERED


def tells_time(terms: Sequence[str]) -> bool:
    """Say whether the terms of a line tell a day, a month, a year or a time of day, in words or as 14:30.

    The date that a line begins with says when it was written.
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
