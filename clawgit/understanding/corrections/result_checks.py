"""Whether a corrected statement still reads as one, and says all that the operator said. Pure.

Every rewritten statement goes through here. What is not surely right is not written: the correction stays open.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.words.hangul import open_stem
from clawgit.text.words.script import HAN, HANGUL
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.values.contrasted_values import contrasts_in

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_PART = 8  # words of what comes in another's place
_LOOSE = frozenset({ValueKind.NAME, ValueKind.PLATE, ValueKind.LABELLED})  # a word may be in their place
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
# Said about the telling, or of any statement: it need not be in what is right.
_TELLING_WORDS = """
move moved change changed changing switch switched become became rename renamed update updated mean meant say said
tell told think thought know right wrong correct incorrect correction actually really sorry please thanks thank
remember already instead anymore longer now fact again still yet note use one way round other be call called name address number
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
        and not any(_takes_the_verb(old, gone, came) for gone, came in exchanges)
    )


def says_all(told: str, old: str, new: str) -> bool:
    """Say whether all that the operator says is in the statement: nothing that he named is dropped or turned round."""
    is_had = all(each.search(told) is None or each.search(new) is not None for each in (_HAVING, _USED))
    is_turned = _NOT.search(new) is None and _is_denied(told)
    holds_of_two = _BOTH.search(old) is not None  # the message may be about one of them
    return is_had and not is_turned and not holds_of_two and not _names_more(told, f"{old} {new}")


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


def _takes_the_verb(old: str, gone: str, came: str) -> bool:
    """Say whether all but the first word gave way to something else (`Ada drinks tea` to `gross`): no statement is left."""
    words = gone.split()
    rest = len(old.split()) - len(words)
    return rest < 2 <= len(words) and not values_in(gone) and words[0] not in came.split()


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


def _told_of(text: str) -> frozenset[str]:
    """Return the words of a text that make a sentence: somebody, or something that is done."""
    found = {word.strip(".,!").replace("’", "'") for word in text.lower().split()} & _SENTENCE
    return frozenset(found | set(_HAN_PERSON.findall(text)))


def _kinds(text: str) -> Counter[ValueKind]:
    return Counter(value.kind for value in values_in(text) if value.kind not in _LOOSE)


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
