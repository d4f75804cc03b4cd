"""One state of a workspace, from which the slots are filled: files, authors, corrections, costs."""

from __future__ import annotations

import math
from contextlib import contextmanager
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.context.slots import (
    HEADING,
    MOST_CHARACTERS,
    Cut,
    FileText,
    Passage,
    below_headings,
    passages_in,
    read_part,
)
from clawgit.history.provenance.trust_lookup import EvidenceBeside, dispute_note, open_trusts, with_both_sides
from clawgit.memory.conflict_log import Contradiction, Outcome, Party, as_logged
from clawgit.memory.corrections.correction_log import BY_HAND, LEDGER, Correction, Status
from clawgit.memory.entries.statements import of_day
from clawgit.memory.entries.tiers import CONFLICTS, USER_FILE, day_of_note
from clawgit.memory.notes import DRESS, day_of_line, strangers_lines
from clawgit.memory.trust import EXTERNAL, OPERATOR, UNDERSTOOD, WHOSE
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.text.words.terms import index_terms
from clawgit.text.words.tokens import count_pieces
from clawgit.understanding.forms.user_words import USER, operator_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date, datetime
    from types import ModuleType

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.provenance.trust_lookup import TrustLookup
    from clawgit.recall.vector_search import Vectors

VERSION = "pieces-1"
HEADROOM = 5  # percent of a budget kept free, since tokens are estimated
TOO_LONG = "{} has more than 20,000 characters."
STRANGERS = "somebody else's words"  # why a passage is in no prompt
_DAY = lazy_pattern(r"#+ \d{4}-\d\d-\d\d")
_HIS_QUOTE = f'{USER}: "'
_masked = lru_cache(maxsize=4096)(redact)


class UntrueStatements:
    """Finds the correction or conflict in force that contradicts a passage of a tree.

    ``names`` are the operator's.
    """

    def __init__(
        self,
        tree: Tree,
        corrections: Mapping[str, Correction],
        conflicts: Iterable[Contradiction],
        names: frozenset[str] = frozenset(),
    ) -> None:
        self._corrections = [each for each in corrections.values() if each.holds]
        self._tree, self._conflicts, self._names = tree, tuple(conflicts), names

    def objection(self, passage: Passage) -> str:
        """Return why a passage is not shown, empty if nothing contradicts it or the rest of it holds."""
        why, _, rest = self._against(passage)
        if rest:
            return self.objection(passage._replace(text=rest))
        return why

    def what_holds(self, passage: Passage) -> Passage:
        """Return a passage without its replaced values; it equals no line of a blob then."""
        rest = self._against(passage)[2]
        if rest:
            return self.what_holds(passage._replace(text=rest, blob=""))
        return passage

    def instead(self, passage: Passage) -> str:
        """Return the text that replaces an untrue passage, empty if the rest of it holds."""
        _, right, rest = self._against(passage)
        if rest:
            return ""
        return right

    def _against(self, passage: Passage) -> tuple[str, str, str]:
        """Return what contradicts a passage, the text that replaces it, and what else the passage says."""
        each = self._of_entry.get(passage.entry.removeprefix("m:"))
        is_set_right = each is not None and each.status is not Status.UNDERSTOOD
        if each is not None and is_set_right and _terms(each.correct) not in _terms(passage.text):
            return f"corrected by x:{each.correction_id}", folded(each.correct), ""
        dated = of_day(passage.text, day_of_note(passage.path))
        for old_text, each in self._outdating(passage):
            if _rules().is_outdated(dated, old_text, each.correct, names=self._names):
                rest = _rules().without_value(passage.text, old_text, each.correct)
                return f"corrected by x:{each.correction_id}", folded(each.correct), rest
        for party, conflict in self._parties(passage):
            winner = conflict.winner
            if winner is not None and winner is not party:
                return f"superseded in k:{conflict.conflict_id}", folded(winner.statement), ""
        return "", "", ""

    def doubt(self, passage: Passage) -> str:
        """Return the note behind a passage with a replaced value, or one that another passage contradicts."""
        dated = of_day(passage.text, day_of_note(passage.path))
        for old_text, each in self._outdating(passage):
            for applies in (_rules().repeats_value, _rules().is_outdated):
                if applies(dated, old_text, each.correct, names=self._names):
                    return f"see the correction: {each.correct}"
        notes = []
        for party, conflict in self._parties(passage):
            if conflict.outcome is Outcome.OPEN:
                notes.append(dispute_note(conflict, party))
        return "; ".join(notes)

    @cached_property
    def _of_entry(self) -> dict[str, Correction]:
        return latest_of_entries(self._corrections)

    def _outdating(self, passage: Passage) -> Iterator[tuple[str, Correction]]:
        """Yield corrected wordings that share words with a passage, each with its latest correction; later words of the operator's prevail."""
        if not self._corrections:
            return
        low, day = passage.text.lower(), None
        if _rules().is_said_by_user(passage.text, self._names):
            day = day_of_line(passage.path, self._tree.read(passage.path) or b"", passage.first)
        for words, old_text, each in self._wrong:
            is_later = day is not None and self._is_later(passage, day.isoformat(), each)
            if not is_later and any(word in low for word in words):
                yield old_text, each

    def _is_later(self, passage: Passage, day: str, correction: Correction) -> bool:
        """Say whether the operator said a line of a note after a correction: on a later day, or below the words that made it."""
        if day != correction.at[:10] or correction.trigger in ("", BY_HAND):
            return day > correction.at
        above = (self._tree.read(passage.path) or b"").splitlines()[: max(0, passage.first - 1)]
        return correction.trigger.encode() in b"\n".join(above)

    @cached_property
    def _wrong(self) -> list[tuple[frozenset[str], str, Correction]]:
        wrong = []
        for each in self._corrections:
            if each.status is Status.UNDERSTOOD:
                continue  # a reading replaces its own entry only
            latest = map(self._of_entry.__getitem__, each.corrects)
            if each.said:
                words = _rules().gone_words(each.said, each.correct)
                wrong.append((words, each.said, max(latest, key=lambda last: last.at, default=each)))
        return wrong

    def _parties(self, passage: Passage) -> Iterator[tuple[Party, Contradiction]]:
        for each in self._conflicts:
            for party in (each.a, each.b):
                if passage.entry != f"m:{party.entry_id}":
                    continue
                if _terms(as_logged(party.statement)) in _terms(passage.text):
                    yield party, each


def latest_of_entries(corrections: Iterable[Correction]) -> dict[str, Correction]:
    latest = {}
    for each in sorted(corrections, key=attrgetter("at")):
        latest.update(dict.fromkeys(each.corrects, each))
    return latest


def _rules() -> ModuleType:
    from clawgit.understanding.corrections import outdated

    return outdated


def _terms(text: str) -> str:
    return f" {index_terms(text)} "


class TokenCounter(NamedTuple):
    """Counts tokens in pieces, times the factor of the settings; at least so many for each character."""

    factor: float = 1.0
    for_character: float = 0.0

    def count(self, text: str) -> int:
        return math.ceil(max(count_pieces(text) * self.factor, len(text) * self.for_character))

    def within(self, characters: int, budget: int) -> TokenCounter:
        """Return the counter by which a text within a budget has at most so many characters; 0 is no limit."""
        if not characters:
            return self
        return self._replace(for_character=max(0, self.usable(budget)) / characters)

    def usable(self, budget: int) -> int:
        """Return the usable tokens of a budget: the count may be a little low."""
        return budget * (100 - HEADROOM) // 100


class Assembly(NamedTuple):
    """The source of every slot; ``corrections`` are those in force, by id.

    ``run`` runs a program of a setting; with None none runs. ``is_past``: an earlier day, which external
    sources do not know.
    """

    history: History
    tree: Tree
    now: datetime
    counter: TokenCounter
    trusts: TrustLookup
    corrections: dict[str, Correction]
    untrue: UntrueStatements
    evidence: EvidenceBeside
    is_past: bool = False
    vectors: Vectors | None = None
    run: Callable[[Sequence[str], bytes], bytes] | None = None

    @property
    def on(self) -> date:
        return self.now.date()


@contextmanager
def open_assembly(history: History, tree: Tree, now: datetime) -> Iterator[Assembly]:
    with open_trusts(history) as trusts:
        corrections = trusts.corrections(tree)
        conflicts = with_both_sides(trusts.known_conflicts(tree.read(CONFLICTS) or b""), tree)
        untrue = UntrueStatements(tree, corrections, conflicts, operator_names(tree.read(USER_FILE) or b""))
        evidence = EvidenceBeside(history, trusts, tree.read(LEDGER) or b"", now.date())
        counter = TokenCounter(history.settings.token_factor)
        yield Assembly(history, tree, now, counter, trusts, corrections, untrue, evidence)


class ReadFile(NamedTuple):
    """A file of the tree in passages, and whether it is longer than that."""

    passages: tuple[Passage, ...] = ()
    part: FileText = FileText(b"")
    blob: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        path = self.passages[0].path if self.passages else ""
        return (TOO_LONG.format(path),) if self.part.is_cut and path else ()


def read_passages(
    assembly: Assembly, path: str, *, keep_end: bool = False, most: int = MOST_CHARACTERS
) -> ReadFile:
    """Return a file of the tree in passages; a missing file has none."""
    entry = assembly.tree.entry(path)
    data = assembly.tree.content(entry)
    if entry is None or not data:
        return ReadFile()
    return _read(data, path, entry.object_id, keep_end, most)


@lru_cache(maxsize=64)
def _read(data: bytes, path: str, blob: str, keep_end: bool, most: int) -> ReadFile:
    part = read_part(data, keep_end=keep_end, most=most)
    is_begun = part.is_cut and not keep_end and b"\n" not in part.data  # part of a single line
    passages = []
    for each in passages_in(part.data, part.offset):
        text = _masked(each.text)
        until = len(text) if is_begun else 0
        passages.append(each._replace(text=text, path=path, blob=blob, until=until))
    return ReadFile(tuple(passages), part, blob)


def told_apart(
    assembly: Assembly, read: ReadFile, *, to_strangers: bool = False
) -> tuple[tuple[Passage, ...], tuple[Cut, ...]]:
    """Split a file of memory into passages to show, fenced unless they are the operator's, and untrue ones.

    An outsider's words are shown only ``to_strangers``: in their own conversation.
    """
    holding, cuts = [], []
    for each in read.passages:
        why, here = _judged(assembly, read, each, to_strangers=to_strangers)
        if why:
            cuts.append(Cut(each.place, why))
        else:
            holding.append(here)
    others = {at: each for at, each in enumerate(holding) if each.kind != HEADING}
    return tuple(headings_inside(below_headings(holding, others))), tuple(cuts)


def _judged(
    assembly: Assembly, read: ReadFile, passage: Passage, *, to_strangers: bool
) -> tuple[str, Passage]:
    """Return why a passage is not shown, empty if it is, and what holds of it, with its author and notes."""
    here = passage
    if _DAY.fullmatch(passage.text.strip()):
        return "", passage  # nobody's word
    if passage.kind != HEADING:
        objection = assembly.untrue.objection(passage)
        if objection:
            return objection, passage
        here = assembly.untrue.what_holds(passage)
    first, last = passage.first - read.part.offset, passage.last - read.part.offset
    trust = assembly.trusts.of_lines(read.part.data, first, last)
    is_others = passage.kind != HEADING and is_strangers(assembly, read.blob, passage, trust)
    if is_others and not to_strangers:
        return STRANGERS, passage
    if fence_of(trust) and _HIS_QUOTE in here.text:  # somebody else's words in his mouth
        here = here._replace(text=here.text.replace(_HIS_QUOTE, '"'))
    return "", here._replace(trust=fence_of(trust), note=note_beside(assembly, passage, trust))


def note_beside(assembly: Assembly, passage: Passage, trust: str) -> str:
    """Return the note behind a passage: doubts, and the operator's own words about it."""
    notes = [assembly.untrue.doubt(passage)]
    if passage.kind != HEADING:
        notes.append(assembly.evidence.of_line(passage.text.lstrip(DRESS), passage.entry, trust))
    return "; ".join(filter(None, notes))


def look_beside(assembly: Assembly, passages: Iterable[Passage]) -> None:
    """Read the notes of all passages that are not the operator's in one query."""
    assembly.evidence.look_up(passage.text.lstrip(DRESS) for passage in passages)


def is_strangers(assembly: Assembly, blob: str, passage: Passage, trust: str) -> bool:
    """Say whether an outsider said a passage; in a session with the operator, his turns are his."""
    if trust != EXTERNAL:
        return False
    lines = strangers_lines(assembly.history.objects.blob(blob)) if blob else None
    return lines is None or passage.first in lines


def fence_of(trust: str) -> str:
    """Return the author in a fence; empty for the operator's words and readings of them."""
    return "" if trust in (OPERATOR, UNDERSTOOD) else WHOSE.get(trust, trust)


def headings_inside(passages: Iterable[Passage]) -> list[Passage]:
    """Return passages, each heading inside the fence of its section if one fence holds all of that: text behind a fence must not be below its heading."""
    fenced: list[Passage] = []
    below: set[str] = set()
    for each in reversed(list(passages)):
        here = each
        if each.kind == HEADING and len(below) == 1:
            here = each._replace(trust="".join(below) or each.trust)
        is_last = not fenced or fenced[-1].kind == HEADING
        if is_last or each.kind == HEADING:
            below = set()
        below.add(here.trust)
        fenced.append(here)
    return fenced[::-1]
