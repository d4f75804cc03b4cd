"""The detector's round: what changed since the last one, compared with what is like it; one run, one change or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.agents.conflict_detector.conflict_detector import NAME, Beside, ConflictDetector, by_rules
from clawgit.agents.conflict_detector.entry_pairs import Alike, Standing, standing_in
from clawgit.agents.conflict_detector.model_verdicts import Verdicts, ask_detector
from clawgit.agents.run_agent import (
    Rehearsed,
    may_come_to_something,
    noting_failure,
    rehearse,
    run_agent,
    run_id_of,
)
from clawgit.errors import ClawgitError
from clawgit.history.provenance.entries_at_tip import states_below
from clawgit.history.provenance.trust_lookup import conflicts_known
from clawgit.history.reading.agent_prompts import prompt_in_force
from clawgit.history.transaction.taken_entry_ids import entry_files
from clawgit.memory.conflict_log import Claim, as_logged
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import day_in
from clawgit.memory.provenance.confidence import CORRECTED
from clawgit.memory.trust import LOWEST
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from clawgit.agents.models.ask_model import Askers
    from clawgit.agents.run_agent import RunReport
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.entry_states import EntryState
    from clawgit.recall.vector_search import Vectors
    from clawgit.workspace.records.records import Records


ALIKE = 0.8  # cosine
MOST_ASKED = 200  # entries of which the vectors are asked what is like them


def detect(
    history: History,
    now: datetime,
    *,
    slot: str = "",
    vectors: Vectors | None = None,
    askers: Askers | None = None,
) -> list[RunReport]:
    """Compare what changed since the last round with what is like it; what was compared is not compared again."""
    with open_records(history.state / RECORDS, now) as records:
        round_ = _Round(history, records, now, vectors)
        agent = round_.agent()
        if not agent.input_id:
            round_.finish()
            return []
        with noting_failure(records, agent, now, slot):
            if may_come_to_something(history, agent):
                agent = round_.asked(agent, askers)
        report = run_agent(history, records, agent, now, slot=slot)
        goes_on = bool(report.note.commit_id) and agent.leaves_some(history.tip().tree)
        if report.settled and not agent.beside.verdicts.failed and not goes_on:
            round_.finish()
        return [report]


def rehearse_detection(
    history: History, now: datetime, *, vectors: Vectors | None = None, askers: Askers | None = None
) -> list[Rehearsed]:
    """Return what `detect` would do; nothing is written or recorded."""
    with open_records(history.state / RECORDS, now) as records:
        round_ = _Round(history, records, now, vectors)
        agent = round_.agent()
        return [Rehearsed(NAME, rehearse(history, round_.asked(agent, askers)))] if agent.input_id else []


@dataclass(frozen=True, slots=True)
class _Round:
    history: History
    records: Records
    now: datetime
    vectors: Vectors | None = None

    def agent(self) -> ConflictDetector:
        """Return the agent for what changed since the last round."""
        tree = self.history.tip().tree
        before = self._known_tree()
        files, old = ({path: each.read(path) or b"" for path in entry_files(each)} for each in (tree, before))
        beside = Beside(
            _Claims(self.history, self.now), lambda each: conflicts_known(self.history, each), Verdicts()
        )
        if files == old:
            return ConflictDetector("", (), beside, self.now)
        entries, earlier = standing_in(files), standing_in(old)
        there, was = ({each.statement for each in some} for some in (entries, earlier))
        changed = there - was
        pairs = tuple(Alike(entries).pairs(changed, self._near(entries, changed))) if changed else ()
        scan_id = "\0".join(
            sorted(f"{sign}{line}" for sign, some in (("+", changed), ("-", was - there)) for line in some)
        )
        logged = len(beside.held(tree))  # a run that goes on where the last one ended is another one
        return ConflictDetector(f"{self._cursor()}\0{logged}\0{scan_id}", pairs, beside, self.now)

    def asked(self, agent: ConflictDetector, askers: Askers | None) -> ConflictDetector:
        """Return the agent with a model's word on its pairs, where there is one; nobody waits for the workspace meanwhile."""
        asker = askers(run_id_of(agent)) if agent.pairs and askers is not None else None
        if asker is None:
            return agent
        settled = {each.statements for each in conflicts_known(self.history, self.history.tip().tree)}
        pairs = [pair for pair in agent.pairs if pair.statements not in settled]
        pairs.sort(key=lambda pair: not by_rules(pair, self.now))
        claim = agent.beside.claim
        soul = prompt_in_force(self.history, NAME)
        verdicts = ask_detector(asker, soul, pairs, lambda each: claim(each).trust)
        beside = Beside(claim, agent.beside.held, verdicts)
        return ConflictDetector(agent.scan_id, agent.pairs, beside, self.now)

    def finish(self) -> None:
        """Note that everything up to the present commit was compared."""
        self.records.agent_cursors.note(NAME, self.history.tip().commit_id or "", self.now)

    def _cursor(self) -> str:
        return self.records.agent_cursors.of(NAME)

    def _known_tree(self) -> Tree:
        """Return the state up to which everything was compared; nothing was where that is not in the repository any more."""
        try:
            return self.history.tree_of(self._cursor() or None)
        except ClawgitError:
            return self.history.tree_of(None)

    def _near(self, entries: list[Standing], changed: set[str]) -> Callable[[Standing], Iterable[Standing]]:
        """Return what the vectors, where they are on, find like an entry."""
        if self.vectors is None or len(changed) > MOST_ASKED:
            return lambda _: ()
        vectors, by_text = self.vectors, {each.entry.text: each for each in entries}

        def near(one: Standing) -> Iterable[Standing]:
            return [by_text[text] for text in vectors.alike(one.entry.text, by_text, least=ALIKE)]

        return near


class _Claims:
    """What history says of entries: read for the files of those that are asked about."""

    def __init__(self, history: History, now: datetime) -> None:
        self._history, self._now = history, now
        self._known: dict[str, dict[str, Claim]] = {}

    def __call__(self, each: Standing) -> Claim:
        if each.path not in self._known:
            states = states_below(self._history, [each.path], self._now.date())
            self._known[each.path] = {
                as_logged(parted(state.entry.text).statement): _claim_of(state) for state in states
            }
        return self._known[each.path].get(each.statement, Claim(self._now.date(), LOWEST, each.entry.tag))


def _claim_of(state: EntryState) -> Claim:
    dated = day_in(parted(state.entry.text).before.strip(": "))
    is_correction = state.steps[0].confidence == CORRECTED
    return Claim(state.words_since, state.trust, state.entry.tag, is_correction, dated)
