"""The trust that the operator's message gives an edit of memory: one check for rules, models and hosts.

Pure. The reader only points at sentences; clawgit cuts them, and stores them with the edit.
"""

from __future__ import annotations

from itertools import chain, filterfalse, repeat
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.provenance.contrasts import Around
from clawgit.memory.provenance.readings import (
    changes_one_value,
    exchanges_words,
    is_verbatim,
    with_whole_values,
)
from clawgit.memory.trust import HOST, OPERATOR, UNDERSTOOD
from clawgit.text.comparing.value_kinds import BOUND, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.terms import english_stem
from clawgit.text.words.word_lists import any_word_of
from clawgit.understanding.evidence import said_words as signs
from clawgit.understanding.evidence.own_sentences import (
    IS_QUESTION,
    IS_REPORT,
    clauses,
    no_statement,
    own_sentences,
    sentences_with,
    without_quoted_words,
)
from clawgit.understanding.evidence.said_values import completed
from clawgit.understanding.evidence.said_words import Read, is_light, lacking, read, spelled
from clawgit.understanding.evidence.taking_back import only_takes_back, still_said
from clawgit.understanding.forms import sentence_forms as forms
from clawgit.understanding.forms import user_words
from clawgit.understanding.forms.user_words import tells_of_himself

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

LONGEST = 600  # characters of a statement
_MARKUP = lazy_pattern(
    r"<!--|-->|[\n\r\x00-\x08\x1b\u2028\u2029]|^\s*(?:#{1,6}\s|[-*+>]\s|\d+[.)]\s|```|---)|\b[mx]:[0-9a-z]{6}\b|</?[a-z]\w*[ >/]|!?\[[^\]]*\]\("
)
_WORD = lazy_pattern(r"[^\W\d_]+")
_RELATIVE = lazy_pattern(rf"(?i)\b{any_word_of(forms.RELATIVES)}\b")
_REPROACH = frozenset(("forgot", "forgotten", "twice", "wrong", "wrongly", "mistake"))  # `you forgot that …`
_HIS = lazy_pattern(
    r"(?i)\b(?:his|hers?|theirs?|seine[mnrs]?|ihre[mnrs]?|leurs?|sa|ses|sus?|sua|suo)\b|[他她]们?的"
)
# It is not true at exactly that value.
_NARROWS = lazy_pattern(rf"\b(?:{BOUND}|before|after|until|till|since|by|can|(?<!\d )(?<!in )may(?! \d))\b")
_LABEL = frozenset("l")  # the kind of `A1` or `iX3`: as good as a name
_ASKING = lazy_pattern(r"[?？]\s*$")
# A sentence by which those around it are doubtful, another person's, or a text to work on.
_LEANS = lazy_pattern(
    r"(?i)\b(?:is|are|was) (?:that|this|it) (?:right|true|correct|real|legit|so)\b|\b(?:right|correct|true|really) ?\?|\b(?:stimmt (?:das|es)|ist das (?:wahr|richtig))\b|\bc['’]est (?:vrai|juste|exact) ?\?"
    r"|\b(?:es|está) (?:cierto|correcto|verdad) ?\?|¿(?:verdad|cierto|correcto|no) ?\?|\b(?:zgadza się|prawda|pravda|je to tak|že jo|правда|так|вірно|klopt (?:dat|het)|toch|stämmer det|eller hur|ikke sant|stemmer det|vero|giusto|certo|não é) ?\?|对吗|是吗|真的吗|맞아\?|맞나요?\?|\bthat['’]s what (?!i\b|we\b)|\b(?:according to|laut|según|według|podle|за словами)\b"
    r"|\b(?:the|his|her|their|this|that|our) (?:e-?mail|mail|letter|site|page|wiki|note|message|invite|calendar|log) (?:says|said|states|claims)\b"
    r"|(?:^|[.!?:\n])\W*(?:(?:can|could|would) you |please |and )*(?:summari[sz]e|translate|rewrite|proof-?read|reply to|answer) (?:this|that|it|them)\b"
    r"|(?:^|[.!?:\n])\W*(?:resume|traduce|podsumuj|przetłumacz|shrň|přelož|підсумуй|переклади) (?:esto|eso|to|це)\b"
)
# It denies the whole sentence, or all before what follows.
_WHOLE_SENTENCE = lazy_pattern(
    r"\b(?:false|untrue|not true|a (?:lie|myth)) that\b|\b(?:apart from|except|other than|außer|excepto|salvo)\b|\bwithout\b(?=[^,]*,)|\b(?:falsch|gelogen), dass\b|除了|제외"
)
_DENIES_ALL = lazy_pattern(
    r"\b(?:false|untrue|(?:lie|myth)) that\b|\b(?:apart from|except|other than|außer|excepto|salvo)\b|\b(?:falsch|gelogen), dass\b|除了|제외"
)


class Spoken(NamedTuple):
    """The operator's message for an edit; ``on`` is its local date, ``called`` memory's names for him."""

    text: str
    on: date
    called: str = ""


class ProposedEdit(NamedTuple):
    """One edit: the entry's present text (empty: an addition), its new text, the quoted words of the message, and the headings above it."""

    old: str
    new: str
    quote: str = ""
    about: str = ""


class Ground(NamedTuple):
    """The trust of an edit (empty: none) and the whole sentences of the message behind it.

    ``says``: why the trust is not above the host's; ``is_question``: worth asking the operator;
    ``may_be_confirmed``: in force as a reading if a second reader finds it, too.
    """

    level: str
    quote: str = ""
    says: str = ""
    is_question: bool = False
    may_be_confirmed: bool = False


def ground_of(proposal: ProposedEdit, spoken: Spoken) -> Ground:
    """Return the ground of an edit or an addition; the first objection counts."""
    own = own_sentences(spoken.text)
    if says := unfit(proposal.new):
        return Ground("", " ".join(own), says)
    if own and not (own := still_said(own)):
        return Ground("", says="The operator takes it back in the same message.")
    sentences = _told(proposal, own, spoken.on)
    if not sentences:
        return Ground(
            "", " ".join(own), "The quote does not stand in the operator's own words in that message."
        )
    quote = " ".join(sentences)
    behind, mine = (tuple(map(without_quoted_words, each)) for each in (sentences, own))
    case = _case_of(proposal, behind, mine, spoken)
    report = _no_saying(sentences)
    objection = _to_an_edit(case, quote, report) if proposal.old else _to_an_addition(case, quote, report)
    if objection is None and not _LEANS.search(spoken.text) and _is_his_own(proposal, case, own):
        return Ground(OPERATOR, quote)
    return objection or Ground(UNDERSTOOD, quote)


def _to_an_addition(case: Case, quote: str, report: str) -> Ground | None:
    if says := report or turns_negation(case):
        return Ground("", quote, says)
    says = lacks_word(case)
    if not says:
        return None
    missing, values = unsaid(case), {value.shown for value in case.stated.values}
    if values.intersection(missing) or len(missing) == len(case.stated.items):
        return Ground("", quote, says)
    return Ground(HOST, quote, says)  # other words are somebody else's wording


def _to_an_edit(case: Case, quote: str, report: str) -> Ground | None:
    """Return why an edit is not in force: words not the operator's, a lost value, a moved denial; a second reader may confirm it."""
    if says := changes_nothing(case) or lacks_value(case):
        return Ground("", quote, says)
    loss = loses_value(case)
    missing = set(unsaid(case)).intersection(case.brought)
    is_his = len(missing) < 2 or 2 * len(missing) <= len(case.brought)  # at least half of the new words
    if report:
        return Ground("", quote, report, is_question=not loss)
    is_contrast = exchanges_words(
        case.old, case.new, "\n".join(filterfalse(no_statement, case.told)), Around(case.about, is_light)
    )
    if not is_contrast and (says := turns_negation(case)):  # only a reader can judge the place of a denial
        denies_as_well = any(map(_denials, case.told)) == bool(_denials(case.new))
        return Ground("", quote, says, not loss, is_his and denies_as_well)
    unsaid_word = "" if is_contrast else lacks_word(case)
    if says := loss or unsaid_word or goes_on_saying(case):
        return Ground("", quote, says, not loss, is_his or not unsaid_word)
    return None


def _no_saying(sentences: tuple[str, ...]) -> str:
    """Return why sentences state nothing: one reports another person's words, or all of them ask."""
    senses = list(map(no_statement, sentences))
    if IS_REPORT in senses:
        return f"{sentences[senses.index(IS_REPORT)][:80]!r} {IS_REPORT}."
    if set(senses) == {IS_QUESTION}:
        return f"{' '.join(sentences)[:80]!r} {IS_QUESTION}."
    return ""


def _told(proposal: ProposedEdit, own: tuple[str, ...], on: date) -> tuple[str, ...]:
    """Return the quoted sentences, and the fewest others with the new words that these lack."""
    taken: list[str] = []
    if proposal.quote.strip():
        taken += sentences_with(proposal.quote, own)
        if not taken:
            return ()

    def lacks(*sentences: str) -> int:
        texts = (proposal.old, *taken, *sentences)
        return len(lacking(read(proposal.new, on), *map(read, texts, repeat(on))))

    left = lacks()
    while rest := [each for each in own if each not in taken]:
        most = min(rest, key=lacks)
        if taken and lacks(most) >= left:
            break
        left = lacks(most)
        taken.append(most)
    return tuple(filter(taken.__contains__, own))


def _is_his_own(proposal: ProposedEdit, case: Case, own: tuple[str, ...]) -> bool:
    """Say whether it is the operator's own word: his sentence, or one value that a sentence of his states."""
    stating = tuple(filterfalse(no_statement, case.told))
    if is_verbatim(proposal.new, " ".join(stating)) and not drops_subject(case):
        return True
    if exchanges_words(proposal.old, proposal.new, "\n".join(stating), Around(proposal.about, is_light)):
        return True
    if not changes_one_value(proposal.old, proposal.new, " ".join(own)):
        return False
    before = set(map(attrgetter("text"), values_in(proposal.old)))
    came = list(filterfalse(before.__contains__, map(attrgetter("text"), values_in(proposal.new))))
    is_said = False
    for each in stating:
        whole = with_whole_values(each, proposal.old)
        if came[0].casefold() in whole.casefold():
            is_said = True
            if _says_of_another(whole, came[0], case):
                return False
    return is_said


def _says_of_another(sentence: str, came: str, case: Case) -> bool:
    """Say whether the clause with the new value says more than the entry: `the train to Basel`, `her flight`, `before 10:00`.

    A value alone has no clear subject, nor has a sentence with a second day or time, or another name.
    """
    plain_sentence = forms.FROM_NOW_ON.sub("", sentence)
    reading = read(plain_sentence, case.on)
    strange = set(lacking(reading, case.before, case.stated, case.above))
    for each in reading.values:
        if each.shown in strange and not each.kinds.isdisjoint("dt"):
            return True
    if not reading.is_german and not strange.isdisjoint(reading.names):
        return True
    value = spelled(came).lower()
    parts = list(filter(lambda part: value in part, clauses(plain_sentence)))
    return any(_is_more_than(part, case) for part in parts or [plain_sentence])


def _is_more_than(part: str, case: Case) -> bool:
    """Say whether a clause has a telling word that the entry lacks, narrows it, or is about another person."""
    besides = set(lacking(read(part, case.on), case.before, case.stated, case.above)) - _REPROACH
    is_narrower = not set(_NARROWS.findall(part.lower())) <= set(_NARROWS.findall(case.old.lower()))
    telling = set(map(english_stem, filterfalse(is_light, besides))) - forms.INCIDENTAL
    return is_narrower or bool(telling) or _is_of_another_person(part, case.old)


def _is_of_another_person(sentence: str, old: str) -> bool:
    """Say whether words are about another person, and an entry about the operator or no person: `her flight`, `they live`."""
    if _HIS.search(sentence) and not _RELATIVE.search(old):
        return True
    if user_words.CJK_SELF.search(old):
        return bool(user_words.CJK_OTHER.search(sentence)) and not user_words.CJK_SELF.search(sentence)
    sentence_words = set(_WORD.findall(sentence.lower()))
    stated = set(_WORD.findall(old.lower()))
    his = user_words.SELF | user_words.OWN
    is_of_him = not stated.isdisjoint(his | user_words.USER_NOUNS) and _RELATIVE.search(old) is None
    others = (user_words.OTHER | user_words.YOU | user_words.YOURS) - his
    return is_of_him and sentence_words.isdisjoint(his) and not sentence_words.isdisjoint(others)


def unfit(statement: str) -> str:
    """Return why a text cannot be an entry's statement, empty if it can."""
    if not statement.strip() or _ASKING.search(statement):
        return "The statement is empty, or asks something."
    if only_takes_back(statement):
        return "The statement only takes something back."
    if len(statement) > LONGEST:
        return f"The statement is longer than {LONGEST} characters."
    marked = _MARKUP.search(statement)
    return f"The statement has marks that no entry has inside: {marked.group()!r}." if marked else ""


class Case(NamedTuple):
    """An edit (of an empty text: an addition) with the sentences behind it, in one spelling; ``mine`` is all that the operator says there."""

    old: str
    new: str
    about: str
    told: tuple[str, ...]
    mine: tuple[str, ...]
    on: date
    stated: Read  # the entry's new words
    before: Read  # its present words
    above: Read  # the words above it in its file
    quoted: Read  # the sentences behind it
    said: Read  # all of the operator's own words in the message; his names, too, if he talks about himself
    brought: list[str]  # the words that the entry gains
    gone: list[str]  # the words that it loses

    def one(self, word: str) -> Read:
        """Return a word of the statement read alone; a name stays one."""
        return read(word, self.on)._replace(names=self.stated.names)


def _case_of(change: ProposedEdit, sentences: tuple[str, ...], mine: tuple[str, ...], spoken: Spoken) -> Case:
    on = spoken.on
    old, new, about = map(spelled, (change.old, change.new, change.about))
    before, stated, above = (read(text, on) for text in (old, new, about))
    behind = tuple(map(spelled, sentences))
    mine = tuple(map(spelled, mine))
    own = mine
    if tells_of_himself(" ".join(sentences)):
        own = (*mine, spoken.called)
    quoted, spoken_words = (read(" . ".join(each), on) for each in (behind, own))
    brought = lacking(stated, before)
    gone = lacking(before, stated)
    return Case(old, new, about, behind, mine, on, stated, before, above, quoted, spoken_words, brought, gone)


def changes_nothing(case: Case) -> str:
    """Say that the entry says so already."""
    if not case.old or case.brought or case.gone or _denials(case.old) != _denials(case.new):
        return ""
    was, now = (_denied(case, text) for text in (case.old, case.new))
    return "The entry says so already." if was == now and not _turns_round(case) else ""


def _turns_round(case: Case) -> bool:
    """Say whether the entry's words change places as in the operator's sentences: who manages whom."""
    common = set(case.quoted.items).intersection(case.stated.items)
    orders = []
    for items in (case.quoted.items, case.stated.items, case.before.items):
        orders.append(list(filter(common.__contains__, items)))
    return orders[0] == orders[1] != orders[2] and sorted(orders[1]) == sorted(orders[2])


def lacks_value(case: Case) -> str:
    """Name the first new value or name that the operator's message lacks."""
    telling = {value.shown for value in case.stated.values}
    if not case.stated.is_german:  # every noun has a capital there
        telling |= case.stated.names
    for item in unsaid(case):
        if item in telling:
            return _not_said(item)
    return ""


def lacks_word(case: Case) -> str:
    """Name the first new word that the message lacks and that is not mere wording."""
    for item in unsaid(case):
        if not (case.old and is_light(item)):
            return _not_said(item)
    return ""


def _not_said(item: str) -> str:
    return f"The operator's message does not say {item!r}. A line in its own words may be sent again."


def drops_subject(case: Case) -> bool:
    """Say whether the entry would lose a plain word that the message does not mention."""
    values = {value.shown for value in case.before.values}
    going = lacking(case.before, case.stated, case.said)
    return any(item not in values and not is_light(item) for item in going)


def unsaid(case: Case) -> list[str]:
    """Return a statement's new words that the operator does not say; the rest of a date comes from the entry.

    An addition may name the day of the message, unless his sentence names another.
    """
    more = Read(tuple(completed(case.said.values, case.before.values)), (), (), (), "")
    left_out = lacking(case.quoted, case.stated)
    drops_day = any("d" in value.kinds and value.shown in left_out for value in case.quoted.values)
    said_on = case.before
    if not case.old and not drops_day:
        said_on = read(case.on.isoformat(), case.on)
    return lacking(case.stated, case.said, said_on, more)


def turns_negation(case: Case) -> str:
    """Name the words that the statement denies and the operator does not, or the other way round."""
    stated = _parts(case.new, case.on)
    message_parts = list(chain.from_iterable(map(_parts, case.told, repeat(case.on))))
    for item in case.brought:
        here = _denials_of(case.one(item), stated)
        there = _denials_of(case.one(item), message_parts)
        if here and there and not here & there and not _keeps_denying(case, there):
            return _turned(item, is_denied=any(here))
    now = any(map(itemgetter(1), stated))
    if now == any(map(itemgetter(1), _parts(case.old, case.on))):
        return ""
    for reading, denials in message_parts:
        if bool(denials) is now and not set(case.stated.items) <= set(lacking(case.stated, reading)):
            return ""
    if now:
        return "The statement denies something that the operator does not deny."
    return "The operator denies something, and the statement denies nothing."


def _denials_of(item: Read, parts: Iterable[tuple[Read, int]]) -> set[int]:
    """Return the numbers of denials in the clauses with an item."""
    return {denials for reading, denials in parts if not lacking(item, reading)}


def goes_on_saying(case: Case) -> str:
    """Name the words that the operator denies and an entry still states, if it loses none and denies no more than before."""
    if case.gone or _denials(case.old) != _denials(case.new):
        return ""
    in_force = _denied(case, " . ".join(case.mine)) - _denied(case, case.new) - set(case.brought)
    for item in case.stated.items:
        if item in in_force and not is_light(item):
            return _turned(item, is_denied=False)
    return ""


def _keeps_denying(case: Case, there: set[int]) -> bool:
    """Say whether one value replaces another inside the entry's denial: `not over 300 lines`."""
    values = set(map(attrgetter("shown"), case.stated.values))
    is_value = bool(case.brought) and values.issuperset(case.brought)
    return bool(case.old) and not any(there) and is_value and _denials(case.old) == _denials(case.new) > 0


def _turned(item: str, *, is_denied: bool) -> str:
    if is_denied:
        return f"The statement has {item!r} in what it denies, and the operator has not."
    return f"The operator has {item!r} in what he denies, and the statement has not."


def _parts(text: str, on: date) -> list[tuple[Read, int]]:
    """Return the words of each clause, and its number of denials: `Without Hank, nobody` is neither once nor not at all."""
    small = signs.ORDER.sub("", text.lower())
    if _WHOLE_SENTENCE.search(small):
        return [(read(small, on), _denials(small, is_whole=True))]
    return [(read(part, on), _denials(part)) for part in clauses(text)]


def _denied(case: Case, text: str) -> set[str]:
    parts = _parts(text, case.on)
    return {item for item in case.stated.items if any(_denials_of(case.one(item), parts))}


def _denials(text: str, *, is_whole: bool = False) -> int:
    small = signs.ORDER.sub("", text.lower())
    all_of_it = len(_DENIES_ALL.findall(small)) if is_whole or _WHOLE_SENTENCE.search(small) else 0
    return len(signs.NOT.findall(small)) + all_of_it


def loses_value(case: Case) -> str:
    """Name a value or name that the entry would lose, with none of its kind in place and none in the message."""
    fresh = [value for value in case.stated.values if value.shown in case.brought]
    names = _names(case.before, lacking(case.before, case.stated, case.said))
    for value in case.before.values:
        if value.shown not in case.gone or not lacking(Read((value,), (), (), (), value.shown), case.said):
            continue
        same = next((each for each in fresh if each.kinds & value.kinds), None)
        if same is not None:
            fresh.remove(same)
        elif value.kinds == _LABEL:
            names.append(value.shown)
        else:
            return _lost(value.shown)
    return _lost(names[0]) if len(names) > len(_names(case.stated, case.brought)) else ""


def _names(text: Read, items: list[str]) -> list[str]:
    names = text.names.difference(map(attrgetter("shown"), text.values))
    return list(filter(names.__contains__, items))


def _lost(item: str) -> str:
    return f"The entry would no longer say {item!r}, and the operator does not speak of that."
