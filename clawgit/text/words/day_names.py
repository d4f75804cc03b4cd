"""The names of months and days of the week in eight languages, folded (small letters, no accents), by their number."""

from __future__ import annotations


def numbered(listed: str) -> dict[str, int]:
    """Read lines of a number and the words for it; `_` stands for a space."""
    rows = (line.split() for line in listed.strip().split("\n"))
    return {word.replace("_", " "): int(value) for value, *names in rows for word in names}


ENGLISH_MONTHS = numbered("""
1 january jan
2 february feb
3 march mar
4 april apr
5 may
6 june jun
7 july jul
8 august aug
9 september sept sep
10 october oct
11 november nov
12 december dec
""")
MONTHS = ENGLISH_MONTHS | numbered("""
1 januar janvier enero janeiro
2 februar fevrier febrero fevereiro
3 marz maerz mars marzo marco
4 avril abril
5 mai mayo maio
6 juni juin junio junho
7 juli juillet julio julho
8 aout agosto
9 septembre septiembre setembro
10 oktober okt octobre octubre outubro
11 novembre noviembre novembro
12 dezember dez decembre diciembre dezembro
""")
WEEKDAYS = numbered("""
0 monday montag lundi lunes segunda-feira 周一 星期一 礼拜一 週一 월요일 月曜日 月曜
1 tuesday dienstag mardi martes terca-feira 周二 星期二 礼拜二 週二 화요일 火曜日 火曜
2 wednesday mittwoch mercredi miercoles quarta-feira 周三 星期三 礼拜三 週三 수요일 水曜日 水曜
3 thursday donnerstag jeudi jueves quinta-feira 周四 星期四 礼拜四 週四 목요일 木曜日 木曜
4 friday freitag vendredi viernes sexta-feira 周五 星期五 礼拜五 週五 금요일 金曜日 金曜
5 saturday samstag samedi sabado 周六 星期六 礼拜六 週六 토요일 土曜日 土曜
6 sunday sonntag dimanche domingo 周日 周天 星期日 星期天 礼拜天 週日 일요일 日曜日 日曜
""")
SHORT_WEEKDAYS = numbered("""
0 mon
1 tue tues
2 wed
3 thu thur thurs
4 fri
5 sat
6 sun
""")
