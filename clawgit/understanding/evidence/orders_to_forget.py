"""Orders to forget, without what memory keeps of talk: a message's first reading loads only this. Pure."""

from __future__ import annotations

from itertools import filterfalse
from typing import TYPE_CHECKING

from clawgit.memory.entries.statements import SHORTENED, sentences_of
from clawgit.text.comparing.subjects import telling
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.terms import index_terms
from clawgit.understanding.evidence.own_sentences import (
    IS_OF_A_CASE,
    denies,
    is_question,
    no_statement,
    own_sentences,
    without_quoted_words,
)
from clawgit.understanding.forms.sentence_forms import (
    FORGOTTEN,
    KEPT_ALL_THE_SAME,
    ORDERED,
    POINTED_AT,
    SAID_BEFORE,
    SAID_OF_IT,
    TO_FORGET,
)
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.triage.triage_message import asks_to_forget

if TYPE_CHECKING:
    from collections.abc import Callable

_PLEASE = lazy_pattern(
    r"(?i),?\s(?:please|bitte|por favor|per favore|alsjeblieft|s['’]il te plaît|proszę|prosím|будь ласка)[\s.!]*$"
)
# Where a sentence continues, perhaps with news.
GOES_ON = lazy_pattern(
    r"(?i)[,;:]\s|\s[–—-]\s|[—(]|\b(?:and|und|y|et|e)\b(?! (?-i:[A-Z]))|\b(?:but|because|except|instead|aber|weil|sondern|pero|porque|mais|parce|ma|mas|maar|perché|ale|lecz|але|men|utan|och|og)\b"
)

_EXCEPT = lazy_pattern(
    r"(?i)\b(?:except|but (?:not|keep|leave)|apart from|außer|bis auf|aber nicht|excepto|salvo|sauf|mais pas|tranne|ma non|exceto|mas não|behalve|maar niet)\b"
)
# A comma before `what I said` parts no clauses, nor does the full stop of `M. Keller`.
_SHORT = "|".join(map(r"(?<=\b{})".format, ("[a-z]", *SHORTENED.split("|"))))
CLAUSES = lazy_pattern(
    rf"(?:(?!(?<=\d)[.:]\d|(?i:{_SHORT})\. |, (?:was ich |co (?:ci |jsem |po|mó)|що я ))[,.!;:，。！；：…—\n\U0001f300-\U0001faff])+"
)
# `no olvide la llave` orders to keep it in mind; behind a comma, or before another form, the same `no` declines.
_NOT = r"(?:no|non|não)(?! (?:t[ei] |se |vi |me )*(?:olvid[eé]|esque[cç]|dimentica[rt]|dimentichi|scorda[rt]|scordi))"
LEAD = rf"(?:(?:oh|ah|uh|oops|ou?ps|ok|okay|{_NOT}|nah|nope|hey|well|wait|actually|sorry|h+m+|haha\w*|lol|please|ach|nein|nö|(?:lieber |doch )*doch nicht|doch|lieber|eigentlich|quatsch|entschuldige|bitte|ay|perdón|perdona|jaja\w*|mejor|al final|nan|bon|mdr|en fait|finalement|(?:nie|ne)(?=[,.!])|ні|neen?|nej|nei|啊|哦|不|不对|아|아니|아니야|아니다|미안)[\s,.!，。！…-]*)*"
# The same by what he said, without a topic.
FORGET_WHAT_I_SAID = (
    r"(?:please )?forget what i(?: just)? told you|vergiss(?: bitte)?,? was ich (?:(?:dir|da|gerade|eben|vorhin) )*(?:gesagt|erzählt) hab(?:e|')?"
    r"|olv[ií]d(?:a|e|ate de) lo que (?:(?:te )?(?:dije|he dicho|conté)|acabo de decir(?:te)?)|oublie[sz]? ce que (?:je viens de (?:te )?dire|(?:je t'ai|j'ai) dit)"
    r"|dimentica (?:quello|ciò) che (?:ti )?ho (?:appena )?detto|esquece o que (?:eu )?(?:(?:te )?disse|acabei de dizer)"
    r"|vergeet wat ik (?:(?:je|net|zojuist|daarnet) )*(?:zei|heb gezegd|gezegd heb)|gl[öe]m (?:det|vad|hvad?) (?:jag|jeg) (?:(?:just|nyss|lige|nettopp) )?sa(?:de|gde)?"
    r"|zapomnij(?: o tym)?,? co (?:ci )?(?:powiedział|mówił)[ae]m|zapomeň(?: na to)?,? co jsem (?:ti )?řekla?|забудь (?:про )?те,? що я (?:тобі )?сказа(?:в|ла)"
    r"|忘(?:了|掉|记|記)(?:我)?(?:[刚剛]才|[刚剛]{1,2})?[说說][过過]?的话?吧?|(?:그건 |(?:내가 )?(?:방금|아까) (?:한 )?말(?:은)? )잊어(?:줘|버려|주세요)|(?:さっき|今)(?:私が)?(?:言った|話した)(?:こと|話)[はを]?忘れて(?:ください)?"
)
FORGET_THAT = (
    r"(?:please )?forget (?:that|what i(?: just)? said|i said (?:that|it|anything)|(?:that|the|my) last (?:one|message|bit|part|sentence))(?: again)?"
    r"|vergiss das(?: letzte)?(?: bitte)?(?: wieder)?|olv[ií]d(?:alo|a (?:eso|lo último))|oublie[sz]? (?:ça|le dernier(?: message)?)"
    r"|dimentical[oa]|esquece isso|vergeet dat|gl[öe]m det(?: igen| där| der)?|zapomnij o tym|zapomeň na to|забудь (?:про )?це|잊어(?:줘|버려|주세요)"
)
_SAID_ALONE = lazy_pattern(rf"(?i){FORGET_WHAT_I_SAID}")
_FORGET_IT = lazy_pattern(
    rf"(?i){LEAD}(?:(?:and|but|und|aber|y|et|e|maar) )?(?:{FORGET_THAT}|{FORGET_WHAT_I_SAID}|(?:please )?forget this|忘了(?:吧|这个|它)?)"
    r"(?:,? (?:please|bitte|sorry|por favor|per favore))?"
)
_LEADING = lazy_pattern(rf"(?i)^{LEAD}")
_AROUND = lazy_pattern(r"(?i)^(?:thing|stuff|business|sache|cosa) (?:with|about|mit|con) ")
_ALL_OF_IT = lazy_pattern(
    r"(?i)(?:,? (?:completely|entirely|altogether|everywhere|ganz|völlig|überall))+(?=[\s.!]*$)"
)
_POLITE = lazy_pattern(r"(?i),? *\b(?:por favor|per favore|s['’]il (?:te|vous) pla[iî]t)\b,? *")
_NEWS = lazy_pattern(r"\d|\b[A-Z][a-z]")
_NAME = lazy_pattern(r"(?<!^)\b[A-Z][a-z]")  # at a beginning any word is so written
_VALUE_ALONE = lazy_pattern(  # `Thursday`, `at 3`
    r"(?:[A-ZÀ-Þ][^\s.!?]+|(?=\D{0,12}\d)\S+(?: [^\s!?]+?)?)(?:[.!?]*$|[.!?]\s)"
)
_IS_WORD = lazy_pattern(r"[ -~]|..")
# Things written with digits: a message need not name them as such.
NUMBERS = lazy_pattern(
    r"(?i)(?:\w+ )?(?:number|phone|code|pin|date|day|time|price|amount|sum|salary|rent|address|figure|\w*(?:nummer|zahl|betrag|preis|termin|adresse|datum)|numero|numéro|número|telefono|teléfono|telefone|codice|código|codigo|prezzo|prix|precio|preço|data|fecha|indirizzo|dirección|endereço|prijs|bedrag|adres)s?"
)
# Orders to drop a matter, each up to the end of its clause: `drop the keys`, `lass das mit Anna besprechen` are none.
_AT_A_PLACE = (
    r"(?!.*\b(?:off|at|in|into|on|to|for|by|with me|dans|sur|chez|devant|nell\w*|sull\w*|nel|sul)\b)"
)
_DROPS = lazy_pattern(
    rf"(?i)(?:let s |please |just )*(?:leave|drop|scrap|scratch|skip|ignore|forget) (?:the|that|this|my|our) {_AT_A_PLACE}(?:(.+) (?:thing|matter|idea|business)|(?:thing|matter|idea|business) (?:with|about|of) (.+))"
    r"|(?:let s |please |just )*(?:leave|drop|scrap|skip) what i (?:just )?said (?:about|of) (.+)"
    r"|(?:das|die (?:sache|geschichte)) mit (.+) (?:lassen|vergessen|streichen) wir(?: (?:doch|lieber|bitte|mal|sein|bleiben|wieder))*"
    r"|(?:vergiss|vergessen wir|streiche?|streichen wir) (?:bitte |doch |lieber )*(?:das|die (?:sache|geschichte)) mit (.+?)(?: (?:bitte|wieder|lieber))*"
    r"|(?:lass|lasst|lassen wir) (?:bitte |doch |lieber )*(?:das|die (?:sache|geschichte)) mit (.+) (?:sein|bleiben)|nimm (?:bitte )?(?:das|die (?:sache|geschichte)) mit (.+) zurück"
    r"|(?:laat|laten we) (?:dat|het) (?:van|met|over|rond) (.+?) (?:maar|(?:maar |toch )*(?:zitten|rusten|vallen))|vergeet (?:dat|het) van (.+?)(?: maar)?"
    r"|(?:mejor )?(?:olvid[ae]|olvidá|olv[ií]d[ae](?:lo|te de|se de)|olvidemos) (?:lo|eso) del? (.+)|(?:lo|eso) del? (.+) olv[ií]dalo"
    rf"|(?:on )?laiss(?:e|ez|ons) tomber (?:pour )?{_AT_A_PLACE}(.+)|oublie[zs]? (?:l histoire|le truc|l affaire) (?:avec|de|d|du|des) (.+)"
    rf"|lasci(?:a|amo|ate) (?:perdere|stare) {_AT_A_PLACE}(.+)|(?:dimentica|scorda) (?:quella|la) (?:cosa|storia|faccenda) (?:con|di|d|del\w*) (.+)"
    r"|esquece (?:isso|essa (?:coisa|história)|a história) d[aeo]s? (.+)"
)
_NOT_TO = lazy_pattern(r"(?i)\b(?:no|non|não)\s+\Z")  # right before a verb: `no olvide lo de Ana`
_VERB_OF_FORGETTING = lazy_pattern(
    r"(?i)\b(?:forget|verg[ei]ss\w*|vergeet|olv[ií]d\w*|oublie\w*|dimentica\w*|scorda\w*|esque[cç]\w*)\b"
)
_OF_DROPPING = telling("bitte lieber dell della dello dal quella cosa storia faccenda")
FEWEST_TOLD = 3  # telling words
MOST_OF_ONE_THING = 25  # words: a longer message is not meant as a whole


def told_around(text: str, is_order: Callable[[str], object]) -> tuple[str, str]:
    """Return the text before the clause with such an order, and after it; nothing before without such a clause."""
    clauses = list(map(str.strip, CLAUSES.split(text.strip().replace("’", "'"))))
    for at, clause in enumerate(clauses):
        if is_order(clause):
            before = " ".join(filterfalse(_LEADING.fullmatch, clauses[:at]))
            return before, " ".join(clauses[at + 1 :])
    return "", ""


def tells_something(text: str) -> bool:
    """Say whether a text has more than a word or two; in scripts without spaces pairs of characters count."""
    words = filter(_IS_WORD.match, index_terms(text).split())
    return len(list(words)) >= FEWEST_TOLD


def _brings_instead(before: str, behind: str) -> bool:
    if any(map(str.isdigit, before)):
        return any(map(str.isdigit, behind))
    return bool(_NAME.search(before)) and any(map(_NAME.search, sentences_of(behind)))


def forgets_itself(text: str) -> str:
    """Return what a message tells and asks to forget; empty where another value or name follows, which says nothing without what is before it."""
    before, behind = told_around(" ".join(own_sentences(text)), _FORGET_IT.fullmatch)
    is_one_thing = len(index_terms(before).split()) <= MOST_OF_ONE_THING
    is_instead = _brings_instead(before, behind) or _VALUE_ALONE.match(behind.strip())
    if is_instead or not (tells_something(before) and is_one_thing):
        return ""
    return before


def declines_before(text: str) -> bool:
    """Say whether a message asks not to keep something without naming it: `please don't keep that, it's private`."""
    own = _POLITE.sub(" ", own_words(text))
    reason = told_around(own, is_unwanted)[1]
    order = telling(" ".join(filterfalse(_LEADING.fullmatch, own.split()))) - telling(reason)
    if len(order) > 1 or tells_something(reason) or _NEWS.search(reason):
        return False  # its verb is one word
    return is_unwanted(text) and not forgets_itself(text)


def to_forget(text: str) -> str:
    """Return what the operator's message asks to forget, in his words; empty without such an order."""
    return _order_in(text)[0]


def said_to_forget(text: str) -> str:
    """Return the same where he asks to forget what he said of it: `forget what I said about Ole`."""
    unwanted, before = _order_in(text)
    if SAID_OF_IT.search(before) is None:
        return ""
    return unwanted


def _order_in(text: str) -> tuple[str, str]:
    """Return what a message asks to forget, and the words of the order before it."""
    for sentence in own_sentences(text):
        own = _ALL_OF_IT.sub("", _LEADING.sub("", without_quoted_words(sentence)))
        order = FORGOTTEN.search(own)
        if order is not None and not sentence.endswith("?") and not POINTED_AT.search(own):
            named = order.lastindex or 0
            unwanted = GOES_ON.split(order[named], 1)[0].rstrip(" .!,")
            if not KEPT_ALL_THE_SAME.search(unwanted):
                return _AROUND.sub("", unwanted), own[: order.start(named)]
    return "", ""


def dropped_in(text: str) -> frozenset[str]:
    """Return the telling words that name what a message asks to drop of what was said: `laat dat van de contributie maar`."""
    for sentence in own_sentences(text):
        plain_text = without_quoted_words(sentence).replace("’", "'").replace("'", " ")
        for clause in map(str.strip, CLAUSES.split(plain_text)):
            order = _LEADING.sub("", clause)
            dropped = _DROPS.fullmatch(order)
            if dropped is None or _NOT_TO.search(clause.removesuffix(order)):
                continue
            if not (is_question(sentence) or denies(order)):
                return telling(" ".join(filter(None, dropped.groups()))) - _OF_DROPPING
    return frozenset()


def forgets_matter(text: str) -> bool:
    """Say whether a message only orders to forget a matter: `olvida lo de la fianza`; to drop it, or what stays instead, gives up a change."""
    if not dropped_in(text) or _VERB_OF_FORGETTING.search(text) is None:
        return False
    return not any(map(tells_something, told_around(" ".join(own_sentences(text)), dropped_in)))


def to_forget_at_last(text: str) -> str:
    """Return the same, also after other words (`I was wrong, forget that …`): only a suggestion, for it may mean less."""
    unwanted = to_forget(text)
    for sentence in own_sentences(text):
        before, comma, order = sentence.rpartition(", ")
        if comma and not unwanted and no_statement(before) != IS_OF_A_CASE:
            unwanted = to_forget(order)
    return unwanted


def behind_forgetting(sentence: str) -> str:
    """Return the words after a verb of forgetting at a sentence's start, plain or not: they are not to be remembered."""
    order = TO_FORGET.search(sentence)
    if order is None or ORDERED.search(sentence):
        return ""
    named = order["what"] or sentence[order.end() :]
    return _PLEASE.sub("", GOES_ON.split(named, 1)[0]).strip(" .!,")


def orders_to_forget(text: str) -> bool:
    """Say whether a message is but an order to forget, plain or not: it is nothing to be forgotten."""
    is_one = len(own_sentences(text)) == 1 and GOES_ON.search(text) is None
    return (is_one and bool(behind_forgetting(text))) or only_asks_to_forget(text)


def excepts_something(text: str) -> bool:
    """Say whether an order to forget has an exception: `all about Rome except the date`."""
    for sentence in own_sentences(text):
        if to_forget(sentence) and _EXCEPT.search(without_quoted_words(sentence)):
            return True
    return False


def pointed_at(text: str) -> str:
    """Return the name of the thing that a message asks to forget and only points at: `forget that number again`."""
    for sentence in own_sentences(text):
        order = POINTED_AT.search(without_quoted_words(sentence))
        if order is not None:
            return order[order.lastindex or 0]
    return ""


def only_asks_to_forget(text: str) -> bool:
    """Say whether a message is one sentence, and only an order to forget."""
    sentences = sentences_of(own_words(text))
    if len(sentences) != 1 or sentences[0].endswith("?"):
        return False
    sentence = _LEADING.sub("", without_quoted_words(sentences[0]))
    sentence = _ALL_OF_IT.sub("", _PLEASE.sub("", sentence))
    if _SAID_ALONE.fullmatch(sentence.replace("’", "'").strip(" .!。")):
        return True
    order = POINTED_AT.search(sentence) or FORGOTTEN.search(sentence) or SAID_BEFORE.search(sentence)
    if order is None or sentence[order.end() :].strip(" .!"):
        return False
    order_text = order[order.lastindex or 0].rstrip(" .!")
    return GOES_ON.search(order_text) is None and KEPT_ALL_THE_SAME.search(order_text) is None


def is_unwanted(text: str) -> bool:
    """Say whether a message belongs in no note, prompt or search: it must not be remembered, or asks to forget something."""
    return asks_to_forget(text) or only_asks_to_forget(text) or bool(forgets_itself(text))
