"""What an agent is, and a round of it: read, ask a model, plan, one change through the guards, and a record of each run."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from clawgit.agents.models.model import ModelError, prompt_of
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import APPLIED, PROPOSED, REPEATED, Recorded, apply_plan
from clawgit.history.authorship.commit_messages import find_op
from clawgit.history.authorship.intent import Intent, paused_since
from clawgit.history.authorship.settings_in_force import prompt_in_force
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
from clawgit.understanding.corrections.ready_commands import link_ways
from clawgit.workspace.records.records import RECORDS, Records, RunNote, RunOutcome, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
    from datetime import datetime

    from clawgit.agents.models.model import Asker, Askers, Material
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.recall.vector_search import Vectors

    Agents = Generator["Agent", None, None]

ID_LENGTH = 10
DONE = (RunOutcome.APPLIED, RunOutcome.NOTHING)


class Item(NamedTuple):
    """One thing that a plan does: an entry (`m:…`) kept, corrected or asked about, or a correction that is only noted."""

    outcome: RunOutcome
    correction: str
    entry: str
    old: str
    new: str

    @property
    def says(self) -> str:
        if not self.correction:
            return f"kept: {self.entry} {self.new}"
        if self.outcome is RunOutcome.NOTED:
            return f'noted: "{self.new}"'
        if self.outcome is RunOutcome.LINKED:
            ways = link_ways(self.correction, self.old, self.new)
            sentence = f'linked: {self.entry or "the entry"} "{self.old}", you said "{self.new}"'
            return f"{sentence} → {ways}"
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
    """What an agent wants, and what it left out and why; no plan means that nothing is to do."""

    plan: Plan | None = None
    left_out: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()  # what the plan does where it is more than its edits
    outcome: RunOutcome = RunOutcome.APPLIED  # of the run once the plan is made


class Rehearsed(NamedTuple):
    """What an agent would do about one piece of its work."""

    input_id: str
    planned: Planned


class RunReport(NamedTuple):
    """What became of a run: its record, what it planned last, and what was kept on the way."""

    note: RunNote
    planned: Planned
    kept: KeepOutcome
    settled: bool = True  # trying again is of no use; else it was not its turn, or a model failed
    is_new: bool = True  # no run before dealt with this input


@dataclass(frozen=True, slots=True)
class Means:
    """What every round is given, made when it is wanted."""

    slot: str = ""  # when the run was due
    askers: Callable[[], Askers | None] = lambda: None  # None: rules do the work
    vectors: Callable[[], Vectors | None] = lambda: None
    tell: Callable[[int, int], None] = lambda done, total: None  # takes how much is done
    rehearses: bool = False  # nothing is written
    only_moves: bool = False  # of a rehearsal only what would move is looked at: nothing is told
    may_move: bool = True  # else lines and notes stay in their files: the operator is asked first


ALONE = Means()


@dataclass(frozen=True, kw_only=True)
class Agent:
    """One maintenance worker with its input read; the same input has the same id, whenever it is read."""

    notes: tuple[str, ...] = ()  # what of a model's answer was refused, and why
    tokens: int = 0  # that a model was asked for it
    name: ClassVar[str] = ""
    lets_others_go_on: ClassVar[bool] = False  # where a run is not settled, the round is over otherwise

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        """Yield an agent for each piece of work, read when it is its turn: one builds on what another left."""
        raise NotImplementedError

    @property
    def input_id(self) -> str:
        """Return what tells this input from any other; empty where there is nothing to work on."""
        raise NotImplementedError

    @property
    def trust(self) -> str:
        """Return what the input rests on; empty where that is the agent's own word."""
        return ""

    @property
    def losses(self) -> Mapping[str, str] | None:
        """Return the files whose words may go, and why."""
        return None

    @property
    def label(self) -> str:
        """Return what a rehearsal calls this piece of work."""
        return self.name

    @property
    def asks(self) -> bool:
        """Say whether a model is asked about it, where there is one."""
        return False

    def ask(self, asker: Asker) -> Self:
        """Return the agent with the parts of a model's answer that passed their checks."""
        raise NotImplementedError

    def plan(self, tree: Tree) -> Planned:
        """Return what should change in ``tree``; may be asked again for a newer one."""
        raise NotImplementedError

    def after(self, note: RunNote) -> str:
        """Do what follows from the run, before it is recorded, at most once; return a sentence for the record, or none."""
        return ""

    def follow_ups(self, report: RunReport | None) -> Iterable[Agent]:
        """Return who runs next because of this run, without a model; ``report`` is None in a rehearsal."""
        return ()

    def settle(self, records: Records, report: RunReport, now: datetime) -> None:
        """Move the agent's cursor after a settled run."""

    @classmethod
    def run_round(cls, history: History, now: datetime, means: Means = ALONE) -> list[RunReport]:
        """Run each piece of work that there is; a run that fails before it begins is recorded, too."""
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
        """Make the agent's change and what follows from it, and move its cursor; the first report is its own."""
        report = run_agent(history, records, self, now, slot=slot)
        reports = [report]
        if report.settled:
            for other in self.follow_ups(report):
                reports.append(run_agent(history, records, other, now, slot=slot))
            self.settle(records, report, now)
        return reports

    @classmethod
    def rehearse_round(cls, history: History, now: datetime, means: Means = ALONE) -> list[Rehearsed]:
        """Return what a round would do; nothing is written or recorded, but what a model answered."""
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
        """Return the agent with a model's part in it, where there is one: nobody waits for the workspace meanwhile."""
        askers = means.askers() if self.asks else None
        asker = None if askers is None else askers(run_id_of(self))
        if asker is None:
            return self
        try:
            return self.ask(asker)
        except ModelError as error:
            return replace(self, notes=(by_rules(error),), tokens=error.spent)


def digest_of(*parts: str) -> str:
    """Return the id of an input that is made of these parts; of none there is none."""
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
    """Return what a model answers to an agent's task; what the workspace tells that agent goes before it."""
    return asker.complete(prompt_of(prompt_in_force(history, agent), task, materials, schema), schema)


def by_rules(error: ModelError) -> str:
    """Return the note for a question that got no usable answer."""
    return f"Rules did it: {error.message}"


def run_agent(
    history: History, records: Records, agent: Agent, now: datetime, *, slot: str = ""
) -> RunReport:
    """Let ``agent`` make its one change, and record the run; the same input never makes a second change, a refusal is an outcome."""
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
        if agent.tokens and (plan.edits or plan.trailers):  # tokens alone are no reason for a commit
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


def may_come_to_something(history: History, agent: Agent) -> bool:
    """Say whether a run of the agent would plan anything: it has input that nothing was made of, and is not paused."""
    if not agent.input_id or paused_since(history) is not None:
        return False
    return find_op(history, op_of(agent)) is None


def run_id_of(agent: Agent) -> str:
    """Return the id that a run of the agent over its input has."""
    return f"{agent.name}-{digest_of(agent.name, agent.input_id)[:ID_LENGTH]}"


def op_of(agent: Agent) -> str:
    """Return the op of the one change that an agent makes of its input."""
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


MOST = 100  # questions about what changes, those kept last: about a second for an agent's change
MOST_KEPT = 5_000


def refuse_regressions(history: History, records: Records, now: datetime, plan: Plan, tree: Tree) -> None:
    """Refuse a plan that sets a corrected entry back, or after which a question would not bring its correction first."""
    _refuse_set_back(history, plan, tree)
    texts = {}
    for edit in plan.edits:
        if is_searched(edit.path) and not is_export(edit.path, edit.data or b""):
            texts[edit.path] = edit.data or b""
    coming = _terms_coming(tree, texts)
    claims: list[ProofClaim] = []
    for query, name in records.kept_queries(most=MOST_KEPT if coming else 0):
        about = subject(query)
        # less than half of what is asked for comes before no correction
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


def _refuse_set_back(history: History, plan: Plan, tree: Tree) -> None:
    edits = [edit for edit in plan.edits if holds_entries(edit.path) and edit.data is not None]
    corrections = list(corrections_held(history, tree).values()) if edits else []
    for edit in edits:
        back = entries_set_back(tree.read(edit.path) or b"", edit.data or b"", corrections)
        for entry_id, correction in back:
            says = f"m:{entry_id} would not say any more what x:{correction.correction_id} set right."
            raise ClawgitError(says, hint="A correction wins over what is found elsewhere.")


def _terms_coming(tree: Tree, texts: Mapping[str, bytes]) -> list[frozenset[str]]:
    """Return of each file the terms of the lines that come, and did not go from one of its tier; of a ledger, of those that go too."""
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
