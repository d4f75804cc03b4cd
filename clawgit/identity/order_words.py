"""An order by what it is about: its verb and object, and whether it forbids. Politeness, time and tense are left aside. Pure."""

from __future__ import annotations

from typing import NamedTuple

from clawgit.text.comparing.similarity import facts_differ, likeness
from clawgit.text.comparing.subjects import subject
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.text.words import stopwords

SAME = 75  # likeness, of two wordings of one order
MOST_MORE = 1  # terms that one wording of an order may have besides those of the other
FEWEST = 2  # terms, of an order that another says with one more
SHORTEST, ENDING = 4, 3  # letters, of a word and of what another form of it has more

# What is said around an order, a row a language; it begins at a word. `told` reminds of one that was given before.
_TOLD = (
    r"i(?:'ve| have)?(?: already| just)? (?:told|asked) you(?: already| before| to| not to| that)*|(?:as )?i(?: already)? said"
    r"|ich (?:habe?|hab) (?:es )?(?:dir|ihnen) (?:schon |doch )?gesagt|wie gesagt"
    r"|(?:ya )?te (?:lo )?(?:he dicho|dije)(?: que)?|como (?:ya )?dije"
)
_TOLD_EAST = r"我(?:已经|刚才|刚|都|早就)?(?:说过|跟你说过?|告诉过?你)了?|(?:내가 )?(?:이미 |아까 )?(?:말|얘기)했잖아(?:요)?"
_POLITE = (
    r"please|pls|kindly|could you|can you|would you|you (?:should|must|have to|need to|are to)|i(?:'d like| want) you to|remember to"
    r"|for the last time|so|again|ok|okay|no(?=[,.!])|bitte|du sollst|könntest du|kannst du|nochmal|nein(?=[,.!])"
    r"|por favor|podrías|deberías|tienes que"
)
_FOR_GOOD = (
    r"from (?:now|today) on|in (?:the )?future|going forward|always|every time|all the time|at all times"
    r"|ab (?:jetzt|sofort|heute)|von nun an|künftig|in zukunft|immer|de ahora en adelante|a partir de ahora|siempre"
)
_POLITE_EAST = (
    r"请|麻烦(?:你)?|以后|从现在(?:起|开始)|永远|总是|每次|一定要?|[都再吧了]"
    r"|제발|앞으로(?:는|도)?|이제(?:부터)?(?:는)?|항상|반드시|꼭|부탁(?:해|드려|드립니다)요?|(?:해 ?)?(?:주세요|주십시오|줘요?)"
)
_FORBIDS = (
    r"stop|don't|do not|never|not|no|no more|avoid|quit|without|nicht|keine?[nmrs]?|nie|niemals|hör(?:en sie)? auf|vermeide|ohne"
    r"|nunca|jamás|deja de|evita|sin"
)
_FORBIDS_EAST = r"不要|别|不许|不准|停止|禁止|勿|하지 ?(?:마|말)\S*|[가-힣]지 ?(?:마|말)\S*|금지|그만|절대(?:로)?(?=.*(?:마|말|않))"
_WITHDRAWS = (
    r"(?:you )?(?:no longer|don't|do not|needn't|need not) ?(?:need to|have to|must)?(?= .*\bany ?(?:more|longer)\b)|you no longer (?:need|have) to"
    r"|(?:there(?:'s| is) )?no (?:more )?need (?:to|for)|any ?more|any longer|you (?:can|may)(?= .*\bagain\b)|(?:is|are) (?:fine|ok|okay)(?= again)"
    r"|forget (?:the|my) (?:rule|order)s? (?:about|on|to|of|that)|du (?:musst|brauchst|sollst)(?= .*\bnicht (?:mehr|länger)\b)|nicht (?:mehr|länger)"
    r"|du (?:kannst|darfst)(?= .*\bwieder\b)|wieder|ya no (?:hace falta|es necesario|tienes que|necesitas)|(?:ya )?puedes(?= .*(?:otra vez|de nuevo))"
)
_WITHDRAWS_EAST = r"(?:以后)?不(?:用|必|需要)再|可以再|又可以|(?:이제 )?(?:더 ?이상 )?\S*(?:지 않아도|안 해도) (?:돼|됩니다)\S*|이제 필요 ?없\S*"


def _either(words: str, parts: str) -> str:
    return rf"(?<!\w)(?:{words})(?!\w)|{parts}"


_REMINDER = lazy_pattern(_either(_TOLD, _TOLD_EAST))
_LEAD = lazy_pattern(
    rf"^(?:(?:{_either(f'{_TOLD}|{_POLITE}', f'{_TOLD_EAST}|请|麻烦(?:你)?')})[\s,.:;!，。：！]*)+"
)
_AROUND = lazy_pattern(_either(f"{_TOLD}|{_POLITE}|{_FOR_GOOD}", f"{_TOLD_EAST}|{_POLITE_EAST}"))
_DENIAL = lazy_pattern(_either(_FORBIDS, _FORBIDS_EAST))
_END = lazy_pattern(_either(_WITHDRAWS, _WITHDRAWS_EAST))
_LIGHT = frozenset(
    {"use", "usar", "benutz", "benutzen", "add", "put", "includ"}
)  # beside its object, the verb says little
_STOPS = stopwords.GERMAN | stopwords.SPANISH


class OrderCore(NamedTuple):
    """The terms of an order, and whether it forbids what they say."""

    terms: frozenset[str]
    forbids: bool


def order_core(text: str) -> OrderCore:
    """Return what an order is about."""
    rest = _AROUND.sub(" ", _small(text))
    bare = _DENIAL.sub(" ", rest)
    return OrderCore(_terms(bare), bare != rest)


def without_lead(text: str) -> str:
    """Return an order from its first own word on: `please`, `I told you:` before it are gone."""
    small = _small(text)
    found = _LEAD.match(small)
    return folded(text).replace("’", "'")[found.end() :] if found else folded(text)


def reminds(text: str) -> bool:
    """Say whether a text says that it was said before."""
    return _REMINDER.search(_small(text)) is not None


def same_order(one: str, other: str) -> bool:
    """Say whether two orders are one in other words."""
    first, second = order_core(one), order_core(other)
    if first.forbids != second.forbids:
        return False
    is_alike = likeness(one, other) >= SAME and not facts_differ(one, other)
    return is_alike or _is_about(first.terms, second.terms)


def opposes(one: str, other: str) -> bool:
    """Say whether one of two orders forbids what the other says."""
    first, second = order_core(one), order_core(other)
    return first.forbids != second.forbids and _is_about(first.terms, second.terms)


def withdraws(text: str, order: str) -> bool:
    """Say whether a text takes an order back: `no need to answer in German any more`."""
    small = _small(text)
    rest = _END.sub(" ", small)
    if rest == small:
        return False
    return _is_about(_terms(_DENIAL.sub(" ", _AROUND.sub(" ", rest))), order_core(order).terms)


def is_withdrawal(text: str) -> bool:
    """Say whether a text takes back an order of some kind."""
    small = _small(text)
    rest = _END.sub(" ", small)
    return rest != small and bool(_terms(_AROUND.sub(" ", rest)))


def _small(text: str) -> str:
    return folded(text).replace("’", "'").lower()


def _terms(text: str) -> frozenset[str]:
    return frozenset(term for term in subject(text) if term not in _STOPS)


def _is_about(one: frozenset[str], other: frozenset[str]) -> bool:
    if one - _LIGHT and one - _LIGHT == other - _LIGHT:
        return True
    fewer, more = sorted((one, other), key=len)
    if len(fewer) < FEWEST or len(more) - len(fewer) > MOST_MORE:
        return False
    return all(any(_is_form(term, each) for each in more) for term in fewer)


def _is_form(one: str, other: str) -> bool:
    """Say whether two terms differ in their ending alone: `antwort`, `antworten`."""
    shorter, longer = sorted((one, other), key=len)
    if shorter == longer:
        return True
    return len(shorter) >= SHORTEST and longer.startswith(shorter) and len(longer) - len(shorter) <= ENDING
