"""The conflict detector: logs entries that contradict each other; rules or the operator decide which one holds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, Self

from clawgit.agents.contradictions import (
    Pair,
    StandingEntry,
    alike_pairs,
    difference,
    entry_texts,
    marked_files,
    standing_in,
    two_names,
)
from clawgit.agents.models.model import Asker, Material, ModelError, as_read, one_list, prompt_of, refused
from clawgit.agents.run_agent import Agent, Agents, Means, Planned, RunReport, by_rules, digest_of
from clawgit.errors import ClawgitError
from clawgit.history.authorship.settings_in_force import prompt_in_force
from clawgit.history.provenance.entries_at_tip import states_below
from clawgit.history.provenance.trust_lookup import conflicts_known
from clawgit.identity.principle_edits import is_withdrawal, withdraws
from clawgit.memory.conflict_log import (
    ConflictClaim,
    Contradiction,
    Outcome,
    Party,
    Ruling,
    as_logged,
    read_conflicts,
    ruling,
    with_conflict,
)
from clawgit.memory.entries.entries import Tag, marks_in, new_entry_id, with_mark
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CONFLICTS, WRITTEN, day_in
from clawgit.memory.entry_states import CORRECTED
from clawgit.memory.trust import LOWEST, OPERATOR
from clawgit.plan import Edit, Plan
from clawgit.text.comparing.subjects import subject
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.facts.same_statement import Relation, relation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.recall.vector_search import Vectors
    from clawgit.workspace.records.records import Records

NAME = "conflict-detector"
MOST_OF_IT = 0.6  # of the terms of one statement that another about the same thing must have
SOME_OF_IT = 0.2  # of the other's terms, in turn
NOT_PLAIN = "a model says so, and no rule can tell that both are about one thing"
TWO_NAMES = "two names for one thing, and no rule can tell whether it has both"
TAKEN_BACK = "the newer one takes the order back"
MOST = 50  # conflicts of one run; the next run continues
ALIKE = 0.8  # cosine
MOST_ASKED = 200  # entries whose neighbours are looked up by vector
AT_ONCE = 40  # pairs in one question
MOST_QUESTIONS = 10  # of one run
LONGEST = 600  # letters of an entry
_ID = {"type": "string", "maxLength": 40}
_QUOTE = {"type": "string", "minLength": 1, "maxLength": 400}
_SCHEMA = one_list("conflicts", AT_ONCE, {"a": _ID, "b": _ID, "a_says": _QUOTE, "b_says": _QUOTE})
_TASK = """\
The material is entries of memory. Of each pair below, say whether both can hold at the same time. List the pairs that cannot:
"a" and "b" are the two ids, "a_says" the words of the one that the other contradicts, letter by letter, "b_says" the words of the
other. A pair conflicts only where both speak of the same thing and of the same side of it, and that can be one way alone: one
port, one day, one answer. Two events, two liked things, two people, two allergies are no conflict. One that says more than the
other is none either. An empty list is a good answer. Which of the two is right is not asked.

The pairs: """


class Difference(NamedTuple):
    """In what two statements conflict; ``undecided``: why rules may not decide which one holds."""

    differs: str
    undecided: str = ""


class Verdicts(NamedTuple):
    """A model's answer: conflicting pairs by their statements, pairs asked about, notes; ``failed``: some got no usable answer."""

    conflicts: Mapping[frozenset[str], Difference] = {}
    asked: frozenset[frozenset[str]] = frozenset()
    notes: tuple[str, ...] = ()
    failed: bool = False


@dataclass(frozen=True)
class ConflictDetector(Agent):
    """The agent for pairs of entries; ``scan_id`` identifies the input."""

    history: History
    now: datetime
    scan_id: str
    pairs: tuple[Pair, ...]
    verdicts: Verdicts = field(default_factory=Verdicts)
    _claims: dict[str, dict[str, ConflictClaim]] = field(default_factory=dict)  # by file and statement
    name = NAME

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        tree = history.tip().tree
        cursor = records.agent_cursors.of(NAME)
        files = entry_texts(tree)
        try:
            old = entry_texts(history.tree_of(cursor or None))
        except ClawgitError:  # its commit no longer exists
            old = entry_texts(history.tree_of(None))
        if files == old:
            if not means.rehearses:
                _note_tip(history, records, now)
            return
        entries = standing_in(files)
        there = set(map(attrgetter("statement"), entries))
        before = set(map(attrgetter("statement"), standing_in(old)))
        changed = there - before
        pairs: tuple[Pair, ...] = ()
        if changed:
            vectors = means.vectors() if len(changed) <= MOST_ASKED else None
            pairs = tuple(alike_pairs(entries, changed, _near(entries, vectors)))
        lines = sorted([*(f"+{line}" for line in changed), *(f"-{line}" for line in before - there)])
        # a run that continues the last one is another input
        logged = len(conflicts_known(history, tree))
        scan_id = "\0".join([cursor, str(logged), "\0".join(lines)])
        yield cls(history, now, scan_id, pairs)

    @property
    def input_id(self) -> str:
        return digest_of(self.scan_id)

    @property
    def asks(self) -> bool:
        return bool(self.pairs)

    def ask(self, asker: Asker) -> Self:
        conflicts = conflicts_known(self.history, self.history.tip().tree)
        logged = set(map(attrgetter("statements"), conflicts))
        pairs = [pair for pair in self.pairs if pair.statements not in logged]
        pairs.sort(key=lambda pair: not difference_by_rules(pair, self.now))
        soul = prompt_in_force(self.history, NAME)
        verdicts = ask_detector(asker, soul, pairs, lambda entry: self.claim_of(entry).trust)
        return replace(self, verdicts=verdicts, tokens=asker.spent)

    def plan(self, tree: Tree) -> Planned:
        logged = list(conflicts_known(self.history, tree))
        differences = self._differences(logged)
        files = _EntryFiles(tree)
        log = tree.read(CONFLICTS) or b"# CONFLICTS\n"
        taken = set(map(attrgetter("conflict_id"), read_conflicts(log)))
        sentences = []
        for pair, finding in differences[:MOST]:
            a, b = sorted(pair, key=lambda each: (self.claim_of(each).on, *each.name))  # older first
            first = files.party(a, self.claim_of(a))
            second = files.party(b, self.claim_of(b))
            if first is None or second is None:
                continue
            if self._takes_back(b, a):
                decision = Ruling(Outcome.B, TAKEN_BACK)
            elif finding.undecided:
                decision = Ruling(Outcome.OPEN, finding.undecided)
            else:
                decision = ruling(self.claim_of(a), self.claim_of(b))
            conflict_id = new_entry_id("\0".join(sorted(pair.statements)), "", taken)
            taken.add(conflict_id)
            differs = as_logged(finding.differs)
            parties = (self.now.strftime(WRITTEN), first, second, differs)
            conflict = Contradiction(conflict_id, *parties, decision.rule, decision.outcome)
            logged.append(conflict)
            log = with_conflict(log, conflict)
            sentences.append(summary_of(conflict))
        notes = [*self.verdicts.notes, *sentences]
        if len(differences) > MOST:
            notes.append(f"{len(differences) - MOST} more were found; the next run logs them.")
        marked = marked_files(files.texts, logged)
        edits = [Edit(path, data) for path, data in marked.items() if data != files.before[path]]
        if sentences:
            edits.append(Edit(CONFLICTS, log))
        if not edits:
            return Planned(None, tuple(notes))
        summary = "conflicts: marks renewed"
        if sentences:
            summary = f"conflicts: {len(sentences)} found, {sentences[0]}"
        return Planned(Plan(summary, tuple(edits)), tuple(notes))

    def settle(self, records: Records, report: RunReport, now: datetime) -> None:
        is_left = self.verdicts.failed
        if report.note.commit_id and not is_left:
            is_left = bool(self._differences(conflicts_known(self.history, self.history.tip().tree)))
        if not is_left:
            _note_tip(self.history, records, now)

    def _differences(self, logged: Sequence[Contradiction]) -> list[tuple[Pair, Difference]]:
        before = set(map(attrgetter("statements"), logged))
        differences = []
        for pair in self.pairs:
            if pair.statements in before:
                continue
            differs = self._difference_of(pair)
            if differs is not None:
                differences.append((pair, differs))
        return differences

    def _difference_of(self, pair: Pair) -> Difference | None:
        by_model = self.verdicts.conflicts.get(pair.statements)
        if by_model is not None:
            return by_model
        was_asked = pair.statements in self.verdicts.asked
        if was_asked and all(self.claim_of(each).trust == OPERATOR for each in pair):
            return None
        if any(self._takes_back(*each) for each in (pair, pair[::-1])):
            return Difference(TAKEN_BACK)
        differs = difference_by_rules(pair, self.now)
        if differs:
            return Difference(differs)
        names = two_names(pair.a.statement, pair.b.statement)
        if not names or _has_event(pair):
            return None
        return Difference(names, TWO_NAMES)

    def claim_of(self, each: StandingEntry) -> ConflictClaim:
        if each.path not in self._claims:
            claims = self._claims[each.path] = {}
            for state in states_below(self.history, [each.path], self.now.date()):
                parts = parted(state.entry.text)
                is_correction = state.steps[0].confidence == CORRECTED
                dated = day_in(parts.before.strip(": "))
                claim = ConflictClaim(state.words_since, state.trust, state.entry.tag, is_correction, dated)
                claims[as_logged(parts.statement)] = claim
        unknown = ConflictClaim(self.now.date(), LOWEST, each.entry.tag)
        return self._claims[each.path].get(each.statement, unknown)

    def _takes_back(self, newer: StandingEntry, older: StandingEntry) -> bool:
        last = self.claim_of(newer)
        first = self.claim_of(older)
        if {last.trust, first.trust} != {OPERATOR} or last.on < first.on:
            return False
        return withdraws(newer.statement, older.statement) and not is_withdrawal(older.statement)


def difference_by_rules(pair: Pair, now: datetime) -> str:
    """Return the conflict of a pair that rules can tell, or ""; a pair with an event never conflicts."""
    if _has_event(pair):
        return ""
    return difference(pair.a.statement, pair.b.statement, now.date())


def _has_event(pair: Pair) -> bool:
    return Tag.EVENT in (pair.a.entry.tag, pair.b.entry.tag)


def summary_of(conflict: Contradiction) -> str:
    """Return a conflict and its outcome as a sentence."""
    both = f'k:{conflict.conflict_id}: "{conflict.a.statement}" against "{conflict.b.statement}"'
    if conflict.outcome is Outcome.OPEN:
        return f"{both} needs your decision ({conflict.rule})"
    if conflict.winner is None:
        return f"{both}, {conflict.outcome.value}"
    return f'{both}: "{conflict.winner.statement}" holds ({conflict.rule})'


def ask_detector(
    asker: Asker, soul: str, pairs: Sequence[Pair], trust_of: Callable[[StandingEntry], str]
) -> Verdicts:
    """Return a model's verdicts on pairs; pairs without a usable answer are left to the rules."""
    conflicts: dict[frozenset[str], Difference] = {}
    statements_asked: set[frozenset[str]] = set()
    notes: list[str] = []
    for start in range(0, min(len(pairs), AT_ONCE * MOST_QUESTIONS), AT_ONCE):
        some = pairs[start : start + AT_ONCE]
        entries = {each.statement: each for pair in some for each in pair}
        names = {statement: f"e:{number}" for number, statement in enumerate(entries, start=1)}
        materials = []
        for statement, entry in entries.items():
            is_his = trust_of(entry) == OPERATOR
            origin = "User, the operator" if is_his else "somebody else, not the operator"
            materials.append(Material(names[statement], origin, statement[:LONGEST]))
        listed = "; ".join(f"{names[pair.a.statement]} with {names[pair.b.statement]}" for pair in some)
        try:
            answer = asker.complete(prompt_of(soul, _TASK + listed, materials, _SCHEMA), _SCHEMA)
        except ModelError as error:
            notes.append(by_rules(error))
            return Verdicts(conflicts, frozenset(statements_asked), tuple(notes), failed=True)
        statements_asked.update(map(attrgetter("statements"), some))
        by_names = {frozenset(names[each.statement] for each in pair): pair for pair in some}
        for row in answer["conflicts"]:
            pair = by_names.get(frozenset((row["a"], row["b"])))
            if pair is None:
                named = f"{row['a'][:20]!r} and {row['b'][:20]!r}"
                notes.append(refused(f"it names {named}, which is no pair that it was given."))
                continue
            a, b = pair.a.statement, pair.b.statement
            if names[a] != row["a"]:
                a, b = b, a
            quotes = folded(row["a_says"]), folded(row["b_says"])
            why_not = _objection(a, b, quotes)
            if why_not:
                notes.append(refused(why_not))
            else:
                conflict = Difference(" / ".join(quotes))
                if not _say_the_same(a, b, quotes):
                    conflict = conflict._replace(undecided=NOT_PLAIN)
                conflicts[pair.statements] = conflict
    return Verdicts(conflicts, frozenset(statements_asked), tuple(notes))


def _objection(a: str, b: str, quotes: tuple[str, str]) -> str:
    for statement, quote in zip((a, b), quotes, strict=True):
        if quote not in as_read(statement[:LONGEST]):
            return f"{quote[:60]!r} is not in {statement[:60]!r}."
    if quotes[0].casefold() == quotes[1].casefold():
        return f"{quotes[0][:60]!r} is what both say."
    if relation(a, b) is Relation.SAME:
        return f"{a[:60]!r} and {b[:60]!r} say the same."
    if not subject(a) & subject(b):
        return f"{a[:60]!r} and {b[:60]!r} name nothing that both are about."
    return ""


def _say_the_same(a: str, b: str, quotes: tuple[str, str]) -> bool:
    """Say whether two statements are about one thing apart from the quotes; one may say more."""
    first = subject(a) - subject(quotes[0])
    second = subject(b) - subject(quotes[1])
    shared = len(first & second)
    is_within = shared > 0 and (first <= second or second <= first)
    return is_within and shared >= MOST_OF_IT * len(first) and shared >= SOME_OF_IT * len(second)


class _EntryFiles:
    def __init__(self, tree: Tree) -> None:
        self.before = entry_texts(tree)
        self.texts = dict(self.before)
        self._there = {each.statement: each for each in reversed(standing_in(self.before))}
        self._new_ids: dict[tuple[str, int], str] = {}
        self._taken = set[str]().union(*map(marks_in, self.before.values()))

    def party(self, each: StandingEntry, claim: ConflictClaim) -> Party | None:
        now = self._there.get(each.statement)
        if now is None:
            return None
        entry_id = now.entry.entry_id or self._new_ids.get(now.name)
        if entry_id is None:
            entry_id = new_entry_id(now.entry.text, "", self._taken)
            self._new_ids[now.name] = entry_id
            self._taken.add(entry_id)
            lines = split_lines(self.texts[now.path])
            own = slice(now.entry.first, now.entry.last)
            lines[own] = with_mark(lines[own], now.entry.text_last - 1 - now.entry.first, entry_id)
            self.texts[now.path] = b"".join(lines)
        return Party(entry_id, each.statement, claim.on.isoformat(), claim.trust)


def _near(
    entries: list[StandingEntry], vectors: Vectors | None
) -> Callable[[StandingEntry], Iterable[StandingEntry]]:
    if vectors is None:
        return lambda _: ()
    by_text = {each.entry.text: each for each in entries}
    return lambda one: [by_text[text] for text in vectors.alike(one.entry.text, by_text, least=ALIKE)]


def _note_tip(history: History, records: Records, now: datetime) -> None:
    records.agent_cursors.note(NAME, history.tip().commit_id or "", now)
