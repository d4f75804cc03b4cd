"""Plans that are taken back in other words than they were made in: `scrap the evening deploy`, `酒店算了`, `호텔은 접자`. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clawgit.memory.entries.statements import sentences_of
from clawgit.text.comparing.subjects import subject

_FEWEST_SHARED = 2
_CLAUSE = re.compile(r"[,;]\s+|[，；]|\s+(?:[–—-]|because|since|but|so)\s+")
_OFF = re.compile(
    r"(?P<no>(?:\bnot|n['’]t|\bnever|\bwithout)(?: \w+)? |[不别未没]|안 )?(?P<off>"
    r"\b(?:scrap(?:ped|ping)?|ditch(?:ed|ing)?|forget(?: about)?|call(?:ed|ing)? off|cancel(?:l?ed|l?ing)?|abandon(?:ed|ing)?"
    r"|never ?mind|no longer|on second thoughts?|changed (?:my|our) minds?|(?:falls?|fell|fallen) through"
    r"|(?:is|are|was|were|['’]s|['’]re|am|['’]m) (?:off the table|off(?! (?:by|to|sick|work|duty)\b)(?=$|[ .!,])|dead|history)|(?:is|are)(?:n['’]t| not) (?:happening|going to happen|working out)"
    r"|(?:won['’]t|will not|did(?:n['’]t| not)|does(?:n['’]t| not)) (?:happen|work out|come to)|(?:not|n['’]t)(?= [^,;]{1,40}\bany ?more\b)|\b(?:i|we) (?:won['’]t|will not)(?! (?:be (?!\w+ing\b)|let|quit|give|forget|lie|stop|complain|mind|worry|deny)\b)"
    r"|let['’]?s not|(?:['’]m|am|['’]re|are) not (?:going (?:to|with)|doing|getting|buying|moving|taking|using)|no(?= [\w ]{2,20} for (?:me|us)\b))\b"
    r"|\b(?:is|was|were|are) wrong\b|n['’]t(?= [^,;]{1,40}\bany ?more\b)"
    "|(?:当|當)我没说|算了|作罢|作罷|取消|泡汤|泡湯|黄了|放弃|放棄|不(?:做|去|搞|弄|买|買|用|住|办|辦|要|搬|换|换)了|没戏"
    "|없던 (?:일|걸|거)로|접자|접기로|접었|접을래|취소|안 하기로|안 가기로|그만두|관두|관둘|포기|물 건너|말자|말기로|무산"
    ")",
    re.IGNORECASE,
)
# What may not be so, or is somebody else's.
_OPEN = re.compile(
    r"[?？]|\b(?:maybe|perhaps|might|should we|could we|would|said|says|told|heard)\b|也许|可能|听说|吗[。.]?$|까[.]?$|래요?[.]?$|대요?[.]?$",
    re.IGNORECASE,
)
# What holds on a condition, or once only.
_IF = re.compile(
    r"\b(?:if|unless|whether|until|without|before|today|tonight|tomorrow|this (?:time|week|morning|evening|once))\b"
    "|如果|要是|万一|今天|今晚|明天|这次|本周|만약|다면|[가-힣]면 |오늘|내일|이번",
    re.IGNORECASE,
)
# Of what was said just before; `never mind`, `算了` and `됐어` answer an offer of the agent's as often.
_BARE = re.compile(
    r"(?:(?:ok|oh|hm+|no|wait|actually|sorry|then|so)\W+)*(?:scrap|ditch|forget|cancel) (?:that|what i (?:just )?said)(?: (?:again|then|please|idea))?\W*$"
    r"|^(?:아니(?:야)?[,. ]*)?없던 (?:일|걸|거)로 (?:하자|해 ?줘|할게)[.!]*$|^(?:当|當)我没说[。.！!]*$",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\d{1,2}")  # tells one thing from another only together with a word
_LIGHT = subject(
    """btw idea plan plans whole thing things thought thoughts second longer anymore mind minds matter going doing getting happening working
    work out come use 计划 的事 那个 계획 얘기 건 하자 할게 한다"""
)


@dataclass(frozen=True, slots=True)
class TakingBack:
    """A sentence that takes something back, and what it names of that; nothing where it is what was said just before."""

    sentence: str
    about: frozenset[str]

    def is_of(self, statement: str) -> bool:
        """Say whether a statement is what this one takes back."""
        shared = len(self.about & subject(statement))
        return 2 * shared >= len(self.about) > 0 and shared >= min(_FEWEST_SHARED, len(self.about))


def takings_back(text: str) -> list[TakingBack]:
    """Return the sentences of a message that take something back, without those that only ask or suppose."""
    if _OFF.search(text) is None:
        return []
    found = (_taking_back(sentence) for sentence in sentences_of(text))
    return [each for each in found if each is not None]


def _taking_back(sentence: str) -> TakingBack | None:
    if _BARE.match(sentence):
        return TakingBack(sentence, frozenset())
    if _IF.search(sentence):
        return None
    for clause in _CLAUSE.split(sentence):
        off = _OFF.search(clause)
        if off is not None and off["no"] is None and not _OPEN.search(clause):
            about = {term for term in subject(_OFF.sub(" ", clause)) - _LIGHT if not _COUNT.fullmatch(term)}
            return TakingBack(sentence, frozenset(about)) if about else None
    return None
