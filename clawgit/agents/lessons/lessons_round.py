"""The lessons extractor's round: the imported transcripts that changed since the last one, in one change."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.agents.lessons.lesson_verdicts import Verdicts, ask_verdicts
from clawgit.agents.lessons.lessons_extractor import NAME, Found, LessonsExtractor, lessons_in
from clawgit.agents.lessons.overcome_failures import overcome_failures
from clawgit.agents.models.model import ModelError
from clawgit.agents.run_agent import (
    Rehearsed,
    may_come_to_something,
    noting_failure,
    rehearse,
    run_agent,
    run_id_of,
)
from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.capture.transcripts.tool_calls import commands_of
from clawgit.history.provenance.evidence_cited import read_cited
from clawgit.history.reading.agent_prompts import prompt_in_force
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from clawgit.agents.models.ask_model import Askers
    from clawgit.agents.run_agent import RunReport
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import Records

    Stamps = dict[str, list[int]]

LARGEST = 256 * 1024 * 1024  # bytes of a transcript


def extract_lessons(
    history: History, now: datetime, *, slot: str = "", askers: Askers | None = None
) -> list[RunReport]:
    """Learn from the transcripts that changed, in one change; a model says what is a lesson, and what is a known one."""
    with open_records(history.state / RECORDS, now) as records:
        stamps = _stamps(history, now)
        extractor = _extractor(history, now, _changed(records, stamps))
        with noting_failure(records, extractor, now, slot):
            if may_come_to_something(history, extractor):
                extractor = _asked(extractor, history, askers)
        report = run_agent(history, records, extractor, now, slot=slot)
        if report.note.outcome in (RunOutcome.APPLIED, RunOutcome.NOTHING):
            records.agent_cursors.note(NAME, json.dumps(stamps, sort_keys=True), now)
        return [report]


def rehearse_lessons(history: History, now: datetime, *, askers: Askers | None = None) -> list[Rehearsed]:
    """Return what `extract_lessons` would do; nothing is written or recorded."""
    with open_records(history.state / RECORDS, now) as records:
        paths = _changed(records, _stamps(history, now))
    extractor = _extractor(history, now, paths)
    if not extractor.found:
        return []
    return [Rehearsed(NAME, rehearse(history, _asked(extractor, history, askers)))]


def waits_for_lessons(history: History, records: Records, now: datetime) -> bool:
    """Say whether a transcript changed since the last run."""
    return bool(_changed(records, _stamps(history, now)))


def _stamps(history: History, now: datetime) -> Stamps:
    """Return the imported transcripts that are still there, each with its size and time."""
    if not has_messages(history):
        return {}
    with open_messages(history, now) as store:
        paths = store.imported_files()
    found: Stamps = {}
    for path in paths:
        try:
            state = Path(path).stat()
        except OSError:  # moved or deleted: what was said in it was kept, what was run in it was not
            continue
        found[path] = [state.st_size, state.st_mtime_ns]
    return found


def _changed(records: Records, stamps: Stamps) -> list[str]:
    known = json.loads(records.agent_cursors.of(NAME) or "{}")
    return [path for path, stamp in stamps.items() if known.get(path) != stamp and stamp[0] <= LARGEST]


def _extractor(history: History, now: datetime, paths: list[str]) -> LessonsExtractor:
    """Return the agent for what was overcome in transcripts and is not cited yet."""
    found = [each for path in paths for each in _found(Path(path), now)]
    if not found:
        return LessonsExtractor((), now.date())
    cited = read_cited(history)
    new = {each.evidence_id: each for each in found if each.evidence_id not in cited.every}
    resting = (f"{name} {item}" for name, items in cited.by_entry.items() for item in items)
    return LessonsExtractor(tuple(new.values()), now.date(), cited=frozenset(resting))


def _found(path: Path, now: datetime) -> Iterator[Found]:
    try:
        session, commands = commands_of(path)
    except OSError:
        return
    for each in overcome_failures(commands):
        on = now.date() if each.at is None else each.at.astimezone(now.tzinfo).date()
        yield Found(each, session, min(on, now.date()))


def _asked(extractor: LessonsExtractor, history: History, askers: Askers | None) -> LessonsExtractor:
    asker = askers(run_id_of(extractor)) if askers is not None else None
    if asker is None:
        return extractor
    found = [(each.evidence_id, each.overcome) for each in extractor.found]
    try:
        known = lessons_in(history.tip().tree)
        verdicts = ask_verdicts(asker, prompt_in_force(history, NAME), found, known)
    except ModelError as error:
        verdicts = Verdicts({}, (f"Rules did it: {error.message}",), error.spent)
    return replace(extractor, verdicts=verdicts)
