"""One state of a workspace as the slots are filled from it: its files, whose words they are, and what does not hold."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.capture.sessions.sessions import strangers_lines
from clawgit.context.context_passages import (
    HEADING,
    MOST_CHARACTERS,
    FileText,
    Passage,
    passages_in,
    read_part,
)
from clawgit.context.slots import Cut, below_headings
from clawgit.memory.trust import EXTERNAL, HOST, OPERATOR, UNDERSTOOD
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date, datetime

    from clawgit.context.token_counter import TokenCounter
    from clawgit.context.untrue_statements import UntrueStatements
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.provenance.trust_lookup import EvidenceBeside, TrustLookup
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.recall.vector_search import Vectors

TOO_LONG = "{} has more than 20,000 characters."
STRANGERS = "somebody else's words"  # why a passage is in no prompt
WHOSE = {HOST: "noted by your agent, unverified", EXTERNAL: "somebody else's word, unverified"}


class Judged(NamedTuple):
    """What is known of a passage: why it does not hold (empty where it does), whose words it is, what goes behind it."""

    objection: str
    trust: str = ""
    is_strangers: bool = False
    note: str = ""


class LongtermEntry(NamedTuple):
    """What is known of an entry of MEMORY.md: why it ran out (empty where it did not), what it says in terms, how sure it is."""

    trust: str
    over: str
    terms: str
    rank: tuple[float, ...]
    why: str


class Known(NamedTuple):
    """What was found out about one state of a workspace on a day, by path and lines: each context of it asks the same."""

    passages: dict[tuple[str, int, int], Judged]
    entries: dict[tuple[str, int], LongtermEntry]


@lru_cache(maxsize=8)
def known_of(*_state: object) -> Known:
    """Return what is known so far of whatever tells a state of a workspace, its history and its settings from another."""
    return Known({}, {})


class Assembly(NamedTuple):
    """What every slot is filled from; ``corrections`` are those in force, by id.

    ``run`` runs a program that a setting names, None: nothing does. ``is_past``: an earlier day is asked for, of which
    nobody outside knows.
    """

    history: History
    tree: Tree
    now: datetime
    counter: TokenCounter
    trusts: TrustLookup
    corrections: dict[str, Correction]
    untrue: UntrueStatements
    evidence: EvidenceBeside
    known: Known
    is_past: bool = False
    vectors: Vectors | None = None
    run: Callable[[Sequence[str], bytes], bytes] | None = None

    @property
    def on(self) -> date:
        """Return the day."""
        return self.now.date()


class ReadFile(NamedTuple):
    """A file of the tree in passages, and whether there is more of it than is ever injected."""

    passages: tuple[Passage, ...] = ()
    part: FileText = FileText(b"")
    blob: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what is to be said of the file."""
        path = self.passages[0].path if self.passages else ""
        return (TOO_LONG.format(path),) if self.part.is_cut and path else ()


def read_passages(
    assembly: Assembly, path: str, *, keep_end: bool = False, most: int = MOST_CHARACTERS
) -> ReadFile:
    """Return a file of the tree in passages; one that is not there has none."""
    entry = assembly.tree.entry(path)
    data = assembly.tree.content(entry)
    if entry is None or not data:
        return ReadFile()
    return _read(data, path, entry.object_id, keep_end, most)


@lru_cache(maxsize=64)
def _read(data: bytes, path: str, blob: str, keep_end: bool, most: int) -> ReadFile:
    part = read_part(data, keep_end=keep_end, most=most)
    is_begun = part.is_cut and not keep_end and b"\n" not in part.data  # one line, and not all of it
    passages = []
    for each in passages_in(part.data, part.offset):
        text = _masked(each.text)
        until = len(text) if is_begun else 0
        passages.append(each._replace(text=text, path=path, blob=blob, until=until))
    return ReadFile(tuple(passages), part, blob)


_masked = lru_cache(maxsize=4096)(redact)


def told_apart(
    assembly: Assembly, read: ReadFile, *, to_strangers: bool = False
) -> tuple[tuple[Passage, ...], tuple[Cut, ...]]:
    """Return the passages of a file of memory, fenced where they are not the operator's, and what does not hold apart.

    A stranger's words are told ``to_strangers`` alone: in the conversation in which they were said.
    """
    holding, cuts = [], []
    for each in read.passages:
        judged = assembly.known.passages.get((each.path, each.first, each.last))
        if judged is None:
            judged = _judge(assembly, read, each)
            assembly.known.passages[each.path, each.first, each.last] = judged
        if judged.objection:
            cuts.append(Cut(each.place, judged.objection))
        elif judged.is_strangers and not to_strangers:
            cuts.append(Cut(each.place, STRANGERS))
        elif judged.trust or judged.note:
            holding.append(each._replace(trust=judged.trust, note=judged.note))
        else:
            holding.append(each)
    others = {at: each for at, each in enumerate(holding) if each.kind != HEADING}
    return tuple(_headings_inside(below_headings(holding, others))), tuple(cuts)


def _judge(assembly: Assembly, read: ReadFile, passage: Passage) -> Judged:
    objection = ""
    if passage.kind != HEADING:
        objection = assembly.untrue.objection(passage)
    if objection:
        return Judged(objection)
    first, last = passage.first - read.part.offset, passage.last - read.part.offset
    trust = assembly.trusts.of_lines(read.blob, read.part.data, first, last)
    by_stranger = passage.kind != HEADING and is_strangers(assembly, read.blob, passage, trust)
    return Judged("", fence_of(trust), by_stranger, note_beside(assembly, passage, trust))


def note_beside(assembly: Assembly, passage: Passage, trust: str) -> str:
    """Return what is told behind a passage: doubts, and the operator's own words that go with it."""
    notes = [assembly.untrue.doubt(passage)]
    if passage.kind != HEADING:
        notes.append(assembly.evidence.of_line(passage.text.lstrip("-*+ "), passage.entry, trust))
    return "; ".join(filter(None, notes))


def is_strangers(assembly: Assembly, blob: str, passage: Passage, trust: str) -> bool:
    """Say whether a passage is what an outsider said: of a session in which the operator spoke, too, his turns are his."""
    if trust != EXTERNAL:
        return False
    lines = strangers_lines(assembly.history.objects.blob(blob)) if blob else None
    return lines is None or passage.first in lines


def fence_of(trust: str) -> str:
    """Return whose words a fence names; the operator's, and readings of them, have none."""
    return "" if trust in (OPERATOR, UNDERSTOOD) else WHOSE.get(trust, trust)


def _headings_inside(passages: Iterable[Passage]) -> list[Passage]:
    fenced: list[Passage] = []
    below = ""
    for each in reversed(list(passages)):
        if each.kind != HEADING:
            below = each.trust
            fenced.append(each)
        elif below or not each.trust:
            fenced.append(each._replace(trust=below))
    return fenced[::-1]
