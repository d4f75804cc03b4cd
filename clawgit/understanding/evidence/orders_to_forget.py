"""What the operator asks to forget, apart from what memory keeps of talk: taking a message down loads no more than this. Pure."""

from __future__ import annotations

from clawgit.memory.entries.statements import sentences_of
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence.own_sentences import without_quoted_words
from clawgit.understanding.forms.sentence_forms import FORGOTTEN
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.triage.triage_message import asks_to_forget

_WHY = lazy_pattern(  # `swimming, he quit`
    r"(?i),\s+(?:it|he|she|they|that|we|i|es|er|sie|das|wir|ich)(?:['’]|\s).*$"
)
_ELSE = lazy_pattern(  # `the staging port and remember that the other one is 7071`, `Paul, but keep his phone`
    r"(?i)(?:;\s+(?P<told>)|(?:,\s*|\s)(?:(?:and|but|und|aber|sondern)\s+(?:please\s+|bitte\s+|instead\s+|stattdessen\s+)?"
    r"(?:(?P<order>)(?:remember|note|merke?|notiere?)|keep|use|save|write|leave|add|behalte?|nimm|nutze?|verwende?|schreibe?)\b"
    r"|(?:but|except|apart|aber|außer|bis auf)\s)).*$"
)


def to_forget(text: str) -> str:
    """Return what a message of the operator's asks to forget, as he says it; empty where it asks for nothing such."""
    for sentence in sentences_of(own_words(text)):
        unwanted = _unwanted(sentence)
        if unwanted:
            return _ELSE.sub("", _WHY.sub("", unwanted)).rstrip(" .!,")
    return ""


def only_asks_to_forget(text: str) -> bool:
    """Say whether each sentence of a message is an order to forget, and none says more."""
    sentences = sentences_of(own_words(text))
    unwanted = list(map(_unwanted, sentences))
    for each in unwanted:
        if not each or _WHY.search(each) or _ELSE.search(each):
            return False
    return bool(unwanted)


def told_besides(sentence: str) -> str:
    """Return what a sentence orders to remember, or tells, behind an order to forget; empty where it does not."""
    besides = _ELSE.search(sentence)
    if besides is None or not _unwanted(sentence):
        return ""
    if besides["order"] is not None:
        return sentence[besides.start("order") :]
    if besides["told"] is not None:
        return sentence[besides.start("told") :]
    return ""


def is_unwanted(text: str) -> bool:
    """Say whether a message belongs into no note, prompt or search: it shall not be remembered, or asks to forget something."""
    return asks_to_forget(text) or only_asks_to_forget(text)


def _unwanted(sentence: str) -> str:
    if sentence.endswith("?"):
        return ""
    order = FORGOTTEN.search(without_quoted_words(sentence))
    if order is None:
        return ""
    return str(next(filter(None, order.groups())))
