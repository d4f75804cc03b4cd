"""What the operator says is so: his words without the `no, actually` before them and the stops behind them. Pure."""

from __future__ import annotations

import re

from clawgit.text.control import folded
from clawgit.text.similarity import words

ASKING = ("?", "？")
# Said of an answer, not of the world: none of these is what the old statement should have named.
_JUDGING = """
fine ok okay good great nice right wrong true false correct incorrect enough all it this that nothing done bad better
worse perfect interesting possible impossible yes no me you sure late early again
cool awesome amazing lovely beautiful ugly funny hilarious silly stupid crazy weird strange odd terrible awful horrible
annoying boring confusing useless important raining snowing
"""
JUDGEMENTS = re.compile(
    rf"(?i)\b(?:{'|'.join(_JUDGING.split())}|(?<!, )not)\b"  # `Friday, not Wednesday` names a value
    r"|^(?:好的?|[对对错錯行]|可以|没事|没关系|沒關係|没问题|沒問題|算了|좋아|괜찮아|맞아|그래)"
)
_WRONG = re.compile(
    r"(?i)\b(?:wrong|incorrect|inaccurate|mistaken|not (?:right|true|correct)|(?:isn'?t|wasn'?t) (?:right|true|correct)"
    r"|misremember\w*|forgot(?:ten)?)\b|不对|不對|错了?|錯了?|忘了|틀렸|틀려|잘못|아니(?:야|에요|예요|라고)|까먹|잊어버"
)
LONGEST_VALUE = 4  # words behind `it's`
SHORTEST_STATEMENT = 3  # words: less is a value, not a statement
_LEAD = re.compile(
    r"^(?:(?:oh|ah|um+|hmm+|well|sorry|wait|ok(?:ay)?|hey|please)\b[\s,.!-]*)*"
    r"(?:(?:no|nope|nah|wrong|incorrect|not quite|that'?s (?:wrong|not right|incorrect|not correct)|not (?:right|true|correct)"
    r"|you(?:'re| are) (?:wrong|mistaken)|correction|actually|in fact|i (?:already )?(?:told|said)(?: to)?(?: you)?(?: (?:already|before|that|twice))*"
    r"|as i said|i (?:actually )?meant(?: to say)?|you (?:misremembered|got (?:that|it) wrong)|remember)\b[\s,.:;!—–-]*)*",
    re.IGNORECASE,
)
_LEAD_CJK = re.compile(
    r"^(?:(?:不对|不對|不是的?|错了|錯了|其实|其實|更正|我(?:已经|之前)?(?:说|說|告诉|告訴)(?:过|過|了)?(?:你|您)?(?:的是|了)?|记错了|記錯了|应该是?|應該是?)[\s,，。.：:!！]*"
    r"|(?:아니(?:에요|예요|야|요|오)?|아닙니다|틀렸(?:어요?|습니다)|잘못(?:됐어요?|이야)|사실(?:은)?|정정|내가 (?:이미 )?(?:말했|얘기했)(?:잖아|는데|어)요?|제가 말씀드렸(?:잖아요|는데))[\s,，.。:!]*)+"
)
LINK = re.compile(
    r"^(?:it(?:'s| is| was| should be| will be)|that(?:'s| is)|they(?:'re| are)|he(?:'s| is)|she(?:'s| is)|should be|(?:it|we|they|he|she|i) uses?|(?:on|at|in|by|use|uses|make (?:it|that))(?=\s))\b\s*",
    re.IGNORECASE,
)
_LINK_CJK = re.compile(r"^(?:我的?名字[是叫]|我叫|我?是|为|為|应该是|應該是|我?(?:住|就)?在)\s*")
_END = re.compile(
    r"(?:\s*(?:,?\s*(?:not|instead|now|remember|please|ok(?:ay)?))?\s*[.!。！]+|\s+(?:instead|now))\s*$",
    re.IGNORECASE,
)
_KOREAN_END = re.compile(
    r"(?:이?에요|이?예요|입니다|이야|이라고(?:요|했잖아)?|라고(?:요|했잖아)?|이지|인데|이다)$|(?<=[\uac00-\ud7a3])(?:야|다고|죠|요)$"
)


def right_statement(told: str, least: int = SHORTEST_STATEMENT + 1) -> str:
    """Return what the operator says is so, without the `no, actually` before it.

    Empty where that is a question, a judgement, or of fewer words than ``least``.
    """
    message = without_lead(folded(told))
    if not message or folded(told).endswith(ASKING) or len(words(message)) < least:
        return ""
    bare = bare_value(message)
    is_judgement = len(words(bare)) <= LONGEST_VALUE and JUDGEMENTS.search(bare) is not None
    return "" if is_judgement else message


def names_wrong(told: str) -> bool:
    """Say whether a message says that something is wrong, whatever may be right."""
    return _WRONG.search(told) is not None


def without_lead(told: str) -> str:
    """Return what the operator says is right, without the `no, actually` before it."""
    rest = _LEAD_CJK.sub("", _LEAD.sub("", told, count=1), count=1)
    return rest.strip(" ,.:;-—–，。：")


def bare_value(text: str) -> str:
    """Return a value without the `it's` before it and the stops and endings behind it."""
    bare = _LINK_CJK.sub("", LINK.sub("", text.strip(), count=1), count=1)
    return _KOREAN_END.sub("", bare_end(bare)).strip(" ,.;:!，。\"'“”")


def bare_end(text: str) -> str:
    """Return a text without the stops and the `now` behind it."""
    return _END.sub("", text).strip()
