"""Vectors of what was corrected, or said once and not for long: flagged, and taken away after a time of grace."""

from __future__ import annotations

from datetime import date
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.run_agent import ALONE, Agent, Planned, Rehearsed, RunReport
from clawgit.history.git.trees import entry_files
from clawgit.history.provenance.correction_files import read_known_corrections
from clawgit.history.provenance.entries_at_tip import states_in
from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.fold_update import renew_fold
from clawgit.history.review.keep import Kept as EditsKept
from clawgit.memory.compaction.weak_entries import Graces, Kept, Step, next_step, touches_correction
from clawgit.recall.index.index_tables import text_hash
from clawgit.recall.vector_search import change_rows, entry_hashes, has_rows, live_hashes
from clawgit.workspace.records.records import RECORDS, RunNote, RunOutcome, open_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from clawgit.agents.run_agent import Means
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.memory.entry_states import EntryState
    from clawgit.workspace.records.records import Records
    from clawgit.workspace.settings.settings import Settings

HYGIENE = "vector-hygiene"


class Tidying(NamedTuple):
    """What is to be done, by the hashes of texts."""

    flag: frozenset[bytes] = frozenset()
    unflag: frozenset[bytes] = frozenset()
    rest: frozenset[bytes] = frozenset()
    forget: frozenset[bytes] = frozenset()
    lost: frozenset[bytes] = frozenset()  # flags of what no entry says any more

    @property
    def told(self) -> str:
        """Return it as a sentence, empty where nothing is done."""
        parts = []
        if self.flag:
            parts.append(f"{len(self.flag)} flagged as stale")
        if self.unflag:
            parts.append(f"{len(self.unflag)} not stale any more")
        if self.rest:
            parts.append(f"{len(self.rest)} at rest")
        return ", ".join(parts)

    @property
    def run_id(self) -> str:
        """Return the id of the run that does it."""
        hashes = b"\0".join(sorted(self.flag | self.unflag | self.rest | self.forget))
        return f"{HYGIENE}-{sha256(hashes).hexdigest()[:10]}"


class VectorHygiene(Agent):
    """The round for the vectors at rest. It changes no file, so it makes no plan, and no commit is its record."""

    name = HYGIENE

    @classmethod
    def run_round(cls, history: History, now: datetime, means: Means = ALONE) -> list[RunReport]:
        """Flag what is stale, delete what was flagged or corrected long enough ago."""
        with open_records(history.state / RECORDS, now) as records:
            tidying = planned(history, records, now)
            deleted = 0
            if any(tidying):
                deleted = change_rows(history, rest=tidying.rest, wake=tidying.unflag, forget=tidying.forget)
                gone = tidying.unflag | tidying.lost
                records.vector_flags.change(now.date(), flagged=tidying.flag, gone=gone)
            note = RunNote(tidying.run_id, HYGIENE, now, RunOutcome.NOTHING, slot=means.slot)
            note = note._replace(reason="There was nothing to do.")
            if deleted or tidying.flag or tidying.unflag:
                parts = [tidying.told, f"{deleted} deleted" if deleted else ""]
                note = note._replace(outcome=RunOutcome.APPLIED, reason=", ".join(filter(None, parts)))
            records.note_run(note)
            return [RunReport(note, Planned(), EditsKept())]

    @classmethod
    def rehearse_round(cls, history: History, now: datetime, means: Means = ALONE) -> list[Rehearsed]:
        """Return what a round would do; nothing is written or recorded."""
        with open_records(history.state / RECORDS, now) as records:
            tidying = planned(history, records, now)
        if not tidying.told:
            return []
        return [Rehearsed(tidying.run_id, Planned(left_out=(tidying.told,)))]


def graces_of(settings: Settings) -> Graces:
    """Return for how long vectors stay that are wrong, unused or flagged."""
    return Graces(
        settings.corrected_embedding_grace_days, settings.vector_stale_days, settings.vector_flag_grace_days
    )


def planned(history: History, records: Records, now: datetime) -> Tidying:
    """Return what is to be done; nothing where nothing was ever turned into vectors."""
    if not has_rows(history):
        return Tidying()
    flags = records.vector_flags.all()
    graces, on = graces_of(history.settings), now.date()
    tree = history.tip().tree
    hashes = entry_hashes(tree, entry_files(tree))
    steps: dict[Step, set[bytes]] = {step: set() for step in Step}
    with open_fold(history.state) as store:
        renew_fold(history, store)
        for text, kept in _entries(states_in(history, store, on), hashes, flags):
            steps[next_step(kept, on, graces)].add(text)
        old = {text for text, kept in _wordings(history, store) if next_step(kept, on, graces) is Step.DELETE}
    wake = steps[Step.UNFLAG]
    lost = flags.keys() - set(hashes.values())
    forget = old - live_hashes(history) if old else set()
    sets = (steps[Step.FLAG], wake, steps[Step.DELETE] - steps[Step.KEEP], forget, lost)
    return Tidying(*map(frozenset, sets))


def _entries(
    states: list[EntryState], hashes: Mapping[str, bytes], flags: Mapping[bytes, date]
) -> Iterator[tuple[bytes, Kept]]:
    for state in states:
        text = hashes.get(state.entry.entry_id or "")
        if text is not None:
            seen = state.last_mention or state.since
            yield text, Kept(seen, state.mentions + 1, None, flags.get(text), touches_correction(state))


def _wordings(history: History, store: FoldStore) -> Iterator[tuple[bytes, Kept]]:
    for known in read_known_corrections(history, store):
        correction = known.correction
        if not known.counts or not correction.corrects:
            continue
        try:
            day = date.fromisoformat(correction.at[:10])
        except ValueError:
            continue
        for entry_id in correction.corrects:
            said = [seen.words for seen in store.seen(entry_id) if seen.kind == "words"]
            yield from ((text_hash(words), Kept(day, corrected=day)) for words in said[:-1])
