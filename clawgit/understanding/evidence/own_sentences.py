"""The sentences of a message that are the operator's own words, and whether they say that something is so. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.statements import sentences_of
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import MONTHS
from clawgit.understanding.evidence import sense_words as sense
from clawgit.understanding.evidence.pasted_texts import before_pasted
from clawgit.understanding.evidence.said_words import says_nothing, spelled
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Iterator

IS_QUESTION, IS_OF_A_CASE, IS_REPORT = "is a question", "is about one case", "tells what somebody else said"
IS_WISH, IS_MADE_UP = "tells of a wish or a plan", "is made up"
LONGEST = 16_000  # characters of a message that are looked at
_ORDINAL = lazy_pattern(rf"(?i)(\d)\. (?=(?:{'|'.join(MONTHS)})\b)")  # `am 3. April`: no sentence ends there
_CUT = lazy_pattern(r"\s*(?:\.\.\.|…)\s*")


def own_sentences(text: str) -> tuple[str, ...]:
    """Return what the sender of a message says himself, sentence by sentence: nothing pasted, quoted or forwarded."""
    return sentences_of(_ORDINAL.sub(r"\1 ", before_pasted(own_words(text[:LONGEST]))))


def sentences_with(quote: str, sentences: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sentences that hold a quote, none where it is not there word for word; its middle may be left out."""
    parts = [part for each in _CUT.split(quote) if (part := _plain(each))]
    plain = [_plain(each) for each in sentences]
    whole = " ".join(plain)
    if not parts or any(f" {part} " not in f" {whole} " and not _is_inside(part, whole) for part in parts):
        return ()
    found, at = [], 0
    spans = [(start, start + len(part)) for part in parts if (start := whole.find(part)) >= 0]
    for sentence, words in zip(sentences, plain, strict=True):
        if any(start < at + len(words) and at < end for start, end in spans):
            found.append(sentence)
        at += len(words) + 1
    return tuple(found)


def _is_inside(part: str, whole: str) -> bool:
    """Say whether words of a script without spaces are in a text."""
    return not part.isascii() and part in whole


def _plain(text: str) -> str:
    """Return words in small letters with one space between them, stops and quotation marks left aside."""
    return " ".join(_STOPS.sub(" ", spelled(text).lower()).split())


_STOPS = lazy_pattern(r"(?<!\d)[.,;:!?\"'。，！？、；：()-]+|[.,;:!?\"'。，！？、；：()-]+(?!\d)")


def no_statement(sentence: str, statement: str) -> str:
    """Return why a sentence does not say that what is stated is so, empty where it does."""
    said, stated = (sense.ORDER.sub("", spelled(each).lower()) for each in (sentence, statement))
    if sense.REQUEST.search(said) is None and sense.QUESTION.search(sense.REMINDED.sub(".", said)):
        return IS_QUESTION
    found = (name for name, sign in sense.SENSES.items() if sign.search(said) and not sign.search(stated))
    return next(found, "")


def clauses(text: str) -> list[str]:
    """Return the parts of a text, in small letters, each of which denies what it says or does not."""
    said = sense.GAVE_UP_FOR.sub(
        r"\1, ", sense.LEAD_IN.sub("", sense.ORDER.sub("", spelled(text).lower()).lstrip())
    )
    return [part for part in map(str.strip, sense.CLAUSE.split(said)) if part]


def denied(text: str) -> Iterator[str]:
    """Yield what a text says is not so: in Korean what is before the word that denies it, else what is behind."""
    for clause in clauses(text):
        found = sense.NOT.search(clause)
        if found is not None:
            behind = clause[found.end() :]
            yield clause if sense.DENIES_BEFORE.search(clause) or says_nothing(behind) else behind


# Ways to take back what one said right before: as a clause of a short message, and those that are so only as all of it.
LONGEST_TAKING = 160  # characters
_LEAD = r"(?:(?:oh|ok|okay|no|wait|actually|sorry|hm+|haha|lol|please|ach|nein|quatsch|entschuldige|bitte|ay|perdón|non|啊|哦|不|不对|아|아니|아니야|아니다|미안)[\s,.!，。！…-]*)*"
_WAYS = (
    r"(?:please )?(?:forget|scratch|scrap|strike|ignore|disregard|undo) (?:that|what i(?: just)? said|i said (?:that|anything))",
    r"(?:i(?:'m| am| was)|that was|it was)? ?(?:just |only )?(?:a joke|joking|kidding)",
    r"i take (?:that|it) back",
    r"i did(?:n't| not) mean (?:that|it)",
    r"vergiss (?:das|es)(?: wieder)?|vergiss, was ich gesagt habe|(?:das )?war (?:nur |bloß )?(?:ein )?(?:scherz|spaß|witz)|streich das(?: wieder)?|ich nehme das zurück",
    r"olv[ií]d(?:alo|a eso|a lo que dije)|(?:quita|borra) eso|(?:era|es) (?:una )?broma|estaba bromeando|retiro lo dicho",
    r"oublie ça|je plaisant(?:e|ais)|c'était une blague",
    r"当我没说(?:过)?|忘了(?:刚才说的)|(?:我)?(?:刚才)?(?:是)?(?:在)?开玩笑的?|我收回(?:刚才的话)?|刚才(?:说的|那句话?|的话)不算",
    r"(?:그냥 )?농담이(?:야|에요|었어|었어요)|(?:그건 |방금 (?:한 )?말(?:은)? )?잊어(?:줘|버려|주세요)|방금 (?:한 )?말(?:은)? 취소(?:해줘|야|할게)?|(?:그거|방금 거) (?:취소|잊어줘)|없던 (?:걸|일)로 (?:해|하자|해줘)",
)
_WHOLE_WAYS = (
    *_WAYS,
    r"(?:please )?(?:forget|scratch|strike|ignore|disregard|undo) (?:this|it)",
    r"never ?mind(?: that| it)?",
    "oublie|laisse tomber|算了(?:吧)?|忘了(?:吧|这个)",
)
_CLAUSES = lazy_pattern(r"[,.!;:，。！；：…—\n\U0001f300-\U0001faff]+")
_TAKES_BACK = lazy_pattern(rf"(?i){_LEAD}(?:{'|'.join(_WAYS)})(?: (?:please|sorry|bitte|lol|haha|ok))?")
_ONLY_TAKES_BACK = lazy_pattern(
    rf"(?i){_LEAD}(?:{'|'.join(_WHOLE_WAYS)})(?:[\s,.]*(?:please|sorry|bitte|lol|haha|ok))?[\s.!。！…]*"
)


def takes_back(text: str) -> bool:
    """Say whether a message says that what was said before it does not count."""
    said = text.strip().replace("’", "'")
    if len(said) > LONGEST_TAKING:
        return False
    clauses = map(str.strip, _CLAUSES.split(said))
    return any(map(_TAKES_BACK.fullmatch, clauses)) or _ONLY_TAKES_BACK.fullmatch(said) is not None
