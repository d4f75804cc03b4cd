"""What may be wrong with an edit that a sentence of the operator's is to carry: one function for each, which says it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.day_names import MONTHS, WEEKDAYS
from clawgit.understanding.evidence.own_sentences import affirmed, clauses, denied, plainly_affirmed
from clawgit.understanding.evidence.said_values import completed
from clawgit.understanding.evidence.said_words import (
    Read,
    first_words,
    is_light,
    lacking,
    read,
    words_in_order,
)
from clawgit.understanding.evidence.sense_words import (
    ABOUT,
    ABOUT_HAN,
    ABOUT_KOREAN,
    ANY_THING,
    I_OR_WE,
    KIN,
    LOADED,
    NARROWING,
    NOT,
    ONE,
    PART_OF_DAY,
    RELATING,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.understanding.evidence.edit_case import Case
    from clawgit.understanding.evidence.said_values import Said

SHORTEST_SHORT = 4  # letters of `Mongo`
_POINTING = lazy_pattern(r"^(?:it|this|that|he|she|they|他|她|它|这|那)(?:\b|(?<=[\u4e00-\u9fff]))")
_HE = lazy_pattern(r"^\W*(?:he|she|they|his|her|their)\b|^他|^她|^그는|^그녀")
_USER = lazy_pattern(r"^(?:the )?(?:user|operator)\b(?!'s)|^用户(?!的)|^사용자(?:는|가)")
_ANY_USER = lazy_pattern(r"\b(?:user|operator)\b|用户|사용자")
_CAPITAL = lazy_pattern(r"(?<![.!?:] )(?<!^)(?<![\w'])(?!I\b)[A-Z][\w-]*")
_DATES = frozenset({*MONTHS, *WEEKDAYS})
_SAME_TWICE = lazy_pattern(r"\b([^\W\d_]+) \1\b(?<!had had)(?<!that that)|([\u4e00-\u9fff]{2,})\2")


def changes_nothing(case: Case) -> str:
    """Say that the entry says so already."""
    if not case.old or case.brought or case.gone:
        return ""
    was, now = (case.read(" . ".join(denied(text))) for text in (case.old, case.new))
    return "" if set(was.items) != set(now.items) else "The entry says so already."


def misses_words(case: Case) -> str:
    """Name the first value or word that neither the operator's sentence has nor the entry."""
    told, old = case.read(case.told), case.read(case.old)
    days = Read(tuple(completed(told.values, old.values)), (), (), (), "")
    missing = [word for word in lacking(case.stated, told, old, days) if not _is_light(case, word)]
    if not missing:
        return ""
    others = (*case.before, case.mine)
    values = {value.shown for value in case.stated.values}
    unnamed = [item for item in missing if item in values or not _names_the_subject(case, item)]
    if not unnamed:
        return ""
    word = unnamed[0]
    if case.has_any(" . ".join(others[:-1]), [word]):
        return f"{word!r} stands only in what the agent said, not in the operator's message."
    return f"The operator's message does not say {word!r}."


def _is_light(case: Case, word: str) -> bool:
    """Say whether a word is the `1` of what was told as `one`, or changes in an entry with the wording alone.

    It does only where the operator says something else of what is new.
    """
    if word == "1":
        return ONE.search(case.told.lower()) is not None
    told = case.read(case.told)
    return (
        bool(case.old) and is_light(word) and any(not lacking(case.one(item), told) for item in case.brought)
    )


def _names_the_subject(case: Case, word: str) -> bool:
    """Say whether a word that the sentence lacks names only what it is about: the agent, or another sentence, named that before.

    It is the long form of a word of his, stands before all that he says, or in a question that he answers.
    """
    elsewhere = case.read(" . ".join((*case.before, case.mine)))
    if lacking(case.one(word), elsewhere):
        return False
    told = case.read(case.told)
    if any(word.startswith(short) and len(short) >= SHORTEST_SHORT for short in told.latin):
        return True
    small = case.new.lower()
    carried = [item for item in case.brought if not lacking(case.read(item), told)]
    is_answer = any(case.has_any(question, [word]) for question in case.questions)
    return bool(carried) and (is_answer or small.find(word) < min(small.find(item) for item in carried))


def invents_sense(case: Case) -> str:
    """Name a `must`, an `only`, an `at least` that nobody said."""
    said = " ".join((case.told, case.old, *case.questions)).lower()
    found = (name for name, sign in LOADED.items() if sign.search(case.new.lower()) and not sign.search(said))
    sense = next(found, "")
    return f"The operator's message does not say {sense!r}." if sense else ""


def invents_not(case: Case) -> str:
    """Say of what the statement denies that the operator does not deny it."""
    if not NOT.search(case.new.lower()):
        return ""
    stated = case.read(" . ".join(denied(case.new)))
    was = case.read(" . ".join(denied(case.old)))
    negated = case.read(" . ".join(part for part in clauses(case.told) if NOT.search(part)))
    told, old = case.read(case.told), case.read(case.old)
    new = [item for item in lacking(stated, was) if not lacking(case.read(item), told)]
    if not NOT.search(case.told.lower()):
        gave_way = (
            old.plain and not lacking(stated, old) and case.brought and not NOT.search(case.old.lower())
        )
        is_old = bool(NOT.search(case.old.lower())) and not lacking(stated, was)
        return "" if gave_way or is_old else "The operator's message denies nothing, and the statement does."
    wrong = next((item for item in new if lacking(case.read(item), negated)), "")
    return f"The operator does not deny {wrong!r}." if wrong else ""


def loses_not(case: Case) -> str:
    """Say of what the statement affirms that the operator, or the entry, denies it."""
    yes, no = (case.read(" . ".join(find(case.told))) for find in (affirmed, denied))
    stated = case.read(plainly_affirmed(case.new))
    fresh = [
        item
        for item in stated.items
        if item in case.brought and not lacking(case.read(item), no) and lacking(case.read(item), yes)
    ]
    whole = [part for part in denied(case.told) if _is_affirmed(case.read(part), stated, yes)]
    if fresh or whole:
        return f"The operator denies {(fresh or whole)[0]!r}, and the statement does not."
    if NOT.search(case.old.lower()) and not NOT.search(case.new.lower()):
        was = case.read(" . ".join(denied(case.old)))
        lost = next(iter(lacking(was, yes)), "")
        return f"The entry denies {lost!r}, and the operator does not take that back." if lost else ""
    return ""


def _is_affirmed(part: Read, stated: Read, yes: Read) -> bool:
    """Say whether a statement has all of what the operator denies there and nowhere affirms."""
    return bool(part.items) and not lacking(part, stated) and bool(lacking(part, yes))


def loses_words(case: Case) -> str:
    """Name what the entry says and would say no more, though nothing took its place and the operator does not speak of it."""
    mine, old = case.read(case.mine), case.read(case.old)
    gone = [item for item in case.gone if lacking(case.read(item), mine)]
    values = [value for value in old.values if value.shown in gone and not value.is_name]
    fresh = [value for value in case.stated.values if value.shown in case.brought and not value.is_name]
    came = [item for item in case.brought if item not in {value.shown for value in fresh}]
    for value in values:
        same = next((each for each in fresh if each.kinds & value.kinds), None)
        if same is None:
            return f"The entry would no longer say {value.shown!r}, and the operator does not speak of that."
        fresh.remove(same)
    words = [item for item in gone if item not in {value.shown for value in values}]
    came, words = ([item for item in each if not is_light(item)] for each in (came, words))
    is_named_anew = not _names(case.old) & set(words) or _names(case.new) & set(came)
    if len(words) <= len(came) and is_named_anew:
        return ""
    return f"The entry would no longer say {words[0]!r}, and the operator does not speak of that."


def _names(text: str) -> set[str]:
    """Return the words of a text that are written with a capital letter, the first one too."""
    return {found.lower() for found in _CAPITAL.findall(f". {text}")} | {text.split(" ", 1)[0].lower()}


def changes_subject(case: Case) -> str:
    """Say that the entry is about something, and would be about something else, or about another one's."""
    if _POINTING.search(case.new.lower()) and not _POINTING.search(case.old.lower()):
        return "The statement does not say what it is about."
    if not case.old:
        return ""
    is_his = _USER.search(case.new.lower()) is not None
    if is_his and _ANY_USER.search(case.old.lower()) and len(case.gone) < len(case.read(case.old).items):
        return ""
    head = first_words(case.old, case.on)
    kept = [
        word for word in case.read(case.old).words if word not in case.gone and word not in _names(case.old)
    ]
    if not head or not all(word in case.gone for word in head) or case.has_any(case.mine, head):
        return ""
    return (
        "" if case.has_any(case.mine, kept) else f"The entry is about {head[0]!r}, and would not be any more."
    )


def is_about_another(case: Case) -> str:
    """Name what the operator speaks of, where neither the entry nor the statement is about that."""
    here = case.read(f"{case.old} . {case.new}")
    for part in case.carrying:
        nouns = [noun for noun in _spoken_of(part) if noun not in ANY_THING and case.read(noun).items]
        if nouns and all(lacking(case.read(noun), here) for noun in nouns):
            return f"The operator speaks of {nouns[0]!r} there."
    kin = [found.group() for part in case.carrying for found in KIN.finditer(part)]
    if kin and KIN.search(f"{case.old} {case.new}") is None:
        return f"The operator speaks of {kin[0]!r} there."
    is_his = any(_HE.search(part) for part in case.carrying) and not I_OR_WE.search(case.told.lower())
    return (
        "The operator speaks of somebody else there."
        if _USER.search(case.new.lower()) and is_his and not case.old
        else ""
    )


def _spoken_of(clause: str) -> Iterator[str]:
    """Yield what a clause is about; of `dad's surgery` that is dad."""
    for pattern in (ABOUT, ABOUT_HAN, ABOUT_KOREAN):
        found = pattern.search(clause)
        parts = [part for part in found.groups() if part] if found is not None else []
        is_owner = bool(parts) and (parts[0].endswith("'s") or f"{parts[0]}'s " in clause)
        yield from parts[:1] if is_owner else parts


def drops_name(case: Case) -> str:
    """Name somebody or something whom the operator names beside what is new, and whom the statement leaves out."""
    here = case.read(f"{case.old} . {case.new}")
    for sentence in case.told.split(" . "):
        names = [] if read(sentence, case.on).is_german else _CAPITAL.findall(sentence)
        for name in names:
            is_carried = any(name.lower() in part and part in case.carrying for part in clauses(sentence))
            if is_carried and name.lower() not in ANY_THING | _DATES and lacking(case.read(name), here):
                return f"The operator names {name!r} there, and the statement does not."
    return ""


def drops_limit(case: Case) -> str:
    """Name an `only`, an `except`, an `in the morning` of the operator's that the statement leaves out."""
    small, said = case.new.lower(), " . ".join(case.carrying)
    lost = NARROWING.search(said)
    if lost is not None and NARROWING.search(small) is None and lost.group() not in case.old.lower():
        return f"The operator says {lost.group()!r} there, and the statement does not."
    part = PART_OF_DAY.search(said)
    has_time = any("t" in value.kinds for value in case.stated.values)
    if part is not None and not has_time and PART_OF_DAY.search(small) is None:
        return f"The operator says {part.group()!r} there, and the statement does not."
    return ""


def mixes_up(case: Case) -> str:
    """Say that a value of one is stated of another: `Ann's is in May, Ben's in June`; or that two sides are turned round."""
    parts = [case.read(part) for part in clauses(case.told)]
    names = _names(case.new) & set(case.stated.latin)
    for value in case.stated.values:
        with_it = [part for part in parts if not lacking(_alone(value), part)]
        for name in names:
            with_name = [part for part in parts if not lacking(case.read(name), part)]
            if with_it and with_name and not any(part in with_it for part in with_name):
                others = [each for part in with_name for each in part.values if each.kinds & value.kinds]
                if any(lacking(_alone(each), case.stated) for each in others):
                    return f"The operator does not say {value.shown!r} of {name!r}."
    sides = set(_sides(case.told))
    turned = next((side for side in _sides(case.new) if side[::-1] in sides and side not in sides), None)
    return f"The operator says it the other way round: {' '.join(turned[::-1])}." if turned else ""


def _alone(value: Said) -> Read:
    return Read((value,), (), (), (), value.shown)


def _sides(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield what stands on either side of a word that relates two things."""
    told = words_in_order(text)
    for before, word, after in zip(told, told[1:], told[2:], strict=False):
        if word in RELATING and before != after:
            yield before, word, after


def says_twice(case: Case) -> str:
    """Name what stands twice in a row."""
    found = _SAME_TWICE.search(case.new.lower())
    if found is None or found.group() in f"{case.told} {case.old}".lower():
        return ""
    return f"The statement says {found.group()!r}."


CHECKS = (
    changes_nothing, misses_words, invents_sense, invents_not, loses_not, loses_words, changes_subject, is_about_another,
    drops_name, drops_limit, mixes_up, says_twice,
)  # fmt: skip
