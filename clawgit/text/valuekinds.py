"""Values in a sentence by kind: days, dates, times, amounts, addresses, names. One can stand for another of its kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class ValueKind(Enum):
    """What a value is of; only the same kind can take its place."""

    WEEKDAY = "weekday"
    DATE = "date"
    TIME = "time"
    LINK = "link"
    MAIL = "mail"
    VERSION = "version"
    AMOUNT = "amount"
    LABELLED = "number with a name"
    NUMBER = "number"
    CODE = "code"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Value:
    """One value and where it stands in the text."""

    kind: ValueKind
    text: str
    start: int
    end: int


ADDRESSES = frozenset({ValueKind.LINK, ValueKind.MAIL})
_TELLING = ADDRESSES | {
    ValueKind.DATE,
    ValueKind.VERSION,
    ValueKind.AMOUNT,
    ValueKind.LABELLED,
    ValueKind.CODE,
}
_DIGITS = 4  # of a number that hardly two things have
MOST = 2000  # characters: what is longer is no statement
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
# In this order: what one finds is not looked at again by the next.
_PATTERNS = (
    (ValueKind.LINK, re.compile(r"https?://[^\s，。]+[^\s，。.,;:!?)]")),
    (ValueKind.MAIL, re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    (ValueKind.CODE, re.compile(r"`[^`]+`")),
    (ValueKind.DATE, re.compile(r"\b\d{4}-\d{2}-\d{2}\b|\d{4}년 ?\d{1,2}월 ?\d{1,2}일|\d{4}年\d{1,2}月\d{1,2}[日号號]|\d{1,2}월 ?\d{1,2}일|\d{1,2}月\d{1,2}[日号號]")),
    (ValueKind.DATE, re.compile(rf"\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?: \d{{4}})?\b", re.IGNORECASE)),
    (ValueKind.WEEKDAY, re.compile(rf"\b{_DAY}\b|[월화수목금토일]요일|(?:周|週|星期|礼拜|禮拜)[一二三四五六日天末]", re.IGNORECASE)),
    (ValueKind.TIME, re.compile(r"\b\d{1,2}(?::\d{2})? ?(?:[ap]m\b|[ap]\.m\.)|\b\d{1,2}:\d{2}\b|\bnoon\b|\bmidnight\b|(?:오전|오후) ?\d{1,2}시(?: ?(?:\d{1,2}분|반))?|(?<!\d)\d{1,2}시(?: ?(?:\d{1,2}분|반))?|(?:上午|下午|早上|晚上|中午)?(?:\d{1,2}|[一二三四五六七八九十两]{1,2})[点點](?:半|\d{1,2}分)?", re.IGNORECASE)),
    (ValueKind.VERSION, re.compile(r"\bv?\d+(?:\.\d+){2,}(?:[-+][\w.]+)?|\bv\d+(?:\.\d+)*\b")),
    (ValueKind.AMOUNT, re.compile(r"[$€£¥₩]\s?\d[\d,.]*\d(?:[kKmM]\b)?|[$€£¥₩]\s?\d|\d[\d,.]*\s?(?:%|percent\b|dollars?\b|euros?\b|원|元|块|塊|만원|万|萬)")),
    (ValueKind.LABELLED, re.compile(r"(?<![\w.,-])\d(?:[\d,.]*\d)?[A-Za-z]? [A-Z][\w-]*(?: [A-Z][\w-]*)*")),
    (ValueKind.NUMBER, re.compile(r"(?<![\w.,-])\d(?:[\d,.]*\d)?(?![\w])|(?<![\w.,-])\d(?:[\d,.]*\d)?(?=[\u3400-\u9fff\uac00-\ud7a3])")),
    (ValueKind.NAME, re.compile(r"(?<![.!?:] )(?<!^)\b[A-Z][\w-]*(?: [A-Z][\w-]*)*\b|\b[A-Z][a-z]*[A-Z]\w*\b|(?<=^)[A-Z][\w-]*$")),
)  # fmt: skip


def is_telling(value: Value) -> bool:
    """Say whether two statements that name this value are hardly about two things."""
    return value.kind in _TELLING or (
        value.kind is ValueKind.NUMBER and sum(map(str.isdigit, value.text)) >= _DIGITS
    )


def values_in(text: str) -> list[Value]:
    """Return the values of ``text`` in the order of their kinds, none inside another; of a long one, of its beginning."""
    text = text[:MOST]
    found: list[Value] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if all(match.end() <= value.start or value.end <= match.start() for value in found):
                found.append(Value(kind, match.group(), match.start(), match.end()))
    return found
