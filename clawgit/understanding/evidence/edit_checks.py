"""What may be wrong with an edit that a sentence of the operator's is to carry: one function for each, which says it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.day_names import MONTHS, WEEKDAYS
from clawgit.understanding.evidence import sense_words as sense
from clawgit.understanding.evidence.own_sentences import affirmed, clauses, denied, plainly_affirmed
from clawgit.understanding.evidence.said_values import are_rivals, completed
from clawgit.understanding.evidence.said_words import Read, is_light, lacking, read, words_in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from clawgit.understanding.evidence.said_values import Said

SHORTEST_SHORT = 4  # letters of `Mongo`
_CAPITAL = lazy_pattern(r"(?<![.!?:] )(?<!^)(?<![\w'])(?!I\b)[A-Z][\w-]*")
_DATES = frozenset({*MONTHS, *WEEKDAYS})
_SAME_TWICE = lazy_pattern(r"\b([^\W\d_]+) \1\b(?<!had had)(?<!that that)|([\u4e00-\u9fff]{2,})\2")
TURNS = 2  # of the agent's, that may name what it is about
_ASKS_WHAT = lazy_pattern(
    r"\b(?:what|which|who|whose|where|when|how|was|welche[rsn]?|wie|wann|wo|quel\w*|cuál|qué)\b|什么|哪|谁|几|多少|뭐|무엇|무슨|어느|어떤|언제|어디|누구|몇|얼마"
)
_SENTENCE = lazy_pattern(r"[^.!?。！？]+[.!?。！？]*")


@dataclass(frozen=True)
class Case:
    """An edit beside the sentences that are to carry it, spelled alike; ``mine`` is all that the operator says there, ``others`` what memory says."""

    old: str
    new: str
    told: str
    mine: str
    before: tuple[str, ...]
    on: date
    others: tuple[str, ...] = ()

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

    def one(self, word: str) -> Read:
        """Return a word of the statement as read alone; a name stays one."""
        return self.read(word)._replace(names=self.stated.names)

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
    told, old = case.read(case.told), case.read(case.old)
    more = Read(tuple(completed(told.values, old.values)), (), (), (), "")
    missing = [word for word in lacking(case.stated, told, old, more) if not _is_light(case, word)]
    values = {value.shown for value in case.stated.values}
    word = next((each for each in missing if each in values or not _names_the_subject(case, each)), "")
    if word and case.has_any(" . ".join(case.before), [word]):
        return f"{word!r} stands only in what the agent said, not in the operator's message."
    return f"The operator's message does not say {word!r}." if word else ""


def _is_light(case: Case, word: str) -> bool:
    """Say whether a word is the `1` of what was told as `one`, or changes in an entry with the wording alone.

    It does only where the operator says something else of what is new.
    """
    if word == "1":
        return sense.ONE.search(case.told.lower()) is not None
    says_more = any(not lacking(case.one(item), case.read(case.told)) for item in case.brought)
    return bool(case.old) and is_light(word) and says_more


def _names_the_subject(case: Case, word: str) -> bool:
    """Say whether a word that the sentence lacks names only what it is about: the agent, or another sentence, named that before.

    It is the long form of a word of his, is before all that he says, or in a question that he answers.
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
    said, small = " ".join((case.told, case.old, *case.questions)).lower(), case.new.lower()
    fresh = (name for name, sign in sense.LOADED.items() if sign.search(small) and not sign.search(said))
    return next((f"The operator's message does not say {name!r}." for name in fresh), "")


def invents_not(case: Case) -> str:
    """Say of what the statement denies that the operator does not deny it."""
    if not sense.NOT.search(case.new.lower()):
        return ""
    stated = case.read(" . ".join(denied(case.new)))
    was = case.read(" . ".join(denied(case.old)))
    negated = case.read(" . ".join(part for part in clauses(case.told) if sense.NOT.search(part)))
    told, old = case.read(case.told), case.read(case.old)
    new = [item for item in lacking(stated, was) if not lacking(case.read(item), told)]
    if not sense.NOT.search(case.told.lower()):
        was_denied = sense.NOT.search(case.old.lower()) is not None
        gave_way = old.plain and not was_denied and case.brought and not lacking(stated, old)
        is_old = was_denied and (not lacking(stated, was) or _moves_limit(case))
        return "" if gave_way or is_old else "The operator's message denies nothing, and the statement does."
    wrong = next((item for item in new if lacking(case.read(item), negated)), "")
    return f"The operator does not deny {wrong!r}." if wrong else ""


def _moves_limit(case: Case) -> bool:
    """Say whether an entry and the statement differ in a value alone, which is a limit in both: `not over 300`."""
    limit, is_value = _limit(case.old), set(case.brought) <= {value.shown for value in case.stated.values}
    return is_value and limit != "" and limit == _limit(case.new)


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
    if sense.NOT.search(case.old.lower()) and not sense.NOT.search(case.new.lower()):
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
    was, now = (sense.PART_OF_DAY.search(text.lower()) for text in (case.old, case.new))
    if was is not None and now is not None and now.group() in mine.plain:
        words = [item for item in words if item not in was.group()]
    came, words = ([item for item in each if not is_light(item)] for each in (came, words))
    is_named_anew = not names_in(case.old) & set(words) or names_in(case.new) & set(came)
    no = case.read(" . ".join(denied(case.mine)))
    taken = [
        item for item in case.gone if item in (*old.hangul, *old.runs) and not lacking(case.one(item), no)
    ]
    if not words or (len(words) + len(taken) <= len(came) and is_named_anew):
        return ""
    return f"The entry would no longer say {words[0]!r}, and the operator does not speak of that."


def names_in(text: str) -> set[str]:
    """Return the words of a text that are written with a capital letter, the first one too."""
    return {found.lower() for found in _CAPITAL.findall(f". {text}")} | {text.split(" ", 1)[0].lower()}


def drops_name(case: Case) -> str:
    """Name somebody or something whom the operator names beside what is new, and whom the statement leaves out."""
    here = case.read(f"{case.old} . {case.new}")
    for sentence in case.told.split(" . "):
        names = [] if case.read(sentence).is_german else _CAPITAL.findall(sentence)
        for name in names:
            is_carried = any(name.lower() in part and part in case.carrying for part in clauses(sentence))
            if is_carried and name.lower() not in sense.ANY_THING | _DATES and lacking(case.read(name), here):
                return f"The operator names {name!r} there, and the statement does not."
    return ""


def drops_limit(case: Case) -> str:
    """Name an `only`, an `except`, an `in the morning` of the operator's that the statement leaves out."""
    small, said = case.new.lower(), " . ".join(case.carrying)
    lost = sense.NARROWING.search(said)
    if lost is not None and sense.NARROWING.search(small) is None and lost.group() not in case.old.lower():
        return f"The operator says {lost.group()!r} there, and the statement does not."
    part = sense.PART_OF_DAY.search(said)
    has_time = any("t" in value.kinds for value in case.stated.values)
    if part is not None and not has_time and sense.PART_OF_DAY.search(small) is None:
        return f"The operator says {part.group()!r} there, and the statement does not."
    limit, stated = map(_limit, (said, small))
    is_turned = limit and stated and limit != stated
    return f"The operator says {limit!r} there, and the statement {stated!r}." if is_turned else ""


def _limit(text: str) -> str:
    return next((name for name in ("at most", "at least") if sense.LOADED[name].search(text.lower())), "")


def keeps_outdated(case: Case) -> str:
    """Name a value of the operator's that contradicts one that stays: `45,000 until July`, where the entry says June."""
    told, old = case.read(case.told), case.read(case.old)
    kept = [value for value in case.stated.values if value.shown not in case.brought]
    kept = [value for value in kept if lacking(_alone(value), told)]
    for one in (value for value in told.values if lacking(_alone(value), case.stated, old)):
        if other := next((value.shown for value in kept if are_rivals(one, value)), ""):
            return f"The operator says {one.shown!r} there, and the statement {other!r}."
    return ""


def mixes_up(case: Case) -> str:
    """Say that a value of one is stated of another: `Ann's is in May, Ben's in June`; or that two sides are turned round."""
    parts = [case.read(part) for part in clauses(case.told)]
    names = names_in(case.new) & set(case.stated.latin)
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
    """Yield what is on either side of a word that relates two things."""
    told = words_in_order(text)
    for before, word, after in zip(told, told[1:], told[2:], strict=False):
        if word in sense.RELATING and before != after:
            yield before, word, after


def says_twice(case: Case) -> str:
    """Name what is twice in a row."""
    found = _SAME_TWICE.search(case.new.lower())
    if found is None or found.group() in f"{case.told} {case.old}".lower():
        return ""
    return f"The statement says {found.group()!r}."
