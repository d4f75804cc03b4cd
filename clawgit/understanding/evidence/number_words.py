"""Words for numbers, units and days by what they mean, in the languages that talk is in: tables, read once."""

from __future__ import annotations

from clawgit.text.words.day_names import SHORT_WEEKDAYS, WEEKDAYS

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
_KOREAN = "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두"
KOREAN_COUNTS = {word: count for count, word in enumerate(_KOREAN.split(), 1)}
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
