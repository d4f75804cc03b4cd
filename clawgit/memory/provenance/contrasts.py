"""What a sentence sets against words of a statement: `Ann, not Ben`, `blue instead of red`, `not 850 but 900`. Pure.

The fold and the writers of corrections call the same function, so what was written at once is counted at once.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import dropwhile, filterfalse, pairwise, takewhile
from operator import attrgetter, itemgetter, methodcaller
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from clawgit.memory.entries.statements import own_words_of
from clawgit.text.comparing.similarity import exchanged_words, without_accents, words
from clawgit.text.comparing.subjects import shared_with, subject, telling
from clawgit.text.comparing.value_kinds import BOUND, Value, ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.stopwords import ENGLISH, FRENCH, GERMAN, PORTUGUESE, SPANISH
from clawgit.text.words.word_lists import MONTHS, SPACED, WEEKDAYS, any_word_of, words_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

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
_YEAR = lazy_pattern(r"(?:19|20)\d\d")
_ADVERB = lazy_pattern(
    r"(?i)^(?:(?:(?:actually|eigentlich|en fait|en realidad|na verdade|afinal|in realtà|eigenlijk|egentligen|egentlig|nope|nein|doch|(?:oh|no) wait|wait|oh|oops|ups|ah|ach|hm+|sorry)\b[,:]?|(?:no|non|neen?|nej|nei|não|correction|korrektur|corrección|correção|correzione|update|nachtrag)[,:])\s+)+|^(?:不对|不，|아니)[，, ]*"
)
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
_ONLY = words_in("only just nur bloß solo sólo solamente seulement uniquement soltanto apenas")
_JOINING = words_in("und and y et e en og och & de von van del da di of")
_BE = words_in(
    "is are was be ist sind sein heißt heisst est sont es son ser está están è sono é são has have hat haben gets called i'm it's c'est"
)
_ONCE = words_in("today tonight tomorrow heute hoy aujourd'hui demain oggi domani hoje amanhã")
_NOW = words_in("now already jetzt nun ahora maintenant adesso agora nu teraz")
_BEFORE_A_WORD = _BE | words_in(
    "the der die das den dem el la los las le les il lo gli i o os as de het in im am auf bei at on"
)
_ANY = words_in("a an ein eine einen einem einer un una une um uma")  # `a tiger`, not a name
_VERBS = words_in("""
get gets cost costs start starts begin begins bekommt kriegt erhält kostet kosten beginnt startet nennt
coûte commence reçoit appelle cuesta empieza cobra recibe llama costa inizia riceve começa recebe chama kost begint krijgt heet
""")
_BETWEEN = _NOW | words_in(
    "new neuer neue neues neuen nouveau nouvelle nuevo nueva nuovo nuova me te se nos us mir dir sich uns told forgot"
)  # a subject and its verb
_BE_NOW = _BE | _NOW
_SMALL = ENGLISH | GERMAN | FRENCH | SPANISH | PORTUGUESE | _BE
_EACH_DAY = lazy_pattern(
    rf"(?i)\b({any_word_of(', '.join(day for day in WEEKDAYS if not day.endswith('s')))})s\b"
)
_WORD = lazy_pattern(r"\d[\d.,:]*\d|[^\W_]+(?:[-'’][^\W_]+)*")
_UNTIL_MARK = lazy_pattern(r"[^\s,;:!?]*[^\s.,;:!?]")
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
    cores = list(_cores(contrast.old))
    core = cores[-1]
    value = _only_value(core)
    if _is_month(core) or (value is not None and value.kind not in _WORDS):
        cores = cores[-1:]
    place = _first_place(own, cores, contrast.clause)
    if place is None or is_shared(own, place, sentence):
        return ""
    return _with_counterpart(own, place, contrast, around)


def _first_place(own: str, cores: Iterable[str], clause: str) -> tuple[int, int] | None:
    return next(filter(None, map(partial(_place_of, own, clause), cores)), None)


def _place_of(own: str, clause: str, core: str) -> tuple[int, int] | None:
    """Return the only place of words in a statement, else that in the only part with a word of the clause."""
    places = []
    place = place_of(own, core)
    while place is not None:
        places.append(place)
        behind = place_of(own[place[1] :], core)
        place = behind and (place[1] + behind[0], place[1] + behind[1])
    if len(places) > 1:
        spoken = telling(clause)
        if ":" in own:
            spoken -= telling(own.partition(":")[0])
        places = list(filter(lambda each: shared_with(spoken, telling(_clause_around(own, *each))), places))
    return _only(places)


def _only(values: Iterable[_T]) -> _T | None:
    """Return the value if there is one only."""
    several = list(values)
    if len(several) != 1:
        return None
    return several[0]


def _contrast_of(sentence: str) -> _Contrast | None:
    match = _BUT_NEW.match(sentence) or _NOT_OLD.match(sentence) or _IS_WRONG.match(sentence)
    if match is None or _first_word(match["old"]) in _ONLY:
        return None
    parts = match.groupdict()
    old = match["old"]
    clause = parts.get("said", "")
    if "new" in parts:
        before, old, new = _denied_like(parts["new"], old)
        is_of_names = all(map(_is_capital, filterfalse(_SMALL.__contains__, f"{old} {new}".split())))
        if not is_of_names and _weight(new) != _weight(old):
            return None
        clause = " ".join(f"{parts['head']} {before} {new}".split())
    first, _, last = clause.rpartition(" ")
    if first and last.lower() in _NOW:
        clause = first.rstrip(" ,")
    return _Contrast(clause, old, sentence[match.end() :])


def _denied_like(new: str, old: str) -> tuple[str, str, str]:
    """Return what is before the denied words that begin as the new ones do, these (`allergic`, `to nuts`), and the new, with a German verb behind both."""
    own = old.split()
    spoken = new.split()
    if len(spoken) == 1 or own.count(spoken[0]) != 1:
        return "", old, new
    start = own.index(spoken[0])
    end = start + len(spoken)
    behind = own[end:]
    if end > len(own) or len(behind) > 1:
        return "", old, new
    are_nouns = own[end - 1].istitle() and spoken[-1].istitle()
    if behind and behind[0] not in GERMAN and not (are_nouns and behind[0].islower()):
        return "", old, new  # `gegen alle Nüsse, sondern gegen Walnüsse`
    return " ".join(own[:start]), " ".join(own[start:]), " ".join((new, *behind))


def _weight(text: str) -> int:
    return len(list(filterfalse(_SMALL.__contains__, text.split())))


def _first_word(text: str) -> str:
    return text.split(maxsplit=1)[0].lower()


def _cores(old: str) -> Iterator[str]:
    """Yield the old words, then without one small word after the other before them: `am Samstag`, `Samstag`."""
    yield old
    while _first_word(old) in _SMALL and " " in old:
        old = old.partition(" ")[2]
        yield old


def _with_counterpart(own: str, place: tuple[int, int], contrast: _Contrast, around: Around | None) -> str:
    """Return a statement with the counterpart of the words at a place, empty if there is none, or if it is about something else."""
    spoken = _repeated(own, place, contrast.clause)
    if spoken is None:
        spoken = _counterpart(own, place, contrast, around)
    if not spoken:
        return ""
    whole = _value_at(own, place[0])
    if whole is not None and whole.kind not in _WORDS:
        value = _only_value(spoken)
        is_part = (whole.start, whole.end) != place
        new = in_capitals(spoken, whole.text)
        if _BOUND.findall(whole.text) != _BOUND.findall(spoken):
            return ""  # `up to 34 minutes` would lose what it says
        if value is not None and whole.kind in COUNTED:
            new = with_number(whole.text, spoken)
        elif is_part and (value is None or value.kind not in (whole.kind, ValueKind.NUMBER)):
            return ""  # `8 in winter:00` of `at 8 in winter, not 7`
        if whole.kind is ValueKind.DATE and len(_YEAR.findall(whole.text)) != len(_YEAR.findall(new)):
            return ""
        if value is not None and (value.kind is not ValueKind.NUMBER or whole.kind in COUNTED):
            place = (whole.start, whole.end)
        return _with_words(own, place, new)
    if spoken.islower() and contrast.old != contrast.old.lower():
        return ""  # `the dentist is expensive, not Dr. Pell`
    return _with_words(own, place, in_capitals(spoken, own[place[0] : place[1]]))


def _counterpart(own: str, place: tuple[int, int], contrast: _Contrast, around: Around | None) -> str:
    spoken = _opposed(own, place, contrast)
    rest = exchanged(contrast.clause, spoken, "/")
    is_subject = _first_word(contrast.old) in _SMALL and not telling(own[: place[0]])
    if rest is None or is_subject or place_of(own, spoken) is not None:
        return ""
    if around is not None and not _is_about(rest, own, place, around):
        return ""
    return spoken


def _opposed(own: str, place: tuple[int, int], contrast: _Contrast) -> str:
    core = own[place[0] : place[1]]
    if _is_month(core):
        return _only(set(filter(_is_month, contrast.clause.split()))) or ""
    value = _only_value(core)
    if value is not None and value.kind not in _WORDS:
        return _value_instead(_value_at(own, place[0]) or value, value, contrast.clause)
    return _words_instead(core, contrast)


def _with_words(own: str, place: tuple[int, int], new: str) -> str:
    start, end = place
    *_, last = own[start:end].split()
    new = _not_before(new, own[:start])
    if last in _SMALL and last not in new.split() and _value_at(own, end - 1) is None:
        return ""  # the `aus` of `am 3. Mai aus` would be lost
    if own[end:].startswith("."):  # `am 5.12. fertig` for `am 12.12. fertig`
        new = new.removesuffix(".")
    fresh, rest = _not_twice(new.split(), own[end:])
    if _has_case(fresh, own[start:end].split()):
        return ""
    if rest.startswith(" ") and shared_with(telling(rest.split()[0]), telling(new)):
        return ""  # `jede Stunde Stunden`
    line = own[:start] + new + rest
    if len(exchanged_words(own, line)[1].split()) > MOST_EXCHANGED:
        return ""
    return line


def _repeated(own: str, place: tuple[int, int], clause: str) -> str | None:
    """Return the words that a repetition of a statement has in one place (`Mia takes the bus 14 to school`), empty if they are unfit; None if it is none."""
    start, end = place
    before = own[:start].rstrip(" :")
    behind = own[end:].strip(" .!")
    again = rf"{re.escape(before)}:?\s+(?P<new>[^,;:]+?)(?:\s+{re.escape(behind)})?"
    match = re.fullmatch(again, clause, re.IGNORECASE)
    if match is None or not subject(before):
        return None
    if re.search(rf"{_NOT}\s+{re.escape(match['new'])}", own):
        return ""  # `use spaces, not tabs` beside `Use tabs, not spaces.` swaps the two
    spoken = list(dropwhile(_BE_NOW.__contains__, match["new"].split()))
    first = _first_word(own[start:end])
    if first not in _SMALL:
        bare = list(dropwhile((_SMALL - _ANY - {"one"}).__contains__, spoken))
        if len(spoken) > len(bare) > len(own[start:end].split()):
            return ""  # `im Sommer Salat`
        spoken = bare  # `el viernes` for `miércoles`
    if (first not in _ANY and not _ANY.isdisjoint(spoken[:1])) or not (_BE | _ONCE).isdisjoint(spoken):
        return ""
    return " ".join(spoken)


def _has_case(new: Sequence[str], old: Sequence[str]) -> bool:
    """Say whether new words have more than old ones: a small one within that joins no name (`dev at night`), words beside a value (`9090 nights`)."""
    if _parts_within(new) > _parts_within(old):
        return True
    is_value = len(new) > len(old) and not _says_more_than_values(" ".join(old))
    spoken = " ".join(new)
    return is_value and bool(values_in(f"is {spoken}")) and _says_more_than_values(spoken)


def _parts_within(spoken: Iterable[str]) -> int:
    number = 0
    for before, word in pairwise(dropwhile(_SMALL.__contains__, spoken)):
        is_joined = before in _JOINING or (word in _JOINING and word != "en")  # `dev en CI`
        if word in _SMALL and not is_joined:
            number += 1
    return number


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


def _is_about(clause: str, own: str, place: tuple[int, int], around: Around) -> bool:
    """Say whether words around an exchanged one are about its place in a statement: they share a word, and name no other thing."""
    own_terms = telling(own[: place[0]] + own[place[1] :])
    if _OWNED.search(own) and not _OWN.isdisjoint(words(clause)):
        return False  # `our van` beside `Emil's van`
    return bool(shared_with(telling(clause), own_terms)) and not _is_of_another(clause, own, place, around)


def _is_of_another(clause: str, own: str, place: tuple[int, int], around: Around) -> bool:
    """Say whether words around an exchanged one are about another thing, day or deed than its place in a statement.

    An unknown word is another thing (`the train`) or deed (`Ann eats`), but for a verb that only ties a value to what is right
    before it. So is a word of another clause that has a value of the same kind.
    """
    start, end = place
    own_terms = telling(own[:start] + own[end:])
    genitives = set(map("{}s".format, own_terms))  # `Annas`
    headed = telling(around.headings)
    own_words = set(words(own)) - _SMALL
    numbers = set(_WORD.findall(own))
    spoken_words = words(clause)
    others = (OF_OTHERS - {"son"}).intersection(spoken_words)
    if not _ONCE.isdisjoint(spoken_words) or not others.issubset(words(own)):
        return True
    if _ONE_DAY.search(clause) and not _ONE_DAY.search(own):
        return True
    shared: set[str] = set()
    is_behind_known = False
    for word in _WORD.findall(clause):
        terms = telling(word)
        if word[0].isdigit() and word not in numbers:
            return True
        if word.lower() in _BETWEEN:
            continue
        its = shared_with(terms, own_terms) or terms & genitives
        if its:
            shared |= its
            is_behind_known = True
        elif shared_with(terms, headed) or word.lower() in own_words:
            is_behind_known = True
        elif word.lower() in _SMALL or around.is_light(word.lower()):
            is_behind_known = False
        elif not is_behind_known or word.lower() not in _VERBS:
            return True
        else:
            is_behind_known = False
    return _is_of_another_clause(shared, own, start, end)


def _is_of_another_clause(shared: Collection[str], own: str, start: int, end: int) -> bool:
    """Say whether one of the words is only in a clause of a statement that has a value of the same kind as the place."""
    value = _value_at(own, start)
    kind = ValueKind.NAME
    if value is not None:
        kind = value.kind
    clause = _clause_around(own, start, end)
    first, *others = CLAUSE_END.split(own)
    label, colon, _ = first.partition(":")
    if colon or not _has_kind(first, kind):  # it heads all of them
        clause += f" {label}"
    here = telling(clause)
    for other in (first, *others):
        only = shared_with(frozenset(shared), telling(other)) - shared_with(frozenset(shared), here)
        if only and (kind is ValueKind.NAME or _has_kind(other, kind)):
            return True
    return False


def _has_kind(clause: str, kind: ValueKind) -> bool:
    return kind in map(attrgetter("kind"), values_in(f"is {clause}"))


def _clause_around(own: str, start: int, end: int) -> str:
    clauses = list(map(methodcaller("start"), CLAUSE_END.finditer(own)))
    right = min(filter(end.__le__, clauses), default=len(own))
    lefts = [0, *filter(start.__ge__, clauses)]
    while len(lefts) > 1 and not _says_more_than_values(f"{own[lefts[-1] : start]} {own[end:right]}"):
        lefts.pop()  # `Tuesday, Thursday and Friday` are of one clause
    return f"{own[lefts[-1] : start]} {own[end:right]}"


def _says_more_than_values(clause: str) -> bool:
    rest = clause
    for value in values_in(f"is {clause}"):
        rest = rest.replace(value.text, " ")
    return bool(telling(rest))


def _only_value(text: str) -> Value | None:
    value = _only(values_in(f"is {text}"))
    if value is None or value.text != text:
        return None
    return value


def _value_at(own: str, start: int) -> Value | None:
    return next((each for each in values_in(own) if each.start <= start < each.end), None)


def _is_month(word: str) -> bool:
    return without_accents(word.casefold()) in MONTHS


def _value_instead(whole: Value, old: Value, clause: str) -> str:
    """Return the only value in a clause that is of the kind of the statement's ``whole`` value, of which ``old`` is denied."""
    kinds = frozenset([whole.kind])
    if whole.kind in COUNTED:
        kinds = COUNTED
    elif whole.kind in _WORDS:  # the 2 of `Grade 2`
        kinds = frozenset([old.kind])
    came = {each.text: each for each in values_in(f"is {clause}") if each.kind in kinds}
    value = _only(came.values())
    if value is None:
        return ""
    if value.kind is whole.kind or whole.kind in _WORDS:
        return value.text
    counts_another = re.match(r"\s*[^\W\d]", f"is {clause}"[value.end :])  # `52 members` for 48 euros
    if counts_another or value.kind is not ValueKind.NUMBER:
        return ""
    return value.text


def _words_instead(core: str, contrast: _Contrast) -> str:
    """Return the words at the end of a clause that have the form of the old ones: as many, or a run of names."""
    spoken = contrast.clause.split()
    bare = list(filterfalse(_SMALL.__contains__, core.split()))
    if not bare:
        return ""
    first = len(spoken)
    is_name = all(map(_is_capital, bare)) and not contrast.clause.islower()
    if is_name and not _is_capital(spoken[-1]):
        name = list(takewhile(_is_capital, spoken))
        if not name or spoken[len(name)].lower() not in _BE:
            return ""
        return " ".join(name)
    if is_name:
        while first and _is_capital(spoken[first - 1]):
            first -= 1
            if first > 1 and spoken[first - 1].lower() in _JOINING and _is_capital(spoken[first - 2]):
                first -= 1  # `Ann and Ben`
    else:
        first = max(0, first - len(bare))
        before = spoken[first - 1].lower()
        if before not in _BEFORE_A_WORD and _first_word(contrast.old) != before:
            return ""  # `by card, not cash` beside `Pay cash`
    while first < len(spoken) and spoken[first].lower() in _SMALL:
        first += 1
    head = _first_word(core)
    if first in (0, len(spoken)) or (head not in _ANY and spoken[first - 1].lower() in _ANY):
        return ""
    while head in _SMALL and first > 1 and spoken[first - 1].lower() in _SMALL - _BE_NOW:
        first -= 1  # `im Keller` for `in der Garage`
    new = " ".join(spoken[first:])
    if all(map(_WORDS.__contains__, map(attrgetter("kind"), values_in(f"is {new}")))):
        return new
    return ""


def _is_capital(word: str) -> bool:
    return word[:1].isupper() or any(map(str.isdigit, word))


def _not_before(new: str, before: str) -> str:
    """Return the new words without those that stand before them already: `Dr.`, `Ann und`."""
    spoken = new.split()
    for at in range(len(spoken) - 1, 0, -1):
        if f" {before}".rstrip().endswith(f" {' '.join(spoken[:at])}"):
            return " ".join(spoken[at:])
    return new


def _not_twice(spoken: Sequence[str], rest: str) -> tuple[Sequence[str], str]:
    """Return new words without those that follow them already, and what follows without these: `8 on weekdays`, `one node` for `five` nodes."""
    if not rest.startswith(" "):
        return spoken, rest
    behind = list(_UNTIL_MARK.finditer(rest))
    for at in range(1, len(spoken)):
        again = behind[: len(spoken) - at]
        if len(again) == len(spoken) - at and all(map(_is_form, spoken[at:], map(itemgetter(0), again))):
            return spoken[:at], rest[again[-1].end() :]
    return spoken, rest


def _is_form(word: str, other: str) -> bool:
    """Say whether two words are one, maybe in another number."""
    return word.rstrip(".").casefold() == other.casefold() or telling(word) == telling(other) != frozenset()


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
