"""What an operator's message corrects: one thing in the one entry that it is about. Pure; nothing is invented.

Values come from the operator's message, all other words from the entry. What is not plain is asked, noted or left alone; a
question needs what both are about, and a word for it that something is wrong: nobody wants to be asked in vain.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.write_correction import HIGH, Exchange, Held, Righting, Verdict
from clawgit.memory.entries.statements import clauses_of, sentences_of
from clawgit.text.comparing.fact_words import found
from clawgit.text.comparing.similarity import facts_differ, words
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.common_words import is_common
from clawgit.text.words.stopwords import ENGLISH
from clawgit.understanding.corrections.asserted_text import (
    ORDERING,
    POINTING,
    STRONG,
    UNSURE,
    bare_end,
    bare_value,
    names_wrong,
    right_statement,
    without_lead,
)
from clawgit.understanding.corrections.corrected_statement import (
    ANY_THING,
    TELLING,
    is_about,
    is_of_the_other,
    is_same,
    put_right,
    reads_on,
)
from clawgit.understanding.corrections.exchanged_values import (
    contrasted,
    contrasts_in,
    exchanged_all,
    place_of,
    swapped,
)
from clawgit.understanding.evidence.check_edit import Proposal, Spoken, objection_to
from clawgit.understanding.evidence.own_sentences import no_statement
from clawgit.understanding.facts.first_person import as_remembered
from clawgit.understanding.forms.phrase_forms import INCIDENTAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NEXT = re.compile(r"[\s-]?([a-z]+)")
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_YEAR = re.compile(r"(?:19|20)\d\d")
# A number may be told with more or less around it: `3` and `3 hours`, `12 May` and `the 12th`.
_NUMBERS = frozenset(ValueKind) - {ValueKind.NAME, ValueKind.LINK, ValueKind.MAIL, ValueKind.CODE}


def is_sensible(entry: str, line: str, told: str = "") -> bool:
    """Say whether a person would ask if an entry shall become a line, because of what was ``told``."""
    is_equal = words(entry) == words(line) and not facts_differ(entry, line)
    return not is_equal and not _drops(entry, line) and not _changes_unit(entry, line, told)


def _drops(entry: str, line: str) -> bool:
    """Say whether a value is gone, and none of its kind came."""
    before = _kinds_in(entry)
    after = _kinds_in(line)
    after["number"] = max(after["number"], len(_DIGITS.findall(line)))
    return any(after[kind] < number for kind, number in before.items())


def _kinds_in(text: str) -> Counter[str]:
    return Counter("number" if value.kind in _NUMBERS else value.kind.value for value in values_in(text))


def _changes_unit(entry: str, line: str, told: str) -> bool:
    """Say whether a number took the place of one of something else: `13 pages` that of the year in `the 2027 calendar`."""
    old = [value for value in values_in(entry) if value.kind is ValueKind.NUMBER and value.text not in line]
    new = [value for value in values_in(line) if value.kind is ValueKind.NUMBER and value.text not in entry]
    if len(old) != 1 or len(new) != 1:
        return False
    if (_YEAR.fullmatch(old[0].text) is None) != (_YEAR.fullmatch(new[0].text) is None) and not told:
        return True
    old_unit = _unit(entry, old[0].end)
    new_unit = _unit(line, new[0].end)
    if old_unit and new_unit and old_unit != new_unit:
        return True
    number = next((value for value in values_in(told) if value.text == new[0].text), None)
    unit = _unit(told, number.end) if number is not None else ""
    return unit not in ("", new_unit)


def _unit(text: str, end: int) -> str:
    found = _NEXT.match(text, end)
    return "" if found is None or found[1] in ENGLISH else found[1]


FEW = 150  # of so many words of all entries, one may be a word that tells which is meant
TWO_OF_THEM = 2  # so many may have it in any memory: either may be meant
DIGITS = 3  # a shorter number tells nothing: `for 4 years`
MOST_ALIKE = 3  # so many may be meant alike; of more, none is asked about
LINE = 4  # so much likelier is an entry that the message has a value for
LONGEST = 25  # words of a sentence that says one thing
_GENERIC = ANY_THING | INCIDENTAL | TELLING
_CHANGED = re.compile(
    r"(?i)\b(?:no longer|any ?more|used to|moved?|changed?|switch(?:ed)?|instead|left|outdated|now)\b"
    r"|[不没沒](?:再|是|在|用|住)|换|換|改|现在|現在|以前|말고|이제|바뀌|바꿨|옮겼|그만"
)
# Of the agent, or what was talked about: `you forgot my birthday`, `I told you how to do it`.
_NO_STATEMENT = re.compile(
    r"(?i)(?:you|we (?:already )?talked|how|what|when|where|who|why|which|about)\b|[你您]|.*(?:잊|까먹)"
)


class _Way(NamedTuple):
    """How an entry may read, what gives way for it, and whether that is a contrast or a value that no other word looks like."""

    line: str
    gone: str
    is_strong: bool = False


class _Link(NamedTuple):
    """How many words a text and an entry share, how many of these few entries have, and whether they tell which is meant."""

    shared: int
    rare: int
    is_telling: bool


class Candidate(NamedTuple):
    """An entry, how likely it is meant, and what it may have to say; ``is_alone``: no other is as likely."""

    score: int
    held: Held
    line: str
    is_known: bool = False  # it says so already
    is_alone: bool = True


def likeliest(exchange: Exchange, told: str, entries: Sequence[Held]) -> Candidate | None:
    """Return the entry that a sentence most likely means, and what it may have to say; None where nothing tells."""
    if is_in_doubt(told):
        return None
    held_by = Counter(term for held in entries for term in subject(held.parts.statement))
    before = answered(told, next(iter(exchange.before), ""))
    found = [
        each
        for held in entries
        for each in _candidates(exchange, told, held, held_by, before)
        if not each.line or is_sensible(held.parts.statement, each.line, told)
    ]
    most = max((each.score for each in found), default=0)
    best = [each for each in found if each.score == most]
    count = len({each.held.parts.statement for each in best})
    return best[0]._replace(is_alone=count == 1) if 0 < count <= MOST_ALIKE and not best[0].is_known else None


def answered(told: str, said: str) -> list[str]:
    """Return the clauses of what was said before that a sentence most likely answers: it can set them right, and shares most."""
    every = clauses_of(said)
    fit = [each for each in every if put_right(each, told) is not None] or every
    most = max((len(subject(told) & subject(each)) for each in fit), default=0)
    return [each for each in fit if len(subject(told) & subject(each)) == most]


def _candidates(
    exchange: Exchange, told: str, held: Held, held_by: Counter[str], before: Sequence[str]
) -> Iterator[Candidate]:
    """Yield what an entry may have to say after a sentence: with one thing of it changed, or else the sentence."""
    statement, said = held.parts.statement, "\n".join(before)
    is_wrong = exchange.confidence == HIGH or names_wrong(told)
    is_denied = any(place_of(statement, bare_value(old)) for old, _ in contrasts_in(told))
    is_sure = is_wrong or is_denied or _CHANGED.search(told) is not None
    link, known = (_link(text, statement, held_by) for text in (told, said))
    score = 2 * link.shared + link.rare + known.shared
    fresh = [value.text for value in values_in(told) if value.kind in STRONG]
    if fresh and all(value in statement for value in fresh) and _days_in(told) <= _days_in(statement):
        yield Candidate(score + known.rare + LINE, held, "", is_known=True)
    if _was_another(told, statement):
        return
    is_contrary = is_wrong or without_lead(told) not in (told, bare_end(told))
    is_answer = is_contrary and any(is_same(subject(each), subject(statement)) for each in before)
    is_meant = is_sure or without_lead(exchange.told) != exchange.told  # the cue may be a sentence before
    for way in _ways(statement, told):
        about = link if way.gone not in said or _is_likely(way, link, is_sure=is_meant) else known
        if way.line != statement and (is_answer or _is_likely(way, about, is_sure=is_meant)):
            yield Candidate(score + known.rare + LINE, held, way.line)
    clause = whole_statement(told)
    is_said = link.is_telling and bool(right_statement(told) or names_wrong(told))
    # What has a subject is no answer.
    is_bare = not right_statement(told) or POINTING.match(clause) is not None
    if (is_said and (is_sure or (is_contrary and _says_other(clause, statement)))) or (is_answer and is_bare):
        is_of_it = bool(subject(clause) & subject(statement))  # `it's on the desk` is no line by itself
        yield Candidate(score, held, as_remembered(clause) if is_of_it else "")


def _days_in(text: str) -> set[str]:
    """Return the days and months that a text names: `April 2027` is not `March 2027`, though the number is the same."""
    return {each for each in found(text.casefold(), words(text)) if each.startswith(("day ", "month "))}


def _was_another(told: str, statement: str) -> bool:
    """Say whether a sentence names the value that was wrong, and a statement has none such: `9865, not 4402`."""
    wrong = [bare_value(old) for old, _ in contrasts_in(told)]
    values = [value.text for each in wrong for value in values_in(each) if value.kind in STRONG]
    return bool(values) and all(place_of(statement, value) is None for value in values)


def _says_other(clause: str, statement: str) -> bool:
    """Say whether a clause has a word that a statement lacks, or decides something else: `not`, an amount, a day."""
    decided, known = (found(text, words(text)) for text in (clause.casefold(), statement.casefold()))
    return decided != known or not subject(clause) <= subject(statement)


def whole_statement(told: str) -> str:
    """Return what he says is so, empty where a sentence only tells the agent what it did, or names what was said."""
    clause = right_statement(told)
    return "" if _NO_STATEMENT.match(clause) else clause


def is_in_doubt(told: str) -> bool:
    """Say whether a sentence asks, orders, wishes or guesses, or is longer than one that says one thing."""
    is_long = len(words(told)) > LONGEST
    return bool(is_long or ORDERING.match(told) or UNSURE.search(told) or no_statement(told, ""))


def _link(text: str, statement: str, held_by: Counter[str]) -> _Link:
    both = (subject(text) - _GENERIC) & subject(statement)
    shared = [term for term in both if len(term) >= DIGITS or not term.isdigit()]
    rare = [term for term in shared if held_by[term] <= max(TWO_OF_THEM, held_by.total() // FEW)]
    return _Link(len(shared), len(rare), bool(rare) and (len(shared) > 1 or not is_common(rare[0])))


def _is_likely(way: _Way, link: _Link, *, is_sure: bool) -> bool:
    """Say whether a change is worth a question: what is shared tells which entry is meant, or it is surely wrong."""
    return (link.is_telling and (way.is_strong or is_sure)) or bool(link.rare and is_sure)


def _ways(statement: str, told: str) -> Iterator[_Way]:
    """Yield how a statement may read with one thing of it changed: a contrast, or one value of a kind."""
    found = contrasted(statement, told)
    if found is not None:
        start, end, new = found
        old, line = statement[start:end], statement[:start] + new + statement[end:]
        if reads_on(statement, line, ((old, new),)):
            yield _Way(line, old, is_strong=True)
    for clause in clauses_of(statement):
        righted = put_right(clause, told)
        if righted is not None:
            yield _Way(statement.replace(clause, righted.correct, 1), righted.exchanges[0][0])
    pairs = swapped(statement, told)
    if len(pairs) == 1:
        ((gone, came),) = pairs
        line = statement[: gone.start] + came.text + statement[gone.end :]
        yield _Way(line, gone.text, is_strong=gone.kind in STRONG)


NOTHING = Verdict(Status.LOGGED)


def judge(exchange: Exchange, entries: Sequence[Held]) -> Verdict:
    """Return what an exchange corrects, asks or notes, of the entries of memory."""
    remembered = {tuple(words(held.parts.statement)) for held in entries}
    sentences = [each for each in sentences_of(exchange.told) if tuple(words(each)) not in remembered]
    stating = [each for each in sentences if right_statement(each, least=1)]
    meant: list[Candidate] = []
    edits: dict[str, tuple[Held, str]] = {}
    plain: list[str] = []
    for sentence in stating or filter(names_wrong, sentences):
        candidate = likeliest(exchange, sentence, entries)
        if candidate is None:
            continue
        meant.append(candidate)
        if _is_plain(exchange, sentence, candidate, entries):
            plain.append(sentence)
            edits[candidate.held.parts.statement] = (candidate.held, candidate.line)
    silent = " ".join(each for each in stating if each not in plain)
    is_all = all(each.held.parts.statement in edits for each in meant) and len(edits) == len(plain)
    if edits and is_all and not contrasts_in(silent):
        held, line = next(iter(edits.values()))
        return Verdict(Status.APPLIED, held.parts.statement, line, tuple(edits.values()))
    if meant:
        likely = max(meant, key=lambda each: each.score)
        return Verdict(Status.OPEN, likely.held.parts.statement, asks=(likely.held, likely.line))
    return _noted(exchange, stating[0]) if stating else NOTHING


def _is_plain(exchange: Exchange, told: str, candidate: Candidate, entries: Sequence[Held]) -> bool:
    """Say whether a line is the one entry with a value corrected that the sentence names, and the sentence carries it."""
    statement = candidate.held.parts.statement
    ways = ((clause, put_right(clause, told)) for clause in clauses_of(statement))
    made = [(c, way) for c, way in ways if way and exchanged_all(statement, way.exchanges) == candidate.line]
    if not candidate.is_alone or not made or not _is_meant(exchange, told, *made[0]):
        return False
    others = tuple(held.parts.statement for held in entries)
    spoken = Spoken(exchange.told, exchange.before, date.min.replace(year=2000))
    return objection_to(Proposal(statement, candidate.line, told, others), spoken) is None


def _is_meant(exchange: Exchange, told: str, clause: str, righted: Righting) -> bool:
    """Say whether a sentence names what a clause is about, or answers the one statement of the agent's that is about it."""
    last = next(iter(exchange.before), "")
    if (subject(told) - ANY_THING - subject(righted.values)) & subject(clause):
        return not is_of_the_other(last, clause)
    meant = answered(told, last)
    return len(meant) == 1 and is_about(clause, meant[0], righted)


def _noted(exchange: Exchange, told: str) -> Verdict:
    """Return the whole statement behind a `you forgot that`, word for word as he says it; nothing where it is none."""
    statement = whole_statement(told)
    is_strong = exchange.confidence == HIGH and not folded(told).startswith(statement)
    is_said = is_strong and not (is_in_doubt(statement) or POINTING.match(statement))
    return Verdict(Status.LOGGED, "", statement) if is_said else NOTHING
