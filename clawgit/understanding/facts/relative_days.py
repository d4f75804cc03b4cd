"""`yesterday` in a sentence that will be read in a month: the day it was. Pure.

Only words that name one day are given its date. `Next Friday` may be this week's or the one after it, and stays.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from clawgit.text.words.word_lists import WEEKDAY

_ENGLISH = {"yesterday": -1, "today": 0, "tomorrow": 1}
_OTHERS = {"前天": -2, "昨天": -1, "今天": 0, "明天": 1, "그저께": -2, "어제": -1, "오늘": 0, "내일": 1}
_ENGLISH_DAY = re.compile(
    r"(?<!like )(?<!\bit was )\b(?P<before>(?:until|till|since|by|from|before|after|for|of|on|than) )?"
    r"(?P<day>yesterday|today|tomorrow)\b(?!['’-])"
    r"(?P<part> (?:morning|afternoon|evening|night))?(?= (?P<is>is|was|marks|will be)\b)?",
    re.IGNORECASE,
)
DAY_NAMES = "|".join(_OTHERS)  # in scripts whose words have no ends
_OTHER_DAY = re.compile(f"(?P<before>\\w)?(?P<day>{DAY_NAMES})(?!날)(?P<behind>[\\u3400-\\u9fff])?")

_BESIDE = re.compile(
    rf"\b(?:next|last|this|coming) (?:week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|night|{WEEKDAY})\b"
    r"|\b(?:today|tonight|tomorrow|yesterday)\b|\b\w+ (?:days?|weeks?|months?|years?) ago\b|\bin \w+ (?:days?|weeks?|months?)\b"
    r"|[上下这這本](?:个|個)?[周週月]|今晚|今年|明年|去年|(?:다음|지난|이번) ?(?:주|달|해)|내년|작년|올해"
    f"|{DAY_NAMES}",
    re.IGNORECASE,
)


def is_beside(statement: str) -> bool:
    """Say whether a sentence means another day when it is said on another."""
    return _BESIDE.search(statement) is not None


def with_days(statement: str, on: date) -> str:
    """Return a sentence of the day ``on`` in which the days beside it have their dates."""
    said = _ENGLISH_DAY.sub(lambda found: _english(found, on), statement)
    return _OTHER_DAY.sub(lambda found: _other(found, on), said)


def _english(found: re.Match[str], on: date) -> str:
    day = (on + timedelta(days=_ENGLISH[found["day"].lower()])).isoformat()
    part = (found["part"] or "").strip().lower()
    behind = " at night" if part == "night" else f" in the {part}" if part else ""
    if found["before"] or found["is"]:
        return f"{found['before'] or ''}{day}{behind}"
    return f"{'on' if found.start() else 'On'} {day}{behind}"


def _other(found: re.Match[str], on: date) -> str:
    day = (on + timedelta(days=_OTHERS[found["day"]])).isoformat()
    before = f"{found['before']} " if found["before"] else ""
    return f"{before}{day} {found['behind']}" if found["behind"] else f"{before}{day}"
