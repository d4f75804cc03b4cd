"""How values are written whose meaning is compared: one line for each way, in the order in which they are read."""

from __future__ import annotations

from re import escape

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.day_names import MONTHS
from clawgit.text.words.word_lists import longest_first, words_in
from clawgit.understanding.evidence.number_words import DAYS, DAYS_AWAY, KOREAN_COUNTS, NUMBERS, SCALES, UNITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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
_WORDS = rf"{_HERE}(?:{_WORD}|(?:an? )?{_BIG})(?:[ -](?:and )?(?:{_WORD}|{_BIG}))*{_END}"
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
    ("date", rf"(?:(?:(?P<which>明|今|去|내|올|작)|(?P<year>\d{{4}}))[年년해] ?)?(?<!\d)(?P<month>\d{{1,2}}|{_HAN})[月월](?: ?(?P<day>\d{{1,2}}|{_HAN})[日号號일])?"),
    ("date", r"(?<!\d)(?P<year>(?:19|20)\d\d)[年년]"),
    ("date", rf"(?<![\d:.]){_DAY}(?:st|nd|rd|th|\.)? ?(?:of |de )?{_MONTH}{_YEAR}"),
    ("date", rf"{_MONTH} (?:the )?{_DAY}(?:st|nd|rd|th)?(?![\d:])(?:,? (?P<year>\d{{4}}))?"),
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
