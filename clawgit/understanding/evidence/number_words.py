"""Words for numbers, units and days by what they mean, in the languages that talk is in: tables, read once."""

from __future__ import annotations

from clawgit.text.words.day_names import SHORT_WEEKDAYS, WEEKDAYS, numbered

DAYS = WEEKDAYS | {
    name: day for name, day in SHORT_WEEKDAYS.items() if name not in ("mon", "sat", "sun", "wed")
}
NUMBERS = numbered("""
0 zero
2 two twice couple zwei zweimal deux dos
3 three thrice drei trois tres
4 four vier quatre cuatro
5 five fünf cinq cinco
6 six sechs seis
7 seven sieben sept siete
8 eight acht huit ocho
9 nine neun neuf nueve
10 ten zehn dix diez
11 eleven elf onze
12 twelve dozen zwölf douze doce
13 thirteen
14 fourteen
15 fifteen fünfzehn quinze quince
16 sixteen
17 seventeen
18 eighteen
19 nineteen
20 twenty zwanzig vingt veinte
30 thirty dreißig trente treinta
40 forty
50 fifty
60 sixty
70 seventy
80 eighty
90 ninety
2 second
3 third
4 fourth
5 fifth
6 sixth
7 seventh
8 eighth
9 ninth
10 tenth
""")
SCALES = {"hundred": 100, "thousand": 1000, "k": 1000, "million": 10**6, "mio": 10**6, "billion": 10**9}
SCALES |= {
    "천": 1000,
    "千": 1000,
    "만": 10**4,
    "万": 10**4,
    "萬": 10**4,
    "억": 10**8,
    "亿": 10**8,
    "億": 10**8,
}
HAN_DIGITS = dict(zip("〇一二两兩三四五六七八九", (0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
KOREAN_COUNTS = numbered("""
1 한
2 두
3 세
4 네
5 다섯
6 여섯
7 일곱
8 여덟
9 아홉
10 열
11 열한
12 열두
""")
NUMBERS |= KOREAN_COUNTS
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
