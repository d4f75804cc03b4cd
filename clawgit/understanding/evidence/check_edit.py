"""What level of trust the operator's own message gives one edit of memory: the same check for rules, models and hosts.

Pure. The reader only points at sentences; clawgit cuts them, and they go with what is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.provenance.readings import changes_one_value, is_verbatim
from clawgit.memory.trust import HOST, OPERATOR, UNDERSTOOD
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence import hard_checks
from clawgit.understanding.evidence.hard_checks import Case
from clawgit.understanding.evidence.own_sentences import (
    IS_QUESTION,
    IS_REPORT,
    no_statement,
    own_sentences,
    sentences_with,
)
from clawgit.understanding.evidence.said_words import lacking, read

if TYPE_CHECKING:
    from datetime import date

LONGEST = 600  # characters of a statement
_MARKUP = lazy_pattern(
    r"<!--|-->|[\n\r\x00-\x08\x1b\u2028\u2029]|^\s*(?:#{1,6}\s|[-*+>]\s|\d+[.)]\s|```|---)|\b[mx]:[0-9a-z]{6}\b|</?[a-z]\w*[ >/]|!?\[[^\]]*\]\("
)
_ASKING = lazy_pattern(r"[?？]\s*$")


class Spoken(NamedTuple):
    """The operator's message that is to carry an edit; ``on`` is its local date."""

    text: str
    on: date


class Proposal(NamedTuple):
    """One edit: what an entry says now (empty: an addition), what it should say, and words of the message that say so."""

    old: str
    new: str
    quote: str = ""


class Ground(NamedTuple):
    """What a message gives an edit: a level of trust (empty: none) and the whole sentences of the message behind it.

    ``says``: why the level is no higher than the host's; ``is_question``: worth asking the operator;
    ``may_be_confirmed``: in force as a reading where a second reader finds it, too.
    """

    level: str
    quote: str = ""
    says: str = ""
    is_question: bool = False
    may_be_confirmed: bool = False


def ground_of(proposal: Proposal, spoken: Spoken) -> Ground:
    """Return what a message gives an edit or an addition; the first check that objects is heard."""
    own = own_sentences(spoken.text)
    if says := unfit(proposal.new):
        return Ground("", " ".join(own), says)
    told = _told(proposal, own, spoken.on)
    if not told:
        return Ground(
            "", " ".join(own), "The quote does not stand in the operator's own words in that message."
        )
    quote = " ".join(told)
    case = Case.of((proposal.old, proposal.new), told, own, spoken.on)
    report = _no_saying(told, proposal.new)
    objection = _to_an_edit(case, quote, report) if proposal.old else _to_an_addition(case, quote, report)
    return objection or Ground(OPERATOR if _is_his_own(proposal, case, own) else UNDERSTOOD, quote)


def _to_an_addition(case: Case, quote: str, report: str) -> Ground | None:
    if says := report or hard_checks.turns_negation(case):
        return Ground("", quote, says)
    if says := hard_checks.lacks_word(case):
        return Ground(HOST if hard_checks.may_be_the_hosts(case) else "", quote, says)
    return None


def _to_an_edit(case: Case, quote: str, report: str) -> Ground | None:
    """Return why an edit is not in force: where words are not his, a value goes or a denial is elsewhere, a second reader may find it."""
    if says := hard_checks.changes_nothing(case) or hard_checks.lacks_value(case):
        return Ground("", quote, says)
    loss = hard_checks.loses_value(case)
    is_his = hard_checks.is_nearly_his(case)
    if report:
        return Ground("", quote, report, is_question=not loss)
    if says := hard_checks.turns_negation(case):
        return Ground("", quote, says, not loss, is_his and hard_checks.denies_as_well(case))
    if says := loss or hard_checks.lacks_word(case):
        return Ground("", quote, says, not loss, is_his)
    return None


def _no_saying(told: tuple[str, ...], statement: str) -> str:
    """Return why sentences say nothing of their own: one tells what somebody else said, or all of them ask."""
    senses = [no_statement(sentence, statement) for sentence in told]
    if IS_REPORT in senses:
        return f"{' '.join(told)[:80]!r} {IS_REPORT}."
    return f"{' '.join(told)[:80]!r} {IS_QUESTION}." if set(senses) == {IS_QUESTION} else ""


def _told(proposal: Proposal, own: tuple[str, ...], on: date) -> tuple[str, ...]:
    """Return the sentences that a quote points at, and those that say what these lack of what is new."""
    pointed = sentences_with(proposal.quote, own) if proposal.quote.strip() else ()
    if proposal.quote.strip() and not pointed:
        return ()
    return _saying_most(proposal, own, pointed, on)


def _saying_most(
    proposal: Proposal, own: tuple[str, ...], chosen: tuple[str, ...], on: date
) -> tuple[str, ...]:
    """Return the fewest sentences, those chosen among them, that say most of what is new in a statement."""
    stated, before = read(proposal.new, on), read(proposal.old, on)
    taken = list(chosen)
    left = len(lacking(stated, before, *(read(each, on) for each in taken)))
    while rest := [each for each in own if each not in taken]:
        most = min(
            rest, key=lambda each: len(lacking(stated, before, *(read(one, on) for one in (*taken, each))))
        )
        lacks = len(lacking(stated, before, *(read(each, on) for each in (*taken, most))))
        if taken and lacks >= left:
            break
        left, taken = lacks, [*taken, most]
    return tuple(each for each in own if each in taken)


def _is_his_own(proposal: Proposal, case: Case, own: tuple[str, ...]) -> bool:
    """Say whether it is the operator's own word: his sentence, or one value that a sentence of his states."""
    stating = tuple(each for each in case.told if not no_statement(each, ""))
    if is_verbatim(proposal.new, " ".join(stating)) and not hard_checks.drops_subject(case):
        return True
    if not changes_one_value(proposal.old, proposal.new, " ".join(own)):
        return False
    before = {value.text for value in values_in(proposal.old)}
    came = [value.text for value in values_in(proposal.new) if value.text not in before]
    return any(came[0].casefold() in each.casefold() for each in stating)


def quote_of(proposal: Proposal, spoken: Spoken) -> str:
    """Return the whole sentences of his own that a proposal rests on, all that he says himself where there are none."""
    return ground_of(proposal, spoken).quote


def unfit(statement: str) -> str:
    """Return why a text is no statement that an entry may make, empty where it is."""
    if not statement.strip() or _ASKING.search(statement):
        return "The statement is empty, or asks something."
    if len(statement) > LONGEST:
        return f"The statement is longer than {LONGEST} characters."
    marked = _MARKUP.search(statement)
    return f"The statement has marks that no entry has inside: {marked.group()!r}." if marked else ""
