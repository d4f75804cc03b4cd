"""Whether a statement that was put right still reads as one, and says all that the operator said. Pure.

Every rewritten statement goes through here. What is not surely right is not written: the correction stays open.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.words.hangul import open_stem
from clawgit.text.words.script import HAN, HANGUL
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.forms.function_words import PREPOSITIONS
from clawgit.understanding.values.contrasted_values import contrasts_in

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_PART = 8  # words of what comes in another's place
_LOOSE = frozenset({ValueKind.NAME, ValueKind.PLATE, ValueKind.LABELLED})  # a word may stand in their place
# Where one part of a message ends and another begins, which may say something else.
_PART = re.compile(
    r"[,;:.!?](?=\s|$)|[，。；：！？、]|\s[–—-]\s|\b(?:because|since|but|although|after)\b",
    re.IGNORECASE,
)
# It holds this once, and what is remembered holds otherwise.
_ONCE = re.compile(
    r"(?i)\b(?:this (?:once|time|week|month)|(?<!as of )(?<!from )(?<!since )(?:today|tomorrow)|for now)\b"
    r"|今天|明天|这次|這次|这周|這週|本周|本週|이번|오늘(?!부터)|내일(?!부터)"
)
# What a message names a part or a place of: `the door code of the garage`.
_OF = re.compile(r"(?i)\b(\w+) of (?:(?:the|my|our|his|her|their|an?) )?(\w+)")
_LIST = re.compile(r"(?i)\b(?:and|or)\b|[、和]")
# What no value has inside.
_BREAK = re.compile(r"[;!?，。；：！？、]|[,:](?!\d)|\s[–—-]\s|\.\s")
# A value has none of these either: they make a sentence, or stand for something that is not named.
_SENTENCE = words_in("""
i you he she it we they me him us them i'm i've you're he's she's it's we're they're
who which should could would will can must is are was were has have had does do did called named one ones none another someone
something everyone everything nothing
""")
_HAVING = re.compile(r"(?i)\b(?:has|have|had)\b")
_USED = re.compile(r"(?i)\bused to\b")
_OWNER = re.compile(r"\b[\w-]+(?=['’]s\b)")  # whose it is stays
_BOTH = re.compile(r"\b([A-Z][\w-]*) and ([A-Z][\w-]*)\b")
_ONE = re.compile(r"(?i)^(?:i|he|she)\b")
_NOT = re.compile(r"(?i)\b(?:does |do )?not\s|\bnever\s|n['’]t\b|^[不没沒]")
# At its end or its beginning, a part that goes on: it was cut in the middle.
_DANGLING = re.compile(
    r"(?i)\b(?:by|at|on|in|of|to|and|or|but|with|for|from|since|until|the|an?|is|are)$|^(?:and|or|but|so|because|if|that|what)\b"
)
_HAN_PERSON = re.compile(r"[我你您他她]")
# Behind a Latin name it is a particle.
_HANGUL_WORD = re.compile(r"(?<![A-Za-z0-9\uac00-\ud7a3])[\uac00-\ud7a3]+")
# A Korean word with one of these behind it says something of another: it is no name and no value.
_KOREAN_SAYING = re.compile(
    r"(?:[이]고|아니라|아니고|있어요?|없어요?|해요?|했어요?|이야|이에요|예요|입니다|[A-Za-z0-9]야|아니|얘기|거야)$"
)
_KOREAN_ENDED = re.compile(r"\s\S*[아어해다요지]$")
# Said about the telling, or of any statement: it need not stand in what is right.
_TELLING_WORDS = """
move moved change changed changing switch switched become became rename renamed update updated mean meant say said
tell told think thought know right wrong correct incorrect correction actually really sorry please thanks thank
remember already instead anymore longer now today fact again still yet note use one way round other be call called name address number
"""
TELLING = subject(_TELLING_WORDS)
_HAN_TELLING = frozenset(
    "我你您他她它们是的在不对對了吧啊呢哦其实實应該该现現改成换換已经經说說错錯误誤更正而也还還就都用叫有个個这這那没沒只要记記住从從到为為和与及很请請谢謝告诉訴过過"
)
_KOREAN_TELLING = re.compile(
    r"^(?:아니|사실|틀렸|틀려|잘못|정정|내(?:가$|$)|제(?:가$|$)|이름|나는|난$|저는|전$|우리|말고|말했|말씀|얘기|이제|지금|그게|그건|거고|예전|저번|지난|요즘|올해|바뀌|바꿨|올랐|올렸|늘었|늘렸|줄었|줄였|옮겼|변경|맞아|근데|그런데|이미|벌써)"
)
_KOREAN_SHARED = 2  # syllables from the beginning on: the rest is an ending


def reads_on(old: str, new: str, exchanges: Sequence[tuple[str, str]]) -> bool:
    """Say whether ``new`` is the statement ``old`` with one thing in the place of another of its kind, and no more."""
    return (
        all(_is_one_part(gone, came) for gone, came in exchanges)
        and _kinds(old) == _kinds(new)
        and _owners_stay(old, new, exchanges)
        and not any(_doubles(new, gone, came) for gone, came in exchanges)
    )


def says_all(told: str, old: str, new: str, came: Sequence[str]) -> bool:
    """Say whether all that the operator says of what ``came`` stands in the statement: nothing that he named is dropped."""
    parts = [part for part in map(str.strip, _PART.split(told)) if part]
    about = [part for part in parts if any(each.casefold() in part.casefold() for each in came)] or parts
    is_had = all(each.search(told) is None or each.search(new) is not None for each in (_HAVING, _USED))
    is_turned = _NOT.search(new) is None and any(_is_denied(part) for part in about)
    return (
        is_had
        and not is_turned
        and not _holds_once(told, old)
        and not _is_shared(old, told)
        and not _is_of_something_else(told, old, came)
        and all(not _names_more(part, f"{old} {new}") for part in about)
    )


def _is_of_something_else(told: str, old: str, came: Sequence[str]) -> bool:
    """Say whether a message names what the statement is about, and of something else: `the code of the garage`."""
    said, named = subject(old), subject(" ".join(came))
    return any(
        subject(what) <= said and not subject(of) <= said | named and subject(what)
        for what, of in _OF.findall(told)
    )


def _holds_once(told: str, old: str) -> bool:
    """Say whether a message is about one time, and the statement is not: `today it's at 3pm`."""
    return any(match.group().casefold() not in old.casefold() for match in _ONCE.finditer(told))


def _is_denied(part: str) -> bool:
    """Say whether a part of a message says that something is not so, and not what is so instead."""
    return _NOT.search(part) is not None and not any(True for _ in contrasts_in(part))


def _is_one_part(gone: str, came: str) -> bool:
    """Say whether what came is no clause of its own: no stop, nobody who does something, no Korean ending of a sentence."""
    persons = _told_of(_NOT.sub("", came, count=1)) - _told_of(gone)
    return (
        bool(came.strip())
        and len(came.split()) <= LONGEST_PART
        and not persons
        and (not _LIST.search(gone) or bool(_LIST.search(came)))
        and not (_DANGLING.search(came) or _DANGLING.search(gone))
        and (not _BREAK.search(came) or bool(_BREAK.search(gone)))
        and not _goes_on(gone, came)
    )


def _goes_on(gone: str, came: str) -> bool:
    """Say whether what came ends as a Korean sentence does, or has a word more than what it stands for: its verb."""
    if any(ended.search(came) and not ended.search(gone) for ended in (_KOREAN_SAYING, _KOREAN_ENDED)):
        return True
    return bool(HANGUL.search(came)) and len(came.split()) > len(gone.split()) and not values_in(came)


def _owners_stay(old: str, new: str, exchanges: Sequence[tuple[str, str]]) -> bool:
    """Say whether it is the same one's thing, or one's that gave way to another's: `Carla's place` to `Doris's place`."""
    for gone, came in exchanges:
        if _OWNER.search(gone) and _OWNER.search(came):
            old, new = old.replace(gone, " ", 1), new.replace(came, " ", 1)
    return _OWNER.findall(old) == _OWNER.findall(new)


def _is_shared(statement: str, told: str) -> bool:
    """Say whether a statement holds of two, and the message is about one of them: the other is not set right."""
    pairs = _BOTH.findall(statement)
    return any((one in told) != (other in told) or _ONE.search(told) for one, other in pairs)


def _told_of(text: str) -> frozenset[str]:
    """Return the words of a text that make a sentence: somebody, or something that is done."""
    found = {word.strip(".,!").replace("’", "'") for word in text.lower().split()} & _SENTENCE
    return frozenset(found | set(_HAN_PERSON.findall(text)))


def _kinds(text: str) -> Counter[ValueKind]:
    return Counter(value.kind for value in values_in(text) if value.kind not in _LOOSE)


def _doubles(new: str, gone: str, came: str) -> bool:
    """Say whether what came says again what stands around it: `on on`, `for on`, `过敏过敏`."""
    at = new.find(came)
    before, after = (new[:at], new[at + len(came) :]) if at >= 0 else (new, "")
    again = (_grams(came) - _grams(gone)) & (_grams(before) | _grams(after))
    beside = [words(before)[-1:], words(after)[:1]]
    ends = [words(came)[:1], words(came)[-1:]]
    runs_on = came[-1:].isdigit() and not gone[-1:].isdigit() and after.lstrip()[:1].isdigit()
    is_placed = all(one and one[0] in PREPOSITIONS for one in (words(before)[-1:], words(came)[:1]))
    return (
        bool(again)
        or runs_on
        or (is_placed and words(gone)[:1] != words(came)[:1])
        or any(one and one == other for one, other in zip(beside, ends, strict=True))
    )


def _grams(text: str) -> frozenset[str]:
    """Return what a text says: its terms without numbers, two characters each in scripts without spaces."""
    return frozenset(term for term in subject(text) if len(term) > 1 and not any(map(str.isdigit, term)))


def _names_more(part: str, statement: str) -> bool:
    """Say whether a part of a message names something that the statement does not."""
    if HAN.search(part):
        return any(char not in statement and char not in _HAN_TELLING for char in HAN.findall(part))
    korean = [word for word in _HANGUL_WORD.findall(part) if not _KOREAN_TELLING.match(word)]
    there = [open_stem(word) for word in _HANGUL_WORD.findall(statement)]
    if any(word[:_KOREAN_SHARED] not in statement and open_stem(word) not in there for word in korean):
        return True
    named = {term for term in subject(part) if term.isascii()} - subject(statement) - TELLING
    return any(term not in statement.casefold() for term in named)
