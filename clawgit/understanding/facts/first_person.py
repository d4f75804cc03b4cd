"""A sentence as an agent's memory says it: `I prefer tea` is `User prefers tea`, and `yesterday` is the day it was. Pure.

Only where a small table is sure. Else the words stay a quotation (`User: "…"`), and `next Friday` stays: nothing is made up.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from clawgit.text.safety.control_characters import folded
from clawgit.text.words.stopwords import ENGLISH
from clawgit.text.words.word_lists import HOW, PAST, WEEKDAY, words_in

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
    said = _ENGLISH_DAY.sub(lambda found: _english_date(found, on), statement)
    return _OTHER_DAY.sub(lambda found: _other_date(found, on), said)


def _english_date(found: re.Match[str], on: date) -> str:
    day = (on + timedelta(days=_ENGLISH[found["day"].lower()])).isoformat()
    part = (found["part"] or "").strip().lower()
    behind = " at night" if part == "night" else f" in the {part}" if part else ""
    if found["before"] or found["is"]:
        return f"{found['before'] or ''}{day}{behind}"
    return f"{'on' if found.start() else 'On'} {day}{behind}"


def _other_date(found: re.Match[str], on: date) -> str:
    day = (on + timedelta(days=_OTHERS[found["day"]])).isoformat()
    before = f"{found['before']} " if found["before"] else ""
    return f"{before}{day} {found['behind']}" if found["behind"] else f"{before}{day}"


USER = "User"
_OPENERS = frozenset(
    ("always", "use", "keep", "check", "restart", "run", "make", "write", "test", "set", "avoid", "update")
)
_PERSON = re.compile(
    r"(?i)\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves|you|your|yours)\b|[我你您咱]|(?<![가-힣])(?:나|내|저|제|우리|너|네)(?:는|은|가|를|의|도|한테|에게)?(?![가-힣])"
)


_THIRD = {
    "am": "is", "was": "was", "have": "has", "do not": "does not", "don't": "does not", "can": "can", "cannot": "cannot",
    "can't": "cannot", "will": "will", "go": "goes", "teach": "teaches", "watch": "watches", "study": "studies", "do": "does",
}  # fmt: skip
_PLAIN = words_in(
    """prefer like love hate dislike detest loathe adore enjoy want need live work use own drive ride speak understand eat drink
    smoke wear take play run swim cycle train sleep pray fast visit call collect breed feed write read start leave move travel
    avoid keep get wake"""
)
# A second verb would have to change, too: `I live in Rome and work in Milan`.
_SECOND_VERB = re.compile(
    rf"(?i)(?:\b(?:and|but|or)|,) (?:am|{'|'.join(sorted(_PLAIN | set(_THIRD) - {'was', 'can', 'will', 'cannot'}))})\b(?! (?:is|are)\b)"
)
_ADVERBS = rf"(?:(?:{HOW}|just|finally|recently|now) )*"
_I_AM = re.compile(r"(?i)^i(?:'m|’m| am) ")
_I_HAVE = re.compile(r"(?i)^i(?:'ve|’ve) ")
_I = re.compile(rf"(?i)^i (?P<adverbs>{_ADVERBS})(?P<verb>do not|don[’']t|can[’']t|[a-z]+) ")
_MY = re.compile(r"(?i)^my (?=\w)")
_CALL_ME = re.compile(r"(?i)^(?:please )?(?:just )?call me (?=\w)")
_BEGINS = (
    (_I_AM, f"{USER} is "),
    (_I_HAVE, f"{USER} has "),
    (_MY, f"{USER}'s "),
    (_CALL_ME, f"{USER} wants to be called "),
)
_LEARNED_THAT = re.compile(r"(?i)^(?:i|we)(?:'ve| have)? (?:just |also )?learn(?:ed|t) that (?=(?:the|an?) )")
_WHEN = re.compile(r"(?i)^(?P<when>(?:last|next|this) \w+|yesterday|today|tomorrow|on \w+day),? (?=i\b)")
_WE_DECIDED = re.compile(
    r"(?i)^we(?:'ve|’ve| have)? (?:just |finally |all |both |now )*(?=(?:decided|agreed|chose|settled|opted|concluded|picked)\b)"
)
_CHINESE = (("我们决定", "决定"), ("我們決定", "決定"), ("我的", "用户的"), ("我", "用户"))
_CHINESE_DAY = re.compile(f"^(?P<day>{DAY_NAMES})[，,]?我(?![们們的])")
# Who did it is often left out behind a day: the words stay whose they are.
_ON_A_DAY = re.compile(f"^(?:{DAY_NAMES}|上周|上週|下周|下週|그제|지난|다음)")
_KOREAN = (
    (re.compile(r"^(?:저는|나는|전|난) "), "사용자는 "),
    (re.compile(r"^(?:제|내) "), "사용자의 "),
    (re.compile(r"^나 (?=[가-힣]+ (?:알레르기|고혈압|당뇨|천식|비염))"), "사용자는 "),
)


def as_remembered(statement: str, *, on: date | None = None) -> str:
    """Return a sentence of the operator's as memory says it; what was said ``on`` a day names the days beside it by date.

    Of a quotation no word is changed.
    """
    remembered = _in_third_person(folded(statement))
    if not remembered:
        return as_quoted(statement)
    return remembered if on is None else with_days(remembered, on)


def _in_third_person(said: str) -> str:
    """Return a sentence that needs no speaker any more, empty where that is not sure."""
    for rewritten in (_english(said), _chinese(said), _korean(said)):
        if rewritten and not _PERSON.search(rewritten) and not _SECOND_VERB.search(rewritten):
            return rewritten
    return _capitalised(said) if not _PERSON.search(said) and not _ON_A_DAY.match(said) else ""


def _capitalised(said: str) -> str:
    """Return a sentence with a capital letter, unless its first word may be a name or a command."""
    first = said.partition(" ")[0]
    return said[:1].upper() + said[1:] if first in ENGLISH or first in _OPENERS else said


def as_quoted(said: str, who: str = USER) -> str:
    """Return a sentence of ``who`` in his own words."""
    plain = folded(said).replace('"', "'")
    return f'{who}: "{plain}"'


def as_asked(said: str) -> str:
    """Return what the operator asked to remember, in his own words."""
    plain = folded(said).replace('"', "'")
    return f'{USER} asked to remember: "{plain}"'


def _english(said: str) -> str:
    if learned := _LEARNED_THAT.match(said):
        return _capitalised(said[learned.end() :])
    when = _WHEN.match(said)
    if when:
        rest = _first_person(said[when.end() :])
        return rest and f"{when['when'][:1].upper()}{when['when'][1:]}, {rest}"
    return _first_person(said)


def _first_person(said: str) -> str:
    if decided := _WE_DECIDED.match(said):
        rest = said[decided.end() :]
        return rest[:1].upper() + rest[1:]
    for pattern, begin in _BEGINS:
        if found := pattern.match(said):
            return begin + said[found.end() :]
    found = _I.match(said)
    verb = _third(found["verb"].lower().replace("’", "'")) if found else ""
    return f"{USER} {found['adverbs']}{verb} {said[found.end() :]}" if found and verb else ""


def _third(verb: str) -> str:
    """Return a verb as it goes with `User`, empty where that is not sure."""
    if verb in _THIRD:
        return _THIRD[verb]
    if verb in _PLAIN:
        return f"{verb}s"
    return verb if verb in PAST or (verb.endswith("ed") and len(verb) > 4) else ""


def _chinese(said: str) -> str:
    if said.startswith(("我们", "我們")) and not said.startswith(("我们决定", "我們決定")):
        return ""
    if on_a_day := _CHINESE_DAY.match(said):
        return f"{on_a_day['day']}用户{said[on_a_day.end() :]}"
    return next((new + said[len(old) :] for old, new in _CHINESE if said.startswith(old)), "")


def _korean(said: str) -> str:
    return next((pattern.sub(new, said, count=1) for pattern, new in _KOREAN if pattern.match(said)), "")
