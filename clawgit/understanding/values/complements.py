"""`it's blue`: which part of a statement gives way to a value that is said without what it is of. Pure.

Each language says in its own way where that part stands. What cannot be told has no answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.words.hangul import COPULA, open_stem
from clawgit.text.words.script import HAN, HANGUL
from clawgit.understanding.forms.function_words import PLACING
from clawgit.understanding.values.asserted_text import (
    JUDGEMENTS,
    LONGEST_VALUE,
    SHORTEST_STATEMENT,
    bare_end,
    bare_value,
)

LONGEST = 30  # characters of a value in Chinese or Korean


@dataclass(frozen=True, slots=True)
class Complement:
    """A part of a statement, what stands ``before`` and ``after`` it, and what comes in its place."""

    before: str
    old: str
    after: str
    new: str


def complement(said: str, message: str) -> Complement | None:
    """Return the part of ``said`` that gives way to the value that ``message`` is, None where that cannot be told."""
    if JUDGEMENTS.search(bare_value(message)):
        return None
    found = _english(said, message) or _korean(said, message) or _chinese(said, message)
    return found if found and found.old.strip() and found.new.strip() else None


def is_said_of(before: str) -> bool:
    """Say whether what follows ``before`` is all that a statement says: it ends in `is`, or is called."""
    return _IS.search(before) is not None


_LINKS = "is|are|was|were|will be|should be|uses?|prefers?|likes?|lives? in|works? (?:at|for|in)|called|named|on|at|in|to"
_ENGLISH = re.compile(
    rf"^(?P<before>.*\b(?:{_LINKS})\s+)(?P<old>[^,;.]{{1,60}})(?P<after>[.!]?)$", re.IGNORECASE
)
_IS = re.compile(r"\b(?:is|are|was|were|called|named)\s+$", re.IGNORECASE)
_PREPOSITION = re.compile(rf"(?:{PLACING})\s+", re.IGNORECASE)
_PREPOSITION_LAST = re.compile(rf"\b(?:{PLACING})\s+$", re.IGNORECASE)


def _english(said: str, message: str) -> Complement | None:
    new = bare_value(message)
    linked = new != bare_end(message)
    if not new or len(words(new)) > (LONGEST_VALUE if linked else SHORTEST_STATEMENT - 1):
        return None
    match = _ENGLISH.match(said)
    if match is None:
        return None
    return _with_its_preposition(
        _without_how_often(Complement(match["before"], match["old"], match["after"], new))
    )


def _without_how_often(found: Complement) -> Complement:
    """Return it without the `every night` behind what gives way."""
    last = next((value for value in values_in(found.old) if value.kind is ValueKind.FREQUENCY), None)
    if last is None or not last.start or last.end != len(found.old):
        return found
    old = found.old[: last.start].rstrip()
    return replace(found, old=old, after=found.old[len(old) :] + found.after)


def _with_its_preposition(found: Complement) -> Complement:
    """Return it with one preposition: a value that brings its own (`in the drawer`) takes the old one's place with it."""
    own, old = _PREPOSITION.match(found.new), _PREPOSITION_LAST.search(found.before)
    if own is None or old is None:
        return found
    if own.group().casefold() == old.group().casefold():
        return replace(found, new=found.new[own.end() :])
    return replace(found, before=found.before[: old.start()], old=old.group() + found.old)


_KOREAN_IS = rf"(?:{COPULA}|이고|야)"
# What a statement is about ends in a particle before a space; what it says of that stands behind the last of these.
_KOREAN_STATEMENT = re.compile(
    rf"^(?P<before>.*\S[은는이가]\s+)(?P<old>[^,，。]{{1,{LONGEST}}}?)(?P<after>{_KOREAN_IS}[.!]?)$"
)
_KOREAN_DOING = re.compile(
    rf"^(?P<before>.*\S[은는이가]\s+)(?P<old>[^\s,，。]{{1,{LONGEST}}}?)(?P<after>(?P<particle>[을를]|에서|에|으로|로)\s+(?P<verb>\S.*))$"
)
_KOREAN_VALUE = re.compile(
    rf"^(?:(?P<about>.*\S)[은는이가]\s+)?(?P<new>[^,，。]{{1,{LONGEST}}}?)(?:{_KOREAN_IS}|이라고|라고|인데|이지|이고)[.!]?$"
)
_KOREAN_DONE = re.compile(
    rf"^(?:(?P<about>.*\S)[은는이가]\s+)?(?P<new>[^\s,，。]{{1,{LONGEST}}}?)(?P<particle>[을를]|에서|에|으로|로)\s+(?P<verb>\S.*)$"
)
_KOREAN_NOUN = re.compile(r"[가-힣\w]+(?<![아어해다요지네자까래마줘써])$")  # no form of a verb
_RIEUL = 8  # the place of ㄹ among final consonants
# One particle in the two forms that it has, behind a vowel and behind a consonant.
_FORMS = {"를": ("를", "을"), "을": ("를", "을"), "로": ("로", "으로"), "으로": ("로", "으로")}


def _korean(said: str, message: str) -> Complement | None:
    if not HANGUL.search(said):
        return None
    doing, statement = _KOREAN_DOING.match(said), _KOREAN_STATEMENT.match(said)
    match = doing or statement
    new = None if match is None else _korean_value(message, match["before"], doing)
    if match is None or new is None or len(new.split()) != len(match["old"].split()):
        return None
    found = Complement(match["before"], match["old"], match["after"], new)
    return found if doing is None else _with_its_particle(found, doing["particle"])


def _with_its_particle(found: Complement, particle: str) -> Complement:
    """Return it with the particle that the new value asks for: another than the old one's is a part of what changes."""
    fitted = _particle_behind(found.new, particle)
    if fitted == particle:
        return found
    after = found.after[len(particle) :]
    return replace(found, old=found.old + particle, after=after, new=found.new + fitted)


def _korean_value(message: str, before: str, doing: re.Match[str] | None) -> str | None:
    """Return the value that a message is, or gives to what the statement is about, None where it does something else."""
    told = bare_end(message)
    same = _KOREAN_DONE.match(told)
    if same is not None:
        is_same = (
            doing is not None
            and _form(same["particle"]) == _form(doing["particle"])
            and open_stem(same["verb"]) == open_stem(doing["verb"])
        )
        return same["new"] if is_same and _is_within(same["about"], before) else None
    value = _KOREAN_VALUE.match(told)
    if value is not None:
        return value["new"] if _is_within(value["about"], before) else None
    return told if _KOREAN_NOUN.fullmatch(told) else None


def _is_within(about: str | None, before: str) -> bool:
    """Say whether a message names nothing, or the last thing that it names is what the statement is about."""
    return not about or about.split()[-1] in before or about.split()[-1] in ("나", "저", "내", "제")


def _form(particle: str) -> tuple[str, ...]:
    return _FORMS.get(particle, (particle,))


def _particle_behind(word: str, particle: str) -> str:
    """Return the form of a particle that the last sound of ``word`` asks for."""
    if particle not in _FORMS or not "가" <= word[-1] <= "힣":
        return particle
    ending = (ord(word[-1]) - ord("가")) % 28
    behind_vowel, behind_consonant = _FORMS[particle]
    is_vowel = ending == 0 or (ending == _RIEUL and behind_vowel == "로")
    return behind_vowel if is_vowel else behind_consonant


# What links a statement to what it says, the plainest first; none is a part of another word.
_CHINESE_LINKS = (
    re.compile(r"(?<![还還或但可于於总總不要])是"),
    re.compile(r"叫|姓|名[为為]|称[为為]|稱為"),
    re.compile(r"(?:喜欢|喜歡|讨厌|討厭)(?!的)"),
    re.compile(r"(?<![现現正存实實])在(?![线線])"),
    re.compile(r"(?<![因认認以成名称稱他她我你华華])[为為]"),
)
# What is done at a place stands behind it, and stays when the place gives way.
_CHINESE_DONE = "进行|進行|举行|舉行|召开|召開|举办|舉辦|开会|開會|办公|辦公|工作|生活|上班|运行|運行|开|開|里|裡|上|中|内|內"
_CHINESE_WORK = re.compile("(?:工作|生活|上班|办公|辦公|开会|開會|运行|運行)$")
_CHINESE_REST = re.compile(rf"(?P<old>[^，,。；;]{{1,{LONGEST}}}?)(?P<after>(?:{_CHINESE_DONE})?[。.!！]*)$")
_CHINESE_PERSON = re.compile(r"现在|現在|[我你您他她它們们的是]")
_CHINESE_DOING = re.compile("[吃喝去来來走说說看写寫买買卖賣做给給发發打改教]")  # somebody does something
_CHINESE_USING = "用叫由归"  # `现在用华为云`: what is done with it is no part of it
_CHINESE_DENIAL = re.compile("[，,](?=[不没沒])")  # and what is not so


def _chinese(said: str, message: str) -> Complement | None:
    if not HAN.search(said):
        return None
    for link in _CHINESE_LINKS:
        places = list(link.finditer(said))
        rest = _CHINESE_REST.match(said, places[-1].end()) if places else None
        if rest is not None:
            before = said[: rest.start()]
            new = _chinese_value(message, before, link) if len(places) == 1 else None
            new = new and new.removesuffix(rest["after"].rstrip("。.!！"))
            return (
                None
                if new is None or _CHINESE_WORK.search(new)
                else Complement(before, rest["old"], rest["after"], new)
            )
    return None


def _chinese_value(message: str, before: str, link: re.Pattern[str]) -> str | None:
    """Return the value that a message is, or links to the same thing as the statement does."""
    message = _CHINESE_DENIAL.split(message, maxsplit=1)[0]
    same = link.search(message)
    if same is not None:
        about = _CHINESE_PERSON.sub("", message[: same.start()])
        return bare_end(message[same.end() :]) if about in before else None
    new = bare_value(message)
    is_value = (
        len(new) <= LONGEST
        and new[:1] not in _CHINESE_USING
        and len(words(new)) <= LONGEST_VALUE
        and not _CHINESE_DOING.search(new)
    )
    return new if is_value and not any(each.search(new) for each in _CHINESE_LINKS) else None
