"""What the operator says is so: his words without the `no, actually` before them and the stops behind them. Pure."""

from __future__ import annotations

import re

from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.hangul import COPULA

# fmt: off
ASKING = ("?", "？")
# Said of an answer, not of the world: none of these is what the old statement should have named.
_JUDGING = """
fine ok okay good great nice right wrong true false correct incorrect enough all it this that nothing done bad better
worse perfect interesting possible impossible yes no me you sure late early again
cool awesome amazing lovely beautiful ugly funny hilarious silly stupid crazy weird strange odd terrible awful horrible
pregnant sick ill tired busy asleep awake away hungry
too much many annoying boring confusing useless important raining snowing
"""
JUDGEMENTS = re.compile(
    rf"(?i)\b(?:{'|'.join(_JUDGING.split())}|(?<!, )not(?! [^,]+, ))\b"  # `Friday, not Wednesday` names a value
    r"|\b(?:other|wrong) way\b|\bvice versa\b"
    r"|^(?:好的?|[对对错錯行]|可以|没事|没关系|沒關係|没问题|沒問題|算了|좋아|괜찮아|맞아|그래)"
)
_WRONG = re.compile(r"(?i)\b(?:wrong|incorrect|inaccurate|mistaken|not (?:right|true|correct)|(?:isn'?t|wasn'?t) (?:right|true|correct)"
    r"|misremember\w*|forgot(?:ten)?)\b|不对|不對|错了?|錯了?|忘了|틀렸|틀려|잘못|아니(?:야|에요|예요|라고)|까먹|잊어버")
UNSURE = re.compile(r"(?i)\b(?:i (?:think|thought|guess|believe[d]?|suppose)|maybe|perhaps|probably|possibly|might|not sure|i wonder|unless|except|would be|if)\b|^(?:wrong|incorrect)\s|^(?:sure|right|yeah),? and\b"
    r"|可能|好像|也许|也許|大概是|我以为|我以為|不确定|不確定|如果|要是|除非|아마|것 같|줄 알았|모르겠|만약")
STOP = re.compile(r"[,;.!](?=\s|$)|[，,。；;！](?=\D)")  # where a message goes on to say something else
STRONG = frozenset(ValueKind) - {ValueKind.NAME}  # a capital letter says little
# What is to be done is no statement.
_ORDERS = """
move change switch book set cancel send put add remove delete rename ask call tell ping check close open stop wait spend
roll write show find
"""
ORDERING = re.compile(rf"(?i)(?:please )?(?:{'|'.join(_ORDERS.split())})\b")
# One more is no other: nothing gives way.
ADDING = re.compile(r"(?i)(?<!^)\balso\b|\btoo[.!]*$|\bas well\b|\bin addition\b|也(?:是|在|叫|有|要)|还有|還有")
# What these are about stands elsewhere.
POINTING = re.compile(r"(?i)(?:it|that|this|they|he|she|the (?:right|correct) (?:one|answer))\b|['’]s\b|[那这這它][是个個不]|(?:그|이)[게건] ")
# A statement all the same: `my brother lives in Rome, remember?`
_REMINDING = re.compile(r"(?i)^(?!.*\b(?:what|where|when|who|whose|which|how|why)\b)(.+),\s*(?:(?:do|don['’]?t) you )?remember\s*[?？]+$")
LONGEST_VALUE = 4  # words behind `it's`
SHORTEST_STATEMENT = 3  # words: less is a value, not a statement
_HESITATING = "oh|ah|um+|hmm+|well|sorry|wait|ok(?:ay)?|hey|please"
_TELLING = (  # said before what is right
    r"(?:wrong|incorrect)(?=\s*(?:[^\w\s]|$)|\s+(?:it|its|the|my|our|that|he|she|they|we|i|at|on|in|to|within)\b)",
    "no|nope|nah|not quite|correction|actually|in fact|remember|other way (?:a)?round|the other way (?:a)?round",
    "(?:yes|yeah|right|sure|true|correct),? but",
    "that'?s (?:wrong|not right|incorrect|not correct)|not (?:right|true|correct)",
    "you(?:'re| are) (?:wrong|mistaken)|you (?:misremembered|(?:got|always get|ke(?:ep|pt) getting) (?:that|it|this) wrong(?: again)?)",
    "you(?:['’]ve| have)? (?:(?:just|always|again) )?forg[eo]t(?:ten)?(?: again)? that(?=(?: \\S+){3})",
    "i (?:already )?(?:told|said)(?: to)?(?: you)?(?: (?:already|before|that|twice))*|as i said",
    "i (?:actually )?meant(?: to say)?",
)
_LEAD = re.compile(rf"^(?:(?:{_HESITATING})\b[\s,.!-]*)*(?:(?:{'|'.join(_TELLING)})\b[\s,.:;!—–-]*)*", re.IGNORECASE)
_HAN_STOP = r"[\s,，。.：:!！]"
_HAN_TELLING = (
    r"(?:(?:对不起|對不起|抱歉|不好意思)[,，。!！]\s*)?我?(?:刚才|剛才|之前)?[说說记記写寫弄搞][错錯]了",
    "不对|不對|错了|錯了|其实|其實|更正|记错了|記錯了|应该是?|應該是?",
    r"不(?:是的?)?(?=[,，。.:!！])|(?:对|對|是的?|嗯)[,，](?:不过|不過|但是?|可是)是?",
    "(?:改|换|換|变|變)了[,，](?:现在|現在)?是?",
    "我不是(?:说|說|告诉|告訴)(?:过|過)(?:你|您)?(?:了|的)?[吗嗎]?",
    "我(?:已经|之前)?(?:说|說|告诉|告訴)(?:过|過|了)?(?:你|您)?(?:的是|了)?",
)
_KOREAN_TELLING = (
    "아니(?:에요|예요|야|요|오)?|아닙니다|틀렸(?:어요?|습니다)|잘못(?:됐어요?|이야)|사실(?:은)?|정정",
    "(?:네|응|맞아요?),? (?:그런데|근데|하지만)",
    "내가 (?:이미 )?(?:말했|얘기했)(?:잖아|는데|어)요?|제가 말씀드렸(?:잖아요|는데)",
)
_LEAD_CJK = re.compile(rf"^(?:(?:{'|'.join(_HAN_TELLING)}){_HAN_STOP}*|(?:{'|'.join(_KOREAN_TELLING)})[\s,，。.:!]*)+")
_LINKS = (  # between what a message is about and what it says of that
    "it(?:'s| is| was| should be| will be)|that(?:'s| is)|should be",
    "they(?:'re| are)|he(?:'s| is)|she(?:'s| is)",
    "(?:it|we|they|he|she|i) uses?",
    r"(?:on|at(?! (?:least|most))|in|by|use|uses|make (?:it|that))(?=\s)",
)
LINK = re.compile(rf"^(?:{'|'.join(_LINKS)})\b\s*", re.IGNORECASE)
_HAN_LINKS = (
    "我的?名字[是叫]|我叫|我?是|为|為",
    "应该是|應該是|(?:现在|現在)是?在?|是在",
    "我?(?:住|就)?在",
)
_LINK_CJK = re.compile(rf"^(?:{'|'.join(_HAN_LINKS)})\s*")
_CLOSING = r"instead|by now|now|actually|though|please"
_END = re.compile(
    rf"(?:\s*(?:,?\s*(?:not|{_CLOSING}|remember|ok(?:ay)?|thanks|thank you))?\s*[.!。！]+"
    rf"|,?\s+(?:{_CLOSING}|(?:since|as of)\s[^,.]{{1,20}})[.!。！]*)\s*$",
    re.IGNORECASE,
)
_ENDS_CJK = (
    f"(?:{COPULA}|이지|인데|이고)$",
    "(?:이라고|라고)(?:요|했잖아)?$",
    r"(?<=[\uac00-\ud7a3])(?:다고|죠|요)$|(?<=\w)야$",
    r"(?<=\w)(?:才[对對]|了)$",
)
_END_CJK = re.compile("|".join(_ENDS_CJK))
# fmt: on


def right_statement(told: str, least: int = SHORTEST_STATEMENT + 1) -> str:
    """Return what the operator says is so, without the `no, actually` before it.

    Empty where that is a question, a judgement, or of fewer words than ``least``.
    """
    said = _REMINDING.sub(r"\1", folded(told))
    message = without_lead(said)
    if not message or said.endswith(ASKING) or len(words(message)) < least:
        return ""
    bare = bare_value(message)
    names_value = any(value.kind in STRONG for value in values_in(bare))
    is_judgement = (
        len(words(bare)) <= LONGEST_VALUE and not names_value and JUDGEMENTS.search(bare) is not None
    )
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
    return _END_CJK.sub("", bare_end(bare)).strip(" ,.;:!，。\"'“”")


def bare_end(text: str) -> str:
    """Return a text without the stops and the `now` behind it."""
    return _END.sub("", text).strip()
