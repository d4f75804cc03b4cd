"""A sentence as memory says it: as it was said, and in quotation marks where it would say `I`. Pure."""

from __future__ import annotations

import re

from clawgit.text.safety.control_characters import folded
from clawgit.text.words.word_lists import WEEKDAY
from clawgit.understanding.forms import user_words

USER = "User"
_BESIDE = re.compile(
    rf"\b(?:next|last|this|coming) (?:week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|night|{WEEKDAY})\b"
    r"|\b(?:today|tonight|tomorrow|yesterday)\b|\b\w+ (?:days?|weeks?|months?|years?) ago\b|\bin \w+ (?:days?|weeks?|months?)\b"
    r"|[上下这這本](?:个|個)?[周週月]|今晚|今年|明年|去年|(?:다음|지난|이번) ?(?:주|달|해)|내년|작년|올해"
    r"|前天|昨天|今天|明天|그저께|어제|오늘|내일",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_EAST_ASIAN = re.compile(
    r"[我你您咱]|私|僕|俺|(?<![가-힣])(?:나|내|저|제|우리|너|네|난|전)(?:는|은|가|를|의|도|한테|에게)?(?![가-힣])"
)
_SPEAKING = user_words.SELF | user_words.OWN | user_words.YOU | user_words.YOURS


def is_beside(statement: str) -> bool:
    """Say whether a sentence means another day when it is said on another."""
    return _BESIDE.search(statement) is not None


def _is_spoken(said: str) -> bool:
    """Say whether a sentence means somebody else when somebody else says it: it has an `I` or a `you`."""
    return bool(_SPEAKING.intersection(_WORD.findall(said.lower()))) or _EAST_ASIAN.search(said) is not None


def as_remembered(said: str) -> str:
    """Return a sentence of the operator's as memory says it, no word of it changed."""
    plain = folded(said)
    return as_quoted(plain) if _is_spoken(plain) else plain


def as_said(statement: str) -> str:
    """Return a sentence that memory has of the operator as he said it."""
    quoted = statement.removeprefix(f'{USER}: "')
    return statement if quoted == statement else quoted.removesuffix('"')


def as_quoted(said: str, who: str = USER) -> str:
    """Return a sentence of ``who`` in his own words."""
    plain = folded(said).replace('"', "'")
    return f'{who}: "{plain}"'
