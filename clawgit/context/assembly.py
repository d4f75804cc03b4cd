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
    part = read_part(data, keep_end=keep_end, most=most)
    is_begun = part.is_cut and not keep_end and b"\n" not in part.data  # one line, and not all of it
    passages = []
    for each in passages_in(part.data, part.offset):
        text = _masked(each.text)
        until = len(text) if is_begun else 0
        passages.append(each._replace(text=text, path=path, blob=entry.object_id, until=until))
    return ReadFile(tuple(passages), part, entry.object_id)


_masked = lru_cache(maxsize=4096)(redact)


def told_apart(
    assembly: Assembly, read: ReadFile, *, to_strangers: bool = False
) -> tuple[tuple[Passage, ...], tuple[Cut, ...]]:
    """Return the passages of a file of memory, fenced where they are not the operator's, and what does not hold apart.

    A stranger's words are told ``to_strangers`` alone: in the conversation in which they were said.
    """
    holding, cuts = [], []
    for each in read.passages:
        why = "" if each.kind == HEADING else assembly.untrue.objection(each)
        if why:
            cuts.append(Cut(each.place, why))
            continue
        trust = assembly.trusts.of_lines(
            read.blob, read.part.data, each.first - read.part.offset, each.last - read.part.offset
        )
        if not to_strangers and each.kind != HEADING and is_strangers(assembly, read.blob, each, trust):
            cuts.append(Cut(each.place, STRANGERS))
            continue
        holding.append(each._replace(trust=fence_of(trust), note=note_beside(assembly, each, trust)))
    others = {at: each for at, each in enumerate(holding) if each.kind != HEADING}
    return tuple(_headings_inside(below_headings(holding, others))), tuple(cuts)


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
