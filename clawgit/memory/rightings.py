"""From what was said and what the operator says now to how it should read. Nothing is invented.

A value takes the place of one of its own kind; the rest of the old statement stays as it was. Where it cannot
be told which value is meant, or none is named, there is no answer: the correction stays open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from clawgit.text.control import folded
from clawgit.text.similarity import likeness, words
from clawgit.text.valuekinds import Value, values_in

LIKE = 55  # how alike (0..100) a whole new statement must be to one that it puts right
_ASKING = ("?", "？")
# Said of an answer, not of the world: none of these is what the old statement should have named.
_JUDGEMENTS = re.compile(
    r"(?i)\b(?:fine|ok(?:ay)?|good|great|nice|right|wrong|true|false|(?:in)?correct|enough|all|it|this|that|not|nothing"
    r"|done|bad|better|worse|perfect|interesting|(?:im)?possible|yes|no|me|you|sure|late|early|again)\b"
    r"|^(?:好的?|[对對错錯行]|可以|没事|좋아|괜찮아|맞아|그래)"
)
_WRONG = re.compile(
    r"(?i)\b(?:wrong|incorrect|inaccurate|mistaken|not (?:right|true|correct)|(?:isn'?t|wasn'?t) (?:right|true|correct)"
    r"|misremember\w*|forgot(?:ten)?)\b|不对|不對|错了?|錯了?|忘了|틀렸|틀려|잘못|아니(?:야|에요|예요|라고)|까먹|잊어버"
)
_SPACED = (
    r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"  # letters that words with spaces between them are made of
)
_LONGEST_VALUE = 4  # words behind `it's`
SHORTEST_STATEMENT = 3  # words: less is a value, not a statement


@dataclass(frozen=True, slots=True)
class Righting:
    """A statement put right: what it says instead, and which part gave way to which (empty: all of it)."""

    correct: str
    old: str = ""
    new: str = ""


_LEAD = re.compile(
    r"^(?:(?:oh|ah|um+|hmm+|well|sorry|wait|ok(?:ay)?|hey|please)\b[\s,.!-]*)*"
    r"(?:(?:no|nope|nah|wrong|incorrect|not quite|that'?s (?:wrong|not right|incorrect|not correct)|not (?:right|true|correct)"
    r"|you(?:'re| are) (?:wrong|mistaken)|correction|actually|in fact|i (?:already )?(?:told|said)(?: to)?(?: you)?(?: (?:already|before|that|twice))*"
    r"|as i said|i (?:actually )?meant(?: to say)?|you (?:misremembered|got (?:that|it) wrong)|remember)\b[\s,.:;!—–-]*)*",
    re.IGNORECASE,
)
_LEAD_CJK = re.compile(
    r"^(?:(?:不对|不對|不是的?|错了|錯了|其实|其實|更正|我(?:已经|之前)?(?:说|說|告诉|告訴)(?:过|過|了)?(?:你|您)?(?:的是|了)?|记错了|記錯了|应该是?|應該是?)[\s,，。.：:!！]*"
    r"|(?:아니(?:야|요|에요|예요|오)?|아닙니다|틀렸(?:어|어요|습니다)|잘못(?:됐어|됐어요|이야)|사실(?:은)?|정정|내가 (?:이미 )?(?:말했|얘기했)(?:잖아|는데|어)요?|제가 말씀드렸(?:잖아요|는데))[\s,，.。:!]*)+"
)
_LINK = re.compile(
    r"^(?:it(?:'s| is| was| should be| will be)|that(?:'s| is)|they(?:'re| are)|he(?:'s| is)|she(?:'s| is)|should be|(?:on|at|in|by|use|uses|make (?:it|that))\b(?=\s))\s*",
    re.IGNORECASE,
)
_LINK_CJK = re.compile(r"^(?:我的?名字[是叫]|我叫|我?是|为|為|应该是|應該是|我?在)\s*")
_END = re.compile(
    r"(?:\s*(?:,?\s*(?:not|instead|now|remember|please|ok(?:ay)?))?\s*[.!。！]+|\s+(?:instead|now))\s*$",
    re.IGNORECASE,
)
_KOREAN_END = re.compile(
    r"(?:이?에요|이?예요|입니다|이야|이라고(?:요|했잖아)?|라고(?:요|했잖아)?|이지|인데|이다)$|(?<=[\uac00-\ud7a3])(?:야|다고|죠|요)$"
)
_NOT_BUT = (
    re.compile(r"\bnot (?P<old>[^,;.]{1,80}?)[,;]?\s+(?:but|rather|it'?s)\s+(?P<new>[^;.!]{1,80})", re.IGNORECASE),
    re.compile(r"(?P<new>[^,;.]{1,80}?)[,;]?\s+(?:and\s+)?(?:not|instead of|rather than)\s+(?P<old>[^,;.!]{1,80})", re.IGNORECASE),
    re.compile(r"不是(?P<old>[^，,。]{1,40})[，,]?\s*(?:而是|是|应该是|應該是)(?P<new>[^，,。！!]{1,40})"),
    re.compile(r"(?:是)?(?P<new>[^，,。]{1,40})[，,]\s*不是(?P<old>[^，,。！!]{1,40})"),
    re.compile(r"(?P<old>\S{1,40}?)(?:이|가|은|는)?\s*(?:아니라|아니고|말고)\s*,?\s*(?P<new>[^,.!]{1,60})"),
)  # fmt: skip
_COMPLEMENT = re.compile(
    r"^(?P<head>.*\b(?:is|are|was|were|will be|should be|uses?|prefers?|likes?|lives? in|works? (?:at|for|in)|called|named|on|at|in|to)\s+)(?P<old>[^,;.]{1,60})(?P<tail>[.!]?)$",
    re.IGNORECASE,
)
_KOREAN_OBJECT = re.compile(
    r"^(?P<head>.*?(?:은|는|이|가)\s+)(?P<old>[^\s，,。]{1,20}?)(?P<tail>[을를]\s*(?:좋아|싫어|선호|사용|써|쓰|원).*)$"
)
_IS = re.compile(r"\b(?:is|are|was|were|called|named)\s+$", re.IGNORECASE)
_COMPLEMENT_CJK = re.compile(
    r"^(?P<head>.*?(?:是|为|為|叫|在|喜欢|喜歡|用的是|은|는|이|가)\s*)(?P<old>[^，,。]{1,30}?)(?P<tail>(?:이?에요|이?예요|입니다|이야|이다|야|[。.!！])*)$"
)


def put_right(said: str, told: str) -> Righting | None:
    """Return how ``said`` should read after the operator's ``told``; None where that cannot be known."""
    old_text, whole = folded(said), folded(told)
    message = _without_lead(whole)
    if not old_text or not message or any(text.endswith(_ASKING) for text in (old_text, message)):
        return None
    found = _by_contrast(old_text, whole)
    for attempt in (_by_contrast, _by_one_value, _by_statement, _by_value, _by_complement):
        found = found or attempt(old_text, message)
    return None if found is None or found.correct == old_text else found


def right_statement(told: str, least: int = SHORTEST_STATEMENT + 1) -> str:
    """Return what the operator says is so, without the `no, actually` before it.

    Empty where that is a question, a judgement, or of fewer words than ``least``.
    """
    message = _without_lead(folded(told))
    if not message or folded(told).endswith(_ASKING) or len(words(message)) < least:
        return ""
    bare = _bare(message)
    is_judgement = len(words(bare)) <= _LONGEST_VALUE and _JUDGEMENTS.search(bare) is not None
    return "" if is_judgement else message


def names_wrong(told: str) -> bool:
    """Say whether a message says that something is wrong, whatever may be right."""
    return _WRONG.search(told) is not None


def exchanged(said: str, old: str, new: str) -> str | None:
    """Return ``said`` with ``new`` where ``old`` stands as whole words; None where it stands nowhere, or twice."""
    place = _place_of(said, old)
    if place is None or _place_of(said[place[1] :], old) is not None:
        return None
    return said[: place[0]] + new + said[place[1] :]


def _without_lead(told: str) -> str:
    """Return what the operator says is right, without the `no, actually` before it."""
    rest = _LEAD_CJK.sub("", _LEAD.sub("", told, count=1), count=1)
    return rest.strip(" ,.:;-—–，。：")


def _by_contrast(said: str, message: str) -> Righting | None:
    """`not Wednesday but Thursday`: both are named, and the old one stands in the statement."""
    for pattern in _NOT_BUT:
        match = pattern.search(message)
        if match is None:
            continue
        old, new = _bare(match["old"]), _bare(match["new"])
        place = _place_of(said, old)
        if old and new and place is not None:
            start, end = place
            return Righting(said[:start] + new + said[end:], said[start:end], new)
    return None


def _by_one_value(said: str, message: str) -> Righting | None:
    """A message that names one value which was not said: the rest of what was said stays as it was."""
    known = {value.text.casefold() for value in values_in(said)}
    fresh = [value for value in values_in(_bare(message)) if value.text.casefold() not in known]
    return _by_value(said, message) if len(fresh) == 1 else None


def _by_statement(said: str, message: str) -> Righting | None:
    """A whole statement about the same thing stands for itself."""
    bare = _bare_end(message)
    enough = len(words(bare)) > SHORTEST_STATEMENT and not _LINK.match(bare)
    return Righting(_dressed(bare, said)) if enough and likeness(said, bare) >= LIKE else None


def _by_value(said: str, message: str) -> Righting | None:
    """`it's Thursday`: the one value in the message takes the place of the one of its kind."""
    told = values_in(_bare(message))
    for value in told:
        there = [old for old in values_in(said) if old.kind == value.kind]
        if len(there) == 1 and len([each for each in told if each.kind == value.kind]) == 1:
            return _with(said, there[0], value.text)
    return None


def _by_complement(said: str, message: str) -> Righting | None:
    """`it's blue`: what stands behind `is` gives way, where the message is no more than a value."""
    new = _bare(message)
    linked = new != _bare_end(message)
    if not new or len(words(new)) > (_LONGEST_VALUE if linked else SHORTEST_STATEMENT - 1):
        return None
    if _JUDGEMENTS.search(new):
        return None
    match = _COMPLEMENT.match(said) or _KOREAN_OBJECT.match(said) or _COMPLEMENT_CJK.match(said)
    if match is None or _of_other_kind(match["old"], new):
        return None
    if _has_rivals(said, new) and not (_IS.search(match["head"]) and _is_one_value(match["old"])):
        return None
    return Righting(match["head"] + new + _with_particle(match["tail"], new), match["old"], new)


def _is_one_value(text: str) -> bool:
    return [value.text for value in values_in(text)] == [text.strip()]


def _of_other_kind(old: str, new: str) -> bool:
    """Say whether both are values, and one cannot stand for the other."""
    one, other = ({value.kind for value in values_in(text)} for text in (old, new))
    return bool(one and other) and one.isdisjoint(other)


def _with_particle(tail: str, new: str) -> str:
    """Return what follows the new value, a Korean object particle fitted to its last sound."""
    if tail[:1] not in ("을", "를") or not "가" <= new[-1] <= "힣":
        return tail
    return ("을" if (ord(new[-1]) - ord("가")) % 28 else "를") + tail[1:]


def _dressed(bare: str, said: str) -> str:
    """Return a statement with the capital and the stop that the old one has."""
    start = bare[0].upper() if said[0].isupper() else bare[0]
    stop = said[-1] if said[-1] in ".。" and bare[-1] not in ".。!！" else ""
    return start + bare[1:] + stop


def _has_rivals(said: str, new: str) -> bool:
    """Say whether the old statement holds several values of the kind that ``new`` is of."""
    kinds = [value.kind for value in values_in(said)]
    return any(kinds.count(value.kind) > 1 for value in values_in(new))


def _with(said: str, old: Value, new: str) -> Righting:
    return Righting(said[: old.start] + new + said[old.end :], old.text, new)


def _bare(text: str) -> str:
    """Return a value without the `it's` before it and the stops and endings behind it."""
    bare = _LINK_CJK.sub("", _LINK.sub("", text.strip(), count=1), count=1)
    return _KOREAN_END.sub("", _bare_end(bare)).strip(" ,.;:!，。\"'“”")


def _bare_end(text: str) -> str:
    return _END.sub("", text).strip()


def _place_of(said: str, old: str) -> tuple[int, int] | None:
    """Return where ``old`` stands in ``said`` as whole words, in any case."""
    if not old:
        return None
    edge = rf"(?<!{_SPACED})" if old[0].isascii() else ""
    other = rf"(?!{_SPACED})" if old[-1].isascii() else ""
    match = re.search(edge + re.escape(old) + other, said, re.IGNORECASE)
    return match.span() if match else None
