"""A sentence of the agent's, of the operator's and of an entry in one form, so that they can be compared but for a value. Pure.

Who says `my` and who says `your` makes no difference, nor does how politely a Korean sentence ends.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.text.comparing.value_kinds import Value, ValueKind, values_in
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.hangul import open_stem
from clawgit.text.words.script import HAN_OR_HANGUL, HANGUL
from clawgit.understanding.corrections.conversation import bare_of_values
from clawgit.understanding.forms.function_words import PREPOSITIONS
from clawgit.understanding.values.asserted_text import STRONG
from clawgit.understanding.values.sentence_frames import form_of, written_out
from clawgit.understanding.values.single_valued import FORMS, GAP, can_be_instead, is_of_one, is_other
from clawgit.understanding.values.value_positions import place_of

if TYPE_CHECKING:
    from collections.abc import Collection

ENDS = " .!。！"
STEM = 2  # syllables that tell a Korean verb
FINALS, PAST = 28, 20  # consonants that a syllable can end with, and which of them is of the past
USER_KOREAN = "사용자는"
_PERSONS = {"you": "i", "we": "i", "your": "my", "our": "my", "am": "be", "are": "be", "is": "be", "were": "was", "an": "a"}  # fmt: skip
_PERSON = re.compile(rf"(?i)\b(?:{'|'.join(_PERSONS)})\b")
_LIGHT = frozenset({"the", "my", "a"})
_THE = re.compile("(?i)^the ")
_DIGITS = re.compile(r"(?<=[\u3400-\u9fff\uac00-\ud7a3])\d+(?:[.,:]\d+)*")
_HAN_YOU = re.compile("[你您]")
_KOREAN_WHO = re.compile(
    r"^(?:저는|제가|전|제|나는|내가|난|내|우리|저희|(?:사용자|고객)님?(?:은|는|이|가|의)?|당신[은의]) "
)
_KOREAN_TOPIC = re.compile(r"(?<=[가-힣])(?:은|는|이|가)(?=\s)")
_KOREAN_IS = re.compile(
    r"^(?:이에요|예요|입니다|이다|다|이야|야|이죠|죠|이네요|네요|이시죠|시죠|이군요|군요)$"
)
_CONNECTED = re.compile("(?:니까|라서|인데)$")
_POLITE = (
    (re.compile("하(?:시|세|십니|셔)?(?:는군요|죠|다|요|네요)$"), "한다"),
    (re.compile("사(?:시|세|십니|셔)?(?:는군요|죠|다|요|네요)$"), "산다"),
    (re.compile("(?<=시)(?:예요|입니다|이에요)$"), "다"),
)


def as_either_says(text: str) -> str:
    """Return a sentence as both would say it: whose it is left aside where it is the operator's."""
    if HANGUL.search(text):
        return _CONNECTED.sub("다", _KOREAN_WHO.sub("", text)).replace("하시는", "하는")
    if HAN_OR_HANGUL.search(text):
        return text
    return _PERSON.sub(lambda found: _PERSONS[found.group().lower()], written_out(text))


def as_told(part: str, plain: str) -> str:
    """Return what the agent states as the operator would say it; `the rent` may be his, `your manager` is not `the manager`."""
    said = as_either_says(_HAN_YOU.sub("我", part))
    return _THE.sub("my ", said) if plain.casefold().startswith("my ") else said


def as_entries(said: str) -> tuple[str, ...]:
    """Return how an entry may say what was said to the operator: Korean leaves out who it is about, and is polite."""
    if not HANGUL.search(said):
        return (said,)
    plain = _of_him(said, ())
    return (said, plain, f"{USER_KOREAN} {plain}")


def value_instead(said: str, told: str) -> tuple[str, str] | None:
    """Return which value gives way to which, where two sentences are the same but for it."""
    for old in _values(said):
        for new in _values(told):
            if old.kind in STRONG and is_other(old, new):
                frame = _gapped(said, old)
                if _framed(frame) == _framed(_gapped(told, new)) and is_of_one(frame, old.kind):
                    return old.text, new.text
    for form in FORMS:
        one, other = form.fullmatch(said), form.fullmatch(told)
        if one and other and _about(one) == _about(other) and one["value"] != other["value"]:
            return (one["value"], other["value"]) if can_be_instead(one["value"], other["value"]) else None
    return None


def names_a_value(plain: str) -> bool:
    """Say whether a sentence has a value that another could stand for; a look that costs little."""
    return any(value.kind in STRONG for value in _values(plain)) or any(
        form.fullmatch(plain) for form in FORMS
    )


def held_frame(statement: str, old: str, his: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what stands before and behind a value, the operator being one, whoever calls him what; other values aside."""
    text = _of_him(statement.strip(ENDS), his)
    place = place_of(text, old) or (len(text), len(text))
    before, after = text[: place[0]], text[place[1] :]
    if HANGUL.search(text):
        return (_framed(before + GAP + bare_of_values(after, STRONG)),), ()
    if HAN_OR_HANGUL.search(text):
        return (before,), (bare_of_values(after, STRONG),)
    first, last = (
        tuple(form_of(word) for word in part.split() if word.lower() not in _LIGHT)
        for part in (before, bare_of_values(after, STRONG))
    )
    return first, tuple(word for word in last if word not in PREPOSITIONS)


def _of_him(statement: str, his: Collection[str]) -> str:
    """Return what memory or the agent says of the operator as it is said of one person."""
    user = "|".join(["the user", "user", "用户", "用戶", "사용자", *map(re.escape, filter(None, his))])
    if HANGUL.search(statement):
        bare = re.sub(rf"(?i)^(?:{user})[은는이가의]? ", "", as_either_says(statement))
        for polite, ending in _POLITE:
            bare = polite.sub(ending, bare)
        return bare
    if HAN_OR_HANGUL.search(statement):
        return re.sub(rf"(?i)^(?:{user}|[你您我])的?", "我", statement)
    named = re.compile(rf"(?i)^(?:{user})(['’]s)?(?![\w'’])")
    return as_either_says(named.sub(lambda found: "my" if found[1] else "i", statement))


def _values(text: str) -> list[Value]:
    """Return the values of a sentence, with the numbers that stand right behind a letter of Chinese or Korean."""
    known = values_in(text)
    more = (Value(ValueKind.NUMBER, each.group(), *each.span()) for each in _DIGITS.finditer(text))
    return [
        *known,
        *(each for each in more if not any(old.start < each.end and each.start < old.end for old in known)),
    ]


def _about(found: re.Match[str]) -> tuple[str, ...]:
    groups = found.groupdict("")
    return tuple(folded(groups.get(name, "")).casefold() for name in ("about", "rest"))


def _gapped(text: str, value: Value) -> str:
    return text[: value.start] + GAP + text[value.end :]


def _framed(text: str) -> str:
    """Return a sentence with a gap as it is compared; how politely a Korean one ends makes no difference."""
    before, _, after = text.partition(GAP)
    if HANGUL.search(before + after):
        before = _KOREAN_TOPIC.sub("", before)
        after = _KOREAN_IS.sub("", after.strip())
        begin, space, last = after.rpartition(" ")
        after = begin + space + _doing(last) if space else after
    return folded(f"{before}{GAP}{after}").casefold()


def _doing(verb: str) -> str:
    """Return how a Korean verb begins, whatever its ending, and whether it tells of what is past."""
    stem = "".join(open_stem(syllable) for syllable in verb[:STEM])
    is_past = any((ord(syllable) - ord("가")) % FINALS == PAST for syllable in verb.replace("있", ""))
    return f"{stem} {is_past}"
