"""What the operator takes back of what he said before in the same conversation: `scratch that`, `I was joking about Basel`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.text.comparing.subjects import is_alike, told_by_both
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence import sentence_signs as signs
from clawgit.understanding.evidence.orders_to_forget import to_forget
from clawgit.understanding.evidence.says_beyond import shared_words

if TYPE_CHECKING:
    from collections.abc import Sequence

# Ways to take back what one said right before: as a clause of a short message, and those that are so only as all of it.
LONGEST_TAKING = 160  # characters
_LEAD = r"(?:(?:oh|ok|okay|no|wait|actually|sorry|hm+|haha|lol|please|ach|nein|quatsch|entschuldige|bitte|ay|perdón|non|啊|哦|不|不对|아|아니|아니야|아니다|미안)[\s,.!，。！…-]*)*"
_WAYS = (
    r"(?:please )?(?:forget|scratch|scrap|strike|ignore|disregard|undo) (?:that|what i(?: just)? said|i said (?:that|anything))",
    r"(?:i(?:'m| am| was)|that was|it was)? ?(?:just |only )?(?:a joke|joking|kidding)",
    r"i take (?:that|it) back|i take back (?:that|what i(?: just)? said|everything)",
    r"i did(?:n't| not) mean (?:that|it)",
    r"vergiss (?:das|es)(?: wieder)?|vergiss, was ich gesagt habe|(?:das )?war (?:nur |bloß )?(?:ein )?(?:scherz|spaß|witz)|streich das(?: wieder)?|ich nehme das zurück",
    r"olv[ií]d(?:alo|a eso|a lo que dije)|(?:quita|borra) eso|(?:era|es) (?:una )?broma|estaba bromeando|retiro lo dicho",
    r"oublie ça|je plaisant(?:e|ais)|c'était une blague",
    r"当我没说(?:过)?|忘了(?:刚才说的)|(?:我)?(?:刚才)?(?:是)?(?:在)?开玩笑的?|我收回(?:刚才的话)?|刚才(?:说的|那句话?|的话)不算",
    r"(?:그냥 )?농담이(?:야|에요|었어|었어요)|(?:그건 |방금 (?:한 )?말(?:은)? )?잊어(?:줘|버려|주세요)|방금 (?:한 )?말(?:은)? 취소(?:해줘|야|할게)?|(?:그거|방금 거) (?:취소|잊어줘)|없던 (?:걸|일)로 (?:해|하자|해줘)",
)
_WHOLE_WAYS = (
    *_WAYS,
    r"(?:please )?(?:forget|scratch|strike|ignore|disregard|undo) (?:this|it)",
    r"never ?mind(?: that| it)?",
    "oublie|laisse tomber|算了(?:吧)?|忘了(?:吧|这个)",
)
_CLAUSES = lazy_pattern(r"[,.!;:，。！；：…—\n\U0001f300-\U0001faff]+")
_TAKES_BACK = lazy_pattern(rf"(?i){_LEAD}(?:{'|'.join(_WAYS)})(?: (?:please|sorry|bitte|lol|haha|ok))?")
_ONLY_TAKES_BACK = lazy_pattern(
    rf"(?i){_LEAD}(?:{'|'.join(_WHOLE_WAYS)})(?:[\s,.]*(?:please|sorry|bitte|lol|haha|ok))?[\s.!。！…]*"
)
# What is taken back may be named: behind these words, or, where a language says so, in front of them.
_NAMING = lazy_pattern(
    rf"(?i){_LEAD}(?:{'|'.join(_WAYS)})\s+(?:about|of|with|on|regarding|über|mit|zu|von|wegen|sobre|de|del|à propos d\w*)\b(?P<named>.+)"
)
_OF_WHAT = (_WAYS[1], _WAYS[4], *_WAYS[-2:], "(?:的话|的事)?(?:不算|就当我没说)")
_NAMED_BEFORE = lazy_pattern(rf"(?i)(?P<named>.+?)\s?(?:{'|'.join(_OF_WHAT)})")


def takes_back(text: str) -> bool:
    """Say whether a message says that what was said before it does not count."""
    said = text.strip().replace("’", "'")
    if len(said) > LONGEST_TAKING:
        return False
    clauses = map(str.strip, _CLAUSES.split(said))
    return any(map(_TAKES_BACK.fullmatch, clauses)) or only_takes_back(said)


def only_takes_back(text: str) -> bool:
    """Say whether that is all that a message says."""
    return _ONLY_TAKES_BACK.fullmatch(text.strip().replace("’", "'")) is not None


def taken_by(text: str, turns: Sequence[str]) -> int | None:
    """Return which of his earlier turns a message takes back: the one that it names, else the one right before it; None for no such message."""
    is_taking = takes_back(text)
    said = text.strip().replace("’", "'")
    named = said
    unwanted = ""
    if not is_taking:
        named = _named_in(said)
    if not is_taking and not named:
        unwanted = to_forget(said)
    nearest, most = None, 0
    for at, turn in enumerate(turns):
        shared = shared_words(turn, named)
        if unwanted and is_alike(turn, unwanted):
            shared = told_by_both(turn, unwanted)
        if shared and shared >= most:
            nearest, most = at, shared
    if nearest is None and is_taking and turns:
        return len(turns) - 1
    return nearest


def _named_in(said: str) -> str:
    """Return what a message names that takes back something so named, empty for one that does not."""
    if len(said) > LONGEST_TAKING:
        return ""
    for clause in map(str.strip, _CLAUSES.split(signs.ORDER.sub("", said))):
        naming = _NAMING.fullmatch(clause) or _NAMED_BEFORE.fullmatch(clause)
        if naming is not None and not signs.NOT.search(naming["named"].lower()):
            return naming["named"]
    return ""
