"""What comes of talk as people talk: triage and the verdict. Nothing but what was meant is changed.

Mutants that it caught: no look at the rewritten statement (`reads_on` always true), none at what the message says
besides (`says_all` always true), whose it is left out of account, what holds of two changed for one, a value given way
that the message affirms, half of a sentence made.
"""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.write_correction import Exchange, Remembered
from clawgit.memory.entries.entry_marks import new_entry_id
from clawgit.understanding.corrections.judge_message import NOTHING, judge
from clawgit.understanding.triage.triage_message import triage
from tests.understanding.corrections import exchanges_chinese, exchanges_english, exchanges_korean

LANGUAGES = (exchanges_english, exchanges_chinese, exchanges_korean)
HEARD_OR_NOT = "medium"


def after(entries: tuple[str, ...], said: str, told: str, confidence: str | None) -> dict[int, str]:
    """Return the entries that read otherwise once the operator has answered, by their place."""
    core = "".join(f"- {entry} <!-- m:{new_entry_id(entry, 'x', ())} -->\n" for entry in entries).encode()
    held = Remembered({"MEMORY.md": core}).entries()
    verdict = NOTHING if confidence is None else judge(Exchange(told, confidence, (said,)), held)
    assert (verdict.status is Status.APPLIED) == bool(verdict.wrong)
    return {held.index(each): now for each, now in verdict.wrong}


def exchanges(kind: str) -> list:
    """Return the exchanges of one kind in all languages."""
    return [
        pytest.param(language.REMEMBERED[world], said, told, wanted, id=f"{world}: {told}"[:60])
        for language in LANGUAGES
        for world, said, told, wanted in getattr(language, kind)
    ]


@pytest.mark.parametrize(
    ("entries", "said", "told", "wanted"), exchanges("SET_RIGHT") + exchanges("LEFT_OPEN")
)
def test_what_the_operator_means_is_set_right_or_left_alone(entries, said, told, wanted) -> None:
    """Whether triage hears it or not: what is not plain is asked, or not understood, and never set right otherwise."""
    for confidence in (triage(told).validator, HEARD_OR_NOT):
        assert after(entries, said, told, confidence).items() <= wanted.items()


def test_what_is_plain_is_set_right() -> None:
    """A floor, so that it does not fall in silence. Mutants: contrasts are not read; values are not."""
    right = 0
    for each in exchanges("SET_RIGHT"):
        entries, said, told, wanted = each.values
        right += after(entries, said, told, triage(told).validator or HEARD_OR_NOT) == wanted
    assert right >= 170


@pytest.mark.parametrize(
    ("entries", "said", "told", "wanted"), exchanges("LEFT_ALONE") + exchanges("TEMPTING")
)
def test_what_sets_nothing_right_changes_nothing(entries, said, told, wanted) -> None:
    assert after(entries, said, told, triage(told).validator) == wanted == {}
    assert after(entries, said, told, HEARD_OR_NOT) == wanted
