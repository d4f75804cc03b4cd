"""The decay engine's round: what is over on this day, asked of a model where there is one, in one change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from clawgit.agents.decay.decay_engine import NAME, DecayEngine
from clawgit.agents.decay.model_farewell import Farewell, ask_farewell
from clawgit.agents.models.model import ModelError
from clawgit.agents.run_agent import (
    Rehearsed,
    may_come_to_something,
    noting_failure,
    rehearse,
    run_agent,
    run_id_of,
)
from clawgit.capture.messages.message_store import Asked
from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.history.provenance.entries_at_tip import states_below
from clawgit.history.provenance.fold_update import present_fold
from clawgit.history.reading.agent_prompts import prompt_in_force
from clawgit.history.transaction.taken_entry_ids import entry_files
from clawgit.memory.decay.expiry import is_over
from clawgit.memory.entries.entry_marks import marks_in
from clawgit.memory.entries.statements import parted
from clawgit.memory.entry_states import DAYS_OF_CLASS
from clawgit.recall.questions.question_dates import find_days
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.understanding.facts.keepable_sentences import kept_in
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from clawgit.agents.models.ask_model import Askers
    from clawgit.agents.run_agent import RunReport
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.repository import History
    from clawgit.memory.entry_states import EntryState


SOON = timedelta(days=14)  # what is said of a weekday is over by then
_DAYS = (ValueKind.DATE, ValueKind.WEEKDAY)
MOST_MESSAGES = 2000


def decay(
    history: History, now: datetime, *, slot: str = "", askers: Askers | None = None
) -> list[RunReport]:
    """Move what is over into the archive, in one change; with a model it says what remains of it."""
    with open_records(history.state / RECORDS, now) as records:
        engine = decay_engine(history, now)
        with noting_failure(records, engine, now, slot):
            if may_come_to_something(history, engine):
                engine = _with_farewell(engine, history, now, askers)
        return [run_agent(history, records, engine, now, slot=slot)]


def rehearse_decay(history: History, now: datetime, *, askers: Askers | None = None) -> list[Rehearsed]:
    """Return what `decay` would do; nothing is written or recorded."""
    engine = decay_engine(history, now)
    if not engine.over:
        return []
    engine = _with_farewell(engine, history, now, askers)
    return [Rehearsed(NAME, rehearse(history, engine))]


def decay_engine(history: History, now: datetime) -> DecayEngine:
    """Return the agent for what is over at a time."""
    states = (state for state in _with_a_term(history, now.date()) if _is_over(state, now.date()))
    return DecayEngine(tuple(states), now.date())


def _with_a_term(history: History, on: date) -> list[EntryState]:
    """Return the entries of the files that hold one whose class has an end: of most files nothing needs to be known."""
    with present_fold(history) as store:
        ids = store.classed([name for name, days in DAYS_OF_CLASS.items() if days is not None])
    tree = history.tip().tree
    paths = [path for path in entry_files(tree) if ids & marks_in(tree.read(path) or b"")] if ids else []
    return states_below(history, paths, on, only=ids) if paths else []


def _is_over(state: EntryState, on: date) -> bool:
    if not is_over(state, on) or _was_ordered(state):
        return False
    until = open_until(parted(state.entry.text).statement, state.words_since)
    return until is not None and is_over(state, on, open_until=until)


def _was_ordered(state: EntryState) -> bool:
    """Say whether the operator asked for it to be remembered: then no class takes it away."""
    quotes = (evidence.partition(" ")[2].strip('"') for evidence in state.evidence)
    return any(kept.is_ordered for quote in quotes if quote for kept in kept_in(quote))


def open_until(statement: str, said_on: date) -> date | None:
    """Return the last day that a sentence names, or the day it was said; None where it names one that nobody can read.

    A day without a year is the next one of that name.
    """
    last = said_on
    texts = [statement, *(value.text for value in values_in(statement) if value.kind in _DAYS)]
    for number, text in enumerate(texts):
        days = find_days(text, said_on).days
        if days is None:
            if number:
                return None
            continue
        end = days.last
        if end < said_on and days.any_year:
            end = date(end.year + 1, end.month, min(end.day, 28 if end.month == 2 else 31))
        elif end < said_on and said_on - end <= SOON / 2:
            end = said_on + SOON
        last = max(last, end)
    return last


def _with_farewell(
    engine: DecayEngine, history: History, now: datetime, askers: Askers | None
) -> DecayEngine:
    """Return the agent with what a model says of the entries; without a usable answer rules archive them as they are."""
    asker = askers(run_id_of(engine)) if askers is not None else None
    if asker is None:
        return engine
    first = min(state.words_since for state in engine.over)
    try:
        messages = _messages_since(history, now, first)
        found = ask_farewell(asker, prompt_in_force(history, NAME), engine.over, messages)
    except ModelError as error:
        found = Farewell(notes=(f"Rules did it: {error.message}",), tokens=error.spent)
    return replace(engine, farewell=found)


def _messages_since(history: History, now: datetime, day: date) -> list[ChatMessage]:
    if not has_messages(history):
        return []
    since = datetime(day.year, day.month, day.day, tzinfo=now.tzinfo or UTC)
    with open_messages(history, now) as store:
        return store.log(Asked(role="user", since=since, limit=MOST_MESSAGES))
