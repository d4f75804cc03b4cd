"""Promotion: parts of daily notes for core memory; listed once a week, moved in one change."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, starmap
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.organizer import is_noise
from clawgit.agents.run_agent import Agent, Agents, Means, Planned, digest_of
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.git.trees import EXECUTABLE, FILE, Tree, entries_in
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.entries_at_tip import note_lines
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CORE, LEARNED, Tier, date_of, holds_entries, tier_of
from clawgit.memory.notes import NOTES, OldNote, archived_path, words_of
from clawgit.memory.promotable_parts import (
    DAYS,
    LEAST,
    NotePart,
    Promotable,
    parts_of,
    promotable,
    recent,
    score_of,
    target_of,
    with_part,
    without_parts,
)
from clawgit.memory.provenance.fold import CLAIMED_WORDS
from clawgit.memory.trust import EXTERNAL, lowest
from clawgit.memory.trust import OPERATOR as OPERATORS_WORD
from clawgit.plan import Edit, Plan
from clawgit.recall.recall_status import lines_often_found
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import counted, folded
from clawgit.text.safety.secrets import redact
from clawgit.understanding.facts.same_statement import Relation, Statements
from clawgit.workspace.safe_files import check_path
from clawgit.workspace.settings.setting_types import hundredths

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import Records

REVIEW = "promotion-review"
MOST = 10  # parts moved without a choice by name; the rest waits
MARKERS = "-*+ "  # list items
SHOWN = 80  # characters of a part, in a line about it


class PromotionCriteria(NamedTuple):
    """The criteria: how far back, how sure, or how often found by searches; and the target file."""

    days: int = DAYS
    least: int = LEAST
    target: str = ""
    by_frequency: bool = False


def usual_criteria(history: History) -> PromotionCriteria:
    """Return the criteria of the settings."""
    settings = history.settings
    return PromotionCriteria(settings.promotion_days, hundredths(settings.promotion_min_score))


class PromotionCandidate(NamedTuple):
    """A part to promote, the lowest trust of its lines, and its target file."""

    found: Promotable
    trust: str
    target: str
    is_named: bool = False  # the target was given explicitly

    @property
    def place(self) -> str:
        first, last = self.found.part.begins + 1, self.found.part.last
        return f"{self.found.path}:{first}" + (f"-{last}" if last != first else "")

    @property
    def says_at(self) -> tuple[str, str]:
        return self.found.path, self.found.part.scored

    def stays(self, actor: str) -> bool:
        """Say whether an operator's promotion leaves it out: not the operator's word and no file named; outside text always."""
        if actor != OPERATOR or self.trust == OPERATORS_WORD:
            return False
        return self.trust == EXTERNAL or not self.is_named

    @property
    def says(self) -> str:
        text = folded(redact(self.found.part.scored)).lstrip(MARKERS)
        if len(text) <= SHOWN:
            return text
        return f"{text[: SHOWN - 1]}…"

    @property
    def line(self) -> str:
        return f"{self.place}: {self.says} ({self.found.scored.score} %, {self.trust})"


class Promoted(NamedTuple):
    """The result of a promotion, and how many parts stay: not the operator's words, or not committed."""

    recorded: Recorded
    candidates: tuple[PromotionCandidate, ...]
    foreign: int = 0
    unseen: int = 0


def refuse_target(path: str) -> None:
    """Refuse a file outside core memory: T0, standing files, ledgers, daily notes, other paths."""
    if not path:
        return
    if tier_of(check_path(path)) is Tier.T0:
        why_not = f"{path} is the agent's identity, so nothing is promoted into it."
        raise ClawgitError(why_not, hint="Use `clawgit soul`.")
    if not holds_entries(path):
        hint = "Name MEMORY.md or an undated .md file below memory/."
        raise ClawgitError(f"{path} is no file of core memory.", hint=hint)


def find_candidates(
    history: History, now: datetime, criteria: PromotionCriteria, actor: str = OPERATOR
) -> list[PromotionCandidate]:
    """Return the parts to promote, the surest first."""
    refuse_target(criteria.target)
    return candidates_in(history, history.tip().tree, now, criteria, actor)


def promote(history: History, criteria: PromotionCriteria, intent: Intent) -> Promoted:
    """Move the candidates into core memory in one change; parts not the operator's, or uncommitted when listed, stay."""
    refuse_target(criteria.target)
    made: list[tuple[PromotionCandidate, ...]] = [()]
    foreign = unseen = 0
    listed = history.tip().tree

    def plan(tree: Tree) -> Plan:
        nonlocal foreign, unseen
        every = candidates_in(history, tree, intent.now, criteria, intent.actor)
        seen = every
        if intent.actor == OPERATOR and tree.tree_id != listed.tree_id:
            shown = {each.says_at for each in candidates_in(history, listed, intent.now, criteria, OPERATOR)}
            seen = [each for each in every if each.says_at in shown]
        promotable = [each for each in seen if not each.stays(intent.actor)]
        foreign = len(seen) - len(promotable)
        unseen = len(every) - len(seen)
        made[0] = tuple(promotable if intent.actor == OPERATOR else promotable[:MOST])
        return _plan(tree, made[0], intent.actor)

    recorded = apply_plan(history, plan, intent)
    return Promoted(recorded, made[0], foreign, unseen)


def candidates_in(
    history: History, tree: Tree, now: datetime, criteria: PromotionCriteria, actor: str
) -> list[PromotionCandidate]:
    """Return the candidates in a tree, best first; `find_candidates` explains an empty list."""
    if criteria.by_frequency:
        parts = _often_needed(history, tree, now, criteria.days)
    else:
        parts = _by_rules(tree, now.date(), criteria)
    paths = sorted(set(map(attrgetter("path"), parts)))
    trusts = {(line.path, line.number): line.trust for line in note_lines(history, tree, paths)}
    candidates = []
    for each in parts:
        lines = range(each.part.first + 1, each.part.last + 1)
        trust = lowest(trusts[each.path, number] for number in lines if (each.path, number) in trusts)
        target = LEARNED
        if actor == OPERATOR or trust == OPERATORS_WORD:
            target = criteria.target or target_of(each.scored.categories, lambda path: _is_plain(tree, path))
        candidates.append(PromotionCandidate(each, trust, target, bool(criteria.target)))
    return candidates


def _by_rules(tree: Tree, on: date, criteria: PromotionCriteria) -> list[Promotable]:
    """Return the parts that score well, without noise and what core memory has."""
    paths = recent([f"{NOTES}{name}" for name in tree.names(NOTES.rstrip("/"))], on, criteria.days)
    notes = {path: tree.read(path) or b"" for path in paths if _is_plain(tree, path)}
    wrong = [each.wrong for each in standing_corrections(tree).values() if each.wrong]
    scored = [each for each in promotable(notes, wrong, least=criteria.least) if not is_noise(each.part.text)]
    if not scored:
        return []
    memory = Statements()
    for _, entry in entries_in(tree):
        memory.add(parted(entry.text).statement)
    new = []
    for each in scored:
        statement = parted(words_of(folded(each.part.text).lstrip(MARKERS))).statement
        if each.part.title or not any(how is Relation.SAME for _, how in memory.like(statement)):
            new.append(each)
    return new


def _often_needed(history: History, tree: Tree, now: datetime, days: int) -> list[Promotable]:
    """Return the parts that searches found often, also from archived notes."""
    sessions: dict[tuple[str, NotePart], int] = {}
    for each in lines_often_found(history, now, days):
        path, day = each.path, date_of(each.path)
        if day is not None and not _is_plain(tree, path):
            path = archived_path(OldNote(path, day))
        if not _is_plain(tree, path):
            continue
        for part in parts_of(tree.read(path) or b""):
            if part.begins < each.last and each.first <= part.last:
                sessions[path, part] = max(sessions.get((path, part), 0), each.sessions)
    needed = sorted(sessions.items(), key=lambda item: (-item[1], item[0][0], item[0][1].begins))
    return [Promotable(path, part, score_of(part.scored), count) for (path, part), count in needed]


def _is_plain(tree: Tree, path: str) -> bool:
    entry = tree.entry(path)
    return entry is not None and entry.mode in (FILE, EXECUTABLE)


def _plan(tree: Tree, candidates: Sequence[PromotionCandidate], actor: str) -> Plan:
    if not candidates:
        return Plan("")
    texts: dict[str, bytes] = {}
    in_order = sorted(candidates, key=lambda each: (each.found.path, each.found.part.begins))
    for path, of_note in groupby(in_order, key=lambda each: each.found.path):
        data, day, leaving = tree.read(path) or b"", date_of(path), []
        assert day is not None
        for each in of_note:
            part, target = each.found.part, each.target
            title = b"# MEMORY\n"
            if target != CORE:
                title = f"# {target.rpartition('/')[2].removesuffix('.md').capitalize()}\n".encode()
            old = texts.get(target, tree.read(target) or title)
            texts[target] = with_part(old, part.title, day, split_lines(data)[part.first : part.last])
            leaving.append(part)
        texts[path] = without_parts(data, leaving)
    where = ", ".join(sorted(set(map(attrgetter("target"), candidates))))
    count = counted(len(candidates), "part")
    whose = "; ".join(f"{each.place} ({each.trust})" for each in candidates[:MOST])
    claims = (("Clawgit-Claims", CLAIMED_WORDS),) if actor == OPERATOR else ()
    edits = tuple(starmap(Edit, texts.items()))
    return Plan(f"promote: {count} of the notes to {where}", edits, whose, trailers=claims)


@dataclass(frozen=True)
class Review(Agent):
    """The weekly report of candidates; the operator decides."""

    history: History
    now: datetime
    name = REVIEW

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        yield cls(history, now)

    @property
    def input_id(self) -> str:
        candidates = find_candidates(self.history, self.now, usual_criteria(self.history))
        return digest_of(*(f"{each.place}\0{each.found.part.text}" for each in candidates))

    def plan(self, tree: Tree) -> Planned:
        candidates = candidates_in(self.history, tree, self.now, usual_criteria(self.history), OPERATOR)
        lines = list(map(attrgetter("line"), candidates[:MOST]))
        if len(candidates) > MOST:
            lines.append(f"{len(candidates) - MOST} more")
        lines.append("`clawgit memory promote` shows them, `--apply` moves them.")
        return Planned(left_out=tuple(lines))
