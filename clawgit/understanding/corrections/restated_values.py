"""What the agent said, said again by the operator with another value: `Your favourite colour is green.` Pure.

No word of `My favourite colour is navy.` says that something is wrong; that both are said of the same, one right behind
the other, does. So it counts only where all else is the same, where one value at a time can hold (see `one_value`), and
where the message states nothing besides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clawgit.memory.corrections.verdicts import Righting
from clawgit.memory.entries.statements import sentences_of
from clawgit.text.comparing.value_kinds import ADDRESSES, values_in
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.anchored_value import QUOTING
from clawgit.understanding.corrections.conversation import only_confirms
from clawgit.understanding.corrections.same_sentence import (
    ENDS,
    as_either_says,
    as_entries,
    as_told,
    held_frame,
    names_a_value,
    value_instead,
)
from clawgit.understanding.corrections.target_entries import in_memory
from clawgit.understanding.forms import exclusions as against
from clawgit.understanding.forms.phrase_forms import any_form, whole_words
from clawgit.understanding.values.asserted_text import ADDING, ASKING, ORDERING, UNSURE
from clawgit.understanding.values.value_positions import exchanged

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from clawgit.memory.corrections.verdicts import Held, Verdict

MOST = 300  # characters: who says more says more than this
FEWEST = 4  # characters of a sentence
_AGAINST = (
    *(UNSURE, ADDING, QUOTING, against.UNSURE, against.REPORTED, against.RECALLED, against.FOR_NOW),
    *(against.UNDECIDED, against.TAKEN_BACK),
)
# More than one thing, or one on a condition; to whom it is said is no `you` either.
_MORE = any_form(
    r"[,;:](?!\d)|[()\[\]{}<>=*|、，；：（）…]|\.\.|[–—]|\s-\s",
    r"\b(?:and|or|but|because|since|while|when|whenever|unless|then|than|so|not|never|you|your|yours)\b|n['’]t\b",
    "[你您]|和|跟|或|及|但|因为|因為|所以|不|没|沒|时候|的话",
    r"당신|너[는의희]|지만|거나|하고 |이랑 |와 |때(?=\s|에|는)|않|아니|못 |안 ",
)
_LAUGHING = re.compile(r"(?i)\b(?:lol|lmao|rofl|haha\w*|hehe|jk|joke)\b|哈哈|呵呵|ㅋㅋ|ㅎㅎ|[😂🤣😉😜🙃]")
# What is asked or ordered is about the words themselves, or about what stands somewhere else.
_OF_THE_WORDS = any_form(
    whole_words(
        "this, that, it, these, those, them, sentence, text, phrase, grammar, spelling, novel, story, translate, say"
    ),
    "[这這那它]|句|[语語]法|翻[译譯]|小[说說]",
    r"(?:이|그|저)(?:거|게|걸|건|것| )|문장|문법|맞춤법|번역|소설",
)
_ASKED_OF_YOU = re.compile(r"(?i)\b(?:could|can|would|will) you\b")  # a request, no guess
# What the agent says before what it knows, and what it makes of that.
_LED = re.compile(
    r"(?i)^(?:(?:since|as|because|so|and|but|ok(?:ay)?|yes|sure|noted|got it|right|i (?:know|see|remember)(?: that)?|remember(?: that)?"
    r"|note that|by the way)\b[\s:,]*|(?:好的?|是的|嗯|因为|因為|既然|我记得|由于)[，,]?\s*|(?:네|예|맞아요|알겠습니다)[,.]? )+"
)
_PARTED = re.compile(
    r"[,;!](?=\s|$)|[，,；;！](?=\D)|\s(?=(?:so|because|which|but)\b)|\s[–—-]\s|(?<=[니라]까)\s|(?<=라서)\s|(?<=는데)\s"
)
_AGENTS_OWN = re.compile(r"(?i)\b(?:i|my|me)\b|我(?!们|們)")


@dataclass(frozen=True, slots=True)
class Restated:
    """What the agent said, what the operator says of the same, and which value gives way to which."""

    said: str
    told: str
    old: str
    new: str

    def sets_right(self, entries: Sequence[Held], his: Collection[str] = ()) -> Verdict | None:
        """Return what is to be done in memory; None unless an entry says what the agent said, and of the same.

        What was said to the operator of himself an entry says of the user, or of one of ``his`` names.
        """
        pair = (self.old, self.new)
        ways = (
            in_memory(said, Righting(correct, (pair,)), entries)
            for said in as_entries(self.said)
            if (correct := exchanged(said, *pair)) is not None
        )
        verdict = next((each for each in ways if each.wrong), None)
        if verdict is None:
            return None
        said_of = held_frame(self.said, self.old, his)
        wrong = tuple(
            (held, now)
            for held, now in verdict.wrong
            if held_frame(held.parts.statement, self.old, his) == said_of
        )
        return replace(verdict, said=self.said, wrong=wrong) if wrong else None


def said_again(message: str, told: str) -> Restated | None:
    """Return what of an agent's message the operator says again with another value; None where that is nothing, or several."""
    sentence = one_statement(told)
    if not sentence:
        return None
    plain = as_either_says(sentence)
    found = {
        Restated(part, sentence, *pair)
        for part in _stated(message)
        if (pair := value_instead(as_told(part, plain), plain))
    }
    return found.pop() if len({(each.old, each.new) for each in found}) == 1 else None


def one_statement(told: str) -> str:
    """Return the one thing that a message states, which may stand before a request; empty where it is none, or none alone."""
    whole = _ASKED_OF_YOU.sub("", folded(told))
    if (
        not FEWEST <= len(whole) <= MOST
        or "`" in whole
        or any(sign.search(whole) for sign in (*_AGAINST, _LAUGHING))
    ):
        return ""
    sentences = list(sentences_of(told))
    while sentences and only_confirms(sentences[0]):
        del sentences[0]
    if not sentences or not all(map(_is_no_statement, sentences[1:])):
        return ""
    sentence = sentences[0].rstrip(ENDS)
    is_none = sentences[0].endswith(ASKING) or against.QUESTION.search(sentence) or ORDERING.match(sentence)
    if is_none or _MORE.search(_without_addresses(sentence)):
        return ""
    return sentence if names_a_value(as_either_says(sentence)) else ""


def _without_addresses(sentence: str) -> str:
    """Return a sentence without what has stops inside that end nothing."""
    for value in values_in(sentence):
        if value.kind in ADDRESSES:
            sentence = sentence.replace(value.text, "")
    return sentence


def _is_no_statement(sentence: str) -> bool:
    """Say whether a sentence only thanks, or asks or orders something else than what is to be done with the words before it."""
    if only_confirms(sentence):
        return True
    is_asked = (
        sentence.endswith(ASKING) or ORDERING.match(sentence) or against.TASK.search(sentence.rstrip(ENDS))
    )
    return bool(is_asked) and not _OF_THE_WORDS.search(sentence)


def _stated(message: str) -> Iterator[str]:
    """Yield what an agent's message states of the operator and the world, part by part."""
    for sentence in sentences_of(message):
        for part in _PARTED.split(sentence):
            bare = _LED.sub("", part.strip(), count=1).strip(ENDS)
            if 0 < len(bare) <= MOST and not bare.endswith(ASKING) and not _AGENTS_OWN.search(bare):
                yield bare
