"""The organizer's round: the files that changed since the last one, in one change; then the cursor moves on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clawgit.agents.models.model import ModelError
from clawgit.agents.organizer.entry_classes import plain_class
from clawgit.agents.organizer.model_order import Ordered, ask_order
from clawgit.agents.organizer.organizer import NAME, Organizer
from clawgit.agents.run_agent import (
    Rehearsed,
    may_come_to_something,
    noting_failure,
    rehearse,
    run_agent,
    run_id_of,
)
from clawgit.errors import ClawgitError
from clawgit.history.reading.agent_prompts import prompt_in_force
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.agents.models.ask_model import Askers
    from clawgit.agents.run_agent import RunReport
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import Records


def organize(
    history: History, now: datetime, *, slot: str = "", askers: Askers | None = None
) -> list[RunReport]:
    """Put in order what changed since the last run; a model classes what rules cannot, and confirms what is one fact."""
    with open_records(history.state / RECORDS, now) as records:
        organizer = _organizer(history, records, now)
        seen = history.tip().commit_id or ""
        with noting_failure(records, organizer, now, slot):
            if may_come_to_something(history, organizer):
                organizer = _asked(organizer, askers)
        report = run_agent(history, records, organizer, now, slot=slot)
        if report.note.outcome in (RunOutcome.APPLIED, RunOutcome.NOTHING) and seen:
            records.agent_cursors.note(NAME, report.note.commit_id or seen, now)
        return [report]


def rehearse_organizing(history: History, now: datetime, *, askers: Askers | None = None) -> list[Rehearsed]:
    """Return what `organize` would do; nothing is written or recorded."""
    with open_records(history.state / RECORDS, now) as records:
        organizer = _organizer(history, records, now)
    if not organizer.input_id:
        return []
    return [Rehearsed(NAME, rehearse(history, _asked(organizer, askers)))]


def _organizer(history: History, records: Records, now: datetime) -> Organizer:
    return Organizer(history, now, _known(history, records.agent_cursors.of(NAME)))


def _known(history: History, cursor: str) -> str:
    """Return the cursor, empty where its commit is no longer there: then everything is looked at again."""
    try:
        return cursor if cursor and history.tree_of(cursor).tree_id else ""
    except (ClawgitError, KeyError):
        return ""


def _asked(organizer: Organizer, askers: Askers | None) -> Organizer:
    asker = askers(run_id_of(organizer)) if askers is not None else None
    if asker is None:
        return organizer
    states = organizer.states()
    unclear = [state for state in organizer.to_class(states) if not plain_class(state.entry.text)]
    unclear.sort(key=lambda state: state.words_since, reverse=True)
    pairs = organizer.pairs(states).same
    if not unclear and not pairs:
        return organizer
    try:
        soul = prompt_in_force(organizer.history, NAME)
        return replace(organizer, ordered=ask_order(asker, soul, unclear, pairs))
    except ModelError as error:
        return replace(organizer, ordered=Ordered({}, None, (f"Rules did it: {error.message}",), error.spent))
