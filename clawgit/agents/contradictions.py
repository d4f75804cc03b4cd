"""Which two entries contradict each other, by rules; rules never decide between two names."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import filterfalse
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.git.trees import Tree, entry_files
from clawgit.history.provenance.trust_lookup import conflicts_known
from clawgit.memory.conflict_log import MARK, Contradiction, as_logged, with_superseded_marks
from clawgit.memory.entries.entries import Entry, read_entries
from clawgit.memory.entries.statements import parted
from clawgit.text.comparing.similarity import decided
from clawgit.text.comparing.subjects import subject
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.evidence.said_values import SaidValue, are_rivals, same_value
from clawgit.understanding.evidence.said_words import NOT, Read, is_light, lacking, read, spelled
from clawgit.understanding.forms.user_words import is_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from clawgit.history.git.repository import History

COMMON = 200  # entries; a more common term does not discriminate
SHARED = 0.5  # of the terms of the shorter text
MOST_LIKE = 10  # similar entries per entry
NEGATION = "one says that it is not so"
KNOWN = 20_000  # texts in the cache of readings
FEW = 4  # differing words, counting forms of one word
_DAY = "d"  # stands in for a date
# Words before a name of which a thing has only one: identity, name, place.
_ONE_NAME = lazy_pattern(
    r"(?i)(?:\b(?:is|'s|lives?|works?|based|located|stays?|called|named|bin|ist|hei(?:ß|ss)t|wohnt|arbeitet|liegt|sitzt"
    r"|es|est[áa]|soy|vive|trabaja|se llama)(?: (?:in|at|for|bei|en|para|der|die|the|el|la|dr\.?|mr\.?|mrs\.?|ms\.?|frau|herr))*"
    r"|\b(?:meets?|meetings? (?:is|are)|(?:is|are) held|takes? place|tagt) (?:in|at)(?: the)?"
    r"|住在|位于|名叫|叫|是|(?<![你我他她们])在)$"
)
_WHAT_KIND = lazy_pattern(r"(?i)^\S+ (?:is|bin|ist|es|soy)$")  # `Ana is …` gives a kind: a cook, Catholic
_ONE_ROLE = lazy_pattern(
    r"(?i)^(?:(?:is|ist|es) (?:the|der|die|el|la|(?:user|[\w]+)'s) \w|(?:leads?|manages?|owns?|runs?|chairs?|leitet|f[üu]hrt|dirige) \S)"
)
_NAME = lazy_pattern(r"(?:[A-ZÀ-ÖØ-Þ][^\W\d_]*(?:[-' .]+(?=[A-ZÀ-ÖØ-Þ])|$)){1,4}|[\u3400-\u9fff]{2,4}")
_KOREAN_NAME = lazy_pattern(r"([가-힣]{2,5}?)(?:에서?|이야|이다|입니다|예요|이에요|야)")
_KOREAN_TOPIC = lazy_pattern(r"[가-힣](?:은|는|이|가)$")
_TOLD = lazy_pattern(
    r"\b(?:is|are|was|costs?|ist|kostet|es|son|est|cuesta|co[ûu]te) $"
)  # followed by the value, not by what identifies the thing
_TOKEN = lazy_pattern(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+")


class StandingEntry(NamedTuple):
    """An entry with its place, and its statement as the log has it."""

    path: str
    entry: Entry
    statement: str

    @property
    def name(self) -> tuple[str, int]:
        """Return what identifies it in its tree: file and line."""
        return self.path, self.entry.first


class Pair(NamedTuple):
    """Two entries to compare."""

    a: StandingEntry
    b: StandingEntry

    @property
    def statements(self) -> frozenset[str]:
        """Return both statements, which identify the pair across trees and in the log."""
        return frozenset((self.a.statement, self.b.statement))


def standing_in(files: Mapping[str, bytes]) -> list[StandingEntry]:
    """Return every entry of some files."""
    entries = []
    for path, data in files.items():
        for entry in read_entries(data):
            entries.append(StandingEntry(path, entry, as_logged(parted(entry.text).statement)))
    return entries


def alike_pairs(
    entries: Sequence[StandingEntry],
    changed: Collection[str],
    more: Callable[[StandingEntry], Iterable[StandingEntry]],
) -> Iterator[Pair]:
    """Yield pairs of an entry with a ``changed`` statement and one similar to it or named by ``more``; each pair once."""
    alike = TextsByTerms([subject(each.statement) for each in entries])
    seen: set[frozenset[str]] = set()
    for number, one in enumerate(entries):
        if one.statement not in changed:
            continue
        near = [entries[other] for other in alike.like(number)]
        for other in (*near, *more(one)):
            pair = Pair(one, other)
            if len(pair.statements) > 1 and pair.statements not in seen:
                seen.add(pair.statements)
                yield pair


class TextsByTerms:
    """An index of texts by term, to compare each text only with those that share most terms."""

    def __init__(self, terms: Sequence[frozenset[str]]) -> None:
        self._terms = terms
        self._holding: dict[str, list[int]] = {}
        for number, each in enumerate(terms):
            for term in each:
                self._holding.setdefault(term, []).append(number)

    def like(self, number: int) -> list[int]:
        """Return the texts that share most of the shorter one's terms; among equals, those with a rarer shared term first."""
        terms = self._terms[number]
        holding = self._holding
        near: set[int] = set()
        for term in terms:
            if len(holding[term]) <= COMMON:
                near.update(holding[term])
        near.discard(number)
        ranked = []
        for other in near:
            others = self._terms[other]
            shared = terms & others
            # no `min`: with hundreds for each entry it takes as long as all the rest
            share = len(shared) / (len(terms) if len(terms) < len(others) else len(others))
            if share >= SHARED:
                ranked.append((-share, min(len(holding[term]) for term in shared), other))
        return [other for *_, other in sorted(ranked)[:MOST_LIKE]]


def difference(a: str, b: str, on: date) -> str:
    """Return the difference of two statements on one day if both cannot hold (`8443 / 9443`); empty if rules cannot tell.

    An addition behind a comma (`…, due on the 1st`) is not a difference.
    """
    differs = _difference(a, b, on)
    if not differs and (", " in a) != (", " in b):
        differs = _difference(a.partition(", ")[0], b.partition(", ")[0], on)
    return differs


def _difference(a: str, b: str, on: date) -> str:
    a, letters_of_a, one = _read(a, on)
    b, letters_of_b, other = _read(b, on)
    if one is None or other is None or letters_of_a != letters_of_b:
        return ""
    if _are_far_apart(one, other):
        return ""
    here = list(filterfalse(is_light, lacking(one, other)))
    there = list(filterfalse(is_light, lacking(other, one)))
    one_denies = _is_denied(a) != _is_denied(b)
    if not here and not there:
        return NEGATION if one_denies and _share(one, other) else ""
    if len(here) != 1 or len(there) != 1 or one_denies or not _share(one, other):
        return ""
    if not _exclude_each_other(one, other, (here[0], there[0])):
        return ""
    return f"{here[0]} / {there[0]}"


@lru_cache(maxsize=KNOWN)
def _read(text: str, on: date) -> tuple[str, list[str], Read | None]:
    text = spelled(text)
    words = (part.strip(".,:;!?()") for part in text.split())
    letters = [each for each in words if len(each) == 1 and each.isupper()]  # customer A is not customer B
    return text, letters, None if is_beside(text) else read(text, on)


def two_names(a: str, b: str) -> str:
    """Return the two names that two statements give one thing (`Berlin / Hamburg`); empty where more differs."""
    one, other = (_TOKEN.findall(spelled(text).rstrip(".。!")) for text in (a, b))
    same = _alike_at_start(one, other)
    after = _alike_at_start(one[same:][::-1], other[same:][::-1])
    names = [_spaced(tokens[same : len(tokens) - after]) for tokens in (one, other)]
    before = _spaced(one[:same])
    behind = _spaced(one[len(one) - after :])
    if all(map(_KOREAN_NAME.fullmatch, names)) and _KOREAN_TOPIC.search(before):
        return f"{names[0]} / {names[1]}"
    if not all(map(_NAME.fullmatch, names)):
        return ""
    is_one_thing = _ONE_NAME.search(before) is not None and _WHAT_KIND.match(before) is None
    if not before:
        is_one_thing = _ONE_ROLE.match(behind) is not None
    return f"{names[0]} / {names[1]}" if is_one_thing else ""


def _alike_at_start(one: list[str], other: list[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _spaced(tokens: list[str]) -> str:
    is_han = bool(tokens) and all(len(token) == 1 and token >= "\u3400" for token in tokens)
    return ("" if is_han else " ").join(tokens)


def _are_far_apart(one: Read, other: Read) -> bool:
    if len(set(one.words) ^ set(other.words)) > FEW:
        return True
    for here, there in ((one, other), (other, one)):
        new = [value for value in here.values if value.shown not in there.plain]
        if sum(not any(same_value(value, each) for each in there.values) for value in new) > 1:
            return True
    return False


def _share(one: Read, other: Read) -> bool:
    return bool(one.words) and len(lacking(one, other)) < len(one.items)


@lru_cache(maxsize=KNOWN)
def _is_denied(text: str) -> bool:
    return NOT.search(text.lower()) is not None


def _exclude_each_other(one: Read, other: Read, shown: tuple[str, str]) -> bool:
    """Say whether two items are opposites or exclusive values; a day or number may only identify the thing."""
    first = next((value for value in one.values if value.shown == shown[0]), None)
    second = next((value for value in other.values if value.shown == shown[1]), None)
    if first is None or second is None:
        return first is second and bool(decided(shown[0]) and decided(shown[1]))
    if not are_rivals(first, second):
        return False
    return not any(_tells_which(value, text) for value, text in ((first, one), (second, other)))


def _tells_which(value: SaidValue, text: Read) -> bool:
    place = re.search(rf"(?<!\d){re.escape(value.shown)}(?!\d)", text.plain)
    before, behind = (text.plain[: place.start()], text.plain[place.end() :]) if place else (text.plain, "")
    if _DAY in value.kinds:
        return not any(word in before for word in text.words)
    is_bare = not any(any(meaning[2:]) for meaning in value.meanings)
    return is_bare and _TOLD.search(before) is None and any(item in behind for item in text.items)


def standing(conflicts: Iterable[Contradiction], entries: Iterable[StandingEntry]) -> list[Contradiction]:
    """Return the conflicts whose two entries are unchanged since they were logged."""
    there = {(each.entry.entry_id, each.statement) for each in entries}
    stand = []
    for conflict in conflicts:
        if {(party.entry_id, party.statement) for party in (conflict.a, conflict.b)} <= there:
            stand.append(conflict)
    return stand


def marked_files(files: Mapping[str, bytes], conflicts: Sequence[Contradiction]) -> dict[str, bytes]:
    """Return the files with a mark on exactly the entries that lost a conflict."""
    there = standing(conflicts, standing_in(files)) if conflicts else []
    losers = {each.loser.entry_id: each.conflict_id for each in there if each.loser is not None}
    return {path: with_superseded_marks(data, losers) for path, data in files.items()}


def find_conflict(history: History, name: str) -> Contradiction:
    """Return the conflict of that name, with or without `k:`."""
    conflict_id = name.removeprefix(MARK)
    for each in conflicts_known(history, history.tip().tree):
        if each.conflict_id == conflict_id:
            return each
    hint = "`clawgit conflicts list --all` lists them."
    raise ClawgitError(f"There is no conflict k:{conflict_id}.", hint=hint)


def entry_texts(tree: Tree) -> dict[str, bytes]:
    """Return the files of a tree that have entries."""
    return {path: tree.read(path) or b"" for path in entry_files(tree)}
