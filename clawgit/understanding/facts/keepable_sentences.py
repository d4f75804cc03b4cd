"""Which sentences of a message are worth keeping, and as what: by rules, in English, Chinese and Korean. Pure.

Better nothing than junk: a sentence is kept where it says a decision, a standing rule, or a lasting fact of somebody named, and
can be understood alone. What the operator orders to be remembered is kept in any case, word for word where no form fits. An
order for good that is all of a message ("always …", "never …") changes who the agent is, and has to be plain.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from clawgit.identity.order_words import is_withdrawal, order_core, reminds, without_lead
from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.statements import sentences_of
from clawgit.text.comparing.similarity import words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.script import HAN, HAN_OR_HANGUL, HANGUL
from clawgit.text.words.stopwords import ENGLISH
from clawgit.understanding.evidence.own_sentences import IS_OF_A_CASE, IS_QUESTION, IS_REPORT, no_statement
from clawgit.understanding.evidence.pasted_texts import (
    FEW_LINES,
    before_another,
    before_pasted,
    without_letter,
    without_quoted_blocks,
    without_quoted_words,
)
from clawgit.understanding.facts.first_person import is_beside
from clawgit.understanding.facts.routing import Kind, kind_of, statement_of
from clawgit.understanding.forms import sentence_forms as forms
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.triage.triage_message import triage

FEWEST_WORDS, FEWEST_LASTING, MOST_WORDS = 4, 2, 45
FEWEST_LETTERS, FEWEST_ASKED = 6, 4  # of Chinese, where each one is a word
FEWEST_KOREAN = 3  # a particle is no word of its own
MOST_LENGTH = 240
LAST_WORDS = 60  # letters, of a message
_LINKS = ("](", "://", "<", "www.")
_ORDERS = frozenset(["remember", "forget", "dont", "mind", "note", "keep", "please"])


class Kept(NamedTuple):
    """A sentence as it was said, what of it is to be remembered, and as what.

    ``is_ordered``: the operator asked to remember it. Without a statement, that is said, and why no entry can hold it.
    """

    quote: str
    statement: str
    tag: Tag
    is_ordered: bool = False
    why_not: str = ""


# What speaks against a sentence besides its sense; behind a label that says what it is, less does.
_AGAINST_LABELLED = (forms.POINTING, forms.UNFINISHED, forms.BARE)
# A task for ever is a rule.
_AGAINST_RULE = (*_AGAINST_LABELLED, forms.RECALLED, forms.REPORTED, forms.UNDECIDED)
_AGAINST_MARKED = (*_AGAINST_RULE, forms.TASK)
_AGAINST = (*_AGAINST_MARKED, forms.TALK)


def _speaks_against(statement: str, tag: Tag | None, *, marked: bool, is_rule: bool) -> bool:
    """Say whether a sentence asks, wishes, guesses, reports or is made up, or nobody would understand it alone."""
    sense = no_statement(statement, "")
    if sense and not (sense == IS_OF_A_CASE and (is_rule or marked)):
        return True
    against = _AGAINST_RULE if is_rule else _AGAINST_MARKED if marked else _AGAINST
    return any(pattern.search(statement) for pattern in (against if tag is None else _AGAINST_LABELLED))


def is_forbidden(text: str) -> bool:
    """Say whether a text speaks for somebody, of the agent's own files, of instructions or of passwords."""
    return forms.FORBIDDEN.search(text) is not None


def points_elsewhere(text: str) -> bool:
    """Say whether nobody knows what a text means who reads it alone: `all of them from now on`."""
    return any(pattern.search(text) for pattern in (forms.POINTING, forms.BARE))


def kept_in(text: str, *, is_his: bool = True) -> list[Kept]:
    """Return what of a message is worth keeping, in its order; ``text`` is in its sender's own words.

    Of what is not the operator's (``is_his``) only what is labelled as a decision or a lesson is.
    """
    if forms.TAKEN_BACK.search(folded(text[-LAST_WORDS:])):
        return []
    if is_his and not without_letter(text):
        orders = (each for each in map(folded, sentences_of(text)) if forms.ORDERED.search(each))
        return [Kept(each, "", Tag.KNOWLEDGE, True, "it stands in a letter") for each in orders]
    found: list[Kept] = []
    rest = before_pasted(text, FEW_LINES) if is_his else before_another(without_quoted_blocks(text))
    sentences = [folded(each) for each in sentences_of(rest)]
    for before, sentence, behind in zip(["", *sentences], sentences, [*sentences[1:], ""], strict=False):
        kept = _stated(sentence, is_his=is_his)
        if is_his and forms.ORDERED.search(without_quoted_words(sentence)):
            if any(each.quote == before for each in found) and _points_back(sentence):
                continue  # what it points at is kept
            kept = _ordered(sentence, kept, _joined(before, sentence, behind, folded(text)))
        found += [] if kept is None else [kept]
    return found


def order_in(text: str) -> Kept:
    """Return an order that was heard and that no form reads: the message word for word, where an entry can hold it."""
    rest = folded(before_pasted(text, FEW_LINES)).strip()
    if not rest or no_statement(rest, "") in (IS_QUESTION, IS_REPORT):
        return Kept(text, "", Tag.KNOWLEDGE, True, "it is a question, or somebody else's words")
    return _ordered(rest, None, rest)


def _ordered(sentence: str, stated: Kept | None, joined: str) -> Kept:
    """Return what an order to remember gives: the statement where a form fits, else its words, ``joined`` to those that it means."""
    quote = joined if _points_back(sentence) else sentence
    why_not = ""
    if is_forbidden(quote):
        why_not = "it speaks of instructions, secrets or the agent's own files"
    elif quote == sentence and _points_back(sentence):
        why_not = "what it means is not in the message"
    elif len(quote) > MOST_LENGTH:
        why_not = "it is longer than an entry"
    kept = stated or Kept(quote, "" if why_not else quote, Tag.KNOWLEDGE)
    is_of_day = is_beside(kept.statement) or forms.OF_THE_DAY.search(kept.statement)
    tag = Tag.EVENT if kept.tag is Tag.KNOWLEDGE and is_of_day else kept.tag
    return kept._replace(tag=tag, is_ordered=True, why_not="" if stated else why_not)


def _joined(before: str, sentence: str, behind: str, text: str) -> str:
    """Return a sentence with the one before it, or else the one behind it, as they are in ``text``."""
    pairs = [
        (first, second) for first, second in ((before, sentence), (sentence, behind)) if first and second
    ]
    joined = (first + between + second for first, second in pairs for between in (" ", ""))
    return next((each for each in joined if each in text), sentence)


def _points_back(sentence: str) -> bool:
    """Say whether an order names nothing that is to be remembered: `keep that in mind`."""
    found = forms.MEANS_BEFORE.search(sentence)
    rest = sentence[: found.start()] if found else forms.ORDERED.sub(" ", sentence, count=1)
    if HAN_OR_HANGUL.search(sentence):
        return sum(map(str.isalnum, rest)) < FEWEST_ASKED
    return not set(words(rest)) - ENGLISH - _ORDERS


def _stated(quote: str, *, is_his: bool) -> Kept | None:
    """Return what one sentence gives to remember, None for most."""
    said = forms.ASIDE.sub("", forms.OPENING.sub("", quote))
    tag, marked, statement = _unmarked(said)
    if is_forbidden(said) or is_forbidden(statement):
        return None
    is_rule = forms.ALWAYS.search(statement) is not None
    if not _has_a_size(statement, marked=marked):
        return None
    if _speaks_against(statement, tag, marked=marked, is_rule=is_rule):
        return None
    own = without_quoted_words(statement)
    if not is_his:
        is_safe = not any(sign in statement for sign in _LINKS)
        return Kept(quote, statement, tag) if tag is not None and is_safe else None
    tag = tag or _tag_of(own, marked=marked)
    return None if tag is None else Kept(quote, statement, tag)


def _unmarked(said: str) -> tuple[Tag | None, bool, str]:
    """Return the tag that a label names, whether there is a label, and what is behind it."""
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
    if HAN.search(statement):
        return FEWEST_ASKED if marked or forms.LASTING.search(statement) else FEWEST_LETTERS
    if HANGUL.search(statement):
        return FEWEST_KOREAN
    return (
        FEWEST_LASTING
        if forms.LASTING.search(statement) and not forms.DECIDED.search(statement)
        else FEWEST_WORDS
    )


def _tag_of(statement: str, *, marked: bool) -> Tag | None:
    """Return what a sentence without a label of its own is."""
    if forms.DECIDED.search(statement):
        return Tag.DECISION
    if forms.LEARNED.search(statement) or forms.ALWAYS.search(statement):
        return Tag.SKILL
    is_passing = forms.FELT.search(statement) or forms.PASSING.search(statement)
    is_fond = forms.IS_FOND.search(statement) or not forms.FOND.search(statement)
    lasts = kind_of(statement) is Kind.LASTING and is_fond and not is_passing
    return Tag.KNOWLEDGE if marked or lasts else None


LONGEST_ORDER = 200
_KEPT_ORDER = lazy_pattern(  # the form of an order to the agent, where the sentence is one that is kept as a rule
    r"^\W*(?:(?:no|please|and|also|so),? )*(?:(?:from now on|in future),? )?(?:please )?(?:always|never(?! mind\b)|don't ever|do not ever) \w"
    r"|^\W*(?:please )?from now on,? (?!(?:i|we|he|she|they|it|my|our|his|her|their|the|a|an|this|that)\b)\w"
    r"|^(?:请)?(?:以后|从现在起|从现在开始|永远|总是|每次)|항상|절대|앞으로|^(?:今後|これからは|必ず|決して|常に)"
    r"|^\W*(?:bitte )?(?:ab jetzt|ab sofort|künftig|immer|nie|niemals)\b|^\W*(?:désormais|toujours|siempre|nunca)\b",
    re.IGNORECASE,
)
_PLAIN_ORDER = lazy_pattern(  # the form of an order that no rule keeps
    r"^\W*(?:no,? )?(?:please )?(stop \w+ing\b)|^(?:请)?(?:以后|从现在起|永远)?(?:不要再|别再|永远不要)",
    re.IGNORECASE,
)
_BEHAVIOUR = lazy_pattern(  # how the agent shall talk: an order for good without a word that says so
    r"^(?:answer|reply|respond)\b.{0,30}? (?:in|with|only|briefly)\b|^(?:speak|write)\b.{0,20}? in (?-i:[A-Z])\w|^address me\b"
    r"|^call me (?!back|when|if|later|at|in|on|an?\b)\w|^keep (?:it|your (?:answers|replies|messages)) \w|^be (?:more )?(?:brief|concise|direct|polite|formal|honest)\b"
    r"|^(?:don't|do not) (?:use|say|repeat|apologi[sz]e|call me)\b|^(?:antworte|schreib|sprich)\b.{0,20}? (?:auf|mit)\b|^(?:nenn|duze?|sieze?) mich\b"
    r"|^(?:responde|contesta|escribe|habla)\b.{0,20}? en (?!el|la)\w|^ll[áa]mame\b|^用\S{1,8}(?:回答|回复)|^(?:不要|别)用|^叫我|로 (?:대답|답)\S*|라고 불러",
    re.IGNORECASE,
)
_ENDING = lazy_pattern(
    r"\b(?:until|till|unless|today|tonight|tomorrow|this (?:week|month|time)|for now|if|when)\b|今天|明天|这次|暂时|오늘|내일"
    r"|\b(?:bis|heute|morgen|jusqu|hasta|hoy)\b",
    re.IGNORECASE,
)


class Ordered(NamedTuple):
    """An order as it was given and what it says, whether it corrects the agent, and whether it is plain: else it is asked."""

    quote: str
    says: str
    corrects: bool
    is_plain: bool = True


def standing_order_in(text: str) -> Ordered | None:
    """Return the order for good that a message is; None where it is something else, or says more than that."""
    words = text.strip()
    sentence = _only_sentence(words)
    bare = without_lead(sentence)
    is_for_good = _KEPT_ORDER.search(sentence) or _KEPT_ORDER.search(bare)
    plain = _PLAIN_ORDER.search(bare)
    if not (is_for_good or plain or _BEHAVIOUR.search(bare)):
        return None
    if words.endswith(("?", "？")) or _ENDING.search(words):
        return None
    corrects = triage(words).validator is not None
    if plain:
        return Ordered(words, bare[max(0, plain.start(1)) :], corrects)
    if not is_for_good:
        return Ordered(words, bare, corrects, corrects and reminds(words))
    kept = [each for each in kept_in(bare) if each.tag is Tag.SKILL and each.statement]
    is_plain = len(kept) == 1
    return Ordered(words, kept[0].statement if is_plain else sentence, corrects, is_plain)


def withdrawal_in(text: str) -> Ordered | None:
    """Return what a message says that takes back an order: `no need to answer in German any more`."""
    words = text.strip()
    sentence = _only_sentence(words)
    if words.endswith(("?", "？")) or not is_withdrawal(sentence):
        return None
    return Ordered(words, sentence, corrects=True)


def _only_sentence(words: str) -> str:
    """Return the one sentence of a short message that says something besides `please` and `I told you`; empty of others."""
    if "\n" in words or len(words) > LONGEST_ORDER or own_words(words).strip() != words:
        return ""
    telling = [each for each in sentences_of(words) if order_core(each).terms]
    return telling[0] if len(telling) == 1 else ""
