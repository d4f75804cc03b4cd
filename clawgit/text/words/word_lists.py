"""Shared word lists and parts of patterns; names of days and months are folded (small letters, no accents)."""

from __future__ import annotations

from clawgit.text.lazy_pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"


def words_in(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


def any_of(listed: str) -> str:
    """Return an expression for any of some comma-separated words or expressions; the first match in their order counts."""
    return _either(listed.split(","))


def any_word_of(listed: str) -> str:
    """Return the same with longer words first: no word hides one that begins with it. For words, not for expressions."""
    return _either(longest_first(map(str.strip, listed.split(","))))


def longest_first(words: Iterable[str]) -> list[str]:
    """Return each word once, longer ones before their own beginnings."""
    return sorted(set(words), key=lambda word: (-len(word), word))


def _either(parts: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(str.strip, parts))})"


_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
UNSPACED = lazy_pattern(f"[{_UNSPACED}]")
# A letter of a script with spaces between words: adjacent letters are in the same word. Ignoring case,
# `re` would look up each of the 30,000 letters without case, for each of these.
SPACED = rf"(?-i:[^\W{_UNSPACED}])"
# Edge of such a word: `\b` sees none between a number and a Chinese character.
EDGE = rf"(?:(?<!{SPACED})(?={SPACED})|(?<={SPACED})(?!{SPACED}))"
# First letters of a name in Latin, Greek or Cyrillic script, between brackets of a pattern: also in `Škoda`.
CAPITALS = "".join(filter(str.isupper, map(chr, range(ord("A"), ord("\u0530")))))
HAN_OR_HANGUL = lazy_pattern(r"[\u3400-\u9fff\uac00-\ud7a3]")

# Units of values, without CJK
MONEY = any_of(
    "dollars?, euros?, pounds?, francs?, yen, won, cents?, usd, eur, gbp, chf, krw, cny, franken, kronen"
)
SPAN = any_of(
    "ms, milliseconds?, s, secs?, seconds?, mins?, minutes?, h, hrs?, hours?, days?, weeks?, months?, years?"
    ", sekunden?, minuten, stunden?, tage?n?, wochen?, monate?n?, jahre?n?"
)
MEASURE = any_of(
    "mg, g, kg, lbs?, km, m, cm, mm, miles?, ml, l, litres?, liters?, kb, mb, gb, tb, mbit, gbit, px, degrees, °c, °f"
)
UNIT = lazy_pattern(rf"(?i)(?<![\w'’-])(?:{MONEY}|{SPAN}|{MEASURE}|percent|prozent)(?![\w'’-])")


def numbered(listed: str) -> dict[str, int]:
    """Read rows of a number and its words, each a line or up to a semicolon; `_` means a space."""
    rows = map(str.split, listed.strip().replace("\n", ";").split(";"))
    return {word.replace("_", " "): int(value) for value, *names in rows for word in names}


ENGLISH_MONTHS = numbered("""
1 january jan; 2 february feb; 3 march mar; 4 april apr; 5 may; 6 june jun; 7 july jul; 8 august aug
9 september sept sep; 10 october oct; 11 november nov; 12 december dec
""")
MONTHS = ENGLISH_MONTHS | numbered("""
1 januar jänner janner jaenner janvier enero janeiro gennaio januari; 2 februar feber février fevrier febrero fevereiro febbraio februari; 3 märz marz maerz mars marzo marco maart
4 avril abril aprile; 5 mai mayo maio maggio; 6 juni juin junio junho giugno; 7 juli juillet julio julho luglio; 8 août aout agosto augustus
9 septembre septiembre setembro settembre; 10 oktober okt octobre octubre outubro ottobre; 11 novembre noviembre novembro
12 dezember dez décembre decembre diciembre dezembro dicembre
""")
FAR_MONTHS = 6  # a date without a year is hardly of the year of one so far away
WEEKDAYS = numbered("""
0 monday montag lundi lunes segunda-feira lunedì maandag 周一 星期一 礼拜一 週一 월요일 月曜日 月曜
1 tuesday dienstag mardi martes terca-feira terça-feira martedì dinsdag 周二 星期二 礼拜二 週二 화요일 火曜日 火曜
2 wednesday mittwoch mercredi miercoles miércoles quarta-feira mercoledì woensdag 周三 星期三 礼拜三 週三 수요일 水曜日 水曜
3 thursday donnerstag jeudi jueves quinta-feira giovedì donderdag 周四 星期四 礼拜四 週四 목요일 木曜日 木曜
4 friday freitag vendredi viernes sexta-feira venerdì vrijdag 周五 星期五 礼拜五 週五 금요일 金曜日 金曜
5 saturday samstag samedi sabado sábado sabato zaterdag 周六 星期六 礼拜六 週六 토요일 土曜日 土曜
6 sunday sonntag dimanche domingo domenica zondag 周日 周天 星期日 星期天 礼拜天 週日 일요일 日曜日 日曜
""")
SHORT_WEEKDAYS = numbered("""
0 mon; 1 tue tues; 2 wed; 3 thu thur thurs; 4 fri; 5 sat; 6 sun
""")

# Words that call the listener, before a comma: `Oye, recuerda que …`.
ADDRESS = r"(?:hey|hi|hello|listen|look|hallo|hör (?:mal|zu)|sag mal|du|oye|oiga|mira|mire|che|hola|écoute[sz]?|dis|ascolta|senti|olha|ouve|ouça|hé|luister|hoor eens|zeg)"
# Orders to remember the words behind a colon: `save this: …`.
WRITE_DOWN = (
    r"(?:(?:write|note|jot) (?:(?:this|that|it) )?down|put (?:this|that|it) down|(?:save|store|keep|record|note) (?:this|that)|schreibe? (?:dir )?(?:das|dies|folgendes) auf|(?:notiere?|merke?|speichere?)(?: dir)? (?:das|dies|folgendes)"
    r"|(?:note[sz]?|enregistre[sz]?|garde[sz]?) (?:bien )?(?:ça|ceci|cela)|(?:segna|segnati|salva|annota|annotati)(?: questo)?|(?:anota|aponta|guarda|salva) (?:isto|isso)|(?:bewaar|noteer|onthoud) (?:dit|dat)|(?:schrijf|sla) (?:dit|dat) op|noteer"
    r"|(?:an[oó]ta(?:te)?|ap[uú]nta(?:te)?|guarda|gu[aá]rdate)(?: (?:esto|eso))|an[oó]talo|ap[uú]ntalo|gu[aá]rdalo)"
)
# Orders to remember the words before a comma: `el perro se llama Toto, no lo olvides`.
REMEMBER_BEHIND = (
    r"(?:(?:nicht vergessen|(?:das )?bitte merken|merk(?: dir das|['’]?s dir)|schreib(?: dir das| es| das|['’]s)(?: bitte)? auf|(?:an[oó]ta|ap[uú]nta)(?:te)?l[oa]|tieni(?:lo|la) a mente|(?:annota|segna)telo|vergiss (?:es|das) nicht|denk da?ran|recuérdalo|acuérd(?:ate|ese)(?: de eso)?|(?:que )?no (?:se (?:te|le|me|nos) |te |se |lo )*olvid(?:es?|en|és|éis)"
    r"|retiens-le|souviens[- ]toi(?:[- ]en)?|n(?:e l)?['’]oublie[sz]? pas|ricordal[oa]|ricordati(?: di questo)?|ricordatelo|non (?:ti |lo )?dimenticar(?:e|ti|lo|telo)"
    r"|lembr[ae]-[ts]e(?: disso)?|não (?:te |se |o )?esqueças?(?: disso)?|onthoud dat|niet vergeten|vergeet (?:het|dat) niet|kom ihåg det|husk det)(?:,? (?:please|bitte|por favor|per favore|s['’]il te pla[iî]t|alsjeblieft))?)"
)
SPANISH_ORDER = r"(?:recuerda|recuerde|record[aá](?:me)?|an[oó]t[aá](?:me|te)?|ap[uú]nt[aá](?:me|te)?|ten[eé]? en cuenta|(?:que )?no se (?:te|le|me|nos) olviden?|no (?:te |se )?olvid(?:[eé]s?|[eé]is|en)|acuérdate|acuérdese|acord[aá]te)"
ITALIAN_ORDER = r"(?:ricorda(?:ti|te|tevi)?|annota(?:ti)?|segna(?:ti)?|appunta(?:ti)?|memorizza|prendi nota|tieni (?:a mente|presente)|non (?:ti )?(?:dimenticar|scordar)(?:e|ti))"
ONLY = words_in("only just nur bloß solo sólo solamente seulement uniquement soltanto apenas")
