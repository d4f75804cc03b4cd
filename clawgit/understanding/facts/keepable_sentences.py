"""Sentences of a message to be remembered word for word: by rules, in seven languages. Pure.

In doubt nothing is kept. A message of a few sentences yields orders to remember, standing orders, labelled
decisions and lessons, and lasting statements by the operator about himself. Rules change no word.
"""

from __future__ import annotations

import re
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.identity.principle_edits import is_withdrawal, only_scolds, order_core, reminds, without_lead
from clawgit.memory.entries.entries import Tag
from clawgit.memory.entries.statements import AND_ALSO, sentences_of, without_order
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import telling
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import holds_a_secret
from clawgit.text.words.stopwords import ENGLISH, GERMAN, is_common, languages_of
from clawgit.text.words.terms import english_stem
from clawgit.text.words.word_lists import HAN_OR_HANGUL, words_in
from clawgit.understanding.evidence.orders_to_forget import tells_something, to_forget
from clawgit.understanding.evidence.own_sentences import (
    IS_OF_A_CASE,
    IS_QUESTION,
    before_pasted,
    denies,
    is_question,
    no_statement,
    own_sentences,
    without_letter,
    without_quoted_words,
)
from clawgit.understanding.evidence.said_words import NOT, read
from clawgit.understanding.evidence.taking_back import behind_opening, is_of_before, still_said, takes_back
from clawgit.understanding.facts.routing import FactKind, kind_of
from clawgit.understanding.forms import sentence_forms as forms
from clawgit.understanding.forms.user_words import OTHER, YOU, YOURS, as_said, is_beside
from clawgit.understanding.patterns.own_words import own_words, without_foreign
from clawgit.understanding.triage.triage_message import HIGH, triage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.understanding.evidence.said_values import SaidValue

MOST_SENTENCES = 3  # of a message: longer ones are pasted, a story or a task
FEWEST_WORDS, MOST_WORDS = 3, 45
FEWEST_LETTERS = 4  # of Chinese, where each character is a word
MOST_LENGTH = 240
MOST_DIGITS = 3  # of a number that may be a count
LAST_WORDS = 60  # letters, of a message
_TO_THE_AGENT = YOU | YOURS  # words for the agent
_OF_BEFORE = OTHER | words_in("it its sie es")  # words for a person or thing named before
_AND_ALSO = lazy_pattern(rf"^(?:{AND_ALSO})", re.IGNORECASE)
_LINKS = ("](", "://", "<", "www.")
_GOES_ON = lazy_pattern(r"\s*[:：,，–—]\s*\w")
# Only a thing that was talked about: `remember that about the rye bread`.
_OF_MATTER = lazy_pattern(
    r"(?i)\A\W*(?:th(?:at|is)(?: thing)? about (?:the|my|our|your|his|her|their)|(?:dir )?das (?:mit|von|über)|lo del?|(?:de )?ça (?:pour|sur))(?: [\w'’-]+){1,4}\W*\Z"
)
# Words of an order, and before one: `nee warte, doch nicht vergessen bitte`.
_ORDERS = frozenset(
    words(
        "remember forget dont mind note keep bear please pls plz actually wait hold stop halt warte moment nee doch bitte"
    )
)
_AGAINST_ALL = (forms.UNFINISHED, forms.UNDECIDED, forms.TALK)
_AGAINST_RULE = (forms.POINTING, forms.UNFINISHED, forms.UNDECIDED)
_AGAINST_FACT = (forms.POINTING, forms.PASSING, forms.RECALLED)


class Keepable(NamedTuple):
    """Whole sentences word for word, and the kind of entry.

    ``is_ordered``: the operator asked to remember them. ``why_not`` says why no entry can hold them.
    """

    quote: str
    tag: Tag
    is_ordered: bool = False
    why_not: str = ""

    @property
    def leans_on_talk(self) -> bool:
        """Say whether it has no topic without the turn before: `remember that this is wrong`, but not `remember that we moved`."""
        own = without_order(self.quote)
        return leans_on_talk(forms.MEANS_BEFORE.split(own)[0] or own)  # `we moved, remember that`


def is_forbidden(text: str) -> bool:
    """Say whether a text names a speaker, the agent's own files or its instructions, or holds a secret."""
    return forms.STEERING.search(text) is not None or holds_a_secret(text)


def is_no_principle(text: str) -> bool:
    """Say whether a text may not become a principle by itself: it is forbidden, or is about instructions of others."""
    return is_forbidden(text) or forms.OTHERS_ORDER.search(text) is not None


def kept_in(text: str) -> list[Keepable]:
    """Return what to keep of the operator's message, in its order."""
    own = own_words(text)
    if forms.TAKEN_BACK.search(folded(own[-LAST_WORDS:])):
        return []
    why_not = _too_much(text, own)
    if why_not:
        return [Keepable(each, Tag.KNOWLEDGE, True, why_not) for each in sentences_of(own) if _is_order(each)]
    rest = before_pasted(own)
    sentences = sentences_of(rest)
    if any(map(_points_back, filter(_is_order, sentences))):
        quote = folded(rest).strip()
        while no_statement(sentences[-1]) == IS_QUESTION and not _is_order(sentences[-1]):
            quote = quote.removesuffix(sentences[-1]).strip()
            sentences = sentences[:-1]
        fact = _ordered(quote, is_named=len(sentences) > 1)
        return [fact._replace(is_ordered=any(map(forms.ORDERED.search, sentences)))]
    return [fact for fact in _kept_of(_whole_orders(still_said(sentences))) if _is_fit(fact.quote, text)]


def ordered_in(text: str) -> list[Keepable]:
    """Return the orders to remember in the operator's message, each with the reason if no entry can hold it."""
    if not any(map(_is_order, sentences_of(own_words(text)))):
        return []
    return [fact for fact in kept_in(text) if fact.why_not or fact.is_ordered or _is_order(fact.quote)]


def quoted_in(text: str, quote: str) -> list[Keepable]:
    """Return the whole sentences of the operator's message with a quote, if they are lasting statements."""
    own = own_words(text)
    if _too_much(text, own) or not quote:
        return []
    facts = []
    for each in still_said(sentences_of(before_pasted(own))):
        if quote.strip() not in each or not _is_fit(each, text):
            continue
        is_against = _speaks_against(each) or _takes_back(each)
        if _has_a_size(each) and not is_against and not is_forbidden(each):
            facts.append(_kept(each) or Keepable(each, Tag.KNOWLEDGE))
    return facts


def stated_in(text: str) -> list[str]:
    """Return the sentences of the operator's message that order, correct or state something, and are not taken back in it.

    They include all that rules keep, and orders that rules cannot carry out.
    """
    if standing_order_in(text) is not None:
        return [_only_sentence(text.strip())]
    stated = []
    sentences = still_said(own_sentences(text))
    quotes = list(map(attrgetter("quote"), kept_in(text)))
    is_only_told = len(sentences) <= MOST_SENTENCES and IS_QUESTION not in map(no_statement, sentences)
    for sentence in sentences:
        signal = triage(sentence)
        is_question = no_statement(sentence) == IS_QUESTION
        if is_question and not (signal.miner or to_forget(sentence) or denies(sentence) or wishes(sentence)):
            continue  # `did I tell you that …?`, but not `didn't I tell you …?`
        is_secret = holds_a_secret(sentence) and not is_question
        is_told = signal.miner or signal.validator or is_secret or to_forget(sentence) or _states(sentence)
        is_told = is_told or sentence in quotes or wishes(sentence)
        is_told = is_told or (is_only_told and _states_a_value(sentence))
        if is_told:
            stated.append(sentence)
    return stated


def wishes(sentence: str) -> bool:
    """Say whether a sentence tells the agent how to be, or of a task or of what matters: no rule keeps it."""
    return forms.WISHED.search(without_quoted_words(sentence)) is not None and not is_forbidden(sentence)


def tells_or_orders(text: str) -> bool:
    """Say whether a message tells or orders anything, also where rules keep nothing of it: a question, cheers or a mood do not."""
    if is_question(text):
        return False
    for sentence in sentences_of(own_words(text)):
        own = behind_opening(sentence) or sentence
        is_talk = forms.TALK.search(own) and (forms.CHEERS.search(own) or not denies(own))
        is_said = not is_talk and no_statement(sentence) != IS_QUESTION
        if read(sentence).values or (is_said and tells_something(sentence)):
            return True
    return False


def leans_on_talk(sentence: str) -> bool:
    """Say whether a sentence has no topic if read alone: `it's the 30th now`."""
    own = without_quoted_words(sentence)
    return bool(forms.PRONOUN.search(own) or forms.POINTING.search(own))


def _states(sentence: str) -> bool:
    """Say whether a sentence states something lasting about the operator or his surroundings."""
    own = without_quoted_words(sentence)
    stated = forms.STATED.search(own)
    if stated is None or (stated["somebody"] and not _is_in_its_language(stated, own)):
        is_told = forms.OF_HIMSELF.search(own) is not None
    else:
        first = english_stem((stated["somebody"] or "").lower())
        is_told = not forms.OF_THE_MOMENT.search(own) and not is_common(first)
    is_short = len(words(sentence)) <= FEWEST_WORDS and own[1:].islower()  # `I thought so`, `my poor cousin`
    return is_told and not (is_short and stated is None) and _is_sound(sentence)


def _is_in_its_language(stated: re.Match[str], own: str) -> bool:
    """Say whether a sentence is German or English after the name: other languages have German verb endings, too: `Unohda tiedot …`."""
    behind = words(own[stated.end("somebody") :])
    english = sum(word in ENGLISH or is_common(english_stem(word)) for word in behind)
    fewest = 1
    if stated[0].split()[-2].rstrip(",").endswith("t"):
        fewest = 2
    return english >= fewest or not GERMAN.isdisjoint(behind)


def _states_a_value(sentence: str) -> bool:
    """Say the same as `_states` of a sentence with a value, in a language without verb forms here."""
    own = without_quoted_words(sentence)
    if not forms.STATED_ELSEWHERE.search(own):
        return False
    values = read(own).values
    return any(map(_is_sum_or_time, values)) and _is_sound(sentence)


def _is_sum_or_time(value: SaidValue) -> bool:
    """Say whether a value is a sum, a day, a time or a port: a bare number counts lines, versions and pages."""
    if re.fullmatch(r"(?:19|20)\d\d", value.shown):
        return False
    if sum(map(str.isdigit, value.shown)) > MOST_DIGITS:
        return True
    is_one = False
    for kind, *parts in value.meanings:
        is_one = is_one or kind in ("d", "t") or (kind == "n" and bool(parts[1]))
    return is_one


def _is_sound(sentence: str) -> bool:
    """Say whether a sentence can be a lasting statement, of a sensible length, not addressed to the agent."""
    sentence = forms.ASIDE.sub("", sentence)
    if is_beside(sentence) or _TO_THE_AGENT.intersection(words(without_quoted_words(sentence))):
        return False
    return _has_a_size(sentence) and not is_forbidden(sentence) and not _speaks_against(sentence)


def _takes_back(sentence: str) -> bool:
    """Say whether a sentence takes back words, earlier ones or its own: its news is a correction, and no entry quotes it."""
    return takes_back(sentence) or is_of_before(sentence)


def _speaks_against(sentence: str) -> bool:
    own = without_quoted_words(sentence)
    if no_statement(sentence) or any(form.search(own) for form in _AGAINST_ALL):
        return True
    statement = _without_aside(own)
    return any(form.search(statement) for form in _AGAINST_FACT)


def _without_aside(sentence: str) -> str:
    """Return a sentence up to the end of its lasting clause: `so no milk, please` after it is an aside."""
    lasting = (
        forms.OF_A_LIFE.search(sentence) or forms.I_AM.search(sentence) or forms.LASTING.search(sentence)
    )
    end = lasting and forms.CLAUSE_END.search(sentence, lasting.end())
    return sentence[: end.start()] if end else sentence


def _too_much(text: str, own: str) -> str:
    """Return why rules do not read a message."""
    if not without_letter(own):
        return "it stands in a letter"
    if len(sentences_of(text)) > MOST_SENTENCES:
        return f"its message has more than {MOST_SENTENCES} sentences"
    return ""


def _is_fit(sentence: str, text: str) -> bool:
    """Say whether a sentence is in the message word for word, and mostly the sender's own: no quotation, code or address."""
    if sentence not in folded(text):
        return False
    return 2 * len(words(without_foreign(sentence))) > len(words(sentence))


def _is_order(sentence: str) -> bool:
    own = without_quoted_words(sentence)
    if own.startswith("…"):
        return False
    return forms.ORDERED.search(own) is not None or forms.MARKS[None].search(own) is not None


def _mark_of(sentence: str) -> Tag | None:
    return next((tag for tag, mark in forms.MARKS.items() if tag is not None and mark.search(sentence)), None)


# A full stop that may end no sentence: behind `Abt`, `bldg` or `im 2`, and before a small letter or a number.
_AFTER_SHORT = lazy_pattern(
    r"\b(?:[^\W\d_a-zà-ÿ][^\W\d_]{0,2}|[b-df-hj-np-tv-xz]{2,}|(?:[ai]m|ins|das|die|de[rmn]|beim|vom|zum) \d\d?)\.$"
)
_SMALL = lazy_pattern(r"\. [a-zà-ÿ\d]")


def _whole_orders(sentences: Sequence[str]) -> list[str]:
    """Return sentences, each order to remember with those behind it that go on with it: an abbreviation's full stop ends none, and `she` is of it."""
    whole: list[str] = []
    for each in sentences:
        if whole and _is_order(whole[-1]) and _may_go_on(whole[-1], each):
            whole[-1] += f" {each}"
        else:
            whole.append(each)
    return whole


def _may_go_on(order: str, behind: str) -> bool:
    """Say whether a sentence may be the rest of an order, and neither talk nor of use by itself."""
    is_short = len(f"{order} {behind}") <= MOST_LENGTH and not holds_a_secret(behind)
    if is_short and begins_with_pronoun(behind) and _behind_order(behind):
        return True
    if not _AFTER_SHORT.search(order):
        is_small = _SMALL.search(f"{order} {behind}") is not None
        if not is_small or not tells_something(behind) or _behind_order(behind):
            return False
    is_talk = no_statement(behind) == IS_QUESTION or forms.TALK.search(behind) is not None
    is_against = _takes_back(behind) or behind_opening(behind) or triage(behind).validator is not None
    return not (is_talk or is_against or to_forget(behind) or holds_a_secret(behind) or _kept(behind))


def _kept_of(sentences: Sequence[str]) -> list[Keepable]:
    """Return what to keep of a message's sentences.

    `I am …` counts only at the start of a message: `I am an octopus` after other news is a figure of speech.
    """
    facts: list[Keepable] = []
    opens = True
    is_behind = False
    for before, each in pairwise(("", *sentences)):
        fact = _kept(each, opens=opens)
        if fact is None and is_behind:
            fact = _behind_order(each)
        is_behind = is_behind or _is_order(each)
        whole = f"{before} {each}".strip()
        goes_on = begins_with_pronoun(each) and len(whole) <= MOST_LENGTH and not holds_a_secret(before)
        if fact is not None and not is_behind and goes_on:
            if facts and facts[-1].quote == before:
                facts.pop()
            fact = fact._replace(quote=whole)
        if fact is not None:
            facts.append(fact)
        elif opens:
            is_only_opening = re.search(rf"{forms.OPENING}\W*$", each, re.IGNORECASE)
            opens = bool(forms.TALK.search(each) or forms.OF_HIMSELF.search(each) or is_only_opening)
    return facts


def begins_with_pronoun(sentence: str) -> bool:
    """Say whether a sentence is about who or what is named before it: `she's here on Fridays`."""
    first, *_ = (*words(sentence), "")
    return first.replace("’", "'").partition("'")[0] in _OF_BEFORE


def _kept(sentence: str, *, opens: bool = True) -> Keepable | None:
    """Return what to keep of one sentence of the operator's, None for most."""
    if _is_order(sentence):
        return _ordered(sentence)
    if is_forbidden(sentence):
        return None
    return _labelled(sentence) or _rule(sentence) or _fact(sentence, opens=opens)


def _ordered(quote: str, *, is_named: bool = True) -> Keepable:
    """Return an order to remember, with the reason if no entry can hold it."""
    why_not = ""
    if holds_a_secret(quote):
        why_not = "it holds a secret"
    elif is_forbidden(quote):
        why_not = "it speaks of instructions or the agent's own files"
    elif not is_named:
        why_not = "what it means is not in the message"
    elif len(quote) > MOST_LENGTH:
        why_not = "it is longer than an entry"
    tag = _mark_of(quote) or Tag.KNOWLEDGE
    if forms.TO_BE_DONE.search(quote) or (tag is Tag.KNOWLEDGE and is_beside(quote)):
        tag = Tag.EVENT
    return Keepable(quote, tag, forms.ORDERED.search(quote) is not None, why_not)


def _behind_order(sentence: str) -> Keepable | None:
    """Return what to keep of a sentence after an order to remember: a statement, or the reason why its continuation is unclear."""
    bare = _AND_ALSO.sub("", sentence)
    if no_statement(bare) == IS_QUESTION or forms.TALK.search(bare) or not _has_a_size(bare):
        return None
    statement = bare[0].upper() + bare[1:]
    if holds_a_secret(sentence):
        return Keepable(sentence, Tag.KNOWLEDGE, True, "a sentence behind the order holds a secret")
    is_told = forms.STATED_ELSEWHERE.search(statement) is not None and _is_sound(statement)
    is_to_come = forms.OF_HIMSELF.search(statement) and forms.TO_COME.search(statement)
    if (is_told or _states(statement)) and not is_to_come:
        return _ordered(sentence)._replace(is_ordered=True)
    if bare == sentence and not NOT.search(bare.lower()):  # `not a word to her` is part of the order
        return None
    return Keepable(sentence, Tag.KNOWLEDGE, True, f'"{sentence}" does not plainly say what is so')


def _points_back(sentence: str) -> bool:
    """Say whether an order names nothing to remember: `keep that in mind`."""
    match = forms.MEANS_BEFORE.search(sentence)
    rest = sentence[: match.start()] if match else forms.ORDERED.sub(" ", sentence, count=1)
    if match and not rest.strip() and _GOES_ON.match(sentence, match.end()):
        rest = sentence[match.end() :]  # `keep it in mind: …`
    if _OF_MATTER.search(rest):
        return True
    if HAN_OR_HANGUL.search(sentence):
        return sum(map(str.isalnum, rest)) < FEWEST_LETTERS
    left = set(words(rest)) - ENGLISH - _ORDERS
    own_grammar = languages_of(words(sentence))[1:]
    if own_grammar and max(map(len, left.difference(*own_grammar)), default=0) > 2:
        return False  # German `Ton` is French grammar
    return not telling(" ".join(left))


def _labelled(sentence: str) -> Keepable | None:
    mark = _mark_of(sentence)
    if mark is None or is_forbidden(sentence) or any(map(sentence.__contains__, _LINKS)):
        return None
    if forms.UNFINISHED.search(sentence) or not _has_a_size(sentence):
        return None
    return Keepable(sentence, mark)


def _rule(sentence: str) -> Keepable | None:
    if not forms.ALWAYS.search(sentence) or not _has_a_size(sentence) or only_scolds(sentence):
        return None
    is_against = any(form.search(sentence) for form in _AGAINST_RULE)
    if is_against or no_statement(sentence) not in ("", IS_OF_A_CASE):
        return None
    return Keepable(sentence, Tag.SKILL)


def _fact(sentence: str, *, opens: bool) -> Keepable | None:
    """Return a lasting statement of the operator's about himself."""
    own = without_quoted_words(sentence)
    if not forms.OF_HIMSELF.search(own) or not _has_a_size(sentence) or _takes_back(sentence):
        return None
    if _speaks_against(without_lead(sentence) if reminds(sentence) else sentence):
        return None
    if forms.DECIDED.search(own):
        return Keepable(sentence, Tag.DECISION)
    kind = kind_of(own)
    if kind in (FactKind.ORDER, FactKind.LESSON, FactKind.TOOL_LESSON):
        return Keepable(sentence, Tag.SKILL)
    statement = _without_aside(own)
    if forms.DATED.search(statement) or forms.PRONOUN.search(statement) or forms.TO_COME.search(statement):
        return None
    lasts = forms.OF_A_LIFE.search(own) or (opens and forms.I_AM.search(own))
    return Keepable(sentence, Tag.KNOWLEDGE) if lasts or kind is FactKind.LASTING else None


def _has_a_size(sentence: str) -> bool:
    """Say whether a sentence is neither a fragment nor a story."""
    if len(sentence) > MOST_LENGTH or len(words(sentence)) > MOST_WORDS:
        return False
    if HAN_OR_HANGUL.search(sentence):
        return sum(map(str.isalnum, sentence)) >= FEWEST_LETTERS
    return len(words(sentence)) >= FEWEST_WORDS


LONGEST_ORDER = 200
_KEPT_ORDER = lazy_pattern(  # the form of an order to the agent that is kept as a rule
    r"^\W*(?:(?:no|please|and|also|so),? )*(?:(?:from now on|in future),? )?(?:please )?(?:always|never(?! mind\b)|don't ever|do not ever) \w"
    r"|^\W*(?:please )?from now on,? (?!(?:i|we|he|she|they|it|my|our|his|her|their|the|a|an|this|that)\b)\w"
    r"|^(?:请)?(?:以后|从现在起|从现在开始|永远|总是|每次)|항상|절대|앞으로|^(?:今後|これからは|必ず|決して|常に)"
    # an adverb after one word makes an order, too: `nenne immer …`, `responde siempre …`
    r"|^\W*(?:bitte )?(?:\w+ )?(?:künftig|immer|nie(?!,)|niemals|toujours|siempre|nunca|sempre)\b|^\W*(?:bitte )?(?:désormais|ab (?:jetzt|sofort))\b(?! \w+ (?:ich|wir|der|die|das)\b)",
    re.IGNORECASE,
)
_PLAIN_ORDER = lazy_pattern(  # the form of an order that no rule keeps
    r"^\W*(?:no,? )?(?:please )?(stop \w+ing\b)|^(?:请)?(?:以后|从现在起|永远)?(?:不要再|别再|永远不要)",
    re.IGNORECASE,
)
_BEHAVIOUR = lazy_pattern(  # how the agent shall talk: a standing order without a word for it
    r"^(?:answer|reply|respond)\b.{0,30}? (?:in|with|only|briefly)\b|^(?:speak|write)\b.{0,20}? in (?-i:[A-Z])\w|^address me\b"
    r"|^call me (?!back|when|if|later|at|in|on|an?\b)\w|^keep (?:it|your (?:answers|replies|messages)) (?!(?:up|in|on|at|for|to|there|coming|going)\b)\w|^be (?:(?:a (?:bit|little) )?(?:more|less) \w|(?:brief|concise|direct|polite|formal|honest)\b)"
    r"|^(?:don't|do not) (?:use|say|repeat|apologi[sz]e|call me)\b|^(?:antworte|schreib|sprich)\b.{0,20}? (?:auf|mit|ohne|keine)\b|^(?:nenn|duze?|sieze?) mich\b"
    r"|^(?:responde|contesta|escribe|habla)\b.{0,20}? en (?!el|la)\w|^ll[áa]mame\b|^用\S{1,8}(?:回答|回复)|^(?:不要|别)用|^叫我|로 (?:대답|답)\S*|라고 불러",
    re.IGNORECASE,
)
_ENDING = lazy_pattern(
    r"\b(?:until|till|unless|today|tonight|tomorrow|this (?:week|month|time)|for now|if|when)\b|今天|明天|这次|暂时|오늘|내일"
    r"|\b(?:bis|heute|morgen|jusqu|hasta|hoy)\b",
    re.IGNORECASE,
)


class Ordered(NamedTuple):
    """An order and its content, whether it corrects the agent, and whether it is plain: else the operator is asked."""

    quote: str
    says: str
    corrects: bool
    is_plain: bool = True


def standing_order_in(text: str) -> Ordered | None:
    """Return the standing order that is all of a message; None for other messages."""
    message = text.strip()
    sentence = _only_sentence(message)
    bare = without_lead(sentence)
    is_for_good = _KEPT_ORDER.search(sentence) or _KEPT_ORDER.search(bare)
    plain = _PLAIN_ORDER.search(bare)
    begins_now = not is_for_good and _begins_now(bare)
    if not (is_for_good or plain or begins_now or _BEHAVIOUR.search(bare)):
        return None
    if message.endswith(("?", "？")) or _ENDING.search(message):
        return None
    corrects = triage(message).validator == HIGH or bool(behind_opening(message))
    if plain:
        return Ordered(message, bare[max(0, plain.start(1)) :], corrects)
    is_of_the_agent = begins_now and not YOURS.isdisjoint(words(bare))
    if not (is_for_good or is_of_the_agent):
        return Ordered(message, bare, corrects, corrects and reminds(message))
    is_plain = [each.tag for each in kept_in(bare)] == [Tag.SKILL] and not is_no_principle(bare)
    if is_plain:
        sentence = bare
    return Ordered(message, sentence, corrects, is_plain)


def _begins_now(sentence: str) -> bool:
    """Say whether a sentence orders something from now on, anywhere in it: a description is not an order."""
    beginning = forms.FROM_NOW_ON.search(sentence)
    rest = folded(forms.FROM_NOW_ON.sub("", sentence)).strip(" ,，、")
    if beginning is None or not _has_a_size(rest) or words(rest)[0] in _TO_THE_AGENT:
        return False
    statement = rest[0].upper() + rest[1:]
    is_stated = forms.STATED.search(statement) or forms.STATED_ELSEWHERE.search(statement)
    return not is_stated and forms.OF_HIMSELF.search(statement) is None


def is_only_of_behaviour(text: str, statement: str) -> bool:
    """Say whether a message orders how the agent shall behave, and a statement of memory is not such an order."""
    order = standing_order_in(text)
    return order is not None and order.is_plain and standing_order_in(as_said(statement)) is None


def withdrawal_in(text: str) -> Ordered | None:
    """Return what a message says to withdraw an order: `no need to answer in German any more`."""
    words = text.strip()
    sentence = _only_sentence(words)
    if words.endswith(("?", "？")) or not is_withdrawal(sentence):
        return None
    return Ordered(words, sentence, corrects=True)


def _only_sentence(words: str) -> str:
    """Return the only sentence of a short message besides `please` and `I told you`; empty for other messages."""
    if "\n" in words or len(words) > LONGEST_ORDER or own_words(words).strip() != words:
        return ""
    telling = [each for each in sentences_of(words) if order_core(each).terms]
    if len(telling) != 1 or only_scolds(telling[0]):
        return ""
    return telling[0]
