"""Which sentences of a message are worth keeping, and as what: by rules, in English, Chinese and Korean. Pure.

Better nothing than junk: a sentence is kept where it says something lasting, a decision, a lesson, or what happened
on a day, and can stand alone. What is asked, felt, wished or ordered, and what begins with an `it`, is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.statements import sentences_of
from clawgit.text.comparing.similarity import words
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.script import HAN, HANGUL
from clawgit.understanding.facts.cancelled_plans import takings_back
from clawgit.understanding.facts.faithfulness import LINKS
from clawgit.understanding.facts.routing import Kind, kind_of, statement_of
from clawgit.understanding.forms import exclusions as reasons
from clawgit.understanding.forms import sentence_forms as forms
from clawgit.understanding.forms.fact_forms import states_a_fact
from clawgit.understanding.quoting.letters import without_letter
from clawgit.understanding.quoting.pages import without_pages
from clawgit.understanding.quoting.pasted_texts import (
    FOUND_ELSEWHERE,
    HANDED_IN,
    PASTED,
    PRETENDED,
    before_another,
)
from clawgit.understanding.quoting.quotations import without_quoted_blocks, without_quoted_words

if TYPE_CHECKING:
    import re
    from collections.abc import Collection

    from clawgit.understanding.facts.cancelled_plans import TakingBack

FEWEST_WORDS, MOST_WORDS = 4, 45
FEWEST_LETTERS = 6  # of Chinese, where each one is a word
FEWEST_ASKED = 4  # of Chinese that is asked to be remembered
FEWEST_KOREAN = 3  # a particle is no word of its own
MOST_LENGTH = 240
LAST_WORDS = 60  # letters, of a message


class Voice(Enum):
    """Whose words they are: of the agent's, only what it marks is kept."""

    OPERATOR = "operator"
    PERSON = "person"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Kept:
    """A sentence as it was said, what of it is to be remembered, and as what."""

    quote: str
    statement: str
    tag: Tag


# What speaks against a sentence; behind a label that says what it is, less does.
_AGAINST = (
    *(reasons.QUESTION, reasons.UNSURE, reasons.TALK, reasons.TASK, reasons.POINTING, reasons.REPORTED),
    *(reasons.UNDECIDED, reasons.UNFINISHED, reasons.FOR_NOW, reasons.RECALLED),
)
_AGAINST_MARKED = (
    *(reasons.QUESTION, reasons.POINTING, reasons.TASK, reasons.REPORTED, reasons.UNDECIDED),
    *(reasons.UNFINISHED, reasons.RECALLED),
)
# A task for ever is a rule.
_AGAINST_RULE = tuple(form for form in _AGAINST_MARKED if form is not reasons.TASK)
_AGAINST_LABELLED = (reasons.QUESTION, reasons.POINTING, reasons.UNFINISHED)


def _against(voice: Voice, tag: Tag | None, *, marked: bool) -> tuple[re.Pattern[str], ...]:
    if marked and tag is not None:
        return _AGAINST_LABELLED
    return _AGAINST_MARKED if marked and voice is not Voice.PERSON else _AGAINST


def is_forbidden(text: str) -> bool:
    """Say whether a text speaks for somebody, of the agent's own files, of instructions or of passwords."""
    return reasons.FORBIDDEN.search(text) is not None


def is_of_a_day(text: str) -> bool:
    """Say whether a text tells of a day, or of what somebody did or will do."""
    return any(form.search(text) for form in (forms.DAY, forms.HAPPENED, forms.CALLED_OFF))


def kept_in(text: str, voice: Voice, ours: Collection[str] = ()) -> list[Kept]:
    """Return what of a message is worth keeping, in its order; ``text`` is in its sender's own words.

    ``ours`` are names of the operator and the agent, in small letters: a letter that bears one is the sender's.
    """
    if reasons.TAKEN_BACK.search(folded(text[-LAST_WORDS:])):
        return []
    found = (_kept_of(sentence, voice) for sentence in sentences_of(before_pasted(text, ours, voice)))
    return [kept for kept in found if kept is not None]


def taken_back_in(text: str, ours: Collection[str] = ()) -> list[TakingBack]:
    """Return what a message of the operator's takes back; ``text`` and ``ours`` as for `kept_in`."""
    found = takings_back(before_pasted(text, ours))
    return [each for each in found if len(each.sentence) <= MOST_LENGTH and not is_forbidden(each.sentence)]


def before_pasted(text: str, ours: Collection[str] = (), voice: Voice = Voice.OPERATOR) -> str:
    """Return a message without letters and quoted blocks, up to where a page, a mail, a play or a text to work on follows.

    An agent writes pages of its own.
    """
    rest = without_letter(text, ours)
    rest = before_another(without_quoted_blocks(rest if voice is Voice.AGENT else without_pages(rest)))
    begins = (
        found.start()
        for form in (PASTED, PRETENDED, HANDED_IN, FOUND_ELSEWHERE)
        if (found := form.search(rest))
    )
    return rest[: min(begins, default=len(rest))]


def _kept_of(sentence: str, voice: Voice) -> Kept | None:
    """Return what one sentence gives to remember, None for most."""
    quote = folded(sentence)
    said = forms.ASIDE.sub("", forms.OPENING.sub("", quote))
    tag, marked, statement = _unmarked(said)
    if is_forbidden(said) or is_forbidden(statement):
        return None
    if voice is not Voice.OPERATOR and any(sign in statement for sign in LINKS):
        return None
    is_rule = voice is Voice.OPERATOR and forms.ALWAYS.search(statement) is not None
    against = _AGAINST_RULE if is_rule and tag is None else _against(voice, tag, marked=marked)
    if not _has_a_size(statement, marked=marked) or any(pattern.search(statement) for pattern in against):
        return None
    own = without_quoted_words(statement)
    if voice is Voice.AGENT:
        tag = tag or (Tag.SKILL if forms.LEARNED.search(own) else Tag.KNOWLEDGE if marked else None)
    elif tag is None:
        tag = _tag_of(own, voice, marked=marked)
    return None if tag is None else Kept(quote, statement, tag)


def _unmarked(said: str) -> tuple[Tag | None, bool, str]:
    """Return the tag that a label names, whether there is a label, and what stands behind it."""
    for tag, mark in forms.MARKS.items():
        found = mark.match(said)
        if found:
            return tag, True, said[found.end() :]
    asked = forms.ASKED_BEHIND.search(said)
    if asked is not None:
        bare = said[: asked.start()]
        return None, True, bare + ("。" if HAN.match(bare[-1:]) else ".")
    statement = statement_of(said)
    return None, statement != said, statement


def _has_a_size(statement: str, *, marked: bool) -> bool:
    """Say whether a sentence is neither a fragment nor a story, and begins like one."""
    if not statement[:1].isalnum() and not statement.startswith(("`", '"', "“", "'")):
        return False
    return (
        _fewest_words(statement, marked=marked) <= len(words(statement)) <= MOST_WORDS
        and len(statement) <= MOST_LENGTH
    )


def _fewest_words(statement: str, *, marked: bool) -> int:
    if states_a_fact(statement):
        return 1
    if HAN.search(statement):
        return FEWEST_ASKED if marked else FEWEST_LETTERS
    return FEWEST_KOREAN if HANGUL.search(statement) else FEWEST_WORDS


def _tag_of(statement: str, voice: Voice, *, marked: bool) -> Tag | None:
    """Return what a sentence without a label of its own is."""
    if forms.DECIDED.search(statement):
        return Tag.DECISION
    if forms.LEARNED.search(statement) or forms.FOUND_OUT.search(statement):
        return Tag.SKILL
    if forms.ALWAYS.search(statement):
        return Tag.SKILL if voice is Voice.OPERATOR else None
    if reasons.FELT.search(statement) or reasons.PASSING.search(statement):
        return Tag.KNOWLEDGE if marked else None
    if kind_of(statement) is Kind.LASTING and (
        states_a_fact(statement) or forms.IS_FOND.search(statement) or not forms.FOND.search(statement)
    ):
        return Tag.KNOWLEDGE
    return _when(statement) or (Tag.KNOWLEDGE if marked else None)


def _when(statement: str) -> Tag | None:
    """Return what a sentence about something that happens is: an event of a day, or an hour that holds for always."""
    if forms.CALLED_OFF.search(statement):
        return Tag.EVENT
    if not forms.HAPPENED.search(statement):
        return None
    rest, times = forms.REGULARLY.subn(" ", statement)
    rest, hours = forms.HOUR.subn(" ", rest)
    if times and hours and not forms.DAY.search(rest):
        return Tag.KNOWLEDGE
    return Tag.EVENT if forms.DAY.search(statement) else None
