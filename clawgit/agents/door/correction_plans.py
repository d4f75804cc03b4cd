"""What corrections, added entries and lessons are made in, and the plan of a correction, proven before it is committed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.apply_plan import APPLIED, apply_plan
from clawgit.history.git.trees import entry_files, ids_beside
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.memory.corrections.correction_log import LEDGER, Status
from clawgit.memory.corrections.write_correction import Held, Remembered
from clawgit.memory.entries.entries import Tag, entry_line, read_entries
from clawgit.memory.entries.own_section import add_remembered, core_file
from clawgit.memory.entries.tiers import LESSONS
from clawgit.memory.provenance.stamps import stamp
from clawgit.memory.trust import UNDERSTOOD
from clawgit.plan import Edit, Evidence, Plan
from clawgit.recall.correction_proof import Claim, prove, question_about
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date, datetime

    from clawgit.history.apply_plan import Recorded
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.corrections.write_correction import WrittenDown
    from clawgit.recall.vector_search import Vectors


MOST_QUERIES = 20  # earlier searches that a correction is tried with
TIME = "%Y-%m-%d %H:%M"
_SUMMARIES = {
    Status.OPEN: "correction open: {}",
    Status.LOGGED: "correction noted: {}",
    Status.APPLIED: "correct: {}",
    Status.UNDERSTOOD: "correct, as understood: {}",
}


@dataclass(frozen=True, slots=True)
class Prover:
    """Tries a correction in the live index before it is committed; ``vectors`` are for what is committed."""

    history: History
    now: datetime
    vectors: Vectors | None = None

    def stands(self, correction: Correction) -> bool:
        """Say whether a correction comes first now."""
        claim = self.claim(correction, ())
        return prove(self.history, {}, [claim], self.now, vectors=self.vectors).holds

    def proven(self, written: WrittenDown) -> WrittenDown:
        """Return the same with its note that it comes first, or why it does not; an open one has nothing to prove."""
        if not written.correction.correct:
            return written
        proof = prove(self.history, written.texts, [self.claim(written.correction, written.before)], self.now)
        return written.proven() if proof.holds else replace(written, notes=(*written.notes, proof.why_not))

    def claim(self, correction: Correction, before: tuple[str, ...]) -> Claim:
        """Return what must hold for a correction: for the queries that found its entries, and for a person's."""
        earlier = [query for entry_id in correction.corrects for query in self._queries(f"m:{entry_id}")]
        own = [*before, question_about(correction.correct, " ".join([*before, correction.said]))]
        queries = dict.fromkeys(query for query in (*earlier, *own) if query.strip())
        if correction.status is Status.UNDERSTOOD:
            before = ()  # which stays beside a reading
        return Claim(f"x:{correction.correction_id}", tuple(queries), before, correction.correct)

    def keep(self, correction: Correction, before: tuple[str, ...] = ()) -> None:
        """Keep the queries that a correction was proven with, for later jobs to pass."""
        if not correction.re_embedded:
            return
        claim = self.claim(correction, before)
        with open_records(self.history.state / RECORDS, self.now) as records:
            records.keep_queries(claim.correction, claim.queries)

    def _queries(self, entry: str) -> list[str]:
        with open_records(self.history.state / RECORDS, self.now) as records:
            return records.queries_answered_by(entry, most=MOST_QUERIES)


class Made(NamedTuple):
    """What became of a correction; it is not looked up again where its op was applied before."""

    recorded: Recorded
    correction: Correction | None = None
    notes: tuple[str, ...] = ()


def record(
    prover: Prover,
    planned: Callable[[Tree], WrittenDown | None],
    intent: Intent,
    evidence: tuple[Evidence, ...] = (),
) -> Made:
    """Make one change of what is written down for the present tip, proven first; nothing where that is nothing.

    ``evidence`` is what it rests on besides the correction's own.
    """
    made: list[WrittenDown | None] = []

    def plan(tree: Tree) -> Plan:
        written = planned(tree)
        made.append(prover.proven(written) if written is not None and written.texts else written)
        if made[-1] is None or not made[-1].texts:
            return Plan("")
        known = made[-1].correction
        cited = known.evidence[-1:] if intent.by_message else ()
        own = tuple(Evidence(each, known.trigger) for each in cited)
        return plan_of([made[-1]], (*own, *evidence))

    recorded = apply_plan(prover.history, plan, intent)
    last = made[-1] if made else None
    if last is None:
        return Made(recorded)
    if recorded.outcome == APPLIED:
        prover.keep(last.correction, last.before)
    standing = standing_corrections(prover.history.tip().tree)
    return Made(recorded, standing.get(last.correction.correction_id, last.correction), last.notes)


def remembered(tree: Tree) -> Remembered:
    """Return what a correction is made in, as it is in a tree."""
    files = {path: tree.read(path) or b"" for path in entry_files(tree)}
    return Remembered(files, tree.read(LEDGER) or b"", frozenset(standing_corrections(tree)))


def plan_of(written: Sequence[WrittenDown], evidence: tuple[Evidence, ...]) -> Plan:
    """Return the plan that writes corrections down, each in the files as those before it left them."""
    correction = written[0].correction
    words = correction.correct or correction.trigger or correction.said
    more = f" (and {len(written) - 1} more)" if len(written) > 1 else ""
    texts = {path: data for each in written for path, data in each.texts.items()}
    is_read = any(each.correction.status is Status.UNDERSTOOD for each in written)
    return Plan(
        summary=_SUMMARIES[correction.status].format(words) + more,
        edits=tuple(Edit(path, data) for path, data in texts.items()),
        evidence=evidence,
        trust=UNDERSTOOD if is_read else "",
    )


def with_added(tree: Tree, statement: str, on: date, evidence: str) -> tuple[Held, bytes]:
    """Return the new entry with its id, and its file; ``evidence`` is what the id is made of."""
    path = core_file(tree.entry)
    old = tree.read(path) or b""
    line = entry_line(statement, on=on, tag=None)
    data = stamp(old, add_remembered(old, line), evidence, taken=ids_beside(tree, path))
    return next(Held(path, entry) for entry in read_entries(data) if entry.text == line), data


class Lessons:
    """memory/lessons.md while a plan adds to it."""

    def __init__(self, tree: Tree) -> None:
        self.data = self._before = tree.read(LESSONS) or b""
        self.added: dict[str, str] = {}  # line: its evidence
        self._tree = tree

    def add(self, lesson: str, on: date, evidence: str) -> None:
        """Add a lesson."""
        line = entry_line(lesson, on=on, tag=Tag.SKILL)
        self.data = add_remembered(self.data, line)
        self.added[line] = evidence

    def edits(self) -> tuple[Edit, ...]:
        """Return the edit that adds them, none where the file has them already."""
        if self.data == self._before:
            return ()
        first = next(iter(self.added.values()))
        taken = ids_beside(self._tree, LESSONS)
        return (Edit(LESSONS, stamp(self._before, self.data, first, own=self.added, taken=taken)),)
