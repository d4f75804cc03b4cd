"""From what was said and what the operator says now to how it should read. Nothing is invented.

A value takes the place of one of its own kind; the rest of the old statement stays as it was. Where it cannot be told which value
is meant, or none is named, there is no answer: the correction stays open.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from clawgit.memory.corrections.write_correction import Righting
from clawgit.text.comparing.similarity import likeness
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.hangul import COPULA, open_stem
from clawgit.text.words.script import HAN, HAN_OR_HANGUL, HANGUL
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.corrections.asserted_text import (
    ADDING,
    ASKING,
    ORDERING,
    STOP,
    UNSURE,
    bare_value,
    without_lead,
)
from clawgit.understanding.corrections.exchanged_values import contrasted, contrasts_in, place_of, swapped
from clawgit.understanding.forms.phrase_forms import DENIES

if TYPE_CHECKING:
    from collections.abc import Sequence


_KOREAN_IS = re.compile(rf"(?:{COPULA})$")
_KOREAN_COUNT_IS = re.compile(r"(?<=\d[가-힣])(?:다|야|요)$")  # behind a vowel: `10시다`
ALIKE = 70  # of 100: statements that are about nothing but their values
MOST_OF_IT = 0.6  # of what a statement is about must be in an entry that says the same
SOME_OF_IT = 0.2  # of what the entry is about, in turn
# Said of anything: it does not tell which entry is meant.
ANY_THING = subject(
    "call called name start begin end run go need cost take use prefer like eat drink every week day month year"
    " 每周 每週 每天 每日 每月 每年 매주 매일 매월 매년"
)
_OTHER = re.compile(r"(?i)\b(?:an)?other\b|另|其他|다른 ")


def is_about(statement: str, said: str, righted: Righting) -> bool:
    """Say whether a statement is about what was said, the value that is wrong left aside."""
    if is_of_the_other(said, statement):
        return False
    values = subject(righted.values)
    about, here = _subject(said) - values, _subject(statement) - values
    if not about or not here:
        return likeness(said, statement) >= ALIKE
    return is_same(about, here) and not about <= ANY_THING


def is_of_the_other(told: str, statement: str) -> bool:
    """Say whether a message is about the *other* thing of a name, and a statement is not."""
    return _OTHER.search(told) is not None and _OTHER.search(statement) is None


def _subject(text: str) -> frozenset[str]:
    """Return the terms of a statement; how politely a Korean one ends makes no difference."""
    bare = _KOREAN_COUNT_IS.sub("", _KOREAN_IS.sub("", text.rstrip(" .!")))
    begin, space, last = bare.rpartition(" ")
    if bare.endswith(("다", "요")) and open_stem(last):
        bare = begin + space + open_stem(last)
    return subject(bare)


def is_same(about: frozenset[str], here: frozenset[str]) -> bool:
    """Say whether two statements are about one thing: one may say more of it, but each something else is two things."""
    shared = len(about & here)
    is_within = about <= here or here <= about
    return is_within and shared >= MOST_OF_IT * len(about) and shared >= SOME_OF_IT * len(here)


# fmt: off
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
_DANGLING = re.compile(r"(?i)\b(?:by|at|on|in|of|to|and|or|but|with|for|from|since|until|the|an?|is|are)$|^(?:and|or|but|so|because|if|that|what)\b")
_HAN_PERSON = re.compile(r"[我你您他她]")
# Behind a Latin name it is a particle.
_HANGUL_WORD = re.compile(r"(?<![A-Za-z0-9\uac00-\ud7a3])[\uac00-\ud7a3]+")
# A Korean word with one of these behind it says something of another: it is no name and no value.
_KOREAN_SAYING = re.compile(r"(?:[이]고|아니라|아니고|있어요?|없어요?|해요?|했어요?|이야|이에요|예요|입니다|[A-Za-z0-9]야|아니|얘기|거야)$")
_KOREAN_ENDED = re.compile(r"\s\S*[아어해다요지]$")
# Said about the telling, or of any statement: it need not be in what is right.
_TELLING_WORDS = """
move moved change changed changing switch switched become became rename renamed update updated mean meant say said
tell told think thought know right wrong correct incorrect correction actually really sorry please thanks thank
remember already instead anymore longer now fact again still yet note use one way round other be call called name address number
"""
TELLING = subject(_TELLING_WORDS)
_HAN_TELLING = frozenset("我你您他她它们是的在不对對了吧啊呢哦其实實应該该现現改成换換已经經说說错錯误誤更正而也还還就都用叫有个個这這那没沒只要记記住从從到为為和与及很请請谢謝告诉訴过過")
_KOREAN_TELLING = re.compile(r"^(?:아니|사실|틀렸|틀려|잘못|정정|내(?:가$|$)|제(?:가$|$)|이름|나는|난$|저는|전$|우리|말고|말했|말씀|얘기|이제|지금|그게|그건|거고|예전|저번|지난|요즘|올해|바뀌|바꿨|올랐|올렸|늘었|늘렸|줄었|줄였|옮겼|변경|맞아|근데|그런데|이미|벌써)")
_KOREAN_SHARED = 2  # syllables from the beginning on: the rest is an ending
# fmt: on


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


MOST = 1000  # characters: what is longer is no one statement


def put_right(said: str, told: str) -> Righting | None:
    """Return how ``said`` should read after the operator's ``told``; None where that cannot be known.

    Of the ways to read it, the first that leaves one sound statement counts.
    """
    if max(len(said), len(told)) > MOST:
        return None
    old_text, whole = folded(said), folded(told)
    message = without_lead(whole)
    if not old_text or not message or any(text.endswith(ASKING) for text in (old_text, message)):
        return None
    if (
        ORDERING.match(message)
        or UNSURE.search(message)
        or ADDING.search(message)
        or _names_another(old_text, message)
    ):
        return None
    ways = (_by_contrast, _by_values)
    if (HAN_OR_HANGUL.search(old_text) is None) != (HAN_OR_HANGUL.search(whole) is None):
        ways = (_by_values, _by_values)  # of two languages, only values are distinguished
    found = (read(old_text, message) for read in ways)
    return next((each for each in found if each and _is_sound(old_text, message, each)), None)


def _is_sound(said: str, told: str, found: Righting) -> bool:
    came = [new for _, new in found.exchanges]
    return (
        found.correct != said
        and reads_on(said, found.correct, found.exchanges)
        and says_all(told, said, found.correct)
        and not any(_affirms(told, old, came) for old, _ in found.exchanges)
    )


def _affirms(told: str, old: str, came: Sequence[str]) -> bool:
    """Say whether a message names what is to give way, and does not deny it: then it is about something else."""
    if place_of(told, old) is None or any(old.casefold() in new.casefold() for new in came):
        return False
    parts = [part for part in STOP.split(told) if place_of(part, old) is not None]
    is_denied = bool(parts) and all(DENIES.search(part) for part in parts)
    return not is_denied and not any(old in wrong or wrong in old for wrong, _ in contrasts_in(told))


def _by_contrast(said: str, message: str) -> Righting | None:
    """`not Wednesday but Thursday`: both are named, and the old one is in the statement."""
    found = contrasted(said, message)
    if found is None:
        return None
    start, end, new = found
    return Righting(said[:start] + new + said[end:], ((said[start:end], new),))


def _names_another(said: str, message: str) -> bool:
    """Say whether a message says what was wrong, and that was not said: it is about something else."""
    wrong = [old for old, _ in contrasts_in(message)]
    if is_of_the_other(message, said):
        return True
    return bool(wrong) and not any(_is_said(bare_value(old), said) for old in wrong)


def _is_said(part: str, said: str) -> bool:
    values = [value.text for value in values_in(part)]
    if values:
        return any(value.casefold() in said.casefold() for value in values)
    return place_of(said, part) is not None or bool(subject(part) & subject(said))


def _by_values(said: str, message: str) -> Righting | None:
    """`it's Thursday at 3pm`: what is named besides has no place."""
    pairs, now = swapped(said, message), said
    for old, new in sorted(pairs, key=lambda pair: -pair[0].start):
        now = now[: old.start] + new.text + now[old.end :]
    return Righting(now, tuple((old.text, new.text) for old, new in pairs)) if pairs else None
