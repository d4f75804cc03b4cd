"""Reproaches that do not say what is right: `you forgot my timezone again`. Pure."""

from __future__ import annotations

import re

from clawgit.text.comparing.value_kinds import values_in
from clawgit.understanding.values.asserted_text import STRONG

_AGAIN = r"(?:(?:have|had|did|do|just|again|already|always|often|never|once|so|clearly|obviously|completely|totally|keep|kept)\s+)*"
_FORGETTING = "forg[eo]t(?:s|ten|ting)?|(?:don'?t|didn'?t|can'?t|couldn'?t|no longer|never|should|ought to|must) (?:even )?(?:remember|recall|know)"
_TALKING = "talked|spoke|spoken|chatted|discussed|went over|gone over|been over|been through|went through"
_TELLING = "told you|said to you|explained|mentioned|gave you|shared"
_LED = re.compile(
    rf"(?i)^(?:(?:and|but|so|well|hey|wow|ugh)[\s,]+)*(?:you(?:['’]ve)?\s+{_AGAIN}(?:{_FORGETTING})"
    rf"|we(?:['’]ve)?\s+{_AGAIN}(?:{_TALKING})|i(?:['’]ve)?\s+{_AGAIN}(?:{_TELLING}))\b\s*(?:that\s+(?=i\b|we\b|you\b))?"
)
_ASKED = re.compile(r"(?i)^(?:all )?(?:about )?(?:what|where|when|who|whom|whose|which|how|why)\b")
_TOLD = re.compile(
    r"(?i)\b(?:am|is|are|was|were|be|will|has|have|had|that|moved|changed|became|starts?|ends?|lives?|works?|likes?|prefers?|hates?|eats?"
    r"|drinks?|uses?|takes?|needs?|wants?|means?)\b|['’](?:m|s (?=\w+ )|re|ve|ll|d)\b|[,:;—–]\s*(?!again|already|twice|remember)\w|\bto\s"
)
# `my drink`, `my favourite drink`: what looks like a verb is a thing here.
_NOUN = r"(?:drink|work|use|need|want|like|start|end|take)"
_THING = re.compile(
    rf"(?i)\b(?:my|our|your|his|her|their|its|the|an?|\w+['’]s)\s+(?:{_NOUN}s?\b|\w+\s+{_NOUN}(?=(?:\s+(?:again|already|twice))*\s*$))"
)
_HAN = re.compile(
    r"^(?:你|您)(?:又|总是?|總是?|老是|怎[么麼]|是不是|竟然|居然|已经|已經)*(?:忘(?:[记記掉])?了?|不记得了?|不記得了?|[记記]不住)"
    r"(?P<what>[^，,：:]*)$"
)
_HAN_ASKED = re.compile(r"什[么麼]|哪|[谁誰]|几|幾|多少|怎[么麼]")
_HAN_TOLD = re.compile(r"[是叫在住有对對吃喝用改要会會姓喜不]")
_KOREAN = re.compile(
    r"^(?P<what>[^,:]*?)\s*(?:또|벌써|자꾸|맨날)?\s*(?:잊|까먹|기억(?:을|도)? ?(?:못|안))\S*$"
)
_KOREAN_TOLD = re.compile(r"(?:[다라]는|[다라]고|인|한|는) ?(?:거|것|걸|사실)|[다라]고")


def is_reproach(told: str) -> bool:
    """Say whether a sentence says that the agent forgot something, or was told, and not what that is."""
    bare = told.strip(" .!?。！？")
    led = _LED.match(bare)
    if led is not None:
        rest = bare[led.end() :]
        return is_reproach(rest) or not _says(rest)
    han = _HAN.match(bare)
    if han is not None:
        what = han["what"]
        return bool(_HAN_ASKED.search(what)) or not _HAN_TOLD.search(what)
    korean = _KOREAN.match(bare)
    return korean is not None and not _KOREAN_TOLD.search(korean["what"])


def _says(rest: str) -> bool:
    """Say whether what was forgotten is said, and not only named."""
    if any(value.kind in STRONG for value in values_in(rest)):
        return True
    return not _ASKED.match(rest) and _TOLD.search(_THING.sub("", rest)) is not None
