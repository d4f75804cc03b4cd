"""Words that turn a statement into another one: negations, days, months, amounts, opposites."""

from __future__ import annotations

import unicodedata

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import ENGLISH_MONTHS, MONTHS, SHORT_WEEKDAYS, WEEKDAYS, words_in

OPENERS = words_in(
    "the a an this that these those it its we our i he she they his her their my your you in on at for with when"
    " if as and or but so user operator host agent use uses using"
)
_DAYS = WEEKDAYS | SHORT_WEEKDAYS
NEGATIONS = words_in(
    "not no never none nor neither nobody nothing nowhere without cannot hardly barely rarely seldom unless except"
    " only instead avoid avoids stop stops stopped anymore longer dont doesnt didnt isnt arent wasnt werent wont cant"
    " couldnt shouldnt wouldnt mustnt hasnt havent hadnt nicht kein keine keinen keiner nie ohne ne pas jamais sans"
    " nunca sin ni não nem non mai senza не нет никогда без ни"
)
_OPPOSITES = words_in(
    "always sometimes usually often before after more less fewer most least off enable enables enabled disable"
    " disables disabled true false yes allow allows allowed deny denies denied forbid forbidden increase decrease"
    " dislike dislikes hate hates loathe loathes must may might can could should shall accept"
    " accepts reject rejects accepted rejected start started first last next previous today tomorrow yesterday"
    " morning afternoon evening night noon midnight am pm"
)
_AMOUNTS = words_in(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen"
    " half double twice once second third fourth fifth all some any both each every"
)
_WORDS = NEGATIONS | _OPPOSITES | _AMOUNTS
# Chinese, Japanese and Korean, found inside a text: they have no spaces around them, or endings behind them.
_INSIDE = lazy_pattern(
    "[不没沒别別未无無非勿莫否禁]|ない|なく|なし|ません|じゃ|ではな"
    "|안|않|아니|아닌|말고|말라|마세요|마라|없|못"
    "|(?:周|週|星期|礼拜|禮拜)[一二三四五六日天末]|[月火水木金土日]曜|[월화수목금토일]요일"
    "|[一二三四五六七八九十百千万萬億亿两兩半零〇]|今天|明天|昨天|今日|明日|昨日|오늘|내일|어제"
    "|하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉|열"
)


def found(text: str, words: list[str]) -> list[str]:
    """Return the deciding words of a lower-cased text, in their order; days and months by their number."""
    return [meaning for word in words if (meaning := decided(word))] + _INSIDE.findall(text)


def decided(word: str) -> str:
    """Return what ``word`` decides: itself, a day or English month by its number, "not", or nothing."""
    bare = word if word.isascii() else _without_accents(word)
    if bare in _DAYS:
        return f"day {_DAYS[bare]}"
    if bare in ENGLISH_MONTHS:
        return f"month {ENGLISH_MONTHS[bare]}"
    if word.endswith("n't"):
        return "not"
    return word if word in _WORDS or bare in MONTHS else ""


def _without_accents(word: str) -> str:
    """Return a word as the names of days are written; `terms.folded` does more, and takes 15 ms to load."""
    return "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
