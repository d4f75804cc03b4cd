"""What the operator asks to forget, apart from what memory keeps of talk: taking a message down loads no more than this. Pure."""

from __future__ import annotations

from clawgit.memory.entries.statements import sentences_of
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence.own_sentences import without_quoted_words
from clawgit.understanding.forms.sentence_forms import FORGOTTEN, POINTED_AT, SAID_BEFORE
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.triage.triage_message import asks_to_forget

_PLEASE = lazy_pattern(r"(?i),?\s(?:please|bitte|por favor|per favore|alsjeblieft|s['’]il te plaît)[\s.!]*$")
# Where a sentence goes on: what follows may be news.
_GOES_ON = lazy_pattern(
    r"(?i)[,;:]\s|\s[–—-]\s|[—(]|\b(?:and|but|because|except|instead|und|aber|weil|sondern|y|pero|porque|et|mais|parce|e|ma|mas|maar|perché)\b"
)


def to_forget(text: str) -> str:
    """Return what a message of the operator's asks to forget, as he says it; empty where it asks for nothing such."""
    for sentence in sentences_of(own_words(text)):
        own = without_quoted_words(sentence)
        order = FORGOTTEN.search(own)
        if order is not None and not sentence.endswith("?") and not POINTED_AT.search(own):
            return _GOES_ON.split(order[order.lastindex or 0], 1)[0].rstrip(" .!,")
    return ""


def not_to_keep(text: str) -> str:
    """Return what of a message says what is not to be kept: the sentences that order so and name it, else all of it."""
    naming = []
    for sentence in sentences_of(own_words(text)):
        if points_back(sentence) or to_forget(sentence):
            naming.append(sentence)
    return " ".join(naming) or text


def points_back(text: str) -> bool:
    """Say whether a sentence of a message asks to forget a thing that it only points at: `forget that number again`."""
    sentences = map(without_quoted_words, sentences_of(own_words(text)))
    return any(map(POINTED_AT.search, sentences))


def only_asks_to_forget(text: str) -> bool:
    """Say whether a message is one sentence, and that nothing but an order to forget."""
    sentences = sentences_of(own_words(text))
    if len(sentences) != 1 or sentences[0].endswith("?"):
        return False
    sentence = _PLEASE.sub("", without_quoted_words(sentences[0]))
    order = POINTED_AT.search(sentence) or FORGOTTEN.search(sentence) or SAID_BEFORE.search(sentence)
    if order is None or sentence[order.end() :].strip(" .!"):
        return False
    return _GOES_ON.search(order[order.lastindex or 0]) is None


def is_unwanted(text: str) -> bool:
    """Say whether a message belongs into no note, prompt or search: it shall not be remembered, or asks to forget something."""
    return asks_to_forget(text) or only_asks_to_forget(text)
