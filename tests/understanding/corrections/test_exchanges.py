"""What comes of talk as people talk: triage, the verdict, what is written down. Nothing but what was meant is changed.

Mutants that it caught: no look at the rewritten statement (`reads_on` always true), none at what the message says
besides (`says_all` always true), whose it is left out of account, what holds of two changed for one, a value given way
that the message affirms, half of a message made.
"""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.correction_log import Correction
from clawgit.memory.corrections.verdicts import Exchange
from clawgit.memory.corrections.write_correction import Remembered, write_down
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.entry_ids import new_entry_id
from clawgit.memory.entries.statements import parted
from clawgit.understanding.corrections.multiple_corrections import judge_each
from clawgit.understanding.triage.triage_message import triage
from tests.understanding.corrections import exchanges_chinese, exchanges_english, exchanges_korean

LANGUAGES = (exchanges_english, exchanges_chinese, exchanges_korean)
HEARD_OR_NOT = "medium"


def after(entries: tuple[str, ...], said: str, told: str, confidence: str | None) -> dict[int, str]:
    """Return the entries that read otherwise once the operator has answered, by their place."""
    core = "".join(f"- {entry} <!-- m:{new_entry_id(entry, 'x', ())} -->\n" for entry in entries).encode()
    memory = Remembered({"MEMORY.md": core})
    if confidence is not None:
        for verdict in judge_each(Exchange(told, confidence, (said,)), memory.entries()):
            note = Correction("", "2026-03-19 10:22", told, confidence)
            memory = memory.having(write_down(verdict, note, memory, "chat:1"))
    now = [parted(each.text).statement for each in read_entries(memory.now.get("MEMORY.md", core))]
    assert len(now) == len(entries)
    return {at: new for at, (new, old) in enumerate(zip(now, entries, strict=True)) if new != old}


def exchanges(kind: str) -> list:
    """Return the exchanges of one kind in all languages."""
    return [
        pytest.param(language.REMEMBERED[world], said, told, wanted, id=f"{world}: {told}"[:60])
        for language in LANGUAGES
        for world, said, told, wanted in getattr(language, kind)
    ]


@pytest.mark.parametrize(("entries", "said", "told", "wanted"), exchanges("SET_RIGHT"))
def test_what_the_operator_means_is_set_right_and_nothing_else(entries, said, told, wanted) -> None:
    assert after(entries, said, told, triage(told).validator) == wanted


@pytest.mark.parametrize(("entries", "said", "told", "wanted"), exchanges("LEFT_ALONE"))
def test_what_sets_nothing_right_changes_nothing(entries, said, told, wanted) -> None:
    assert after(entries, said, told, triage(told).validator) == wanted == {}


@pytest.mark.parametrize(("entries", "said", "told", "wanted"), exchanges("TEMPTING"))
def test_a_shorter_reading_makes_no_correction_of_what_is_none(entries, said, told, wanted) -> None:
    assert after(entries, said, told, triage(told).validator) == wanted == {}
    assert after(entries, said, told, HEARD_OR_NOT) == wanted


@pytest.mark.parametrize(("entries", "said", "told", "wanted"), exchanges("LEFT_OPEN"))
def test_what_is_not_understood_is_left_open_and_never_guessed(entries, said, told, wanted) -> None:
    """Also where triage should hear it one day: then it is set right, or nothing is changed."""
    assert after(entries, said, told, triage(told).validator) in ({}, wanted)
    assert after(entries, said, told, HEARD_OR_NOT) in ({}, wanted)
