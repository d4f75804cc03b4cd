"""Words by which a line tells a time: what a question that asks "when" looks for. Pure."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    return (
        not _telling().isdisjoint(terms)
        or any(term[0].isdigit() and _CLOCK.fullmatch(term) for term in terms)
        or any(number.isdecimal() and unit[0] in _UNITS for number, unit in pairwise(terms))
    )
