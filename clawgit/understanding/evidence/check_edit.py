"""Whether the operator's own words carry one edit of memory: the same check for rules, models, hosts and his assisted answers.

Pure. Values, names, verbs and a `not` come from his message; what only names the subject may come from elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence import edit_checks, subject_checks
from clawgit.understanding.evidence.edit_checks import TURNS, Case
from clawgit.understanding.evidence.own_sentences import no_statement, own_sentences, sentences_with
from clawgit.understanding.evidence.said_words import lacking, read, spelled
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from datetime import date

LONGEST = 600  # characters of a statement
_MARKUP = lazy_pattern(
    r"<!--|-->|[\n\r\x00-\x08\x1b\u2028\u2029]|^\s*(?:#{1,6}\s|[-*+>]\s|\d+[.)]\s|```|---)|\b[mx]:[0-9a-z]{6}\b|</?[a-z]\w*[ >/]|!?\[[^\]]*\]\("
)
_ASKS = lazy_pattern(r"[?？]\s*$")


CHECKS = (  # the first that objects is heard
    edit_checks.changes_nothing, edit_checks.misses_words, edit_checks.invents_sense, edit_checks.invents_not, edit_checks.loses_not,
    edit_checks.loses_words, subject_checks.changes_subject, subject_checks.is_about_another, edit_checks.drops_name,
    edit_checks.drops_limit, edit_checks.keeps_outdated, edit_checks.mixes_up, edit_checks.says_twice,
    subject_checks.tells_of_the_past, subject_checks.names_another_subject, subject_checks.changes_kind,
)  # fmt: skip


class Spoken(NamedTuple):
    """The operator's message that is to carry an edit; ``before`` are the agent's turns before it, the latest first; ``on`` is its local date."""

    text: str
    before: tuple[str, ...]
    on: date


class Proposal(NamedTuple):
    """One edit: what an entry says now (empty: an addition), what it should say, and the words of the message that say so.

    ``others`` are the statements of memory, which tell of whom it speaks.
    """

    old: str
    new: str
    quote: str
    others: tuple[str, ...] = ()


class Objection(NamedTuple):
    """Why the message does not carry the edit: ``says`` is a sentence that names the missing word; ``is_question``: worth asking the operator."""

    says: str
    is_question: bool = True


def objection_to(proposal: Proposal, spoken: Spoken) -> Objection | None:
    """Return why a message does not carry an edit, None where it does."""
    if says := unfit(proposal.new):
        return Objection(says, is_question=False)
    own = own_sentences(spoken.text)
    quote = proposal.quote.strip() or quote_for(proposal.new, spoken)
    told = sentences_with(quote, own)
    if not told:
        return Objection(
            "The quote does not stand in the operator's own words in that message.", is_question=False
        )
    for sentence in told:
        if sense := no_statement(sentence, proposal.new):
            return Objection(
                f"The sentence {sentence[:80]!r} {sense}, so it does not say that something is so."
            )
    before = tuple(spelled(own_words(turn)) for turn in spoken.before[:TURNS])
    old, new, said, mine = map(spelled, (proposal.old, proposal.new, " . ".join(told), " . ".join(own)))
    case = Case(old, new, said, mine, before, spoken.on, proposal.others)
    says = next(filter(None, (check(case) for check in CHECKS)), "")
    return Objection(says) if says else None


def quote_for(proposal_new: str, spoken: Spoken) -> str:
    """Return the sentences of the operator's own that say most of a statement, empty where he says nothing himself."""
    stated = read(proposal_new, spoken.on)
    left, chosen = len(stated.items), list[str]()
    sentences = own_sentences(spoken.text)
    for _ in sentences:
        most = min(
            (each for each in sentences if each not in chosen),
            key=lambda each: len(lacking(stated, *(read(one, spoken.on) for one in (*chosen, each)))),
        )
        lacks = len(lacking(stated, *(read(one, spoken.on) for one in (*chosen, most))))
        if chosen and lacks >= left:
            break
        left, chosen = lacks, [*chosen, most]
    return " ... ".join(each for each in sentences if each in chosen)


def said_by_himself(proposal: Proposal, spoken: Spoken) -> str:
    """Return the sentences that hold the quote, or all that the operator says himself where it is in none."""
    own = own_sentences(spoken.text)
    return " ".join(sentences_with(proposal.quote or quote_for(proposal.new, spoken), own) or own)


def unfit(statement: str) -> str:
    """Return why a text is no statement that an entry may make, empty where it is."""
    if not statement.strip() or _ASKS.search(statement):
        return "The statement is empty, or asks something."
    if len(statement) > LONGEST:
        return f"The statement is longer than {LONGEST} characters."
    marked = _MARKUP.search(statement)
    return f"The statement has marks that no entry has inside: {marked.group()!r}." if marked else ""
