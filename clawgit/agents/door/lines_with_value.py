"""The lines of other files that still say the replaced value of a subject, also in a table or written shorter."""

from __future__ import annotations

from functools import partial
from itertools import filterfalse, repeat
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.undo.forgetting import StatementLine, lines_in, titles_in
from clawgit.memory.entries.statements import cells_of, row_statements
from clawgit.memory.notes import is_mail
from clawgit.memory.provenance.contrasts import CLAUSE_END, exchanged, place_of, with_number
from clawgit.recall.index.searched_files import is_of_the_past
from clawgit.text.comparing.subjects import shared_with, subject, telling
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.stopwords import LANGUAGES
from clawgit.understanding.corrections.fitted_line import has_stale_weekday
from clawgit.understanding.evidence.numbered_things import numbers_another
from clawgit.understanding.evidence.said_values import SaidValue, may_replace, same_value
from clawgit.understanding.evidence.said_words import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.git.trees import Tree

_STOPS = ".,:;"
_DIGITS = lazy_pattern(r"\d+")
_GROUPS = lazy_pattern(r"(?<=\d)[.,' ](?=\d{3}(?!\d))")  # `1.900`
_NUMBER = lazy_pattern(r"\d(?:[\d,.]*\d)?")
_FEWEST_DIGITS = 3  # of a number that is hardly another thing's
_NOUN = r"[^\W\d_]{3,}"
_OF = "(?:of|del?|du|des|della|dello|vom|von|van|der|do|da)(?: (?:the|our|my|la|el|los|las|der|dem|meine[rm]?|unsere[rm]?|het))?"
_BEFORE_KIND = lazy_pattern(rf"(?<![^\W_])(?=(?P<terms>{_NOUN})[ -](?P<kind>{_NOUN}))")
_BEHIND_OF = lazy_pattern(rf"(?P<kind>{_NOUN}) {_OF} (?P<terms>{_NOUN})")


class ReplacedValue(NamedTuple):
    """The only value that a correction replaced, the new one, and the telling words of the clauses about it."""

    gone: SaidValue
    came: SaidValue
    before: str  # as written
    after: str
    about: frozenset[str]
    beside: frozenset[str]  # those right before and behind it

    @property
    def is_plain(self) -> bool:
        """Say whether one word of the subject is enough beside the value: a date, or a long number."""
        if "d" in self.gone.kinds:
            return not _is_weekday(self.gone) and len(self.gone.shown.split()) > 1
        return len("".join(_DIGITS.findall(self.gone.shown))) >= _FEWEST_DIGITS


def lines_with_value(tree: Tree, before: str, after: str) -> Iterator[tuple[StatementLine, str]]:
    """Yield the lines with the replaced value and a telling word of its subject, each with its text as it is right.

    The text is empty where a weekday beside a date would be wrong. Files of the past, dated files, and mails are skipped.
    """
    exchange = _exchange_of(before, after)
    if exchange is None:
        return
    bare = _GROUPS.sub("", exchange.gone.shown.strip(_STOPS))
    needles = _DIGITS.findall(bare) or [bare]
    present = filterfalse(is_of_the_past, map(itemgetter(0), tree.files()))
    for line in lines_in(tree, paths=present):
        statement = line.text
        if not any(map(_GROUPS.sub("", statement.casefold()).__contains__, needles)):
            continue
        if is_mail(tree.read(line.path) or b"", line.path):
            continue
        value = _value_in(statement, exchange)
        if not value or numbers_another(before, statement, new=statement):
            continue  # `Room 9 costs 65` beside `Room 7 costs 65`
        if _is_about(tree, line, value, exchange):
            yield line, _with_new(statement, value, exchange)


def is_of_another(before: str, statement: str) -> bool:
    """Say whether a line is about another thing of a kind than the corrected one: the money review, not the kiln review."""
    own = telling(before)
    its = telling(statement)
    narrower = dict(_narrowed(statement))
    for kind, terms in _narrowed(before):
        others = narrower.get(kind)
        if others and terms and not (shared_with(terms, its) or shared_with(others, own)):
            return True
    return False


def _narrowed(text: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield the words of a text that others narrow, with these: `review` and `kiln`; of a row, its sign and the first cell."""
    yield frozenset("|"), telling(cells_of(text)[0])
    for pattern in (_BEFORE_KIND, _BEHIND_OF):
        for match in pattern.finditer(text):
            if telling(match["kind"]):  # what narrows it may be any word: the people review
                yield telling(match["kind"]), subject(match["terms"]).difference(*LANGUAGES)


def _exchange_of(before: str, after: str) -> ReplacedValue | None:
    was = read(before).values
    now = read(after).values
    gone = list(filterfalse(partial(_has, now), was))
    came = list(filterfalse(partial(_has, was), now))
    if len(gone) != 1 or len(came) != 1 or not may_replace(came[0], gone[0]):
        return None
    old = _written(before, gone[0])
    new = _written(after, came[0])
    if not old or not new:
        return None
    return ReplacedValue(gone[0], came[0], old, new, _about(before, gone[0]), _beside(before, old))


def _has(values: tuple[SaidValue, ...], value: SaidValue) -> bool:
    is_said = any(map(partial(same_value, value), values))
    return is_said or any(map(same_value, values, repeat(value)))


def _written(text: str, value: SaidValue) -> str:
    """Return a value as a text writes it, empty if it is not there exactly once."""
    shown = value.shown.strip(_STOPS)
    place = place_of(text, shown)
    if place is None or exchanged(text, shown, "") is None:
        return ""
    return text[place[0] : place[1]]


def _about(statement: str, value: SaidValue) -> frozenset[str]:
    """Return the telling words of a statement, without clauses that have another value of the kind, and without values."""
    words = []
    for clause in CLAUSE_END.split(statement):
        values = read(clause).values
        is_of_another = any(map(partial(may_replace, value), values))
        if _has(values, value) or not is_of_another:
            words.append(clause)
    return frozenset(filter(str.isalpha, telling(" ".join(words)))) - telling(value.shown)


def _beside(statement: str, value: str) -> frozenset[str]:
    head, _, rest = statement.partition(value)
    return telling(" ".join((*head.split()[-1:], *rest.split()[:1])))


def _value_in(statement: str, exchange: ReplacedValue) -> str:
    """Return the replaced value as a statement writes it, empty if it has none, several, or the new one."""
    values = read(statement).values
    same = []
    for each in values:
        is_of_kind = each.kinds & exchange.gone.kinds and _is_weekday(each) is _is_weekday(exchange.gone)
        if is_of_kind and _has((exchange.gone,), each):
            same.append(each)
    if len(same) != 1 or _has(values, exchange.came):
        return ""
    return _written(statement, same[0])


def _is_about(tree: Tree, line: StatementLine, value: str, exchange: ReplacedValue) -> bool:
    """Say whether a line is about the subject: half of its words, all of the line's own, the file's name and one more, or the word beside the value."""
    statement = line.text
    cell = next(filter(partial(place_of, old=value), row_statements(statement)), statement)
    own = _about(cell, exchange.gone)
    shared = shared_with(exchange.about, own)
    above: frozenset[str] = frozenset()
    for at, title in titles_in(tree, line.path):
        if at <= line.statement.first:
            above = frozenset(filter(str.isalpha, title))
    if not shared:
        is_date = exchange.is_plain and "d" in exchange.gone.kinds
        return is_date and bool(above) and shared_with(above, exchange.about) == above
    if len(shared_with(own, exchange.about)) == len(own):
        return True
    has_more = exchange.beside & _beside(statement, value) or shared_with(exchange.about, above) - shared
    if exchange.is_plain and has_more:
        return True
    may_be_another = len(shared) == 1 and not exchange.is_plain and not _is_weekday(exchange.gone)
    return 2 * len(shared) >= len(exchange.about) and not may_be_another


def _with_new(statement: str, value: str, exchange: ReplacedValue) -> str:
    """Return a statement with the new value in the spelling of its own, empty if that is unclear, or leaves the weekday of another date."""
    line = exchanged(statement, value, _new_value(value, exchange)) or ""
    if "d" in exchange.gone.kinds and has_stale_weekday(statement, line, ""):
        return ""
    return line


def _new_value(value: str, exchange: ReplacedValue) -> str:
    old = exchange.before.split()
    new = exchange.after.split()
    if len(old) == len(new):
        text = value
        for was, now in zip(old, new, strict=True):
            if was != now:
                text = exchanged(text, was, now) or ""
        if text:
            return text
    number = _NUMBER.search(exchange.after)
    if number and _NUMBER.fullmatch(value) and "n" in exchange.came.kinds:
        return number[0]
    return with_number(value, exchange.after)


def _is_weekday(value: SaidValue) -> bool:
    return ("d", None, None, None) in map(itemgetter(slice(4)), value.meanings)
