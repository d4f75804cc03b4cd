"""The lessons extractor: each failure that was overcome becomes a lesson once; what is known already is counted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.agent import NothingFollows, Planned
from clawgit.agents.lessons.lesson_verdicts import DUPLICATE, NONE, UNASKED, Verdict, Verdicts
from clawgit.agents.lessons.overcome_failures import replaced_words
from clawgit.history.transaction.taken_entry_ids import ids_beside
from clawgit.memory.entries.entries import EntryError, Tag, entry_line, read_entries
from clawgit.memory.entries.own_section import add_remembered
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import LESSONS
from clawgit.memory.provenance.stamps import stamp
from clawgit.memory.trust import EXTERNAL, HOST
from clawgit.plan import Edit, Evidence, Plan
from clawgit.text.safety.secrets import redact
from clawgit.understanding.facts.same_statement import overlap

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from clawgit.agents.lessons.overcome_failures import Overcome
    from clawgit.history.git.trees import Tree
    from clawgit.memory.entries.entries import Entry

NAME = "lessons-extractor"
SAME = 0.7  # strictly more
_MOST_NAMED = 3
_COMMANDS = re.compile("`([^`]*)`")


def may_be_known(share: float) -> bool:
    """Say whether so much of the words of two lessons is shared that a model decides whether they are one."""
    return share > SAME


class Found(NamedTuple):
    """A failure that was overcome, in which session and on which day."""

    overcome: Overcome
    session: str
    on: date

    @property
    def evidence_id(self) -> str:
        """Return how it is cited: by the call that worked."""
        return f"tool:{self.session}/{self.overcome.worked_id}"


@dataclass(frozen=True)
class LessonsExtractor(NothingFollows):
    """The agent for some failures that were overcome; a model may have said which of them are lessons, and new."""

    found: tuple[Found, ...]
    on: date
    verdicts: Verdicts = UNASKED
    cited: frozenset[str] = frozenset()  # what mentions and lessons rest on already
    name: str = NAME

    @property
    def trust(self) -> str:
        """Return what the lessons rest on: what the host did; once a model read what tools printed, on the outside."""
        return EXTERNAL if any(each.says for each in self.verdicts.by_id.values()) else HOST

    @property
    def input_id(self) -> str:
        """Return what tells these failures from others."""
        said = "\0".join(sorted(each.evidence_id for each in self.found))
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest() if self.found else ""

    def plan(self, tree: Tree) -> Planned:
        """Return the lessons with what is new, and a mention of each that was met again."""
        writing = _Writing(tree, self)
        for each in self.found:
            writing.take(each)
        return writing.planned()


class _Writing:
    """The lessons as they should read."""

    def __init__(self, tree: Tree, extractor: LessonsExtractor) -> None:
        self._tree, self._extractor = tree, extractor
        self._old = tree.read(LESSONS) or b""
        self._data = self._old
        self._own: dict[str, str] = {}
        self._evidence: list[Evidence] = []
        self._mentions: dict[tuple[str, str], tuple[str, str]] = {}
        self._left_out = list(extractor.verdicts.notes)
        self._alike: list[str] = []

    def take(self, found: Found) -> None:
        """Add a lesson, or count the one that says the same."""
        verdict = self._extractor.verdicts.by_id.get(found.evidence_id, Verdict())
        if verdict.do == NONE:
            self._left_out.append(f"No lesson, says the model: `{found.overcome.right}`")
            return
        known, is_sure = self._like(found, verdict)
        if known is not None and is_sure:
            self._count(found, known)
            return
        if known is not None:
            self._alike.append(f"`{found.overcome.right}` may repeat `{_pair(known)[1]}`: both are kept.")
        try:
            line = entry_line(_statement(found, verdict), on=found.on, tag=Tag.SKILL)
            self._data = add_remembered(self._data, line)
        except EntryError as error:
            self._left_out.append(f"{error.message} It was: {found.overcome.right}")
            return
        self._own[line] = found.evidence_id
        self._evidence.append(Evidence(found.evidence_id, redact(found.overcome.right)))

    def planned(self) -> Planned:
        """Return the plan."""
        more = len(self._alike) - _MOST_NAMED
        alike = [*self._alike[:_MOST_NAMED], *([f"So may {more:,} more."] if more > 0 else [])]
        tokens, left_out = self._extractor.verdicts.tokens, (*self._left_out, *alike)
        trailers = tuple(
            ("Clawgit-Mention", f'm:{name} {evidence} "{quote}"')
            for (name, _), (evidence, quote) in self._mentions.items()
        )
        if not self._own and not trailers:
            return Planned(None, left_out, tokens)
        edits: tuple[Edit, ...] = ()
        if self._own:
            taken = ids_beside(self._tree, LESSONS)
            first = self._evidence[0].evidence_id
            edits = (Edit(LESSONS, stamp(self._old, self._data, first, own=self._own, taken=taken)),)
        count = len(self._own)
        new = next(iter(self._own)) if count == 1 else f"{count} new"
        summary = f"lessons: {new}" if count else f"lessons: {len(trailers)} met again"
        return Planned(Plan(summary, edits, "", tuple(self._evidence), trailers), left_out, tokens)

    def _count(self, found: Found, known: Entry) -> None:
        """Count a lesson once a session: a repeat within one, or of what brought it, is no new meeting."""
        name = known.entry_id
        is_told = any(each.startswith(f"tool:{found.session}/") for each in self._resting_on(known))
        if name and not is_told:
            quote = redact(found.overcome.right)[:200]
            self._mentions.setdefault((name, found.session), (found.evidence_id, quote))

    def _resting_on(self, known: Entry) -> set[str]:
        """Return what is known to speak of a lesson, as far as that is of this run or cited before."""
        here = {evidence for line, evidence in self._own.items() if line == known.text}
        return here | {
            each.partition(" ")[2] for each in self._extractor.cited if each.startswith(f"{known.entry_id} ")
        }

    def _like(self, found: Found, verdict: Verdict) -> tuple[Entry | None, bool]:
        """Return the lesson that says the same, or looks like it, and whether that is sure.

        The model says so, or the same was put in the place of the same: whatever else is in the command.
        """
        entries = read_entries(self._data)
        if verdict.do == DUPLICATE:
            named = next((each for each in entries if f"m:{each.entry_id}" == verdict.entry), None)
            return named, named is not None
        own = found.overcome.wrong, found.overcome.right
        step = replaced_words(*own)
        near = [(overlap(" ".join(own), " ".join(_pair(each))), each) for each in entries if _pair(each)[1]]
        for _, entry in near:
            if not verdict.do and replaced_words(*_pair(entry)) == step:
                return entry, True
        best = max(near, key=lambda item: item[0], default=None)
        if best is None or verdict.do or not may_be_known(best[0]):
            return None, False
        return best[1], False


def _pair(entry: Entry) -> tuple[str, str]:
    """Return the command that failed and the one that worked, of a lesson in this form; empty of another."""
    found = _COMMANDS.findall(parted(entry.text).statement)[:2]
    return (found[0], found[1]) if len(found) == 2 else ("", "")


def _statement(found: Found, verdict: Verdict) -> str:
    """Return the lesson, with the situation and the cause as a model told them, where it did."""
    statement = found.overcome.statement
    if verdict.situation:
        head, _, rest = statement.partition(". Wrong: ")
        statement = f"Situation: {verdict.situation.rstrip('.')}. Wrong: {rest}" if head else statement
    return (
        statement.replace("Why: unclear.", f"Why: {verdict.why.rstrip('.')}.") if verdict.why else statement
    )


def lessons_in(tree: Tree) -> Sequence[Entry]:
    """Return the lessons of a tree."""
    return read_entries(tree.read(LESSONS) or b"")
