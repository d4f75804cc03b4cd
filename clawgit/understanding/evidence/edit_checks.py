"""What may be wrong with an edit that a sentence of the operator's is to carry: one function for each, which says it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence.own_sentences import affirmed, clauses, denied
from clawgit.understanding.evidence.said_words import (
    Read,
    first_words,
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
    LOADED,
    NOT,
    RELATING,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from clawgit.understanding.evidence.said_values import Said

MOST_SUBJECT_WORDS = 5  # that name what it is about, and stand in no word of the operator's
SHORTEST_SHORT = 4  # letters of `Mongo`
TURNS = 2  # of the agent's, that may name what it is about
_ASKS_WHAT = lazy_pattern(
    r"\b(?:what|which|who|whose|where|when|how|was|welche[rsn]?|wie|wann|wo|quel\w*|cuál|qué)\b|什么|哪|谁|几|多少|뭐|무엇|무슨|어느|어떤|언제|어디|누구|몇|얼마"
)
_SENTENCE = lazy_pattern(r"[^.!?。！？]+[.!?。！？]*")
_HE = lazy_pattern(r"^\W*(?:he|she|they|his|her|their)\b|^他|^她|^그는|^그녀")
_USER = lazy_pattern(r"^(?:the )?(?:user|operator)\b(?!'s)|^用户(?!的)|^사용자(?:는|가)")
_ANY_USER = lazy_pattern(r"\b(?:user|operator)\b|用户|사용자")
_CAPITAL = lazy_pattern(r"(?<![.!?:] )(?<!^)(?<![\w'])(?!I\b)[A-Z][\w-]*")
_SAME_TWICE = lazy_pattern(r"\b([^\W\d_]+) \1\b(?<!had had)(?<!that that)|([\u4e00-\u9fff]{2,})\2")
_REJECTED = lazy_pattern(r"\b(?:from|not|than|over|of|left|statt|de) +$|n't +$")


@dataclass(frozen=True)
class Case:
    """An edit beside the sentences that are to carry it, spelled alike; ``mine`` is all that the operator says there."""

    old: str
    new: str
    told: str
    mine: str
    before: tuple[str, ...]
    on: date

    def read(self, text: str) -> Read:
        """Return what a text of this case says."""
        return read(text, self.on)

    @cached_property
    def stated(self) -> Read:
        """Return what the entry is to say."""
        return self.read(self.new)

    @cached_property
    def brought(self) -> list[str]:
        """Return what is new in it."""
        return lacking(self.stated, self.read(self.old)) if self.old else list(self.stated.items)

    @cached_property
    def gone(self) -> list[str]:
        """Return what the entry says no more."""
        return lacking(self.read(self.old), self.stated) if self.old else []

    @cached_property
    def carrying(self) -> list[str]:
        """Return the clauses of the message that hold something of what is new, all of them where none does."""
        parts = clauses(self.told)
        return [part for part in parts if self.has_any(part, self.brought)] or parts

    @cached_property
    def questions(self) -> list[str]:
        """Return the agent's question for something that the message answers: no `yes` says what that is."""
        parts = [each for turn in self.before[:1] for each in _SENTENCE.findall(turn)]
        return [part for part in parts if _ASKS_WHAT.search(part.lower()) and part.endswith(("?", "？"))]

    def has_any(self, text: str, items: Sequence[str]) -> bool:
        """Say whether a text has one of some words or values."""
        there = self.read(text)
        return any(not lacking(self.read(item), there) for item in items)


def changes_nothing(case: Case) -> str:
    """Say that the entry says so already."""
    if not case.old or case.brought or case.gone:
        return ""
    was, now = (case.read(" . ".join(denied(text))) for text in (case.old, case.new))
    return "" if set(was.items) != set(now.items) else "The entry says so already."


def misses_words(case: Case) -> str:
    """Name the first value or word that neither the operator's sentence has nor the entry."""
    missing = lacking(case.stated, case.read(case.told), case.read(case.old))
    if not missing:
        return ""
    others = (*case.before, case.mine)
    values = {value.shown for value in case.stated.values}
    unnamed = [item for item in missing if item in values or not _names_the_subject(case, item)]
    if not unnamed and len(missing) <= MOST_SUBJECT_WORDS:
        return ""
    word = (unnamed or missing)[0]
    if case.has_any(" . ".join(others[:-1]), [word]):
        return f"{word!r} stands only in what the agent said, not in the operator's message."
    return f"The operator's message does not say {word!r}."


def _names_the_subject(case: Case, word: str) -> bool:
    """Say whether a word that the sentence lacks names only what it is about: the agent, or another sentence, named that before.

    It is the long form of a word of his, stands before all that he says, or in a question that he answers.
    """
    elsewhere = case.read(" . ".join((*case.before, case.mine)))
    if lacking(case.read(word), elsewhere):
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
    stated = case.read(" . ".join(affirmed(case.new)))
    only_denied = [
        item for item in stated.items if not lacking(case.read(item), no) and lacking(case.read(item), yes)
    ]
    fresh = [item for item in only_denied if item in case.brought]
    if fresh or 2 * len(only_denied) > len(lacking(stated)) - len(lacking(stated, case.read(case.told))):
        return f"The operator denies {(fresh or only_denied)[0]!r}, and the statement does not."
    if NOT.search(case.old.lower()) and not NOT.search(case.new.lower()):
        was = case.read(" . ".join(denied(case.old)))
        lost = next(iter(lacking(was, yes)), "")
        return f"The entry denies {lost!r}, and the operator does not take that back." if lost else ""
    return ""


def loses_words(case: Case) -> str:
    """Name what the entry says and would say no more, though nothing took its place and the operator does not speak of it."""
    mine, old = case.read(case.mine), case.read(case.old)
    gone = [item for item in case.gone if lacking(case.read(item), mine)]
    values = [value for value in old.values if value.shown in gone]
    fresh = [value for value in case.stated.values if value.shown in case.brought]
    for value in values:
        same = next((each for each in fresh if each.kinds & value.kinds), None)
        if same is None:
            return f"The entry would no longer say {value.shown!r}, and the operator does not speak of that."
        fresh.remove(same)
    words = [item for item in gone if item not in {value.shown for value in values}]
    came = [item for item in case.brought if item not in {value.shown for value in case.stated.values}]
    names = [word for word in words if word in _names(case.old)]
    if len(words) > len(came) + (not names) or (names and not set(came) & _names(case.new)):
        return f"The entry would no longer say {words[0]!r}, and the operator does not speak of that."
    return ""


def _names(text: str) -> set[str]:
    """Return the words of a text that are written with a capital letter, the first one too."""
    return {found.lower() for found in _CAPITAL.findall(f". {text}")} | {text.split(" ", 1)[0].lower()}


def changes_subject(case: Case) -> str:
    """Say that the entry is about something, and would be about something else, or about another one's."""
    if not case.old:
        return ""
    if _ANY_USER.search(case.old.lower()) and not _ANY_USER.search(case.new.lower()):
        return "The entry is about the user, and would not be any more."
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
    is_his = any(_HE.search(part) for part in case.carrying) and not I_OR_WE.search(case.told.lower())
    return (
        "The operator speaks of somebody else there."
        if _USER.search(case.new.lower()) and is_his and not case.old
        else ""
    )


def _spoken_of(clause: str) -> Iterator[str]:
    for pattern in (ABOUT, ABOUT_HAN, ABOUT_KOREAN):
        found = pattern.search(clause)
        if found is not None:
            yield from (part for part in found.groupdict().values() if part)


def drops_name(case: Case) -> str:
    """Name somebody or something whom the operator names beside what is new, and whom the statement leaves out."""
    here = case.read(f"{case.old} . {case.new}")
    for sentence in case.told.split(" . "):
        if read(sentence, case.on).is_german:
            continue
        for found in _CAPITAL.finditer(sentence):
            name, around = found.group(), sentence[: found.start()]
            is_carried = any(name.lower() in part and part in case.carrying for part in clauses(sentence))
            if is_carried and not _REJECTED.search(around) and lacking(case.read(name), here):
                return f"The operator names {name!r} there, and the statement does not."
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
    drops_name, mixes_up, says_twice,
)  # fmt: skip
