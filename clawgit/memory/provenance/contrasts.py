"""What a sentence sets against words of a statement: `Ann, not Ben`, `blue instead of red`, `not 850 but 900`. Pure.

The fold and the writers of corrections call the same function, so what was written at once is counted at once.
"""

from __future__ import annotations

import re
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from clawgit.memory.entries.statements import own_words_of
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import shared_with, telling
from clawgit.text.comparing.value_kinds import BOUND, Value, ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.stopwords import ENGLISH, FRENCH, GERMAN, PORTUGUESE, SPANISH
from clawgit.text.words.word_lists import ONLY, SPACED, WEEKDAYS, any_word_of, words_in

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


COUNTED = frozenset(
    (ValueKind.NUMBER, ValueKind.AMOUNT, ValueKind.SHARE, ValueKind.DURATION, ValueKind.MEASURE)
)
MOST_EXCHANGED = 4  # words that replace others
_NOT = r"(?i:not|no longer|nicht?(?: mehr)?|no|ya no|pas|et plus|non(?: più)?|nie|ne|не|niet(?: meer)?|inte|ikke|não|instead of|rather than|(?:an)?statt|au lieu d(?:e |['’])|en (?:lugar|vez) de|em vez de|invece di)"
_BUT = r"(?i:but|sondern|mais|sino(?: que)?|ale|lecz|maar|utan)"
_PHRASE = r"(?:[^,;.!?–—()]|[.,:'’](?=\w)|\.(?= \w))+?"
_END = r"(?i: any ?more| any longer| mehr| más)?(?i: (?:ja(?:ja)+|ha(?:ha)+|lol|xd|sorry|sry))?(?=\s*(?:[,;–—()]|[.!?]*\s*$))"
_NOT_OLD = lazy_pattern(
    rf"(?P<said>.+?)(?:\s*[,;–—(]+\s*|\s+)(?:(?i:and|und|y|et|a|а|en|och|og|e) )?{_NOT}\s+(?P<old>{_PHRASE}){_END}"
)
_BUT_NEW = lazy_pattern(
    rf"(?P<head>.*?)(?:\b{_NOT}|n['’]t) (?P<old>{_PHRASE}),? {_BUT} (?P<new>{_PHRASE}){_END}"
)
_IS_WRONG = lazy_pattern(
    rf"(?P<said>.+?)[,;]\s+(?P<old>{_PHRASE}) (?i:is|was|ist|war|es|era|está|est|était) (?i:wrong|outdated|a typo|falsch|veraltet|mal|incorrecto|faux){_END}"
)
_ORDER = lazy_pattern(
    r"(?i)(?:please|put|find|show|give|tell|book|remind|send|ask|write|bitte|por favor|s['’]il (?:te|vous) pla[iî]t|per favore)\b"
)
_LEAVES_OPEN = lazy_pattern(
    r"(?i)\W*(?:but|aber|pero|mais|though|although|obwohl|wenn|if|si|falls|unless|maybe|vielleicht|according|laut|selon|según|secondo|segundo|volgens|enligt|ifølge|says?|said|sagt|meint|dice|dit|right|oder|verdad)\b|.*[?(]"
)
CLAUSE_END = lazy_pattern(r"[;,]\s|(?<=[^\W\d_]{4})\.\s|\s(?:and|und|y|et|but|aber)\s")
_BOUND = lazy_pattern(rf"(?i)\b(?:{BOUND})\b")
_ONE_DAY = lazy_pattern(
    r"(?i)(?:^that|\b(?:this|those|last|next|diese[mnrs]?|jene[mnrs]?|letzte[mnrs]?|nächste[mnrs]?|kommende[mnrs]?|ce|cet|cette|este|esta|próxim[oa]))\s+[^\W\d]"
)
_OWNED = lazy_pattern(r"\w['’]s\b")
_OWN = words_in(
    "my our mein meine meinen meinem meiner unser unsere unseren unserem unserer mi mis nuestro nuestra mon ma mes notre nos"
)
_ADVERB = lazy_pattern(
    r"(?i)^(?:(?:(?:actually|eigentlich|en fait|en realidad|na verdade|afinal|in realtà|eigenlijk|egentligen|egentlig|nope|nein|doch|(?:oh|no) wait|wait|oh|oops|ups|ah|ach|hm+|sorry)\b[,:]?|(?:no|non|neen?|nej|nei|não|correction|please correct(?: (?:that|this|it))?|korrektur|corrección|correção|correzione|update|nachtrag)[,:])\s+)+|^(?:不对|不，|아니)[，, ]*"
)
_COUNTED_THING = lazy_pattern(r"\s*[^\W\d]+")
_NUMBER = lazy_pattern(r"\d(?:[\d,.]*\d)?")
OF_OTHERS = words_in("""
your his her their its
ton ta tes votre vos son sa ses leur leurs sein seine seinem seinen seiner ihr ihre ihrem ihren ihrer dein deine deinem deinen deiner
euer eure eurem euren su sus tu tus vuestro vuestra suo sua tuo tua seu
other another andere anderen anderem anderer anderes autre autres otro otra otros otras altro altra outro outra
""")
_CURRENCIES = dict.fromkeys(words_in("€ euro euros eur"), "€") | dict.fromkeys(
    words_in("$ dollar dollars usd"), "$"
)
_BE = words_in(
    "is are was be ist sind sein heißt heisst est sont es son ser está están è sono é são has have hat haben gets called i'm it's c'est"
)
_ONCE = words_in("today tonight tomorrow heute hoy aujourd'hui demain oggi domani hoje amanhã")
_NOW = words_in("now already jetzt nun ahora maintenant adesso agora nu teraz")
_VERBS = words_in("""
get gets cost costs start starts begin begins bekommt kriegt erhält kostet kosten beginnt startet nennt
coûte commence reçoit appelle cuesta empieza cobra recibe llama costa inizia riceve começa recebe chama kost begint krijgt heet
""")
_BETWEEN = _NOW | words_in(
    "new neuer neue neues neuen nouveau nouvelle nuevo nueva nuovo nuova me te se nos us mir dir sich uns told forgot"
)  # a subject and its verb
_SMALL = ENGLISH | GERMAN | FRENCH | SPANISH | PORTUGUESE | _BE
_EACH_DAY = lazy_pattern(
    rf"(?i)\b({any_word_of(', '.join(day for day in WEEKDAYS if not day.endswith('s')))})s\b"
)
_WORD = lazy_pattern(r"\d[\d.,:]*\d|[^\W_]+(?:[-'’][^\W_]+)*")
_PAIR = lazy_pattern(r"([^\W_][\w.'’-]*)(?i: (?:and|und|y|et|e|&) | ?/ ?)([^\W_][\w.'’-]*)")
_WORDS = frozenset((ValueKind.NAME, ValueKind.LABELLED, ValueKind.PLATE, ValueKind.CODE))


class _Contrast(NamedTuple):
    """What a sentence says with its new words, the old words that it denies, and what follows them."""

    clause: str
    old: str
    tail: str


class Around(NamedTuple):
    """What says whether a sentence is about a statement: its headings, and which words are mere wording."""

    headings: str
    is_light: Callable[[str], bool]


def contrasted(statement: str, sentence: str, around: Around | None = None) -> str:
    """Return the statement with the words that a sentence sets against its own, empty if there are none or it is unclear.

    Without ``around``, whoever wrote it has judged what the sentence is about.
    """
    own = own_words_of(statement)
    contrast = _contrast_of(without_adverb(with_days_as_in(own, sentence)))
    if contrast is None or _ORDER.match(sentence) or _LEAVES_OPEN.match(contrast.tail):
        return ""
    if not all(map(_WORDS.__contains__, map(attrgetter("kind"), values_in(contrast.tail)))):
        return ""  # a second thing: `…, and her birthday is 15 June`
    place = _place_denied(own, contrast.old)
    if place is None or is_shared(own, place, sentence):
        return ""
    if _first_word(contrast.old) in _SMALL and not telling(own[: place[0]]):
        return ""  # its subject
    new = _counterpart(own, place, contrast)
    rest = exchanged(contrast.clause, new, "/")
    if rest is None or place_of(own, new) is not None:
        return ""
    is_named = _only_value(new) is not None or _is_capital(new.split()[-1])
    is_named = is_named or (sentence.islower() and _is_capital(own[place[0] :]))  # typed in haste
    if not is_named and telling(rest) != telling(own[: place[0]]):
        return ""  # `The lunch is salad today, not soup`
    if around is not None and not _is_about(rest, own, place, around):
        return ""
    return _with_words(own, place, new)


def _contrast_of(sentence: str) -> _Contrast | None:
    match = _BUT_NEW.match(sentence) or _NOT_OLD.match(sentence) or _IS_WRONG.match(sentence)
    if match is None or _first_word(match["old"]) in ONLY:
        return None
    parts = match.groupdict()
    clause = parts.get("said", "")
    if "new" in parts:
        if _weight(parts["new"]) != _weight(match["old"]):
            return None
        clause = " ".join(f"{parts['head']} {parts['new']}".split())
    first, _, last = clause.rpartition(" ")
    if first and last.lower() in _NOW:
        clause = first.rstrip(" ,")
    return _Contrast(clause, match["old"], sentence[match.end() :])


def _weight(text: str) -> int:
    return len(list(filterfalse(_SMALL.__contains__, text.split())))


def _first_word(text: str) -> str:
    return text.split(maxsplit=1)[0].lower()


def _place_denied(own: str, old: str) -> tuple[int, int] | None:
    """Return the only place of the denied words in a statement, or of these without small words before them (`am Samstag`); of a value, its own."""
    core = old
    last = core.rpartition(" ")[2]
    if _only_value(core) is None and _only_value(last) is not None:
        core = last
    while exchanged(own, core, "") is None or _only_value(core.partition(" ")[2]) is not None:
        if _first_word(core) not in _SMALL or " " not in core:
            break
        core = core.partition(" ")[2]
    place = place_of(own, core)
    if place is None or exchanged(own, core, "") is None:
        return None
    whole = _value_at(own, place[0])
    is_value = _only_value(core) is not None
    if whole is not None and whole.kind not in _WORDS and (is_value or whole.kind is ValueKind.DATE):
        return whole.start, whole.end  # `not June`, of `30 June`
    return place


def _value_at(own: str, start: int) -> Value | None:
    return next((each for each in values_in(own) if each.start <= start < each.end), None)


def _is_name(text: str) -> bool:
    return text.istitle() and _SMALL.isdisjoint(text.lower().split())


def _is_capital(word: str) -> bool:
    return word[:1].isupper()


def _counterpart(own: str, place: tuple[int, int], contrast: _Contrast) -> str:
    """Return the only value of the clause of the kind of the denied one, else as many words at the end of the clause."""
    core = own[place[0] : place[1]]
    value = _only_value(core)
    if value is not None:
        kinds = COUNTED if value.kind in COUNTED else {value.kind}
        clause = f"is {contrast.clause}"
        came = [each for each in values_in(clause) if each.kind in kinds]
        if came:
            counted = _COUNTED_THING.match(clause, came[0].end)
            is_other = counted is not None and not own[place[1] :].startswith(counted[0])
            return "" if is_other or came[1:] else came[0].text  # `52 members` for 48 euros
    clause_words = contrast.clause.split()
    size = len(core.split())
    if place[0] == 0 and _is_capital(core) and _is_name(" ".join(clause_words[:size])):
        return " ".join(clause_words[:size])  # `Bert is the treasurer, not Anna`
    spoken = clause_words[-size:]
    small_before = _SMALL.difference(_BE).intersection(clause_words[:-size][-1:])
    is_in_place = small_before.issubset(own[: place[0]].split()[-1:])
    if not (is_in_place or _is_capital(spoken[-1])):
        return ""  # `we pay by card, not cash` beside `Pay cash`
    if list(map(_SMALL.__contains__, spoken)) != list(map(_SMALL.__contains__, core.split())):
        return ""
    if not _BE.isdisjoint(spoken) or _is_capital(contrast.old.split()[-1]) != _is_capital(spoken[-1]):
        return ""  # `the dentist is expensive, not Pell`
    if value is not None and not any(map(str.isdigit, "".join(spoken))):
        return ""
    return " ".join(spoken)


def _is_about(clause: str, own: str, place: tuple[int, int], around: Around) -> bool:
    """Say whether all words around an exchanged one are in the clause of a statement, its label or its headings, or tell nothing: an unknown word is another thing (`the train`) or deed (`Ann eats`)."""
    spoken = set(words(clause))
    if not (OF_OTHERS | _ONCE).intersection(spoken).issubset(words(own)) or _ONE_DAY.search(clause):
        return False
    if _OWNED.search(own) and not _OWN.isdisjoint(spoken):
        return False  # `our van` beside `Emil's van`
    about = telling(_clause_around(own, place))
    headed = telling(around.headings)
    is_known = False
    for word in filter(telling, _WORD.findall(clause)):
        if shared_with(telling(word), about):
            is_known = True
        elif word.lower() not in _BETWEEN | _VERBS | _BE and not (
            around.is_light(word.lower()) or shared_with(telling(word), headed)
        ):
            return False
    return is_known


def _clause_around(own: str, place: tuple[int, int]) -> str:
    """Return the label of a statement, and the clause that has a place."""
    label, colon, rest = own.partition(": ")
    if not colon:
        label, rest = "", own
    start, end = len(own) - len(rest), len(own)
    for mark in CLAUSE_END.finditer(own):
        if mark.end() <= place[0]:
            start = max(start, mark.end())
        elif mark.start() >= place[1]:
            end = min(end, mark.start())
    return f"{label} {own[start:end]}"


def _with_words(own: str, place: tuple[int, int], new: str) -> str:
    start, end = place
    whole = _value_at(own, start)
    new = in_capitals(new, own[start:end])
    if whole is not None and whole.kind in COUNTED:
        if _BOUND.search(whole.text):
            return ""  # `up to 34 minutes` would lose what it says
        start, end = whole.start, whole.end
        new = with_number(whole.text, new)
    elif whole is not None and whole.kind not in _WORDS and (whole.start, whole.end) != place:
        return ""  # half of `Tuesday, 14 May`
    elif whole is not None and whole.kind is ValueKind.DATE and len(new.split()) != len(whole.text.split()):
        return ""  # the year would be lost
    return own[:start] + new + own[end:]


def _only_value(text: str) -> Value | None:
    values = values_in(f"is {text}")
    if len(values) != 1 or values[0].text != text or values[0].kind in _WORDS:
        return None
    return values[0]


def with_number(old: str, new: str) -> str:
    """Return an amount in place of another, in its spelling if only the number differs: `118 euro` for `112 €`."""
    number = _NUMBER.search(new)
    unit = _unit_of(new)
    if number is None or (unit and unit != _unit_of(old)):
        return new
    return _NUMBER.sub(number[0], old, count=1)


def _unit_of(amount: str) -> str:
    unit = _NUMBER.sub("", amount.casefold(), count=1).strip()
    return _CURRENCIES.get(unit, unit)


def in_capitals(new: str, old: str) -> str:
    """Return new words typed in small letters with the capitals of the old ones: names, the beginning of a line."""
    telling_words = list(filter(str.isalpha, filterfalse(_SMALL.__contains__, old.split())))
    if not new.islower() or not telling_words or not all(map(str.istitle, telling_words)):
        return new
    capitals = []
    for word in new.split():
        first = word[0]
        if word not in _SMALL:
            first = first.upper()
        capitals.append(first + word[1:])
    return " ".join(capitals)


def exchanged(text: str, old: str, new: str) -> str | None:
    """Return ``text`` with ``new`` for ``old`` as whole words; None unless it occurs exactly once."""
    place = place_of(text, old)
    if place is None or place_of(text[place[1] :], old) is not None:
        return None
    return text[: place[0]] + new + text[place[1] :]


def place_of(text: str, old: str) -> tuple[int, int] | None:
    """Return the span of ``old`` in ``text`` as whole words, ignoring case."""
    if not old:
        return None
    edge = rf"(?<!{SPACED})" if old[0].isascii() else ""
    other = rf"(?!{SPACED})" if old[-1].isascii() else ""
    match = re.search(edge + re.escape(old) + other, text, re.IGNORECASE)
    return match.span() if match else None


def is_shared(own: str, place: tuple[int, int], sentence: str) -> bool:
    """Say whether two things share the words at a place of a statement, and a sentence names one of them: `rounds on Tuesday and Friday at 8`."""
    before = re.split(r"[;:.,]\s", own[: place[0]])[-1]
    behind = re.split(r"[;:.,]\s", own[place[1] :])[0]
    spoken = set(words(with_days_as_in(own, sentence)))
    for pair in _PAIR.finditer(f"{before}| {behind}"):
        is_of_names = all(each[0].isupper() or each in WEEKDAYS for each in pair.groups())
        named = [not spoken.isdisjoint(words(each)) for each in pair.groups()]
        if is_of_names and any(named) and not all(named):
            return True
    return False


def with_days_as_in(statement: str, sentence: str) -> str:
    """Return a sentence with its weekdays in the singular if a statement has one so: `Thursdays, not Wednesdays`, `mittwochs`."""
    days = [value.text for value in values_in(statement) if value.kind is ValueKind.WEEKDAY]
    if not days or any(map(_EACH_DAY.fullmatch, days)):
        return sentence
    return _EACH_DAY.sub(r"\1", sentence)


def without_adverb(sentence: str) -> str:
    """Return a sentence without a correcting lead-in: `oh wait, …`."""
    return _ADVERB.sub("", sentence)
