"""What holds of one value at a time, in English, Chinese and Korean: who says another then says that the first is wrong.

Somebody has one favourite colour and lives in one town; he may speak two languages and be allergic to many things. Each
form is a whole sentence: what it is ``about``, the ``value`` in its place, and the ``rest``. Where the value has a kind
of its own (a day, an amount), nearly all sentences hold of one, and what does not is listed. Pure.
"""

from __future__ import annotations

import re

from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.value_kinds import QUANTITIES, Value, ValueKind
from clawgit.text.words.script import HAN_OR_HANGUL, HANGUL
from clawgit.text.words.word_lists import any_word_of
from clawgit.understanding.forms.phrase_forms import any_form, whole_words
from clawgit.understanding.forms.value_words import (
    CITIES,
    COLOUR,
    COUNTRIES,
    DEMONYMS,
    EMPLOYERS,
    MILK,
    ORDINAL,
    PERSON,
    PLACES,
    TOWNS,
)
from clawgit.understanding.values.asserted_text import JUDGEMENTS
from clawgit.understanding.values.same_kind import can_replace

_LETTER = "[a-z0-9\u00df-\u024f]"  # in small letters; in other scripts words stand side by side
_NO_DIGITS = re.compile(r"[^\W\d]+|[$€£¥₩]")
_HALF = re.compile(r"(?i)[ap](?=\.?m)|오전|오후|上午|下午")
_HANDS = re.compile(r"(\d{1,2})(?:[:시点點] ?(\d{2})?)?")
GAP = "▢"  # in the place of a value
_WHEN = frozenset({ValueKind.WEEKDAY, ValueKind.DATE, ValueKind.TIME})

# --- Values of a kind of their own ---

# Several of these hold at once, or none holds for long.
_SEVERAL = any_form(
    whole_words(
        """open, closed, free, available, busy, off, away, out, home, back, also, too, only, sometimes, often, mostly, some, any, another,
        more, less, left, other, else, would, could, should, might, may, can, want, wants, wish, hope, plan, plans, if, when,
        these, those, there, visit, visits, see, sees, meet, call, play, plays"""
    ),
    r"\b(?:an?|one) (?!(?:day|week|month|year|night|hour|minute|person|head|piece|kilo|litre|liter)s?\b)\w",
    r"\bthe (?:bus|train|tram|ferry|shuttle|metro)\b",  # one leaves now, one later
    "开门|關門|关门|营业|營業|休息|有空|放假|也|还|還|又|都|另|再|想|要|打算|可能|应该|應該|我会|我會|将",
    "쉬|쉽|열[어려립]|닫|휴무|영업|도 |또|비[어었]|싶|려고|수 있",
)
_NO_SUBJECT = re.compile(r"(?i)(?:it|this|that|he|she|they|there|all|no|what|who)\b")
# On how many days somebody does something is not said; when he was born is.
_OF_HIMSELF = re.compile(r"(?i)i\b|我(?!们?的|家)")
_BORN = re.compile(r"(?i)\bborn\b|生日|出生|생일|태어")
_HAVING = re.compile(r"(?i)\b(?:have|has|had|got)\b|有|있")


# A value that stands before what is said names what it is said of: `the Tuesday meeting`, `invoice 12 is due`.
_SAID = re.compile(
    r"(?i)\b(?:be|was|has|have|had|born|takes?|costs?|starts?|begins?|ends?|finish(?:es)?|opens?|closes?|runs?|leaves?|departs?|arrives?|lasts?"
    r"|meets?|weighs?|expires?|ships?|lives?|works?|listens?|needs?|uses?|goes|go|pays?|earns?|gets?|eats?|drinks?|sleeps?|comes?|lands?)\b"
)
_SAID_HAN = re.compile("[是在到为為有睡吃喝跑付花交走约約]")
_TOPIC = re.compile(r"(?<=[가-힣])[은는이가](?=\s)")


def is_of_one(frame: str, kind: ValueKind) -> bool:
    """Say whether a sentence with `GAP` in the place of a value of some kind holds of one such value."""
    before, _, after = frame.partition(GAP)
    if _SEVERAL.search(frame) or _NO_SUBJECT.match(frame) or not before.strip():
        return False
    if not _is_said(before, after, kind):
        return False
    if kind not in _WHEN:
        return True
    if _HAVING.search(frame):
        return False
    return kind is ValueKind.TIME or not _OF_HIMSELF.match(frame) or _BORN.search(frame) is not None


def _is_said(before: str, after: str, kind: ValueKind) -> bool:
    """Say whether a value is what is said of something; else it tells of which thing it is said."""
    if HANGUL.search(before + after):
        said = _TOPIC
    elif HAN_OR_HANGUL.search(before + after):
        said = _SAID_HAN
    else:
        return bool(_SAID.search(before)) and not _SAID.search(after)
    is_behind = said.search(before) is not None or kind in QUANTITIES
    return is_behind and said.search(after) is None and not after.startswith("的")


# --- Names and words ---

_NAMED = r"(?-i:[^\W\d_a-z][\w'’.-]*)(?: (?-i:[^\W\d_a-z][\w'’.-]*))*"
_NAME = rf"(?P<value>{_NAMED})"
_THING = rf"(?:the |my |{_NAMED}['’]s )(?:[\w'’-]+ ){{1,4}}?"
_SUBJECT = rf"(?:{_THING}|{_NAMED} )"
_OWN = any_word_of(
    "blood type, blood group, shoe size, shirt size, first language, mother tongue, nickname, surname, last name, middle name, hometown"
)
_ENGLISH = {
    "called": rf"(?P<about>{_SUBJECT}(?:be|was) (?:called|named) ){_NAME}",
    "who or which": rf"(?P<about>{_THING}(?:be|was) (?:a |the )?){_NAME}",
    "where": rf"(?P<about>(?:i|{_SUBJECT})\s?(?:lives?|takes place|grew up|was born|be (?:based|located)) in )(?P<value>{TOWNS})",
    "for whom": rf"(?P<about>(?:i|{_SUBJECT})\s?works? at ){_NAME}",
    "done by": rf"(?P<about>{_THING}(?:be|was) (?:led|run|managed|owned|taught) by ){_NAME}",
    "drives": rf"(?P<about>i drive a ){_NAME}",
    "colour": rf"(?P<about>(?:the|my) (?:[\w'’-]+ ){{0,3}}colou?r be )(?P<value>{COLOUR})",
    "of all": rf"(?P<about>my (?:favou?rite|preferred) (?:[\w-]+ ){{1,3}}?be (?:the )?){_NAME}",
    "his own": rf"(?P<about>my {_OWN} be )(?P<value>(?-i:[A-Z0-9])[\w+-]*)",
    "floor": rf"(?P<about>(?:i|{_SUBJECT})\s?(?:be|live|works?) on the )(?P<value>{ORDINAL})(?P<rest> (?:floor|level))",
    "with milk": rf"(?P<about>i (?:take|drink|have) my (?:coffee|tea) with )(?P<value>{MILK})(?P<rest> milk)",
}
_CHINESE = {
    "called": f"(?P<about>.{{1,10}}(?:名?叫|名字是叫?))(?P<value>{PERSON}|[小阿][\u3400-\u9fff])",
    "who": f"(?P<about>.{{0,8}}(?:经理|經理|老板|老闆|主管|上司|组长|組長|负责人|負責人|班主任|房东|房東|联系人|聯絡人)是)(?P<value>{PERSON})",
    "where": f"(?P<about>.{{1,8}}住在)(?P<value>{CITIES})",
    "for whom": f"(?P<about>.{{1,8}}在)(?P<value>{EMPLOYERS})(?P<rest>工作|上班)",
    "where from": f"(?P<about>.{{0,8}}(?:老家|家乡|家鄉)[是在])(?P<value>{CITIES})",
    "colour": f"(?P<about>.{{0,8}}颜色是)(?P<value>{COLOUR})",
    "with milk": f"(?P<about>.{{0,4}}喝(?:咖啡|茶)都?[加放])(?P<value>{MILK})(?P<rest>奶)",
}
_IS = "(?:이에요|예요|입니다|이다|이야|야|이죠|이네요|이시죠)"  # behind a name, not behind what something is like
# Now, not before, and no wish.
_KO_LIVES = r"(?:살아요?|삽니다|산다|살죠|살고 있\S+|사(?:시|세|십니)[^었던려\s]{1,3}|사다)"
_KO_DOES = r"(?:해요?|합니다|한다|하죠|하고 있\S+|하(?:시|세|십니)[^었던려\s]{1,3}|하다)"
_KOREAN = {
    "called": rf"(?P<about>(?:\S+ )?이름)[은는이] (?P<value>[A-Za-z가-힣]{{1,8}}?){_IS}",
    "where": rf"(?P<value>{CITIES})에(?:서)? {_KO_LIVES}",
    "for whom": rf"(?P<value>{EMPLOYERS})에서 (?:일|근무){_KO_DOES}",
    "where from": rf"(?P<about>고향)[은는이] (?P<value>{CITIES}){_IS}",
    "colour": rf"(?P<about>(?:\S+ ){{0,4}}\S*(?:색|색깔|색상))[은는이] (?P<value>{COLOUR}){_IS}",
}
FORMS = tuple(
    re.compile(form, re.IGNORECASE) for forms in (_ENGLISH, _CHINESE, _KOREAN) for form in forms.values()
)
# Said in place of a Korean name.
_NO_NAME = re.compile("비밀|아직|없|그냥|모르|뭐|무엇|누구|아니")
_PLACE = re.compile(rf"(?i).*\b{PLACES}")
_COUNTRY, _DEMONYM, _CITY = (
    re.compile(rf"(?i)(?:the )?(?:{listed})") for listed in (COUNTRIES, DEMONYMS, CITIES)
)


def can_be_instead(old: str, new: str) -> bool:
    """Say whether one name or word can stand for another: both a country or neither, both as long, both a value at all."""
    if _NO_NAME.search(new) or JUDGEMENTS.search(new) or not can_replace(old, new):
        return False
    if _is_within(old, new):
        return False
    is_longer = abs(len(words(old)) - len(words(new))) > 1
    if is_longer and not HAN_OR_HANGUL.search(old):
        return False
    return all((form.fullmatch(old) is None) == (form.fullmatch(new) is None) for form in (_COUNTRY, _DEMONYM, _CITY, _PLACE))  # fmt: skip


def is_other(old: Value, new: Value) -> bool:
    """Say whether a value is another of the same kind, and not the same one said more or less exactly."""
    if old.kind is not new.kind or _is_within(old.text, new.text):
        return False
    if old.kind is ValueKind.AMOUNT:
        return _NO_DIGITS.findall(old.text) == _NO_DIGITS.findall(new.text)  # of one currency
    return old.kind is not ValueKind.TIME or not _is_one_time(old.text, new.text)


def _is_within(old: str, new: str) -> bool:
    """Say whether one is said in the other as a whole, as `Bath` is in `Bath Spa`, and not `Anna` in `Hannah`, `5` in `15`."""
    short, long = sorted((old.casefold(), new.casefold()), key=len)
    return re.search(rf"(?<!{_LETTER}){re.escape(short)}(?!{_LETTER})", long) is not None


def _is_one_time(old: str, new: str) -> bool:
    """Say whether the hands of a clock stand alike, if both tell it in digits, and in the same half of the day: `4 pm`, `16:00`."""
    hands = [
        (int(found[1]) % 12, int(found[2] or 0)) for text in (old, new) if (found := _HANDS.search(text))
    ]
    halves = {found.group().lower() for text in (old, new) if (found := _HALF.search(text))}
    return len(hands) == len((old, new)) and hands[0] == hands[1] and len(halves) < len((old, new))
