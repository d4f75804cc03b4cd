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
_NEWS = lazy_pattern(  # `the parking spot, the new one is 14`
    r"(?i)(?:,|\s[(–—-]|\s(?:since|because|weil|denn|porque|parce que|car)\s)\s*+(?:(?:and|und|et|y|e)\s+)?"
    r"(?P<news>(?!(?:who|which|whose|where|that|it|he|she|they|es|er|sie|il|elle|der|die|das|qui|que|quien)\s(?!neue))(?=.*\b(?:is|are|was|use|take|now|live|drink"
    r"|ist|sind|nimm|nutze?|jetzt|wohne\w*|est|sont|retiens|retenez|maintenant|désormais|prends|es|son|está|ahora|usa|recuerda|anota|apunta)\b).*)$"
)
_CLAUSES = ("what", "que", "fait", "was")  # groups of FORGOTTEN: `that Anna, if she is in town, calls`


def to_forget(text: str) -> str:
    """Return what a message of the operator's asks to forget, as he says it; empty where it asks for nothing such."""
    for sentence in sentences_of(own_words(text)):
        unwanted, _ = _order(sentence)
        if unwanted:
            return _ELSE.sub("", _WHY.sub("", unwanted)).rstrip(" .!,")
    return ""


def only_asks_to_forget(text: str) -> bool:
    """Say whether each sentence of a message is an order to forget, and none says more."""
    sentences = sentences_of(own_words(text))
    unwanted = list(map(_order, sentences))
    for each, news in unwanted:
        if news or not each or _WHY.search(each) or _ELSE.search(each):
            return False
    return bool(unwanted)


def told_besides(sentence: str) -> str:
    """Return what a sentence orders to remember, or tells, behind an order to forget; empty where it does not."""
    unwanted, news = _order(sentence)
    besides = _ELSE.search(sentence)
    if news or besides is None or not unwanted:
        return news
    if besides["order"] is not None:
        return sentence[besides.start("order") :]
    if besides["told"] is not None:
        return sentence[besides.start("told") :]
    return ""


def is_unwanted(text: str) -> bool:
    """Say whether a message belongs into no note, prompt or search: it shall not be remembered, or asks to forget something."""
    return asks_to_forget(text) or only_asks_to_forget(text)


def _order(sentence: str) -> tuple[str, str]:
    """Return what a sentence asks to forget, and what it tells behind that thing; empty without."""
    if sentence.endswith("?"):
        return "", ""
    order = FORGOTTEN.search(without_quoted_words(sentence))
    if order is None:
        return "", ""
    unwanted = str(next(filter(None, order.groups())))
    news = _NEWS.search(unwanted)
    if news is None or order.lastgroup in _CLAUSES:
        return unwanted, ""
    return unwanted[: news.start()], news["news"]
