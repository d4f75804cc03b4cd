"""Short messages by which somebody takes back what he said right before: one table for all languages. Pure."""

from __future__ import annotations

from clawgit.text.lazy_pattern import lazy_pattern

LONGEST = 60  # characters: what is longer says something else as well
_LEAD = r"(?:(?:oh|ok|okay|no|wait|actually|sorry|hm+|haha|lol|please|ach|nein|quatsch|entschuldige|bitte|ay|perdón|non|啊|哦|不|不对|아|아니|아니야|미안)[\s,.!，。！…-]*)*"
_WAYS = (
    r"(?:please )?(?:forget|scratch|strike|ignore|disregard|undo) (?:that|this|it|what i(?: just)? said|i said (?:that|anything))",
    r"never ?mind(?: that| it)?",
    r"(?:i(?:'m| am| was)|that was|it was)? ?(?:just |only )?(?:a joke|joking|kidding)",
    r"i take (?:that|it) back",
    r"i did(?:n't| not) mean (?:that|it)",
    r"vergiss (?:das|es)(?: wieder)?|vergiss, was ich gesagt habe|(?:das )?war (?:nur |bloß )?(?:ein )?(?:scherz|spaß|witz)|streich das(?: wieder)?|ich nehme das zurück",
    r"olv[ií]d(?:alo|a eso|a lo que dije)|(?:era|es) (?:una )?broma|estaba bromeando|retiro lo dicho",
    r"oublie(?: ça)?|laisse tomber|je plaisant(?:e|ais)|c'était une blague",
    r"算了(?:吧)?|当我没说(?:过)?|忘了(?:吧|这个|刚才说的)|(?:我)?(?:刚才)?(?:是)?(?:在)?开玩笑的?|我收回(?:刚才的话)?|刚才说的不算",
    r"(?:그냥 )?농담이(?:야|에요|었어|었어요)|(?:그건 |방금 (?:한 )?말(?:은)? )?잊어(?:줘|버려|주세요)|방금 (?:한 )?말(?:은)? 취소(?:해줘|야|할게)?|없던 (?:걸|일)로 (?:해|하자|해줘)",
)
_WAY = f"(?:{'|'.join(_WAYS)})"
_TAKES_BACK = lazy_pattern(
    rf"(?i){_LEAD}{_WAY}(?:[\s,.!，。！]+{_WAY})?(?:[\s,.]*(?:please|sorry|bitte|lol|haha|ok))?[\s.!。！…]*"
)


def takes_back(text: str) -> bool:
    """Say whether a message says nothing but that what was said before it does not count."""
    said = text.strip().replace("’", "'")
    return len(said) <= LONGEST and _TAKES_BACK.fullmatch(said) is not None
