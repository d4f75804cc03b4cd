"""The base of agents, and a round: read, ask a model, plan, one guarded change, and a record of each run."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeAlias

from clawgit.agents.models.model import Asker, Askers, Material, ModelError, prompt_of
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import APPLIED, PROPOSED, REPEATED, Recorded, apply_plan
from clawgit.history.authorship.commit_messages import find_op
from clawgit.history.authorship.intent import Intent, paused_since
from clawgit.history.authorship.settings_in_force import prompt_in_force
from clawgit.history.git.repository import History, refuse_odd_state
from clawgit.history.guards.check import GuardError
from clawgit.history.provenance.correction_files import CORRECTING
from clawgit.history.provenance.trust_lookup import corrections_held
from clawgit.history.review.keep import KeepOutcome
from clawgit.memory.corrections.corrected_entries import entries_set_back
from clawgit.memory.entries.tiers import Tier, holds_entries, is_correction_file, is_export
from clawgit.plan import Plan
from clawgit.recall.correction_proof import ProofClaim, unmet_by_words
from clawgit.recall.index.searched_files import is_searched, tier_found
from clawgit.text.comparing.subjects import subject
from clawgit.text.markdown.lines import split_lines
from clawgit.understanding.corrections.ready_commands import link_way
from clawgit.workspace.records.records import RECORDS, Records, RunNote, RunOutcome, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
    from datetime import datetime

    from clawgit.history.git.trees import Tree
    from clawgit.recall.vector_search import Vectors


Agents: TypeAlias = "Generator[Agent, None, None]"
ID_LENGTH = 10
DONE = (RunOutcome.APPLIED, RunOutcome.NOTHING)


class Item(NamedTuple):
    """One result of a plan: an entry (`m:…`) kept, corrected or asked about, or a correction that is only noted."""

    outcome: RunOutcome
    correction: str
    entry: str
    old: str
    new: str
    turn: str = ""  # of the agent, before a linked message

    @property
    def says(self) -> str:
        if not self.correction:
            return f"kept: {self.entry} {self.new}"
        if self.outcome is RunOutcome.NOTED:
            return f'noted: "{self.new}"'
        if self.outcome is RunOutcome.LINKED:
            way = link_way(self.correction, self.old, self.new, self.turn)
            sentence = f'linked: {self.entry or "the entry"} "{self.old}", you said "{self.new}"'
            return f"{sentence} → {way}"
        if self.outcome is RunOutcome.APPLIED and not self.old:
            return f'remembered: {self.entry} "{self.new}"'
        change = f'"{self.old}" → "{self.new}"' if self.new else f'"{self.old}"'
        if self.outcome is RunOutcome.APPLIED:
            return f"corrected: {self.entry or 'the entry'} {change}"
        answer = ' "…"'
        if self.new:
            answer = ""
        return f"asks: {self.entry or 'the entry'} {change} (`clawgit approve {self.correction}{answer}`)"


class Planned(NamedTuple):
    """An agent's plan, and what it left out and why; no plan: nothing to do."""

    plan: Plan | None = None
    left_out: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()  # results beyond the edits
    outcome: RunOutcome = RunOutcome.APPLIED  # of the run once the plan is made


class Rehearsed(NamedTuple):
    """The plan of an agent for one piece of its work."""

    input_id: str
    planned: Planned


class RunReport(NamedTuple):
    """The result of a run: its record, its last plan, and the items kept."""

    note: RunNote
    planned: Planned
    kept: KeepOutcome
    settled: bool = True  # no retry needed; False: not its turn, or a model failed
    is_new: bool = True  # no earlier run had this input


@dataclass(frozen=True, slots=True)
class Means:
    """Resources of a round, created on demand."""

    slot: str = ""  # when the run was due
    askers: Callable[[], Askers | None] = lambda: None  # None: rules only
    vectors: Callable[[], Vectors | None] = lambda: None
    tell: Callable[[int, int], None] = lambda done, total: None  # progress: done, total
    rehearses: bool = False  # nothing is written
    only_moves: bool = False  # a rehearsal of moves only, without chronicles
    may_move: bool = True  # False: lines and notes stay in their files until the operator agrees


ALONE = Means()


@dataclass(frozen=True, kw_only=True)
class Agent:
    """One maintenance worker with its input; the same input always has the same id."""

    notes: tuple[str, ...] = ()  # refused parts of a model's answer, with reasons
    tokens: int = 0  # used by a model
    name: ClassVar[str] = ""
    lets_others_go_on: ClassVar[bool] = False  # True: the round continues after an unsettled run

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        """Yield an agent per piece of work, read lazily: each builds on the results of the one before."""
        raise NotImplementedError

    @property
    def input_id(self) -> str:
        """Return the identity of the input; empty if there is nothing to do."""
        raise NotImplementedError

    @property
    def trust(self) -> str:
        """Return the trust of the input; empty for the agent's own word."""
        return ""

    @property
    def losses(self) -> Mapping[str, str] | None:
        """Return the files that may lose words, and why."""
        return None

    @property
    def label(self) -> str:
        """Return the name of this work in a rehearsal."""
        return self.name

    @property
    def asks(self) -> bool:
        return False

    def ask(self, asker: Asker) -> Self:
        """Return the agent with the valid parts of a model's answer."""
        raise NotImplementedError

    def plan(self, tree: Tree) -> Planned:
        """Return the changes for ``tree``; may be called again with a newer one."""
        raise NotImplementedError

    def after(self, note: RunNote) -> str:
        """Do the follow-up of a run before it is recorded, at most once; return a sentence for the record, or ""."""
        return ""

    def follow_ups(self, report: RunReport | None) -> Iterable[Agent]:
        """Return the agents to run next, without a model; ``report`` is None in a rehearsal."""
        return ()

    def settle(self, records: Records, report: RunReport, now: datetime) -> None:
        """Advance the agent's cursor after a settled run."""

    @classmethod
    def run_round(cls, history: History, now: datetime, means: Means = ALONE) -> list[RunReport]:
        """Run all pieces of work; a run that fails before it begins is recorded too."""
        reports: list[RunReport] = []
        with (
            open_records(history.state / RECORDS, now) as records,
            closing(cls.read(history, records, now, means)) as agents,
        ):
            for each in agents:
                agent = each
                try:
                    if may_come_to_something(history, agent):
                        agent = agent.asked(means)
                except BaseException as error:
                    note = _begun(agent, now, means.slot)
                    records.note_run(note._replace(outcome=RunOutcome.FAILED, reason=_reason(error)))
                    raise
                done = agent.run(history, records, now, slot=means.slot)
                reports += done
                if not (done[0].settled or agent.lets_others_go_on):
                    break
        return reports

    def run(self, history: History, records: Records, now: datetime, *, slot: str = "") -> list[RunReport]:
        """Make the agent's change and its follow-ups, and advance its cursor; the first report is its own."""
        report = run_agent(history, records, self, now, slot=slot)
        reports = [report]
        if report.settled:
            for other in self.follow_ups(report):
                reports.append(run_agent(history, records, other, now, slot=slot))
            self.settle(records, report, now)
        return reports

    @classmethod
    def rehearse_round(cls, history: History, now: datetime, means: Means = ALONE) -> list[Rehearsed]:
        """Return what a round would do; only a model's answers are written."""
        means = replace(means, rehearses=True)
        rehearsals: list[Rehearsed] = []
        with (
            open_records(history.state / RECORDS, now) as records,
            closing(cls.read(history, records, now, means)) as agents,
        ):
            for each in agents:
                if not each.input_id:
                    continue
                agent = each.asked(means)
                rehearsals.append(Rehearsed(agent.label, agent.plan(history.tip().tree)))
                for other in agent.follow_ups(None):
                    planned = other.plan(history.tip().tree) if other.input_id else Planned()
                    rehearsals.append(Rehearsed(other.trust, planned))
        return rehearsals

    def asked(self, means: Means) -> Self:
        """Return the agent with a model's part, if there is one; no workspace lock is held meanwhile."""
        askers = means.askers() if self.asks else None
        asker = None if askers is None else askers(run_id_of(self))
        if asker is None:
            return self
        try:
            return self.ask(asker)
        except ModelError as error:
            return replace(self, notes=(by_rules(error),), tokens=error.spent)


def digest_of(*parts: str) -> str:
    """Return the id of an input made of these parts; empty without parts."""
    if parts:
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return ""


def answer_to(
    asker: Asker,
    history: History,
    agent: str,
    task: str,
    materials: Sequence[Material],
    schema: Mapping[str, Any],
) -> Any:
    """Return a model's answer to a task; the workspace's prompt for the agent precedes it."""
    return asker.complete(prompt_of(prompt_in_force(history, agent), task, materials, schema), schema)


def by_rules(error: ModelError) -> str:
    """Return the note for a question without a usable answer."""
    return f"Rules did it: {error.message}"


def run_agent(
    history: History, records: Records, agent: Agent, now: datetime, *, slot: str = ""
) -> RunReport:
    """Let ``agent`` make its one change, and record the run; an input never changes anything twice, a refusal is an outcome."""
    note = _begun(agent, now, slot)
    if not agent.input_id:
        return _ended(records, note._replace(reason="There was nothing to work on."), Planned())
    last = Planned()

    def plan_in(tree: Tree) -> Plan:
        nonlocal last
        last = agent.plan(tree)
        plan = last.plan or Plan("")
        if agent.name != CORRECTING:
            refuse_regressions(history, records, now, plan, tree)
        if agent.tokens and (plan.edits or plan.trailers):  # tokens alone make no commit
            return plan._replace(trailers=(*plan.trailers, ("Clawgit-Tokens", str(agent.tokens))))
        return plan

    intent = Intent(note.op, agent.name, now, note.run_id, slot, agent.trust, agent.losses, given=True)
    try:
        recorded = apply_plan(history, plan_in, intent)
    except ClawgitError as error:
        report = _ended(records, note._replace(outcome=RunOutcome.REFUSED, reason=str(error)), last)
        is_in_quarantine = isinstance(error, GuardError) and bool(error.quarantine_id)
        return report._replace(settled=is_in_quarantine)
    except BaseException as error:
        records.note_run(note._replace(outcome=RunOutcome.FAILED, reason=_reason(error)))
        raise

    note = _outcome(note, recorded, last)
    reason = "; ".join(filter(None, (note.reason, agent.after(note))))
    if not reason and not note.commit_id:
        reason = "There was nothing to change."
    report = _ended(records, note._replace(reason=reason), last, recorded.kept)
    return report._replace(is_new=recorded.outcome != REPEATED)


def run_at_once(
    agent: Agent, history: History, now: datetime, tell: Callable[[KeepOutcome], None]
) -> RunReport:
    """Run an agent in answer to a message; ``tell`` gets what was committed first."""
    refuse_odd_state(history)
    with open_records(history.state / RECORDS, now) as records:
        report, *_ = agent.run(history, records, now)
    tell(report.kept)
    return report


def may_come_to_something(history: History, agent: Agent) -> bool:
    """Say whether a run could plan anything: it has input without a change made of it, and agents are not paused."""
    if not agent.input_id or paused_since(history) is not None:
        return False
    return find_op(history, op_of(agent)) is None


def run_id_of(agent: Agent) -> str:
    """Return the id of the agent's run over its input."""
    return f"{agent.name}-{digest_of(agent.name, agent.input_id)[:ID_LENGTH]}"


def op_of(agent: Agent) -> str:
    """Return the op of the agent's one change for its input."""
    return f"run-{digest_of(agent.name, agent.input_id)[:20]}"


def _begun(agent: Agent, now: datetime, slot: str) -> RunNote:
    note = RunNote(run_id_of(agent), agent.name, now, RunOutcome.NOTHING, slot=slot, op=op_of(agent))
    return note._replace(tokens=agent.tokens)


def _outcome(note: RunNote, recorded: Recorded, planned: Planned) -> RunNote:
    if recorded.outcome == REPEATED:
        return note._replace(reason="This input was dealt with before.")
    if recorded.outcome == PROPOSED:
        return note._replace(outcome=RunOutcome.PROPOSED, reason=recorded.waiting)
    if recorded.outcome != APPLIED:
        return note._replace(reason="; ".join(planned.left_out))
    edits = 0
    if planned.plan:
        edits = len(planned.plan.edits)
    sentences = [item.says for item in planned.items if item.correction]
    note = note._replace(commit_id=recorded.commit_id or "", edits=edits)
    return note._replace(outcome=planned.outcome, reason="; ".join((*sentences, *planned.left_out)))


def _reason(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "It was interrupted."
    return f"{type(error).__name__}: {error}"


def _ended(
    records: Records, note: RunNote, planned: Planned, kept_edits: KeepOutcome | None = None
) -> RunReport:
    records.note_run(note)
    return RunReport(note, planned, kept_edits or KeepOutcome())


MOST = 100  # queries about the changed texts, the latest: about a second per change
MOST_KEPT = 5_000


def refuse_regressions(history: History, records: Records, now: datetime, plan: Plan, tree: Tree) -> None:
    """Refuse a plan that undoes a correction, or after which a kept query would not rank its correction first."""
    edits = [edit for edit in plan.edits if holds_entries(edit.path) and edit.data is not None]
    corrections = list(corrections_held(history, tree).values()) if edits else []
    for edit in edits:
        for entry, correction in entries_set_back(tree.read(edit.path) or b"", edit.data or b"", corrections):
            says = f"m:{entry.entry_id} would not say any more what x:{correction.correction_id} set right."
            raise ClawgitError(says, hint="A correction wins over what is found elsewhere.")
    texts = {}
    for edit in plan.edits:
        if is_searched(edit.path) and not is_export(edit.path, edit.data or b""):
            texts[edit.path] = edit.data or b""
    coming = _terms_coming(tree, texts)
    claims: list[ProofClaim] = []
    for query, name in records.kept_queries(most=MOST_KEPT if coming else 0):
        about = subject(query)
        # a line with fewer than half of the terms cannot rank before the correction
        if any(0 < len(about) <= 2 * len(about & terms) for terms in coming):
            claims.append(ProofClaim(name, (query,)))
        if len(claims) == MOST:
            break
    failed = unmet_by_words(history, texts, claims, now) if claims else {}
    before = unmet_by_words(history, {}, failed, now) if failed else {}
    for claim, why_not in failed.items():
        if claim not in before:
            hint = "Leave what it corrects as it is, or name the correction."
            raise ClawgitError(f"A correction would not come first any more. {why_not}", hint=hint)


def _terms_coming(tree: Tree, texts: Mapping[str, bytes]) -> list[frozenset[str]]:
    """Return per file the terms of lines that come and are not moved within a tier; for a ledger, also those that go."""
    changed: dict[str, set[bytes]] = {}
    going: dict[Tier, set[bytes]] = {}
    for path, data in texts.items():
        old = set(split_lines(tree.read(path) or b""))
        new = set(split_lines(data))
        changed[path] = old ^ new if is_correction_file(path) else new - old
        going.setdefault(tier_found(path), set()).update(old - new)
    coming = []
    for path, lines in changed.items():
        left = lines if is_correction_file(path) else lines - going[tier_found(path)]
        coming.append(frozenset().union(*(subject(line.decode("utf-8", "replace")) for line in left)))
    return coming
