"""CONFLICTS.md: pairs of contradicting entries, the rules for which one holds, and the mark on the loser. Pure."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import Tag, read_entries, with_superseded
from clawgit.memory.entries.tiers import MAY_HOLD
from clawgit.memory.provenance.pieces import CORRECTION, Piece
from clawgit.memory.trust import OPERATOR, UNDERSTOOD
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.block_structure import trim_blank
from clawgit.text.markdown.lines import gap_below, line_end, split_lines
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

MARK = "k:"
_HEADING = lazy_pattern(r"## (?P<at>.*?)\s*<!--\s*k:(?P<id>[0-9a-z]+)\s*-->\s*")
_FIELD = lazy_pattern(r"- (?P<key>a|b|differs|rule|outcome|reason): ?(?P<value>.*)")
_PARTY = lazy_pattern(r"m:(?P<id>[0-9a-z]+), (?P<on>[\d-]*), (?P<trust>\w+): (?P<text>.*)")
APART = timedelta(days=30)  # at least
_DATED = frozenset({Tag.EVENT, Tag.KNOWLEDGE, Tag.DECISION})
_MARKED = b"superseded:"


class Outcome(Enum):
    """The outcome of a conflict."""

    OPEN = "open"  # the operator decides
    A = "a holds"
    B = "b holds"
    BOTH = "both hold"


class Party(NamedTuple):
    """One of two entries: its id without `m:`, statement, date of the words, and trust."""

    entry_id: str
    statement: str
    on: str
    trust: str


class Contradiction(NamedTuple):
    """Two entries that cannot both hold: ``differs`` in what, by which ``rule``; its lines are 0-based, end exclusive."""

    conflict_id: str
    at: str
    a: Party
    b: Party
    differs: str
    rule: str
    outcome: Outcome
    reason: str = ""
    first: int = 0
    last: int = 0

    @property
    def loser(self) -> Party | None:
        return {Outcome.A: self.b, Outcome.B: self.a}.get(self.outcome)

    @property
    def winner(self) -> Party | None:
        return {Outcome.A: self.a, Outcome.B: self.b}.get(self.outcome)

    @property
    def statements(self) -> frozenset[str]:
        return frozenset((self.a.statement, self.b.statement))


def as_logged(statement: str) -> str:
    """Return a statement in the log's form: one line, without comment signs."""
    return folded(statement).replace("<!--", "<! --").replace("-->", "-- >")


def read_conflicts(data: bytes) -> list[Contradiction]:
    """Return the conflicts in order of their lines; of a duplicate id, the first."""
    conflicts: dict[str, Contradiction] = {}
    for _, conflict in _blocks(data):
        conflicts.setdefault(conflict.conflict_id, conflict)
    return list(conflicts.values())


def conflict_ids(data: bytes) -> list[str]:
    """Return the ids of all headings of conflicts, also of unreadable ones."""
    text = data.decode("utf-8", "replace")
    return list(dict.fromkeys(head["id"] for head in map(_HEADING.fullmatch, text.splitlines()) if head))


def conflict_pieces(data: bytes) -> dict[Piece, Contradiction]:
    """Return each conflict as one piece: a change of any line makes its author the origin of all of it."""
    pieces = {}
    for words, conflict in _blocks(data):
        pieces[Piece(" ".join(words.split()), CORRECTION, MARK + conflict.conflict_id)] = conflict
    return pieces


def with_conflict(data: bytes, conflict: Contradiction) -> bytes:
    """Return ``data`` with a conflict, replacing the one with its id, else at the end; the rest stays byte for byte."""
    end = line_end(data)
    lines = split_lines(data)
    fields = {
        "a": _shown(conflict.a),
        "b": _shown(conflict.b),
        "differs": conflict.differs,
        "rule": conflict.rule,
        "outcome": conflict.outcome.value,
        "reason": conflict.reason,
    }
    head = f"## {folded(conflict.at)} <!-- {MARK}{conflict.conflict_id} -->"
    items = (f"- {key}: {as_logged(value)}" for key, value in fields.items() if value)
    new = "\n".join((head, "", *items, "")).encode("utf-8", "surrogateescape").replace(b"\n", end)
    for old in read_conflicts(data):
        if old.conflict_id == conflict.conflict_id:
            return b"".join([*lines[: old.first], new, *lines[trim_blank(lines, old.first, old.last) :]])
    if data.strip():
        data += gap_below(data, end)
    return data + new


def _blocks(data: bytes) -> Iterator[tuple[str, Contradiction]]:
    """Yield the text and the parsed form of each conflict; unreadable ones are skipped."""
    if MAY_HOLD not in data:
        return
    lines = [line.decode("utf-8", "surrogateescape") for line in split_lines(data)]
    starts = [at for at, line in enumerate(lines) if line.startswith("#")]
    for first, last in zip(starts, [*starts[1:], len(lines)], strict=True):
        heading = _HEADING.fullmatch(lines[first].rstrip())
        fields = defaultdict[str, str](str)
        for line in lines[first + 1 : last]:
            if field := _FIELD.fullmatch(line.rstrip()):
                fields.setdefault(field["key"], field["value"])
        a = _party(fields["a"])
        b = _party(fields["b"])
        if heading is None or a is None or b is None:
            continue
        outcomes = {outcome.value: outcome for outcome in Outcome}
        outcome = outcomes.get(fields["outcome"], Outcome.OPEN)
        words = "".join(lines[first:last]).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        yield words, Contradiction(
            heading["id"], heading["at"], a, b,
            fields["differs"], fields["rule"], outcome, fields["reason"], first, last,
        )  # fmt: skip


def _party(value: str) -> Party | None:
    match = _PARTY.fullmatch(value)
    return None if match is None else Party(match["id"], match["text"], match["on"], match["trust"])


def _shown(party: Party) -> str:
    return f"m:{party.entry_id}, {party.on}, {party.trust}: {party.statement}"


class ConflictClaim(NamedTuple):
    """The input of a ruling; ``dated`` is a day in the text: an old fact may be written down today."""

    on: date
    trust: str
    tag: Tag | None
    is_correction: bool = False
    dated: date | None = None

    @property
    def told(self) -> date:
        return self.dated or self.on


class Ruling(NamedTuple):
    """Which of two holds, and by which rule."""

    outcome: Outcome
    rule: str


def ruling(a: ConflictClaim, b: ConflictClaim) -> Ruling:
    """Return which of two contradicting entries holds; OPEN where no rule decides. The order of the arguments makes no difference."""
    if a.is_correction != b.is_correction:
        return Ruling(_side(a.is_correction), "a correction holds against anything else")
    newer, older = (a, b) if a.on > b.on else (b, a)
    wins = _side(newer is a)
    if a.is_correction:
        if a.on == b.on:
            return Ruling(Outcome.OPEN, "two corrections of one day")
        return Ruling(wins, "of two corrections the newer one holds")
    if {a.trust, b.trust} == {OPERATOR, UNDERSTOOD}:
        return Ruling(_side(a.trust == OPERATOR), "your own word holds against a reading of it")
    if a.trust == b.trust == UNDERSTOOD and a.on != b.on:
        return Ruling(wins, "of two readings of your words the newer one holds")
    return _of_his_words(newer, older, wins)


def _side(is_a: bool) -> Outcome:
    return Outcome.A if is_a else Outcome.B


def _of_his_words(newer: ConflictClaim, older: ConflictClaim, wins: Outcome) -> Ruling:
    if newer.trust != OPERATOR:
        return Ruling(Outcome.OPEN, "the newer one is not your own word")
    if min(newer.on - older.on, newer.told - older.told) < APART:
        return Ruling(Outcome.OPEN, f"less than {APART.days} days apart")
    if not {newer.tag, older.tag} <= _DATED:
        return Ruling(Outcome.OPEN, "not both are tagged #event, #knowledge or #decision")
    return Ruling(wins, f"the newer one is your own word, {APART.days} days later or more")


def with_superseded_marks(data: bytes, losers: Mapping[str, str]) -> bytes:
    """Return ``data`` with marks for the lost conflicts on exactly the entries of these ids."""
    if _MARKED not in data and not any(name.encode() in data for name in losers):
        return data  # a shortcut for almost all files: parsing the entries is the slow part
    lines = split_lines(data)
    for entry in read_entries(data):
        conflict_id = losers.get(entry.entry_id or "", "")
        own = lines[entry.first : entry.last]
        lines[entry.first : entry.last] = with_superseded(own, entry.text_last - 1 - entry.first, conflict_id)
    return b"".join(lines)
