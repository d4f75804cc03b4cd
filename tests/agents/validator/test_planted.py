"""Planted corrections: what was set right comes first for whoever asks about it, in core mode.

The round goes over texts alone (triage, what is written down), then into one commit and one index.
"""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from clawgit.memory.corrections.correction_log import LEDGER, Correction, Status
from clawgit.memory.corrections.write_correction import MemoryFiles, Verdict, WrittenDown, write_down
from clawgit.memory.entries.entries import new_entry_id
from clawgit.recall.search import search
from clawgit.recall.search_results import Query
from clawgit.understanding.triage.triage_message import triage
from tests.agents.validator.planted import Planted, planted

ON = date(2026, 3, 19)
SAID = "2026-03-19 10:22"


def corrected(case: Planted, memory: MemoryFiles, number: int) -> WrittenDown:
    """Return one planted correction written down: in its entry, where that is remembered."""
    right = case.fact.replace(case.old, case.new)
    wrong = tuple((held, right) for held in memory.entries() if held.parts.statement == case.fact)
    status = Status.APPLIED if wrong else Status.LOGGED
    verdict = Verdict(status, case.fact if wrong else "", right if wrong else case.told, wrong)
    return write_down(verdict, Correction("", SAID, case.told, "high"), memory, f"chat:{number}")


def filled(cases: list[Planted]) -> tuple[dict[str, bytes], list[Correction]]:
    """Return how a workspace reads in which everything was remembered wrong and corrected."""
    core = "".join(
        f"- {case.fact} <!-- m:{new_entry_id(case.fact, 'x', ())} -->\n" for case in cases if case.remembered
    )
    texts, ledger, made = {"MEMORY.md": core.encode()}, b"# CORRECTIONS\n", []
    for number, case in enumerate(cases):
        ids = frozenset(each.correction_id for each in made)
        done = corrected(case, MemoryFiles({"MEMORY.md": texts["MEMORY.md"]}, b"", ids), number)
        texts |= done.texts
        ledger += b"\n" + done.texts[LEDGER]
        made.append(done.correction)
    return {**texts, LEDGER: ledger}, made


def notes(cases: list[Planted]) -> dict[str, str]:
    """Return dated notes that say what was wrong, some facts a day."""
    days: dict[str, str] = {}
    for number, case in enumerate(cases):
        path = f"memory/{(ON - timedelta(days=1 + number % 40)).isoformat()}.md"
        days[path] = days.get(path, "# Notes\n") + f"- {case.fact}\n- Talked about other things.\n"
    return days


@pytest.fixture
def cases(full_length: bool) -> list[Planted]:
    return list(planted())[:: 1 if full_length else 5]


def test_triage_hears_the_planted_corrections() -> None:
    """All of them. Mutant: the day of a month (`일`) is taken for the word for a matter."""
    assert [case.told for case in planted() if triage(case.told).validator is None] == []


def test_what_was_set_right_comes_first(room, cases) -> None:
    """Half of 252 facts are remembered (a fifth of them without --long). Mutant: no links."""
    texts, made = filled(cases)
    room.change({path: data.decode() for path, data in texts.items()} | notes(cases), actor="operator")

    linked = [(case, each) for case, each in zip(cases, made, strict=True) if each.corrects]
    missed = []
    for case, correction in linked:
        first = next(iter(search(room.history, Query(case.question), room.now).results), None)
        if first is None or f"x:{correction.correction_id}" not in first.entries:
            missed.append(f"{case.question} | {case.told} | {correction.correct} | {first and first.snippet}")

    assert missed == []
